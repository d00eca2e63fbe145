"""Print tables whose headings are explained below them, sentences and notes to the terminal."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bribeproof._text import format_name, format_number, printable
from bribeproof.reporting.cells import least_decimals

_UNLIMITED = 1_000_000
"""Larger than the width of any table."""
_MOST_DECIMALS = 6
_WIDEST = 80
"""What headings mean is told in lines of at most so many letters, in wider terminals and in files too."""


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


def rounded(value: object, digits: int = 4) -> Text:
    """Return the text of a cell, where a number is an estimate or a share that a few significant digits tell."""
    return Text(f"{value:.{digits}g}") if isinstance(value, float) else cell(value)


def decimals_for(*columns: Sequence[float | None]) -> int:
    """Return how many decimals show the scores of some columns: what they have up to three, more to tell two apart.

    Examples
    --------
    >>> decimals_for([8.5, 7.25, None]), decimals_for([9 + 1 / 3, 8.5], [9.0]), decimals_for([1.00004, 1.00005])
    (2, 3, 4)
    """
    known = [value for column in columns for value in column if value is not None]
    return next(
        (
            decimals
            for decimals in range(least_decimals(known), _MOST_DECIMALS)
            if all(
                len({f"{value:.{decimals}f}" for value in column}) == len(set(column)) for column in _filled(columns)
            )
        ),
        _MOST_DECIMALS,
    )


def _filled(columns: Sequence[Sequence[float | None]]) -> list[list[float]]:
    """Return columns without what is missing; numbers that differ by less than a computer's error are one."""
    return [[round(value, _MOST_DECIMALS) for value in column if value is not None] for column in columns]


def print_sentences(out: Console, text: str) -> None:
    """Print lines of sentences, each of which is one line of a file."""
    for line in text.splitlines():
        out.print(Text(line), soft_wrap=not out.is_terminal)


def print_table(
    out: Console,
    table: Table,
    meanings: Mapping[str, str],
    *,
    more: str = "",
    least_needed: Sequence[str] = (),
    where: str = "",
) -> None:
    """Print a table, and below it what the headings of the columns mean that it shows.

    Parameters
    ----------
    out
        The console.
    table
        The table; it loses the columns for which a narrow terminal has no room.
    meanings
        What headings mean, or several with a comma between them, in the order in which it is told; words of a heading
        are separated by spaces.
    more
        The line that says how many rows are not shown; empty if all are.
    least_needed
        Headings of the columns that may be left out, in this order, so that no word of the others is broken.
    where
        Where the columns are that were left out.
    """
    left_out = []
    for heading in least_needed:
        if fits(out, table):
            break
        kept = [column for column in table.columns if _words(column.header) != heading]
        if len(kept) < len(table.columns):
            table.columns = [replace(column, _index=place) for place, column in enumerate(kept)]  # for its padding
            left_out.append(heading)
    out.print(table)
    if more:
        out.print(Text(more))
    if left_out:
        out.print(Text(f"… and {', '.join(left_out)}; {where}"))
    explain_headings(out, [_words(column.header) for column in table.columns], meanings)


def explain_headings(out: Console, headings: Sequence[str], meanings: Mapping[str, str]) -> None:
    """Print what some headings mean, in one paragraph."""
    told = []
    for names, meaning in meanings.items():
        if shown := [name for name in names.split(", ") if name in headings]:
            told.append(f"{', '.join(shown)}: {meaning}")
    print_explanation(out, f"{'; '.join(told)}." if told else "")


def print_explanation(out: Console, text: str) -> None:
    """Print what columns mean below their table, in lines that are short in every terminal."""
    for line in textwrap.wrap(text, min(out.width, _WIDEST), break_long_words=False, break_on_hyphens=False):
        out.print(Text(line, style="dim"))


def fits(out: Console, table: Table) -> bool:
    """Return whether a table has room, with no word of it broken."""
    return Measurement.get(out, out.options.update(max_width=_UNLIMITED), table).maximum <= out.width


def _words(heading: object) -> str:
    """Return a heading on one line."""
    return str(heading).replace("\n", " ")


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
