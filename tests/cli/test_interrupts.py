"""What is left when the command is interrupted or killed in the middle of its work: the old file or the new one."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import EXECUTABLE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")

HELD = """
import os, sys, time
from bribeproof.cli import main
from bribeproof.io import atomic

def hold(_):
    print("held", flush=True)
    for _ in range(1200):
        time.sleep(0.1)  # a signal between two of Python's looks for one and a system call does not end that call

atomic.os.fsync = hold  # every byte is written, and the new file has not yet taken the name of the old one
main()
"""

ITEMS = 3
SECONDS = 120
"""After so long something hangs, however busy the machine is."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return _votes(tmp_path / "votes.csv", ITEMS)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (folder := tmp_path / "out").mkdir()
    (folder / "answer.csv").write_text("old\n")
    return folder / "answer.csv"


def _votes(path: Path, items: int) -> Path:
    """Three votes on each item."""
    rows = "\n".join(f"item {item},w{worker},{item % 2}" for item in range(items) for worker in range(3))
    path.write_text(f"task,worker,label\n{rows}\n")
    return path


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _until(met: Callable[[], bool], process: "subprocess.Popen[bytes]") -> bool:
    """Wait until something happens, or the process is over."""
    end = time.monotonic() + SECONDS
    while not met():
        if process.poll() is not None or time.monotonic() > end:
            return False
    return True


@pytest.mark.parametrize(
    ("number", "status", "said"),
    [
        (signal.SIGINT, 130, b"bribeproof: interrupted\n"),
        (signal.SIGTERM, 143, b""),
        pytest.param(signal.SIGHUP, 129, b"", marks=pytest.mark.slow),
        (signal.SIGKILL, -9, b""),
    ],
)
def test_a_signal_before_the_new_file_is_whole_leaves_the_old_one(
    source: Path, target: Path, number: signal.Signals, status: int, said: bytes
) -> None:
    command: list[str | Path] = [sys.executable, "-c", HELD, "aggregate", source, "--k", "1", "-o", target]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert len(_names(target.parent)) == 2
        process.send_signal(number)
        _, error = process.communicate(timeout=SECONDS)
    assert (process.returncode, error) == (status, said)
    assert target.read_text() == "old\n"
    assert _names(target.parent) == [target.name]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_signal_while_a_large_file_is_written_leaves_a_whole_one(
    tmp_path: Path, target: Path, number: signal.Signals
) -> None:
    items = 60_000
    source = _votes(tmp_path / "many.csv", items)
    command: list[str | Path] = [EXECUTABLE, "aggregate", source, "--k", "1", "-o", target, "--rows", "0"]

    def writing() -> bool:
        return any(path.stat().st_size for path in target.parent.glob(".*.tmp"))

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        with suppress(FileNotFoundError):  # the new file took its name between two looks
            assert _until(writing, process) or process.wait() == 0
        process.send_signal(number)
        _, error = process.communicate(timeout=SECONDS)
    assert b"Traceback" not in error
    if target.read_text() != "old\n":
        assert pl.read_csv(target).height == items
    if number == signal.SIGINT:
        assert _names(target.parent) == [target.name]
        assert process.returncode in (0, 130, -number)  # the last while Python itself ends, after all is done


def test_an_interrupt_while_it_reads_is_one_line(tmp_path: Path) -> None:
    command: list[str | Path] = [EXECUTABLE, "aggregate", "-", "--k", "1", "-o", tmp_path / "answer.csv"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"task,worker,label\n" * 60_000)  # more than a pipe holds: it is being read
        time.sleep(0.5)
        while process.poll() is None:  # one that comes between Python's look for signals and the read does not end it
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
        assert process.returncode == 130
        assert process.stderr is not None
        assert process.stderr.read() == b"bribeproof: interrupted\n"
        with suppress(BrokenPipeError):
            process.stdin.close()
    assert _names(tmp_path) == []


def test_a_later_run_is_not_disturbed_by_what_a_kill_left(source: Path, target: Path) -> None:
    (target.parent / ".bribeproof-0123456789abcdef.tmp").write_text("half")
    subprocess.run([EXECUTABLE, "aggregate", source, "--k", "1", "-o", target], check=True, capture_output=True)
    assert bp.read_table(target).frame.height == ITEMS
