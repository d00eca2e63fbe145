"""Print the result of ``bribeproof weigh``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bribeproof.cli.output.tables import cell, console, print_sentences, print_table, rounded, show_notes

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.weighting.result import WeightedAnswers


_ITEMS = 20
_ENDS = 5
"""Number of reporters shown with the largest weights, and with the smallest."""
_OF_ITEMS = {
    "m": "reports on the item",
    "decision": "label with the most weight",
    "estimate": "its share, less the largest weight that the bribed can hold",
    "flips needed": "fewest reports on it to rewrite so that it no longer wins alone",
    "forecast": "probability of positive",
    "guarantee": "its expected loss is at most that, whatever the bribed report",
}
_OF_REPORTERS = {
    "reports": "how many",
    "agreement": "average share of the others' weight that agrees, on gold items of the truth",
    "right": "share of right answers to gold items",
    "weight": "of a report; the largest is 1",
}


def show_weighed(result: "WeightedAnswers", notes: Sequence[str]) -> None:
    """Print the most fragile items, and the reporters of most and least weight, after the guarantee."""
    from bribeproof.weighting.result import describe_guarantee, describe_items, most_fragile

    show_notes(notes)
    out = console()
    print_sentences(out, "\n".join([describe_items(result, result.items), *describe_guarantee(result, result.items)]))
    fragile = most_fragile(result.items)
    rest = fragile.height - _ITEMS
    out.print()
    more = f"… and {rest:,} more fragile items; write all with -o FILE" if rest > 0 else ""
    by_weight = "forecast" not in fragile.columns or result.loss in ("squared", "log")
    meanings = _OF_ITEMS if by_weight else _OF_ITEMS | {"decision": "more probable side by every forecast"}
    print_table(out, _table(fragile, _ITEMS, 0), meanings, more=more)
    reporters = result.reporters
    known = [name for name in ("reports", "agreement", "right", "weight") if reporters[name].count()]
    out.print()
    print_table(out, _table(reporters.select("reporter", *known), _ENDS, _ENDS), _OF_REPORTERS)


def _table(frame: "pl.DataFrame", first: int, last: int) -> Table:
    """Lay out the first and the last rows of a table."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for place, (name, dtype) in enumerate(frame.schema.items()):
        table.add_column(
            name.replace("_", " ") if place else cell(name),
            justify="right" if dtype.is_numeric() else "left",
            overflow="fold",
        )
    whole = frame.height <= first + last
    for row in (frame if whole else frame.head(first)).iter_rows():
        table.add_row(*map(rounded, row))
    if last and not whole:
        table.add_row("…")
        for row in frame.tail(last).iter_rows():
            table.add_row(*map(rounded, row))
    return table
