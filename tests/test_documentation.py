"""Every command and every Python line in the README and in docs/ does what the page says.

``REFRESH_DOCS=1`` writes what the commands print today into the pages, to be looked at before it is committed.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from rich.console import Console

from tests.cli.command import call_in_terminal
from tests.paths import ROOT

PAGES = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "integrations"),
]
COMMAND = re.compile(r"```console\n\$ (?P<command>.*)\n(?P<shown>(?:.*\n)*?)```")


def run(command: str) -> tuple[object, str]:
    """Run a command in the checkout, as a user would after the set-up; errors go where its output goes.

    The command of the library runs in this process, which has imported it; tests/cli/ starts it as a user does.
    """
    words = shlex.split(command)
    if words[0] == "bribeproof" and not set("|<>&;*") & set(command):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(ROOT)
            patch.delenv("COLUMNS", raising=False)
            done = call_in_terminal(*words[1:])
        (ROOT / "report.html").unlink(missing_ok=True)  # which `bribeproof report` writes
        return done.status, done.out
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    process = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return process.returncode, process.stdout


NARROW = "walks.md"
"""The page that shows commands as a terminal of 80 columns does."""


def printed(command: str) -> str:
    """Return what a command prints, notes first, without trailing blanks."""
    _, shown = run(command)
    return "".join(line.rstrip() + "\n" for line in shown.rstrip().splitlines())


def printed_in_terminal(command: str) -> str:
    """Return the same as a terminal of 80 columns shows it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "bribeproof.cli.output.tables._Output",
            lambda **_: Console(file=sys.stdout, width=80, force_terminal=True, color_system=None, highlight=False),
        )
        lines = printed(command).splitlines()  # notes are for standard error, which wraps them like this
    return "".join(line + "\n" for long in lines for line in (textwrap.wrap(long, 80) if len(long) > 80 else [long]))


COMMANDS = [(page, match["command"]) for page in PAGES for match in COMMAND.finditer(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_a_command_prints_what_the_page_shows(page: Path, command: str) -> None:
    text = page.read_text(encoding="utf-8")
    found = next(match for match in COMMAND.finditer(text) if match["command"] == command)
    if "in the last commit" in found["shown"] and not (ROOT / ".git").exists():
        pytest.skip("a source distribution has no commits to compare with")
    now = printed_in_terminal(command) if page.name == NARROW else printed(command)
    if os.environ.get("REFRESH_DOCS"):
        page.write_text(text.replace(found[0], f"```console\n$ {command}\n{now}```"), encoding="utf-8")
    else:
        assert now == found["shown"]


NEEDED = {"labelling_tools.md": ("pandas",), "scikit_learn.md": ("pandas", "sklearn"), "plots.md": ("matplotlib",)}
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
    script = ROOT / ".ci" / "run"
    if not script.exists():
        pytest.skip("a source distribution is without the script of the clean checkout")
    run = script.read_text(encoding="utf-8")
    assert "python3 -m venv .venv" in readme
    assert ".venv/bin/pip install --quiet --editable '.[dev]'" in readme
    assert "python3 -m venv .venv" in run
    assert ".venv/bin/pip install --quiet --editable '.[dev]'" in run


README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = re.findall(r"^\|[^|]*\| `(bribeproof (?!explore)[^`]*)` \|", README, re.M)


@pytest.mark.parametrize("command", TABLE)
def test_a_command_of_the_readmes_table_works(command: str) -> None:
    status, shown = run(command)
    assert status == 0, shown
    assert shown.strip()


def test_the_readmes_table_names_every_command_that_a_newcomer_needs() -> None:
    needed = {
        "aggregate",
        "attack",
        "audit",
        "bribe",
        "calibrate",
        "certify",
        "panel",
        "rank",
        "report",
        "sweep",
        "weigh",
    }
    assert {command.split()[1] for command in TABLE} == needed
