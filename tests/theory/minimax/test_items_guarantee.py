"""The guarantee of a table of items with different numbers of reports."""

from itertools import pairwise

import pytest

from bribeproof.theory import ExpertInterval, items_guarantee


@pytest.mark.parametrize("loss", ["squared", "log"])
def test_many_numbers_of_reports_are_bounded_by_fewer(loss: str) -> None:
    """With joint errors only some sizes are solved: the mean is no less than that of all, and close to it."""
    expert = ExpertInterval((0.4, 0.6), 0.7, 0.3, joint_error_rates=(0.12, 0.12))
    sizes = {m: 1 + m % 3 for m in range(3, 24)}
    found = items_guarantee(sizes, 2, expert, loss)
    each = {m: items_guarantee({m: 1}, 2, expert, loss) for m in sizes if m > 4}
    bounds = [one.expected_loss for one in each.values() if one is not None]
    assert all(more <= less + 1e-9 for less, more in pairwise(bounds))
    mean = sum(sizes[m] * one.expected_loss for m, one in each.items() if one is not None) / sum(sizes[m] for m in each)
    assert found is not None
    assert (found.certified, found.reports) == (sum(sizes[m] for m in each), (5, 23))
    assert mean <= found.expected_loss <= mean + 0.01
