"""Sweeps over numbers of bribed groups and over budgets."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.theory import items_guarantee
from tests.frames.inputs import EACH_KIND, UNORDERED, check_frames, give

FUNCTIONS: dict[str, Any] = {"scores": bp.aggregate_scores, "votes": bp.aggregate_votes, "labels": bp.aggregate_labels}
VALUES: dict[str, list[Any]] = {"scores": [1.0, 2.5, 4.0, 8.0], "votes": [0, 1], "labels": ["x", "y", "z"]}
EXPERT = bp.Expert(0.5, 0.95, 0.05)


def reports(kind: str, seed: int, items: int = 6) -> tuple[pl.DataFrame, dict[str, str], dict[str, float]]:
    """Return reports of nine reporters in about four groups, the groups, and a price for each."""
    rng = np.random.default_rng(seed)
    group = {f"w{j}": f"G{rng.integers(4)}" for j in range(9)}
    price = {name: float(rng.integers(0, 9)) / 2 for name in sorted(set(group.values()))}
    rows = [
        (f"t{i}", f"w{j}", VALUES[kind][rng.integers(len(VALUES[kind]))])
        for i in range(items)
        for j in range(9)
        if rng.random() < 0.8
    ]
    rows += [("full", f"w{j}", VALUES[kind][j % 2]) for j in range(9)]
    schema = ["task", "worker", "score" if kind == "scores" else "label"]
    return pl.DataFrame(rows, schema=schema, orient="row"), group, price


@pytest.mark.parametrize("kind", list(FUNCTIONS))
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_table_function_for_each_number_of_groups_and_each_budget(kind: str, seed: int) -> None:
    frame, group, price = reports(kind, seed)
    options: dict[str, Any] = {"classes": [0, 1]} if kind == "votes" else {}
    swept = bp.sweep(frame, kind=kind, group=group, **options)
    assert swept.ks == tuple(range(len(swept.ks)))
    each = [FUNCTIONS[kind](frame, k=k, group=group, **options) for k in swept.ks]
    assert swept.answers.equals(pl.concat(each))
    assert not (each[-1]["status"] == "ok").any()
    assert (each[-2]["status"] == "ok").any()
    _check_changes(swept, each)
    budgets = [0, 1.5, 4, 100]
    swept = bp.sweep(frame, kind=kind, group=group, price=price, budget=budgets, **options)
    assert swept.by_k["budget"].to_list() == budgets
    each = [FUNCTIONS[kind](frame, group=group, price=price, budget=budget, **options) for budget in budgets]
    assert swept.answers.equals(pl.concat(each))
    _check_changes(swept, each)


def _check_changes(swept: Any, each: list[pl.DataFrame]) -> None:
    """Check the counts for each number, and the first number at which the answer of each item changes or is lost."""
    assert swept.by_k["certified"].to_list() == [int((one["status"] == "ok").sum()) for one in each]
    for place, (_, first) in enumerate(swept.items.iter_rows()):
        answers = [_answer(one, place) for one in each]
        lost = [one["status"][place] != "ok" for one in each]
        changed = [number for number, answer, gone in zip(swept.ks, answers, lost, strict=True)
                   if gone or answer != answers[0]]  # fmt: skip
        assert first == min(changed, default=None)


def _answer(answers: pl.DataFrame, place: int) -> object:
    if "decision" in answers.columns:
        return answers["decision"][place]
    own = answers["estimate"][place]
    return None if own is None else 1 + sum(other > own for other in answers["estimate"].drop_nulls())


def test_groups_of_one_and_prices_of_one_are_reporters() -> None:
    frame, group, _ = reports("votes", 7)
    plain = bp.sweep(frame, classes=[0, 1], expert=EXPERT)
    alone = bp.sweep(frame, classes=[0, 1], expert=EXPERT, group={})
    paid = bp.sweep(frame, classes=[0, 1], expert=EXPERT, price=dict.fromkeys(group, 1), budget=plain.ks)
    assert alone.by_k.equals(plain.by_k)
    assert paid.by_k.rename({"budget": "k"}).cast({"k": pl.Int64}).equals(plain.by_k)
    assert alone.items.equals(plain.items)
    assert alone.most_adversaries == plain.most_adversaries == paid.most_adversaries


def test_larger_groups_never_certify_more_and_never_promise_more() -> None:
    frame, group, _ = reports("votes", 3)
    merged = {who: "G0" if name in ("G0", "G1") else name for who, name in group.items()}
    small, large = (bp.sweep(frame, range(4), classes=[0, 1], expert=EXPERT, group=one) for one in (group, merged))
    assert (large.answers["k"] >= small.answers["k"]).all()
    assert (large.by_k["certified"] <= small.by_k["certified"]).all()
    both = pl.DataFrame({"small": small.answers["guarantee"], "large": large.answers["guarantee"]}).drop_nulls()
    assert both.height > 5
    assert (both["large"] >= both["small"]).all()


def test_each_item_has_the_guarantee_of_the_most_reports_that_groups_have_on_it() -> None:
    frame, group, _ = reports("votes", 5, items=12)
    swept = bp.sweep(frame, range(3), classes=[0, 1], expert=EXPERT, group=group, loss="absolute")
    for k, row in zip(swept.ks, swept.by_k.iter_rows(named=True), strict=True):
        bounds = []
        for _, item in frame.group_by("task"):
            sizes = item["worker"].replace_strict(group).value_counts()["count"].sort(descending=True)
            m, bribed = item.height, int(sizes.head(k).sum())
            if m > 2 * bribed:
                bound = items_guarantee({m: 1}, bribed, EXPERT, "absolute")
                assert bound is not None
                bounds.append(bound.expected_loss)
        assert row["certified"] == len(bounds)
        assert row["expected_loss"] == pytest.approx(math.fsum(bounds) / len(bounds) if bounds else None)


def test_a_guarantee_by_gold_items_counts_all_reporters_of_the_groups() -> None:
    rows = [(i, f"w{j}", int((i + 2 * j) % 11 > 1) ^ (i % 2)) for i in range(400) for j in range(11)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    measured = bp.calibrate(frame, {i: 1 - i % 2 for i in range(400)}, k=0)
    # Two in three of the eleven are one vendor: two groups are three reporters, of the panel too.
    group = {"w0": "V", "w1": "V", "w2": "V"}
    swept = bp.sweep(frame, [0, 1], expert=measured, group=group)
    plain = bp.sweep(frame, [0, 3], expert=measured)
    assert swept.by_k["expected_loss"].to_list() == plain.by_k["expected_loss"].to_list()
    assert swept.most_adversaries == 1
    assert plain.promises is not None
    assert swept.promises is not None
    assert swept.promises.worth[1] == plain.promises.worth[3]


def test_the_sentences_count_groups_or_money() -> None:
    frame, group, price = reports("votes", 0)
    frame = frame.with_columns(pl.col("worker").replace_strict(group).alias("vendor"))
    lines = bp.sweep(frame, [0, 1, 2], classes=[0, 1], expert=EXPERT, group="vendor").summary().splitlines()
    assert lines[0].startswith("Changed or lost first at k = 1 group (vendor): ")
    assert any(line.startswith("With k = 1 group (vendor) it is worth nothing") for line in lines) or any(
        "worth something up to k = " in line for line in lines
    )
    assert "where more of an item's reports can be bribed as where fewer can" in lines[-1]
    swept = bp.sweep(frame, classes=[0, 1], expert=EXPERT, group="vendor", price=price, budget=[0, 100])
    assert "Changed or lost first at a budget of 100: " in swept.summary()
    assert "certified for that budget" in swept.summary()
    assert repr(swept) == "Sweep(kind='votes', budgets=0.0…100.0, n_items=7)"
    quiet = bp.sweep(frame, [0], classes=[0, 1], group="vendor").summary()
    assert quiet == "No answer changes or is lost up to k = 0 groups (vendor)."


@pytest.mark.parametrize("kind", EACH_KIND)
def test_frames_of_every_kind(kind: str, tmp_path: Path) -> None:
    frame, group, _ = reports("labels", 2)
    rows = frame.with_columns(pl.col("worker").replace_strict(group).alias("vendor"))
    expected = bp.sweep(rows, kind="labels", group="vendor")
    swept = bp.sweep(give(kind, rows.to_dict(as_series=False), tmp_path), kind="labels", group="vendor")
    assert swept.ks == expected.ks
    if kind in UNORDERED:
        answers = expected.answers.sort("groups", "task", maintain_order=True)
        expected = replace(expected, items=expected.items.sort("task"), answers=answers)
    check_frames(kind, *[(one.by_k, one.items, one.answers) for one in (swept, expected)])


def test_an_item_of_one_report_does_not_keep_a_sweep_going() -> None:
    rows = [("t", f"w{j}", 1) for j in range(11)] + [("u", "w0", 0)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    assert bp.sweep(frame, group={}).ks == (0, 1, 2, 3, 4, 5, 6)
    # Beside the eleven there are 29 who said nothing, each of them alone.
    assert bp.sweep(frame, group={}, asked=40).ks == bp.sweep(frame, asked=40).ks


def test_what_does_not_go_together_is_refused() -> None:
    frame, group, price = reports("votes", 0)
    with pytest.raises(bp.ParameterError, match="a budget needs prices"):
        bp.sweep(frame, group=group, budget=[1])
    with pytest.raises(bp.ParameterError, match="with prices give budgets"):
        bp.sweep(frame, [0, 1], group=group, price=price)
    with pytest.raises(bp.ParameterError, match=r"budget=\[2, 1\]: give numbers in ascending order"):
        bp.sweep(frame, group=group, price=price, budget=[2, 1])
    with pytest.raises(bp.ParameterError, match="budget = -1: give a number of at least 0"):
        bp.sweep(frame, group=group, price=price, budget=[-1])
    with pytest.raises(bp.ParameterError, match="k=2: a sweep goes through several numbers"):
        bp.sweep(frame, k=2)
    with pytest.raises(bp.ParameterTypeError, match="ks=3: give numbers in ascending order"):
        bp.sweep(frame, 3)  # type: ignore[arg-type]


def test_rates_must_be_those_of_items_on_which_more_can_be_bribed() -> None:
    # docs/theory.md §2: "w" errs on 30 % of all items, and on four of five a bribed pair replaces two who never err.
    def sheet(item: int, truth: int, *, errs: bool, pair: bool) -> list[tuple[int, str, int]]:
        others = ("c", "d", "p", "q") if pair else ("c", "d", "e", "f")
        said = {who: 1 - truth if who in "pq" else truth for who in others} | {"w": 1 - truth if errs else truth}
        return [(item, who, label) for who, label in said.items()]

    cases = [(number // 10 % 2, number % 10 < 3, number // 20 < 4) for number in range(100)]
    rows = [row for item, (truth, errs, pair) in enumerate(cases) for row in sheet(item, truth, errs=errs, pair=pair)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    honest = frame.filter(~pl.col("worker").is_in(["p", "q"]))
    rate = 30 / honest.height
    result = bp.aggregate_votes(
        frame, 1, group={"p": "B", "q": "B"}, expert=bp.Expert(0.5, 1 - rate, rate), loss="absolute", classes=[0, 1]
    ).sort("task")
    promised = result["guarantee"].mean()
    lost = np.mean([abs(truth - share) for (truth, _, _), share in zip(cases, result["forecast"], strict=True)])
    assert rate == pytest.approx(0.0882, abs=1e-4)
    assert promised == pytest.approx(0.2353, abs=1e-4)
    assert lost == pytest.approx(0.24)


def test_where_it_is_stated_how_many_were_asked_as_many_can_be_bribed_on_all_items() -> None:
    rows = [(f"t{i}", f"w{j}", (i + j) % 2) for i in range(6) for j in range(9) if (i, j) != (0, 3)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    swept = bp.sweep(frame, [1, 2], group={"w0": "N", "w1": "N"}, asked=9, expert=EXPERT)
    assert swept.answers["k"].to_list() == [2] * 6 + [3] * 6
    assert "whatever its truth or difficulty and their skill, and that honest ones answer." in swept.summary()


def test_places_of_totals_and_of_criteria_by_groups() -> None:
    marks = [("A", 5, 4, 6, 6, 5), ("B", 5, 5, 5, 4, 5), ("C", 3, 2, 3, 3, 2)]
    rows = [(who, run, f"j{j}", mark + run) for who, *given in marks for run in (0, 1) for j, mark in enumerate(given)]
    sheet = pl.DataFrame(rows, schema=["rider", "run", "judge", "score"], orient="row")
    options: dict[str, Any] = {"kind": "scores", "better": "high", "reporter": "judge", "score": "score"}
    one = bp.sweep(sheet, item=["rider", "run"], total="best of runs", **options, group={"j0": "N", "j1": "N"})
    two = bp.sweep(sheet, item=["rider", "run"], total="best of runs", **options)
    # The pair is two of five judges, so that one group is as bad as two judges.
    assert one.by_k["certified"].to_list() == [3, 3, 0]
    assert one.answers.filter(groups=1)["estimate"].to_list() == two.answers.filter(k=2)["estimate"].to_list()
