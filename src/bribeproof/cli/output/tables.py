"""Results as text for people: a table, and a summary of what is safe and what is not."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.escape import printable

if TYPE_CHECKING:
    import polars as pl

_LONGEST = 60
"""Cells are cut to so many letters."""
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
            return Text(_number(value, decimals))
    return Text(_name(value))


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
    show_notes(notes)
    out = console()
    if rows:
        where = f"all are in {_name(output)}" if output else "write all with -o FILE"
        for part in _items(out, result.head(rows).collect(), decimals, where):
            out.print(part)
        if facts["items"] > rows:
            more = "" if output else ", or print more with --rows"
            out.print(Text(f"… and {_count(facts['items'] - rows, 'more item')}; {where}{more}"))
        out.print()
    for line in sentences(facts, decimals):
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
        yield Text(f"… and the shares of {_count(len(shares), 'class', 'classes')}; {where}")


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


def sentences(facts: dict[str, Any], decimals: int | None = None) -> Iterator[str]:
    """Say what a result is worth."""
    least, most = facts["k"]["least"], facts["k"]["most"]
    k = f"k = {least}" if least == most else f"k = {least} to {most}"
    if facts["share"] is not None:
        k += f" (a share of {_name(facts['share'])}{' of each item' * (facts['share_of'] == 'item')})"
    states = {"ok": 0} | facts["status"]
    status = ", ".join(f"{count:,} {state}" for state, count in states.items())
    yield f"{_count(facts['items'], 'item')}, {_count(facts['reporters'], 'reporter')}, {k}: {status}."
    if most == 0:
        yield "k = 0 tolerates 0 bribed reporters: there is no protection."
    elif facts["unprotected"]:
        yield f"k = 0 on {_count(facts['unprotected'], 'item')}: there is no protection."
    bribed = _count(most, "bribed reporter") if least == most else "their k bribed reporters"
    if "decisions" in facts:
        yield from _about_decisions(facts, bribed)
    else:
        yield from _about_scores(facts, bribed, decimals)


def _about_decisions(facts: dict[str, Any], bribed: str) -> Iterator[str]:
    """Say how safe decisions are."""
    yield f"{_count(facts['ties'], 'tie')}."
    if facts["k"]["most"]:
        decisions = _count(facts["decisions"], "decision")
        yield f"{facts['changeable']:,} of {decisions} could have been changed by {bribed}."
    if fragile := facts["most_fragile"]:
        named = ", ".join(map(_name, fragile["items"]))
        rest = fragile["count"] - len(fragile["items"])
        more = f" and {rest:,} more" * bool(rest)
        yield f"Most fragile, {_count(fragile['flips_needed'], 'flip')} needed: {named}{more}."


def _about_scores(facts: dict[str, Any], bribed: str, decimals: int | None) -> Iterator[str]:
    """Say how safe scores and places are."""
    if moved := [
        f"{_name(one['item'])} ({_number(one['range_low'], decimals)} to {_number(one['range_high'], decimals)})"
        for one in facts["most_movable"]
    ]:
        yield f"Most movable by {bribed}: {', '.join(moved)}."
    if places := [
        f"{one['rank']}. {_name(one['item'])}{_safety(one) if facts['k']['most'] else ''}" for one in facts["podium"]
    ]:
        yield f"Podium: {', '.join(places)}."


def _safety(place: dict[str, int]) -> str:
    """Say whether a place could have been another."""
    if place["best_rank"] == place["worst_rank"]:
        return " (safe)"
    return f" (could be {place['best_rank']} to {place['worst_rank']})"


def _count(number: int, noun: str, plural: str | None = None) -> str:
    """Write a number of things."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def _number(value: float, decimals: int | None = None) -> str:
    """Write a number with so many decimals, or six significant digits."""
    return f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"


def _name(value: object) -> str:
    """Write a name from a file: on one line, harmless, and not too long."""
    text = printable(str(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def show_panel(found: dict[str, Any]) -> None:
    """Print what ``bribeproof panel`` found: the effective expert, the rule, its guarantee, and a sweep over k."""
    out = console()
    guarantee, n, k = found["guarantee"], found["n"], found["k"]
    facts = Table.grid(padding=(0, 2))
    for name, value in (
        ("Panel", f"{_count(n, 'reporter')}, of whom {k:,} may be bribed; loss: {found['loss']}"),
        ("Expert", _expert(found["expert"])),
        ("Effective expert", f"{_expert(found['effective_expert'])}: what bribes leave of one reporter"),
        ("Rule", _rule(found)),
        ("Guarantee", f"expected loss at most {_number(guarantee['expected_loss'])}, whatever the bribed do"),
        ("Regret", f"{_regret(guarantee)}; basis: {guarantee['basis']}"),
        (
            "Breakdown point",
            f"{_number(found['breakdown_point'])}: {found['max_adversaries']:,} of {n:,} bribed at most",
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
        lines.append((str(votes[0]) if len(votes) == 1 else f"{votes[0]} to {votes[-1]}", _number(value)))
    step = -(-len(lines) // _VALUES)
    for line in [*lines[:-1:step], lines[-1]]:
        table.add_row(*line)
    return table


def _expert(expert: dict[str, float]) -> str:
    """Write an expert as numbers."""
    return ", ".join(f"{name} {_number(expert[name])}" for name in ("prior", "tpr", "fpr"))


def _rule(found: dict[str, Any]) -> str:
    """Say in words what the optimal rule does."""
    n, k, low, high = found["n"], found["k"], found["low"], found["high"]
    if len(set(found["values"])) == 1:
        return f"always {_number(low)}: the reports cannot improve on the prior"
    if found["counts"] != [k, n - k]:
        return f"{_number(low)} with no positive vote, {_number(high)} with {n:,}, between them as below"
    votes = _count(k, "positive vote")
    return f"{_number(low)} up to {votes}, {_number(high)} from {n - k:,} on, linear between"


def _regret(guarantee: dict[str, Any]) -> str:
    """Say whether the regret is known exactly or only bounded."""
    return f"{guarantee['regret']:.9g}, exact" if guarantee["exact"] else f"at most {guarantee['regret']:.9g}"
