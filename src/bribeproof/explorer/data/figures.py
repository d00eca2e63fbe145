"""Pictures of the answers, for the page and the report."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
from markupsafe import Markup

from bribeproof import plots
from bribeproof.arrays.ranking import SafeRanking
from bribeproof.explorer.data.analysis import Analysis

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

_MAX_ROWS = 12
"""Largest number of rows in a picture."""
_WIDTH = 4.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its caption.

    Attributes
    ----------
    drawn
        The ``<svg>`` element.
    caption
        A sentence below the picture.
    """

    drawn: Markup
    caption: str


def pictures(analysis: Analysis) -> list[Picture]:
    """Draw the first places (of scores) and the most fragile items; ties are left out."""
    drawn = []
    if analysis.ranking is not None and analysis.ranking.rank.any():
        drawn.append(_podium(analysis, analysis.ranking))
    certified = analysis.result.filter(pl.col("status") == "ok" if analysis.scores else pl.col("flips_needed") > 0)
    if certified.height and analysis.k:
        drawn.append(_fragile(analysis, certified))
    return drawn


def _podium(analysis: Analysis, ranking: SafeRanking) -> Picture:
    """Draw the first places of a ranking."""
    names = analysis.items["item"].to_list()

    def draw(axes: "Axes") -> object:
        return plots.ranking(ranking, names, most=_MAX_ROWS, ax=axes)

    title = f"The first places, and the scores that k = {analysis.k:,} bribed could have caused"
    return draw_picture(draw, min(_MAX_ROWS, len(names)), "podium", title, _safety(ranking, analysis))


def _safety(ranking: SafeRanking, analysis: Analysis) -> str:
    """Return a sentence on which of the first three places are safe."""
    k = analysis.k
    if k == 0:
        order = ", the lowest first" * (ranking.better == "low")
        return f"Places by score{order}. With k = 0 there is no protection."
    safe = next((places for places in (3, 2, 1) if ranking.safe_top(places)), 0)
    if safe == 0:
        return f"The first place is not safe: it could have been changed by {analysis.bribed}."
    what = "The first place is" if safe == 1 else f"The first {safe} places are"
    who = "judge is" if k == 1 else f"{k:,} judges are"
    return f"{what} safe, whichever {who} bribed on each {analysis.bribed_on_each}."


def _fragile(analysis: Analysis, certified: pl.DataFrame) -> Picture:
    """Draw the most fragile items."""
    item = certified.columns[0]

    def draw(axes: "Axes") -> object:
        return plots.items(certified, item=item, most=_MAX_ROWS, ax=axes)

    grouped = "bribes_needed" in certified.columns
    rewritten = "groups would have to rewrite their reports" if grouped else "reports would have to be rewritten"
    caption = (
        f"The scores that could have been caused by {analysis.bribed}; the widest range first."
        if analysis.scores
        else f"How many {rewritten} to take each win away; the fewest first, ties left out."
    )
    return draw_picture(
        draw, min(_MAX_ROWS, certified.height), "fragile", f"The most fragile items, with k = {analysis.k:,}", caption
    )


def draw_picture(draw: "Callable[[Axes], object]", rows: int, name: str, title: str, caption: str) -> Picture:
    """Draw a picture as an SVG element."""
    drawn = plots.svg(draw, (_WIDTH, plots.height(rows)), name=name, title=title)
    return Picture(Markup(drawn), caption)  # noqa: S704  the drawing escapes all text
