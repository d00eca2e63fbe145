"""Every command and every Python line in the README and in docs/ does what the page says.

``REFRESH_DOCS=1`` writes what the commands print today into the pages, to be looked at before it is committed.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = re.compile(r"```console\n\$ (?P<command>.*)\n(?P<shown>(?:.*\n)*?)```")


def run(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout, as a user would after the set-up; errors go where its output goes."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def printed(command: str) -> str:
    """Return what a command prints, notes first, without trailing blanks."""
    return "".join(line.rstrip() + "\n" for line in run(command).stdout.rstrip().splitlines())


COMMANDS = [(page, match["command"]) for page in PAGES for match in COMMAND.finditer(page.read_text(encoding="utf-8"))]


FIRST = ("README.md", "aggregate.md")
"""The pages whose commands run by default."""


@pytest.mark.parametrize(
    ("page", "command"),
    [pytest.param(*one, marks=() if one[0].name in FIRST else pytest.mark.slow) for one in COMMANDS],
    ids=[command for _, command in COMMANDS],
)
def test_a_command_prints_what_the_page_shows(page: Path, command: str) -> None:
    text = page.read_text(encoding="utf-8")
    found = next(match for match in COMMAND.finditer(text) if match["command"] == command)
    now = printed(command)
    if os.environ.get("REFRESH_DOCS"):
        page.write_text(text.replace(found[0], f"```console\n$ {command}\n{now}```"), encoding="utf-8")
    else:
        assert now == found["shown"]


NEEDED = {"learn.md": ("pandas", "sklearn"), "plots.md": ("matplotlib",)}
"""Optional packages that the Python lines of a page need."""


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_python_lines(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in NEEDED.get(page.name, ()):
        pytest.importorskip(package)
    monkeypatch.chdir(ROOT)
    outcome = doctest.testfile(str(page), module_relative=False)
    assert outcome.failed == 0


def test_the_set_up_commands_are_those_that_are_checked_on_a_clean_checkout() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "python3 -m venv .venv" in readme
    assert ".venv/bin/pip install --quiet --editable '.[dev]'" in readme
    assert "python3 -m venv .venv" in run
    assert ".venv/bin/pip install --quiet --editable '.[dev]'" in run


README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = re.findall(r"^\|[^|]*\| `(bribeproof (?!explore)[^`]*)` \|", README, re.M)


@pytest.mark.parametrize("command", TABLE)
def test_a_command_of_the_readmes_table_works(command: str) -> None:
    done = run(command)
    assert done.returncode == 0, done.stdout
    assert done.stdout.strip()


def test_the_readmes_table_names_every_command_that_a_newcomer_needs() -> None:
    named = [
        "aggregate",
        "aggregate",
        "aggregate",
        "attack",
        "audit",
        "bribe",
        "calibrate",
        "certify",
        "panel",
        "rank",
        "sweep",
        "weigh",
    ]
    assert sorted(command.split()[1] for command in TABLE) == named
