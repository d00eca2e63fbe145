"""A table in, one answer per item out, whatever it holds: what is guessed is said, what makes no sense refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.combine import COMBINE, VALUE_PARAMETERS, split_options
from bribeproof.errors import ParameterError
from bribeproof.frames.inference import Kind, Recognised, recognise
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.schema import ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.io.read import Table

_ONLY_FOR: Mapping[str, tuple[Kind, ...]] = {
    "decimals": ("scores",),
    "decimal_mark": ("scores",),
    "classes": ("votes", "labels"),
    "ties": ("votes", "labels"),
    "seed": ("votes", "labels"),
    "positive": ("votes",),
    "expert": ("votes",),
    "loss": ("votes",),
}
"""The options that mean something for some kinds of reports only."""


@dataclass(frozen=True, slots=True)
class AggregateResult:
    """What became of a table.

    Attributes
    ----------
    result
        A row for each item, as the function for its kind of reports returns it.
    found
        Which columns hold what.
    notes
        What was guessed and what the library warns about, a sentence each.
    """

    result: pl.DataFrame
    found: Recognised
    notes: tuple[str, ...]


def answers(
    table: Table | LargeTable,
    *,
    kind: Kind | None = None,
    item: str | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Sequence[str] = (),
    missing: Sequence[str] = (),
    repeats: str = "error",
    **options: Any,
) -> AggregateResult:
    """Recognise what a table holds, and aggregate it.

    Parameters
    ----------
    table : Table or LargeTable
        What was read.
    kind : {"scores", "votes", "labels"}, optional
        What it holds; guessed if not said, from `positive` and `expert` too.
    item, reporter, value, judges, missing, repeats
        Which columns hold what and what stands for no report, as `recognise` and the table functions take them; judges
        may be patterns such as ``judge_*``.
    **options
        ``k`` or ``share``, and options of the table functions; None for those that are not given.

    Raises
    ------
    ParameterError
        If an option means nothing for this kind of reports, or is outside its range.
    DataError
        If the table does not hold such reports.

    Examples
    --------
    >>> sheet = Table(pl.DataFrame({"entry": ["A"], "judge_1": [7.0], "judge_2": [8.5], "judge_3": [9.0]}), ())
    >>> found = answers(sheet, k=1)
    >>> found.result["estimate"].to_list(), found.notes
    ([8.5], ("read as scores, wide form: items in 'entry', 3 reporters: 'judge_1', 'judge_2', 'judge_3'",))
    """
    if kind is None and (options.get("positive") is not None or options.get("expert") is not None):
        kind = "votes"
    with record_warnings() as messages:
        found = recognise(
            first_rows(table), kind=kind, item=item, reporter=reporter, value=value,
            judges=matching(judges, first_rows(table).columns) or None, missing=missing,
        )  # fmt: skip
        name = foreign_option(found.kind, options)
        if name is not None:
            raise ParameterError(f"{name} means nothing for {found.kind}; leave it out, or say another kind")
        result = aggregate_recognised(table, found, missing=missing, repeats=repeats, **options).collect()
    return AggregateResult(result, found, (*reading_notes(table, found), *messages))


def aggregate_recognised(table: Table | LargeTable, found: Recognised, **options: Any) -> pl.LazyFrame:
    """Aggregate a table of a recognised kind; ignore options that are None or do not apply to the kind."""
    schema, rest = recognised_options(found, options)
    reports = validate_reports(table, schema, scores=found.kind == "scores")
    lazy: pl.LazyFrame = COMBINE[found.kind](reports, **rest).lazy()
    return lazy


def recognised_options(found: Recognised, options: Mapping[str, Any]) -> tuple[ReportSchema, dict[str, Any]]:
    """Return the schema of a recognised table and the options of `COMBINE`, without those that do not apply."""
    where = found.columns
    columns = {"item": where.item, "reporter": where.reporter, "judges": where.judges or None}
    columns[VALUE_PARAMETERS[found.kind]] = where.value
    given = {
        name: value
        for name, value in options.items()
        if value is not None and found.kind in _ONLY_FOR.get(name, (found.kind,))
    }
    return split_options(found.kind, columns | given)


def foreign_option(kind: Kind, options: Mapping[str, Any]) -> str | None:
    """Return an option that is given and means nothing for this kind of reports, None if there is none."""
    given = (name for name, value in options.items() if value not in (None, "none"))
    return next((name for name in given if kind not in _ONLY_FOR.get(name, (kind,))), None)


def reading_notes(table: Table | LargeTable, found: Recognised) -> list[str]:
    """Say what was guessed of a table."""
    guessed = "" if isinstance(table, Table) else f" (by its first {table.head.height:,} rows)"
    return [*table.notes, f"read as {found.describe()}{guessed}"]


def first_rows(table: Table | LargeTable) -> pl.DataFrame:
    """Return the rows by which a table is recognised."""
    return table.frame if isinstance(table, Table) else table.head


def matching(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns that are named or match a pattern, in the order of the patterns.

    Examples
    --------
    >>> matching(["judge_*", "chair"], ["entry", "judge_1", "judge_2", "chair"])
    ['judge_1', 'judge_2', 'chair']
    """
    chosen: dict[str, None] = {}
    for pattern in patterns:
        matches = [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]
        chosen |= dict.fromkeys(matches or [pattern])
    return list(chosen)
