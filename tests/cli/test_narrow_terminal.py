"""In a terminal of 80 columns nothing that the pages show is wider than it, and no word of a table is broken."""

import re
import shlex
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest
from rich.console import Console

from tests.cli.command import call
from tests.paths import ROOT
from tests.test_documentation import COMMANDS, TABLE

SKIPPED = ("explore", "paper", "plot")
"""Commands that draw or compute for long, and print no table."""
SHOWN = sorted(
    {
        command
        for command in [*(command for _, command in COMMANDS), *TABLE, "bribeproof audit examples/judges.csv --details"]
        if re.match(r"bribeproof (\w+) [^|<>&;]*$", command) and command.split()[1] not in SKIPPED
    }
)
QUICK = 2
"""How many uses of each command are tried by default."""
WIDE = 2000
"""A terminal in which no line wraps."""


def shown_in(width: int, command: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines that a command prints in a terminal of this width."""
    monkeypatch.setattr(
        "bribeproof.cli.output.tables._Output",
        lambda **_: Console(file=sys.stdout, width=width, force_terminal=True, color_system=None, highlight=False),
    )
    done = call(*shlex.split(command)[1:])
    (ROOT / "report.html").unlink(missing_ok=True)  # which `bribeproof report` writes
    return done.out.splitlines()


def words_of(lines: list[str]) -> set[str]:
    """Return the words of lines; those of a heading may stand below one another, and what is left out is told."""
    words = {word.rstrip(";.") for line in lines for word in line.split()}
    return words | {part for word in words for part in word.split("_")} | {"…"}


def by_command() -> Iterator[Any]:
    """Yield what is shown; all but a few uses of a command are slow together."""
    for _, uses in groupby(SHOWN, lambda command: command.split()[1]):
        for number, command in enumerate(uses):
            yield command if number < QUICK else pytest.param(command, marks=pytest.mark.slow)


@pytest.mark.parametrize("command", [*by_command()])
def test_no_line_is_too_long_and_no_word_is_broken(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    wide, narrow = shown_in(WIDE, command, monkeypatch), shown_in(80, command, monkeypatch)
    assert max(map(len, narrow), default=0) <= 80
    told = [line for line in narrow if not line.startswith("… and ")]  # columns that had no room, and where they are
    known = words_of(wide)
    parts = {f"{part}-" for word in known for part in word.split("-")}
    assert not words_of(told) - known - parts
