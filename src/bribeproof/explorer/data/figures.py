"""Pictures of the answers: the page names them by address, so that its numbers do not wait for them."""

from collections.abc import Mapping
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
_PIXELS = 96
"""Pixels of an inch."""


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


@dataclass(frozen=True, slots=True)
class Sketch:
    """A picture that is not drawn yet.

    Attributes
    ----------
    title
        What it shows, for screen readers.
    caption
        A sentence below the picture.
    rows
        The number of its rows.
    draw
        Draws it on axes.
    """

    title: str
    caption: str
    rows: int
    draw: "Callable[[Axes], object]"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, whose ratio is that of the picture."""
        width, height = (round(_PIXELS * inches) for inches in (_WIDTH, plots.height(self.rows)))
        return width, height

    def svg(self, name: str) -> str:
        """Draw the picture as an SVG element with a name of its own."""
        return plots.svg(self.draw, (_WIDTH, plots.height(self.rows)), name=name, title=self.title)


def sketches(analysis: Analysis) -> Mapping[str, Sketch]:
    """Return the pictures by name: the first places (of scores) and the most fragile items; ties are left out."""
    found = {}
    if analysis.ranking is not None and analysis.ranking.rank.any():
        found["podium"] = _podium(analysis, analysis.ranking)
    certified = analysis.result.filter(pl.col("status") == "ok" if analysis.scores else pl.col("flips_needed") > 0)
    if certified.height and analysis.k:
        found["fragile"] = _fragile(analysis, certified)
    return found


def _podium(analysis: Analysis, ranking: SafeRanking) -> Sketch:
    """Return the picture of the first places of a ranking."""
    names = analysis.items["item"].to_list()

    def draw(axes: "Axes") -> object:
        return plots.ranking(ranking, names, most=_MAX_ROWS, ax=axes)

    title = f"The first places, and the scores that k = {analysis.k:,} bribed could have caused"
    return Sketch(title, _safety(ranking, analysis), min(_MAX_ROWS, len(names)), draw)


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


def _fragile(analysis: Analysis, certified: pl.DataFrame) -> Sketch:
    """Return the picture of the most fragile items."""
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
    title = f"The most fragile items, with k = {analysis.k:,}"
    return Sketch(title, caption, min(_MAX_ROWS, certified.height), draw)


def draw_picture(draw: "Callable[[Axes], object]", rows: int, name: str, title: str, caption: str) -> Picture:
    """Draw a picture as an SVG element."""
    drawn = Sketch(title, caption, rows, draw).svg(name)
    return Picture(Markup(drawn), caption)  # noqa: S704  the drawing escapes all text
