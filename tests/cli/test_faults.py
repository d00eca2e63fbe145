"""What goes wrong on real machines, and tables of extreme shapes: a right answer or one line, a whole file or none."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import EXECUTABLE, Outcome, document, put, start


def votes(items: int, reporters: int) -> pl.DataFrame:
    rows = items * reporters
    columns = {"task": pl.Series(range(rows)) // reporters, "worker": pl.Series(range(rows)) % reporters}
    return pl.DataFrame(columns).with_columns(label=(pl.col("task") * 7 + pl.col("worker") * 3) % 5 // 3)


_SECONDS = 300.0
"""A command that has not ended by then hangs."""


def limited(what: int, most: int, *arguments: object) -> Outcome:
    """Run the command where the operating system limits something; half a file of bytecode would stay behind."""
    done = subprocess.run(
        [EXECUTABLE, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(what, (most, most)),
        timeout=_SECONDS,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


SLOW_ENDINGS = [pytest.param(ending, marks=pytest.mark.slow) for ending in ("parquet", "ndjson", "json")]


@pytest.mark.parametrize("ending", ["csv", *SLOW_ENDINGS])
def test_no_room_for_the_answer(tmp_path: Path, ending: str) -> None:
    votes(20_000, 3).write_parquet(tmp_path / "votes.parquet")
    target = tmp_path / "out" / f"answer.{ending}"
    target.parent.mkdir()
    target.write_text("old")
    done = limited(resource.RLIMIT_FSIZE, 10_000, "aggregate", tmp_path / "votes.parquet", "--k", 1, "-o", target)
    assert done.status == 2
    assert done.err.splitlines()[-1].startswith(f"bribeproof: {target}: cannot be written")
    assert target.read_text() == "old"
    assert [path.name for path in target.parent.iterdir()] == [target.name]


# At 700 and at 900 MB polars has waited for ever, in some runs, for a thread that could not be started.
@pytest.mark.parametrize("most", [400_000_000, pytest.param(500_000_000, marks=pytest.mark.slow)])
def test_memory_runs_out(tmp_path: Path, most: int) -> None:
    votes(400_000, 5).write_parquet(tmp_path / "votes.parquet")
    target = tmp_path / "answer.parquet"
    done = limited(resource.RLIMIT_AS, most, "aggregate", tmp_path / "votes.parquet", "--k", 1, "-o", target)
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith("bribeproof: memory ran out, and no answer was written")
    assert not target.exists()


@pytest.mark.parametrize(
    ("work", "status", "told"),
    [
        ("os.write(2, b'from an engine'); print('done', file=sys.stderr)", 0, "done\n"),
        ("os.write(2, b'from an engine'); sys.exit(2)", 2, ""),
        ("os.abort()", 7, "SIGABRT\n"),
        ("os.write(2, b'allocation of 9 bytes failed\\n'); os.abort()", 7, "allocation of 9 bytes failed\n"),
        (r"os.write(2, b'no room\nstack backtrace:\n  0: f\nnote: more\n'); os.abort()", 7, "no room\n"),
        ("import atexit; atexit.register(os.abort); print('no', file=sys.stderr); sys.exit(2)", 2, "no\n"),
        ("os.kill(os.getpid(), 11)", 7, "SIGSEGV\n"),
        ("os.kill(os.getpid(), 9)", 7, "killed, perhaps because memory ran out\n"),
        ("os.write(2, b'no memory'); os._exit(1)", 1, "no memory"),
        ("1 / 0", 1, "ZeroDivisionError: division by zero\n"),
        ("os.kill(os.getpid(), 15)", -15, ""),
    ],
)
def test_what_is_watched_ends_as_it_would_unless_a_library_crashes(work: str, status: int, told: str) -> None:
    assert watched(work) == (status, told)


@pytest.mark.parametrize("work", ["os.write(2, b'no memory'); os._exit(1)", "os.abort()", "raise SystemError"])
def test_what_is_watched_under_a_limit_ends_for_want_of_memory(work: str) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40)); "
    assert watched(limit + work, limit) == (7, "no memory\n")


def watched(work: str, before: str = "") -> tuple[int, str]:
    """Run work in a watched process; return the status and the end of what it says."""
    code = f"import os, sys; from bribeproof.cli.process_guard import run_guarded; {before}\n"
    code += "crash = run_guarded(lambda: exec(sys.argv[1])); "
    code += "print('no memory' if crash.no_memory else crash.reason, file=sys.stderr); sys.exit(7)"
    done = subprocess.run([sys.executable, "-c", code, work], capture_output=True, text=True, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr.splitlines(keepends=True)[-1] if done.stderr else ""


INTERRUPTED = """
import os, signal, sys, time
from bribeproof.cli.process_guard import run_guarded

fork, (at_work, begin) = os.fork, os.pipe()

def fork_and_interrupt():
    child = fork()
    if child:
        os.read(at_work, 1)
        signal.raise_signal(signal.SIGINT)
    return child

def work():
    signal.signal(signal.SIGINT, lambda *_: sys.exit(5))
    os.write(begin, b"x")
    for _ in range(600):
        time.sleep(0.1)

os.fork = fork_and_interrupt
run_guarded(work)
"""


def test_a_signal_that_comes_before_it_can_be_passed_on_is_passed_on() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (5, "", "")


CRASHING = """
import os
from bribeproof.cli import main
from bribeproof.io import chunks

def crash(*_, **__):
    os.write(2, b"memory allocation of 2305843009213693952 bytes failed")
    os.abort()

chunks.read_parquet = crash
main()
"""
PANICKING = CRASHING.replace(
    "os.abort()", "import polars; raise polars.exceptions.PanicException('index out of bounds')"
)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            CRASHING,
            "the process that computes the answer ended (memory allocation of 2305843009213693952 bytes failed)",
        ),
        (PANICKING, "the engine cannot compute this (index out of bounds)"),
    ],
    ids=["crash", "panic"],
)
def test_a_file_that_crashes_a_library_is_one_line(tmp_path: Path, code: str, told: str) -> None:
    path = tmp_path / "votes.parquet"
    votes(10, 5).write_parquet(path)
    command = [sys.executable, "-c", code, "aggregate", str(path), "--k", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told in Outcome(done.returncode, done.stdout, done.stderr).refused()


def test_the_command_takes_no_more_memory_than_the_machine_has() -> None:
    code = "import sys; from bribeproof.cli import entry_point, process_guard\n"
    code += "process_guard.largest_memory = entry_point.largest_memory = lambda: 1 << 29\n"
    code += "entry_point.run = lambda: bytearray(1 << 32)\nentry_point.main()"
    done = subprocess.run([sys.executable, "-c", code, "aggregate"], capture_output=True, text=True, check=False)
    assert "memory ran out" in Outcome(done.returncode, done.stdout, done.stderr).refused()


@pytest.mark.slow
def test_a_memory_limit_that_is_not_met_changes_nothing(tmp_path: Path) -> None:
    votes(10, 5).write_csv(tmp_path / "votes.csv")
    free = start("aggregate", tmp_path / "votes.csv", "--k", 1)
    assert free.status == 0
    assert limited(resource.RLIMIT_AS, 2**40, "aggregate", tmp_path / "votes.csv", "--k", 1) == free
    absent = limited(resource.RLIMIT_AS, 2**40, "aggregate", tmp_path / "absent.csv", "--k", 1)
    assert "there is no such file" in absent.refused()


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.99])
def test_a_parquet_file_that_was_cut_off(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "votes.parquet"
    votes(1000, 5).write_parquet(path)
    path.write_bytes(path.read_bytes()[: int(kept * path.stat().st_size)])
    assert "votes.parquet" in start("aggregate", path, "--k", 1).refused()


def test_a_parquet_file_with_broken_bytes(tmp_path: Path) -> None:
    path = tmp_path / "votes.parquet"
    votes(1000, 5).write_parquet(path, compression="zstd")
    raw = bytearray(path.read_bytes())
    raw[4:40] = b"\xff" * 36
    path.write_bytes(raw)
    assert "not a whole Parquet file" in start("aggregate", path, "--k", 1).refused()


def test_one_item_with_very_many_reports(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    reports = 100_000
    pl.DataFrame(
        {"task": ["t"] * reports, "worker": range(reports), "score": [(i % 1000) / 4 for i in range(reports)]}
    ).write_csv(path)
    (row,) = document("aggregate", path, "--k", 1)["items"]
    assert (row["m"], row["dropped_low"]) == (reports, "0")
    total = reports // 1000 * sum(i / 4 for i in range(1000))
    assert row["estimate"] == pytest.approx((total - 999 / 4) / (reports - 2), rel=1e-15)
    (row,) = document("aggregate", path, "--share", "0.2")["items"]
    assert row["k"] == reports // 5
    assert row["dropped_high"].count(";") == row["k"] - 1


@pytest.mark.slow
def test_very_many_items_with_one_report(tmp_path: Path) -> None:
    path = tmp_path / "votes.parquet"
    votes(300_000, 1).write_parquet(path)
    found = document("aggregate", path, "--k", 0)["summary"]
    assert (found["items"], found["reporters"], found["status"]) == (300_000, 1, {"ok": 300_000})


def test_very_many_columns(tmp_path: Path) -> None:
    judges = 5_000
    header = ",".join(f"j{j}" for j in range(judges))
    marks = ",".join(str(j % 11) for j in range(judges))
    path = put(tmp_path / "wide.csv", f"entry,{header}\nE1,{marks}\nE2,{marks}\n")
    first, second = document("aggregate", path, "--k", 1)["items"]
    assert first["estimate"] == second["estimate"] == pytest.approx((sum(j % 11 for j in range(judges)) - 10) / 4998)


def test_very_many_named_columns(tmp_path: Path) -> None:
    names = ["".join(chr(97 + judge // 26**place % 26) for place in range(4)) for judge in range(2000)]
    marks = [[(judge * 7 + row * judge) % 11 for judge in range(2000)] for row in range(20)]
    rows = [f"E{row},{','.join(map(str, given))}" for row, given in enumerate(marks)]
    path = put(tmp_path / "wide.csv", "\n".join([f"entry,{','.join(names)}", *rows]))
    begun = time.process_time()
    items = document("aggregate", path, "--k", 1)["items"]
    assert time.process_time() - begun < 10  # less than a second; it was a minute when time grew like the square
    expected = [(sum(given) - min(given) - max(given)) / 1998 for given in marks]
    assert [item["estimate"] for item in items] == pytest.approx(expected)


@pytest.mark.slow
def test_equal_rows_are_aggregated_piece_by_piece(tmp_path: Path) -> None:
    path = tmp_path / "equal.parquet"
    columns = [pl.repeat(1, 5_000_000, dtype=pl.Int64).alias(name) for name in ("task", "worker", "label")]
    pl.select(columns).write_parquet(path)
    assert path.stat().st_size < 100_000
    done = start("aggregate", path, "--k", 0)
    assert done.status == 0
    assert "4,999,999 repeats collapsed" in done.err


def test_ids_of_ten_thousand_letters(tmp_path: Path) -> None:
    long = votes(20, 5).with_columns(pl.format(f"{'x' * 10_000}{{}}", pl.col("task", "worker")).name.keep())
    path = tmp_path / "long.csv"
    long.with_columns(pl.format(f"{'y' * 10_000}{{}}", "label").alias("label")).write_csv(path)
    short = bp.aggregate_labels(votes(20, 5), k=1)
    found = document("aggregate", path, "--k", 1, "--kind", "labels")["items"]
    assert [row["estimate"] for row in found] == short["estimate"].to_list()
    done = start("aggregate", path, "--k", 1, "--kind", "labels")
    assert max(map(len, done.out.splitlines())) < 500
