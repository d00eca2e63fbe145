"""One Spark session at a time in a process of tests: on two threads of this machine, or on a cluster."""

import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BRIEF = "-XX:TieredStopAtLevel=1"
"""An option of Java that pays where a process lives for a minute."""
SETTINGS = {
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": BRIEF,
    "spark.log.level": "OFF",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.ui.liveUpdate.period": "0",
    "spark.python.sql.dataFrameQueryContext.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.caseSensitive": "true",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
}
"""Everything is off that only pays on large tables."""

_sessions: dict[str, "SparkSession"] = {}


def spark(master: str = "local[2]", **settings: str) -> "SparkSession":
    """Return the session on a master; a session on another one is stopped first, since a process can have only one."""
    if master not in _sessions:
        if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
            pytest.skip("Spark needs Java")
        from pyspark.sql import SparkSession

        stop()
        os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        builder = SparkSession.builder.master(master).appName("bribeproof")
        for name, setting in (SETTINGS | settings).items():
            builder = builder.config(name, setting)
        _sessions[master] = builder.getOrCreate()
    return _sessions[master]


def stop() -> None:
    """Stop the session; its Java process ends with this one, whose end it notices however this one ends."""
    for session in _sessions.values():
        session.stop()
    _sessions.clear()
