"""LICENSES.md names every file that is shipped and is no source code, and only such files."""

import os
import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.paths import ROOT

TEXT = (ROOT / "LICENSES.md").read_text(encoding="utf-8")
SOURCES = {
    "",
    ".cff",
    ".html",
    ".ipynb",
    ".lock",
    ".md",
    ".py",
    ".pyi",
    ".rst",
    ".toml",
    ".txt",
    ".typed",
    ".yaml",
    ".yml",
}
"""Text that this project writes; beside these are data, pictures, styles, scripts and fonts."""
OF_OTHERS = re.compile(r"(?i)copyright \(c\)|©|SPDX-|licensed under")


def patterns(heading: str) -> list[str]:
    """Return the patterns in the first column of the tables below headings that begin with these words."""
    sections = re.split(r"^## ", TEXT, flags=re.MULTILINE)
    rows = [
        line for part in sections if part.startswith(heading) for line in part.splitlines() if line.startswith("| `")
    ]
    return [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row.split("|")[1])]


OURS, OTHERS = patterns("Ours"), patterns("Of others")


def names(pattern: str, files: list[str]) -> list[str]:
    """Return the files that a pattern names; ``*`` crosses folders."""
    return [file for file in files if fnmatchcase(file, pattern)]


def tracked() -> list[str]:
    """Return the files of the project, as git knows them."""
    found = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode or not found.stdout:
        pytest.skip("not a checkout of git")
    return [name for name in found.stdout.splitlines() if (ROOT / name).is_file()]


def unnamed(files: list[str]) -> list[str]:
    """Return the files that no pattern, or more than one kind of pattern, names."""
    return [
        file for file in files if any(names(one, [file]) for one in OURS) == any(names(one, [file]) for one in OTHERS)
    ]


def test_every_file_of_the_project_that_is_no_source_is_named() -> None:
    files = [name for name in tracked() if Path(name).suffix not in SOURCES]
    assert len(files) > 200
    assert unnamed(files) == []


def test_every_pattern_names_a_file() -> None:
    files = tracked()
    assert [one for one in OURS + OTHERS if not one.startswith("site/") and not names(one, files)] == []


def test_every_file_of_the_built_site_is_named() -> None:
    if "SITE" not in os.environ:
        pytest.skip(
            "SITE does not name the folder of the built site; ./check site builds it and ./check dist runs this"
        )
    site = Path(os.environ["SITE"])
    files = [f"site/{path.relative_to(site).as_posix()}" for path in site.rglob("*") if path.is_file()]
    assert unnamed([file for file in files if Path(file).suffix != ".html"]) == []
    assert [one for one in OURS + OTHERS if one.startswith("site/") and not names(one, files)] == []


def test_no_source_file_is_copied_from_others() -> None:
    files = [name for name in tracked() if name.startswith(("src/", "benchmarks/", "examples/", "docs/"))]
    files = [name for name in files if name.endswith((".py", ".js", ".css", ".html", ".sql"))]
    claims = [name for name in files if OF_OTHERS.search((ROOT / name).read_text(encoding="utf-8"))]
    assert claims == []


def test_every_row_states_a_licence() -> None:
    for line in TEXT.splitlines():
        if line.startswith(("| `tests/fixtures/s", "| `site/_static")):
            assert re.search(r"MIT|CC BY 4\.0|BSD-[23]-Clause", line.split("|")[-2]), line
