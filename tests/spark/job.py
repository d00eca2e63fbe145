"""What a user submits: ``python job.py MASTER INPUT OUTPUT KIND…``; aggregates and says what became of the executors.

Says ``middle`` on standard output while tasks of the last stage but one are done and others still run.
"""

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

import bribeproof as bp

UDFS = ("BatchEvalPython", "ArrowEvalPython", "MapInPandas", "MapInArrow", "PythonUDF")


def main(master: str, folder: str, output: str, *kinds: str) -> None:
    """Aggregate some of scores, votes and labels, each from all files of its folder."""
    session = SparkSession.builder.master(master).appName("bribeproof")
    for name, setting in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": "512m",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.sql.files.maxPartitionBytes": "300000",
        "spark.sql.session.timeZone": "UTC",
    }.items():
        session = session.config(name, setting)
    spark = session.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    _say(executors=_executors(spark))
    threading.Thread(target=_watch, args=(spark,), daemon=True).start()
    calls: dict[str, tuple[Any, dict[str, Any]]] = {
        "scores": (bp.aggregate_scores, {"k": 1}),
        "votes": (bp.aggregate_votes, {"k": 1, "ties": "random", "seed": 7, "expert": bp.Expert(0.5, 0.8, 0.1)}),
        "labels": (bp.aggregate_labels, {"k": 1, "ties": "first", "seed": 7}),
    }
    for kind in kinds:
        aggregate, options = calls[kind]
        reports = spark.read.parquet(str(Path(folder) / kind))
        result = aggregate(reports, **options)
        plan = _plan(result)
        _say(kind=kind, exchanges=plan.count("Exchange "), udfs=[name for name in UDFS if name in plan])
        result.write.parquet(str(Path(output) / kind))
    _say(executors=_executors(spark))
    spark.stop()


def _watch(spark: SparkSession) -> None:
    """Say once that the job is in the middle of its work."""
    status = spark.sparkContext.statusTracker()
    while True:
        for stage in status.getActiveStageIds():
            info = status.getStageInfo(stage)
            if info and info.numCompletedTasks > 1 and info.numActiveTasks > 1 and info.numTasks > 8:
                _say(middle=True)
                return
        time.sleep(0.05)


def _executors(spark: SparkSession) -> int:
    """Count the executors, once two have had the time to come, or one to go."""
    found = 0
    for _ in range(300):
        found = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
        if found >= 2:
            break
        time.sleep(0.1)
    return int(found)


def _plan(result: DataFrame) -> str:
    """Return the physical plan as text."""
    return str(result._jdf.queryExecution().executedPlan().toString())


def _say(**facts: Any) -> None:
    """Tell the test, a line of JSON at a time."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
