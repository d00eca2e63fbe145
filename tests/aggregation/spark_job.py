"""What a user submits: ``python spark_job.py MASTER INPUT OUTPUT``, the scores of a folder; tells how it goes.

Every line on standard output is a fact in JSON: that the answer is half computed, then how often its stages were tried.
"""

import json
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import bribeproof as bp
from tests.aggregation.spark_cluster import SETTINGS as CLUSTER
from tests.frames.spark_session import spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ANSWER = "answer"
# Both workers are on one machine; what is shuffled goes through the network, as between two, without long waits.
NETWORK = {
    "spark.shuffle.readHostLocalDisk": "false",
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
}


def main(master: str, source: str, target: str) -> None:
    """Aggregate scores from all files of a folder."""
    session = spark(master, **CLUSTER, **NETWORK, **{"spark.sql.shuffle.partitions": "12"})
    threading.Thread(target=_watch, args=(session,), daemon=True).start()
    answers = bp.aggregate_scores(session.read.parquet(source), k=1)
    session.sparkContext.setJobGroup(ANSWER, "the answers, when all facts are known")
    answers.write.parquet(target)
    _say(attempts=max(stage.currentAttemptId + 1 for stage in _stages(session)))
    session.stop()


def _watch(session: "SparkSession") -> None:
    """Say once that a stage of the answer is done, and that some tasks of the next are, some run and some wait."""
    while True:
        stages = _stages(session)
        done = any(stage.numCompletedTasks == stage.numTasks for stage in stages)
        if done and any(0 < stage.numCompletedTasks < stage.numTasks - stage.numActiveTasks for stage in stages):
            _say(half=True)
            return
        time.sleep(0.01)


def _stages(session: "SparkSession") -> list[Any]:
    """Return what is known about the stages of the answer."""
    status = session.sparkContext.statusTracker()
    jobs = [status.getJobInfo(job) for job in status.getJobIdsForGroup(ANSWER)]
    stages = [status.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return [stage for stage in stages if stage]


def _say(**facts: Any) -> None:
    """Tell the test a fact."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
