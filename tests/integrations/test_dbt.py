"""The example project of dbt builds with the macros, and its tests fail where k reporters could change an answer."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from dbt.cli.main import dbtRunner

import bribeproof as bp
from bribeproof.integrations.duckdb import dbt_macro
from tests.paths import ROOT

Build = Callable[[int], dict[str, str]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example project, with the macro in its place."""
    folder = tmp_path_factory.mktemp("project") / "dbt"
    shutil.copytree(ROOT / "examples" / "dbt", folder)
    (folder / "macros").mkdir(exist_ok=True)
    (folder / "macros" / "bribeproof.sql").write_text(dbt_macro(), encoding="utf-8")
    return folder


@pytest.fixture
def build(project: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Builds the project for some k, and returns how each seed, model and test ended."""
    monkeypatch.chdir(project)

    def run(k: int) -> dict[str, str]:
        options = ["--project-dir", str(project), "--profiles-dir", str(project), "--vars", f"k: {k}", "--quiet"]
        outcome: Any = dbtRunner().invoke(["build", *options])
        return {result.node.name: str(result.status) for result in outcome.result}

    return run


def rows(project: Path, name: str) -> list[tuple[object, ...]]:
    """Return the rows of a table of the database."""
    with duckdb.connect(str(project / "certified.duckdb")) as database:
        return list(database.sql(f"FROM {name} ORDER BY 1").fetchall())


def test_answers_that_one_reporter_could_not_change_pass(build: Build, project: Path) -> None:
    ended = build(1)
    assert {name: status for name, status in ended.items() if status not in ("success", "pass")} == {}
    assert {"winner_is_safe", "final", "decisions"} < ended.keys()
    marks = pl.read_csv(ROOT / "examples" / "dbt" / "seeds" / "marks.csv")
    expected = bp.aggregate_scores(marks, k=1, item="entry", reporter="judge", score="mark")
    columns = ["entry", "m", "k", "estimate", "range_low", "range_high", "status"]
    assert rows(project, "final") == expected.select(columns).sort("entry").rows()


def test_answers_that_two_reporters_could_change_fail(build: Build, project: Path) -> None:
    ended = build(2)
    assert [name for name, status in ended.items() if name.startswith("more_than") and status == "fail"]
    assert ended["winner_is_safe"] == "fail"
    labels = pl.read_csv(ROOT / "examples" / "dbt" / "seeds" / "labels.csv")
    expected = bp.aggregate_labels(labels, k=2, item="photo", reporter="person", label="label")
    columns = ["photo", "m", "k", "decision", "estimate", "tie", "flips_needed", "additions_needed", "status"]
    assert rows(project, "decisions") == expected.select(columns).sort("photo").rows()


@pytest.mark.parametrize(
    "name", ["models/final.sql", "models/decisions.sql", "tests/generic/more_than.sql", "tests/winner_is_safe.sql"]
)
def test_the_page_shows_the_files_of_the_project(name: str) -> None:
    page = (ROOT / "docs" / "integrations" / "dbt.md").read_text(encoding="utf-8")
    assert f"```sql+jinja\n{(ROOT / 'examples' / 'dbt' / name).read_text(encoding='utf-8')}```" in page
