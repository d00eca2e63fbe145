"""Convert pandas frames to polars and back, column by column, so that no value changes its type."""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import shorten
from bribeproof.errors import DataError
from bribeproof.frames.values.float_limit import float_keeps
from bribeproof.io.formats import POLARS_ERRORS
from bribeproof.io.json_reader import as_object

_MOST_DIGITS = 38
"""The most digits of a column of decimals."""
_WIDEST = 128
"""The bits of the widest whole numbers, with a sign."""
_LISTS = (list, tuple, set, frozenset, np.ndarray)
_NUMBERS = (int, float, Decimal, np.integer, np.floating)
_DATES = (date, time)


def is_pandas(native: Any) -> bool:
    """Return whether an object is a pandas data frame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(native, pandas.DataFrame)


def with_index(native: Any) -> Any:
    """Return a frame with its named index levels as columns; an index without a name is dropped."""
    named = [name for name in native.index.names if name is not None]
    return native.reset_index() if named and not set(named) & set(native.columns) else native


def categories(native: Any, name: str) -> tuple[tuple[str, ...], bool] | None:
    """Return the declared categories of a text column, and whether they are ordered; None if there are none."""
    dtype = _column(native, name).dtype
    if not hasattr(dtype, "categories") or not all(isinstance(value, str) for value in dtype.categories):
        return None
    return tuple(dtype.categories), bool(dtype.ordered)


def to_polars(native: Any, columns: Sequence[str]) -> pl.DataFrame:
    """Return the named columns as a polars frame, with null for NaN, None and NA."""
    return pl.DataFrame({name: _to_series(name, _column(native, name)) for name in columns})


def from_polars(frame: pl.DataFrame, categories: Mapping[str, tuple[tuple[str, ...], bool]]) -> Any:
    """Return a pandas frame; integers with missing values become nullable integers."""
    import pandas as pd

    def column(series: pl.Series) -> Any:
        if series.name in categories:
            names, ordered = categories[series.name]
            return pd.Categorical(series.to_list(), categories=list(names), ordered=ordered)
        if series.dtype == pl.String:
            return pd.Series(series.to_list(), dtype="str" if int(pd.__version__.split(".")[0]) >= 3 else object)
        if series.dtype.is_decimal() or series.dtype in (pl.Int128, pl.UInt128):
            return pd.Series(series.to_list(), dtype=object)
        if series.null_count() and series.dtype.is_integer():
            return pd.array(series.to_list(), dtype="Int64")
        if series.null_count() and series.dtype == pl.Boolean:
            return pd.array(series.to_list(), dtype="boolean")
        if series.dtype.is_float():
            return series.fill_null(np.nan).to_numpy()
        return series.to_numpy() if series.dtype.is_numeric() or series.dtype == pl.Boolean else series.to_list()

    return pd.DataFrame({series.name: column(series) for series in frame})


def typed_series(name: str, values: Sequence[Any]) -> pl.Series:
    """Return values of one type as a series, with null for None.

    Raises
    ------
    DataError
        If text, numbers and true/false are mixed, so that one class would be counted as several; numbers beside dates
        become text.
    """
    present = [value for value in values if value is not None]
    kinds = {type(value) for value in present}
    if not kinds:
        return pl.Series(name, values, dtype=pl.Null)
    if all(issubclass(kind, str) for kind in kinds):
        return pl.Series(name, values, dtype=pl.String)
    if all(issubclass(kind, bool | np.bool_) for kind in kinds):
        return pl.Series(name, [None if value is None else bool(value) for value in values], dtype=pl.Boolean)
    if all(issubclass(kind, _NUMBERS) and not issubclass(kind, bool) for kind in kinds):
        return _numbers(name, values)
    if all(issubclass(kind, datetime) for kind in kinds) or kinds == {date}:
        moments = [None if value is None or value != value else value for value in values]  # NaT differs from itself
        with suppress(*POLARS_ERRORS, TypeError, ValueError, OverflowError):
            return pl.Series(name, moments)
    if all(issubclass(kind, (*_NUMBERS, *_DATES)) and not issubclass(kind, bool) for kind in kinds):
        # Scores that a spreadsheet made into dates are refused one by one, as those in a file are.
        return pl.Series(name, [None if value is None else _written(value) for value in values], dtype=pl.String)
    if all(issubclass(kind, dict) for kind in kinds):
        objects = [None if value is None else json.dumps(value, default=str, ensure_ascii=False) for value in values]
        return pl.Series(name, objects, dtype=pl.String).to_frame().select(as_object(name)).to_series()
    if all(issubclass(kind, _LISTS) for kind in kinds):
        lists = [None if value is None else [_element(one) for one in value] for value in values]
        return pl.Series(name, lists, dtype=pl.List(pl.String))
    listed = ", ".join(sorted(kind.__name__ for kind in kinds))
    first = type(present[0])
    other = next((row for row, value in enumerate(values) if value is not None and type(value) is not first), None)
    where = "" if other is None else f"; row {other} (counting from 0) holds {shorten(str(values[other]))}"
    raise DataError(
        f"column {name!r} mixes values of several types ({listed}{where}): give them one type, "
        f"for example with .astype(str), so that 1 and '1' are not two classes"
    )


def _element(value: Any) -> str | None:
    """Return an element of a list as text, an object or a list in it as its JSON."""
    if isinstance(value, dict | list):
        return json.dumps(value, default=str, ensure_ascii=False)
    return None if value is None else str(value)


def _numbers(name: str, values: Sequence[Any]) -> pl.Series:
    """Return numbers as whole numbers, decimals or floats, or as text if none of these holds them all."""
    kinds = {type(value) for value in values if value is not None}
    if all(issubclass(kind, float | np.floating) for kind in kinds):
        return pl.Series(name, [None if value is None else float(value) for value in values], dtype=pl.Float64)
    if all(issubclass(kind, int | np.integer) for kind in kinds):
        whole = [None if value is None else int(value) for value in values]
        bits = max(value.bit_length() for value in whole if value is not None)
        if bits < _WIDEST:
            return pl.Series(name, whole, dtype=pl.Int64 if bits < 64 else pl.Int128)
    written = [None if value is None or value != value else _digits(value) for value in values]
    numbers = [Decimal(text) for text in written if text is not None]
    if Decimal in kinds and not any(issubclass(kind, float | np.floating) for kind in kinds):
        size, scale = _size(numbers)
        if size + scale <= _MOST_DIGITS:
            exact = [None if text is None else Decimal(text) for text in written]
            return pl.Series(name, exact, dtype=pl.Decimal(_MOST_DIGITS, scale))
    if all(float_keeps(text) for text in written if text is not None):
        return pl.Series(name, [None if text is None else float(text) for text in written], dtype=pl.Float64)
    return pl.Series(name, written, dtype=pl.String)


def _written(value: Any) -> str | None:
    """Return a number, a date or a time as text; a date without a time of day is only the date."""
    if value != value:
        return None
    if isinstance(value, _DATES):
        return value.isoformat().removesuffix("T00:00:00")
    return _digits(value)


def _digits(value: Any) -> str:
    """Return a number as text, exactly, and whole numbers in digits only."""
    if isinstance(value, float | np.floating) and not value.is_integer():
        return repr(float(value))
    exact = value if isinstance(value, Decimal) else Decimal(int(value))
    return format(exact, "f").removesuffix(".0")


def _size(numbers: Sequence[Decimal]) -> tuple[float, int]:
    """Return the most digits before and after the decimal point; infinitely many if a number is infinite."""
    if not all(number.is_finite() for number in numbers):
        return float("inf"), 0
    places = [number.as_tuple().exponent for number in numbers]
    scale = max((-place for place in places if isinstance(place, int)), default=0)
    return max((number.adjusted() + 1 for number in numbers), default=0), max(0, scale)


def _column(native: Any, name: str) -> Any:
    """Return a column by the text of its name, which may be a number in the frame."""
    return native[next(label for label in native.columns if str(label) == name)]


def _to_series(name: str, column: Any) -> pl.Series:
    """Return one column as a series, with null for NaN and NA."""
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "biufM":
        return pl.Series(name, column.to_numpy(), nan_to_null=dtype.kind == "f")
    if isinstance(dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        names = typed_series(name, dtype.categories.to_list())
        return names.gather(pl.Series(codes).cast(pl.Int64).replace(-1, None)).alias(name)
    missing = column.isna().to_numpy()
    values = column.to_numpy(dtype=object)
    return typed_series(name, [None if gone else value for value, gone in zip(values, missing, strict=True)])
