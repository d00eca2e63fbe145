"""Doors between the user's data frames and the one engine-neutral form that everything else works on.

Eager frames (pandas, polars, pyarrow) run on polars' lazy engine and come back as the kind that came in.
Lazy ones (polars LazyFrame, duckdb, PySpark) stay lazy and stay where they are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias, TypeVar

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.errors import DataError, ParameterError
from bribeproof.frames import pandas as pandas_frames
from bribeproof.frames.backends import is_duckdb, is_spark, push
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.schema import ROW
from bribeproof.io.read import Table

Normalise: TypeAlias = Callable[[nw.LazyFrame[Any]], nw.LazyFrame[Any]]
"""Turns a frame as it came in into clean reports in long form."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Profiler(Protocol[T_co]):
    """Finds something out about reports in long form."""

    def __call__(self, rows: nw.LazyFrame[Any], *, in_memory: bool) -> T_co:
        """Look at rows, lazy ones or such as are in memory."""
        ...


@dataclass(frozen=True, slots=True)
class Categories:
    """The declared categories of a column, in their declared order."""

    names: tuple[str, ...]
    ordered: bool = True


@dataclass(frozen=True, slots=True)
class OpenedFrame:
    """A user's frame, opened: what to compute on, and how to hand results back as the same kind.

    Attributes
    ----------
    frame
        The asked columns, and ``ROW`` where ``has_order``.
    leave
        Takes a result and ``{column: categories}``; returns the native kind.
    locate
        Turns a row's position into words, such as ``line 7``.
    categories
        Declared categories per column that had any.
    has_order
        Whether rows have a position. SQL relations have none.
    eager
        Whether the frame is in memory already.
    large
        The file that does not fit in memory; `frame` then holds its first rows.
    """

    frame: nw.LazyFrame[Any]
    leave: Callable[[nw.LazyFrame[Any], Mapping[str, Categories]], Any]
    locate: Callable[[int], str]
    categories: Mapping[str, Categories] = field(default_factory=dict)
    has_order: bool = False
    eager: bool = False
    large: LargeTable | None = None

    def tidied(self, tidy: Normalise, look: Profiler[T]) -> tuple[nw.LazyFrame[Any], int, list[T]]:
        """Tidy the rows, once where they are in memory or in a file, and look at them.

        Returns
        -------
        The tidy rows; into how many parts they are divided by their column ``PART``, 1 where there is none; and
        what was found, of rows that do not fit in memory piece by piece.
        """
        if self.large is not None:
            names = self.frame.collect_schema().names()[1:]
            found: list[T] = []

            def tidied(piece: pl.DataFrame, first_row: int) -> pl.DataFrame:
                rows = collect(tidy(_plain(piece, names, first_row)))
                found.append(look(nw.from_native(rows.lazy()), in_memory=True))
                return rows

            parts = self.large.parts(names, tidied)
            return nw.from_native(parts.finish()), parts.count, found
        rows = tidy(self.frame)
        if self.eager:
            rows = nw.from_native(collect(rows).lazy())
        return rows, 1, [look(rows, in_memory=self.eager)]


def column_names(native: Any) -> list[str]:
    """Return the names of a native frame's columns as text, in order.

    Raises
    ------
    ParameterError
        If the object is no data frame.
    DataError
        If two columns have the same name.
    """
    if isinstance(native, Table):
        native = native.frame
    if isinstance(native, LargeTable):
        native = native.head
    if pandas_frames.is_pandas(native):
        names = [str(name) for name in pandas_frames.with_index(native).columns]
    else:
        names = list(_narwhals(native).collect_schema().names())
    repeated = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if repeated:
        raise DataError(f"two columns are named {repeated[0]!r}: give every column its own name")
    return names


def open_frame(native: Any, columns: Sequence[str]) -> OpenedFrame:
    """Open a native frame for the named columns.

    Parameters
    ----------
    native
        pandas, polars (eager or lazy), pyarrow or duckdb frame, or a `Table` read from a file.
    columns
        The columns to work on; the others are not touched.

    Raises
    ------
    ParameterError
        If the object is no data frame.
    DataError
        If a column holds values of several types.
    """
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
    if isinstance(opened, nw.LazyFrame) and (is_duckdb(opened) or is_spark(opened)):
        return _from_sql(opened, columns)
    raise ParameterError(
        f"frames of {opened.implementation.value} are not supported: use polars, pandas, pyarrow, duckdb or PySpark"
    )


def collect(frame: nw.LazyFrame[Any]) -> pl.DataFrame:
    """Bring a small result into memory."""
    result: pl.DataFrame = frame.collect("polars").to_native()
    return result


def to_polars(native: Any) -> pl.DataFrame:
    """Return a table of results, of any kind that `OpenedFrame.leave` returns, as a polars data frame.

    Examples
    --------
    >>> to_polars(pl.LazyFrame({"task": ["t1"]})).height
    1
    """
    if isinstance(native, pl.DataFrame):
        return native
    return collect(open_frame(native, column_names(native)).frame).drop(ROW, strict=False)


def _narwhals(native: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """Wrap a native frame, or say what is accepted."""
    wrapped = nw.from_native(native, pass_through=True)
    if isinstance(wrapped, nw.DataFrame | nw.LazyFrame):
        return wrapped
    raise ParameterError(
        f"expected a data frame (pandas, polars, pyarrow, duckdb, PySpark) or a table from read_table, "
        f"got {type(native).__name__}"
    )


def _row_number(row: int) -> str:
    """Name a row of a frame in memory."""
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

    def leave(result: nw.LazyFrame[Any], categories: Mapping[str, Categories]) -> pl.DataFrame | pl.LazyFrame:
        out: pl.LazyFrame = result.to_native()
        out = out.with_columns(pl.col(name).cast(pl.Enum(kept.names)) for name, kept in categories.items())
        return out.collect() if eager else out

    return OpenedFrame(_plain(native, columns), leave, locate, enums, has_order=True, eager=eager)


def _from_large_file(native: LargeTable, columns: Sequence[str]) -> OpenedFrame:
    """Open a file that does not fit in memory by its first rows."""
    head = _from_polars(native.head.lazy(), columns, native.locate)
    return replace(head, large=native)


def _plain(native: pl.DataFrame | pl.LazyFrame, columns: Sequence[str], first_row: int = 0) -> nw.LazyFrame[Any]:
    """Return polars columns with the places of the rows; categories as text, Objects with a real type."""
    schema = native.collect_schema()
    chosen = native.select(columns)
    if isinstance(chosen, pl.DataFrame):
        objects = [name for name in columns if schema[name] == pl.Object]
        chosen = chosen.with_columns(pandas_frames.typed_series(name, chosen[name].to_list()) for name in objects)
    dictionary = [pl.col(name).cast(pl.String) for name in columns if schema[name] in (pl.Enum, pl.Categorical)]
    rows = (
        chosen.lazy().with_columns(dictionary).with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64) + first_row)
    )
    return nw.from_native(rows)


def _from_pandas(native: Any, columns: Sequence[str]) -> OpenedFrame:
    """Open a pandas frame column by column, so that no type is guessed and pyarrow is not needed."""
    inner = _from_polars(pandas_frames.to_polars(native, columns), columns, _row_number)
    declared = {
        name: Categories(*kept) for name in columns if (kept := pandas_frames.categories(native, name)) is not None
    }

    def leave(result: nw.LazyFrame[Any], categories: Mapping[str, Categories]) -> Any:
        kept = {name: (spec.names, spec.ordered) for name, spec in categories.items()}
        return pandas_frames.from_polars(collect(result), kept)

    return OpenedFrame(inner.frame, leave, inner.locate, declared, has_order=True, eager=True)


def _from_pyarrow(native: Any, columns: Sequence[str]) -> OpenedFrame:
    """Open a pyarrow table; the order of its dictionaries is the declared order."""
    import pyarrow as pa

    declared = {
        name: Categories(tuple(str(value) for value in native[name].combine_chunks().dictionary.to_pylist()))
        for name in columns
        if pa.types.is_dictionary(native.schema.field(name).type)
    }
    frame = pl.DataFrame(pl.from_arrow(native.select(list(columns))))
    inner = _from_polars(frame, columns, _row_number)

    def leave(result: nw.LazyFrame[Any], categories: Mapping[str, Categories]) -> Any:
        table = collect(result).to_arrow(compat_level=pl.CompatLevel.oldest())
        for name, kept in categories.items():
            place = {text: index for index, text in enumerate(kept.names)}
            codes = [None if text is None else place[text] for text in table[name].to_pylist()]
            encoded = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(kept.names, pa.string()))
            table = table.set_column(table.schema.get_field_index(name), name, encoded)
        return table

    return OpenedFrame(inner.frame, leave, inner.locate, declared, has_order=True, eager=True)


def _from_sql(opened: nw.LazyFrame[Any], columns: Sequence[str]) -> OpenedFrame:
    """Open a relation that lives in a database or on a cluster; it has no row order."""
    schema = opened.collect_schema()
    declared = {
        name: Categories(tuple(dtype.categories)) for name in columns if isinstance(dtype := schema[name], nw.Enum)
    }
    frame = opened.select(columns).with_columns(nw.col(name).cast(nw.String) for name in declared)

    def leave(result: nw.LazyFrame[Any], categories: Mapping[str, Categories]) -> Any:
        if result.implementation.is_polars():
            result = push(collect(result), opened)
        return result.with_columns(
            nw.col(name).cast(nw.Enum(kept.names)) for name, kept in categories.items()
        ).to_native()

    return OpenedFrame(frame, leave, _row_number, declared)


def wide_to_long(
    frame: nw.LazyFrame[Any], index: Iterable[str], judges: Sequence[str], reporter: str, value: str
) -> nw.LazyFrame[Any]:
    """Turn one column per reporter into one row per report."""
    index = list(index)
    if is_duckdb(frame):
        # narwhals' unpivot looks duckdb relations up on the default connection, where they need not be.
        parts = [frame.select(*index, nw.lit(name).alias(reporter), nw.col(name).alias(value)) for name in judges]
        return nw.concat(parts)
    return frame.unpivot(on=list(judges), index=index, variable_name=reporter, value_name=value)
