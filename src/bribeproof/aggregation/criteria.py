"""Combine the scores of reporters who give several on each item, one for each criterion."""

from dataclasses import replace
from math import lcm
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._text import count
from bribeproof._warnings import note
from bribeproof.aggregation.combine import combine_scores
from bribeproof.aggregation.exact_sums import DecimalSums, find_sums
from bribeproof.aggregation.totals import combine_parts
from bribeproof.frames.asked import check_asked
from bribeproof.frames.native import collect, to_polars
from bribeproof.frames.native.backends import stands_for
from bribeproof.frames.reading.criteria import Criteria
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ASKED, ITEM, REPORTER, ROW, SET_ASIDE, VALUE

_CRITERION, _GIVEN = "_criterion", "_given"
_LARGEST = 2.0**51


def combine_criteria(reports: Reports, criteria: Criteria, k: int | None, **options: Any) -> Any:
    """Return one score per item from reports of several criteria.

    Parameters
    ----------
    reports
        Validated reports, in which each pair of a reporter and a criterion has the name that it has in the table.
    criteria
        How they are combined, and which name is whose.
    k
        How many people may be bribed, each in all criteria.
    **options
        As in `combine_scores`.

    Returns
    -------
    frame of the same kind
        As `aggregate_scores` returns it; of ``"each"``, without who was dropped, as that differs by criterion.
    """
    if criteria.how == "judge first":
        return combine_scores(judge_scores(reports, criteria), k, **options)
    parts, factors = [], []
    for name, weight in criteria.weights:
        part = to_polars(combine_scores(of_criterion(reports, criteria, name), k, **options))
        parts.append(part.drop("dropped_low", "dropped_high"))
        factors += [weight] * part.height
    item = reports.columns.item
    total = combine_parts(pl.concat(parts), item, factors, decimals=options.get("decimals"))
    return reports.to_native(total, {item: ITEM})


def judge_scores(reports: Reports, criteria: Criteria) -> Reports:
    """Return reports with one score per reporter and item, the weighted sum of the criteria.

    It is missing if the score of a criterion is.
    """
    unit = lcm(*(weight.denominator for _, weight in criteria.weights))
    whole = {name: weight.numerator * (unit // weight.denominator) for name, weight in criteria.weights}
    sums = find_sums(reports.rows, 1, None)
    decimals = sums.decimals if isinstance(sums, DecimalSums) else None
    largest = collect(reports.rows.select(nw.col(VALUE).abs().max()))[VALUE].to_list()[0] or 0.0
    value = nw.col(VALUE)
    if decimals is not None and largest * 10.0**decimals * sum(whole.values()) < _LARGEST:
        # Whole steps of a decimal grid are added without error; the one division is rounded to the nearest float.
        steps, divisor = (value * 10.0**decimals).round(), 10.0**decimals * unit
    else:
        steps, divisor = value, float(unit)
    parts = []
    for part in reports.parts:
        rows = _named(part, reports, criteria)
        factors = {name: float(number) for name, number in whole.items()}
        factor = stands_for(nw.col(_CRITERION), factors, nw.Float64)
        rows = rows.with_columns((steps * factor).alias(VALUE))
        columns = rows.collect_schema().names()
        kept = {ROW: nw.col(ROW).min()} if ROW in columns else {}
        kept |= {name: nw.col(name).max() for name in (ASKED, SET_ASIDE) if name in columns}
        rows = rows.group_by(ITEM, REPORTER).agg(**{VALUE: value.sum(), _GIVEN: value.count()}, **kept)
        complete = nw.col(_GIVEN) == len(whole)
        number = value / (value * 0.0 + divisor)  # polars divides by a constant through its reciprocal
        parts.append(rows.with_columns(nw.when(complete).then(number).alias(VALUE)))
    _note_incomplete(parts, len(whole))
    parts = [part.drop(_GIVEN) for part in parts]
    return _of_people(replace(reports, parts=parts), criteria)


def of_criterion(reports: Reports, criteria: Criteria, criterion: str) -> Reports:
    """Return the reports of one criterion."""
    parts = [
        _named(part, reports, criteria).filter(nw.col(_CRITERION) == criterion).drop(_CRITERION)
        for part in reports.parts
    ]
    return _of_people(replace(reports, parts=parts), criteria)


def _named(rows: nw.LazyFrame[Any], reports: Reports, criteria: Criteria) -> nw.LazyFrame[Any]:
    """Return rows with the names of reporters, and with a column of criteria."""
    names = criteria.names
    if not names:
        listed = collect(reports.rows.select(REPORTER).unique())[REPORTER].to_list()
        names = {name: criteria.split(name) for name in listed}

    def mapped(side: int) -> nw.Expr:
        return stands_for(nw.col(REPORTER), {name: parts[side] for name, parts in names.items()}, nw.String)

    return rows.with_columns(mapped(0).alias(REPORTER), mapped(1).alias(_CRITERION))


def _of_people(reports: Reports, criteria: Criteria) -> Reports:
    """Return reports whose panel counts people, none more than were asked about an item."""
    check_asked(reports.parts, reports.schema, reports.locate_error)
    if criteria.columns:
        return replace(reports, panel=len(criteria.columns))
    people = collect(reports.rows.select(REPORTER).unique())
    return replace(reports, panel=len(people))


def _note_incomplete(parts: list[nw.LazyFrame[Any]], criteria: int) -> None:
    """Note scores that are missing since a reporter has not scored every criterion."""
    number, first = 0, None
    for part in parts:
        bad = collect(part.filter((nw.col(_GIVEN) > 0) & (nw.col(_GIVEN) < criteria)).select(ITEM, REPORTER))
        bad = bad.sort(ITEM, REPORTER)
        number, first = number + len(bad), first or (bad.row(0) if len(bad) else None)
    if first is not None:
        note(
            f"{count(number, 'combined score')} {'is' if number == 1 else 'are'} missing, since a criterion is: "
            f"first that of reporter {first[1]!r} on item {first[0]!r}"
        )
