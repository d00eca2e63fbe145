"""The command as a function, for tests: called in this process, or started as a user would."""

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bribeproof.cli import main

EXECUTABLE = Path(sys.executable).with_name("bribeproof")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, and what it said."""

    status: object
    out: str
    err: str

    def refused(self) -> str:
        """Return the message of a run that stopped as it should: status 2, one line, nothing printed."""
        assert (self.status, self.out) == (2, ""), self
        assert self.err.startswith("bribeproof: "), self.err
        assert self.err.endswith("\n"), self.err
        assert self.err.count("\n") == 1, self.err
        return self.err


def call(*arguments: object) -> Outcome:
    """Run the command in this process."""
    out, err = io.StringIO(), io.StringIO()
    status: object = 0
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with (
        patch.object(sys, "argv", ["bribeproof", *map(str, arguments)]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            status = stop.code
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    return Outcome(status, out.getvalue(), err.getvalue())


def document(*arguments: object) -> dict[str, Any]:
    """Run the command with --json and return what it printed; only valid JSON will do."""
    done = call(*arguments, "--json")
    assert (done.status, done.err) == (0, ""), done
    found: dict[str, Any] = json.loads(done.out, parse_constant=_refuse)
    return found


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
    return Outcome(done.returncode, done.stdout, done.stderr)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")
