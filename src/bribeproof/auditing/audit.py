"""How far each reporter is from the others, over many items: numbers that speak of deviation, not of guilt."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof._validation import validate_k
from bribeproof.auditing.copy_detection import Pairs, holm, near_identical
from bribeproof.auditing.deviation_tests import fisher
from bribeproof.auditing.reporter_stats import (
    IndexedReports,
    ReporterStats,
    compare_to_consensus,
    compare_to_plurality,
    share,
)
from bribeproof.auditing.result import Audit
from bribeproof.errors import ParameterError
from bribeproof.frames.inference import KINDS, recognise
from bribeproof.frames.label_classes import find_classes
from bribeproof.frames.native import collect, column_names
from bribeproof.frames.recognition import first_rows
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, Columns, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory.inference.confidence import clopper_pearson, risk_of

_AS_EXPECTED = 10
"""So many reports as expected are added to those of each reporter before they are ranked."""
_LARGEST = 1e100
"""Squares and sums of scores up to this size are finite."""


def audit(
    frame: Any,
    k: int = 1,
    *,
    kind: str | None = None,
    item: object = "task",
    reporter: object = "worker",
    value: object = None,
    judges: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
    same: tuple[object, object] | None = None,
    confidence: float = 0.95,
) -> Audit:
    """Say of each reporter how far it is from the others, and which reporters are near-identical.

    Parameters
    ----------
    frame
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table` or `scan_table`.
    k
        How many of the others not to trust: a head count, at least 0.
    kind
        ``"scores"``, or ``"labels"`` (votes as well); None to find out.
    item, reporter, value
        Long form: the columns of the items, of who reports, and of the reports; by default ``label`` or ``score``.
    judges
        Wide form: the columns that hold one reporter's reports each.
    missing, repeats
        As in `aggregate_scores`.
    same
        Two columns of the long form, such as the nation of the judge and that of the skater: adds how reports where
        they agree compare with the reporter's others. Where one of them is empty a report is left out of this.
    confidence
        Probability in (0, 1), for each list of findings, that it holds no false one; and that of each interval.

    Returns
    -------
    Audit
        Frames with a row per reporter and per near-identical pair.

    Raises
    ------
    DataError
        If reports cannot be read, or are so large that no mean is finite.
    ParameterError
        If a parameter is outside its range.
    ColumnError
        If a column does not exist.

    Notes
    -----
    theory.md §8 and §10 for what is combined after k are ignored, here without the reporter's own report. Items where
    that leaves nothing (2k + 1 scores or fewer; no label that k + 1 others report) are not compared. The p-values are
    exact: sums of independent chances, one per item, up to 5,000 items, then normal.

    Examples
    --------
    >>> rows = [(t, w, t % 2 ^ (w == "e" and t % 3 > 0)) for t in range(60) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = audit(votes, k=1)
    >>> found.reporters.select("reporter", "compared", "apart", "rate_expected", "stands_out").row(0)
    ('e', 60, 40, 0.1333..., True)
    """
    k, risk = validate_k(k), risk_of(confidence)
    names = column_names(frame)
    if value is None:
        value = "label" if "label" in names else "score"
    schema = ReportSchema(item, reporter, value, judges, missing, repeats)
    if kind is None:
        kind = _recognise_kind(frame, Columns.find(names, schema), missing)
    if kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: use 'scores' or 'labels'")
    scores = kind == "scores"
    reports = validate_reports(frame, schema, scores=scores)
    rows = pl.concat([collect(part.select(ITEM, REPORTER, VALUE)) for part in reports.parts])
    people, items = rows[REPORTER].unique().sort(), rows[ITEM].unique().sort()
    rows = rows.drop_nulls(VALUE).sort(ITEM, REPORTER)
    seen = IndexedReports(_codes(rows[ITEM], items), _codes(rows[REPORTER], people), len(people))
    if scores:
        found = compare_to_consensus(seen, _bounded(rows, reports).to_numpy(), k)
    else:
        labels = pl.Series(find_classes(reports).labels, dtype=rows[VALUE].dtype)
        found = compare_to_plurality(seen, _codes(rows[VALUE], labels), k)
    chosen = found.known if scores else np.ones_like(found.known)
    pairs = near_identical(seen.item[chosen], seen.reporter[chosen], found.side[chosen], risk)
    columns: dict[str, Any] = {"reporter": people, "reports": seen.count(), **found.columns}
    columns |= _conclusions(found, pairs, confidence)
    if same is not None:
        inside = _same(rows, frame, same, schema)
        columns |= _effect(seen, found, found.known & ~np.isnan(inside), inside == 1)
    table = pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))
    table = table.sort("suspicion", descending=True, nulls_last=True, maintain_order=True)
    pairs_table = _named(pairs, people)
    return Audit(
        "scores" if scores else "labels",
        k,
        confidence,
        n_items=len(items),
        n_compared_items=len(np.unique(seen.item[found.known])),
        n_reporters=len(people),
        reporters=reports.to_native(table, {"reporter": REPORTER}),
        pairs=reports.to_native(pairs_table, {"first": REPORTER, "second": REPORTER}),
    )


def _conclusions(found: ReporterStats, pairs: Pairs, confidence: float) -> dict[str, Any]:
    """Return the columns that are the same for scores and labels."""
    compared, panel = found.compared, len(found.compared)
    low, high = clopper_pearson(found.apart, compared, confidence)
    adjusted = _adjusted(found.p_value, compared > 0)
    both = np.concatenate([pairs.first, pairs.second])
    excess = np.zeros(panel)
    np.maximum.at(excess, both, np.tile((pairs.same - pairs.expected) / np.maximum(pairs.common, 1), 2))
    expected = share(found.expected, compared)
    return {
        "apart": found.apart,
        "rate": share(found.apart, compared),
        "rate_low": np.where(compared > 0, low, np.nan),
        "rate_high": np.where(compared > 0, high, np.nan),
        "rate_expected": expected,
        "p_value": np.where(compared > 0, found.p_value, np.nan),
        "p_adjusted": adjusted,
        "stands_out": adjusted <= risk_of(confidence),
        "alike": np.bincount(both, minlength=panel),
        "alike_excess": excess,
        "suspicion": np.where(compared > 0, (found.apart - found.expected) / (compared + _AS_EXPECTED), np.nan)
        + excess,
    }


def _effect(seen: IndexedReports, found: ReporterStats, used: BoolArray, inside: BoolArray) -> dict[str, Any]:
    """Return the columns that compare reports inside a group with the reporter's others."""
    inside, rest = used & inside, used & ~inside
    trials = seen.count(inside), seen.count(rest)
    means = [
        share(seen.total(np.where(part, found.distance, 0.0)), count)
        for part, count in zip((inside, rest), trials, strict=True)
    ]
    p_value = fisher(seen.count(used & found.event), seen.count(used), seen.count(inside & found.event), trials[0])
    tested = (trials[0] > 0) & (trials[1] > 0)
    return {
        "same": trials[0],
        "same_deviation": means[0],
        "rest_deviation": means[1],
        "same_effect": means[0] - means[1],
        "same_p_value": np.where(tested, p_value, np.nan),
        "same_p_adjusted": _adjusted(p_value, tested),
    }


def _same(rows: pl.DataFrame, frame: Any, same: tuple[object, object], schema: ReportSchema) -> FloatArray:
    """Return for each report whether two columns agree: 1 or 0, NaN where one of them is empty."""
    if schema.judges is not None:
        raise ParameterError("same names two columns of the long form, one row per report: leave judges out")
    if isinstance(same, str) or len(same) != 2:
        raise ParameterError(f"same={same!r}: name two columns, such as ('judge_nation', 'skater_nation')")
    for place, column in enumerate(same):
        read = validate_reports(frame, replace(schema, value=column), scores=False)
        part = pl.concat([collect(one.select(ITEM, REPORTER, VALUE)) for one in read.parts]).drop_nulls(VALUE)
        part = part.select(ITEM, REPORTER, pl.col(VALUE).cast(pl.String).alias(f"_same_{place}"))
        rows = rows.join(part, on=[ITEM, REPORTER], how="left", maintain_order="left")
    return rows.select((pl.col("_same_0") == pl.col("_same_1")).cast(pl.Float64)).to_series().to_numpy()


def _recognise_kind(frame: Any, columns: Columns, missing: Sequence[object]) -> str:
    """Return what some columns of a frame hold."""
    rows, _ = first_rows(frame, columns.used)
    recognised = recognise(
        rows,
        item=columns.item,
        reporter=columns.reporter or None,
        value=columns.value or None,
        judges=columns.judges or None,
        missing=[str(token) for token in missing],
    )
    return recognised.kind


def _bounded(rows: pl.DataFrame, reports: Reports) -> pl.Series:
    """Return the scores; refuse such as are too large to be squared."""
    if (rows[VALUE].abs() > _LARGEST).any():
        raise reports.locate_error(
            reports.rows.filter(nw.col(VALUE).abs() > _LARGEST),
            lambda item, reporter, said: (
                f"score {said} of reporter {reporter} on item {item} is larger than {_LARGEST:g}: give scores in "
                f"another unit, or list it as missing"
            ),
        )
    return rows[VALUE]


def _adjusted(p_values: FloatArray, tested: BoolArray) -> FloatArray:
    """Adjust the p-values of those that were tested; NaN for the others."""
    adjusted = np.full(len(p_values), np.nan)
    adjusted[tested] = holm(p_values[tested])
    return adjusted


def _codes(values: pl.Series, known: pl.Series) -> IntArray:
    """Return the places of values among all that are known."""
    places = pl.DataFrame({"_value": known, "_code": np.arange(len(known))})
    coded = values.alias("_value").to_frame().join(places, on="_value", how="left", maintain_order="left")
    return coded["_code"].to_numpy()


def _named(pairs: Pairs, people: pl.Series) -> pl.DataFrame:
    """Return pairs as a frame, the least likely first."""
    columns = {name: getattr(pairs, name) for name in pairs.__slots__}
    table = pl.DataFrame(columns | {name: people.gather(columns[name]) for name in ("first", "second")})
    return table.sort("p_value", maintain_order=True)
