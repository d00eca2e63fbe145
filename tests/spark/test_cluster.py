"""The table functions on a real cluster: the same bits as on one machine, also where a worker is killed."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from cluster import Cluster, environment, running

import bribeproof as bp

JOB = Path(__file__).with_name("job.py")
FILES = 5
ITEMS = 6_000

pytestmark = pytest.mark.xdist_group("spark")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="module")
def tables() -> dict[str, pl.DataFrame]:
    """Half-decimal marks, votes with many ties and labels of five classes, rows in no order."""
    rng = np.random.default_rng(3)
    items = np.repeat(np.arange(ITEMS), 10)
    rows = rng.permutation(len(items))
    who = pl.DataFrame(
        {"task": items, "worker": [f"w{j:02}" for j in np.tile(np.arange(10), ITEMS)]},
    ).with_columns(pl.format("item {}", "task").alias("task"))
    values = {
        "scores": ("score", pl.Series(rng.integers(0, 40, len(items)) / 4)),
        "votes": ("label", pl.Series(rng.integers(0, 2, len(items)))),
        "labels": ("label", pl.Series(rng.choice(list("abcdé"), len(items)))),
    }
    missing = pl.Series(rng.random(len(items)) < 0.1)
    return {
        kind: who.with_columns(pl.when(~missing).then(column).alias(name))[rows]
        for kind, (name, column) in values.items()
    }


def write(tables: dict[str, pl.DataFrame], folder: Path, *, files: int) -> None:
    """Write each table in a few files."""
    for kind, table in tables.items():
        (folder / kind).mkdir(parents=True)
        for index in range(files):
            table[index::files].write_parquet(folder / kind / f"{index}.parquet")


def submit(cluster: Cluster, source: Path, output: Path, *kinds: str, kill: bool) -> list[dict[str, Any]]:
    """Run the job as a user would; kill a worker in its middle if asked to."""
    told: list[dict[str, Any]] = []
    errors = output.with_suffix(".log")
    command = [sys.executable, str(JOB), cluster.url, str(source), str(output), *kinds]
    with (
        errors.open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment()) as job,
    ):
        assert job.stdout is not None
        for line in job.stdout:
            told.append(json.loads(line))
            if kill and "middle" in told[-1]:
                cluster.kill_a_worker()
    assert job.returncode == 0, errors.read_text()
    return told


def on_one_machine(tables: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    return {
        "scores": bp.aggregate_scores(tables["scores"], k=1),
        "votes": bp.aggregate_votes(tables["votes"], k=1, ties="random", seed=7, expert=bp.Expert(0.5, 0.8, 0.1)),
        "labels": bp.aggregate_labels(tables["labels"], k=1, ties="first", seed=7),
    }


def check(output: Path, expected: dict[str, pl.DataFrame]) -> None:
    for kind, frame in expected.items():
        found = pl.read_parquet(output / kind / "*.parquet")
        assert found.columns == frame.columns
        assert found.sort("task").equals(frame.sort("task")), kind


def test_a_cluster_gives_the_bits_of_one_machine(
    cluster: Cluster, tables: dict[str, pl.DataFrame], tmp_path: Path
) -> None:
    write(tables, tmp_path / "in", files=FILES)
    told = submit(cluster, tmp_path / "in", tmp_path / "out", *tables, kill=False)
    assert told[0] == {"executors": 2}
    plans = {one["kind"]: one for one in told if "kind" in one}
    assert {kind: plan["exchanges"] for kind, plan in plans.items()} == {"scores": 2, "votes": 2, "labels": 2}
    assert not any(plan["udfs"] for plan in plans.values())
    check(tmp_path / "out", on_one_machine(tables))


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(
    cluster: Cluster, tables: dict[str, pl.DataFrame], tmp_path: Path
) -> None:
    moved = {"scores": tables["scores"].reverse()}
    write(moved, tmp_path / "in", files=4 * FILES)
    told = submit(cluster, tmp_path / "in", tmp_path / "out", "scores", kill=True)
    assert told[0] == {"executors": 2}
    assert {"middle": True} in told
    assert told[-1] == {"executors": 1}
    check(tmp_path / "out", {"scores": bp.aggregate_scores(tables["scores"], k=1)})
