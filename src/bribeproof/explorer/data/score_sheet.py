"""The score sheet: each judge's mark, and whether it was dropped or is missing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.aggregation.kernels.scores import split_names
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.cells import MAX_NAME_LENGTH, TableCell, decimals, number, text
from bribeproof.explorer.data.query import DataQuery
from bribeproof.frames.reading.criteria import JOINER
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
    item
        The heading of the items.
    reporters
        The names of the judges.
    rows
        For each item its name, its marks and its score.
    about
        A sentence on what the rows show.
    """

    item: str
    reporters: Sequence[str]
    rows: Sequence[tuple[TableCell, Sequence[ScoreCell], TableCell]]
    about: str


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
    scores, places = _scores(table, analysis, row_numbers)
    marks: dict[str, dict[str, Any]] = {item: {} for item in places}
    codes = MissingCodes.of(query.missing_tokens)
    reporters: dict[str, None] = {}
    for item, reporter, value in _reports(table, analysis, marks):
        reporters[reporter] = None
        if len(reporters) > _MAX_REPORTERS:
            return None
        _store(marks[item], reporter, None if _is_missing(value, codes) else value, query.repeats)
    digits = decimals(scores["estimate"])
    owners = {name: _owner(name, analysis) for name in reporters}
    rows = []
    for item, given in marks.items():
        dropped = _dropped(scores, places[item], {owners[name] for name in given})
        cells = [_score_cell(given.get(name), dropped=owners[name] in dropped) for name in reporters]
        rows.append((text(item), cells, number(scores["estimate"][places[item]], digits)))
    return ScoreSheet(
        shown(scores.columns[0], MAX_NAME_LENGTH),
        [shown(name, _MAX_LENGTH) for name in reporters],
        rows,
        _about(analysis),
    )


def _scores(table: Table, analysis: Analysis, row_numbers: Sequence[int]) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the scores before factors and totals, and the rows in them of the items that some results come from."""
    names = analysis.items["item"].gather(list(row_numbers))
    if not analysis.recompute.has_rule:
        return analysis.result, dict(zip(names, row_numbers, strict=True))
    scores = analysis.recompute.before_rule(analysis.k)
    items = scores.to_series().cast(pl.String, strict=False)
    recognised = analysis.answers.recognised
    outer = [name for name in recognised.items if name != analysis.part]
    if analysis.part is not None:
        columns = [pl.col(name).cast(pl.String, strict=False) for name in (recognised.columns.item, *outer)]
        tidied = clean(nw.from_native(table.frame.lazy().select(columns).unique()), [recognised.columns.item, *outer])
        group = pl.concat_str(outer, separator=JOINER)
        chosen = tidied.to_native().filter(group.is_in(names.to_list())).collect()[recognised.columns.item]
        names = items.filter(items.is_in(chosen.to_list()))
    row_of = dict(zip(items, range(len(items)), strict=True))
    return scores, {name: row_of[name] for name in names}


def _about(analysis: Analysis) -> str:
    """Return a sentence on what the rows show."""
    criteria = analysis.answers.recognised.criteria
    if criteria and criteria.how == "each":
        about = "Of each criterion the lowest and the highest are dropped by themselves; the sheet does not show which."
    elif criteria:
        about = "All marks of a judge are struck through where the judge’s combined score was dropped."
    else:
        about = "Dropped marks are struck through."
    if analysis.recompute.has_rule:
        about += " The score is that before factors, deductions and totals."
    return f"Marks as written in the file. {about}"


def _owner(name: str, analysis: Analysis) -> str:
    """Return the judge of a column, or of a name in long form, where each gives marks for several criteria."""
    criteria = analysis.answers.recognised.criteria
    if criteria is None:
        return name
    return criteria.split(name)[0] if criteria.column else criteria.names[name][0]


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


def _dropped(scores: pl.DataFrame, row: int, reporters: Collection[str]) -> set[str]:
    """Return the judges whose marks on an item were dropped."""
    ends = (scores[name][row] for name in ("dropped_low", "dropped_high") if name in scores.columns)
    return {name for joined in ends if joined for name in split_names(joined, reporters) or []}


def _score_cell(value: Any, *, dropped: bool) -> ScoreCell:
    """Return the cell for a mark."""
    if value is None:
        return ScoreCell("–", "missing")
    return ScoreCell(shown(value, _MAX_LENGTH), "dropped" if dropped else "")
