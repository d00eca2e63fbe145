"""Print the result of ``bribeproof bribe`` on scores."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bribeproof.cli.output.tables import cell, console, decimals_for, print_sentences, print_table, show_notes

if TYPE_CHECKING:
    from bribeproof.contests.cheapest_result import CheapestContestBribe
    from bribeproof.contests.result import WorstContestBribe

_SHOWN = 20
"""Largest number of rows that are shown; -o FILE writes all."""
_MEANINGS = {
    "the same": "places that are possible if the same ones are bribed throughout",
    "at most": "places beyond which nobody could bring it so",
    "others": "places if others may be bribed on each part",
    "best if bribed": "who brings it to its best place",
}


def show_contest(result: "WorstContestBribe", notes: Sequence[str], *, decimals: int | None) -> None:
    """Print which places are possible: notes on standard error, sentences and a table on standard output.

    Parameters
    ----------
    result
        The result of `worst_contest_bribe`.
    notes
        What was inferred, and warnings.
    decimals
        Number of decimals of totals; None for those that they have, up to three.
    """
    show_notes(notes)
    out = console()
    print_sentences(out, result.summary())
    out.print()
    rest = result.entries.height - _SHOWN
    more = f"… and {rest:,} more entries; write all with -o FILE" if rest > 0 else ""
    print_table(out, _table(result, decimals), _MEANINGS, more=more)


def show_cheapest(result: "CheapestContestBribe", notes: Sequence[str]) -> None:
    """Print the cheapest bribery: notes on standard error, sentences on standard output."""
    show_notes(notes)
    out = console()
    print_sentences(out, result.summary())


def _table(result: "WorstContestBribe", decimals: int | None) -> Table:
    """Lay out the first entries."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    decimals = decimals_for(result.entries["total"].head(_SHOWN).to_list()) if decimals is None else decimals
    bounds = () if result.exact else ("at most",)
    for name in (result.entries.columns[0], "total", "place", "the same", *bounds, "others", "best if bribed"):
        table.add_column(name, justify="right" if name in ("total", "place") else "left", overflow="fold")
    for row in result.entries.head(_SHOWN).iter_rows(named=True):
        ranges = [
            _range(row[f"best_{kind}"], row[f"worst_{kind}"])
            for kind in ("place", *["bound"] * len(bounds), "if_others")
        ]
        cells = [next(iter(row.values())), row["total"], row["place"], *ranges, row["bribed"]]
        table.add_row(*(cell(one, decimals) for one in cells))
    return table


def _range(best: int, worst: int) -> str:
    """Return the places from one to another."""
    return f"{best} to {worst}" if best < worst else str(best)
