"""Operations that each engine needs in its own SQL: reproducible draws, duplicate rows, Unicode normal form."""

import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._warnings import warn

_HEX_DIGITS = 15
"""The number of digits of the hash that are used: 60 bits, which fit a signed 64-bit integer on every engine."""
_GOLDEN = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: multiples of small numbers by it are far apart."""
_MOST_CONDITIONS = 32
"""Longer chains of conditions take engines long to plan."""
_SHOWN = 3
"""The most renamed columns that a warning shows."""
_SORTED_ALONE = 1 << 22
"""Up to so many numbers, threads that sort them together cost more than they save."""
_SPACE = ord(" ")
"""The last of the characters of ASCII that are white space, except for DEL, which is none."""


def draw_number(seed: int, purpose: str, item: object) -> int:
    """Return the random number of one item, which depends only on the seed, the purpose and the id of the item.

    It is the first 15 hexadecimal digits of SHA-256 of the text ``seed:purpose:item``, so that anyone can recompute
    it, on any machine and in any order.

    Parameters
    ----------
    seed
        The seed announced for the draw.
    purpose
        ``"draw"`` for the random dictator, ``"tie"`` for random tie-breaks.
    item
        The item's id.

    Returns
    -------
    int
        A whole number in [0, 2^60).

    Examples
    --------
    >>> draw_number(7, "draw", "q1") % 100
    47
    """
    digest = hashlib.sha256(f"{seed}:{purpose}:{item}".encode()).hexdigest()
    return int(digest[:_HEX_DIGITS], 16)


def with_draw_numbers(frame: nw.LazyFrame[Any], item: str, seed: int, purpose: str, name: str) -> nw.LazyFrame[Any]:
    """Add a column with the `draw_number` of each item."""
    native: Any = frame.to_native()
    if frame.implementation.is_polars():

        def draw(items: pl.Series) -> pl.Series:
            distinct = items.cast(pl.String).unique()
            drawn = [draw_number(seed, purpose, value) for value in distinct]
            return items.cast(pl.String).replace_strict(distinct, drawn, return_dtype=pl.Int64)

        drawn = pl.col(item).map_batches(draw, return_dtype=pl.Int64, is_elementwise=True)
        return _wrap(native.with_columns(drawn.alias(name)))
    if is_duckdb(frame):
        text = f"'{seed}:{purpose}:' || CAST({_quoted(item)} AS VARCHAR)"
        number = f"CAST('0x' || substr(sha256({text}), 1, {_HEX_DIGITS}) AS BIGINT)"
        return _wrap(native.project(f"*, {number} AS {_quoted(name)}"))
    text = f"concat('{seed}:{purpose}:', CAST({_ticked(item)} AS STRING))"
    number = f"CAST(conv(substr(sha2({text}, 256), 1, {_HEX_DIGITS}), 16, 10) AS BIGINT)"
    return _wrap(native.selectExpr("*", f"{number} AS {_ticked(name)}"))


def push(table: pl.DataFrame, like: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Move a small table into the engine of another frame: to its duckdb connection or its Spark session."""
    native: Any = like.to_native()
    _bribeproof_rows = table.to_arrow(compat_level=pl.CompatLevel.oldest())
    if is_duckdb(like):
        # duckdb finds the local variable by its name.
        return _wrap(native.query("_bribeproof", "SELECT * FROM _bribeproof_rows"))
    return _wrap(native.sparkSession.createDataFrame(_bribeproof_rows))


def look_up(frame: nw.LazyFrame[Any], column: str, table: pl.DataFrame, name: str) -> nw.LazyFrame[Any]:
    """Add the column `name` of a small table to a frame, where the two agree in a text column; null elsewhere."""
    if frame.implementation.is_polars():
        found = nw.col(column).replace_strict(
            table[column].to_list(), table[name].to_list(), default=None, return_dtype=nw.from_native(table)[name].dtype
        )
        return frame.with_columns(found.alias(name))
    return frame.join(push(table, frame), on=column, how="left")


def stands_for(column: nw.Expr, values: Mapping[Any, Any], dtype: Any) -> nw.Expr:
    """Return what each value of a column stands for; null for any other value.

    A few values are a chain of conditions, which every engine knows: Spark Connect has no dictionaries.
    """
    if len(values) > _MOST_CONDITIONS:
        return column.replace_strict(list(values), list(values.values()), default=None, return_dtype=dtype)
    found = nw.lit(None, dtype)
    for value, meaning in values.items():
        found = nw.when(column == value).then(nw.lit(meaning, dtype)).otherwise(found)
    return found


def are_distinct(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> bool:
    """Return whether all rows differ in some columns; False if that is not known.

    In polars, rows are compared by 64-bit hashes: equal rows have equal hashes, and different rows almost never do.
    """
    if not frame.implementation.is_polars():
        return False
    native: Any = frame.to_native()
    hashed = reduce(lambda number, name: number * _GOLDEN + pl.col(name).hash(), columns, pl.lit(0, pl.UInt64))
    numbers = native.select(hashed.alias("hash")).collect()["hash"]
    numbers = numbers.sort(multithreaded=len(numbers) > _SORTED_ALONE)
    return int(numbers.n_unique()) == len(numbers)


def distinct_names(frame: nw.LazyFrame[Any], names: Sequence[str]) -> list[str]:
    """Return names of columns that the engine of a frame can tell apart: those that differ only in case get numbers."""
    if not ignores_case(frame):
        return list(names)
    taken: set[str] = set()
    distinct = []
    for name in names:
        numbered = (name if number == 1 else f"{name}_{number}" for number in itertools.count(1))
        later = {other.casefold() for other in names} if name.casefold() in taken else set()
        chosen = next(one for one in numbered if one.casefold() not in taken | later)
        taken.add(chosen.casefold())
        distinct.append(chosen)
    renamed = [f"{new!r} for {name!r}" for name, new in zip(names, distinct, strict=True) if new != name]
    if renamed:
        more = f" and {len(renamed) - _SHOWN:,} more" * (len(renamed) > _SHOWN)
        warn(
            f"this engine does not tell names apart by case, so columns are renamed: "
            f"{', '.join(renamed[:_SHOWN])}{more}"
        )
    return distinct


def ignores_case(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> bool:
    """Return whether the engine of a frame takes names of columns that differ only in case for one name."""
    if frame.implementation.is_duckdb():
        return True
    if not is_spark(frame):
        return False
    native: Any = frame.to_native()
    return bool(native.sparkSession.conf.get("spark.sql.caseSensitive") != "true")


def plain_columns(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> list[str]:
    """Return those text columns of rows in memory that are clean at one look.

    Their cells are ASCII without a space or a control character at either end, and none is empty.
    """

    def plain(name: str) -> pl.Expr:
        cells, ends = pl.col(name).str, pl.col(name).cast(pl.Binary).bin
        visible = ((ends.get(place, null_on_oob=True) > _SPACE).all() for place in (0, -1))
        ascii_only = cells.len_bytes().sum() == cells.len_chars().sum()
        return pl.all_horizontal(*visible, ascii_only, (cells.len_bytes() > 0).all())

    native: Any = frame.to_native()
    found = native.select(plain(name).alias(name) for name in columns).collect().row(0, named=True)
    return [name for name, is_plain in found.items() if is_plain]


def clean_text(frame: nw.LazyFrame[Any], columns: Iterable[str], white_space: str) -> nw.LazyFrame[Any]:
    """Trim text columns, convert them to Unicode normal form C, and replace empty cells by null."""
    names = list(columns)
    trimmed = _nfc(frame.with_columns(nw.col(name).str.strip_chars(white_space) for name in names), names)
    return trimmed.with_columns(nw.when(nw.col(name) != "").then(nw.col(name)).alias(name) for name in names)


def _nfc(frame: nw.LazyFrame[Any], names: Sequence[str]) -> nw.LazyFrame[Any]:
    """Convert text columns to Unicode normal form C, so that equal names are equal text."""
    native: Any = frame.to_native()
    if frame.implementation.is_polars():

        def normal(cells: pl.Series) -> pl.Series:
            plain = (cells.str.len_bytes() == cells.str.len_chars()).all()
            return cells if plain else cells.str.normalize("NFC")

        return _wrap(
            native.with_columns(pl.col(names).map_batches(normal, return_dtype=pl.String, is_elementwise=True))
        )
    if is_duckdb(frame):
        replaced = ", ".join(f"nfc_normalize({_quoted(name)}) AS {_quoted(name)}" for name in names)
        return _wrap(native.project(f"* REPLACE ({replaced})"))
    return _wrap(native.selectExpr(*(_spark_nfc(name) if name in names else _ticked(name) for name in native.columns)))


def _spark_nfc(name: str) -> str:
    """Return the SQL that converts a column to normal form C with the ICU library of Spark."""
    column = _ticked(name)
    composed = f"java_method('com.ibm.icu.text.Normalizer', 'compose', {column}, false)"
    return f"CASE WHEN octet_length({column}) > char_length({column}) THEN {composed} ELSE {column} END AS {column}"


def is_spark(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> bool:
    """Return whether a frame belongs to Spark, classic or Connect."""
    return bool(frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect())


def is_duckdb(frame: nw.LazyFrame[Any]) -> bool:
    """Return whether a frame belongs to duckdb."""
    return bool(frame.implementation.is_duckdb())


def _wrap(native: Any) -> nw.LazyFrame[Any]:
    """Wrap a lazy native frame."""
    wrapped: nw.LazyFrame[Any] = nw.from_native(native)
    return wrapped


def _quoted(name: str) -> str:
    """Quote a column name for duckdb."""
    return '"' + name.replace('"', '""') + '"'


def _ticked(name: str) -> str:
    """Quote a column name for Spark."""
    return "`" + name.replace("`", "``") + "`"
