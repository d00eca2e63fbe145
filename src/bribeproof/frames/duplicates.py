"""Resolve duplicates: keep one report for each item and reporter."""

from collections.abc import Callable
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from bribeproof._text import count
from bribeproof._warnings import warn
from bribeproof.errors import ConflictError, DataError, ParameterError
from bribeproof.frames.asked import per_item
from bribeproof.frames.edit_order import check_order_type, rank_edits
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import are_distinct
from bribeproof.frames.schema import ASKED, ITEM, ORDER, REPORTER, ROW, SET_ASIDE, VALUE, ReportSchema
from bribeproof.frames.set_aside import OFFER, mark

RULES = ("error", "first", "last", "drop")


def resolve_duplicates(
    parts: list[nw.LazyFrame[Any]],
    schema: ReportSchema,
    *,
    has_order: bool,
    locate_error: Callable[[nw.LazyFrame[Any], Callable[[str, str, str], str]], DataError],
) -> list[nw.LazyFrame[Any]]:
    """Return at most one report per item and reporter.

    Equal repeats are collapsed with a warning. Repeats that differ are an error, unless a rule says which one to keep.

    Parameters
    ----------
    parts
        Reports in long form, those on one item in the same part; a null value is no report.
    schema
        Its ``repeats`` are ``"error"``, ``"first"``, ``"last"`` (by its column ``order``, else by row order) or
        ``"drop"`` (the reporter abstains on that item). Where it sets reports aside, ``"error"`` sets those that differ
        aside.
    has_order
        Whether rows have an order.
    locate_error
        Function that returns the error for the first of some rows.

    Returns
    -------
    list of narwhals LazyFrame
        The parts; unchanged if there are no repeats.

    Raises
    ------
    ConflictError
        If two reports conflict and the rule is ``"error"``.
    ParameterError
        If the rule is unknown, or needs an order that does not exist.
    """
    rule = schema.repeats
    if rule not in RULES:
        raise ParameterError(f"repeats={rule!r}: use one of {', '.join(RULES)}")
    if rule in ("first", "last") and not has_order and schema.order is None:
        raise ParameterError(
            f"repeats={rule!r} needs an order of rows, and a relation has none: name the column that says when each "
            f"report was given, order='updated_at', or use 'drop' or 'error'"
        )
    repeats = [_count_repeats(rows) for rows in parts]
    if schema.order is not None:
        check_order_type(parts[0].collect_schema()[ORDER], schema)
        conflicting = [_conflicts(rows) for rows, one in zip(parts, repeats, strict=True) if one.conflicts]
        parts = rank_edits(conflicting, parts, schema, locate_error) if conflicting else parts
    if schema.sets_aside:
        return _set_aside(parts, repeats, schema, has_order=has_order)
    if not any(one.groups for one in repeats):
        return parts
    if rule == "error" and (
        repeated := [_conflicts(rows) for rows, one in zip(parts, repeats, strict=True) if one.conflicts]
    ):
        found = locate_error(
            nw.concat(repeated),
            lambda item, reporter, report: (
                f"reporter {reporter} reports on item {item} more than once, and not the same (first {report})"
            ),
        )
        raise ConflictError(
            str(found),
            f"correct it, or say which to keep: repeats='first', 'last' or 'drop' (--repeats)"
            f"{OFFER * (schema.faulty is not None)}",
        )
    extra, conflicts = sum(one.extra for one in repeats), sum(one.conflicts for one in repeats)
    warn(_repeat_message(extra, conflicts, schema))
    return [
        _collapse(rows, rule, schema, has_order=has_order) if one.groups else rows
        for rows, one in zip(parts, repeats, strict=True)
    ]


class _Repeats(NamedTuple):
    """Numbers of repeated items and reporters, of those with different reports, and of superfluous reports."""

    groups: int = 0
    conflicts: int = 0
    extra: int = 0


def _count_repeats(rows: nw.LazyFrame[Any]) -> _Repeats:
    """Count the repeats of some rows."""
    if are_distinct(rows, [ITEM, REPORTER]):
        return _Repeats()
    return _totals(_repeated(rows))


def _totals(repeated: nw.LazyFrame[Any]) -> _Repeats:
    """Return the numbers of repeated items and reporters, of those with different reports, and of reports too many."""
    counts = repeated.select(nw.col("conflict").cast(nw.Int64), "extra")
    totals = collect(counts.select(nw.len().alias("groups"), nw.col("conflict").sum(), nw.col("extra").sum()))
    return _Repeats(*(int(number or 0) for number in totals.row(0)))


def _repeated(rows: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Return the items and reporters with several reports, whether these differ, and how many are superfluous."""
    value = nw.col(VALUE)
    groups = rows.filter(~value.is_null()).group_by(ITEM, REPORTER)
    return (
        groups.agg(reports=nw.len(), least=value.min(), most=value.max())
        .filter(nw.col("reports") > 1)
        .with_columns(conflict=(nw.col("least") != nw.col("most")), extra=nw.col("reports").cast(nw.Int64) - 1)
    )


def _conflicts(rows: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Return the reports of reporters who gave an item different ones."""
    pairs = _repeated(rows).filter(nw.col("conflict")).select(ITEM, REPORTER)
    return rows.filter(~nw.col(VALUE).is_null()).join(pairs, on=[ITEM, REPORTER], how="inner")


def _repeat_message(extra: int, conflicts: int, schema: ReportSchema) -> str:
    """Return the message about repeats."""
    collapsed = f"{count(extra, 'repeat')} collapsed: same item and reporter"
    if not conflicts:
        return f"{collapsed}, same report"
    order = "by the order of the rows" if schema.order is None else f"by {schema.order!r}"
    settled = f"settled by the rule {schema.repeats!r}" + f", {order}" * (schema.repeats in ("first", "last"))
    return f"{collapsed}; {count(conflicts, 'time')} the reports differed, {settled}"


def _set_aside(
    parts: list[nw.LazyFrame[Any]], repeats: list["_Repeats"], schema: ReportSchema, *, has_order: bool
) -> list[nw.LazyFrame[Any]]:
    """Return one row per item and reporter, without a value if one of the reports is set aside or they differ."""
    settled = [
        rows if are_distinct(rows, [ITEM, REPORTER]) else _collapse(rows, schema.repeats, schema, has_order=has_order)
        for rows in parts
    ]
    counted = [
        _totals(_repeated(rows).join(_kept(kept), on=[ITEM, REPORTER], how="inner"))
        for rows, kept, one in zip(parts, settled, repeats, strict=True)
        if one.groups
    ]
    if extra := sum(one.extra for one in counted):
        warn(_repeat_message(extra, sum(one.conflicts for one in counted), schema))
    return settled


def _kept(rows: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Return the items and reporters whose reports are not set aside."""
    return rows.filter(nw.col(SET_ASIDE) == 0).select(ITEM, REPORTER)


def _collapse(rows: nw.LazyFrame[Any], rule: str, schema: ReportSchema, *, has_order: bool) -> nw.LazyFrame[Any]:
    """Return one row per item and reporter, with the value that the rule keeps."""
    pair = [ITEM, REPORTER]
    value = nw.col(VALUE)
    if rule in ("first", "last"):
        place = nw.col(ROW if schema.order is None else ORDER)
        rows = rows.with_columns(nw.when(~value.is_null()).then(place).alias("_place"))
        chosen = nw.col("_place").min().over(*pair) if rule == "first" else nw.col("_place").max().over(*pair)
        # Without any place, all reports are the same.
        rows = rows.with_columns(chosen.alias("_chosen"))
        counts = (nw.col("_place") == nw.col("_chosen")) | nw.col("_chosen").is_null()
        rows = rows.with_columns(nw.when(counts).then(value).alias(VALUE))
    if rule == "drop":
        agree = value.min().over(*pair) == value.max().over(*pair)
        rows = rows.with_columns(nw.when(agree).then(value).alias(VALUE))
    kept = {ROW: nw.col(ROW).min()} if has_order else {}
    if ASKED in per_item(schema):
        kept[ASKED] = nw.col(ASKED).max()
    if not schema.sets_aside:
        return rows.group_by(pair).agg(value.max().alias(VALUE), **kept)
    found = rows.group_by(pair).agg(
        value.max().alias(VALUE), value.min().alias("_least"), nw.col(SET_ASIDE).max(), **kept
    )
    faulty = (nw.col(SET_ASIDE) == 1) | (~value.is_null() & (value != nw.col("_least")))
    return mark(found, faulty).drop("_least")
