"""A data frame of any kind, opened for computing, with the function that returns results as its own kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.frames.native.pandas_frames import typed_series
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.schema import ROW

Normalise: TypeAlias = Callable[[nw.LazyFrame[Any]], nw.LazyFrame[Any]]
"""Function that brings the rows of a frame to clean reports in long form."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Profiler(Protocol[T_co]):
    """Function that profiles reports in long form."""

    def __call__(self, rows: nw.LazyFrame[Any], *, in_memory: bool) -> T_co:
        """Profile rows, which are in memory or lazy."""
        ...


@dataclass(frozen=True, slots=True)
class Categories:
    """The declared categories of a column, in their declared order."""

    names: tuple[str, ...]
    ordered: bool = True

    def cleaned(self, clean: Callable[[str], str]) -> "Categories":
        """Return the categories as the cells of the column are read: those that become one are one, empty ones none."""
        return Categories(tuple(dict.fromkeys(filter(None, map(clean, self.names)))), self.ordered)


@dataclass(frozen=True, slots=True)
class OpenedFrame:
    """The columns of a user's frame to compute on, and the way back to the kind of that frame.

    Attributes
    ----------
    frame
        The requested columns, and the row numbers in ``ROW`` if ``has_order``.
    to_native
        Function of a result and ``{column: categories}`` that returns the result as the user's kind of frame.
    locate
        Function of a row number that returns its place in words, such as ``line 7``.
    categories
        Declared categories of the columns that have any.
    has_order
        Whether rows have an order. SQL relations have none.
    eager
        Whether the frame is in memory already.
    large
        The file that does not fit in memory; ``frame`` then holds its first rows.
    """

    frame: nw.LazyFrame[Any]
    to_native: Callable[[nw.LazyFrame[Any], Mapping[str, Categories]], Any]
    locate: Callable[[int], str]
    categories: Mapping[str, Categories] = field(default_factory=dict)
    has_order: bool = False
    eager: bool = False
    large: LargeTable | None = None

    def normalised(self, normalise: Normalise, profile: Profiler[T]) -> tuple[nw.LazyFrame[Any], int, list[T]]:
        """Normalise and profile the rows; those in memory or in a file only once.

        Parameters
        ----------
        normalise
            Function that brings rows to clean reports in long form.
        profile
            Function that profiles normalised rows.

        Returns
        -------
        narwhals LazyFrame
            The normalised rows.
        int
            The number of parts into which the column ``PART`` divides them; 1 if there is no such column.
        list
            The profiles: one for each chunk of a file that does not fit in memory, else one.
        """
        if self.large is not None:
            names = self.frame.collect_schema().names()[1:]
            profiles: list[T] = []

            def normalised_chunk(chunk: pl.DataFrame, first_row: int) -> pl.DataFrame:
                rows = collect(normalise(with_row_numbers(chunk, names, first_row)))
                profiles.append(profile(nw.from_native(rows.lazy()), in_memory=True))
                return rows

            parts = self.large.partition(names, normalised_chunk)
            return nw.from_native(parts.finish()), parts.count, profiles
        rows = normalise(self.frame)
        if self.eager:
            rows = nw.from_native(collect(rows).lazy())
        return rows, 1, [profile(rows, in_memory=self.eager)]


def collect(frame: nw.LazyFrame[Any]) -> pl.DataFrame:
    """Compute a lazy frame, and return its rows in memory."""
    result: pl.DataFrame = frame.collect("polars").to_native()
    return result


def with_row_numbers(
    native: pl.DataFrame | pl.LazyFrame, columns: Sequence[str], first_row: int = 0
) -> nw.LazyFrame[Any]:
    """Select columns of a polars frame and number its rows; categories become text, Python objects a typed column."""
    schema = native.collect_schema()
    chosen = native.select(columns)
    if isinstance(chosen, pl.DataFrame):
        objects = [name for name in columns if schema[name] == pl.Object]
        chosen = chosen.with_columns(typed_series(name, chosen[name].to_list()) for name in objects)
    categorical = [pl.col(name).cast(pl.String) for name in columns if schema[name] in (pl.Enum, pl.Categorical)]
    rows = chosen.lazy().with_columns(categorical).with_row_index(ROW)
    return nw.from_native(rows.with_columns(pl.col(ROW).cast(pl.Int64) + first_row))
