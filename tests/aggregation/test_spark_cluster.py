"""The table functions on a cluster: two workers give the bits of one machine, also where one of them is killed."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import bribeproof as bp
from tests.aggregation.spark_cluster import SETTINGS, Cluster, environment, kill, running
from tests.frames.spark_session import spark, stop
from tests.paths import ROOT

JOB = Path(__file__).with_name("spark_job.py")
ITEMS = 20_000
PANEL = 10
FILES = 9
PYTHON = r"\w*(?:EvalPython|InPandas|InArrow|PythonUDF)\w*"
COLUMNS = {"scores": "score", "votes": "vote", "labels": "label"}

pytestmark = [pytest.mark.spark, pytest.mark.cluster]


@pytest.fixture(scope="module")
def reports() -> pl.DataFrame:
    """Marks in quarter steps, votes with many ties and labels of five classes; rows in no order, a tenth missing."""
    rng = np.random.default_rng(3)
    rows = ITEMS * PANEL
    frame = pl.DataFrame(
        {
            "task": np.arange(rows) // PANEL,
            "worker": np.arange(rows) % PANEL,
            "score": rng.integers(0, 40, rows) / 4,
            "vote": rng.integers(0, 2, rows),
            "label": rng.choice(list("abcdé"), rows),
        }
    )
    there = pl.Series(rng.random(rows) < 0.9)
    said = [pl.when(there).then(column).alias(column) for column in COLUMNS.values()]
    return frame.with_columns(pl.format("item {}", "task").alias("task"), *said)[rng.permutation(rows)]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Spark on a master and two workers."""
    with TemporaryDirectory() as folder, running(Path(folder)) as cluster, pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        yield spark(cluster.url, **SETTINGS)
        stop()


def write(reports: pl.DataFrame, folder: Path) -> str:
    """Write reports in some files."""
    folder.mkdir()
    for index in range(FILES):
        reports[index::FILES].write_parquet(folder / f"{index}.parquet")
    return str(folder)


def aggregate(kind: str, frame: Any) -> Any:
    match kind:
        case "scores":
            return bp.aggregate_scores(frame, k=1)
        case "votes":
            expert = bp.Expert(0.5, 0.8, 0.1)
            return bp.aggregate_votes(frame, k=1, vote="vote", ties="random", seed=7, expert=expert)
    return bp.aggregate_labels(frame, k=1, ties="first", seed=7)


def tasks(session: Any) -> list[int]:
    """Return how many tasks each executor has done."""
    executors = session._jsc.sc().statusStore().executorList(True)
    found = [executors.apply(index) for index in range(executors.size())]
    return [int(one.completedTasks()) for one in found if one.id() != "driver"]


@pytest.mark.parametrize("kind", COLUMNS)
def test_two_workers_give_the_bits_of_one_machine(
    kind: str, reports: pl.DataFrame, tmp_path: Path, session: Any
) -> None:
    some = reports.select("task", "worker", COLUMNS[kind])
    frame = session.read.parquet(write(some, tmp_path / "in"))
    answers = aggregate(kind, frame)
    plan = answers._jdf.queryExecution().executedPlan().toString()
    assert sorted(re.findall(r"\w*Exchange (\w+)", plan)) == ["hashpartitioning", "rangepartitioning"]
    assert not re.findall(PYTHON, plan)
    before = tasks(session)
    answers.write.parquet(str(tmp_path / "out"))
    assert len(before) == 2
    assert all(after > some for some, after in zip(before, tasks(session), strict=True))
    found = pl.read_parquet(tmp_path / "out" / "*.parquet").sort("task")
    assert found.equals(aggregate(kind, some).sort("task"))


@pytest.mark.parametrize("kind", COLUMNS)
def test_reports_do_not_come_to_the_driver(
    kind: str, reports: pl.DataFrame, tmp_path: Path, session: Any, fetched: list[int]
) -> None:
    frame = session.read.parquet(write(reports.select("task", "worker", COLUMNS[kind]), tmp_path / "in"))
    aggregate(kind, frame)
    # The names of the items, to warn about those that look alike, and a handful of facts.
    assert ITEMS < sum(fetched) < ITEMS + 50


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch, session: Any) -> list[int]:
    """Return the numbers of rows that have been brought to this process."""
    counts: list[int] = []
    frame: Any = type(session.range(1))
    bring = frame.toArrow

    def counted(self: Any) -> pa.Table:
        table = bring(self)
        counts.append(table.num_rows)
        return table

    for name in ("collect", "toPandas", "toLocalIterator"):
        monkeypatch.delattr(frame, name)
    monkeypatch.setattr(frame, "toArrow", counted)
    return counts


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Returns a cluster to do harm to."""
    with running(tmp_path) as started:
        yield started


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(
    cluster: Cluster, reports: pl.DataFrame, tmp_path: Path
) -> None:
    marks = reports.select("task", "worker", "score")
    told = []
    command = [sys.executable, str(JOB), cluster.url, write(marks.reverse(), tmp_path / "in"), str(tmp_path / "out")]
    variables = environment() | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    with (
        (tmp_path / "job.log").open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=variables, start_new_session=True) as job,
    ):
        try:
            assert job.stdout is not None
            for line in job.stdout:
                told.append(json.loads(line))
                if "half" in told[-1]:
                    kill(cluster.workers[0])
            job.wait()
        finally:
            kill(job)
    assert job.returncode == 0, (tmp_path / "job.log").read_text()
    assert told[0] == {"half": True}
    assert told[-1]["attempts"] > 1
    assert cluster.workers[0].poll() is not None
    found = pl.read_parquet(tmp_path / "out" / "*.parquet").sort("task")
    assert found.equals(bp.aggregate_scores(marks, k=1).sort("task"))
