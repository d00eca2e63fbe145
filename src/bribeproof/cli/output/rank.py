"""Print the result of ``bribeproof rank``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bribeproof.cli.output.tables import cell, console, print_explanation, print_sentences, print_table, show_notes
from bribeproof.frames.native import to_polars
from bribeproof.rankings.result import Ranking

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.rankings.compare_rules import RuleComparison

_SHOWN = 60
"""Largest number of rows that are shown; -o FILE writes all."""


def table_of(result: "Ranking | RuleComparison") -> "tuple[pl.DataFrame, str]":
    """Return the table of a result, and what its rows are."""
    if isinstance(result, Ranking):
        return to_polars(result.entries), "entries"
    return to_polars(result.table), "rows"


def _explain(result: "Ranking | RuleComparison") -> str:
    """Return what the numbers of the table are, in a sentence or two."""
    frame, _ = table_of(result)
    enough = "so much money is enough" if result.priced else f"so many bribed {result.unit}s are enough"
    if isinstance(result, Ranking):
        empty = "; empty for the only winner, and where not even all are enough"
        lacks = frame["level"].null_count() + frame["ahead"].null_count()
        return f"level, ahead: {enough} to bring the entry level with a winner, or ahead{empty * bool(lacks)}."
    numbers = [name for name in frame.columns if name.startswith(("shared_", "other_"))]
    lacks = sum(frame[name].null_count() for name in numbers)
    already = any((frame[name] == 0).any() for name in numbers if name.startswith("shared_"))
    return (
        f"shared: {enough} for a tie; other: for another winner, podium (who is on it) or order (of the podium, or who "
        f"is on it)."
        + " shared 0: tied already, and other rules out one of the possible outcomes." * already
        + " Empty: there are no such places, or not even all are enough." * bool(lacks)
    )


def show_rank(result: "Ranking | RuleComparison", notes: Sequence[str]) -> None:
    """Print a ranking or a comparison: notes on standard error, sentences and a table on standard output."""
    show_notes(notes)
    out = console()
    print_sentences(out, result.summary())
    frame, what = table_of(result)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, dtype in frame.schema.items():
        table.add_column(name.replace("_", "\n", 1), justify="right" if dtype.is_numeric() else "left")
    for row in frame.head(_SHOWN).iter_rows():
        table.add_row(*map(cell, row))
    out.print()
    rest = frame.height - _SHOWN
    print_table(out, table, {}, more=f"… and {rest:,} more {what}; write all with -o FILE" if rest > 0 else "")
    print_explanation(out, _explain(result))
