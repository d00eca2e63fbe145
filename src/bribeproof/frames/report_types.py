"""Choose as what type reports are read, so that no number becomes another one."""

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._text import shorten
from bribeproof._warnings import warn
from bribeproof.errors import DataError
from bribeproof.frames.native import OpenedFrame, collect
from bribeproof.frames.schema import ROW, VALUE
from bribeproof.frames.values.float_limit import LIMIT, float_keeps
from bribeproof.io.json_reader import OBJECT

_WHOLE = r"^[+-]?[0-9]+(\.0*)?$"
_SIGNED = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32)
"""Types of whole numbers that fit in 64 bits with a sign."""
_OF_FLOATS = (nw.Int8, nw.Int16, nw.Int32, nw.UInt8, nw.UInt16, nw.UInt32, nw.Float32, nw.Float64)
"""Types of numbers that are floats."""


def check_flat(types: Mapping[str, Any], source: OpenedFrame) -> None:
    """Raise an error if a column holds objects or lists; the message has the first of them.

    Parameters
    ----------
    types
        The types of the columns that are used.
    source
        The frame that they belong to.
    """
    for name, dtype in types.items():
        if dtype.is_nested():
            place, cell = _first(name, source)
            where = f" ({place}: {cell})" * bool(place)
            raise DataError(
                f"column {name!r} holds {'objects' if dtype == nw.Struct else 'lists'}{where}: ids and reports are "
                f"text, numbers or true/false; put the part that is meant in a column of its own, and name that; "
                f"if these are labels, aggregate reads them with label_sets='whole' or 'each' (--label-sets whole)"
            )


def _first(name: str, source: OpenedFrame) -> tuple[str, str]:
    """Return the place and the text of the first cell of a column that is not empty; of objects as JSON."""
    found = collect(source.frame.filter(~nw.col(name).is_null()).head(1)).to_dicts()
    if not found or ROW not in found[0]:
        return "", ""
    cell = found[0][name]
    cell = cell[OBJECT] if isinstance(cell, dict) and set(cell) == {OBJECT} else cell
    text = json.dumps(cell, default=str, ensure_ascii=False) if isinstance(cell, dict | list) else str(cell)
    return source.locate(found[0][ROW]), shorten(text)


def common_type(types: Mapping[str, Any], source: OpenedFrame, *, scores: bool) -> Any:
    """Return the type as which columns of reports are read: text, true/false, whole numbers or floats.

    Numbers are read as text, and parsed when all of them are known, where floats or whole numbers of 64 bits could
    take two of them for one.

    Parameters
    ----------
    types
        The types of the columns.
    source
        The frame that they belong to.
    scores
        Whether reports are real numbers, and not votes or labels.

    Raises
    ------
    DataError
        If a column has another type, or several columns have types that do not go together.
    """
    kinds: dict[str, str] = {}
    for name, dtype in types.items():
        if dtype == nw.String:
            kinds[name] = "text"
        elif dtype == nw.Boolean:
            kinds[name] = "true/false"
        elif dtype.is_numeric():
            kinds[name] = "numbers"
        elif dtype.is_temporal() and scores:
            place, cell = _first(name, source)
            where = f" ({place}: {cell})" * bool(place)
            raise DataError(
                f"column {name!r} holds {dtype}{where}, into which a spreadsheet may have turned scores such as 5/6 or "
                f"5.6: give its cells the format of text there, and type the scores again"
            )
        elif dtype != nw.Unknown:
            raise DataError(f"column {name!r} holds {dtype}: reports are text, numbers or true/false")
    distinct = sorted(set(kinds.values()))
    if scores and distinct == ["numbers", "text"]:
        return nw.String
    if len(distinct) > 1:
        listed = ", ".join(f"{name!r} {kind}" for name, kind in kinds.items())
        raise DataError(f"columns of different types would split a class in two ({listed}): give them one type")
    if distinct == ["true/false"]:
        if scores:
            raise DataError("scores are numbers, but these are true/false: aggregate_votes takes those")
        return nw.Boolean
    if distinct != ["numbers"]:
        return nw.String
    reported = [types[name] for name in kinds]
    if all(dtype in _OF_FLOATS for dtype in reported) and (scores or any(dtype.is_float() for dtype in reported)):
        return nw.Float64
    if all(dtype in _SIGNED for dtype in reported):
        return nw.Int64
    # Engines round decimals to floats in different ways: text is rounded to the nearest one by all.
    if nw.Decimal in reported or not (scores or all(dtype in (*_SIGNED, *_OF_FLOATS) for dtype in reported)):
        return nw.String
    return nw.String if _may_be_large(source, [name for name in kinds if types[name] not in _OF_FLOATS]) else nw.Float64


def _may_be_large(source: OpenedFrame, columns: Sequence[str]) -> bool:
    """Return whether columns may hold a number beyond 2^53."""
    if source.large is not None:
        return True
    sizes = source.frame.select(nw.col(name).cast(nw.Float64).abs().max().alias(name) for name in columns)
    return any(size is not None and size >= LIMIT for size in collect(sizes).row(0))


def as_type(types: Mapping[str, Any], kept: Any) -> list[nw.Expr]:
    """Return expressions of columns as the type that `common_type` returns; equal numbers become equal text.

    Columns that are cast alike share an expression, and those of that type have none.
    """
    alike: dict[Any, list[str]] = {}
    for name, dtype in types.items():
        if dtype != kept:
            alike.setdefault(dtype, []).append(name)
    exact = [dtype for dtype in alike if kept == nw.String and (dtype.is_float() or dtype == nw.Decimal)]
    casts = [nw.col(*names).cast(kept) for dtype, names in alike.items() if dtype not in exact]
    return casts + [_as_text(name, dtype) for dtype in exact for name in alike[dtype]]


def _as_text(name: str, dtype: Any) -> nw.Expr:
    """Return an expression of a column of decimals or floats as text, whole numbers without decimals."""
    value = nw.col(name)
    if dtype == nw.Decimal:
        digits = value.cast(nw.String).str.replace_all(r"\.0+$", "")
        return nw.when(digits.str.contains(".", literal=True)).then(digits.str.replace_all("0+$", "")).otherwise(digits)
    value = nw.when(~value.is_nan()).then(value)
    whole = nw.when((value == value.floor()) & (value.abs() < 2.0**63)).then(value).cast(nw.Int64)
    return nw.when(~whole.is_null()).then(whole.cast(nw.String)).otherwise(value.cast(nw.String)).alias(name)


def label_parser(values: pl.Series, *, numbers: bool) -> Callable[[nw.LazyFrame[Any]], nw.LazyFrame[Any]]:
    """Return a function that reads labels: true/false as 1 and 0, labels such as 1.0 as whole numbers.

    Parameters
    ----------
    values
        The different labels.
    numbers
        Whether text stands for numbers of the frame, which become numbers again if none becomes another one.
    """
    value, dtype = nw.col(VALUE), values.dtype
    of_text = numbers and dtype == pl.String
    if values.is_empty() and dtype != pl.Boolean:
        value = value.cast(nw.String)
    elif dtype == pl.Boolean or _are_whole_floats(values) or (of_text and all(map(_is_int64, values))):
        value = value.cast(nw.Int64)
    elif dtype == pl.String and values.str.contains(_WHOLE).all():
        value = value.str.replace_all(r"\.0*$", "")
    elif of_text and all(map(float_keeps, values)):
        value = value.cast(nw.Float64)
    else:
        return lambda rows: rows
    return lambda rows: rows.with_columns(value.alias(VALUE))


def _are_whole_floats(values: pl.Series) -> bool:
    """Return whether labels are floats that are whole numbers, and that no other whole number becomes."""
    return values.dtype.is_float() and bool(((values == values.round()) & (values.abs() < LIMIT)).all())


def _is_int64(number: str) -> bool:
    """Return whether a number is written as a whole one, and fits in 64 bits with a sign."""
    return number.removeprefix("-").isdecimal() and number.isascii() and -(2**63) <= Decimal(number) < 2**63


def warn_large_floats(rows: nw.LazyFrame[Any], columns: Mapping[str, str]) -> None:
    """Warn about ids or labels that are floats beyond 2^53: different whole numbers may have become one of them.

    `columns` are given with the names of what they hold.
    """
    types = rows.collect_schema()
    for column, what in columns.items():
        if types[column].is_float():
            size = nw.col(column).abs()
            largest = collect(rows.filter(size.is_finite()).select(size.max()))[column][0]
            if largest is not None and largest >= LIMIT:
                warn(
                    f"{what} are floats, and some are beyond 2**53 = {LIMIT}, such as {largest!r}, where different "
                    f"whole numbers become one float: give them as whole numbers or as text"
                )
