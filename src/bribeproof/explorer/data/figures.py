"""Pictures of an outcome, for the page and the report."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
from markupsafe import Markup

from bribeproof import plots
from bribeproof.arrays.ranking import SafeRanking
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.table import bribed

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

_MOST = 12
"""More rows make a picture that nobody reads."""
_WIDTH = 4.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and what it says.

    Attributes
    ----------
    drawn
        The ``<svg>`` element.
    caption
        A sentence below.
    """

    drawn: Markup
    caption: str


def pictures(outcome: Analysis) -> list[Picture]:
    """Draw of scores the first places, and the most fragile items; ties have nothing left to lose."""
    drawn = []
    if outcome.ranking is not None and outcome.ranking.rank.any():
        drawn.append(_podium(outcome, outcome.ranking))
    known = outcome.result.filter(pl.col("status") == "ok" if outcome.scores else pl.col("flips_needed") > 0)
    if known.height and outcome.k:
        drawn.append(_fragile(outcome, known))
    return drawn


def _podium(outcome: Analysis, ranking: SafeRanking) -> Picture:
    """Draw the first places."""
    names = outcome.about["item"].to_list()

    def draw(axes: "Axes") -> object:
        return plots.ranking(ranking, names, most=_MOST, ax=axes)

    title = f"The first places, and the scores that k = {outcome.k:,} bribed could have caused"
    return _picture(draw, min(_MOST, len(names)), "podium", title, _safety(ranking, outcome.k))


def _safety(ranking: SafeRanking, k: int) -> str:
    """Say what is certain of the podium."""
    if k == 0:
        return "Places by score. With k = 0 nothing protects them."
    safe = next((places for places in (3, 2, 1) if ranking.safe_top(places)), 0)
    if safe == 0:
        return f"The first place is not safe: {bribed(k)} could have changed it."
    what = "The first place is" if safe == 1 else f"The first {safe} places are"
    return f"{what} safe from {bribed(k)}."


def _fragile(outcome: Analysis, known: pl.DataFrame) -> Picture:
    """Draw fragile items."""
    item = known.columns[0]

    def draw(axes: "Axes") -> object:
        return plots.items(known, item=item, most=_MOST, ax=axes)

    caption = (
        f"The scores that {bribed(outcome.k)} could have caused; the widest range first."
        if outcome.scores
        else "How many reports would have to be rewritten to take each win away; the fewest first, ties left out."
    )
    return _picture(
        draw, min(_MOST, known.height), "fragile", f"The most fragile items, with k = {outcome.k:,}", caption
    )


def _picture(draw: "Callable[[Axes], object]", rows: int, name: str, title: str, caption: str) -> Picture:
    """Draw an element for the page."""
    drawn = plots.svg(draw, (_WIDTH, plots.height(rows)), name=name, title=title)
    return Picture(Markup(drawn), caption)  # noqa: S704  the drawing escapes all text
