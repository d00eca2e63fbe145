"""Below each table that a command prints it is told what its columns mean, and only there."""

import re
import shlex
import sys
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from tests.cli.command import call
from tests.cli.test_narrow_terminal import SHOWN
from tests.paths import ROOT

PLAIN = {
    "reporter", "first", "second", "rule", "entry", "skater", "clip, label", "item", "post", "pair", "task", "winner",
    "group", "total", "place", "score", "positive votes", "column", "what it holds", "first cells",
}  # fmt: skip
"""Headings that need no words: what is named in a row, and what the sentences above explain."""


class _Recorder(Console):
    """A console of 80 columns that keeps the headings of the tables that it prints, and where they end."""

    def __init__(self, tables: list[list[str]]) -> None:
        super().__init__(file=sys.stdout, width=80, force_terminal=True, color_system=None, highlight=False)
        self._tables = tables

    def print(self, *objects: Any, **options: Any) -> None:
        """Print, and keep the headings."""
        super().print(*objects, **options)
        for one in objects:
            if isinstance(one, Table) and one.show_header:
                self._tables.append([str(column.header).replace("\n", " ") for column in one.columns])


FIRST = {command.split()[1]: command for command in reversed(SHOWN)}.values()
"""One use of each command."""


@pytest.mark.parametrize(
    "command", [command if command in FIRST else pytest.param(command, marks=pytest.mark.slow) for command in SHOWN]
)
def test_each_heading_is_explained_or_plain(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[list[str]] = []
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("bribeproof.cli.output.tables._Output", lambda **_: _Recorder(tables))
    told = " ".join(call(*shlex.split(command)[1:]).out.split())
    for heading in {heading for headings in tables for heading in headings} - PLAIN:
        name = re.sub(
            "^(shared|other) (winner|podium|order)$", r"\1", heading
        )  # of the comparison of rules for rankings
        assert re.search(rf"(^| ){re.escape(name)}(, [^:;.]*)?: ", told), heading


def test_data_for_programs_has_no_explanations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert "reports on the item" in call("aggregate", "examples/votes.csv", "--k", 1).out
    assert "reports on the item" not in call("aggregate", "examples/votes.csv", "--k", 1, "--json").out
