"""Decisions of votes under the absolute loss and costs: the side of the forecast, by brute force over all votes."""

from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.frames.native import to_polars
from bribeproof.theory import Loss, Panel, cost, worst_case
from tests.frames.inputs import EACH_FRAME, FRAMES

DEAR_ALARM, DEAR_MISS = cost(false_positive=5, false_negative=1), cost(false_positive=1, false_negative=6)
EXPERTS = {
    "one is enough": bp.Expert(0.5, 0.9, 0.02),
    "never outweighed": bp.Expert(0.3, 0.7, 0.3),
    "apart": bp.Expert(0.5, 0.9, 0.1, 0.05),
    "apart and rare": bp.Expert(0.1, 0.9, 0.05, 0.02),
}


def every_count(m: int) -> pl.DataFrame:
    """One item for each number of positive votes out of m."""
    rows = [(f"t{x:02}", f"w{j:02}", int(j < x)) for x in range(m + 1) for j in range(m)]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


def decided(m: int, k: int, expert: bp.Expert, loss: str | Loss) -> pl.DataFrame:
    found: pl.DataFrame = bp.aggregate_votes(every_count(m), k, expert=expert, loss=loss)
    return found.sort("task")


@pytest.mark.parametrize(
    "loss",
    [DEAR_ALARM, pytest.param("absolute", marks=pytest.mark.slow), pytest.param(DEAR_MISS, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("expert", EXPERTS.values(), ids=EXPERTS)
def test_the_decision_is_the_more_probable_side_and_flips_are_counted_by_trying(
    expert: bp.Expert, loss: str | Loss
) -> None:
    for m, k in ((5, 1), (8, 2)):
        found = decided(m, k, expert, loss)
        forecasts, decisions = found["forecast"].to_list(), found["decision"].to_list()
        for x, row in enumerate(found.iter_rows(named=True)):
            side = round(forecasts[x] - 0.5, 9) or x - m / 2
            assert decisions[x] == (None if side == 0 else int(side > 0))
            if decisions[x] is None:
                continue
            others = [abs(x - y) for y in range(m + 1) if decisions[y] != decisions[x]]
            assert row["flips_needed"] == (min(others) if others else None)
        changeable = [any(d != decisions[x] for d in decisions[max(0, x - k) : x + k + 1]) for x in range(m + 1)]
        ties = sum(d is None for d in decisions)
        said = bp.aggregate(every_count(m), k, kind="votes", expert=expert, loss=loss).facts()
        assert (said["ties"], said["changeable"]) == (ties, sum(changeable))


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["absolute", DEAR_ALARM, DEAR_MISS])
def test_decisions_without_chance_lose_at_most_twice_the_guarantee(loss: str | Loss) -> None:
    for expert in (bp.Expert(0.5, 0.9, 0.02), bp.Expert(0.3, 0.7, 0.3), bp.Expert(0.8, 0.75, 0.1)):
        found = decided(9, 2, expert, loss)
        rule = [0.0 if decision == 0 else 1.0 for decision in found["decision"]]
        worst: Any = worst_case(rule, Panel(9, 2), expert, loss)
        assert worst.largest_loss <= 2 * found["guarantee"][0] + 1e-9


def test_costs_move_the_decision_and_a_constant_one_cannot_be_changed() -> None:
    expert = bp.Expert(0.5, 0.85, 0.15, 0.05)
    losses: dict[str, str | Loss] = {
        "alarm": cost(false_positive=9, false_negative=1),
        "equal": "absolute",
        "miss": DEAR_MISS,
    }
    yes = {name: decided(11, 1, expert, loss)["decision"].sum() for name, loss in losses.items()}
    assert yes["alarm"] < yes["equal"] < yes["miss"]
    never = decided(9, 1, bp.Expert(0.5, 0.7, 0.3), DEAR_ALARM)
    assert never["decision"].to_list() == [0] * 10
    assert never["flips_needed"].null_count() == never["additions_needed"].null_count() == 10
    said = bp.aggregate(every_count(9), 1, kind="votes", expert=bp.Expert(0.5, 0.7, 0.3), loss=DEAR_ALARM)
    assert "0 of 10 decisions could have been changed" in said.summary()
    assert "reporters who said nothing could have" not in said.summary()
    assert "the column decision takes the more probable side, at most at twice that." in said.summary()


@pytest.mark.slow
def test_a_picture_leaves_out_items_whose_decision_nothing_changes() -> None:
    said = bp.aggregate(every_count(9), 1, kind="votes", expert=bp.Expert(0.5, 0.7, 0.3), loss=DEAR_ALARM)
    assert "<svg" in said._repr_html_()


@pytest.mark.parametrize("absent", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_silent_who_were_asked_count_as_bribed(absent: int) -> None:
    expert, m, k = bp.Expert(0.5, 0.9, 0.1, 0.05), 9, 2
    whole = decided(m, k, expert, DEAR_ALARM)["decision"].to_list()
    votes = every_count(m).filter(pl.col("worker") < f"w{m - absent:02}").unique(["task", "worker"])
    for (x,), rows in votes.group_by(pl.col("task").str.slice(1).cast(pl.Int64)):
        if x > m - absent:
            continue
        found = bp.aggregate(rows, k, kind="votes", expert=expert, loss=DEAR_ALARM, asked=m, item="task")
        here = to = whole[x + absent // 2]
        assert found.items["decision"][0] == here
        reach = [x - r + said for r in range(k - absent + 1) for said in range(absent + 1) if x - r >= 0]
        reach += [x + r + said for r in range(k - absent + 1) for said in range(absent + 1) if x + r <= m - absent]
        assert found.facts()["changeable"] == any(whole[y] != to for y in reach)


def test_other_losses_leave_the_plurality_alone() -> None:
    plain = bp.aggregate_votes(every_count(6), 1)
    for loss in ("squared", "log"):
        found = decided(6, 1, bp.Expert(0.05, 0.7, 0.3), loss)
        assert found.select(plain.columns).equals(plain)


@pytest.mark.slow
@pytest.mark.parametrize("kind", EACH_FRAME)
def test_every_kind_of_frame_decides_alike(kind: str) -> None:
    expected = decided(6, 1, EXPERTS["apart"], DEAR_ALARM).select("task", "decision", "flips_needed").rows()
    found = bp.aggregate(FRAMES[kind](every_count(6).to_dict(as_series=False)), 1, kind="votes",
                         expert=EXPERTS["apart"], loss=DEAR_ALARM)  # fmt: skip
    rows = to_polars(found.items).sort("task").select("task", "decision", "flips_needed").rows()
    assert [tuple(map(str, row)) for row in rows] == [tuple(map(str, row)) for row in expected]


def test_weights_do_not_overrule_a_forecast_that_is_on_one_side_whatever_is_reported() -> None:
    expert = bp.Expert(0.3, 0.7, 0.3)
    found = bp.weigh(every_count(6), 1, expert=expert, loss=DEAR_ALARM).items
    assert found["decision"].to_list() == [0] * 7
    assert found["flips_needed"].null_count() == 7
    assert found["estimate"].to_list() == pytest.approx(found["share_0"].to_list())
    squared = bp.weigh(every_count(6), 1, expert=expert).items
    assert squared["flips_needed"].null_count() == 0
    sure = bp.weigh(every_count(6), 1, expert=bp.Expert(0.5, 0.99, 0.01), loss="absolute").items
    assert sure.select("decision", "flips_needed").equals(squared.select("decision", "flips_needed"))
