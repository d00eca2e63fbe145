"""Print the result of ``bribeproof audit``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.auditing.result import Audit

_SHOWN = {
    "scores": (
        "reporter", "compared", "dropped_low", "dropped_high", "drop_expected", "deviation", "deviation_se", "side",
    ),
    "labels": ("reporter", "compared", "gold", "gold_errors", "agreement", "agreement_expected"),
}  # fmt: skip
_SHOWN_OF_ALL = ("rate", "rate_low", "rate_high", "rate_expected", "p_adjusted", "apart_excess")
_SHOWN_OF_SAME = ("same", "same_effect", "same_p_adjusted")


def show_audit(result: "Audit", notes: Sequence[str], rows: int) -> None:
    """Print the reporters who deviate most, the first pairs, and the summary."""
    show_notes(notes)
    out = console()
    kind: Literal["scores", "labels"] = "scores" if result.kind == "scores" else "labels"
    shown = (*_SHOWN[kind], *_SHOWN_OF_ALL, *_SHOWN_OF_SAME)
    for frame in (result.reporters.select(name for name in shown if name in result.reporters.columns), result.pairs):
        if rows and frame.height:
            _print_table(frame, rows)
            out.print()
    out.print(Text(result.summary()), soft_wrap=not out.is_terminal)


def _print_table(frame: "pl.DataFrame", rows: int) -> None:
    """Print the first rows of a table; each word of a heading is on its own line."""
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for name, dtype in frame.schema.items():
        justify: Literal["left", "right"] = "right" if dtype.is_numeric() else "left"
        table.add_column(Text(name.replace("_", "\n")), justify=justify, overflow="fold")
    for row in frame.head(rows).iter_rows():
        table.add_row(*(_short(value) if isinstance(value, float) else cell(value) for value in row))
    out.print(table)
    if frame.height > rows:
        out.print(Text(f"… and {frame.height - rows:,} more; print more with --rows, or all with --json"))


def _short(value: float) -> Text:
    """Return a number with three significant digits."""
    return Text(f"{value:.3g}")
