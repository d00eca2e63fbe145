"""Print the result of ``bribeproof certify``."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from bribeproof._text import format_bound, name_in_list, round_up
from bribeproof._worth import format_share
from bribeproof.cli.output.tables import cell, console, print_sentences, print_table, show_notes

if TYPE_CHECKING:
    from bribeproof.certification.result import Certification

_SHOWN = 20
"""Largest number of rows that are shown; -o FILE writes all."""
_HEADINGS = {
    "robust": "robust", "accuracy": "of gold", "accuracy_low": "accuracy ≥", "per_100": "per 100 ≤",
    "of_prior": "of prior", "absolute_high": "absolute ≤",
    "squared_high": "squared ≤",
}  # fmt: skip
_OF_LISTS = {
    "list_turned": "turned ≤", "list_accuracy": "of gold", "list_low": "accuracy ≥",
    "list_low_chosen": "if chosen ≥",
}  # fmt: skip
_LIST = "worst list"
_BOUNDS = {
    "k": "how many are bribed",
    "budget": "what bribes cost together",
    "robust": "gold items answered rightly whoever is bribed, perhaps others on each",
    "of gold": "their share",
    "accuracy ≥, per 100 ≤": "share of right answers, errors per 100 items, with the confidence",
    "of prior": "share of the errors of always giving the commonest answer",
    "absolute ≤, squared ≤": "expected losses of the forecast",
}
_BOUNDS_OF_LISTS = {
    "turned ≤": "right answers on gold items that they can turn wrong",
    "of gold": "share that stays right",
    "accuracy ≥": "share of right answers on all items, with the confidence",
    "if chosen ≥": "that, if they were chosen in view of the gold items and lied there too",
    "worst list": "who turn most, as far as was found",
}


def show_certification(result: "Certification", notes: Sequence[str]) -> None:
    """Print a certification: notes on standard error, its summary and table on standard output."""
    show_notes(notes)
    out = console()
    print_sentences(out, result.summary())
    out.print()
    rows, number = result.by_k.rows(named=True), result.unit.column
    first = {number: number}
    rest = len(rows) - _SHOWN
    more = f"… and {rest:,} more; write all with -o FILE" if rest > 0 else ""
    print_table(out, _table(first | _HEADINGS, rows[:_SHOWN]), _BOUNDS, more=more)
    lists = {result.unit.cell(one.k): ", ".join(map(name_in_list, one.reporters)) for one in result.lists if one.k}
    if lists:
        out.print()
        out.print(Text(f"If {result.unit.same_ones} are bribed on all items:"))
        listed = [row | {_LIST: lists[row[number]]} for row in rows if row[number] in lists]
        print_table(out, _table(first | _OF_LISTS, listed[:_SHOWN], texts=(_LIST,)), _BOUNDS_OF_LISTS)


def _table(headings: Mapping[str, str], rows: Sequence[Mapping[str, Any]], texts: Sequence[str] = ()) -> Table:
    """Lay out columns of numbers of the table by k, and of texts after them."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings.values():
        table.add_column(heading, justify="right")
    for text in texts:
        table.add_column(text)
    for row in rows:
        table.add_row(*(_cell(name, row[name]) for name in headings), *(Text(row[text]) for text in texts))
    return table


def _cell(name: str, value: Any) -> Text:
    """Return a cell; bounds are rounded such that they hold."""
    if value is None or name == "budget":
        return cell(value)
    if name == "of_prior":
        return Text(format_share(value))
    if name == "per_100":
        return Text(round_up(value))
    if name in ("accuracy_low", "list_low", "list_low_chosen", "absolute_high", "squared_high"):
        return Text(format_bound(value, 3, upper=name.endswith("_high")))
    return cell(value, 3)
