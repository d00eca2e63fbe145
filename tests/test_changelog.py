"""CHANGELOG.md has the form of Keep a Changelog, and the release takes its notes from there."""

import importlib.util
import re
from datetime import date
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from packaging.version import Version

import bribeproof
from tests.paths import ROOT

CHANGELOG = ROOT / "CHANGELOG.md"
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
MOST_WORDS = 900


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = ROOT / ".github" / "scripts" / "release_notes.py"
    spec = importlib.util.spec_from_file_location("release_notes", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def sections(script: ModuleType) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = script.sections(CHANGELOG.read_text(encoding="utf-8"))
    return found


def test_the_newest_version_comes_first_and_each_has_a_date(sections: dict[str, tuple[str, str]]) -> None:
    first, *versions = sections
    assert first == "Unreleased"
    assert not sections[first][0]
    assert all(Version(new) > Version(old) for new, old in pairwise(versions))
    dates = [date.fromisoformat(sections[version][0]) for version in versions]
    assert dates == sorted(dates, reverse=True)


def test_every_second_heading_is_of_a_version_and_every_third_a_kind_of_change(
    sections: dict[str, tuple[str, str]],
) -> None:
    text = CHANGELOG.read_text(encoding="utf-8")
    assert len(re.findall(r"^## ", text, re.MULTILINE)) == len(sections)
    assert set(re.findall(r"^###+ (.*)$", text, re.MULTILINE)) <= KINDS


def test_the_version_of_the_package_has_a_section_that_can_be_read(sections: dict[str, tuple[str, str]]) -> None:
    _, text = sections[bribeproof.__version__]
    assert "### " in text
    assert len(text.split()) <= MOST_WORDS


class TestNotes:
    """The notes of a release, and what stops it."""

    TEXT = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-02-03

### Fixed

- That.

## [1.1.0] - 2026-01-01

- This.
"""
    PACKAGE = '__version__ = "1.2.0"\n'

    def test_are_the_section_of_the_version(self, script: ModuleType) -> None:
        assert script.notes("1.2.0", self.TEXT, self.PACKAGE, "2026-02-03") == "### Fixed\n\n- That."

    @pytest.mark.parametrize(
        ("version", "package", "today", "message"),
        [
            ("1.1.0", PACKAGE, "2026-01-01", "is not the version of the package"),
            ("1.3.0", PACKAGE.replace("1.2", "1.3"), "2026-02-03", "no section of version 1.3.0"),
            ("1.2.0", PACKAGE, "2026-02-04", "dated 2026-02-03: date it 2026-02-04"),
        ],
    )
    def test_stop_where_something_disagrees(
        self, script: ModuleType, version: str, package: str, today: str, message: str
    ) -> None:
        with pytest.raises(SystemExit, match=message):
            script.notes(version, self.TEXT, package, today)


def test_the_script_is_where_the_workflow_expects_it() -> None:
    workflow = Path(ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert ".github/scripts/release_notes.py" in workflow
