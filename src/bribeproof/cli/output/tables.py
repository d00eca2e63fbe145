"""Print tables of results, notes and summaries to the terminal."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bribeproof._text import count, format_name, format_number, printable

if TYPE_CHECKING:
    import polars as pl

_UNLIMITED = 1_000_000
"""Larger than the width of any table."""


class _Output(Console):
    """A console that raises an error when its reader has closed the pipe."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Return the console for standard output; piped output is 200 columns wide."""
    output = _Output(highlight=False)
    return output if output.is_terminal else _Output(width=200, highlight=False)


def cell(value: object, decimals: int | None = None) -> Text:
    """Return the text of a cell; markup and control codes in it are shown literally."""
    match value:
        case None:
            return Text("")
        case bool():
            return Text("yes" if value else "")
        case float():
            return Text(format_number(value, decimals))
    return Text(format_name(value))


def rows_worth_showing(rows: Sequence[dict[str, Any]], worthless: Sequence[bool], k: int) -> list[dict[str, Any]]:
    """Return the rows by k to one after the last that is worth something, and that of the own k.

    Parameters
    ----------
    rows
        One for each number ``k`` of bribed reporters, ascending.
    worthless
        Whether the guarantee of each is worth nothing.
    k
        The own number.

    Examples
    --------
    >>> shown = rows_worth_showing([{"k": k} for k in range(6)], [False, False, True, True, True, True], k=4)
    >>> [row["k"] for row in shown]
    [0, 1, 2, 4]
    """
    end = max((place for place, nothing in enumerate(worthless, 1) if not nothing), default=0)
    return [row for place, row in enumerate(rows) if place <= end or row["k"] == k]


def show_notes(notes: Sequence[str]) -> None:
    """Print notes, such as inferred columns and warnings, on standard error."""
    errors = Console(stderr=True, highlight=False)
    for note in notes:
        errors.print(Text(f"note: {printable(note)}", style="dim"), soft_wrap=not errors.is_terminal)


def show_result(
    result: "pl.LazyFrame",
    facts: dict[str, Any],
    notes: Sequence[str],
    *,
    decimals: int | None,
    rows: int,
    output: Path | None,
) -> None:
    """Print a result: notes on standard error; the first items and the summary on standard output.

    Parameters
    ----------
    result
        The result of a table function.
    facts
        The facts of its summary.
    notes
        What was inferred, and warnings.
    decimals
        Number of decimals; None for six significant digits.
    rows
        Largest number of items to print; 0 prints only the summary.
    output
        File that all items were written to.
    """
    from bribeproof.aggregation.summary import describe

    show_notes(notes)
    out = console()
    if rows:
        where = f"all are in {format_name(output)}" if output else "write all with -o FILE"
        for part in _items(out, result.head(rows).collect(), decimals, where):
            out.print(part)
        if facts["items"] > rows:
            more = "" if output else ", or print more with --rows"
            out.print(Text(f"… and {count(facts['items'] - rows, 'more item')}; {where}{more}"))
        out.print()
    for line in describe(facts, decimals):
        out.print(Text(line), soft_wrap=not out.is_terminal)


def _items(out: Console, shown: "pl.DataFrame", decimals: int | None, where: str) -> Iterator[Table | Text]:
    """Lay out the first items; if there is no room, leave out what the summary says, the shares, and what few need."""
    shares = [name for name in shown.columns[1:] if name.startswith("share_")]
    less = shown.drop(*shares, *(name for name in ("n", "k") if shown[name].n_unique() == 1))
    least = less.drop("additions_needed", strict=False)
    for columns, gap, short in ((shown, 2, False), (shown, 2, True), (less, 1, True), (least, 1, True)):
        table = _table(columns, decimals, gap=gap, short=short)
        if Measurement.get(out, out.options.update(max_width=_UNLIMITED), table).maximum <= out.width:
            break
    yield table
    left_out = ["additions_needed"] if columns.width < less.width else []
    if shares and columns.width <= less.width:
        left_out.append(f"the shares of {count(len(shares), 'class', 'classes')}")
    if left_out:
        yield Text(f"… and {' and '.join(left_out)}; {where}")


def _table(items: "pl.DataFrame", decimals: int | None, *, gap: int, short: bool) -> Table:
    """Lay out items, with their names in the first column; short headings have one word on each line."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, gap, 0, 0))
    for position, (name, dtype) in enumerate(items.schema.items()):
        whole = position == 0 or name.startswith("share_") or not short
        heading = cell(name) if whole else Text(name.replace("_", "\n"))
        fixed = position > 0 and (dtype.is_numeric() or name == "tie")
        table.add_column(heading, justify="right" if dtype.is_numeric() else "left", no_wrap=fixed, overflow="fold")
    for row in items.iter_rows():
        table.add_row(*(cell(value, decimals) for value in row))
    return table
