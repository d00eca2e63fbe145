"""Print the result of ``bribeproof calibrate``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bribeproof._worth import format_share
from bribeproof.calibration.sentences import summarise_calibration
from bribeproof.cli.output.fitting import print_fitting
from bribeproof.cli.output.tables import cell, console, rows_worth_showing, show_notes

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.calibration.result import Calibration

_SHOWN = 20
"""Largest number of reporters that are listed; -o FILE writes all."""


def show_calibration(calibration: "Calibration", facts: dict[str, Any], notes: Sequence[str]) -> None:
    """Print a calibration: notes on standard error, its summary and tables on standard output."""
    show_notes(notes)
    out = console()
    out.print(Text(summarise_calibration(facts)), soft_wrap=not out.is_terminal)
    out.print()
    by_k = rows_worth_showing(facts["by_k"], [row["worthless"] for row in facts["by_k"]], facts["k"])
    _print_bounds(out, "k", [(str(row["k"]), row) for row in by_k])
    out.print()
    if len(facts["by_reports"]) > 1:
        out.print(_by_reports(facts["by_reports"]))
        out.print()
    limit = [("limit", facts["limit"])] if facts["limit"] is not None else []
    _print_bounds(out, "gold items", [(f"{row['items']:,}", row) for row in facts["more_gold"]] + limit)
    out.print()
    reporters = calibration.reporters
    out.print(_rates(reporters.head(_SHOWN)))
    if reporters.height > _SHOWN:
        out.print(Text(f"… and {reporters.height - _SHOWN:,} more; write all with -o FILE"))


def _print_bounds(out: Console, first: str, rows: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Print a table of bounds, with fewer losses where there is no room for all."""
    print_fitting(out, _bounds(first, rows), ("log ≤", "absolute ≤"), "all are in --json")


def _by_reports(rows: Sequence[dict[str, Any]]) -> Table:
    """Lay out the guarantee by the number of reports on an item."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("reports", "items", "loss ≤", "of prior"):
        table.add_column(name, justify="right")
    for row in rows:
        fewest, most = row["reports"]
        sizes = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        known = row["expected_loss"] is not None
        share = format_share(row["of_prior"]) if row["of_prior"] is not None else ""
        table.add_row(sizes, f"{row['items']:,}", f"{row['expected_loss']:.4f}" if known else "", share)
    return table


def _bounds(first: str, rows: Sequence[tuple[str, dict[str, Any]]]) -> Table:
    """Lay out bounds of rates and correlation, the number of certified items, and their guarantees."""
    losses = list(rows[0][1]["expected_loss"])
    table = Table(box=None, pad_edge=False, header_style="bold")
    names = [loss if len(losses) > 1 else "loss" for loss in losses]
    for name in (first, "tpr ≥", "fpr ≤", "corr. ≤", "certified", *(f"{name} ≤" for name in names), "of prior"):
        table.add_column(name, justify="right")
    for name, row in rows:
        bounds = ("" if bound is None else f"{bound:.4f}" for bound in row["expected_loss"].values())
        share = row["of_prior"][losses[0]]
        table.add_row(
            name,
            f"{row['tpr']:.3f}",
            f"{row['fpr']:.3f}",
            f"{max(row['correlation'].values()):.2f}",
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
