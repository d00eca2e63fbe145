"""What rules promise in the experiment: kept under every attack, and attained."""

import itertools
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy import optimize

from bribeproof._typing import BoolArray
from bribeproof.paper.ensemble.experiment import adversaries as bribes
from bribeproof.paper.ensemble.experiment.rules import competitors
from bribeproof.paper.ensemble.experiment.run import run_experiment
from bribeproof.paper.ensemble.experiment.votes import Votes
from bribeproof.theory import Expert
from tests.budgets import examples
from tests.paper.ensemble.experiment.ensembles import HALF, Ensemble, drawn, ensembles, experts, posteriors

WITH_GUARANTEE = ("optimal (squared)", "pairwise (squared)")


@given(ensembles(), experts)
def test_guarantees_are_bayes_risks_of_the_effective_expert(ensemble: Ensemble, expert: Expert) -> None:
    models = len(ensemble[0])
    table = run_experiment(*ensemble, expert, counts=range(models), groups=1).table
    for row in table.iter_rows(named=True):
        k, assumed = row["adversaries"], row["assumed_k"]
        if row["rule"] not in WITH_GUARANTEE or assumed < k:
            assert row["guarantee"] is None
            continue
        n = models + k
        low, high = posteriors(expert, n, assumed)
        prior = Fraction(expert.prior)
        chance = (prior - low) / (high - low) if high > low else HALF
        risk = chance * high * (1 - high) + (1 - chance) * low * (1 - low)
        assert row["guarantee"] == pytest.approx(float(risk), abs=1e-12)


@given(ensembles(models=9, images=12))
@settings(max_examples=examples(4))
def test_no_attack_exceeds_the_guarantee_where_the_rates_are_those_of_the_images(ensemble: Ensemble) -> None:
    votes, truth, _ = ensemble
    assume(0 < truth.sum() < truth.size)
    tpr, fpr = float(votes[:, truth].mean()), float(votes[:, ~truth].mean())
    assume(tpr >= fpr)
    table = run_experiment(*ensemble, Expert(float(truth.mean()), tpr, fpr), counts=range(len(votes)), groups=3).table
    proven = table.drop_nulls("guarantee")
    assert set(proven["strategy"]) == {"none", "extreme", "random", "worst"}
    assert (proven["squared_loss"] <= proven["guarantee"] + 1e-12).all()


def joint_errors(votes: BoolArray, truth: BoolArray) -> tuple[float, float]:
    """How often two different models both err given yes and given no, counted pair by pair."""
    pairs = list(itertools.combinations(votes != truth, 2))
    return tuple(float(np.mean([(one & other)[truth == state].mean() for one, other in pairs])) for state in (1, 0))  # type: ignore[return-value]


def known_pairs(votes: BoolArray, truth: BoolArray) -> Expert:
    """What the rules would like to know of the models: rates and joint error rates on these very images."""
    tpr, fpr = float(votes[:, truth].mean()), float(votes[:, ~truth].mean())
    return Expert.from_joint_errors(float(truth.mean()), tpr, fpr, joint_errors(votes, truth))


@given(ensembles(models=5, images=12))
@settings(max_examples=examples(0.5))
def test_no_attack_exceeds_what_the_pairwise_rule_promises_of_pairs_like_these(ensemble: Ensemble) -> None:
    votes, truth, _ = ensemble
    assume(len(votes) > 1)
    assume(0 < truth.sum() < truth.size)
    assume(votes[:, truth].mean() >= votes[:, ~truth].mean())
    expert = known_pairs(votes, truth)
    # Errors that go together less than those of independent models count as independent: the promise allows for more.
    table = run_experiment(*ensemble, expert, counts=range(0, len(votes), 2), groups=3).table
    proven = table.filter(rule="pairwise (squared)").drop_nulls("guarantee")
    assert set(proven["strategy"]) == {"none", "extreme", "random", "worst"}
    assert (proven["squared_loss"] <= proven["guarantee"] + 1e-9).all()


def test_knowing_the_pairs_promises_more_and_the_other_rules_do_not_use_it() -> None:
    votes, truth, benchmark = drawn(12, 400, seed=1)
    pairs = known_pairs(votes, truth)
    assert max(pairs.correlations) < 0.3
    counts = [0, 3, 6]
    known, unknown = (
        run_experiment(votes, truth, benchmark, expert, counts=counts, groups=2).table
        for expert in (pairs, Expert(pairs.prior, pairs.tpr, pairs.fpr))
    )
    others = pl.col("rule") != "pairwise (squared)"
    assert_frame_equal(known.filter(others), unknown.filter(others))
    promised = {
        name: table.filter(strategy="worst", rule=rule).drop_nulls("guarantee")["guarantee"].to_list()
        for name, table, rule in (
            ("pairs", known, "pairwise (squared)"),
            ("rates", known, "optimal (squared)"),
            ("nothing of pairs", unknown, "pairwise (squared)"),
        )
    }
    assert promised["nothing of pairs"] == promised["rates"]
    assert all(pair <= rate + 1e-9 for pair, rate in zip(promised["pairs"], promised["rates"], strict=True))
    assert promised["pairs"][0] < 0.6 * promised["rates"][0]


def test_the_pairwise_rule_is_worst_in_a_world_that_a_linear_program_finds() -> None:
    models, k, expert = 6, 2, Expert(0.4, 0.7, 0.2, correlation=(0.15, 0.1))
    (judged,) = (one for one in competitors(models + k, [k], expert) if one.rule.name == "pairwise (squared)")
    f, errors = judged.rule.values, np.arange(models + 1)
    lost = 0.0
    for chance, error, rho, worst in (
        (0.4, 0.3, 0.15, [max((1 - f[models - j + lie]) ** 2 for lie in range(k + 1)) for j in errors]),
        (0.6, 0.2, 0.1, [max(f[j + lie] ** 2 for lie in range(k + 1)) for j in errors]),
    ):
        joint = error**2 + rho * error * (1 - error)
        found = optimize.linprog(
            -np.array(worst),
            A_ub=[errors * (errors - 1) / (models * (models - 1))],
            b_ub=[joint],
            A_eq=[np.ones(models + 1), errors / models],
            b_eq=[1, error],
        )
        lost -= chance * found.fun
    assert judged.guarantee(k) == pytest.approx(lost, abs=1e-7)


@given(ensembles(models=6, images=9), st.integers(0, 5))
def test_the_best_in_hindsight_beats_every_monotone_rule(ensemble: Ensemble, k: int) -> None:
    votes, truth, _ = ensemble
    models = len(votes)
    assume(k < models)
    rng = np.random.default_rng(k)
    tally = Votes(*ensemble).tally
    least = bribes.least_worst(tally, k)
    drawn_rules = np.sort(rng.random((50, models + k + 1)), axis=1)
    steps = np.linspace(0, 1, models + k + 1)[None] >= np.linspace(0, 1, 40)[:, None]
    for rule in (*drawn_rules, *np.where(steps, 0.9, 0.1), np.full(models + k + 1, truth.mean())):
        costs = np.stack([rule**2, (1 - rule) ** 2])[None, None]
        assert least <= bribes.worst(costs, tally, k)[0, 0, 0] + 1e-12


def test_the_best_in_hindsight_without_ties_or_inversions_knows_the_truth() -> None:
    votes = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0]], bool)
    truth = np.array([1, 1, 0, 0], bool)
    found = run_experiment(votes, truth, truth, Expert(0.5, 0.8, 0.1), counts=[0, 1, 2])
    assert found.hindsight(0) == pytest.approx(0)
    # With two adversaries both kinds can look like 2 of 5; the image with three can be told from them all.
    assert found.hindsight(2) == pytest.approx((1 * (2 / 3) ** 2 + 2 * (1 / 3) ** 2) / 4)


def test_the_guarantee_is_attained_where_the_effective_expert_is_real() -> None:
    # Given yes, 1 or 3 of 3 truthful models say yes, given no 0 or 2: with one adversary both look like 1 or 3 of 4.
    votes = np.array([[1, 1, 1, 0, 0, 1], [0, 1, 1, 0, 0, 1], [0, 1, 1, 0, 0, 0]], dtype=bool)
    truth = np.array([1, 1, 1, 0, 0, 0], dtype=bool)
    expert = Expert(0.5, 7 / 9, 2 / 9)
    table = run_experiment(votes, truth, truth, expert, counts=[1]).table
    row = table.row(
        by_predicate=(pl.col("strategy") == "worst")
        & (pl.col("rule") == "optimal (squared)")
        & (pl.col("assumed_k") == 1),
        named=True,
    )
    assert row["squared_loss"] == pytest.approx(2 / 9)
    assert row["guarantee"] == pytest.approx(2 / 9)
    assert row["squared_regret"] == row["squared_loss"]
