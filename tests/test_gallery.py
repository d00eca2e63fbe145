"""The pictures of the gallery are drawn, and say what was measured."""

import runpy
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.paths import ROOT

GALLERY = ROOT / "examples" / "gallery"
DATA = ROOT.parent / "shared" / "data"


def run(name: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run a script of the gallery as its page says, and return its names."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    monkeypatch.chdir(GALLERY)
    monkeypatch.setattr(pyplot, "show", lambda: None)
    names = runpy.run_path(str(GALLERY / f"plot_{name}.py"))
    pyplot.close("all")
    return names


@pytest.mark.slow
@pytest.mark.parametrize("script", sorted(GALLERY.glob("plot_*.py")), ids=lambda path: path.stem)
def test_a_script_draws_one_picture_with_a_question_as_its_title(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run(script.stem.removeprefix("plot_"), monkeypatch)
    assert names["__doc__"].strip().splitlines()[0].endswith("?")
    assert names["figure"].axes


@pytest.mark.slow
def test_the_answers_that_the_pages_give(monkeypatch: pytest.MonkeyPatch) -> None:
    one = run("halfpipe", monkeypatch)
    assert one["one"].winner_safe
    assert one["two"].entries.filter(pl.col("best_place") == 1).height == 11
    judges = run("llm_judges", monkeypatch)
    assert judges["robust"]["robust"].to_list() == [212, 167, 118]
    assert judges["alone"]["right"].max() == 230
    song = run("song_contest", monkeypatch)["finals"]
    points, median = (song.filter(rule=rule)["other_winner"] for rule in ("points", "median"))
    assert points.to_list() == [5, 5, 2, 1, 1, 1]
    assert (median > points).sum() == 5


@pytest.mark.slow
def test_the_tables_are_those_of_the_published_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    if not DATA.exists():
        pytest.skip("the marks and rankings are beside the project, and not in it")
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import gallery_data

    for name in ("diving_finals", "song_contest_finals"):
        kept = (GALLERY / "data" / f"{name}.csv").read_text(encoding="utf-8")
        assert getattr(gallery_data, name)().write_csv() == kept
