"""Criteria, factors, deductions and totals on the page: the answers, the sheet and what to paste."""

import shlex
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import polars as pl
import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from tests.cli.command import call
from tests.explorer.data.sample_files import Read, hand_over, read
from tests.paths import FIXTURES, SHARED

DATA = SHARED / "data"
needs_data = pytest.mark.skipif(not (DATA / "diving").is_dir(), reason="the data packs are not beside the project")

RUNS = (
    b"rider,run,j1,j2,j3,degree,fall\n"
    b"Ann,1,5,6,9,2.5,1\nAnn,2,7,6,5,1,1\nBob,1,6,4,5,1.5,\nBob,2,8,9,7,2,\nCyn,1,6,6,6.5,1,0\n"
)
CRITERIA = b"entry,J1_tech,J1_art,J2_tech,J2_art,J3_tech,J3_art\nA,7,9,8,7.5,6,6.5\nB,5,5.5,6,6,9,8\nC,7,7,7.5,4,8,9\n"
LONG = b"entry,judge,aspect,mark\n" + b"".join(
    f"{entry},{judge},{aspect},{mark + place}\n".encode()
    for place, entry in enumerate("AB")
    for judge, marks in (("J1", (7, 5)), ("J2", (3, 6)), ("J3", (4, 9)))
    for aspect, mark in zip(("tech", "art"), marks, strict=True)
)
EDITS = (
    b"task,worker,label,when\nt,a,cat,2024-01-02\nt,a,dog,2024-01-01\nt,b,cat,2024-01-01\nt,c,dog,2024-01-01\n"
    b"u,a,dog,2024-01-01\nu,b,dog,2024-01-01\nu,c,dog,2024-01-01\n"
)
CASES = {
    "sum of runs": (RUNS, {"item": "rider,run", "factor": "degree,2", "total": "sum of runs", "minus": "fall"}),
    "best of runs": (RUNS, {"item": "rider,run", "judges": "j*", "total": "best of run", "better": "low"}),
    "factor alone": (RUNS, {"item": "rider,run", "factor": "degree", "minus": "fall", "round": "1"}),
    "judge first": (CRITERIA, {"criteria": "judge-first", "criterion_weights": "tech=2,art=1/3"}),
    "each criterion": (CRITERIA, {"criteria": "each", "judges": "J*"}),
    "long criteria": (LONG, {"criteria": "judge-first", "criterion": "aspect", "asked": "3"}),
    "long, each": (LONG, {"criteria": "each", "criterion": "aspect", "criterion_weights": "tech=2,art=1"}),
    "edits in order": (EDITS, {"order": "when", "repeats": "last"}),
}


def address_of(client: TestClient, content: bytes, fields: dict[str, str], k: int = 1) -> str:
    """Upload a file; return the address of its page with some fields."""
    return f"{hand_over(client, content)}&{urlencode({'k': k} | fields)}"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == "sum of runs" else pytest.mark.slow) for name in CASES],
)
def test_the_command_on_the_page_and_the_slider_give_the_same(client: TestClient, tmp_path: Path, name: str) -> None:
    content, fields = CASES[name]
    for k in (1, 0):
        address = address_of(client, content, fields, k)
        page = read(client, address)
        (tmp_path / "sheet.csv").write_bytes(content)
        words = page.texts["command"][0].replace("sheet.csv", str(tmp_path / "sheet.csv")).split(" -o ")[0]
        call(*shlex.split(words)[1:], "-o", tmp_path / "result.csv")
        assert (tmp_path / "result.csv").read_bytes() == client.get(address.replace("?", "/result.csv?", 1)).content
        names: dict[str, Any] = {}
        lines = (
            page.texts["python"][0].replace("'sheet.csv'", repr(str(tmp_path / "sheet.csv"))).replace("print", "str")
        )
        with warnings.catch_warnings(action="ignore"):
            exec(lines, names)  # noqa: S102
        bp.write_table(names["result"], tmp_path / "python.csv")
        assert (tmp_path / "python.csv").read_bytes() == (tmp_path / "result.csv").read_bytes()
        assert "error" not in page.texts


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_reading_that_can_be_taken_gives_the_same_on_the_command(
    client: TestClient, tmp_path: Path, name: str
) -> None:
    content, fields = CASES[name]
    address = address_of(client, content, fields)
    (link,) = (link for link in read(client, address).links if link.startswith("/data/reading.toml?"))
    (tmp_path / "reading.toml").write_bytes(client.get(link).content)
    (tmp_path / "sheet.csv").write_bytes(content)
    options = [f"--{option}={fields[option]}" for option in ("round", "asked", "order") if option in fields]
    reading = ["--reading", tmp_path / "reading.toml"]
    call("aggregate", tmp_path / "sheet.csv", "--k", 1, *reading, *options, "-o", tmp_path / "result.csv")
    assert (tmp_path / "result.csv").read_bytes() == client.get(address.replace("?", "/result.csv?", 1)).content


@pytest.mark.slow
def test_a_page_says_on_what_the_bribed_may_be_others(client: TestClient) -> None:
    said = {
        "sum of runs": "perhaps another on each run.",
        "each criterion": "perhaps another on each item and criterion.",
        "judge first": "perhaps another on each item.",
    }
    for name, ending in said.items():
        page = read(client, address_of(client, *CASES[name]))
        assert page.texts["headline"][0].endswith(ending), name
        in_parts = any("the same ones on all of them" in note for note in page.texts.get("note", ()))
        assert in_parts == (name != "judge first")
        report = client.get(address_of(client, *CASES[name]).replace("?", "/report.html?", 1)).text
        part = ending.removeprefix("perhaps another on each ").rstrip(".")
        assert f"may have been bribed on each {'entry' if part == 'item' else part}, perhaps another" in report


def test_marks_of_each_run_are_struck(client: TestClient) -> None:
    page = read(client, address_of(client, *CASES["sum of runs"]))
    rows, struck = page.tables["marks"], page.struck[-6:]
    assert [row[0] for row in rows] == ["rider, run", "Ann · 1", "Ann · 2", "Bob · 1", "Bob · 2", "Cyn · 1"]
    for row, flags in zip(rows[1:], struck[1:], strict=True):
        (kept,) = (float(mark) for mark, gone in zip(row[1:4], flags[1:4], strict=True) if not gone)
        assert kept == float(row[4])
    assert "before factors, deductions and totals" in page.html
    assert dict(zip(page.column("answers", "rider"), page.column("answers", "Score"), strict=True)) == {
        "Ann": f"{6 * 2.5 * 2 + 6 * 2 - 1:.2f}", "Bob": f"{5 * 1.5 * 2 + 8 * 2 * 2:.2f}", "Cyn": "12.00",
    }  # fmt: skip
    assert "Dropped low" not in page.tables["answers"][0]
    found = read(client, address_of(client, *CASES["sum of runs"]) + "&find=bob")
    assert [row[0] for row in found.tables["marks"]] == ["rider, run", "Bob · 1", "Bob · 2"]


@pytest.mark.parametrize("name", ["judge first", pytest.param("long criteria", marks=pytest.mark.slow)])
def test_all_marks_of_the_judge_who_is_dropped_are_struck(client: TestClient, name: str) -> None:
    page = read(client, address_of(client, *CASES[name]))
    dropped = {
        item: {low, high}
        for item, low, high in zip(
            *(page.column("answers", heading) for heading in ("entry", "Dropped low", "Dropped high")), strict=True
        )
    }
    rows, struck = page.tables["marks"], page.struck[-len(page.tables["marks"]) :]
    for row, flags in zip(rows[1:], struck[1:], strict=True):
        gone = {heading[:2] for heading, flag in zip(rows[0], flags, strict=True) if flag}
        assert gone == dropped[row[0]]
        assert sum(flags) == 4


@pytest.mark.slow
def test_no_mark_is_struck_where_each_criterion_drops_its_own(client: TestClient) -> None:
    page = read(client, address_of(client, *CASES["each criterion"]))
    assert not any(any(flags) for flags in page.struck)
    assert "Of each criterion the lowest and the highest are dropped by themselves" in page.html
    assert "Dropped low" not in page.tables["answers"][0]


def test_the_form_offers_the_columns_and_stays_filled_in(client: TestClient) -> None:
    fields = CASES["sum of runs"][1]
    page = read(client, address_of(client, RUNS, fields))
    assert {name: page.values[name] for name in ("item", "factor", "total")} | {"minus": page.chosen["minus"]} == fields
    assert '<option value="best of run">' in page.html
    edits = read(client, address_of(client, *CASES["edits in order"]))
    assert edits.chosen["order"] == "when"
    assert dict(zip(edits.column("answers", "task"), edits.column("answers", "Decision"), strict=True))["t"] == "cat"
    for wrong in ({"total": "mean of run"}, {"factor": "grade"}, {"criteria": "all"}, {"minus": "nobody"}):
        assert read(client, address_of(client, RUNS, {"item": "rider,run"} | wrong), 422).texts["error"][0]


@pytest.mark.slow
def test_halfpipe_is_the_best_of_the_runs(client: TestClient) -> None:
    names = pl.col("run_id").str.split_exact("-", 1).struct.rename_fields(["rider", "run"]).alias("names")
    runs = pl.read_csv(FIXTURES / "halfpipe" / "clean.csv").with_columns(names).unnest("names")
    fields = {"item": "rider,run", "total": "best of runs", "round": "2"}
    content = runs.drop("run_id", "official").write_csv().encode()
    page = read(client, address_of(client, content, fields))
    official = dict(runs.group_by("rider").agg(pl.col("official").max()).rows())
    shown = zip(page.column("answers", "rider"), page.column("answers", "Score"), strict=True)
    assert {rider: float(score) for rider, score in shown} == official


@pytest.mark.slow
def test_a_run_that_nobody_scored_does_not_take_the_protection_away(client: TestClient) -> None:
    runs = b"rider,run,j1,j2,j3\nAnn,1,5,6,9\nAnn,2,,,\nBob,1,,,\nBob,2,8,9,7\n"
    page = read(client, address_of(client, runs, {"item": "rider,run", "total": "best of runs"}).replace("k=1&", ""))
    assert page.values["k"] == "1"
    shown = zip(page.column("answers", "rider"), page.column("answers", "Score"), strict=True)
    assert {rider: float(score) for rider, score in shown} == {"Ann": 6, "Bob": 8}


@needs_data
@pytest.mark.slow
def test_diving_on_the_page(client: TestClient) -> None:
    marks = pl.read_csv(DATA / "diving" / "marks.csv").filter(pl.col("round") == "Final")
    fields = {"item": "diver,dive", "reporter": "judge", "value": "score", "factor": "difficulty,3"}
    for (event,), final in marks.group_by("event"):
        address = address_of(client, final.write_csv().encode(), fields | {"total": "sum of dives", "kind": "scores"})
        dives = final.group_by("diver", "dive", "difficulty").agg(pl.col("score").sort())
        five = pl.col("score").list.slice(1, 5).list.sum()
        official = dict(dives.group_by("diver").agg((five * pl.col("difficulty") * 0.6).sum().round(2)).rows())
        page = read(client, address)
        shown = zip(page.column("answers", "diver"), page.column("answers", "Score"), strict=True)
        assert {diver: round(float(score), 2) for diver, score in shown} == official, event
        assert page.texts["headline"][0].endswith("on each dive.")


@needs_data
@pytest.mark.slow
def test_skating_components_on_the_page(client: TestClient) -> None:
    aspects = pl.read_csv(DATA / "skating" / "judged_aspects.csv").filter(pl.col("section") == "components")
    marks = pl.read_csv(DATA / "skating" / "judge_scores.csv", schema_overrides={"score": pl.Float64})
    table = marks.join(aspects.select("aspect_id", "performance_id", "factor"), on="aspect_id")
    fields = {
        "item": "performance_id,aspect_id", "reporter": "judge", "value": "score", "missing": "0", "factor": "factor",
        "round": "2", "total": "sum of aspect_id",
    }  # fmt: skip
    address = address_of(client, table.write_csv().encode(), fields)
    result = pl.read_csv(client.get(address.replace("?", "/result.csv?", 1)).content)
    official = pl.read_csv(DATA / "skating" / "performances.csv")
    joined = result.join(official, on="performance_id")
    assert joined.height == 1726
    assert (joined["estimate"] == joined["total_component_score"]).all()
    assert Read(client.get(address).text).texts["headline"]
