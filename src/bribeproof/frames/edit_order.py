"""Order the reports of one reporter on one item by a column, such as the time of an edit."""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._text import shorten
from bribeproof.errors import DataError
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import look_up
from bribeproof.frames.schema import ITEM, ORDER, REPORTER, VALUE, ReportSchema

Locate: TypeAlias = Callable[[nw.LazyFrame[Any], Callable[[str, str, str], str]], DataError]
"""Function of some invalid rows and what is wrong with them that returns the error for the first one."""

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_ISO = re.compile(
    r"([0-9]{4})[-/.]([0-9]{2})[-/.]([0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?)?( ?(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?"
)
_RANK, _TOP = "_rank", "_top"


def check_order_type(dtype: Any, schema: ReportSchema) -> None:
    """Raise an error if a column cannot order reports."""
    if not (dtype in (nw.String, nw.Unknown) or dtype.is_numeric() or dtype.is_temporal()):
        raise DataError(f"order={schema.order!r}: the column holds {dtype}; an order is dates, times or numbers")


def rank_edits(
    conflicts: list[nw.LazyFrame[Any]], parts: list[nw.LazyFrame[Any]], schema: ReportSchema, locate_error: Locate
) -> list[nw.LazyFrame[Any]]:
    """Return reports with a column ORDER that can be compared, where reports differ.

    Parameters
    ----------
    conflicts
        The reports of reporters who gave an item different ones, of each part.
    parts
        All reports.
    schema
        The name of the column, and whether the first or the last report counts.
    locate_error
        Function that returns the error for the first of some rows.

    Raises
    ------
    DataError
        If the order of such a report is missing or cannot be read, or if different reports share the place that counts.
    """
    order, name = nw.col(ORDER), repr(schema.order)
    dtype = parts[0].collect_schema()[ORDER]
    together = conflicts[0] if len(conflicts) == 1 else nw.concat(conflicts)
    empty = order.is_null() | (order.str.strip_chars() == "") if dtype == nw.String else order.is_null()
    _refuse(
        together.filter(empty),
        locate_error,
        lambda item, reporter, _: (
            f"reporter {reporter} gives different reports on item {item}, and column {name} does not say when: "
            f"fill it in"
        ),
    )
    if dtype == nw.String:
        ranks = _ranks(collect(together.select(ORDER).unique())[ORDER].to_list(), together, name, locate_error)
        cells = pl.DataFrame(
            {ORDER: list(ranks), _RANK: list(ranks.values())}, schema={ORDER: pl.String, _RANK: pl.Int64}
        )
        parts, conflicts = ([_ranked(rows, cells) for rows in some] for some in (parts, conflicts))
    if not schema.sets_aside:
        for rows in conflicts:
            _refuse_ties(rows, schema, locate_error)
    return parts


def _ranked(rows: nw.LazyFrame[Any], cells: pl.DataFrame) -> nw.LazyFrame[Any]:
    """Return rows with the rank of their order in its place."""
    return look_up(rows, ORDER, cells, _RANK).drop(ORDER).rename({_RANK: ORDER})


def _refuse_ties(rows: nw.LazyFrame[Any], schema: ReportSchema, locate_error: Locate) -> None:
    """Raise an error if different reports of one reporter on one item share the place that counts."""
    pair, order, value = (ITEM, REPORTER), nw.col(ORDER), nw.col(VALUE)
    top = order.max().over(*pair) if schema.repeats == "last" else order.min().over(*pair)
    tied = rows.with_columns(top.alias(_TOP)).filter(order == nw.col(_TOP))
    tied = tied.filter(value.min().over(*pair) != value.max().over(*pair))
    _refuse(
        tied,
        locate_error,
        lambda item, reporter, report: (
            f"reporter {reporter} gives different reports on item {item} at the same {schema.order!r} (one is "
            f"{report}): correct it, or leave them out with repeats='drop' (--repeats drop)"
        ),
    )


def _ranks(cells: Iterable[str], rows: nw.LazyFrame[Any], name: str, locate_error: Locate) -> dict[str, int]:
    """Return the rank of each text in the order of what they say."""
    keys = {cell: _key(cell) for cell in cells}
    kinds: dict[str, str] = {}
    for cell in sorted(keys):
        key = keys[cell]
        if key is None:
            raise locate_error(
                rows.filter(nw.col(ORDER) == cell),
                lambda item, reporter, _, cell=cell: (  # type: ignore[misc]
                    f"column {name} holds {shorten(cell)} for a report of {reporter} on item {item} that is given more "
                    f"than once: write dates as 2024-03-02, times as 2024-03-02 10:30:00, or numbers, so that "
                    f"one reading only is possible"
                ),
            )
        kinds.setdefault(key[0], cell)
    if len(kinds) > 1:
        listed = " and ".join(f"{cell!r} ({kind})" for kind, cell in sorted(kinds.items()))
        raise DataError(f"column {name} mixes what cannot be compared: {listed}; write all of them alike")
    places = {place: rank for rank, place in enumerate(sorted({key[1] for key in keys.values() if key is not None}))}
    return {cell: places[key[1]] for cell, key in keys.items() if key is not None}


def _key(cell: str) -> tuple[str, Any] | None:
    """Return the kind and the place of a date, a time or a number; None for any other text.

    Examples
    --------
    >>> _key("2024-03-02") < _key("2024-03-10"), _key("9") < _key("10.5"), _key("03/02/2024")
    (True, True, None)
    >>> _key("2024-03-02T10:00:00+02:00") == _key("2024-03-02 08:00:00Z")
    True
    """
    text = cell.strip()
    if _NUMBER.fullmatch(text):
        return "a number", Decimal(text)
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(found[index] or 0) for index in range(1, 7))
    zone = (found[8] or "").strip().replace(":", "").replace("UTC", "Z")
    if zone and not found[4]:
        return None
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    seconds = (moment - datetime(1, 1, 1, tzinfo=UTC)).total_seconds()
    if zone.strip("Z"):
        seconds -= (1 if zone[0] == "+" else -1) * (3600 * int(zone[1:3]) + 60 * int(zone[3:]))
    kind = "a time with its zone" if zone else "a time" if found[4] else "a date"
    return kind, (int(seconds), (found[7] or "").ljust(9, "0"))


def _refuse(rows: nw.LazyFrame[Any], locate_error: Locate, problem: Callable[[str, str, str], str]) -> None:
    """Raise an error for the first of some rows, if there are any."""
    if collect(rows.select(nw.len()))["len"][0]:
        raise locate_error(rows, problem)
