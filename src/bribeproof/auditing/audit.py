"""Measure how far each reporter deviates from the others over many items, and find near-identical reporters."""

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
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.inference import KINDS, recognise
from bribeproof.frames.label_classes import find_classes
from bribeproof.frames.native import collect, column_names
from bribeproof.frames.recognition import first_rows
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, Columns, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory.inference.confidence import clopper_pearson, risk_of

_AS_EXPECTED = 10
"""The number of reports, deviating as often as expected, that are added to those of each reporter in `suspicion`."""
_LARGEST = 1e100
"""The largest score; squares and sums of larger ones may overflow."""


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
    """Measure how far each reporter deviates from the others, and find near-identical reporters.

    Parameters
    ----------
    frame
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table` or `scan_table`.
    k
        How many of the others not to trust: a head count, at least 0.
    kind
        ``"scores"``, or ``"labels"`` (votes as well); None to recognise it.
    item, reporter, value
        Long form: the columns of the items, of the reporters, and of the reports; by default ``label`` or ``score``.
    judges
        Wide form: the columns that hold one reporter's reports each.
    missing, repeats
        As in `aggregate_scores`.
    same
        Two columns of the long form, such as the nation of the judge and that of the skater: compares the reports for
        which they agree with the reporter's other reports. Reports for which one of them is empty are left out.
    confidence
        Probability in (0, 1) that a list of findings has no false one, for each list; also that of each interval.

    Returns
    -------
    Audit
        Frames with one row per reporter and per near-identical pair, of the kind that came in.

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
    Each report is compared with the rule of docs/theory.md §8 or §10 applied to the other reports on the item. Items
    for which that is undefined (2k + 1 scores or fewer; no label that k + 1 others report) are not compared. The
    p-values are exact up to 5,000 items per reporter (tails of Poisson binomial distributions), then normal.

    Examples
    --------
    >>> rows = [(t, w, t % 2 ^ (w == "e" and t % 3 > 0)) for t in range(60) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> result = audit(votes, k=1)
    >>> result.reporters.select("reporter", "compared", "apart", "rate_expected", "stands_out").row(0)
    ('e', 60, 40, 0.1333..., True)
    """
    k, risk = validate_k(k), risk_of(confidence)
    columns = column_names(frame)
    if value is None:
        value = "label" if "label" in columns else "score"
    schema = ReportSchema(item, reporter, value, judges, missing, repeats)
    if kind is None:
        kind = _recognise_kind(frame, Columns.find(columns, schema), missing)
    if kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: use 'scores' or 'labels'")
    scores = kind == "scores"
    reports = validate_reports(frame, schema, scores=scores)
    rows = pl.concat([collect(part.select(ITEM, REPORTER, VALUE)) for part in reports.parts])
    names, items = rows[REPORTER].unique().sort(), rows[ITEM].unique().sort()
    rows = rows.drop_nulls(VALUE).sort(ITEM, REPORTER)
    indexed = IndexedReports(_codes(rows[ITEM], items), _codes(rows[REPORTER], names), len(names))
    if scores:
        stats = compare_to_consensus(indexed, _check_size(rows, reports).to_numpy(), k)
    else:
        labels = pl.Series(find_classes(reports).labels, dtype=rows[VALUE].dtype)
        stats = compare_to_plurality(indexed, _codes(rows[VALUE], labels), k)
    used = stats.compared_reports if scores else np.ones_like(stats.compared_reports)
    pairs = near_identical(indexed.item[used], indexed.reporter[used], stats.side[used], risk)
    table: dict[str, Any] = {"reporter": names, "reports": indexed.count(), **stats.columns}
    table |= _test_deviations(stats, pairs, confidence)
    if same is not None:
        agree = _columns_agree(rows, frame, same, schema)
        table |= _test_group(indexed, stats, stats.compared_reports & ~np.isnan(agree), agree == 1)
    reporters = pl.DataFrame(table).with_columns(pl.col(pl.Float64).fill_nan(None))
    reporters = reporters.sort("suspicion", descending=True, nulls_last=True, maintain_order=True)
    return Audit(
        "scores" if scores else "labels",
        k,
        confidence,
        n_items=len(items),
        n_compared_items=len(np.unique(indexed.item[stats.compared_reports])),
        n_reporters=len(names),
        reporters=reports.to_native(reporters, {"reporter": REPORTER}),
        pairs=reports.to_native(_tabulate(pairs, names), {"first": REPORTER, "second": REPORTER}),
    )


def _test_deviations(stats: ReporterStats, pairs: Pairs, confidence: float) -> dict[str, Any]:
    """Return the columns of rates, tests and ranking, which are the same for scores and labels."""
    compared, panel = stats.compared, len(stats.compared)
    low, high = clopper_pearson(stats.apart, compared, confidence)
    adjusted = _adjusted(stats.p_value, compared > 0)
    both = np.concatenate([pairs.first, pairs.second])
    excess = np.zeros(panel)
    np.maximum.at(excess, both, np.tile((pairs.same - pairs.expected) / np.maximum(pairs.common, 1), 2))
    expected = share(stats.expected, compared)
    return {
        "apart": stats.apart,
        "rate": share(stats.apart, compared),
        "rate_low": np.where(compared > 0, low, np.nan),
        "rate_high": np.where(compared > 0, high, np.nan),
        "rate_expected": expected,
        "p_value": np.where(compared > 0, stats.p_value, np.nan),
        "p_adjusted": adjusted,
        "stands_out": adjusted <= risk_of(confidence),
        "alike": np.bincount(both, minlength=panel),
        "alike_excess": excess,
        "suspicion": np.where(compared > 0, (stats.apart - stats.expected) / (compared + _AS_EXPECTED), np.nan)
        + excess,
    }


def _test_group(indexed: IndexedReports, stats: ReporterStats, used: BoolArray, inside: BoolArray) -> dict[str, Any]:
    """Return the columns that compare the reports inside a group with the reporter's other reports."""
    inside, rest = used & inside, used & ~inside
    trials = indexed.count(inside), indexed.count(rest)
    means = [
        share(indexed.total(np.where(part, stats.distance, 0.0)), count)
        for part, count in zip((inside, rest), trials, strict=True)
    ]
    p_value = fisher(
        indexed.count(used & stats.event), indexed.count(used), indexed.count(inside & stats.event), trials[0]
    )
    tested = (trials[0] > 0) & (trials[1] > 0)
    return {
        "same": trials[0],
        "same_deviation": means[0],
        "rest_deviation": means[1],
        "same_effect": means[0] - means[1],
        "same_p_value": np.where(tested, p_value, np.nan),
        "same_p_adjusted": _adjusted(p_value, tested),
    }


def _columns_agree(rows: pl.DataFrame, frame: Any, same: tuple[object, object], schema: ReportSchema) -> FloatArray:
    """Return for each report whether two columns agree: 1 or 0, NaN if one of them is empty."""
    if schema.judges is not None:
        raise ParameterError("same names two columns of the long form, one row per report: leave judges out")
    if isinstance(same, str) or len(same) != 2:
        raise ParameterTypeError(f"same={same!r}: name two columns, such as ('judge_nation', 'skater_nation')")
    for index, column in enumerate(same):
        read = validate_reports(frame, replace(schema, value=column), scores=False)
        part = pl.concat([collect(one.select(ITEM, REPORTER, VALUE)) for one in read.parts]).drop_nulls(VALUE)
        part = part.select(ITEM, REPORTER, pl.col(VALUE).cast(pl.String).alias(f"_same_{index}"))
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


def _check_size(rows: pl.DataFrame, reports: Reports) -> pl.Series:
    """Return the scores, or raise an error if one is too large to be squared."""
    if (rows[VALUE].abs() > _LARGEST).any():
        raise reports.locate_error(
            reports.rows.filter(nw.col(VALUE).abs() > _LARGEST),
            lambda item, reporter, score: (
                f"score {score} of reporter {reporter} on item {item} is larger than {_LARGEST:g}: give scores in "
                f"another unit, or list it as missing"
            ),
        )
    return rows[VALUE]


def _adjusted(p_values: FloatArray, tested: BoolArray) -> FloatArray:
    """Return the adjusted p-values of those that were tested, NaN for the others."""
    adjusted = np.full(len(p_values), np.nan)
    adjusted[tested] = holm(p_values[tested])
    return adjusted


def _codes(values: pl.Series, categories: pl.Series) -> IntArray:
    """Return the index of each value in the categories."""
    codes = pl.DataFrame({"_value": categories, "_code": np.arange(len(categories))})
    coded = values.alias("_value").to_frame().join(codes, on="_value", how="left", maintain_order="left")
    return coded["_code"].to_numpy()


def _tabulate(pairs: Pairs, names: pl.Series) -> pl.DataFrame:
    """Return pairs as a frame with the names of the reporters, the least likely pair first."""
    columns = {name: getattr(pairs, name) for name in pairs.__slots__}
    table = pl.DataFrame(columns | {name: names.gather(columns[name]) for name in ("first", "second")})
    return table.sort("p_value", maintain_order=True)
