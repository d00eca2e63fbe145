"""What ``bribeproof weigh`` says, as text for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.weighting.weigh import WeightedAnswers


_ITEMS = 20
_ENDS = 5
"""So many reporters of the most weight are shown, and of the least."""


def show_weighed(found: "WeightedAnswers", notes: Sequence[str], loss: str) -> None:
    """Print the items that are turned most easily, the reporters at both ends, and what the answers are worth."""
    show_notes(notes)
    out = console()
    answers, people = found.answers, found.reporters
    out.print(Text(_summary(found)), soft_wrap=not out.is_terminal)
    turned = answers.drop_nulls("flips_needed").sort("flips_needed", maintain_order=True)
    shown = ("m", "decision", "estimate", "flips_needed", "forecast", "guarantee")
    named = [answers.columns[0], *(name for name in shown if name in answers.columns)]
    out.print()
    out.print(_table(turned.select(named), _ITEMS, 0))
    if turned.height > _ITEMS:
        out.print(Text(f"… and {turned.height - _ITEMS:,} more, less easily turned; write all with -o FILE"))
    heard = [name for name in ("reports", "agreement", "right", "weight") if people[name].count()]
    out.print()
    out.print(_table(people.select("reporter", *heard), _ENDS, _ENDS))
    if "guarantee" in answers.columns:
        out.print()
        out.print(Text(_promise(found, loss)), soft_wrap=not out.is_terminal)


def _summary(found: "WeightedAnswers") -> str:
    """Say how many items came out how."""
    answers, n = found.answers, found.reporters.height
    states = {"ok": 0} | dict(sorted(answers["status"].value_counts().iter_rows()))
    status = ", ".join(f"{count:,} {state}" for state, count in states.items())
    limit = "no limit to weights" if found.weight_spread is None else f"weight spread {found.weight_spread:.6g}"
    items, ties = answers.height, int(answers["tie"].sum())
    return (
        f"{items:,} item{'s' * (items != 1)}, {n:,} reporter{'s' * (n != 1)}, k = {found.k:,}, {limit}: {status}; "
        f"{ties:,} tie{'s' * (ties != 1)}."
    )


def _promise(found: "WeightedAnswers", loss: str) -> str:
    """Say what is guaranteed, and of which weights."""
    bounds = found.answers["guarantee"].drop_nulls().to_list()
    if not bounds:
        return "No item has a guarantee."
    low, high = (f"{bound:.6g}" for bound in (min(bounds), max(bounds)))
    best = f", {low} on the best protected" * (low != high)
    where = (
        "every item" if len(bounds) == found.answers.height else f"{len(bounds):,} of {found.answers.height:,} items"
    )
    basis = (
        "it holds for weights that were known before anybody reported"
        if found.weight_spread is None
        else f"it holds for any weights within the weight spread of {found.weight_spread:.6g}, whoever bought them"
    )
    return f"Guarantee: expected {loss} loss at most {high} on {where}{best}, with k = {found.k:,} bribed; {basis}."


def _table(frame: "pl.DataFrame", first: int, last: int) -> Table:
    """Lay out the first and the last rows of a table."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name, dtype in frame.schema.items():
        table.add_column(cell(name), justify="right" if dtype.is_numeric() else "left", overflow="fold")
    whole = frame.height <= first + last
    for row in (frame if whole else frame.head(first)).iter_rows():
        table.add_row(*map(cell, row))
    if last and not whole:
        table.add_row("…")
        for row in frame.tail(last).iter_rows():
            table.add_row(*map(cell, row))
    return table
