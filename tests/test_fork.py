"""Forked processes: tables work, or are refused at once; they never wait for threads that were not copied."""

import multiprocessing
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")

SCRIPT = """
import multiprocessing, sys, tempfile
from pathlib import Path
import bribeproof as bp

folder = tempfile.TemporaryDirectory()
path = Path(folder.name, "votes.csv")
path.write_text("task,worker,label\\nt1,a,1\\nt1,b,1\\nt1,c,0\\n")

def frame():
    import polars as pl
    votes = {"task": ["t1"] * 3, "worker": ["a", "b", "c"], "label": [1, 1, 0]}
    return bp.aggregate_votes(pl.DataFrame(votes), k=1)["m"].to_list()

def file():
    return bp.read_table(path).frame.height

def scanned():
    with bp.scan_table(path) as table:
        return bp.aggregate_votes(table, k=1).height

def written():
    import polars as pl
    bp.write_table(pl.DataFrame({"a": [1]}), path.with_name("new.csv"))

def array():
    return float(bp.trimmed_mean([[1, 2, 4, 9, 9]], k=1)[0])

def child(name):
    try:
        return name, globals()[name]()
    except bp.ForkError as error:
        return name, str(error)

for name in sys.argv[1].split():
    child(name)
with multiprocessing.get_context("fork").Pool(1) as pool:
    for name in sys.argv[2].split():
        print(*pool.apply(child, [name]))
"""


def outcomes(before: str, after: str) -> dict[str, str]:
    """What functions return in a forked process, after others have been called in its parent."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, before, after], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def test_a_fork_before_the_first_table_does_no_harm() -> None:
    assert outcomes("array", "file frame scanned array") == {
        "file": "3", "frame": "[3]", "scanned": "1", "array": "5.0",
    }  # fmt: skip


@pytest.mark.parametrize("before", ["frame", pytest.param("file", marks=pytest.mark.slow)])
def test_tables_are_refused_at_once_after_a_fork(before: str) -> None:
    found = outcomes(before, "file frame scanned written array")
    assert found.pop("array") == "5.0"
    assert sorted(found) == ["file", "frame", "scanned", "written"]
    for message in found.values():
        assert "was forked from one that had used tables" in message
        assert "forkserver" in message
