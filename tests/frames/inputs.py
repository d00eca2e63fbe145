"""One small table as every kind of input the library takes, and any answer back as plain rows."""

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import bribeproof as bp
from tests.frames.spark_session import spark

Columns = Mapping[str, Sequence[Any]]
Row = dict[str, Any]
Give = Callable[[Columns], Any]


def _pandas(columns: Columns) -> Any:
    import pandas as pd

    return pd.DataFrame(dict(columns))


def _pandas_object(columns: Columns) -> Any:
    import pandas as pd

    return pd.DataFrame(dict(columns), dtype=object)


def _arrow(columns: Columns) -> Any:
    import pyarrow as pa

    return pa.table(dict(columns))


def _duckdb(columns: Columns) -> Any:
    import duckdb

    return duckdb.from_arrow(_arrow(columns))


FRAMES: dict[str, Callable[[Columns], Any]] = {
    "polars": lambda columns: pl.DataFrame(dict(columns)),
    "polars-lazy": lambda columns: pl.LazyFrame(dict(columns)),
    "pandas": _pandas,
    "pandas-nullable": lambda columns: _pandas(columns).convert_dtypes(),
    "pandas-object": _pandas_object,
    "pyarrow": _arrow,
    "duckdb": _duckdb,
    "pyspark": lambda columns: spark().createDataFrame(_arrow(columns)),
}
"""How each kind of frame is made; its package is imported when the first is."""
UNORDERED = ("duckdb", "pyspark")
"""Engines whose rows have no order; their results are sorted by item."""
FILES = ("csv", "parquet", "ndjson", "json")
KINDS = (*FRAMES, *FILES)
_MARKS = {"pyspark": (pytest.mark.spark, pytest.mark.slow)}
"""A small table costs Spark seconds; what runs by default is in tests/aggregation/test_spark.py."""
_LATE = dict.fromkeys(("pandas-nullable", "pandas-object", "parquet", "ndjson", "json"), (pytest.mark.slow,))
"""Kinds that others are like in the main."""
EACH_KIND = [pytest.param(kind, marks=(_MARKS | _LATE).get(kind, ())) for kind in KINDS]
EACH_FRAME = [pytest.param(kind, marks=(_MARKS | _LATE).get(kind, ())) for kind in FRAMES]
SOME_KINDS = [
    pytest.param(kind, marks=[*_MARKS.get(kind, ()), *([] if kind in ("polars", "csv") else [pytest.mark.slow])])
    for kind in KINDS
]
"""Every kind of input, of which only frames of polars and CSV files are tested by default."""
EACH_FORM = [
    pytest.param(*case.values, wide, marks=[*case.marks, *([pytest.mark.slow] if late else [])])
    for case in EACH_KIND
    for wide, late in ((False, False), (True, case.values[0] not in ("polars", "csv")))
    if case.values != ("pyspark",)
]
"""Every kind of input in long form, and in wide form, which by default only polars frames and CSV files have.

On Spark the cases are stacked, in tests/aggregation/test_spark.py.
"""
QUICK = tuple(kind for kind in KINDS if kind not in _MARKS)
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
    found: list[Row]
    match _package(result):
        case "polars":
            found = result.lazy().collect().rows(named=True)
        case "pyarrow":
            found = result.to_pylist()
        case "pyspark":
            found = result.toArrow().to_pylist()
        case "duckdb":
            found = [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]
        case "pandas":
            missing = result.isna()
            columns = {
                name: [None if no else cell for no, cell in zip(missing[name], result[name].tolist(), strict=True)]
                for name in result.columns
            }
            found = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        case package:
            raise TypeError(f"{package} has no frames that are known here")
    return found


def _package(frame: Any) -> str:
    """Name the package that a frame belongs to."""
    return type(frame).__module__.partition(".")[0].lstrip("_")


RESULTS = {"polars-lazy": "LazyFrame", "pyarrow": "Table", "duckdb": "DuckDBPyRelation"}
"""The name of the type of results for those kinds of input where it is not DataFrame."""


def check_frames(kind: str, found: Iterable[Any], expected: Iterable[pl.DataFrame], *, dtypes: bool = True) -> None:
    """Results have the type of frame that came in, and hold what the polars frames hold, rows in order."""
    for one, other in zip(found, expected, strict=True):
        assert type(one).__name__ == RESULTS.get(kind, "DataFrame")
        assert _package(one) == (kind.partition("-")[0] if kind in FRAMES else "polars")
        plain = pl.DataFrame(rows(one), schema=other.schema if dtypes else None, infer_schema_length=None)
        assert_frame_equal(plain, other, check_dtypes=dtypes)


def by_item(found: Iterable[Row]) -> dict[Any, Row]:
    """The rows keyed by their first column, for comparisons that must not depend on order."""
    return {next(iter(row.values())): row for row in found}


def check(result: Any, expected: Sequence[Row]) -> None:
    """Compare the columns that `expected` names, rows in order; text is compared as printed."""
    found = rows(result)
    if _package(result) in UNORDERED:
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
