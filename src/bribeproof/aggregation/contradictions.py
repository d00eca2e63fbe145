"""Say where the reports contradict the user's statement that honest reporters answer, and send nothing faulty."""

from typing import Any

from bribeproof._text import format_name


def describe_contradictions(items: int, first: tuple[Any, int, int, int]) -> str:
    """Return a sentence on items on which more than k reporters are silent or set aside.

    Parameters
    ----------
    items
        How many there are.
    first
        One of them: its id, its number of reports, the reporters that it was given to, and k.

    Examples
    --------
    >>> print(describe_contradictions(1, ("q7", 3, 6, 2))[:89])
    1 item is not certified, since more reporters than k are silent or set aside there (on q7
    """
    name, reports, design, k = first
    are = "items are" if items > 1 else "item is"
    return (
        f"{items:,} {are} not certified, since more reporters than k are silent or set aside there (on "
        f"{format_name(name)} {design - reports:,} of {design:,}, with k = {k:,}): honest ones are among them, so that "
        f"the statement about honest reporters does not hold, or k is too small"
    )
