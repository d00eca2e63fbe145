"""Picture of the worst bribe: bars, dots and lines are what the reports say."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

from bribeproof import plots
from bribeproof.bribery.cheapest_bribe import cheapest_bribe
from bribeproof.bribery.worst_bribe import worst_bribe
from bribeproof.errors import ParameterError
from tests.plots.sample_plots import bands_of, blank, bribed, legend_of, names_of, vote_sheet


def changed(names: tuple[str, ...]) -> int:
    """Return how many decisions some workers could change, from the definition: votes are two to choose from."""
    total = 0
    for task in vote_sheet().partition_by("task"):
        ones = task["label"].sum()
        winner = int(2 * ones > task.height)
        kept = task.filter(~pl.col("worker").is_in(names))
        others = kept.filter(pl.col("label") != winner).height
        total += 2 * ones != task.height and kept.height - others <= others + (task.height - kept.height)
    return total


def test_bars_add_up_reporters_and_dots_are_of_one() -> None:
    axes = plots.bribe(bribed(3), ax=blank())
    names = names_of(axes)
    together = [changed(tuple(names[: last + 1])) for last in range(3)]
    before, added = (bands_of(axes.collections[place]) for place in (0, 1))
    assert [(row, low, high) for row, low, high in before] == [(0, 0, 0), (1, 0, together[0]), (2, 0, together[1])]
    assert [high for _, _, high in added] == together
    assert [low for _, low, _ in added] == [0, *together[:-1]]
    dots, bound, others = (np.asarray(line.get_data())[0] for line in axes.get_lines())
    np.testing.assert_array_equal(dots, [changed((name,)) for name in names])
    everyone = vote_sheet()["worker"].unique().to_list()
    assert bound[0] == max(changed(names) for names in combinations(everyone, 3)) == together[-1]
    assert others[0] >= together[-1]
    assert legend_of(axes) == ["alone", "added to those above", "most by any 3 (proven)", "others on each item"]
    assert axes.get_title(loc="right") == f"{together[-1]} of 40 decided items"


def test_the_first_rows_and_items_with_values() -> None:
    axes = plots.bribe(bribed(3), most=2, ax=blank())
    assert len(names_of(axes)) == 2
    assert axes.get_title(loc="right").endswith("decided items; the first 2 of 3 reporters")
    valued = worst_bribe(vote_sheet(), 1, values={f"task {task}": 1000.0 for task in range(40)})
    axes = plots.bribe(valued, ax=blank())
    assert legend_of(axes) == ["alone", "added to those above", "others on each item"]
    assert axes.get_xlim()[1] < 50
    assert legend_of(plots.bribe(bribed(1), ax=blank()))[2] == "most by any one (proven)"
    with pytest.raises(ParameterError, match="draw 1 to 200 reporters"):
        plots.bribe(valued, most=0)


def test_what_is_far_beyond_the_bars_is_named_instead_of_drawn() -> None:
    """Everybody is on items of their own, so that one could change one of 30, and others on each item all of them."""
    votes = pl.DataFrame({"task": range(30), "worker": range(30), "label": ["a"] * 30})
    axes = plots.bribe(worst_bribe(votes, 1), ax=blank())
    assert legend_of(axes)[-1] == "others on each item: 30 (beyond)"
    assert axes.get_xlim()[1] < 2
    spent = worst_bribe(votes, price=dict.fromkeys(range(30), 2), budget=3)
    assert legend_of(plots.bribe(spent, ax=blank()))[-1] == "others per item, at most: 30 (beyond)"


def test_of_the_cheapest_bribe_a_line_shows_what_was_to_be_changed() -> None:
    axes = plots.bribe(cheapest_bribe(vote_sheet(), 10), ax=blank())
    assert legend_of(axes) == ["alone", "added to those above", "to be changed"]
    _, asked = (np.asarray(line.get_data())[0] for line in axes.get_lines())
    assert asked[0] == 10
    assert (
        legend_of(plots.bribe(cheapest_bribe(vote_sheet(), items="task 0"), ax=blank()))[-1] == "added to those above"
    )
