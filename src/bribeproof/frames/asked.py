"""How many reporters each item was given to, as the user states it, and how many reports were set aside."""

from collections.abc import Callable, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.errors import DataError
from bribeproof.frames.native import collect
from bribeproof.frames.schema import ASKED, BRIBED, ITEM, REPORTER, SET_ASIDE, VALUE, ReportSchema

Locate = Callable[[nw.LazyFrame[Any], Callable[[str, str, str], str]], DataError]
"""Function of some invalid rows and what is wrong with them that returns the error for the first one."""

_MOST = 10**9
"""The largest count that is taken for one."""
_WHOLE = r"^\+?[0-9]{1,9}(\.0*)?$"


def count_or_column(text: str | None) -> int | str | None:
    """Return a count that was typed as text as a number, and the name of a column as it is.

    Examples
    --------
    >>> count_or_column("5"), count_or_column("given to"), count_or_column("")
    (5, 'given to', None)
    """
    return (int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text) if text else None


def parse_asked(rows: nw.LazyFrame[Any], locate_error: Locate) -> nw.LazyFrame[Any]:
    """Read the column ``ASKED`` as whole numbers.

    Raises
    ------
    DataError
        If a cell is empty or no whole number of at least 1; the message says where.
    """
    asked = nw.col(ASKED)
    number: nw.Expr
    dtype = rows.collect_schema()[ASKED]
    if dtype == nw.String:
        whole = asked.str.strip_chars().str.contains(_WHOLE)
        number = nw.when(whole).then(asked.str.strip_chars().str.replace_all(r"\.0*$", "")).cast(nw.Int64)
    elif dtype.is_integer():
        number = nw.when((asked >= 1) & (asked <= _MOST)).then(asked).cast(nw.Int64)
    elif dtype.is_numeric():
        plain = (asked >= 1) & (asked <= _MOST) & (asked.round() == asked)
        number = nw.when(plain).then(asked).cast(nw.Int64)
    else:
        raise DataError(f"asked: the column holds {dtype}: it says how many reporters were asked, in whole numbers")
    rows = rows.with_columns(number.alias("_number"))
    bad = rows.filter(nw.col("_number").is_null() | (nw.col("_number") < 1))
    if _any(bad):
        raise locate_error(
            bad.with_columns(asked.cast(nw.String).alias(VALUE)),
            lambda item, _, cell: (
                f"asked is {cell} for item {item}: state how many reporters were asked, a whole number of at least 1"
            ),
        )
    return rows.with_columns(nw.col("_number").alias(ASKED)).drop("_number")


def per_item(schema: ReportSchema) -> dict[str, nw.Expr]:
    """Return the aggregations of reports that keep how many reporters an item was given to and how many are set aside.

    So is how many can be bribed, where the rows say that. A count that is the same for all items is a column of
    `item_sizes` only.
    """
    kept = {ASKED: nw.col(ASKED).max()} if isinstance(schema.asked, str) else {}
    kept |= {BRIBED: nw.col(BRIBED).max()} if schema.by_group else {}
    return kept | ({SET_ASIDE: nw.col(SET_ASIDE).sum()} if schema.sets_aside else {})


def over_items(rows: nw.LazyFrame[Any], schema: ReportSchema) -> nw.LazyFrame[Any]:
    """Replace these columns of some rows by the numbers of their item."""
    kept = per_item(schema)
    return rows.with_columns(number.over(ITEM).alias(name) for name, number in kept.items()) if kept else rows


def asked_of(schema: ReportSchema) -> nw.Expr | None:
    """Return the expression of how many reporters an item was given to; None if it is not stated."""
    if schema.asked is None:
        return None
    return nw.col(ASKED) if isinstance(schema.asked, str) else nw.lit(int(schema.asked_count), nw.Int64)


def set_aside_of(schema: ReportSchema) -> nw.Expr:
    """Return the expression of how many reporters of an item are set aside."""
    return nw.col(SET_ASIDE).fill_null(0).cast(nw.Int64) if schema.sets_aside else nw.lit(0, nw.Int64)


def check_asked(parts: Sequence[nw.LazyFrame[Any]], schema: ReportSchema, locate_error: Locate) -> None:
    """Raise an error if an item has several statements, or more reports than reporters that it was given to.

    Raises
    ------
    DataError
        The message names the item and the numbers.
    """
    asked = asked_of(schema)
    if asked is None:
        return
    present = (~nw.col(VALUE).is_null()).cast(nw.Int64)
    if schema.sets_aside:
        present = present + nw.col(SET_ASIDE)
    for rows in parts:
        numbers = rows.select(ITEM, _present=present, _least=asked, _most=asked)
        items = numbers.group_by(ITEM).agg(nw.col("_present").sum(), nw.col("_least").min(), nw.col("_most").max())
        bad = items.filter((nw.col("_least") != nw.col("_most")) | (nw.col("_present") > nw.col("_most")))
        first = collect(bad.sort(ITEM).head(1))
        if first.is_empty():
            continue
        item, reports, least, most = first.row(0)
        where = rows.filter(nw.col(ITEM) == item)
        if least != most:
            where = where.filter(asked != least)
            problem = (
                f"item {item!r} was given to {least} reporters, and also to {most}: state one number for each item"
            )
        else:
            problem = (
                f"item {item!r} has {reports} reports, and was given to {most} reporters (asked): correct the "
                f"statement, or remove reports by people who were not asked"
            )
        raise locate_error(where, lambda *_, problem=problem: problem)


def _any(rows: nw.LazyFrame[Any]) -> bool:
    """Return whether there are any rows."""
    return not collect(rows.select(ITEM, REPORTER).head(1)).is_empty()
