"""Weights where one bribe buys a group, compared with every affordable union of groups."""

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.theory import error_inflation
from bribeproof.theory.rules.closed_form import closed_form
from tests.aggregation.bribery_oracle import Bribery
from tests.effort import seeds
from tests.frames.inputs import EACH_FRAME, FRAMES

_EXPERT = bp.Expert(0.4, 0.95, 0.1)


class Panel:
    """A random panel in groups with given weights and rates, and the votes of some of it on each of some items."""

    def __init__(self, seed: int, items: int, *, priced: bool) -> None:
        rng = np.random.default_rng(seed)
        self.reporters = [f"w{j}" for j in range(rng.integers(4, 9))]
        self.group = {who: f"G{rng.integers(6)}" for who in self.reporters}
        names = sorted(set(self.group.values()))
        price = {name: Fraction(int(rng.integers(0, 7)), 2) for name in names} if priced else None
        k = int(rng.integers(0, 3))
        self.bribery = Bribery(self.group, price, Fraction(int(rng.integers(0, 9)), 2) if priced else Fraction(k))
        self.options: dict[str, Any] = {"group": self.group}
        self.options |= {"k": k} if price is None else {"price": price, "budget": self.bribery.budget}
        self.sheets = [
            tuple((who, int(rng.integers(2))) for who in self.reporters if rng.random() < 0.8) for _ in range(items)
        ]
        self.weights = {who: float(rng.integers(1, 9)) for who in self.reporters}
        self.rates = {who: (float(rng.random() / 3), float(rng.random() / 3)) for who in self.reporters}
        self.experts = {who: bp.Expert(0.4, 1 - missed, false) for who, (missed, false) in self.rates.items()}

    def frame(self) -> pl.DataFrame:
        rows: list[tuple[int, str, int | None]] = [
            (t, who, label) for t, sheet in enumerate(self.sheets) for who, label in sheet
        ]
        rows += [(t, who, None) for t in range(len(self.sheets)) for who in self.reporters]
        return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row", infer_schema_length=None)

    def left(self, sheet: Any) -> list[list[str]]:
        """Return the truthful reporters of an item for each affordable union of groups."""
        own = [who for who, _ in sheet]
        return [[who for who in own if self.group[who] not in union] for union in self.bribery.affordable()]


def _guarantee(errors: tuple[float, float]) -> float:
    missed, false = (min(1.0, one) for one in errors)
    found = closed_form(bp.Panel(1), bp.theory.ExpertInterval((0.4, 0.4), 1 - missed, false), "squared").guarantee
    assert found is not None
    return found.expected_loss


def _check(seeds: range, items: int) -> None:
    for seed in seeds:
        panel = Panel(seed, items, priced=seed % 2 == 1)
        votes = panel.frame()
        alone = bp.weigh(votes, weights=panel.weights, classes=[0, 1], **panel.options, expert=panel.experts).items
        spread = bp.weigh(votes, classes=[0, 1], weight_spread=0.25, **panel.options, expert=_EXPERT).items
        for sheet, fixed, learned in zip(
            panel.sheets,
            alone.sort("task").iter_rows(named=True),
            spread.sort("task").iter_rows(named=True),
            strict=True,
        ):
            most = panel.bribery.most(sheet)
            assert fixed["k"] == learned["k"] == most
            if not sheet:
                continue
            total = sum(panel.weights[who] for who, _ in sheet)
            left = [sum(panel.weights[who] for who in some) / total for some in panel.left(sheet)]
            held = 1 - min(left)
            assert fixed["heaviest"] == pytest.approx(held)
            assert (fixed["status"] == "ok") <= (held < 0.5)
            assert (learned["status"] == "ok") <= (len(sheet) > 2 * most)
            if fixed["guarantee"] is not None:
                worst = [
                    max(
                        sum(panel.weights[who] * panel.rates[who][state] for who in some)
                        / sum(panel.weights[who] for who in some)
                        for some in panel.left(sheet)
                    )
                    for state in (0, 1)
                ]
                factor = (1 - held) / (1 - 2 * held)
                assert fixed["guarantee"] == pytest.approx(_guarantee((factor * worst[0], factor * worst[1])))
            if learned["guarantee"] is not None:
                factor = error_inflation(bp.Panel(len(sheet), most), 0.25)
                assert learned["guarantee"] == pytest.approx(_guarantee((factor * 0.05, factor * 0.1)))


def test_few_panels_agree_with_every_affordable_union_of_groups() -> None:
    _check(range(12), 8)


@pytest.mark.slow
def test_many_panels_agree_with_every_affordable_union_of_groups() -> None:
    _check(seeds(100, 350), 40)


def _votes(seed: int = 1) -> tuple[pl.DataFrame, dict[str, str]]:
    rng = np.random.default_rng(seed)
    rows = [
        (t, f"w{j}", int(t % 2) ^ int(rng.random() < 0.2)) for t in range(60) for j in range(9) if rng.random() < 0.9
    ]
    group = {f"w{j}": f"G{j // 2}" for j in range(9)}
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"), group


def _truth(votes: pl.DataFrame) -> dict[int, int]:
    return {task: task % 2 for task in votes["task"].unique().to_list()}


@pytest.mark.parametrize("way", ["learned", "given", "each", pytest.param("measured", marks=pytest.mark.slow), "asked"])
def test_groups_of_one_and_prices_of_one_are_reporters(way: str) -> None:
    votes, group = _votes()
    weights = {who: 1.0 + int(who[1]) for who in group}
    each = {who: bp.Expert(0.5, 0.9 + 0.01 * int(who[1]), 0.1) for who in group}
    ways: dict[str, dict[str, Any]] = {
        "learned": {"expert": _EXPERT, "truth": {0: 0, 1: 1}},
        "given": {"weights": weights},
        "each": {"weights": weights, "expert": each},
        "measured": {"weights": weights, "truth": _truth(votes)},
        "asked": {"expert": _EXPERT, "asked": 9},
    }
    options = ways[way]
    if way == "asked":
        votes = votes.filter(pl.len().over("task") > 7)
    for k in (0, 1, 2) if way == "given" else (1, 2):
        plain = bp.weigh(votes, k, **options).items
        alone = bp.weigh(votes, k, group={}, **options).items
        paid = bp.weigh(votes, group={}, price=dict.fromkeys(group, 1), budget=k, **options).items
        for one in (alone, paid):
            numbers = [name for name, dtype in plain.schema.items() if dtype == pl.Float64]
            assert one.select(plain.columns).drop(numbers).equals(plain.drop(numbers))
            for name in numbers:
                assert one[name].to_list() == pytest.approx(plain[name].to_list(), abs=1e-9, nan_ok=True)


def test_merged_groups_never_promise_more() -> None:
    votes, group = _votes()
    merged = group | dict.fromkeys(("w0", "w1", "w2", "w3"), "G0")
    each = {who: bp.Expert(0.5, 0.9 + 0.01 * int(who[1]), 0.1) for who in group}
    cases: list[dict[str, Any]] = [
        {"expert": _EXPERT},
        {"expert": each, "weights": {who: 1.0 + int(who[1]) / 9 for who in group}},
    ]
    for options in cases:
        small, large = (bp.weigh(votes, 1, group=one, **options).items for one in (group, merged))
        both = pl.DataFrame({"small": small["guarantee"], "large": large["guarantee"]})
        assert (large["k"] >= small["k"]).all()
        assert (both.drop_nulls()["large"] >= both.drop_nulls()["small"] - 1e-12).all()
        assert both["large"].null_count() >= both["small"].null_count()


def test_measured_weights_bear_the_heaviest_groups() -> None:
    votes, group = _votes()
    weights = dict.fromkeys(group, 1.0)
    found = bp.weigh(votes, 1, group=group, weights=weights, truth=_truth(votes), loss="absolute")
    assert found.measured is not None
    pairs = votes.with_columns(pl.col("worker").replace_strict(group).alias("group")).group_by("task", "group").len()
    most = pairs.group_by("task").agg(pl.col("len").max()).sort("task")["len"]
    share = (most / votes.group_by("task").len().sort("task")["len"]).to_numpy()
    assert found.items.sort("task")["heaviest"].to_numpy() == pytest.approx(share)
    assert found.measured.heaviest <= np.quantile(share, 0.95)
    assert found.measured.heaviest in share
    assert "on which those who can be bribed hold at most" in found.summary()


def test_sentences_count_groups_or_money() -> None:
    votes, group = _votes()
    votes = votes.with_columns(pl.col("worker").replace_strict(group).alias("agency"))
    found = bp.weigh(votes, 1, group="agency", expert=_EXPERT)
    assert found.summary().startswith(
        "60 items, 9 reporters, k = 1 group (agency), at most 2 reports on an item, weight spread 0.5: "
    )
    assert "with k = 1 group (agency) bribed, whatever they report, provided that" in found.summary()
    assert "where more of an item's reports can be bribed as where fewer can" in found.summary()
    price = {f"G{j}": j + 0.5 for j in range(5)}
    paid = bp.weigh(votes, group="agency", price=price, budget="2", expert=_EXPERT)
    assert "a budget of 2 for groups (agency), at most 4 reports on an item" in paid.summary()
    assert "with a budget of 2 spent on bribes, whatever the bribed report, " in paid.summary()
    assert paid.k is None
    assert repr(paid).startswith("WeightedAnswers(budget=2.0, weight_spread=0.5")
    assert paid.items["budget"].unique().to_list() == [2.0]


def test_what_does_not_go_together_is_refused() -> None:
    votes, group = _votes()
    with pytest.raises(bp.ParameterError, match="give an expert for each reporter, or weight_spread"):
        bp.weigh(votes, 1, group=group, weights=dict.fromkeys(group, 1), expert=_EXPERT)
    with pytest.raises(bp.ParameterError, match="either k"):
        bp.weigh(votes, 1, group=group, price=dict.fromkeys(set(group.values()), 1), budget=1)
    with pytest.raises(bp.ParameterError, match="say how many reporters may be bribed, such as k=1"):
        bp.weigh(votes)


def test_a_calibration_counts_all_reporters_of_the_groups() -> None:
    votes, group = _votes()
    known = bp.calibrate(votes, _truth(votes), k=0)
    found, plain = (
        bp.weigh(votes, k, group=one, weight_spread=0.0, expert=known).items for k, one in ((1, group), (2, None))
    )
    both = [
        (mine, other, k)
        for mine, other, k in zip(found["guarantee"], plain["guarantee"], found["k"], strict=True)
        if mine is not None and other is not None
    ]
    assert len(both) > 50
    # Where no group has two reports, fewer of the item's can be bribed than where any two reporters are.
    assert all(mine == other if k == 2 else mine <= other for mine, other, k in both)
    with pytest.raises(bp.ParameterError, match="9 of the 9 reporters of the calibration can be bribed"):
        bp.weigh(votes, 1, group=dict.fromkeys(group, "G"), weight_spread=0.0, expert=known)


@pytest.mark.parametrize("kind", EACH_FRAME)
def test_frames_of_every_kind_names_and_the_order_of_rows_mean_nothing(kind: str) -> None:
    votes, group = _votes()
    rows = votes.with_columns(pl.col("worker").replace_strict(group).alias("agency"))
    expected = bp.weigh(rows, 1, group="agency", expert=_EXPERT)
    mixed = rows.sample(fraction=1.0, shuffle=True, seed=3).with_columns("r" + pl.col("worker"))
    found = bp.weigh(FRAMES[kind](mixed.to_dict(as_series=False)), 1, group="agency", expert=_EXPERT)
    assert found.summary() == expected.summary()
