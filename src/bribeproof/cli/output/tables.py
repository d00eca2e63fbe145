"""Results as text for people: a table, and a summary of what is safe and what is not."""

from collections.abc import Iterator, Sequence
from itertools import groupby
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
"""A width that no table has."""
_VALUES = 20
"""A rule is shown by about so many of its values."""


class _Output(Console):
    """A console that leaves it to the command what happens where the reader has gone."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Return the console for standard output; piped output is not squeezed into 80 columns."""
    found = _Output(highlight=False)
    return found if found.is_terminal else _Output(width=200, highlight=False)


def cell(value: object, decimals: int | None = None) -> Text:
    """Return a cell as text: markup and control codes in it are only characters."""
    match value:
        case None:
            return Text("")
        case bool():
            return Text("yes" if value else "")
        case float():
            return Text(format_number(value, decimals))
    return Text(format_name(value))


def show_notes(notes: Sequence[str]) -> None:
    """Print what was guessed, and what the library warned about, on standard error."""
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
        What the table functions return.
    facts
        Its summary.
    notes
        What was guessed, and what the library warned about.
    decimals
        How many decimals numbers have; None for six significant digits.
    rows
        The most items to print; 0 for the summary alone.
    output
        Where all items were written.
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
    """Lay out the first items; what the summary says, and the shares of the classes, only where there is room."""
    for short in (False, True):
        table = _table(shown, decimals, gap=2, short=short)
        if Measurement.get(out, out.options.update(max_width=_UNLIMITED), table).maximum <= out.width:
            yield table
            return
    shares = [name for name in shown.columns[1:] if name.startswith("share_")]
    same = [name for name in ("n", "k") if shown[name].n_unique() == 1]
    yield _table(shown.drop(*shares, *same), decimals, gap=1, short=True)
    if shares:
        yield Text(f"… and the shares of {count(len(shares), 'class', 'classes')}; {where}")


def _table(items: "pl.DataFrame", decimals: int | None, *, gap: int, short: bool) -> Table:
    """Lay out some items; the first column holds their names, short headings of the others have a word a line."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, gap, 0, 0))
    for place, (name, dtype) in enumerate(items.schema.items()):
        whole = place == 0 or name.startswith("share_") or not short
        heading = cell(name) if whole else Text(name.replace("_", "\n"))
        fixed = place > 0 and (dtype.is_numeric() or name == "tie")
        table.add_column(heading, justify="right" if dtype.is_numeric() else "left", no_wrap=fixed, overflow="fold")
    for row in items.iter_rows():
        table.add_row(*(cell(value, decimals) for value in row))
    return table


def show_panel(found: dict[str, Any]) -> None:
    """Print what ``bribeproof panel`` found: the effective expert, the rule, its guarantee, and a sweep over k."""
    out = console()
    guarantee, n, k = found["guarantee"], found["n"], found["k"]
    facts = Table.grid(padding=(0, 2))
    for name, value in (
        ("Panel", f"{count(n, 'reporter')}, of whom {k:,} may be bribed; loss: {found['loss']}"),
        ("Expert", _expert(found["expert"])),
        ("Effective expert", f"{_expert(found['effective_expert'])}: what bribes leave of one reporter"),
        ("Rule", _rule(found)),
        ("Guarantee", f"expected loss at most {format_number(guarantee['expected_loss'])}, whatever the bribed do"),
        ("Regret", f"{_regret(guarantee)}; basis: {guarantee['basis']}"),
        (
            "Breakdown point",
            f"{format_number(found['breakdown_point'])}: {found['max_adversaries']:,} of {n:,} bribed at most",
        ),
    ):
        facts.add_row(Text(name, style="bold"), Text(value))
    out.print(facts)
    out.print()
    out.print(_rule_table(found["values"]))
    out.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("k", "tpr left", "fpr left", "low", "high", "expected loss ≤", "regret ≤", "exact"):
        table.add_column(name, justify="right")
    for row in found["sweep"]:
        left, bound = row["effective_expert"], row["guarantee"]
        numbers = [left["tpr"], left["fpr"], row["low"], row["high"], bound["expected_loss"], bound["regret"]]
        table.add_row(str(row["k"]), *map(cell, numbers), cell(bound["exact"]))
    out.print(table)


def _rule_table(values: Sequence[float]) -> Table:
    """Show the forecast for each number of positive votes, equal ones on one line, at even steps where many."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("positive votes", justify="right")
    table.add_column("forecast")
    lines = []
    for value, group in groupby(enumerate(values), key=lambda pair: pair[1]):
        votes = [count for count, _ in group]
        lines.append((str(votes[0]) if len(votes) == 1 else f"{votes[0]} to {votes[-1]}", format_number(value)))
    step = -(-len(lines) // _VALUES)
    for line in [*lines[:-1:step], lines[-1]]:
        table.add_row(*line)
    return table


def _expert(expert: dict[str, float]) -> str:
    """Write an expert as numbers."""
    return ", ".join(f"{name} {format_number(expert[name])}" for name in ("prior", "tpr", "fpr"))


def _rule(found: dict[str, Any]) -> str:
    """Say in words what the optimal rule does."""
    n, k, low, high = found["n"], found["k"], found["low"], found["high"]
    if len(set(found["values"])) == 1:
        return f"always {format_number(low)}: the reports cannot improve on the prior"
    if found["counts"] != [k, n - k]:
        return f"{format_number(low)} with no positive vote, {format_number(high)} with {n:,}, between them as below"
    votes = count(k, "positive vote")
    return f"{format_number(low)} up to {votes}, {format_number(high)} from {n - k:,} on, linear between"


def _regret(guarantee: dict[str, Any]) -> str:
    """Say whether the regret is known exactly or only bounded."""
    return f"{guarantee['regret']:.9g}, exact" if guarantee["exact"] else f"at most {guarantee['regret']:.9g}"
