"""Frames of Spark Connect are aggregated on the server, to the bits of a table in memory."""

import os
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import bribeproof as bp
from tests.integrations.page import check_page

pytest.importorskip("grpc", reason="pyspark's client of Spark Connect needs grpcio")
pytest.importorskip("pyspark")
pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.filterwarnings("default")]

ITEMS = 12
ROWS = pl.DataFrame(
    {
        "task": [f"t{i}" for i in range(ITEMS) for _ in range(5)],
        "worker": list("abcde") * ITEMS,
        "score": [
            None if (i + j) % 9 == 0 else (i * 7 + j * 13) % 11 + 0.1 * j for i in range(ITEMS) for j in range(5)
        ],
    }
)
LABELS = ROWS.select("task", "worker", label=pl.col("score").floor().cast(pl.Int64).cast(pl.String).str.slice(0, 1))
VOTES = ROWS.select("task", "worker", label=(pl.col("score") > 5).cast(pl.Int64))


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """A client of a server on this machine, which it starts."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "SPARK_LOCAL_IP", "127.0.0.1")
        builder = SparkSession.builder.remote("local[2]")
        builder = builder.config("spark.sql.codegen.wholeStage", "false").config("spark.sql.shuffle.partitions", "2")
        session = builder.getOrCreate()
        yield session
        session.stop()


def sent(session: Any, rows: pl.DataFrame) -> Any:
    """Return rows as a frame of Spark Connect."""
    frame = session.createDataFrame(rows.to_arrow(compat_level=pl.CompatLevel.oldest()))
    assert type(frame).__module__ == "pyspark.sql.connect.dataframe"
    return frame


CALLS: dict[str, tuple[Any, pl.DataFrame, dict[str, Any]]] = {
    "scores": (bp.aggregate_scores, ROWS.with_columns(pl.col("score").sin()), {"k": 1}),
    "votes": (bp.aggregate_votes, VOTES, {"k": 1, "expert": bp.Expert(0.5, 0.8, 0.1)}),
    "labels": (bp.aggregate_labels, LABELS, {"k": 1, "ties": "random", "seed": 7}),
}


@pytest.mark.parametrize("name", CALLS)
def test_aggregation_stays_on_the_server_and_gives_the_same_bits(session: Any, name: str) -> None:
    aggregate, rows, options = CALLS[name]
    answer = aggregate(sent(session, rows), **options)
    assert type(answer).__module__ == "pyspark.sql.connect.dataframe"
    found = pl.DataFrame(pl.from_arrow(answer.toArrow())).sort("task")
    expected = aggregate(rows, **options).sort("task")
    assert_frame_equal(found, expected, check_exact=True, check_dtypes=False)


def test_errors_name_the_report(session: Any) -> None:
    marks = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "score": [1.0, float("inf"), 2.0]})
    with pytest.raises(bp.DataError, match="score inf of reporter 'b' on item 't' is infinite"):
        bp.aggregate_scores(sent(session, marks), k=1)


def test_the_page(session: Any) -> None:
    del session  # which the page gets from the builder
    check_page("spark")
