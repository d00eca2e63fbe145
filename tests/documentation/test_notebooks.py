"""The tutorials as notebooks: they are what the pages say, and run from start to end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

FOLDER = ROOT / "docs" / "tutorials"
JUPYTER = sorted(FOLDER.glob("*.ipynb"))
MARIMO = sorted(FOLDER.glob("*_marimo.py"))


def run(*words: str) -> str:
    """Run Python in the folder of the tutorials, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=FOLDER,
        env={**os.environ, "MPLBACKEND": "agg"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_every_tutorial_has_both_notebooks() -> None:
    names = {path.stem for path in FOLDER.glob("*.md") if path.read_text(encoding="utf-8").startswith("---\njupytext")}
    assert names == {path.stem for path in JUPYTER} == {path.stem.removesuffix("_marimo") for path in MARIMO}
    assert len(names) == 4


@pytest.mark.slow
def test_the_notebooks_are_what_the_pages_say() -> None:
    for package in ("jupytext", "marimo"):
        pytest.importorskip(package)
    run(str(ROOT / "docs" / "tools" / "make_notebooks.py"), "--check")


@pytest.mark.slow
@pytest.mark.parametrize("path", JUPYTER, ids=lambda path: path.stem)
def test_a_notebook_of_jupyter_runs(path: Path) -> None:
    pytest.importorskip("nbclient")
    run("-m", "jupyter", "execute", path.name)


@pytest.mark.slow
@pytest.mark.parametrize("path", MARIMO, ids=lambda path: path.stem)
def test_a_notebook_of_marimo_runs(path: Path) -> None:
    pytest.importorskip("marimo")
    run("-m", "marimo", "check", path.name)
    run(path.name)
