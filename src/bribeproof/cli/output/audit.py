"""Print the result of ``bribeproof audit``."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.tables import console, print_sentences, print_table, rounded, show_notes

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console

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
    "drop expected", "dropped low", "dropped high", "apart excess", "deviation se", "same effect", "side",
    "agreement expected", "rate low", "rate high", "gold", "same",
)  # fmt: skip
"""Headings of the columns that a narrow terminal may do without."""
_MEANINGS = {
    "compared": "reports that could be compared with the others",
    "dropped low, dropped high": "how often among the k lowest, the k highest",
    "drop expected": "how often in either by chance alone",
    "deviation": "mean distance from the trimmed mean of the others",
    "deviation se": "its standard error",
    "side": "where the reporter is more often than expected",
    "gold": "reports on gold items",
    "gold errors": "wrong ones of these",
    "agreement": "share of reports with the most frequent label of the others",
    "agreement expected": "that of all reports on the same items",
    "rate": "share of the compared reports that deviate from the others (scores: on one side)",
    "rate low, rate high": "its bounds",
    "rate expected": "that of all reports on the same items",
    "p adjusted": "p-value of deviating so often if all were equally skilled, adjusted for all reporters",
    "apart excess": "by how much it is more, with ten more reports as expected; the order of the table",
    "same": "compared reports on items of the own group",
    "same effect": "how much more is added to the own group than others add to the same items",
    "same p adjusted": "p-value of such an effect if there is none, adjusted for all reporters",
}
_OF_PAIRS = {
    "common": "items of both",
    "same, different": "same and different reports of both (scores: on the same side of the others or not)",
    "same minority": "same reports against the majority",
    "expected": "same reports, if all were equally skilled",
    "p value": "probability of so many then",
    "p adjusted": "that, adjusted for all pairs",
}
_WITH_TRUTH = {
    "common": "gold items of both",
    "errors first, errors second": "wrong answers of each",
    "shared errors": "same wrong answers of both on gold items",
    "expected": "how many independent reporters would share",
    "p adjusted": "p-value of so many, adjusted for all pairs",
    "unexplained": "whether it is small enough for a finding",
}


def show_audit(result: "Audit", notes: Sequence[str], rows: int, *, details: bool) -> None:
    """Print what was found, the reporters who deviate most, and pairs: where truth tells them apart, or in detail."""
    show_notes(notes)
    out = console()
    print_sentences(out, result.summary())
    if not rows:
        return
    reporters: Sequence[str] = _DETAILS if details else _FIRST
    tables = [(result.reporters, reporters, _MEANINGS)]
    if details or result.gold_items is not None:
        of_pairs = _OF_PAIRS if result.gold_items is None else _WITH_TRUTH
        tables.append((result.pairs, result.pairs.columns if details else _FIRST_OF_PAIRS, of_pairs))
    for frame, names, meanings in tables:
        if frame.height:
            shown = frame.select(name for name in names if name in frame.columns)
            out.print()
            _print(out, shown, rows, meanings)
    if not details:
        out.print(Text("More columns, and pairs: --details, or all of them with --json."))


def _print(out: "Console", frame: "pl.DataFrame", rows: int, meanings: Mapping[str, str]) -> None:
    """Print the first rows of a table; each word of a heading is on its own line."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for name, dtype in frame.schema.items():
        justify: Literal["left", "right"] = "right" if dtype.is_numeric() else "left"
        table.add_column(Text(name.replace("_", "\n")), justify=justify, overflow="fold")
    for row in frame.head(rows).iter_rows():
        table.add_row(*(rounded(value, 3) for value in row))
    rest = frame.height - rows
    more = f"… and {rest:,} more; print more with --rows, or all with --json" if rest > 0 else ""
    print_table(out, table, meanings, more=more, least_needed=_LEAST_NEEDED, where="all are in --json")
