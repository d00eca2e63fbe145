"""What is learned of reporters: skill, whom gold items see through, and that names mean nothing."""

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from tests.weighting.crowds import ballots_of, crowd, frame_of


@given(
    st.lists(st.integers(0, 5), min_size=2, max_size=7).filter(any),
    st.floats(0, 0.9),
    st.integers(0, 2),
)
def test_no_weight_is_above_the_limit_and_the_rest_keep_their_proportions(
    weights: list[int], weight_spread: float, k: int
) -> None:
    n = len(weights)
    ballots = ballots_of([(0, reporter, 0) for reporter in range(n)], 1)
    limit = 1 / (n - weight_spread * max(n - 2 * k, 0))
    spread = ballots.cap(np.array(weights, float), np.array([limit]))
    assert spread.sum() == pytest.approx(1)
    assert (spread <= limit * (1 + 1e-9)).all()
    for first, second in itertools.combinations(range(n), 2):
        if spread[first] < limit * (1 - 1e-9) and spread[second] < limit * (1 - 1e-9) and weights[first]:
            assert spread[second] / spread[first] == pytest.approx(weights[second] / weights[first], abs=1e-6)
        if weights[first] >= weights[second]:
            assert spread[first] >= spread[second] - 1e-12
    assert ballots.heaviest(spread, k) == pytest.approx(sum(sorted(spread)[::-1][:k]))


def test_skill_is_found_out() -> None:
    people = bp.weigh(frame_of(crowd(seed=1)), 1).reporters
    weight = dict(people.select("reporter", "weight").iter_rows())
    assert min(weight["w0"], weight["w1"]) > weight["w2"] > weight["w3"] > max(weight["w4"], weight["w5"], weight["w6"])
    assert people["weight"][0] == 1


def test_who_always_says_the_same_agrees_often_and_weighs_nothing() -> None:
    """Nine of ten items are 0, so that 0 agrees nine times of ten, no more than by chance."""
    rng = np.random.default_rng(0)
    truth = (np.arange(300) % 10 == 0).astype(int)
    rows = [
        (task, worker, int(truth[task] if rng.random() < 0.85 else 1 - truth[task]))
        for task in range(300)
        for worker in "abc"
    ]
    rows += [(task, "lazy", 0) for task in range(300)]
    for truths in (None, dict(enumerate(truth.tolist()))):
        people = {row["reporter"]: row for row in bp.weigh(frame_of(rows), 1, truth=truths).reporters.to_dicts()}
        lazy = people.pop("lazy")
        assert lazy["agreement"] > max(one["agreement"] for one in people.values())
        assert lazy["weight"] < 0.2 * min(one["weight"] for one in people.values())


def test_gold_items_see_through_a_bought_majority() -> None:
    """Four of seven lie together: agreement follows them, gold items do not."""
    truth = np.random.default_rng(3).integers(2, size=100)
    rows = [(task, worker, int(truth[task] ^ (worker in "defg"))) for task in range(100) for worker in "abcdefg"]
    gold = {task: int(truth[task]) for task in range(10)}
    fooled, knowing = (bp.weigh(frame_of(rows), 1, weight_spread=0.9, truth=known) for known in (None, gold))
    assert (fooled.items["decision"].to_numpy() == 1 - truth).all()
    assert (knowing.items["decision"].to_numpy() == truth).all()
    assert knowing.reporters.head(3)["reporter"].sort().to_list() == ["a", "b", "c"]
    assert knowing.reporters["gold"].to_list() == [10] * 7
    assert knowing.reporters["right"].to_list() == [1.0] * 3 + [0.0] * 4


def test_agreement_sees_through_those_who_are_honest_on_gold_items_alone() -> None:
    """Two of seven answer the gold items well and lie elsewhere; on gold items alone they would be the best."""
    rng = np.random.default_rng(8)
    truth = rng.integers(2, size=120)
    rows = [(task, worker, int(truth[task] ^ (rng.random() < 0.15))) for task in range(120) for worker in "abcde"]
    rows += [(task, worker, int(truth[task] ^ (task >= 20))) for task in range(120) for worker in "xy"]
    people = bp.weigh(frame_of(rows), 2, truth={task: int(truth[task]) for task in range(20)}).reporters
    found = {row["reporter"]: row for row in people.to_dicts()}
    assert found["x"]["right"] == found["y"]["right"] == 1
    assert max(found["x"]["weight"], found["y"]["weight"]) < 0.1 * min(found[one]["weight"] for one in "abcde")


def test_nobody_agrees_beyond_chance() -> None:
    """Two reporters who never agree: equal weights, not none."""
    rows = [(task, worker, (task + place) % 2) for task in range(6) for place, worker in enumerate("ab")]
    found = bp.weigh(frame_of(rows), 0)
    assert found.reporters["weight"].to_list() == [1.0, 1.0]
    assert found.items["tie"].all()


@pytest.mark.parametrize("seed", range(60))
def test_where_all_reports_are_alike_everybody_weighs_the_same(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = [(f"t{i}", f"r{j}", "yes") for i in range(6) for j in range(9) if i == 0 or generator.random() < 0.8]
    reporters = bp.weigh(pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"), 1).reporters
    assert set(reporters["weight"]) == {1.0}
    assert reporters["agreement"].max() <= 1


@given(st.integers(0, 10_000), st.permutations(range(5)))
def test_names_and_the_order_of_rows_mean_nothing(seed: int, order: list[int]) -> None:
    rows = crowd(seed, items=12, skills=(0.9, 0.8, 0.7, 0.6, 0.5))
    found = bp.weigh(frame_of(rows), 1, expert=bp.Expert(0.5, 0.8, 0.2))
    shuffled = [rows[place] for place in np.random.default_rng(seed).permutation(len(rows))]
    again = bp.weigh(frame_of(shuffled), 1, expert=bp.Expert(0.5, 0.8, 0.2))
    assert again.items.sort("task").equals(found.items)
    assert again.reporters.sort("reporter").equals(found.reporters.sort("reporter"))
    renamed = [(task, f"v{order[int(worker[1:])]}", 1 - label) for task, worker, label in rows]
    mirrored = bp.weigh(frame_of(renamed), 1)
    assert mirrored.items["share_0"].to_list() == pytest.approx(found.items["share_1"].to_list())
    weight = dict(mirrored.reporters.select("reporter", "weight").iter_rows())
    for name, expected in found.reporters.select("reporter", "weight").iter_rows():
        assert weight[f"v{order[int(name[1:])]}"] == pytest.approx(expected)
