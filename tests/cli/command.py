"""The command as a function, for tests: called in this process, or started as a user would."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from bribeproof._optional import REQUIREMENTS
from bribeproof.cli.entry_point import run

EXECUTABLE = Path(sys.executable).with_name("bribeproof")
SHEET = "entry,j1,j2,j3,j4,j5\nE1,1,6.5,7,7,10\nE2,2,3.25,3.5,4,9\nE3,5,,,,6\n"
VOTES = """task,worker,label
t1,a,1\nt1,b,1\nt1,c,1\nt1,d,1\nt1,e,0
t2,a,1\nt2,b,1\nt2,c,0\nt2,d,0
t3,a,1\nt3,b,1\nt3,c,0
t4,a,1\nt4,b,
"""
LABELS = "task,worker,label\nt1,a,x\nt1,b,x\nt1,c,y\nt2,a,z\nt2,b,y\nt2,c,z\nt3,a,x\nt3,b,y\n"
TABLES = {"sheet": SHEET, "votes": VOTES, "labels": LABELS}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, and what it said."""

    status: object
    out: str
    err: str

    def refused(self) -> str:
        """Return the message of a run that stopped as it should: status 2, one line or a question, nothing printed."""
        assert (self.status, self.out) == (2, ""), self
        assert self.err.startswith("bribeproof: "), self.err
        assert self.err.endswith("\n"), self.err
        assert self.err.count("\n") == 1 or "\n  1. " in self.err, self.err
        return self.err


def call(*arguments: object) -> Outcome:
    """Run the command in this process."""
    out, err = io.StringIO(), io.StringIO()
    status = _run(arguments, out, err)
    return known(Outcome(status, out.getvalue(), err.getvalue()))


def call_in_terminal(*arguments: object) -> Outcome:
    """Run the command in this process, with its errors and notes where its output goes."""
    out = io.StringIO()
    status = _run(arguments, out, out)
    return Outcome(status, out.getvalue(), "")


def _run(arguments: Sequence[object], out: io.StringIO, err: io.StringIO) -> object:
    """Run the command in this process and return its status."""
    status: object = 0
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with (
        patch.object(sys, "argv", ["bribeproof", *map(str, arguments)]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            run()
        except SystemExit as stop:
            status = stop.code
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    return status


def document(*arguments: object) -> dict[str, Any]:
    """Run the command with --json and return what it printed; only valid JSON will do."""
    done = call(*arguments, "--json")
    assert (done.status, done.err) == (0, ""), done
    found: dict[str, Any] = json.loads(done.out, parse_constant=_refuse)
    return found


def aggregate(path: Path, *arguments: object) -> dict[str, dict[str, Any]]:
    """Return the rows of the answer by item."""
    rows = document("aggregate", path, *arguments)["items"]
    return {next(iter(row.values())): row for row in rows}


def column(path: Path, name: str, *arguments: object) -> list[Any]:
    """Return a column of the answer."""
    return [row[name] for row in aggregate(path, *arguments).values()]


def put(path: Path, content: str) -> Path:
    """Write a file as it stands, line ends included."""
    path.write_bytes(content.encode())
    return path


def start(*arguments: object, stdin: str | None = None, **environment: str) -> Outcome:
    """Run the installed command as a process of its own."""
    done = subprocess.run(
        [EXECUTABLE, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    return known(Outcome(done.returncode, done.stdout, done.stderr))


def known(done: Outcome) -> Outcome:
    """Return the outcome, or skip the test where the command lacks an optional package that is really not installed."""
    if done.status == 2:
        for module, (package, _) in REQUIREMENTS.items():
            if f" {package} " in done.err and "(pip install" in done.err and find_spec(module) is None:
                pytest.skip(f"{package} is not installed")
    return done


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")
