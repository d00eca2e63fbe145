"""Standard streams that are closed or full: one line where it can be written, status 2, and no half of a file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import EXECUTABLE, VOTES, put

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the redirections are those of a POSIX shell")

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
CLOSED_OUT = "standard output is closed"
CLOSED_IN = "standard input is closed"
NO_ROOM = "the answer could not be printed"


def run(folder: Path, line: str) -> "subprocess.CompletedProcess[str]":
    """Run a line of a shell in a folder with a table of votes; `$B` is the command."""
    put(folder / "votes.csv", VOTES)
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env={**os.environ, "B": str(EXECUTABLE)}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("$B aggregate votes.csv --k 1 -o answer.csv >&-", CLOSED_OUT),
        ("$B aggregate - --k 1 -o answer.csv <&-", CLOSED_IN),
        ("$B aggregate none.csv --k 1 2>&-", ""),
        pytest.param("$B --help >/dev/full", NO_ROOM, marks=FULL),
        pytest.param("$B explore --no-browser --port 0 >/dev/full", NO_ROOM, marks=[FULL, pytest.mark.slow]),
        pytest.param("$B --help >&-", CLOSED_OUT, marks=pytest.mark.slow),
        pytest.param("$B explore --no-browser --port 0 >&-", CLOSED_OUT, marks=pytest.mark.slow),
        pytest.param("$B aggregate votes.csv --k 1 --json >&-", CLOSED_OUT, marks=pytest.mark.slow),
        pytest.param("$B aggregate votes.csv --k 1 <&- >&- 2>&-", "", marks=pytest.mark.slow),
        pytest.param("$B aggregate none.csv --k 1 2>/dev/full", "", marks=[FULL, pytest.mark.slow]),
        pytest.param("ulimit -v 90000000; $B aggregate none.csv --k 1 2>&-", "", marks=pytest.mark.slow),
        pytest.param("ulimit -v 90000000; $B aggregate votes.csv --k 1 >&-", CLOSED_OUT, marks=pytest.mark.slow),
    ],
)
def test_a_closed_or_full_stream_is_one_line_and_status_2(tmp_path: Path, line: str, said: str) -> None:
    done = run(tmp_path, line)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith(f"bribeproof: {said}" if said else ""), done
    assert done.stderr.count("\n") == bool(said), done
    assert [path.name for path in tmp_path.iterdir()] == ["votes.csv"]


@pytest.mark.parametrize(
    "redirection",
    [
        "<&- 2>&-",
        pytest.param("2>/dev/full", marks=[FULL, pytest.mark.slow]),
        pytest.param("<&-", marks=pytest.mark.slow),
    ],
)
def test_a_stream_that_is_not_needed_may_be_closed(tmp_path: Path, redirection: str) -> None:
    done = run(tmp_path, f"$B aggregate votes.csv --k 1 -o answer.csv {redirection}")
    assert done.returncode == 0, done
    assert "\ntask " in done.stdout, done
    assert (tmp_path / "answer.csv").read_text().startswith("task,")
