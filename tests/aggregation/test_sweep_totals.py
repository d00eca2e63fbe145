"""A sweep over k with criteria, factors, totals and deductions, against trimmed means in plain Python."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import call, document

ROUNDS = {  # diver and round: difficulty, marks
    ("Ada", "1"): ("2", ["9", "9", "9", "2", "1"]),
    ("Ada", "2"): ("3", ["8", "8", "7.5", "7", "7"]),
    ("Bea", "1"): ("2.5", ["7", "7.5", "7", "6.5", "6"]),
    ("Bea", "2"): ("2.5", ["7", "6.5", "7", "7", "9"]),
    ("Cy", "1"): ("3", ["6", "6.5", "7", "6", "6"]),
    ("Cy", "2"): ("2", ["8", "8.5", "9", "8", "8"]),
}
MINUS = {"Ada": "0", "Bea": "1.5", "Cy": ""}
STATED: dict[str, Any] = {"item": ["diver", "round"], "total": "sum of rounds", "factor": "dd", "minus": "off"}
CRITERIA = {  # entry: the marks of each judge for technique and art
    "A": [("9", "1"), ("8", "8"), ("2", "9"), ("7", "7"), ("8", "6")],
    "B": [("7", "7"), ("7", "6"), ("6", "8"), ("7", "7.5"), ("6", "6")],
    "C": [("5", "9"), ("9", "5"), ("7", "7"), ("6", "6"), ("7", "8")],
}


def trimmed(marks: list[Fraction], k: int) -> Fraction:
    kept = sorted(marks)[k : len(marks) - k]
    return sum(kept, Fraction(0)) / len(kept)


def places(results: dict[str, Fraction], *, lowest_first: bool = False) -> dict[str, int]:
    sign = 1 if lowest_first else -1
    return {name: 1 + sum(sign * other < sign * own for other in results.values()) for name, own in results.items()}


def totals(k: int) -> dict[str, Fraction]:
    sums = dict.fromkeys(MINUS, Fraction(0))
    for (diver, _), (difficulty, marks) in ROUNDS.items():
        sums[diver] += Fraction(difficulty) * trimmed([Fraction(mark) for mark in marks], k)
    return {diver: total - Fraction(MINUS[diver] or 0) for diver, total in sums.items()}


def first_changes(by_k: list[dict[str, int]]) -> dict[str, int | None]:
    return {name: next((k for k, one in enumerate(by_k) if one[name] != by_k[0][name]), len(by_k)) for name in by_k[0]}


def sheet() -> pl.DataFrame:
    rows = [
        {
            "diver": diver,
            "round": part,
            "dd": dd,
            **{f"J{i}": mark for i, mark in enumerate(marks, 1)},
            "off": MINUS[diver],
        }
        for (diver, part), (dd, marks) in ROUNDS.items()
    ]
    return pl.DataFrame(rows)


def wide_criteria() -> pl.DataFrame:
    return pl.DataFrame([
        {"entry": entry} | {f"J{i}_{name}": mark for i, pair in enumerate(marks, 1)
                            for name, mark in zip(("tech", "art"), pair, strict=True)}
        for entry, marks in CRITERIA.items()
    ])  # fmt: skip


def check(swept: Any, expected: list[dict[str, Fraction]], *, lowest_first: bool = False) -> None:
    for k, results in enumerate(expected):
        answers = swept.answers.filter(pl.col("k") == k)
        found = dict(zip(answers.to_series().to_list(), answers["estimate"].to_list(), strict=True))
        assert found == pytest.approx({name: float(one) for name, one in results.items()}, rel=1e-12)
    ranked = [places(one, lowest_first=lowest_first) for one in expected]
    assert dict(swept.items.iter_rows()) == first_changes(ranked)
    changed = [sum(one[name] != ranked[0][name] for name in one) for one in ranked]
    assert swept.by_k["changed"].to_list()[: len(expected)] == changed


@pytest.mark.parametrize("better", ["high", "low"])
def test_totals_for_each_k(better: str, tmp_path: Path) -> None:
    expected = [totals(k) for k in range(3)]
    assert places(expected[0]) != places(expected[1])  # else this test could not fail
    swept = bp.sweep(sheet(), better=better, **STATED)
    assert swept.ks == (0, 1, 2, 3)
    check(swept, expected, lowest_first=better == "low")
    reading = bp.recognise(sheet(), better=better, kind="scores", **STATED)
    assert bp.sweep(sheet(), reading=reading).answers.equals(swept.answers)
    path = tmp_path / "dives.csv"
    sheet().write_csv(path)
    flags = [
        "--item",
        "diver,round",
        "--total",
        "sum of rounds",
        "--factor",
        "dd",
        "--minus",
        "off",
        "--better",
        better,
    ]
    told = document("sweep", path, *flags)
    assert told["summary"] == swept.by_k.to_dicts()
    assert told["changes"] == swept.items.to_dicts()


@pytest.mark.parametrize("how", ["judge first", "each"])
def test_criteria_for_each_k(how: str) -> None:
    weights = {"tech": Fraction(2), "art": Fraction(1)}
    expected: list[dict[str, Fraction]] = []
    for k in range(3):
        both = {entry: [[Fraction(mark) for mark in marks] for marks in zip(*pairs, strict=True)]
                for entry, pairs in CRITERIA.items()}  # fmt: skip
        if how == "each":
            one = {entry: 2 * trimmed(tech, k) + trimmed(art, k) for entry, (tech, art) in both.items()}
        else:
            one = {
                entry: trimmed([2 * t + a for t, a in zip(tech, art, strict=True)], k)
                for entry, (tech, art) in both.items()
            }
        expected.append(one)
    swept = bp.sweep(wide_criteria(), item="entry", criteria=how, criterion_weights=weights)
    check(swept, expected)
    for k in range(3):
        alone = bp.aggregate(wide_criteria(), k, criteria=how, criterion_weights=weights).items
        assert swept.answers.filter(pl.col("k") == k).equals(alone)


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    with pytest.raises(bp.ParameterError, match="these are labels"):
        bp.sweep(sheet(), kind="labels", judges=[f"J{i}" for i in range(1, 6)], **STATED)
    with pytest.raises(bp.ParameterError, match="an expert is a voter"):
        bp.sweep(sheet(), expert=bp.Expert(0.5, 0.8, 0.1), **STATED)
    path = tmp_path / "criteria.csv"
    wide_criteria().write_csv(path)
    assert "--criteria" in call("sweep", path).refused()
    assert call("sweep", path, "--criteria", "each").status == 0


def test_an_attack_counts_places_from_the_best() -> None:
    marks = pl.DataFrame({"entry": ["A", "B", "C"], "J1": [5.0, 5, 9], "J2": [5.0, 5, 9], "J3": [5.0, 5, 2.5]})
    options: dict[str, Any] = {"kind": "scores", "item": "entry", "judges": ["J1", "J2", "J3"], "draws": 3, "ks": [0]}
    changed = {}
    for better in ("high", "low"):
        found = bp.attack(marks, None, [1], strategy="low", scale=(0, 10), better=better, **options)
        rows = found.curves.filter(pl.col("rule") == "mean")
        changed[better] = rows["changed"].item()
    # Every draw moves A and B alike, so that they stay together; C leaves them, or falls behind them.
    turned = marks.with_columns(-pl.col("J1", "J2", "J3"))
    mirrored = bp.attack(turned, None, [1], strategy="high", scale=(-10, 0), better="low", **options)
    assert mirrored.curves.filter(pl.col("rule") == "mean")["changed"].item() == changed["high"]
    ranks = pl.DataFrame({"entry": ["A", "B", "C"], "J1": [1, 2, 3], "J2": [2, 1, 3], "J3": [1, 3, 2]})
    with pytest.raises(bp.DataError, match="the lowest is the best"):
        bp.attack(ranks, None, [1], **options)
    with pytest.raises(bp.ParameterError, match="better does not apply to votes"):
        bp.attack(ranks, {"A": 1}, [1], kind="votes", better="low")
