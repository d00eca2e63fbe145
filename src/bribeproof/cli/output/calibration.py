"""Print the result of ``bribeproof calibrate``."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from bribeproof._text import format_bound
from bribeproof._worth import format_share
from bribeproof.calibration.sentences import summarise_calibration
from bribeproof.cli.output.tables import (
    cell,
    console,
    print_sentences,
    print_table,
    rows_worth_showing,
    show_notes,
)

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.calibration.result import Calibration

_SHOWN = 20
"""Largest number of reporters that are listed; -o FILE writes all."""
_BOUNDS = {
    "k": "how many may be bribed",
    "tpr ≥, fpr ≤": "share of positive, of negative items that truthful reports call positive",
    "corr. ≤": "correlation of two truthful reporters' errors",
    "certified": "items with more than 2k reports",
    "loss ≤, squared ≤, absolute ≤, log ≤": "expected loss on these, on average, whatever the bribed do",
    "of prior": "its share of what the prior alone guarantees",
}
_MORE_GOLD = {
    "gold items": "how many there would be, answered as these are; the rest is what would most likely follow, as above"
}
_SIZES = {
    "reports": "on an item",
    "items": "with so many",
    "loss ≤": "their expected loss, on average",
    "of prior": "its share of what the prior alone guarantees",
}
_RATES = {
    "positive gold, negative gold": "answers to gold items whose truth is positive, negative",
    "tpr, fpr": "share of these answers that are positive",
    "low, high": "its bounds, for each reporter alone",
}


def show_calibration(calibration: "Calibration", facts: dict[str, Any], notes: Sequence[str]) -> None:
    """Print a calibration: notes on standard error, its summary and tables on standard output."""
    show_notes(notes)
    out = console()
    print_sentences(out, summarise_calibration(facts))
    out.print()
    by_k = rows_worth_showing(facts["by_k"], [row["worthless"] for row in facts["by_k"]], facts["k"])
    _print_bounds(out, "k", [(str(row["k"]), row) for row in by_k], _BOUNDS)
    out.print()
    if len(facts["by_reports"]) > 1:
        print_table(out, _by_reports(facts["by_reports"]), _SIZES)
        out.print()
    limit = [("limit", facts["limit"])] if facts["limit"] is not None else []
    _print_bounds(out, "gold items", [(f"{row['items']:,}", row) for row in facts["more_gold"]] + limit, _MORE_GOLD)
    out.print()
    reporters = calibration.reporters
    rest = reporters.height - _SHOWN
    more = f"… and {rest:,} more; write all with -o FILE" if rest > 0 else ""
    print_table(out, _rates(reporters.head(_SHOWN)), _RATES, more=more)


def _print_bounds(
    out: Console, first: str, rows: Sequence[tuple[str, dict[str, Any]]], meanings: Mapping[str, str]
) -> None:
    """Print a table of bounds, with fewer losses where there is no room for all."""
    table = _bounds(first, rows)
    print_table(out, table, meanings, least_needed=("log ≤", "absolute ≤"), where="all are in --json")


def _by_reports(rows: Sequence[dict[str, Any]]) -> Table:
    """Lay out the guarantee by the number of reports on an item."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("reports", "items", "loss ≤", "of prior"):
        table.add_column(name, justify="right")
    for row in rows:
        fewest, most = row["reports"]
        sizes = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        loss = row["expected_loss"]
        share = format_share(row["of_prior"]) if row["of_prior"] is not None else ""
        table.add_row(sizes, f"{row['items']:,}", "" if loss is None else format_bound(loss, 4, upper=True), share)
    return table


def _bounds(first: str, rows: Sequence[tuple[str, dict[str, Any]]]) -> Table:
    """Lay out bounds of rates and correlation, the number of certified items, and their guarantees."""
    losses = list(rows[0][1]["expected_loss"])
    table = Table(box=None, pad_edge=False, header_style="bold")
    names = [loss if len(losses) > 1 else "loss" for loss in losses]
    for name in (first, "tpr ≥", "fpr ≤", "corr. ≤", "certified", *(f"{name} ≤" for name in names), "of prior"):
        table.add_column(name, justify="right")
    for name, row in rows:
        losses_of = row["expected_loss"].values()
        bounds = ("" if bound is None else format_bound(bound, 4, upper=True) for bound in losses_of)
        share = row["of_prior"][losses[0]]
        table.add_row(
            name,
            format_bound(row["tpr"], 3, upper=False),
            format_bound(row["fpr"], 3, upper=True),
            format_bound(max(row["correlation"].values()), 2, upper=True),
            f"{row['certified']:,}",
            *bounds,
            "" if share is None else format_share(share),
        )
    return table


def _rates(reporters: "pl.DataFrame") -> Table:
    """Lay out the rates of some reporters; unknown rates are left empty."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("reporter")
    for name in ("positive gold", "tpr", "low", "high", "negative gold", "fpr", "low", "high"):
        table.add_column(name, justify="right")
    for row in reporters.iter_rows(named=True):
        cells = [cell(row["reporter"])]
        for state, rate in ((1, "tpr"), (0, "fpr")):
            cells += [cell(row[f"gold_{state}"]), *(cell(row[rate + end], 3) for end in ("", "_low", "_high"))]
        table.add_row(*cells)
    return table
