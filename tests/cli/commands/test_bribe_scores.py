"""``bribeproof bribe`` on score sheets: sentences, table, JSON, files and pictures."""

import json
from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import call
from tests.paths import ROOT

JUDGES = ROOT / "examples" / "judges.csv"


def test_sentences_and_a_table_of_eighty_columns() -> None:
    done = call("bribe", JUDGES, "--k", 2)
    lines = done.out.splitlines()
    assert lines[0] == "6 entries, 7 judges, the 2 lowest and the 2 highest marks of each item dropped."
    made = "could have made Borealis (such as by bribing judge_1 and judge_3) first, alone or level."
    assert lines[1] == f"The same 2 judges on every item {made}"
    table = lines[lines.index("") + 1 :]
    assert table[0].split() == ["entry", "total", "place", "the", "same", "others", "best", "if", "bribed"]
    assert table[7].startswith("the same: places that are possible")
    assert max(map(len, table)) <= 80


def test_json_is_what_the_library_finds(tmp_path: Path) -> None:
    done = call("bribe", JUDGES, "--k", 1, "--trim", 1, "--scale", "0,10", "--json", "-o", tmp_path / "places.csv")
    found = json.loads(done.out)
    ours = bp.worst_bribe(JUDGES, 1, kind="scores", trim=1, scale=(0, 10))
    assert {name: found[name] for name in ours.facts()} == ours.facts()
    assert found["entries"] == ours.records()
    assert [entry["bribed"] for entry in found["entries"] if entry["bribed"]] == [["judge_1"]] * 2
    assert found["kind"] == "scores"
    assert pl.read_csv(tmp_path / "places.csv").height == 6


def test_a_picture_and_groups_with_a_budget(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    nations, fees = tmp_path / "nations.csv", tmp_path / "fees.csv"
    nations.write_text("judge,nation\njudge_1,NOR\njudge_2,NOR\n", encoding="utf-8")
    fees.write_text("group,price\nNOR,3\n" + "".join(f"judge_{seat},2\n" for seat in range(3, 8)), encoding="utf-8")
    done = call(
        "bribe", JUDGES, "--group", nations, "--price", fees, "--budget", 3, "--trim", 1, "--plot", tmp_path / "p.svg"
    )
    assert "Groups bribed for at most 3, the same on every item, could" in done.out
    assert (tmp_path / "p.svg").stat().st_size > 1000


def test_totals_of_rounds(tmp_path: Path) -> None:
    sheet = tmp_path / "rounds.csv"
    rows = [
        f"{skater},{run},{judge},{factor},{mark + (judge == 'D' and skater == 'Ann')}"
        for run, factor in (("short", 1), ("free", 2))
        for skater, mark in (("Ann", 7), ("Ben", 7), ("Cem", 3))
        for judge in "ABCD"
    ]
    sheet.write_text("skater,run,judge,factor,score\n" + "\n".join(rows), encoding="utf-8")
    options = ("--item", "skater,run", "--total", "sum of runs", "--factor", "factor", "--k", 1, "--trim", 0)
    done = call("bribe", sheet, *options)
    assert "could have made Ben (such as by bribing A) and Cem (such as by bribing A) first" in done.out


def test_options_of_another_kind_are_refused() -> None:
    labels = ROOT / "examples" / "labels.csv"
    assert "--values has no effect here" in call("bribe", JUDGES, "--k", 1, "--values", "v.csv").refused()
    assert "--trim has no effect here: it needs scores" in call("bribe", labels, "--k", 1, "--trim", 1).refused()
    assert "--scale does not apply to labels" in call("bribe", labels, "--k", 1, "--scale", "0,9").refused()
    assert "ask one thing" in call("bribe", JUDGES).refused()
    assert "give a smaller trim" in call("bribe", JUDGES, "--k", 1, "--trim", 4).refused()
    for k in (4, 5):
        assert "give a smaller k, at most 3 (as many marks are dropped" in call("bribe", JUDGES, "--k", k).refused()
    assert call("bribe", JUDGES, "--k", 3).out


def test_a_panel_of_forty_judges_within_a_time_limit(tmp_path: Path) -> None:
    rows = {f"J{seat}": [(seat * (entry + 3)) % 7 / 2 + 5 for entry in range(5)] for seat in range(40)}
    sheet = tmp_path / "marks.csv"
    pl.DataFrame({"entry": list("ABCDE")} | rows).write_csv(sheet)
    options = (sheet, "--k", 9, "--trim", 3, "--scale", "0,10")
    done = call("bribe", *options, "--json")
    assert (json.loads(done.out)["exact"], json.loads(done.out)["tried_all"]) == (True, False)
    short = call("bribe", *options, "--time-limit", 1e-9)
    assert "Proven" not in short.out
    for file in (sheet, JUDGES):
        assert "--time-limit 0: give" in call("bribe", file, "--k", 1, "--time-limit", 0).refused()


def test_the_cheapest_bribery(tmp_path: Path) -> None:
    done = call("bribe", JUDGES, "--change", "winner", "--trim", 1)
    assert done.out.splitlines() == bp.cheapest_bribe(JUDGES, "winner", trim=1).summary().splitlines()
    entry = call("bribe", JUDGES, "--change-items", "Delta", "--place", 4, "--trim", 1, "--json")
    ours = bp.cheapest_bribe(JUDGES, items="Delta", place=4, trim=1, kind="scores").facts()
    assert {name: one for name, one in json.loads(entry.out).items() if name in ours} == ours
    table = tmp_path / "moved.csv"
    written = call("bribe", JUDGES, "--change", "winner", "--trim", 1, "-o", table)
    assert f"wrote 6 entries to {table}" in written.err
    assert pl.read_csv(table).equals(bp.cheapest_bribe(JUDGES, "winner", trim=1).entries)
    assert (
        "--plot has no effect" in call("bribe", JUDGES, "--change", "winner", "--trim", 1, "--plot", "a.png").refused()
    )
    fees = tmp_path / "fees.csv"
    fees.write_text("judge,price\n" + "".join(f"judge_{seat},{seat}\n" for seat in range(1, 8)), encoding="utf-8")
    priced = call("bribe", JUDGES, "--change", "podium", "--trim", 1, "--price", fees)
    assert "bribes for" in priced.out
    assert "(proven)" in priced.out
    labels = ROOT / "examples" / "labels.csv"
    assert "--trim 1" in call("bribe", JUDGES, "--change", "winner").refused()
    assert "give winner or podium" in call("bribe", JUDGES, "--change", 3, "--trim", 1).refused()
    assert "is about scores" in call("bribe", labels, "--change", "winner").refused()
    assert "name one entry" in call("bribe", JUDGES, "--change-items", "Ember,Delta", "--trim", 1).refused()
    assert "it needs scores and --change-items" in call("bribe", JUDGES, "--k", 1, "--place", 2).refused()


def test_an_error_offers_no_option_that_bribe_lacks(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("entry,J1,J2,J3\nAnn,8.5,8,7\nBo,8,n.a.,7.5\nCy,6,6.5,7\n", encoding="utf-8")
    said = call("bribe", sheet, "--k", 1).refused()
    assert "--missing n.a." in said
    assert "--faulty" not in said
    assert "--faulty" in call("aggregate", sheet, "--k", 1).refused()
