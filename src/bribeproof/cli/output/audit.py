"""Print the result of ``bribeproof audit``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.fitting import print_fitting
from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.auditing.result import Audit

_FIRST = ("reporter", "rate", "rate_expected", "p_adjusted", "same_effect", "same_p_adjusted")
"""What is shown of reporters; the last two are there where groups are compared."""
_FIRST_OF_PAIRS = ("first", "second", "shared_errors", "expected", "p_adjusted")
"""What is shown of pairs where the truth of some items is known."""
_DETAILS = (
    "reporter", "compared", "dropped_low", "dropped_high", "drop_expected", "deviation", "deviation_se", "side",
    "gold", "gold_errors", "agreement", "agreement_expected",
    "rate", "rate_low", "rate_high", "rate_expected", "p_adjusted", "apart_excess",
    "same", "same_effect", "same_p_adjusted",
)  # fmt: skip
_LEAST_NEEDED = (
    "drop\nexpected", "dropped\nlow", "dropped\nhigh", "apart\nexcess", "deviation\nse", "same\neffect", "side",
    "agreement\nexpected", "rate\nlow", "rate\nhigh", "gold", "same",
)  # fmt: skip
"""Headings of the columns that a narrow terminal may do without."""
_MEANINGS = {
    "rate": "share of the compared reports that deviate from the others (scores: on one side)",
    "rate expected": "that of all reports on the same items",
    "p adjusted": "p-value of deviating so often if all were equally skilled, adjusted for all reporters",
    "same effect": "how much more is added to the own group than others add to the same items",
    "same p adjusted": "p-value of such an effect if there is none, adjusted for all reporters",
}
_OF_PAIRS = {
    "shared errors": "same wrong answers of both on gold items",
    "expected": "how many independent reporters would share",
    "p adjusted": "p-value of so many, adjusted for all pairs",
}


def show_audit(result: "Audit", notes: Sequence[str], rows: int, *, details: bool) -> None:
    """Print what was found, the reporters who deviate most, and pairs: where truth tells them apart, or in detail."""
    show_notes(notes)
    out = console()
    out.print(Text(result.summary()), soft_wrap=not out.is_terminal)
    if not rows:
        return
    reporters: Sequence[str] = _DETAILS if details else _FIRST
    tables = [(result.reporters, reporters, _MEANINGS)]
    if details or result.gold_items is not None:
        tables.append((result.pairs, result.pairs.columns if details else _FIRST_OF_PAIRS, _OF_PAIRS))
    for frame, names, meanings in tables:
        if frame.height:
            shown = frame.select(name for name in names if name in frame.columns)
            out.print()
            _print_table(shown, rows)
            headings = {name.replace("_", " ") for name in shown.columns}
            known = [f"{heading}: {meaning}" for heading, meaning in meanings.items() if heading in headings]
            if known and not details:
                out.print(Text("; ".join(known) + ".", style="dim"), soft_wrap=not out.is_terminal)
    if not details:
        out.print(Text("More columns, and pairs: --details, or all of them with --json."))


def _print_table(frame: "pl.DataFrame", rows: int) -> None:
    """Print the first rows of a table; each word of a heading is on its own line."""
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for name, dtype in frame.schema.items():
        justify: Literal["left", "right"] = "right" if dtype.is_numeric() else "left"
        table.add_column(Text(name.replace("_", "\n")), justify=justify, overflow="fold")
    for row in frame.head(rows).iter_rows():
        table.add_row(*(_short(value) if isinstance(value, float) else cell(value) for value in row))
    print_fitting(out, table, _LEAST_NEEDED, "all are in --json")
    if frame.height > rows:
        out.print(Text(f"… and {frame.height - rows:,} more; print more with --rows, or all with --json"))


def _short(value: float) -> Text:
    """Return a number with three significant digits."""
    return Text(f"{value:.3g}")
