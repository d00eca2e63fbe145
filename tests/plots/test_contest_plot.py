"""Picture of a contest: bars are the places that bribed judges could have caused."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from bribeproof import plots
from bribeproof.contests.worst_bribe import worst_contest_bribe
from bribeproof.errors import ParameterError
from tests.plots.sample_plots import bands_of, blank, legend_of, names_of, score_sheet


def test_bars_are_the_places_of_the_result() -> None:
    found = worst_contest_bribe(score_sheet(12), k=2, item="dive")
    axes = plots.contest(found, ax=blank())
    table = found.entries
    assert names_of(axes) == [f"{place}. {name}" for name, place in table.select("dive", "place").iter_rows()]
    bars = [collection for collection in axes.collections if len(bands_of(collection)) == 12]
    for collection, kind in zip(bars, ("if_others", "place"), strict=True):
        ends = [(low + 0.4, high - 0.4) for _, low, high in bands_of(collection)]
        np.testing.assert_allclose(ends, table.select(f"best_{kind}", f"worst_{kind}").to_numpy())
    (dots,) = axes.get_lines()
    np.testing.assert_array_equal(np.asarray(dots.get_data())[0], table["place"])
    first = table.filter((pl.col("best_place") == 1) & (pl.col("place") > 1)).height
    assert axes.get_title(loc="right") == f"{first} others could be first"
    assert legend_of(axes) == ["place", "the same judges throughout", "perhaps others on each item"]


def test_bounds_are_drawn_where_not_every_set_was_tried() -> None:
    sheet = pl.DataFrame({"entry": list("ab")} | {f"J{judge}": [8, 2] for judge in range(40)})
    found = worst_contest_bribe(sheet, k=8)
    assert found.exact
    assert not found.tried_all
    table = found.entries.with_columns(best_bound=pl.lit(1))
    axes = plots.contest(replace(found, exact=False, entries=table), ax=blank())
    assert legend_of(axes)[-1] == "the same throughout, at most"
    assert axes.get_title(loc="right") == "Not known whether others could be first"
    assert len(names_of(plots.contest(worst_contest_bribe(sheet, k=1), most=1, ax=blank()))) == 1
    with pytest.raises(ParameterError, match="draw 1 to 200 entries"):
        plots.contest(worst_contest_bribe(sheet, k=1), most=0)
