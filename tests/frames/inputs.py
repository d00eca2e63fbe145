"""One small table as every kind of input the library takes, and any answer back as plain rows."""

import csv
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal
from pyspark.sql import DataFrame as SparkFrame
from pyspark.sql import SparkSession

import bribeproof as bp
from tests.aggregation.spark_cluster import SETTINGS, environment, running

Columns = Mapping[str, Sequence[Any]]
Row = dict[str, Any]
Give = Callable[[Columns], Any]


AFTERWARDS = ExitStack()
"""What has to be ended when all tests have run."""


@cache
def spark() -> SparkSession:
    """Spark on a cluster of its own, a master and two workers, that lives as long as the tests."""
    folder = AFTERWARDS.enter_context(TemporaryDirectory())
    cluster = AFTERWARDS.enter_context(running(Path(folder)))
    os.environ |= environment()
    builder = SparkSession.builder.master(cluster.url).appName("bribeproof")
    for name, setting in SETTINGS.items():
        builder = builder.config(name, setting)
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    AFTERWARDS.callback(session.stop)
    return session


FRAMES: dict[str, Callable[[Columns], Any]] = {
    "polars": lambda columns: pl.DataFrame(dict(columns)),
    "polars-lazy": lambda columns: pl.LazyFrame(dict(columns)),
    "pandas": lambda columns: pd.DataFrame(dict(columns)),
    "pandas-nullable": lambda columns: pd.DataFrame(dict(columns)).convert_dtypes(),
    "pandas-object": lambda columns: pd.DataFrame(dict(columns), dtype=object),
    "pyarrow": lambda columns: pa.table(dict(columns)),
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(dict(columns))),
    "pyspark": lambda columns: spark().createDataFrame(pa.table(dict(columns))),
}
UNORDERED = ("duckdb", "pyspark")
"""Engines whose rows have no order; their results are sorted by item."""
FILES = ("csv", "parquet", "ndjson", "json")
KINDS = (*FRAMES, *FILES)
ON_ONE_PROCESS = {"pyspark": pytest.mark.xdist_group("spark")}
"""Marks for engines that take so long to start that only one process should."""
EACH_KIND = [pytest.param(kind, marks=ON_ONE_PROCESS.get(kind, ())) for kind in KINDS]
EACH_FRAME = [pytest.param(kind, marks=ON_ONE_PROCESS.get(kind, ())) for kind in FRAMES]
QUICK = tuple(kind for kind in KINDS if kind not in ON_ONE_PROCESS)
ORDERED = tuple(kind for kind in KINDS if kind not in UNORDERED)


def give(kind: str, columns: Columns, folder: Path) -> Any:
    """The table as the library receives it: a native frame, or a file written in `folder` and read."""
    if kind in FRAMES:
        return FRAMES[kind](columns)
    path = folder / f"table.{kind}"
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if kind == "parquet":
        pl.DataFrame(dict(columns)).write_parquet(path)
    elif kind == "json":
        path.write_text(json.dumps(records), encoding="utf-8")
    elif kind == "ndjson":
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(records)
    return bp.read_table(path)


def lengthen(wide: Columns, value: str) -> dict[str, list[Any]]:
    """Long form of a wide table whose first column holds the items; a blank cell becomes a missing report."""
    item, *judges = wide
    cells = [(row, judge) for row in range(len(wide[item])) for judge in judges]
    return {
        item: [wide[item][row] for row, _ in cells],
        "worker": [judge for _, judge in cells],
        value: [wide[judge][row] for row, judge in cells],
    }


def widen(long: Columns) -> dict[str, list[Any]]:
    """Wide form of a long table (item, reporter, value) without repeats; an absent report becomes a blank."""
    item, reporter, value = long
    items, reporters = dict.fromkeys(long[item]), dict.fromkeys(long[reporter])
    cells = dict(zip(zip(long[item], long[reporter], strict=True), long[value], strict=True))
    return {item: list(items)} | {who: [cells.get((what, who)) for what in items] for who in reporters}


def long(*reports: tuple[Any, Any, Any]) -> dict[str, list[Any]]:
    """A table task, worker, label from its rows."""
    return {name: [row[i] for row in reports] for i, name in enumerate(("task", "worker", "label"))}


def panel(votes: str) -> dict[str, list[Any]]:
    """One item t1; each letter is the vote of one worker, a blank is a missing report."""
    return long(*(("t1", f"w{i}", vote.strip() or None) for i, vote in enumerate(votes)))


def expecting(warning: str | None) -> AbstractContextManager[Any]:
    """The warning that a call must give, or nothing."""
    return nullcontext() if warning is None else pytest.warns(bp.BribeproofWarning, match=warning)


def rows(result: Any) -> list[Row]:
    """The answer as plain rows, in its own order. NaN stands for null in pandas and nowhere else."""
    match result:
        case pl.LazyFrame():
            return result.collect().rows(named=True)
        case pl.DataFrame():
            return result.rows(named=True)
        case pa.Table():
            found: list[Row] = result.to_pylist()
            return found
        case duckdb.DuckDBPyRelation():
            return [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]
        case SparkFrame():
            spread: list[Row] = result.toArrow().to_pylist()
            return spread
        case pd.DataFrame():
            columns = {name: [None if pd.isna(v) else v for v in result[name].tolist()] for name in result.columns}
            return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    raise TypeError(f"{type(result)} is no frame")


RESULTS: dict[str, type] = {
    "polars-lazy": pl.LazyFrame,
    "pandas": pd.DataFrame,
    "pandas-nullable": pd.DataFrame,
    "pandas-object": pd.DataFrame,
    "pyarrow": pa.Table,
    "duckdb": duckdb.DuckDBPyRelation,
    "pyspark": SparkFrame,
}
"""The type of the frames in results for each kind of input; polars data frames for all others."""


def check_frames(kind: str, found: Iterable[Any], expected: Iterable[pl.DataFrame], *, dtypes: bool = True) -> None:
    """Results have the type of frame that came in, and hold what the polars frames hold, rows in order."""
    for one, other in zip(found, expected, strict=True):
        assert isinstance(one, RESULTS.get(kind, pl.DataFrame))
        plain = pl.DataFrame(rows(one), schema=other.schema if dtypes else None, infer_schema_length=None)
        assert_frame_equal(plain, other, check_dtypes=dtypes)


def by_item(found: Iterable[Row]) -> dict[Any, Row]:
    """The rows keyed by their first column, for comparisons that must not depend on order."""
    return {next(iter(row.values())): row for row in found}


def check(result: Any, expected: Sequence[Row]) -> None:
    """Compare the columns that `expected` names, rows in order; text is compared as printed."""
    found = rows(result)
    if isinstance(result, duckdb.DuckDBPyRelation | SparkFrame):
        expected = sorted(expected, key=lambda row: next(iter(row.values())))
    absent = "no such column"
    agreed = [
        {name: want if _agree(row.get(name, absent), want) else row.get(name, absent) for name, want in wanted.items()}
        for row, wanted in zip(found, expected, strict=False)
    ]
    assert agreed == list(expected)
    assert len(found) == len(expected)


def _agree(got: Any, want: Any) -> bool:
    match want:
        case None | bool():
            return got is want
        case str():
            return got is not None and str(got) == want
        case float():
            return bool(got == pytest.approx(want, rel=1e-12, abs=1e-12))
    return bool(got == want) and not isinstance(got, bool)
