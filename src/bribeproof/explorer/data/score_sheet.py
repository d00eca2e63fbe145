"""The score sheet itself: which marks were dropped, and which are missing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.aggregation.kernels.scores import SEPARATOR
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.table import TableCell, decimals, number, text
from bribeproof.frames.text import clean, clean_value
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_MOST_REPORTERS = 40
_LONGEST = 16


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One report, as it stands in the file.

    Attributes
    ----------
    text
        What stands there.
    state
        ``"dropped"``, ``"missing"``, or nothing.
    """

    text: str
    state: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Some rows of a sheet.

    Attributes
    ----------
    reporters
        The names of the judges.
    rows
        The name of an item, its marks, and its score.
    """

    reporters: Sequence[str]
    rows: Sequence[tuple[TableCell, Sequence[ScoreCell], TableCell]]


def marks(table: Table, outcome: Analysis, asked: DataQuery, here: Sequence[int]) -> ScoreSheet | None:
    """Return the sheet of some items of a result; None of decisions, and where there are too many judges to look at.

    Parameters
    ----------
    table
        What was read.
    outcome
        What became of it.
    asked
        How it was read.
    here
        Rows of the result.
    """
    if not outcome.scores or not here:
        return None
    found: dict[str, dict[str, Any]] = {outcome.about["item"][row]: {} for row in here}
    tokens = asked.tokens
    reporters: dict[str, None] = {}
    for item, reporter, value in _reports(table, outcome, found):
        reporters[reporter] = None
        if len(reporters) > _MOST_REPORTERS:
            return None
        _keep(found[item], reporter, None if _is_missing(value, tokens) else value, asked.repeats)
    digits = decimals(outcome.result["estimate"])
    rows = []
    for row, (item, said) in zip(here, found.items(), strict=True):
        gone = _dropped(outcome, row, said)
        cells = [_mark(said.get(name), dropped=name in gone) for name in reporters]
        rows.append((text(item), cells, number(outcome.result["estimate"][row], digits)))
    return ScoreSheet([shown(name, _LONGEST) for name in reporters], rows)


def split_names(joined: str, known: Collection[str]) -> list[str] | None:
    """Take names apart that were joined, even where a name holds what joins them.

    Examples
    --------
    >>> split_names("Lee; C; Ann", ["Ann", "Lee; C"])
    ['Lee; C', 'Ann']
    """
    if joined in known:
        return [joined]
    for name in known:
        if joined.startswith(name + SEPARATOR):
            rest = split_names(joined[len(name) + len(SEPARATOR) :], known)
            if rest is not None:
                return [name, *rest]
    return None


def _reports(table: Table, outcome: Analysis, items: Collection[str]) -> Iterator[tuple[str, str, Any]]:
    """Return the reports on some items: item, reporter, and what stands in the file."""
    where = outcome.answers.found.columns
    ids = [where.item] if where.judges else [where.item, where.reporter]
    plain = table.frame.lazy().with_columns(pl.col(ids).cast(pl.String, strict=False))
    tidied: pl.LazyFrame = clean(nw.from_native(plain), ids).to_native()
    chosen = tidied.filter(pl.col(where.item).is_in(list(items))).select(*ids, *(where.judges or [where.value]))
    for row in chosen.collect().iter_rows():
        if where.judges:
            yield from (
                (row[0], str(clean_value(name)), value) for name, value in zip(where.judges, row[1:], strict=True)
            )
        else:
            yield row


def _keep(said: dict[str, Any], reporter: str, value: Any, repeats: str) -> None:
    """Keep a report of a reporter who may have reported before."""
    if said.get(reporter) is None or (repeats == "last" and value is not None):
        said[reporter] = value
    elif repeats == "drop" and value is not None and value != said[reporter]:
        said[reporter] = None


def _is_missing(value: Any, tokens: Collection[str]) -> bool:
    """Whether a cell stands for no report."""
    written = "" if value is None or value != value else str(clean_value(str(value)))
    if not written or written in tokens:
        return True
    number_written = _number(written)
    return number_written is not None and any(number_written == _number(token) for token in tokens)


def _number(written: str) -> float | None:
    """Read a number, None if it is none."""
    try:
        return float(written.rstrip(" %").replace(",", "."))
    except ValueError:
        return None


def _dropped(outcome: Analysis, row: int, said: Collection[str]) -> set[str]:
    """Return whose marks on an item were dropped."""
    ends = (outcome.result[name][row] for name in ("dropped_low", "dropped_high"))
    return {name for joined in ends if joined for name in split_names(joined, said) or []}


def _mark(value: Any, *, dropped: bool) -> ScoreCell:
    """Write a report."""
    if value is None:
        return ScoreCell("–", "missing")
    return ScoreCell(shown(value, _LONGEST), "dropped" if dropped else "")
