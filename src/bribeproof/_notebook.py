"""Render results as HTML for notebooks: sentences, a table, and a picture where matplotlib is installed."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib import import_module
from typing import Any, NamedTuple, Protocol, Self

from bribeproof._text import format_name, format_number, printable
from bribeproof.errors import BribeproofError

ROWS = 10
"""Tables and pictures show at most so many rows."""
_WIDTH, _HEIGHT = 4.4, 3.2
"""The size of a picture in inches."""


class Table(Protocol):
    """A table as far as it is shown: a polars data frame, or `Rows`."""

    @property
    def columns(self) -> Sequence[str]:
        """Names of the columns."""

    @property
    def height(self) -> int:
        """Number of rows."""

    def head(self, n: int) -> Self:
        """Return the first rows."""

    def iter_rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows."""


class Rows(NamedTuple):
    """A table of plain values, for results that are not data frames."""

    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def head(self, n: int) -> Self:
        """Return the first rows."""
        return self._replace(rows=self.rows[:n])

    def iter_rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows."""
        return iter(self.rows)


def render_html(
    summary: str,
    table: Table,
    draw: Callable[[Any, Any], object] | None = None,
    *,
    bars: int | None = None,
) -> str:
    """Return a result as HTML; all text that comes from the data is escaped.

    Parameters
    ----------
    summary
        Sentences, one a line.
    table
        The rows to show; the first ten are.
    draw
        Draws the picture: called with `bribeproof.plots` and the axes. Left out where matplotlib is not installed or
        there is nothing to draw.
    bars
        How many horizontal rows the picture has, which gives its height; None for a picture of fixed height.
    """
    sentences = (f"<p>{escape(printable(line))}</p>" for line in summary.splitlines())
    parts = [*sentences, _table(table), _picture(summary, draw, bars) if draw else ""]
    return f"<div>{''.join(parts)}</div>"


def _table(table: Table) -> str:
    """Return the first rows of a table as HTML."""
    head = "".join(f"<th>{escape(printable(name))}</th>" for name in table.columns)
    rows = ("".join(f"<td>{escape(_cell(value))}</td>" for value in row) for row in table.head(ROWS).iter_rows())
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    more = f"<p>… and {table.height - ROWS:,} more rows</p>" if table.height > ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: object) -> str:
    """Return a cell as text; nothing where the value is missing."""
    if value is None:
        return ""
    return format_number(value) if isinstance(value, float) else format_name(value)


def _picture(title: str, draw: Callable[[Any, Any], object], bars: int | None) -> str:
    """Return a picture as an SVG element, or nothing where it cannot be drawn.

    The pictures are a higher layer, so they are loaded by name and on demand.
    """
    plots = import_module("bribeproof.plots")
    size = _WIDTH, _HEIGHT if bars is None else plots.height(min(bars, ROWS))
    name = f"picture-{sha256(title.encode()).hexdigest()[:12]}"
    try:
        svg = plots.svg(lambda axes: draw(plots, axes), size, name=name, title=title.partition("\n")[0])
    except BribeproofError:
        return ""
    return f'<div style="max-width: 36em">{svg}</div>'
