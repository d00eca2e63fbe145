"""How many examples a property is tried on, in proportion to the profile of Hypothesis that is loaded."""

from hypothesis import settings


def examples(share: float) -> int:
    """Return a share of the profile's number of examples, for a property that costs much more or much less than most.

    Parameters
    ----------
    share
        0.25 for a property that draws pictures or starts processes, 4 for one on short text.
    """
    return max(1, round(share * settings().max_examples))
