"""One person, one report per item: what happens to rows that repeat one another."""

import warnings
from collections.abc import Callable
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.data.columns import ITEM, REPORTER, ROW, VALUE
from bribeproof.data.engines import surely_distinct
from bribeproof.data.frames import collect
from bribeproof.errors import BribeproofWarning, DataError, ParameterError

RULES = ("error", "first", "last", "drop")


def one_report_each(
    rows: nw.LazyFrame[Any],
    rule: str,
    *,
    has_order: bool,
    blame: Callable[[nw.LazyFrame[Any], Callable[[str, str, str], str]], DataError],
) -> nw.LazyFrame[Any]:
    """Leave at most one report per item and reporter.

    Exact repeats collapse with a warning. Conflicting repeats stop the run, unless a rule says which to keep.

    Parameters
    ----------
    rows
        Reports in long form; a null value is no report.
    rule
        ``"error"``, ``"first"``, ``"last"`` (by row order) or ``"drop"`` (the reporter abstains on that item).
    has_order
        Whether rows have a position.
    blame
        Makes the error for the first of some rows.

    Raises
    ------
    DataError
        If two reports conflict and the rule is ``"error"``.
    ParameterError
        If the rule is unknown, or needs a row order that is not there.
    """
    if rule not in RULES:
        raise ParameterError(f"repeats={rule!r}: use one of {', '.join(RULES)}")
    if rule in ("first", "last") and not has_order:
        raise ParameterError(f"repeats={rule!r} needs rows in an order, and a relation has none: use 'drop' or 'error'")
    if surely_distinct(rows, [ITEM, REPORTER]):
        return rows
    value = nw.col(VALUE)
    groups = (
        rows.filter(~value.is_null())
        .group_by(ITEM, REPORTER)
        .agg(reports=nw.len(), least=value.min(), most=value.max())
        .filter(nw.col("reports") > 1)
        .with_columns(conflict=(nw.col("least") != nw.col("most")), extra=nw.col("reports").cast(nw.Int64) - 1)
    )
    found = collect(
        groups.select(nw.col("conflict").cast(nw.Int64), "extra").select(
            groups=nw.len(), conflicts=nw.col("conflict").sum(), extra=nw.col("extra").sum()
        )
    ).row(0, named=True)
    if not found["groups"]:
        return rows
    if found["conflicts"] and rule == "error":
        pairs = groups.filter(nw.col("conflict")).select(ITEM, REPORTER)
        repeated = rows.filter(~value.is_null()).join(pairs, on=[ITEM, REPORTER], how="inner")
        raise blame(
            repeated,
            lambda item, reporter, said: (
                f"reporter {reporter} reports on item {item} more than once, and not the same (first {said}); "
                f"correct it, or say which to keep: repeats='first', 'last' or 'drop' (--repeats)"
            ),
        )
    warnings.warn(_repeat_message(found, rule), BribeproofWarning, stacklevel=4)
    return _collapse(rows, rule, has_order=has_order)


def _repeat_message(found: dict[str, Any], rule: str) -> str:
    """Say how many repeats there were and what became of them."""
    extra, conflicts = int(found["extra"]), int(found["conflicts"] or 0)
    said = f"{extra} repeat{'s' * (extra != 1)} collapsed: same item and reporter"
    if not conflicts:
        return said + ", same report"
    return said + f"; {conflicts} time{'s' * (conflicts != 1)} the reports differed, settled by the rule {rule!r}"


def _collapse(rows: nw.LazyFrame[Any], rule: str, *, has_order: bool) -> nw.LazyFrame[Any]:
    """Keep one value per item and reporter, by the rule."""
    pair = [ITEM, REPORTER]
    value = nw.col(VALUE)
    if rule in ("first", "last"):
        rows = rows.with_columns(nw.when(~value.is_null()).then(nw.col(ROW)).alias("_place"))
        chosen = nw.col("_place").min().over(*pair) if rule == "first" else nw.col("_place").max().over(*pair)
        rows = rows.with_columns(nw.when(nw.col("_place") == chosen).then(value).alias(VALUE))
    if rule == "drop":
        agree = value.min().over(*pair) == value.max().over(*pair)
        rows = rows.with_columns(nw.when(agree).then(value).alias(VALUE))
    order = {ROW: nw.col(ROW).min()} if has_order else {}
    return rows.group_by(pair).agg(value.max().alias(VALUE), **order)
