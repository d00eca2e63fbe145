"""Print the result of ``bribeproof sweep``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from bribeproof._text import round_up
from bribeproof._worth import format_share
from bribeproof.cli.output.tables import console, print_sentences, print_table, rounded, show_notes

if TYPE_CHECKING:
    from bribeproof.aggregation.sweep_result import Sweep

_HEADINGS = {"changed": "changed or lost", "expected_loss": "loss ≤", "of_prior": "of prior", "per_100": "per 100 ≤"}
_MEANINGS = {
    "k": "how many may be bribed",
    "certified": "items whose answer they cannot own (of more than 2k reports)",
    "changed or lost": "answers that are others than in the first row, or no longer certified",
    "ties": "certified items where several labels share the most votes",
    "changeable": "decisions that some k could have changed, perhaps others on each item",
    "loss ≤": "expected loss on certified items, on average",
    "per 100 ≤": "errors, or costs, per 100 of these",
    "of prior": "its share of what the prior alone guarantees",
}


def show_sweep(result: "Sweep", notes: Sequence[str]) -> None:
    """Print the items whose answers change first, and the table by k."""
    show_notes(notes)
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in result.by_k.columns:
        table.add_column(_HEADINGS.get(name, name), justify="right")
    for row in result.by_k.iter_rows():
        table.add_row(*map(_cell, result.by_k.columns, row))
    print_sentences(out, result.summary())
    out.print()
    print_table(out, table, _MEANINGS)


def _cell(name: str, value: Any) -> Text:
    """Return a cell of the table by k; the bounds that are told in per cent or per 100 items are rounded up."""
    if value is not None and name == "of_prior":
        return Text(format_share(value))
    return Text(round_up(value)) if value is not None and name == "per_100" else rounded(value)
