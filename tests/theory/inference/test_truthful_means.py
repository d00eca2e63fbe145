"""Means over truthful reporters: against every set of bribed reporters, and in worlds chosen to break the bounds."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import binom

from bribeproof.theory import Panel
from bribeproof.theory.inference.confidence import bets_for
from bribeproof.theory.inference.gold import Gold
from bribeproof.theory.inference.item_kinds import ItemKinds, Share, other_pairs, right_share, wrong_pairs, wrong_share
from bribeproof.theory.inference.left_out import Averaged, EverySet, LinearBound
from bribeproof.theory.inference.truthful_means import TruthfulMeans

SHARES = {
    "right": Averaged(right_share, falls=True),
    "wrong": Averaged(wrong_share, falls=False),
    "not both wrong": Averaged(other_pairs, falls=True),
    "both wrong": Averaged(wrong_pairs, falls=False),
}


def drawn(rng: np.random.Generator, n: int, items: int, least: int) -> tuple[NDArray[np.bool], NDArray[np.bool]]:
    """Draw who answers, at least so many, and who is wrong."""
    answers = rng.random((items, n)) < 0.9
    answers[:, :least] = True
    return answers, rng.random((items, n)) < rng.uniform(0.05, 0.6, n)


def kinds_of(answers: NDArray[np.bool], wrong: NDArray[np.bool], least: int) -> ItemKinds:
    item, reporter = np.nonzero(answers)
    return ItemKinds.count(answers.shape[1], item, reporter, ~wrong[answers], least)


def shares_without(
    share: Share, answers: NDArray[np.bool], wrong: NDArray[np.bool], left: list[int]
) -> NDArray[np.float64]:
    """The shares of items among the reporters who are left."""
    return np.asarray(share((answers & wrong)[:, left].sum(axis=1), answers[:, left].sum(axis=1)))


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_the_worst_of_all_sets(name: str, k: int) -> None:
    """All sets are tried; where they are too many, the bound is never above them."""
    rng = np.random.default_rng(k)
    share, _ = SHARES[name]
    for _ in range(12):
        n, items = int(rng.integers(k + 3, 9)), 12
        answers, wrong = drawn(rng, n, items, k + 2)
        kinds = kinds_of(answers, wrong, k + 2)
        every, linear = EverySet(kinds, k, [SHARES[name]]), LinearBound(kinds, k, [SHARES[name]])
        bets, mean = np.minimum(bets_for(items, 0.05), 0.99), rng.uniform(0.05, 0.9)
        totals, logs = [], []
        for size in range(k + 1):
            for bribed in itertools.combinations(range(n), size):
                shares = shares_without(share, answers, wrong, [one for one in range(n) if one not in bribed])
                totals.append(shares.sum())
                wealth = np.log1p(bets[:, None] * (shares / mean - 1)).sum(axis=1)
                logs.append(logsumexp(wealth) - math.log(len(bets)))
        expected = min(totals), min(logs)
        found = [(one.least_totals()[0], one.log_wealths({0: mean}, [bets], 1)[0]) for one in (every, linear)]
        assert found[0] == pytest.approx(expected, abs=1e-9)
        assert found[1][0] <= expected[0] + 1e-9
        assert found[1][1] <= expected[1] + 1e-9
        if k < 2:
            assert found[1][0] == pytest.approx(expected[0], abs=1e-9)


def test_many_bribed_reporters_are_bounded_in_blocks() -> None:
    """Too many sets to try: the bound is linear in the set, and the numbers 0 to k are divided into blocks."""
    rng = np.random.default_rng(0)
    n, k = 60, 25
    answers, wrong = np.ones((300, n), bool), rng.random((300, n)) < 0.2
    kinds = kinds_of(answers, wrong, 2 * k + 1)
    worst = np.sort(wrong.mean(axis=0))[k:].mean()
    found = 1 - TruthfulMeans(kinds, k, [SHARES["right"]]).observed()[0]
    assert worst - 1e-9 <= found <= 0.2 * n / (n - k)
    alone = [TruthfulMeans(kinds, few, [SHARES["right"]]).observed()[0] for few in (0, 5, 12, 13, 25)]
    assert alone == sorted(alone, reverse=True)


@pytest.mark.parametrize("form", [EverySet, LinearBound])
@pytest.mark.parametrize("k", [0, 1, 3])
def test_bounds_that_are_searched_together_are_those_of_each_alone(form: Any, k: int) -> None:
    rng = np.random.default_rng(k)
    answers, wrong = drawn(rng, 9, 60, k + 2)
    kinds, risks = kinds_of(answers, wrong, k + 2), (0.3, 0.01, 0.2, 0.05)

    def bounds(averaged: Sequence[Averaged], risks: Sequence[float]) -> tuple[list[float], list[float]]:
        means = TruthfulMeans(kinds, k, averaged)
        means.__dict__["_left"] = form(kinds, k, averaged)
        return means.least(risks, 60, 2), means.observed()

    together = bounds(list(SHARES.values()), risks)
    alone = [bounds([one], [risk]) for one, risk in zip(SHARES.values(), risks, strict=True)]
    assert [*zip(*together, strict=True)] == [(least[0], seen[0]) for least, seen in alone]


@pytest.mark.parametrize("name", SHARES)
def test_order_names_and_chunks_do_not_matter(name: str) -> None:
    rng = np.random.default_rng(5)
    answers, wrong = drawn(rng, 7, 40, 5)
    rows, columns = rng.permutation(40), rng.permutation(7)

    def bound(answers: NDArray[np.bool], wrong: NDArray[np.bool], planned: int, times: int) -> float:
        return TruthfulMeans(kinds_of(answers, wrong, 5), 2, [SHARES[name]]).least([0.05], planned, times)[0]

    both = [
        bound(one, other, 40, 1)
        for one, other in ((answers, wrong), (answers[rows][:, columns], wrong[rows][:, columns]))
    ]
    assert both[0] == pytest.approx(both[1], abs=1e-12)
    again = bound(np.concatenate([answers, answers]), np.concatenate([wrong, wrong]), 80, 1)
    doubled = bound(answers, wrong, 80, 2)
    assert again == pytest.approx(doubled, abs=1e-9)


WORLDS = (
    "independent",
    "one latent difficulty",
    "copies",
    "rare and all at once",
    "bribed pose",
    "bribed err",
    "sparse",
)


def world(rng: np.random.Generator, kind: str, items: int, n: int, k: int) -> tuple[NDArray[np.bool], NDArray[np.bool]]:
    """Draw who answers each item and who is wrong; the first k are bribed."""
    answers = np.ones((items, n), bool)
    rates = rng.uniform(0.05, 0.4, n)
    wrong = rng.random((items, n)) < rates
    if kind == "one latent difficulty":
        wrong = rng.random((items, n)) < np.clip(rates * rng.exponential(1.0, (items, 1)), 0, 1)
    elif kind == "copies":
        wrong = wrong[:, [0, 0, 0, *range(3, n)]] if k == 0 else wrong[:, [*range(k), *([k] * (n - k))]]
    elif kind == "rare and all at once":
        wrong = np.repeat(rng.random((items, 1)) < 0.06, n, axis=1)
    elif kind == "sparse":
        answers = rng.permuted(np.tile(np.arange(n) < n - 2, (items, 1)), axis=1)
    if kind == "bribed pose":
        wrong[:, :k] = False
    elif kind == "bribed err":
        wrong[:, :k] = True
    return answers, wrong


@pytest.mark.parametrize("kind", WORLDS)
@pytest.mark.parametrize("items", [25, pytest.param(200, marks=pytest.mark.slow)])
def test_bounds_hold_as_often_as_they_say(kind: str, items: int) -> None:
    """Gold items are drawn from a large finite world, whose means over the truthful reporters are known exactly."""
    rng = np.random.default_rng(items + WORLDS.index(kind))
    n, k, risk, runs, failed = 8, 2, 0.2, 100, 0
    for run in range(runs):
        if run % 25 == 0:
            answers, wrong = world(rng, kind, 4000, n, k)
            truthful = list(range(k, n))
            exact = [
                float(shares_without(share, answers, wrong, truthful).mean()) for share in (wrong_share, wrong_pairs)
            ]
        chosen = rng.integers(0, 4000, items)
        gold = Gold.from_matrix(~wrong[chosen], np.ones(items, bool), answers[chosen])
        found = gold.error_rates(k, 1, risk)
        failed += not (found.least <= exact[0] <= found.most and found.joint_least <= exact[1] <= found.joint_most)
    assert failed <= binom.isf(1e-4, runs, risk)


def test_who_is_bribed_is_fixed_and_the_bound_is_close() -> None:
    """Many items, all alike: the error rate of the truthful is known to a hundredth, bribed or not."""
    rng = np.random.default_rng(8)
    right = rng.random((20000, 9)) < 0.75
    gold = Gold.from_matrix(right, np.ones(20000, bool))
    for k in (0, 1, 4):
        found = gold.error_rates(k, 1, 0.05)
        assert found.least <= 0.25 <= found.most < 0.27
        assert found.joint_least <= 0.0625 <= found.joint_most < 0.075
    limit = gold.observed_interval(Panel(9, 4))
    assert limit.lowest_fpr == 0  # no item of state 0: nothing is known
    assert limit.fpr == 1
