"""Measure how far each reporter deviates from the others over many items, and compare reporters in pairs."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof._validation import validate_k
from bribeproof.auditing.deviation_tests import holm
from bribeproof.auditing.pairs import agreements
from bribeproof.auditing.reporter_stats import (
    IndexedReports,
    ReporterStats,
    compare_to_consensus,
    compare_to_plurality,
    share,
)
from bribeproof.auditing.result import Audit
from bribeproof.auditing.same_columns import columns_agree, effect_of_group, roles_of
from bribeproof.auditing.shared_errors import shared_errors
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.gold_labels import true_classes
from bribeproof.frames.label_classes import UNKNOWN, find_classes
from bribeproof.frames.native import collect, column_names
from bribeproof.frames.reading.from_frame import first_rows
from bribeproof.frames.reading.kinds import KINDS
from bribeproof.frames.reading.open_reports import OpenedReports, open_reports
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.recognise import recognise_columns
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, Columns, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory.inference.confidence import clopper_pearson, risk_of

_AS_EXPECTED = 10
"""The number of reports, deviating as often as expected, that are added to those of each reporter in `apart_excess`."""
_LARGEST = 1e100
"""The largest score; squares and sums of larger ones may overflow."""


def audit(
    frame: Any,
    k: int = 1,
    *,
    kind: str | None = None,
    item: object = None,
    reporter: object = None,
    value: object = None,
    judges: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str | None = None,
    order: object = None,
    scale: Sequence[float] | None = None,
    decimal_mark: str | None = None,
    same: tuple[object, object] | None = None,
    truth: object = None,
    truth_column: object = None,
    classes: Sequence[object] | None = None,
    equal_skill: bool = False,
    confidence: float = 0.95,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> Audit:
    """Measure how far each reporter deviates from the others, and compare reporters in pairs.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind, as in `aggregate`.
    k
        How many of the others not to trust: a head count, at least 0.
    kind
        ``"scores"``, or ``"labels"`` (votes as well); None to recognise it.
    item, reporter, value
        Long form: the columns of the items, of the reporters, and of the reports; None to recognise them, as
        `aggregate` does. A frame with the columns ``task``, ``worker`` and ``label`` or ``score`` is taken as it is.
    judges
        Wide form: the columns that hold one reporter's reports each, by name or by pattern; None to recognise them.
    missing, repeats, order, scale, decimal_mark
        As in `aggregate_scores`; the last two are for scores.
    same
        Two columns of the long form, such as the nation of the judge and that of the skater: compares the reports for
        which they agree with the reporter's other reports, and both with what the others report on the same items.
        Reports for which one of them is empty are left out.
    truth
        Labels only: the truth of gold items, the path of a file or a frame of any kind with the columns `item` and
        `truth_column`, a mapping from items to labels, or the name of a column of `frame`, empty where the truth is not
        known. Pairs of reporters are then tested for shared errors.
    truth_column
        The column of the truth in a file or a frame of its own; by default `value`, or the only one beside the items.
    classes
        All classes of the labels, if some were not reported.
    equal_skill
        Without `truth`: whether to add p-values to the pairs that agree most. They are right only if all reporters are
        equally skilled; two reporters who are better than the rest fail this test as two who copy do.
    confidence
        1 - the largest probability that a list of findings has a false one, for each list, under the assumptions that
        `Audit` names; also the probability that each interval is right. In (0, 1).
    reading
        How the table is read, as in `aggregate`.
    **options
        The other options of `aggregate` that say how a table is read: ``turned``, ``not_items``, ``label_sets``,
        ``label_separator``, ``no_label``, ``labels``, ``sep``, ``encoding``, ``format``, ``header_line``, ``sheet``.

    Returns
    -------
    Audit
        Frames with one row per reporter and per pair of reporters, of the kind that came in.

    Raises
    ------
    FileError
        If a file cannot be read.
    DataError
        If reports cannot be read, two readings are plausible, or scores are so large that no mean is finite.
    ParameterError
        If a parameter is outside its range.
    ColumnError
        If a column does not exist.

    Notes
    -----
    Each report is compared with the rule of docs/theory.md §8 or §10 applied to the other reports on the item. Items
    for which that is undefined (2k + 1 scores or fewer; no label that k + 1 others report) are not compared. The
    p-values are exact up to 5,000 items per reporter (tails of Poisson binomial distributions), then normal. No column
    is evidence of bad faith: docs/evidence/audit.md says what each can and cannot mean.

    Examples
    --------
    >>> rows = [(t, w, t % 2 ^ (w == "e" and t % 3 > 0)) for t in range(60) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> result = audit(votes, k=1)
    >>> result.reporters.select("reporter", "compared", "apart", "rate_expected", "stands_out").row(0)
    ('e', 60, 40, 0.1333..., True)
    """
    k, risk = validate_k(k), risk_of(confidence)
    if truth is not None and equal_skill:
        raise ParameterError("equal_skill=True is for pairs without truth: gold items need no such assumption")
    given = {
        "kind": kind, "item": item, "reporter": reporter, "value": value, "judges": judges, "missing": missing,
        "repeats": repeats, "order": order, "scale": scale, "decimal_mark": decimal_mark,
    }  # fmt: skip
    with open_reports(
        frame, given, options, reading, values=("label", "score"), truth=truth, truth_column=truth_column,
        other=roles_of(same),
    ) as opened:  # fmt: skip
        opened.refuse_dependent("the statements of an audit")
        scale, decimal_mark = opened.stated.scale or scale, opened.stated.decimal_mark or decimal_mark
        schema = ReportSchema(**opened.columns, decimal_mark=decimal_mark, classes=classes, scale=scale)
        found = _audit(opened, schema, k, kind, same, risk, confidence, equal_skill=equal_skill)
    return replace(
        found, reporters=opened.returned(found.reporters), pairs=opened.returned(found.pairs), notes=opened.notes
    )


def _audit(
    opened: OpenedReports,
    schema: ReportSchema,
    k: int,
    kind: str | None,
    same: tuple[object, object] | None,
    risk: float,
    confidence: float,
    *,
    equal_skill: bool,
) -> Audit:
    """Audit reports that were opened."""
    frame, truth = opened.table, opened.truth
    if kind is None:
        kind = opened.kind or _recognise_kind(frame, Columns.find(column_names(frame), schema), schema.missing)
    if kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: use 'scores' or 'labels'")
    scores = kind == "scores"
    for name, given in (("scale", schema.scale), ("decimal_mark", schema.decimal_mark)):
        if given is not None and not scores:
            raise ParameterError(f"{name} does not apply to {kind}; leave it out, or kind='scores'")
    if scores and truth is not None:
        raise ParameterError("truth: scores have no wrong answers that could be shared; leave it out (labels only)")
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
    table: dict[str, Any] = {"reporter": names, "reports": indexed.count(), **stats.columns}
    table |= _test_deviations(stats, confidence)
    gold_items = None
    if truth is None:
        used = stats.compared_reports if scores else np.ones_like(stats.compared_reports)
        minority = None if stats.minority is None else stats.minority[used]
        pairs = agreements(indexed.item[used], indexed.reporter[used], stats.side[used], minority, test=equal_skill)
    else:
        truths = opened.truths(reports.columns.item)
        true = true_classes(truths, items.to_list(), find_classes(reports))
        known = true[indexed.item] != UNKNOWN
        if not known.any():
            raise DataError(
                f"none of the {truths.height} items with a known truth has a report: the ids of the items have to be "
                f"the same"
            )
        gold = indexed.item[known], indexed.reporter[known], stats.side[known], true[indexed.item][known]
        gold_items = len(np.unique(gold[0]))
        table |= {
            "gold": indexed.count(known),
            "gold_errors": indexed.count(known & (stats.side != true[indexed.item])),
        }
        pairs = shared_errors(*gold, risk)
    if same is not None:
        agree = columns_agree(rows, frame, same, schema)
        used = stats.compared_reports & ~np.isnan(agree) & ~np.isnan(stats.usual)
        table |= effect_of_group(indexed, stats, used, agree == 1)
    reporters = pl.DataFrame(table).with_columns(pl.col(pl.Float64).fill_nan(None))
    reporters = reporters.sort("apart_excess", descending=True, nulls_last=True, maintain_order=True)
    return Audit(
        "scores" if scores else "labels",
        k,
        confidence,
        n_items=len(items),
        n_compared_items=len(np.unique(indexed.item[stats.compared_reports])),
        n_reporters=len(names),
        reporters=reports.to_native(reporters, {"reporter": REPORTER}),
        pairs=reports.to_native(
            pairs.with_columns(names.gather(pairs[end]).alias(end) for end in ("first", "second")),
            {"first": REPORTER, "second": REPORTER},
        ),
        gold_items=gold_items,
        equal_skill=equal_skill,
    )


def _test_deviations(stats: ReporterStats, confidence: float) -> dict[str, Any]:
    """Return the columns of rates, tests and ranking, which are the same for scores and labels."""
    compared = stats.compared
    low, high = clopper_pearson(stats.apart, compared, confidence)
    adjusted = _adjusted(stats.p_value, compared > 0)
    return {
        "apart": stats.apart,
        "rate": share(stats.apart, compared),
        "rate_low": np.where(compared > 0, low, np.nan),
        "rate_high": np.where(compared > 0, high, np.nan),
        "rate_expected": share(stats.expected, compared),
        "p_value": np.where(compared > 0, stats.p_value, np.nan),
        "p_adjusted": adjusted,
        "stands_out": adjusted <= risk_of(confidence),
        "apart_excess": np.where(compared > 0, (stats.apart - stats.expected) / (compared + _AS_EXPECTED), np.nan),
    }


def _recognise_kind(frame: Any, columns: Columns, missing: Sequence[object]) -> str:
    """Return what some columns of a frame hold."""
    rows, _ = first_rows(frame, columns.used)
    recognised = recognise_columns(
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
