"""Polars: what a list of reports is worth, as expressions; ``import bribeproof.integrations.polars`` registers them.

``pl.col("marks").bp.trimmed_mean(k=1)`` reads one list of reports per item. Columns of one report per row are collected
in lists first, by ``implode()`` in ``group_by(...).agg(...)`` and ``over(...)``, and columns of one reporter each by
``pl.concat_list``. A null in a list is a reporter who is silent: that lowers m, and not k.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._text import shorten
from bribeproof.aggregation.exact_sums import BinarySums, DecimalSums, decimals_of, fits_decimals
from bribeproof.aggregation.kernels import counts, labels_sparse, scores, scores_eager, votes
from bribeproof.aggregation.kernels.status import K, M
from bribeproof.errors import DataError
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.label_classes import Classes
from bribeproof.frames.native import OpenedFrame, collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, ROW, VALUE, Columns, ReportSchema
from bribeproof.frames.values.float_limit import LIMIT

_PLACE, _DECIMALS, _LARGEST, _LENGTH, _GRID = "_place", "_decimals", "_largest", "_length", "_grid"

_SIZES = {M: pl.Int64(), K: pl.Int64()}
_SCORES = pl.Struct(
    {**_SIZES, "estimate": pl.Float64(), "range_low": pl.Float64(), "range_high": pl.Float64(), "status": pl.String()}
)
_NEEDED = {"tie": pl.Boolean(), "flips_needed": pl.Int64(), "additions_needed": pl.Int64(), "status": pl.String()}
_LABELS = pl.Struct({**_SIZES, "decision": pl.Int64(), "estimate": pl.Float64(), **_NEEDED})


@pl.api.register_expr_namespace("bp")
class BribeproofExpressions:
    """Expressions on a column of lists, one list of reports per item, when k of the reporters may be bribed.

    The numbers are those of `bribeproof.aggregate_scores`, `aggregate_labels` and `aggregate_votes`; null where a list
    has 2k reports or fewer. They depend on the reports of the list alone: on neither their order, nor other lists, nor
    the engine.

    Examples
    --------
    >>> import polars as pl, bribeproof.integrations.polars
    >>> sheet = pl.DataFrame({"entry": ["E1", "E2"], "marks": [[5.0, 6.0, 9.5, 9.5], [7.0, None, 8.0, None]]})
    >>> sheet.select("entry", mean=pl.col("marks").bp.trimmed_mean(k=1), low=pl.col("marks").bp.lowest(k=1)).rows()
    [('E1', 7.75, 5.5), ('E2', None, None)]
    """

    def __init__(self, expression: pl.Expr) -> None:
        self._lists = expression

    def scores(self, k: int) -> pl.Expr:
        """Return what `aggregate_scores` does for each list of scores.

        Parameters
        ----------
        k
            How many reporters may be bribed: a head count, at least 0.

        Returns
        -------
        Expression of structs: ``m``, the number of scores; ``k``; ``estimate``, the k-trimmed mean; ``range_low`` and
        ``range_high``, the results that k bribed reporters could have caused; ``status``.

        Raises
        ------
        ParameterError
            If k is not a head count.
        DataError
            When the query runs: if the column holds no lists of numbers, or an infinite score.
        """
        return self._computed(_scores, _SCORES, k)

    def trimmed_mean(self, k: int) -> pl.Expr:
        """Return the mean of each list of scores without the k lowest and the k highest; null where m ≤ 2k."""
        return self.scores(k).struct.field("estimate")

    def lowest(self, k: int) -> pl.Expr:
        """Return the lowest trimmed mean that k bribed reporters could have caused."""
        return self.scores(k).struct.field("range_low")

    def highest(self, k: int) -> pl.Expr:
        """Return the highest trimmed mean that k bribed reporters could have caused."""
        return self.scores(k).struct.field("range_high")

    def labels(self, k: int) -> pl.Expr:
        """Return what `aggregate_labels` does for each list of labels of any type, compared as they are.

        Parameters
        ----------
        k
            How many reporters may be bribed: a head count, at least 0.

        Returns
        -------
        Expression of structs: ``m``; ``k``; ``decision``, the label with the most votes, null at a tie; ``estimate``,
        its share after k votes of each label are ignored; ``tie``; ``flips_needed``, the fewest reports to rewrite so
        that the winner no longer wins, and ``additions_needed``, the fewest to add; ``status``.

        Raises
        ------
        ParameterError
            If k is not a head count.
        DataError
            When the query runs: if the column holds no lists.
        """
        found = self._computed(_labels, _LABELS, k)
        return found.struct.with_fields(self._lists.list.get(pl.field("decision")).alias("decision"))

    def decision(self, k: int) -> pl.Expr:
        """Return the label with the most votes in each list; null at a tie, and where m ≤ 2k."""
        return self.labels(k).struct.field("decision")

    def flips_needed(self, k: int) -> pl.Expr:
        """Return the fewest reports to rewrite so that the label with the most votes no longer wins; 0 at a tie."""
        return self._computed(_labels, _LABELS, k).struct.field("flips_needed")

    def votes(self, label: object) -> pl.Expr:
        """Return how many reports in each list are equal to a label."""
        return self._lists.list.count_matches(pl.lit(label))

    def trimmed_share(self, label: object, k: int) -> pl.Expr:
        """Return the share of a label after k votes for it and k against it are ignored, as `aggregate_votes` does."""
        return self._computed(partial(_share, label=label), pl.Float64(), k)

    def _computed(self, function: Callable[..., pl.Series], dtype: Any, k: int) -> pl.Expr:
        """Return the expression of a function of lists and k; k is checked at once."""
        heads = AdversaryCount.resolve(k, None, "panel", 0)
        return self._lists.map_batches(partial(function, heads=heads), return_dtype=dtype, is_elementwise=True)


def _scores(lists: pl.Series, heads: AdversaryCount) -> pl.Series:
    """Return the row of `aggregate_scores` for each list."""
    rows = _numbers(_rows(lists), lists)
    parts = []
    for (decimals,), part in _by_decimals(rows).group_by(_GRID):
        sums = BinarySums() if decimals is None else DecimalSums(int(decimals))
        items = scores_eager.reduce(_reports(part), heads, sums)
        parts.append(collect(scores.finish(items, sums, None).select(ITEM, *(field.name for field in _SCORES.fields))))
    return _structs(lists, parts, _SCORES)


def _labels(lists: pl.Series, heads: AdversaryCount) -> pl.Series:
    """Return the row of `aggregate_labels` for each list; the decision as a place in the list."""
    rows = _rows(lists).with_columns((pl.col(VALUE).rank("dense") - 1).cast(pl.Int64))
    reports = _reports(rows)
    names = range(rows[VALUE].n_unique())
    tally = labels_sparse.tally(reports, heads)
    items = labels_sparse.decide(
        tally, Classes(tuple(names), declared=False), reports.schema, shares=[], ties="none", seed=None, order={}
    )
    first = rows.group_by(ITEM, pl.col(VALUE).alias("decision")).agg(pl.col(REPORTER).min().alias(_PLACE))
    found = collect(items).join(first, on=[ITEM, "decision"], how="left").with_columns(decision=pl.col(_PLACE))
    return _structs(lists, [found.select(ITEM, *(field.name for field in _LABELS.fields))], _LABELS)


def _share(lists: pl.Series, heads: AdversaryCount, label: object) -> pl.Series:
    """Return the k-trimmed share of a label for each list."""
    rows = _rows(lists).with_columns((pl.col(VALUE) == pl.lit(label)).cast(pl.Int64))
    sides = Classes((0, 1), declared=True)
    tally = counts.tally(_reports(rows), sides, heads)
    items = votes.decide(tally, sides, positive=1, halves=False, ties="none", seed=None)
    return collect(items.select(ITEM, "estimate")).sort(ITEM)["estimate"].alias(lists.name)


def _rows(lists: pl.Series) -> pl.DataFrame:
    """Return one row per report, and one without a report for a list without any; NaN is no report."""
    if not isinstance(lists.dtype, pl.List):
        fix = "arr.to_list()" if isinstance(lists.dtype, pl.Array) else "implode()"
        raise DataError(
            f"expected one list of reports per item, got a column of {lists.dtype}: write "
            f"pl.col({lists.name!r}).{fix}.bp (implode() in group_by(...).agg(...) and over(...))"
        )
    rows = pl.DataFrame({ITEM: np.arange(len(lists)), VALUE: lists})
    rows = rows.with_columns(pl.col(VALUE).list.len().fill_null(0).alias(_LENGTH))
    rows = rows.explode(VALUE, empty_as_null=True, keep_nulls=True)
    rows = rows.with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64))
    rows = rows.with_columns((pl.col(ROW) - pl.col(ROW).min().over(ITEM)).alias(REPORTER))
    return rows.with_columns(pl.col(VALUE).fill_nan(None)) if rows[VALUE].dtype.is_float() else rows


def _numbers(rows: pl.DataFrame, lists: pl.Series) -> pl.DataFrame:
    """Return the same with scores as finite floats."""
    dtype = rows[VALUE].dtype
    if not (dtype.is_numeric() or dtype in (pl.Null, pl.Boolean)):
        raise DataError(f"scores are numbers, and {lists.name!r} holds lists of {dtype}: cast them, or use .labels()")
    rounded = "beyond 2**53, which floats round"
    if dtype.is_integer():
        _refuse(rows, (pl.col(VALUE) > LIMIT) | (pl.col(VALUE) < -LIMIT), lists, rounded)
    elif dtype.is_decimal():
        _refuse(rows, pl.col(VALUE).cast(pl.Float64).abs() >= LIMIT, lists, rounded)
    rows = rows.with_columns(pl.col(VALUE).cast(pl.Float64))
    _refuse(rows, pl.col(VALUE).is_infinite(), lists, "infinite")
    return rows


def _refuse(rows: pl.DataFrame, bad: pl.Expr, lists: pl.Series, problem: str) -> None:
    """Raise an error if there is a bad score."""
    found = rows.filter(bad)
    if found.height:
        item, score = found.row(0, named=True)[ITEM], found[VALUE][0]
        shown = shorten(lists[item].to_list())
        raise DataError(f"score {score} in {lists.name!r}, {shown}, is {problem}: correct it, or make it null")


def _by_decimals(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the decimals of the grid that sums the scores of each list; null if they are summed in binary steps."""
    rows = nw.from_native(rows).with_columns(decimals_of(nw.col(VALUE)).alias(_DECIMALS)).to_native()
    value, decimals = pl.col(VALUE), pl.col(_DECIMALS)
    many = (value.is_not_null() & decimals.is_null()).any().over(ITEM)
    most = decimals.max().over(ITEM).fill_null(0)
    fits = fits_decimals(value.abs().max().over(ITEM).fill_null(0.0), most, pl.col(_LENGTH))
    return rows.with_columns(pl.when(~many & fits).then(most).alias(_GRID))


def _reports(rows: pl.DataFrame) -> Reports:
    """Return rows as validated reports, whose reporters are the places in the lists."""
    lazy = nw.from_native(rows.lazy().select(ROW, ITEM, REPORTER, VALUE))
    source = OpenedFrame(lazy, lambda result, _: result.to_native(), str, has_order=True, eager=True)
    panel = max(1, rows[REPORTER].n_unique())
    return Reports([lazy], panel, source, Columns(ITEM, REPORTER, VALUE), ReportSchema())


def _structs(lists: pl.Series, parts: list[pl.DataFrame], dtype: pl.Struct) -> pl.Series:
    """Return rows of items as structs, in the order of the lists."""
    if not parts:
        return pl.Series(lists.name, [], dtype)
    return pl.concat(parts).sort(ITEM).drop(ITEM).to_struct(lists.name).cast(dtype)
