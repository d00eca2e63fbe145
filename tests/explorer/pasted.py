"""Run what the page tells people to paste, in this process: commands as a shell splits them, and lines of Python."""

import io
import subprocess
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

from tests.cli.command import call

_SPLIT = """bribeproof() { printf '%s\\0' "$#" "$@"; }\n"""
"""Stands for the command in a shell, and writes its words."""


def run_commands(lines: str, folder: Path) -> str:
    """Run lines of a shell with the command, and return what it printed."""
    split = subprocess.run(["bash", "-c", _SPLIT + lines], capture_output=True, check=True, cwd=folder).stdout
    words = split.decode().split("\0")[:-1]
    printed = ""
    assert words
    while words:
        size = int(words.pop(0))
        own, words = words[:size], words[size:]
        with chdir(folder):
            done = call(*own)
        assert done.status == 0, done
        printed += done.out
    return printed


def run_python(lines: str, folder: Path) -> tuple[dict[str, Any], str]:
    """Run lines of Python; return their names, and what they printed."""
    names: dict[str, Any] = {}
    out = io.StringIO()
    with chdir(folder), redirect_stdout(out):
        exec(lines, names)  # noqa: S102  what the page tells people to run
    return names, out.getvalue()
