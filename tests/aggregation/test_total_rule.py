"""Factors, deductions and totals: the official rules of three sports, and the ranges of totals."""

import itertools
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import ColumnError, DataError, ParameterError
from tests.cli.command import call
from tests.paths import FIXTURES, SHARED

DATA = SHARED / "data"
needs_data = pytest.mark.skipif(not (DATA / "diving").is_dir(), reason="the data packs are not beside the project")


@needs_data
@pytest.mark.slow
def test_diving_is_the_sum_of_five_marks_times_difficulty_over_the_dives() -> None:
    marks = pl.read_csv(DATA / "diving" / "marks.csv").filter(pl.col("round") == "Final")
    movable = {}
    for (event,), final in marks.group_by("event"):
        found = bp.aggregate(
            final, k=1, kind="scores", item=["diver", "dive"], reporter="judge", value="score",
            factor=["difficulty", 3], total="sum of dives",
        )  # fmt: skip
        dives = final.group_by("diver", "dive", "difficulty").agg(pl.col("score").sort())
        five = pl.col("score").list.slice(1, 5).list.sum()
        official = dives.group_by("diver").agg((five * pl.col("difficulty") * 0.6).sum().round(2).alias("points"))
        joined = found.items.join(official, on="diver")
        assert joined.height == final["diver"].n_unique()
        assert (joined["estimate"] - joined["points"]).abs().max() < 1e-9
        movable[event] = found.facts()["podium"][0]["worst_rank"] - 1
    # Rivals who could have taken gold if another one judge were bribed on each dive.
    assert movable == {"M3mSB": 2, "M10mPF": 1, "W3mSB": 1, "W10mPF": 0}


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "skating").is_dir(), reason="the data packs are not beside the project")
def test_skating_components_are_rounded_multiplied_rounded_and_added() -> None:
    aspects = pl.read_csv(DATA / "skating" / "judged_aspects.csv").filter(pl.col("section") == "components")
    marks = pl.read_csv(DATA / "skating" / "judge_scores.csv", schema_overrides={"score": pl.Float64})
    table = marks.join(aspects.select("aspect_id", "performance_id", "factor"), on="aspect_id")
    found = bp.aggregate(
        table, k=1, item=["performance_id", "aspect_id"], reporter="judge", value="score", missing=[0.0],
        factor="factor", decimals=2, total="sum of aspect_id",
    )  # fmt: skip
    official = pl.read_csv(DATA / "skating" / "performances.csv")
    joined = found.items.join(official, on="performance_id")
    assert joined.height == 1726
    assert (joined["estimate"] == joined["total_component_score"]).all()


def test_halfpipe_is_the_best_of_the_runs(tmp_path: Path) -> None:
    runs = pl.read_csv(FIXTURES / "halfpipe" / "clean.csv")
    names = pl.col("run_id").str.split_exact("-", 1).struct.rename_fields(["rider", "run"]).alias("names")
    best = runs.with_columns(names).unnest("names")
    best.drop("run_id", "official").write_csv(tmp_path / "runs.csv")
    options = ["--round", 2, "--item", "rider,run", "--total", "best of runs"]
    said = call("aggregate", tmp_path / "runs.csv", "--k", 1, *options, "-o", tmp_path / "best.csv")
    assert "perhaps another on each run" in said.out
    found = pl.read_csv(tmp_path / "best.csv")
    official = best.group_by("rider").agg(pl.col("official").max())
    assert found.join(official, on="rider").select(pl.col("estimate") == pl.col("official"))["estimate"].all()
    assert found.sort("estimate", descending=True)["rider"].to_list() == [f"R{place:02}" for place in range(1, 13)]


JUDGES = ("j1", "j2", "j3")
SHEET = pl.DataFrame(
    {
        "rider": ["A", "A", "B", "B"], "run": [1, 2, 1, 2],
        "j1": [5, 7, 6, 8], "j2": [6, 6, 4, 9], "j3": [9, 5, 5, 7], "degree": [2.5, 1.0, 1.5, 2.0],
        "fall": [1, 1, None, None],
    }
)  # fmt: skip
RUNS: dict[str, Any] = {"item": ["rider", "run"], "judges": ["j1", "j2", "j3"], "k": 1}


@pytest.mark.parametrize(("total", "better"), [("sum of run", "high"), ("best of run", "high"), ("best of run", "low")])
def test_the_range_is_what_one_bribed_judge_on_each_run_can_cause(total: str, better: str) -> None:
    options = RUNS | {"factor": "degree", "minus": "fall", "total": total, "better": better}
    honest = bp.aggregate(SHEET, **options).items
    told = []
    for number, (liars, lie) in enumerate(itertools.product(itertools.product(JUDGES, repeat=4), (-100, 100))):
        lies = [
            pl.Series(judge, [lie if liar == judge else mark for liar, mark in zip(liars, SHEET[judge], strict=True)])
            for judge in JUDGES
        ]
        told.append(SHEET.with_columns(*lies, pl.col("rider") + f" {number}"))
    found = bp.aggregate(pl.concat(told), **options).items
    results = {rider: found.filter(pl.col("rider").str.starts_with(rider))["estimate"].to_list() for rider in "AB"}
    assert len(results["A"]) == len(results["B"]) == 2 * 3**4
    for row in honest.iter_rows(named=True):
        assert (row["range_low"], row["range_high"]) == (min(results[row["rider"]]), max(results[row["rider"]]))


def test_a_total_is_computed_by_hand() -> None:
    found = bp.aggregate(SHEET, factor=["degree", 2], minus="fall", total="sum of runs", **RUNS)
    assert found.items["estimate"].to_list() == [6 * 2.5 * 2 + 6 * 2 - 1, 5 * 1.5 * 2 + 8 * 2 * 2]
    assert found.items.columns == ["rider", "n", "m", "k", "estimate", "range_low", "range_high", "status"]
    alone = bp.aggregate(SHEET, factor="degree", minus="fall", **RUNS)
    assert alone.items["estimate"].to_list() == [14, 5, 7.5, 16]
    assert alone.items.columns == bp.aggregate(SHEET, **RUNS).items.columns
    assert alone.items["rider, run"].to_list() == ["A · 1", "A · 2", "B · 1", "B · 2"]
    single = bp.aggregate(SHEET.select("run", *JUDGES, "degree")[:2], k=1, item="run", judges=JUDGES, factor="degree")
    assert single.items.select("run", "estimate").rows() == [(1, 15), (2, 6)]
    assert alone.items["dropped_low"].to_list() == ["j1", "j3", "j2", "j3"]
    pandas = bp.aggregate(SHEET.to_pandas(), factor=["degree", 2], minus="fall", total="sum of runs", **RUNS).items
    assert pandas["estimate"].tolist() == found.items["estimate"].to_list()


def test_a_run_without_certificate_decides_the_total() -> None:
    silent = SHEET.with_columns(pl.when(pl.col("run") == 2).then(None).otherwise(pl.col("j1", "j2", "j3")).name.keep())
    assert bp.aggregate(silent, total="sum of run", **RUNS).items["status"].to_list() == ["not certified"] * 2
    best = bp.aggregate(silent, total="best of run", **RUNS).items
    assert best.select("estimate", "status").rows() == [(6, "ok"), (5, "ok")]
    few = SHEET.with_columns(pl.when(pl.col("run") == 1).then("j1").alias("j1"))
    few = few.with_columns(pl.when(pl.col("run") == 1).then("j2").alias("j2"))
    assert bp.aggregate(few, total="best of run", **RUNS).items["status"].to_list() == ["not certified"] * 2


def test_fewer_parts_are_noted() -> None:
    notes = bp.aggregate(SHEET.head(3), total="sum of run", **RUNS).notes
    assert any("1 total of fewer than 2 of 'run': first 'B' with 1" in note for note in notes)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"total": "mean of run"}, ParameterError, "'sum of' or 'best of'"),
        ({"total": "sum of dive"}, ParameterError, "named by 'rider', 'run'"),
        ({"total": "sum of run", "factor": "grade"}, ColumnError, "no column 'grade'"),
        ({"factor": -1}, ParameterError, "at least 0"),
        ({"total": "sum of run", "minus": "degree"}, DataError, "'A' has two deductions, 2.5 and 1"),
        ({"factor": "fall"}, DataError, "no number for item 'B · 1'"),
        ({"total": "sum of run", "kind": "labels"}, ParameterError, "these are labels"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bp.aggregate(SHEET, **RUNS | options)
