"""Members of bribed groups who were asked and never say anything, beside all groups that can really be bribed."""

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp

EXPERT = bp.Expert(0.5, 0.9, 0.1)
pytestmark = pytest.mark.filterwarnings("ignore:.*more reporters than k are silent")


class World:
    """A crowd that is asked on every item, and in which some never report."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.crowd = [f"w{j}" for j in range(11)]
        self.group = {who: f"G{rng.integers(5)}" for who in self.crowd}
        self.price = {name: float(rng.integers(1, 5)) / 10 for name in sorted(set(self.group.values()))}
        self.mute = set(rng.choice(self.crowd, rng.integers(1, 5), replace=False).tolist())
        rows = [(f"t{i}", who, int(rng.integers(2)), self.group[who]) for i in range(3) for who in self.crowd]
        frame = pl.DataFrame(rows, schema=["task", "worker", "label", "nation"], orient="row")
        self.frame = frame.filter(~pl.col("worker").is_in(sorted(self.mute)))

    def most(self, affordable: Any) -> int:
        """Return the most members, the mute ones too, of groups that can be bribed together."""
        names = list(self.price)
        unions = [union for size in range(len(names) + 1) for union in combinations(names, size) if affordable(union)]
        return max(sum(self.group[who] in union for who in self.crowd) for union in unions)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))])
def test_mute_members_count(seed: int) -> None:
    """A mapping names them, so that the number is that of the real groups; of a column it is never less."""
    world = World(seed)
    asked: dict[str, Any] = {"asked": 11, "classes": [0, 1]}
    for k in (0, 1, 2):
        real = world.most(lambda union, k=k: len(union) <= k)
        named = bp.aggregate_votes(world.frame, k, group=world.group, **asked)
        assert set(named["k"].to_list()) == {real}
        swept = bp.sweep(world.frame, [k], group=world.group, **asked).answers
        assert swept.equals(named)
        columns = bp.aggregate_votes(world.frame, k, group="nation", **asked)
        assert min(columns["k"].to_list()) >= real
        assert (k > 0) or columns["k"].to_list() == [0, 0, 0]
        if k:
            weighed = bp.weigh(world.frame, k, group=world.group, expert=EXPERT, weight_spread=0, asked=11).items
            assert weighed["k"].to_list() == named["k"].to_list()
    for tenths in (1, 3, 5):
        real = world.most(lambda union, most=tenths: sum(round(10 * world.price[name]) for name in union) <= most)
        money: dict[str, Any] = {"price": world.price, "budget": tenths / 10, **asked}
        assert bp.aggregate_votes(world.frame, group=world.group, **money)["k"].to_list() == [real] * 3
        assert min(bp.aggregate_votes(world.frame, group="nation", **money)["k"].to_list()) >= real


def test_mute_ones_without_a_group_are_bought_alone() -> None:
    rows = [(f"t{i}", who, 1) for i in range(2) for who in "abcdefg"]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    pairs = {"a": "A", "b": "A", "c": "B", "d": "B", "e": "C", "f": "C", "g": "C"}
    ks = [bp.aggregate_votes(frame, k, group=pairs, asked=12)["k"][0] for k in range(6)]
    assert ks == [0, 3, 5, 7, 8, 9]


def test_where_everybody_asked_has_a_row_nobody_is_unseen() -> None:
    rows = [(f"t{i}", who, None if (i, who) == (0, "c") else 1, who < "c") for i in range(2) for who in "abcdefg"]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label", "nation"], orient="row")
    assert bp.aggregate_votes(frame, 1, group="nation", asked=7)["k"].to_list() == [5, 5]
    named = dict.fromkeys("abxyz", "A")
    assert bp.aggregate_votes(frame, 1, group=named, asked=7)["k"].to_list() == [2, 2]


def test_a_mute_member_of_a_bribed_group_costs_no_promise() -> None:
    """A nation of four of which two lie and two are mute loses less than promised, and more than for k = 2."""
    rng = np.random.default_rng(1)
    nation = {"A0": "A", "A1": "A", "A2": "A", "A3": "A", "B0": "B", "B1": "B"}
    truths = rng.integers(0, 2, 3000).tolist()
    rows = []
    for item, truth in enumerate(truths):
        rows += [(item, who, int(truth ^ (rng.random() < 0.25))) for who in ("B0", "B1", *"cdefg")]
        rows += [(item, who, 1 - truth) for who in ("A0", "A1")]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    options: dict[str, Any] = {"asked": 11, "expert": bp.Expert(0.5, 0.75, 0.25), "loss": "absolute"}
    found = bp.aggregate_votes(frame, 1, group=nation, classes=[0, 1], **options)
    lost = (found["forecast"] - pl.Series(truths)).abs()
    assert found["k"].to_list() == [4] * 3000
    assert lost.mean() <= found["guarantee"].mean() + 4 * lost.std() / len(lost) ** 0.5
