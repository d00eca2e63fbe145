"""Print the result of ``bribeproof certify``."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from bribeproof._text import format_name, round_up
from bribeproof._worth import format_share
from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    from bribeproof.certification.result import Certification

_SHOWN = 20
"""Largest number of rows that are shown; -o FILE writes all."""
_HEADINGS = {
    "k": "k", "robust": "robust", "accuracy": "of gold", "accuracy_low": "accuracy ≥", "per_100": "per 100 ≤",
    "of_prior": "of prior", "absolute_high": "absolute ≤",
    "squared_high": "squared ≤",
}  # fmt: skip
_OF_LISTS = {
    "k": "k", "list_turned": "turned ≤", "list_accuracy": "of gold", "list_low": "accuracy ≥",
    "list_low_chosen": "if chosen ≥",
}  # fmt: skip


_NO_TEXTS: Mapping[int, str] = {}


def show_certification(result: "Certification", notes: Sequence[str]) -> None:
    """Print a certification: notes on standard error, its summary and table on standard output."""
    show_notes(notes)
    out = console()
    out.print(Text(result.summary()), soft_wrap=not out.is_terminal)
    out.print()
    rows = result.by_k.rows(named=True)
    out.print(_table(_HEADINGS, rows[:_SHOWN]))
    lists = {one.k: ", ".join(map(format_name, one.reporters)) for one in result.lists if one.k}
    if lists:
        out.print()
        out.print(Text("If the same k reporters are bribed on all items:"))
        out.print(_table(_OF_LISTS, [row for row in rows if row["k"] in lists][:_SHOWN], "worst list", lists))
    if len(rows) > _SHOWN:
        out.print(Text(f"… and {len(rows) - _SHOWN:,} more; write all with -o FILE"))


def _table(
    headings: Mapping[str, str], rows: Sequence[Mapping[str, Any]], last: str = "", texts: Mapping[int, str] = _NO_TEXTS
) -> Table:
    """Lay out columns of the table by k, and a last one of texts by k."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings.values():
        table.add_column(heading, justify="right")
    if last:
        table.add_column(last)
    for row in rows:
        cells = [_cell(name, row[name]) for name in headings]
        table.add_row(*cells, *([Text(texts[row["k"]])] if last else []))
    return table


def _cell(name: str, value: Any) -> Text:
    """Return a cell; errors per 100 items, and their share of those of the constant answer, are rounded up."""
    if value is not None and name == "of_prior":
        return Text(format_share(value))
    return Text(round_up(value)) if name == "per_100" else cell(value, 3)
