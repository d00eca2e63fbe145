"""The command and the Python code on a report make the same report."""

import shlex
from pathlib import Path

import pytest

from bribeproof.reporting.document import Code, Report
from tests.cli.command import call
from tests.paths import ROOT
from tests.reporting.helpers import made, undated


def codes(report: Report) -> list[str]:
    """Return the command and the code."""
    return [block.text for section in report.sections for block in section.blocks if isinstance(block, Code)]


CASES = [
    pytest.param("judges.csv", 1, {"judges": ["judge_1", "judge_2", "judge_3", "judge_4"], "decimals": 1}, id="judges"),
    pytest.param("votes.csv", None, {"cost_per_report": 0.5, "title": "It's a test"}, id="votes"),
    pytest.param("labels.csv", 1, {"asked": 6}, id="labels", marks=pytest.mark.slow),
    pytest.param("screening.csv", 1, {"truth": "truth", "confidence": 0.9}, id="screening", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "k", "options"), CASES)
def test_they_make_the_same_page(
    name: str, k: int | None, options: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    report = made(name, k, **options)
    command, code = codes(report)
    expected = content(report.to_html())
    target = tmp_path / "command.html"
    words = shlex.split(command.replace("-o report.html", f"-o {shlex.quote(str(target))}"))
    done = call(*words[1:])
    assert done.status == 0, done
    assert content(target.read_text()) == expected
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).symlink_to(ROOT / "examples" / name)
    exec(code, {})  # noqa: S102
    assert content((tmp_path / "report.html").read_text()) == expected


def content(page: str) -> str:
    """Return a page without its date, and without what is said of how it came about."""
    kept = page.partition('<section id="repeat"')[0].replace(
        " Nobody said how many: one is the least that says anything.", ""
    )
    return undated(kept)
