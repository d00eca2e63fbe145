"""Every help page: readable in 80 columns, and its example runs."""

import functools
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from cyclopts import App

from bribeproof import __version__
from bribeproof.cli import app
from tests.cli.command import EXECUTABLE, call, start
from tests.paths import ROOT

COMMANDS = (
    "aggregate", "weigh", "rank", "report", "commit", "read", "sweep", "audit", "calibrate", "certify", "bribe",
    "attack", "panel", "plot", "explore", "sql", "mcp", "paper",
)  # fmt: skip
"""All commands, in the order of the help page."""


def pages(parent: App, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the words of every command below an app, and of its own help page."""
    names = [name for name in parent if not name.startswith("-")]
    return [words, *(page for name in names for page in pages(parent[name], (*words, name)))]


PAGES = pages(app)


@functools.cache
def help_page(*words: str) -> str:
    """Return a help page as a terminal of 80 columns shows it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        done = call(*words, "--help")
    assert (done.status, done.err) == (0, "")
    return done.out


def examples_of(*words: str) -> list[str]:
    """Return the commands at the end of a help page, each below a line that says what for."""
    page = re.split(r"^Examples?(?: \(.*\))?:\n\n", help_page(*words), flags=re.MULTILINE)[1]
    examples = [example.split("\n", maxsplit=1) for example in page.rstrip().split("\n\n")]
    assert all(purpose[-1] in ":?" for purpose, _ in examples)
    return [re.sub(r" \\\n +", " ", command.strip()) for _, command in examples]


def test_the_commands_are_all_there_and_ordered_by_task() -> None:
    page = help_page()
    assert tuple(re.findall(r"^│ ([a-z]+) ", page, re.MULTILINE)) == COMMANDS
    assert {words[0] for words in PAGES if words} == set(COMMANDS)


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_a_page_fits_and_each_command_has_one_line(words: tuple[str, ...]) -> None:
    page = help_page(*words)
    assert max(map(len, page.splitlines())) <= 80
    if not words:
        entries = re.findall(r"^│ [a-z]+ +[A-Z].*│$", page, re.MULTILINE)
        assert len(entries) == len(COMMANDS)
        assert all(re.search(r"\. +│$", entry) for entry in entries)


def test_options_come_in_groups_of_few_and_what_is_seldom_needed_comes_last() -> None:
    for words in PAGES:
        page = help_page(*words)
        headings = re.findall(r"^╭─ (.+?) ─", page, re.MULTILINE)
        advanced = [heading.startswith("Advanced") for heading in headings]
        assert advanced == sorted(advanced)
        boxes = re.split(r"^╭─ .+?─+╮$", page, flags=re.MULTILINE)[1:]
        if len(boxes) > 5:
            assert max(len(re.findall(r"^│ (?:\* +)?--", box, re.MULTILINE)) for box in boxes) <= 9


def test_k_has_a_short_form() -> None:
    assert call("bribe", "examples/votes.csv", "-k", "1").out == call("bribe", "examples/votes.csv", "--k", "1").out


def test_each_command_has_examples_of_its_own() -> None:
    leaves = [words for words in PAGES if not any(other[:-1] == words for other in PAGES if other)]
    for words in leaves:
        examples = examples_of(*words)
        assert len(set(examples)) == len(examples) > 1
        assert all(example.startswith(f"bribeproof {' '.join(words)} ") for example in examples)
        for option in ("--asked ", "--faulty "):
            assert (option in help_page(*words)) == any(option in example for example in examples)


NEEDED = {
    "explore": ("fastapi", "uvicorn"),
    "mcp": ("mcp",),
    "paper": ("matplotlib", "sklearn"),
    "plot": ("matplotlib",),
}
"""Optional packages that the examples of a command need."""


FIRST = (("aggregate",), ("read",), ("panel",))
"""The commands whose examples run by default."""


@pytest.mark.parametrize(
    "words",
    [words if words in FIRST else pytest.param(words, marks=pytest.mark.slow) for words in PAGES],
    ids=" ".join,
)
def test_the_examples_run(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for package in NEEDED.get(words[0] if words else "", ()):
        pytest.importorskip(package)
    for example in examples_of(*words):
        run(shlex.split(example))


def run(words: list[str]) -> None:
    """Run an example in this folder."""
    program, *arguments = words
    assert program == "bribeproof"
    if arguments[0] == "explore":
        arguments += ["--no-browser"] if "--port" in arguments else ["--port", "0", "--no-browser"]
        with subprocess.Popen([EXECUTABLE, *arguments], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert "http://" in process.stdout.readline()
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=120) == 0
        return
    done = call(*arguments)
    assert done.status == 0, done.err
    if "-o" in arguments:
        assert Path(arguments[arguments.index("-o") + 1]).stat().st_size > 0
    else:
        assert done.out or arguments[0] == "mcp"  # which answers what it is asked


def test_the_first_page_is_the_same_in_a_process_of_its_own() -> None:
    assert start("--help", COLUMNS="80").out == help_page()


def test_the_version_is_that_of_the_package() -> None:
    assert call("--version").out == f"{__version__}\n"
