"""Open data frames of any kind, so that all computations see one form, and return results as the same kind.

Frames in memory (pandas, polars, pyarrow) are computed by the lazy engine of polars. Lazy frames (polars LazyFrame,
duckdb, PySpark) stay lazy and are computed where they are.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._process import check_not_forked
from bribeproof.errors import ColumnError, DataError, ParameterTypeError
from bribeproof.frames.native import pandas_frames
from bribeproof.frames.native.backends import ignores_case, is_duckdb, is_spark, push
from bribeproof.frames.native.opened_frame import Categories, OpenedFrame, collect, with_row_numbers
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.schema import ROW
from bribeproof.io.read import Table


def column_names(native: Any) -> list[str]:
    """Return the names of the columns of a frame, as text.

    Raises
    ------
    ParameterTypeError
        If the object is not a data frame.
    DataError
        If two columns have the same name.
    """
    if isinstance(native, Table):
        native = native.frame
    if isinstance(native, LargeTable):
        native = native.head
    if pandas_frames.is_pandas(native):
        names = [str(name) for name in pandas_frames.with_index(native).columns]
    elif type(native).__module__.partition(".")[0] == "pyarrow" and hasattr(native, "column_names"):
        names = list(native.column_names)  # narwhals refuses two of one name in words of its own
    else:
        opened = _narwhals(native)
        names = list(native.columns) if _is_sql(opened) else list(opened.collect_schema().names())
        if ignores_case(opened):
            _check_distinct(names, str)
            _check_distinct(names, str.casefold)
    _check_distinct(names, str)
    return names


def _check_distinct(names: Sequence[str], key: Callable[[str], str]) -> None:
    """Raise an error if two columns have the same key."""
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(key(name), name)
        if other != name:
            raise DataError(
                f"two columns are named {other!r} and {name!r}, which this engine does not tell apart: "
                f"give every column its own name"
            )
    if len(known) < len(names):
        name = next(name for name in known.values() if names.count(name) > 1)
        raise DataError(f"two columns are named {name!r}: give every column its own name")


def distinct_rows(native: Any, columns: Sequence[str]) -> pl.DataFrame:
    """Return the different rows of some columns; of a file that does not fit in memory the whole file is read.

    Examples
    --------
    >>> reports = pl.LazyFrame({"worker": ["a", "a"], "team": ["x", "x"], "task": [1, 2]})
    >>> distinct_rows(reports, ["worker", "team"]).rows()
    [('a', 'x')]
    """
    if isinstance(native, LargeTable):
        return native.distinct(columns)
    return collect(open_frame(native, columns).frame.select(*columns).unique())


def _is_sql(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> bool:
    """Return whether a frame is a relation of duckdb or PySpark."""
    return isinstance(frame, nw.LazyFrame) and (is_duckdb(frame) or is_spark(frame))


def open_frame(native: Any, columns: Sequence[str]) -> OpenedFrame:
    """Open some columns of a data frame.

    Parameters
    ----------
    native
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table read from a file.
    columns
        The columns to open; the others are ignored.

    Raises
    ------
    ParameterTypeError
        If the object is not a data frame of a supported kind.
    DataError
        If a column holds values of several types.
    ForkError
        If this process was forked from one that had used tables.
    """
    check_not_forked()
    if isinstance(native, Table):
        return _from_polars(native.frame, columns, native.locate)
    if isinstance(native, LargeTable):
        return _from_large_file(native, columns)
    if pandas_frames.is_pandas(native):
        return _from_pandas(pandas_frames.with_index(native), columns)
    opened = _narwhals(native)
    if opened.implementation.is_polars():
        return _from_polars(native, columns, _row_number)
    if opened.implementation.is_pyarrow():
        return _from_pyarrow(native, columns)
    if isinstance(opened, nw.LazyFrame) and _is_sql(opened):
        return _from_sql(opened, columns)
    raise ParameterTypeError(
        f"frames of {opened.implementation.value} are not supported: use polars, pandas, pyarrow, duckdb or PySpark"
    )


def to_polars(native: Any) -> pl.DataFrame:
    """Return a table of results, of any kind that `OpenedFrame.to_native` returns, as a polars data frame.

    Examples
    --------
    >>> to_polars(pl.LazyFrame({"task": ["t1"]})).height
    1
    """
    if isinstance(native, pl.DataFrame):
        return native
    return collect(open_frame(native, column_names(native)).frame).drop(ROW, strict=False)


def _narwhals(native: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """Wrap a frame by narwhals."""
    wrapped = nw.from_native(native, pass_through=True)
    if isinstance(wrapped, nw.DataFrame | nw.LazyFrame):
        return wrapped
    raise ParameterTypeError(
        f"expected a data frame (pandas, polars, pyarrow, duckdb, PySpark) or a table from read_table, "
        f"got {type(native).__name__}"
    )


def _row_number(row: int) -> str:
    """Return the place of a row of a frame in memory, in words."""
    return f"row {row} (counting from 0)"


def _from_polars(
    native: pl.DataFrame | pl.LazyFrame, columns: Sequence[str], locate: Callable[[int], str]
) -> OpenedFrame:
    """Open a polars frame."""
    eager = isinstance(native, pl.DataFrame)
    schema = native.collect_schema()
    enums = {
        name: Categories(tuple(dtype.categories.to_list()))
        for name in columns
        if isinstance(dtype := schema[name], pl.Enum)
    }

    def restore(result: nw.LazyFrame[Any], categories: Mapping[str, Categories]) -> pl.DataFrame | pl.LazyFrame:
        out: pl.LazyFrame = result.to_native()
        out = out.with_columns(pl.col(name).cast(pl.Enum(kept.names)) for name, kept in categories.items())
        return out.collect() if eager else out

    return OpenedFrame(with_row_numbers(native, columns), restore, locate, enums, has_order=True, eager=eager)


def _from_large_file(native: LargeTable, columns: Sequence[str]) -> OpenedFrame:
    """Open a file that does not fit in memory."""
    head = _from_polars(native.head.lazy(), columns, native.locate)
    return replace(head, large=native)


def _from_pandas(native: Any, columns: Sequence[str]) -> OpenedFrame:
    """Open a pandas frame column by column, so that types are kept and pyarrow is not needed."""
    inner = _from_polars(pandas_frames.to_polars(native, columns), columns, _row_number)
    declared = {
        name: Categories(*kept) for name in columns if (kept := pandas_frames.categories(native, name)) is not None
    }

    def restore(result: nw.LazyFrame[Any], categories: Mapping[str, Categories]) -> Any:
        kept = {name: (spec.names, spec.ordered) for name, spec in categories.items()}
        return pandas_frames.from_polars(collect(result), kept)

    return OpenedFrame(inner.frame, restore, inner.locate, declared, has_order=True, eager=True)


def _from_pyarrow(native: Any, columns: Sequence[str]) -> OpenedFrame:
    """Open a pyarrow table; its dictionaries of text are declared categories."""
    import pyarrow as pa

    def is_text(kind: Any) -> bool:
        return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))

    declared = {
        name: Categories(tuple(str(value) for value in native[name].combine_chunks().dictionary.to_pylist()))
        for name in columns
        if pa.types.is_dictionary(kind := native.schema.field(name).type) and is_text(kind.value_type)
    }
    chosen = native.select(list(columns))
    for index, field in enumerate(chosen.schema):
        if pa.types.is_decimal256(field.type):  # which polars does not know
            chosen = chosen.set_column(index, field.name, _shorter_decimals(chosen[index]))
    frame = pl.DataFrame(pl.from_arrow(chosen))
    frame.columns = chosen.column_names  # polars renames a column without a name
    inner = _from_polars(frame, columns, _row_number)

    def restore(result: nw.LazyFrame[Any], categories: Mapping[str, Categories]) -> Any:
        table = collect(result).to_arrow(compat_level=pl.CompatLevel.oldest())
        for name, kept in categories.items():
            codes_of = {text: index for index, text in enumerate(kept.names)}
            codes = [None if text is None else codes_of[text] for text in table[name].to_pylist()]
            encoded = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(kept.names, pa.string()))
            table = table.set_column(table.schema.get_field_index(name), name, encoded)
        return table

    return OpenedFrame(inner.frame, restore, inner.locate, declared, has_order=True, eager=True)


def _shorter_decimals(column: Any) -> Any:
    """Return a pyarrow column of long decimals as decimals of 38 digits if these hold them, else as text."""
    import pyarrow as pa

    try:
        return column.cast(pa.decimal128(38, min(column.type.scale, 38)))
    except pa.ArrowInvalid:
        return column.cast(pa.string())


def _from_sql(opened: nw.LazyFrame[Any], columns: Sequence[str]) -> OpenedFrame:
    """Open a relation of duckdb or PySpark, which has no order of rows."""
    schema = opened.collect_schema()
    declared = {
        name: Categories(tuple(dtype.categories)) for name in columns if isinstance(dtype := schema[name], nw.Enum)
    }
    frame = _wrap_spark(opened, columns) if is_spark(opened) else opened.select(columns)
    if declared:  # Spark Connect adds no columns but some
        frame = frame.with_columns(nw.col(name).cast(nw.String) for name in declared)

    def restore(result: nw.LazyFrame[Any], categories: Mapping[str, Categories]) -> Any:
        if result.implementation.is_polars():
            result = push(collect(result), opened)
        if categories:
            result = result.with_columns(nw.col(name).cast(nw.Enum(kept.names)) for name, kept in categories.items())
        return result.to_native()

    return OpenedFrame(frame, restore, _row_number, declared)


def _wrap_spark(opened: nw.LazyFrame[Any], columns: Sequence[str]) -> nw.LazyFrame[Any]:
    """Select columns of a Spark frame whatever they are called: for Spark a dot in a name stands before a field."""
    native: Any = opened.to_native()
    quoted = ["`{}`".format(name.replace("`", "``")) for name in columns]
    selected: nw.LazyFrame[Any] = nw.from_native(native.select(quoted))
    return selected


def check_names(frame: nw.LazyFrame[Any], columns: Iterable[str]) -> None:
    """Raise an error if Spark could not compute with a column because of its name.

    Raises
    ------
    ColumnError
        If the frame is one of Spark and a name has a dot or a backtick.
    """
    if is_spark(frame) and (odd := [name for name in columns if "." in name or "`" in name]):
        new = re.sub("[.`]+", "_", odd[0])
        raise ColumnError(
            f"column {odd[0]!r}: Spark does not compute with names that hold a dot or a backtick; rename it first: "
            f"frame.withColumnRenamed({odd[0]!r}, {new!r})"
        )


def wide_to_long(
    frame: nw.LazyFrame[Any], index: Iterable[str], judges: Sequence[str], reporter: str, value: str
) -> nw.LazyFrame[Any]:
    """Convert one column per reporter to one row per report."""
    index = list(index)
    if is_duckdb(frame):
        # narwhals' unpivot looks for duckdb relations on the default connection, which may not have them.
        parts = [frame.select(*index, nw.lit(name).alias(reporter), nw.col(name).alias(value)) for name in judges]
        return nw.concat(parts)
    return frame.unpivot(on=list(judges), index=index, variable_name=reporter, value_name=value)
