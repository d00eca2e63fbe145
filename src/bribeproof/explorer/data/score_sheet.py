"""The score sheet: each judge's mark, and whether it was dropped or is missing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.aggregation.kernels.scores import SEPARATOR
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.table import TableCell, decimals, number, text
from bribeproof.frames.values.missing_codes import MissingCodes
from bribeproof.frames.values.number_format import read_number
from bribeproof.frames.values.text import clean, clean_value
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_MAX_REPORTERS = 40
_MAX_LENGTH = 16


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One judge's mark on one item.

    Attributes
    ----------
    text
        The mark, as written in the file.
    state
        ``"dropped"``, ``"missing"`` or ``""``.
    """

    text: str
    state: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Some rows of a score sheet.

    Attributes
    ----------
    reporters
        The names of the judges.
    rows
        For each item its name, its marks and its score.
    """

    reporters: Sequence[str]
    rows: Sequence[tuple[TableCell, Sequence[ScoreCell], TableCell]]


def score_sheet(table: Table, analysis: Analysis, query: DataQuery, row_numbers: Sequence[int]) -> ScoreSheet | None:
    """Return the marks of some items; None for votes and labels, and for more than 40 judges.

    Parameters
    ----------
    table
        The table that was read.
    analysis
        Its answers.
    query
        How it was read.
    row_numbers
        Row numbers of the items in the result.
    """
    if not analysis.scores or not row_numbers:
        return None
    marks: dict[str, dict[str, Any]] = {analysis.items["item"][row]: {} for row in row_numbers}
    codes = MissingCodes.of(query.missing_tokens)
    reporters: dict[str, None] = {}
    for item, reporter, value in _reports(table, analysis, marks):
        reporters[reporter] = None
        if len(reporters) > _MAX_REPORTERS:
            return None
        _store(marks[item], reporter, None if _is_missing(value, codes) else value, query.repeats)
    digits = decimals(analysis.result["estimate"])
    rows = []
    for row, (item, given) in zip(row_numbers, marks.items(), strict=True):
        dropped = _dropped(analysis, row, given)
        cells = [_score_cell(given.get(name), dropped=name in dropped) for name in reporters]
        rows.append((text(item), cells, number(analysis.result["estimate"][row], digits)))
    return ScoreSheet([shown(name, _MAX_LENGTH) for name in reporters], rows)


def split_names(joined: str, names: Collection[str]) -> list[str] | None:
    """Split joined names, even if a name contains the separator.

    Examples
    --------
    >>> split_names("Lee; C; Ann", ["Ann", "Lee; C"])
    ['Lee; C', 'Ann']
    """
    if joined in names:
        return [joined]
    for name in names:
        if joined.startswith(name + SEPARATOR):
            rest = split_names(joined[len(name) + len(SEPARATOR) :], names)
            if rest is not None:
                return [name, *rest]
    return None


def _reports(table: Table, analysis: Analysis, items: Collection[str]) -> Iterator[tuple[str, str, Any]]:
    """Yield the reports on some items: item, reporter and the value in the file."""
    columns = analysis.answers.recognised.columns
    ids = [columns.item] if columns.judges else [columns.item, columns.reporter]
    plain = table.frame.lazy().with_columns(pl.col(ids).cast(pl.String, strict=False))
    tidied: pl.LazyFrame = clean(nw.from_native(plain), ids).to_native()
    chosen = tidied.filter(pl.col(columns.item).is_in(list(items))).select(*ids, *(columns.judges or [columns.value]))
    for row in chosen.collect().iter_rows():
        if columns.judges:
            yield from (
                (row[0], str(clean_value(name)), value) for name, value in zip(columns.judges, row[1:], strict=True)
            )
        else:
            yield row


def _store(given: dict[str, Any], reporter: str, value: Any, repeats: str) -> None:
    """Store a report, following the rule for repeated reports."""
    if given.get(reporter) is None or (repeats == "last" and value is not None):
        given[reporter] = value
    elif repeats == "drop" and value is not None and value != given[reporter]:
        given[reporter] = None


def _is_missing(value: Any, codes: MissingCodes) -> bool:
    """Return whether a cell means a missing report."""
    written = "" if value is None or value != value else str(clean_value(str(value)))
    if not written or written in codes.texts:
        return True
    # Scores that were read hold no comma but a decimal one.
    number_written = read_number(written.removesuffix("%").rstrip(" "), "," if "," in written else ".")
    return number_written in codes.of_type(nw.Float64())


def _dropped(analysis: Analysis, row: int, reporters: Collection[str]) -> set[str]:
    """Return the judges whose marks on an item were dropped."""
    ends = (analysis.result[name][row] for name in ("dropped_low", "dropped_high"))
    return {name for joined in ends if joined for name in split_names(joined, reporters) or []}


def _score_cell(value: Any, *, dropped: bool) -> ScoreCell:
    """Return the cell for a mark."""
    if value is None:
        return ScoreCell("–", "missing")
    return ScoreCell(shown(value, _MAX_LENGTH), "dropped" if dropped else "")
