"""Places that the same bribed judges could have caused, against rewriting their marks and aggregating anew."""

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from tests.paths import SHARED

DATA = SHARED / "data"
FAR = 1000.0
"""Beyond all marks; as many marks as are written are dropped."""


def table(seed: int, forms: int) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Return a random table of scores, and how it is read: plain, totals, bests, criteria."""
    draw = np.random.default_rng(seed)
    judges = [f"J{number}" for number in range(draw.integers(4, 6))]
    rows = []
    for entry in "ABCD":
        minus = float(draw.integers(0, 3)) / 2
        for run in ("r1", "r2")[: 1 if forms == 0 else draw.integers(1, 3)]:
            factor = float(draw.integers(1, 5)) / 2
            for judge in judges:
                for criterion in ("tech", "art")[: 2 if forms >= 3 else 1]:
                    absent = draw.random() < 0.08
                    mark = None if absent else float(draw.integers(10, 25)) / 4
                    rows.append((entry, run, judge, criterion, factor, minus, mark))
    frame = pl.DataFrame(rows, schema=["entry", "run", "judge", "criterion", "factor", "minus", "score"], orient="row")
    options: dict[str, Any] = {"kind": "scores", "reporter": "judge", "value": "score"}
    options["item"] = "entry" if forms == 0 else ["entry", "run"]
    options["decimals"] = [None, 1][int(draw.integers(2))]
    options["better"] = ["high", "low"][int(draw.integers(2))]
    if forms:
        options |= {"total": ["sum of run", "best of run"][int(draw.integers(2))], "factor": ["factor", 2]}
        options |= {"minus": "minus"}
    if forms >= 3:
        how = ["judge first", "each"][forms - 3]
        options |= {"criteria": how, "criterion": "criterion", "criterion_weights": {"tech": 2, "art": "1/3"}}
    return frame, options


def places(lows: dict[str, float], highs: dict[str, float], entries: list[str], better: str) -> dict[str, list[int]]:
    """Return the best and the worst place of each entry with a total, others being possibly above."""
    sign = 1 if better == "high" else -1
    low, high = ({name: sign * end[name] for name in end} for end in ((lows, highs) if sign == 1 else (highs, lows)))
    without = len(entries) - len(low)
    return {
        name: [
            1 + sum(low[other] > high[name] + 1e-9 for other in low),
            1 + without + sum(high[other] > low[name] + 1e-9 for other in low if other != name),
        ]
        for name in low
    }


@pytest.mark.parametrize("forms", range(5))
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 7))])
def test_against_rewriting_the_marks_and_aggregating_anew(seed: int, forms: int) -> None:
    frame, options = table(seed, forms)
    k = 1
    found = bp.aggregate(frame, k, **options)
    named = found.items.columns[0]
    sheet = found.contest()  # type: ignore[misc]
    assert not isinstance(sheet, str)
    certified = sheet.trimmed(k)
    now = {name: value for name, value in found.items.select(named, "estimate").iter_rows() if value is not None}
    contest = certified.contest
    mine = [float(total * contest.total_unit) for total in contest.totals.tolist()]
    names = [sheet.entries[entry] for entry in certified.entries]
    assert dict(zip(names, mine, strict=True)) == pytest.approx(now)
    entries, best, worst = found.items[named].to_list(), dict.fromkeys(now, 99), dict.fromkeys(now, 0)
    for bribed in combinations(frame["judge"].unique().to_list(), k):
        ends = []
        for mark in (-FAR, FAR):
            theirs = pl.col("judge").is_in(bribed) & pl.col("score").is_not_null()
            written = frame.with_columns(pl.when(theirs).then(mark).otherwise("score").alias("score"))
            totals = bp.aggregate(written, k, **options).items.drop_nulls("estimate")
            ends.append(dict(totals.select(named, "estimate").iter_rows()))
        for name, (least, most) in places(ends[0], ends[1], entries, options["better"]).items():
            best[name], worst[name] = min(best[name], least), max(worst[name], most)
    facts = found.facts()
    for place in facts["same_judges"]["podium"]:
        assert [place["best_rank"], place["worst_rank"]] == [best[place["item"]], worst[place["item"]]]
    rank = {place["item"]: place["rank"] for place in facts["same_judges"]["podium"]}
    could = {one["item"] for one in facts["same_judges"]["could_be_first"]}
    assert could == {name for name in now if best[name] == 1 and rank.get(name, 9) > 1}
    for wide, narrow in zip(facts["podium"], facts["same_judges"]["podium"], strict=True):
        assert wide["best_rank"] <= narrow["best_rank"] <= narrow["worst_rank"] <= wide["worst_rank"]


@pytest.mark.skipif(not (DATA / "diving").is_dir(), reason="the data packs are not beside the project")
def test_diving_finals_with_one_bribed_judge() -> None:
    marks = pl.read_csv(DATA / "diving" / "marks.csv").filter(pl.col("round") == "Final")
    together, alone = {}, {}
    for (event,), final in marks.group_by("event"):
        found = bp.aggregate(
            final, k=1, kind="scores", item=["diver", "dive"], reporter="judge", value="score",
            factor=["difficulty", 3], total="sum of dives", scale=(0, 10),
        ).facts()  # fmt: skip
        together[event] = len(found["same_judges"]["could_be_first"])
        alone[event] = found["podium"][0]["worst_rank"] - 1
    assert together == {"M3mSB": 1, "M10mPF": 0, "W3mSB": 0, "W10mPF": 0}
    assert alone == {"M3mSB": 2, "M10mPF": 1, "W3mSB": 1, "W10mPF": 0}


def test_what_is_not_searched_is_said() -> None:
    sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [8.0, 7], "J2": [8.0, 7], "J3": [8.0, 7], "J4": [8.0, None]})
    options: dict[str, Any] = {"kind": "scores", "item": "entry", "judges": ["J*"]}
    silent = bp.aggregate(sheet, 1, asked=4, **options)
    assert silent.facts()["same_judges"] == {
        "skipped": "silent judges, or those set aside, count as bribed on some items only"
    }
    said = "The same on every item could have done no more; how much of it is not searched: silent judges, or those set"
    assert said in silent.summary()
    share = bp.aggregate(sheet, share=0.25, share_of="item", **options)
    assert share.facts()["same_judges"] == {"skipped": "the number of bribed judges differs by item"}
    votes = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": list("xxy")})
    assert "same_judges" not in bp.aggregate(votes, 1).facts()


def test_without_bribes_there_is_one_podium() -> None:
    sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [8.0, 7], "J2": [8.0, 7], "J3": [8.0, 7]})
    lines = bp.aggregate(sheet, 0, kind="scores", item="entry", judges=["J*"]).summary().splitlines()
    assert [line for line in lines if "odium" in line] == ["Podium: 1. A, 2. B."]


def test_nothing_can_move_equal_marks() -> None:
    sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [8.0, 8], "J2": [8.0, 8], "J3": [8.0, 8]})
    said = bp.aggregate(sheet, 1, kind="scores", item="entry", judges=["J*"]).summary()
    assert "the same on every item: 1. A (safe), 1. B (safe)." in said


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))])
def test_groups_and_prices_against_rewriting_the_marks_and_aggregating_anew(seed: int) -> None:
    draw = np.random.default_rng(seed)
    judges = [f"J{number}" for number in range(9)]
    nation = {judge: "UVWXYZ"[int(draw.integers(6))] for judge in judges}
    rows = [
        (entry, run, judge, float(draw.integers(10, 25)) / 4)
        for entry in "ABC"
        for run in ("r1", "r2")
        for judge in judges
        if draw.random() > 0.1
    ]
    frame = pl.DataFrame(rows, schema=["entry", "run", "judge", "score"], orient="row")
    names = sorted(set(nation.values()))
    prices = {name: int(draw.integers(1, 4)) for name in names}
    bought: dict[str, Any] = {"group": nation, "k": 1}
    if seed % 2:
        bought = {"group": nation, "price": prices, "budget": 3}
    options: dict[str, Any] = {"kind": "scores", "item": ["entry", "run"], "reporter": "judge", "value": "score"}
    options |= {"total": "sum of run", **bought}
    found = bp.aggregate(frame, **options)
    now = {row[0]: row[1] for row in found.items.select("entry", "estimate").iter_rows() if row[1] is not None}
    sets = [
        one
        for size in range(len(names) + 1)
        for one in combinations(names, size)
        if (len(one) <= 1 if "k" in bought else sum(prices[name] for name in one) <= 3)
    ]
    best, worst = dict.fromkeys(now, 99), dict.fromkeys(now, 0)
    for nations in sets:
        ends = []
        for mark in (-FAR, FAR):
            theirs = pl.col("judge").is_in([judge for judge in judges if nation[judge] in nations])
            written = frame.with_columns(pl.when(theirs).then(mark).otherwise("score").alias("score"))
            totals = bp.aggregate(written, **options).items.drop_nulls("estimate")
            ends.append(dict(totals.select("entry", "estimate").iter_rows()))
        for name, (least, most) in places(ends[0], ends[1], ["A", "B", "C"], "high").items():
            best[name], worst[name] = min(best[name], least), max(worst[name], most)
    facts = found.facts()
    assert len(facts["podium"]) == len(now)
    for place in facts["same_judges"]["podium"] if now else ():
        assert [place["best_rank"], place["worst_rank"]] == [best[place["item"]], worst[place["item"]]]
