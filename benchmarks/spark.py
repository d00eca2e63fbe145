"""Measure the time of aggregation on Spark relative to polars, on the same rows and cores in one run.

Run: ``python benchmarks/spark.py [--rows 2000000]``, with the extra ``spark``. Spark has its input cached; answers are
computed to the last row and thrown away.
"""

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

import bribeproof as bp
from contest import seconds
from tables import long

RUNS = 3


def main() -> None:
    """Print the ratio for each function."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    rows = parser.parse_args().rows
    session = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "4")
    spark = session.config("spark.driver.memory", "4g").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    tables = {
        "votes": (bp.aggregate_votes, long(rows, "label", lambda rng, count: rng.integers(0, 2, count))),
        "labels": (bp.aggregate_labels, long(rows, "label", lambda rng, count: rng.integers(0, 10, count))),
        "scores": (
            bp.aggregate_scores,
            long(rows, "score", lambda rng, count: rng.integers(0, 40, count) / 4),
        ),
    }
    print(f"{rows:,} rows; time on Spark / on polars, median of {RUNS} (min to max)")
    with tempfile.TemporaryDirectory() as folder:
        for kind, (aggregate, frame) in tables.items():
            path = Path(folder) / f"{kind}.parquet"
            frame.write_parquet(path, row_group_size=rows // 8)
            cached = spark.read.parquet(str(path)).cache()
            cached.count()

            def on_spark(aggregate: Any = aggregate, cached: Any = cached) -> None:
                aggregate(cached, 1).write.format("noop").mode("overwrite").save()

            def on_polars(aggregate: Any = aggregate, frame: Any = frame) -> None:
                aggregate(frame, 1)

            seconds(on_spark), seconds(on_polars)
            ratios = [seconds(on_spark) / seconds(on_polars) for _ in range(RUNS)]
            print(f"{kind:8} {statistics.median(ratios):6.1f}  ({min(ratios):.1f} to {max(ratios):.1f})", flush=True)
            cached.unpersist()
    spark.stop()


if __name__ == "__main__":
    main()
