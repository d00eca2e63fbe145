"""The ensemble experiment against sums over single images and reporters, exact chances, and identities."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from polars.testing import assert_frame_equal
from scipy import optimize, stats

from bribeproof._typing import BoolArray
from bribeproof.errors import DataError, ParameterError
from bribeproof.paper.ensemble.experiment import adversaries as bribes
from bribeproof.paper.ensemble.experiment.rules import competitors, costs_of
from bribeproof.paper.ensemble.experiment.run import Experiment, run_experiment
from bribeproof.paper.ensemble.experiment.votes import Votes
from bribeproof.theory import Expert
from tests.budgets import examples

Ensemble = tuple[BoolArray, BoolArray, BoolArray]
Costs = tuple[Fraction, Fraction, Fraction]

HALF = Fraction(1, 2)
PLAIN = ("mean", "majority", "random dictator")
GUARDED = ("trimmed mean", "trimmed random dictator", "optimal (squared)", "optimal (absolute)", "pairwise (squared)")
WITH_GUARANTEE = ("optimal (squared)", "pairwise (squared)")
LOSSES = ("squared_loss", "absolute_loss", "accuracy")


@st.composite
def ensembles(draw: st.DrawFn, models: int = 5, images: int = 6) -> Ensemble:
    """Votes of a few models on a few images, the truth, and the benchmark."""
    shape = draw(st.integers(1, models)), draw(st.integers(1, images))
    votes, truth, benchmark = (draw(hnp.arrays(bool, size)) for size in (shape, shape[1], shape[1]))
    return votes, truth, benchmark


experts = st.builds(
    lambda prior, tpr, fpr: Expert(prior / 16, tpr / 8, fpr / 8),
    st.sampled_from([3, 5, 8, 11]),
    st.integers(4, 8),
    st.integers(0, 4),
)


def drawn(models: int, images: int, seed: int = 0, tpr: float = 0.75, fpr: float = 0.2) -> Ensemble:
    """Votes of models that share some of their errors."""
    rng = np.random.default_rng(seed)
    truth = rng.random(images) < 0.4
    hardness = rng.normal(size=images) * 0.2
    votes = rng.random((models, images)) < np.where(truth, tpr, fpr) + hardness
    return votes, truth, truth ^ (rng.random(images) < 0.05)


# The same experiment again, image by image and report by report, in fractions.


def decision(forecast: Fraction) -> Fraction:
    return HALF if forecast == HALF else Fraction(forecast > HALF)


def posteriors(expert: Expert, n: int, k: int) -> tuple[Fraction, Fraction]:
    """Chances of yes after a no and after a yes of the effective expert."""
    prior, tpr, fpr = (Fraction(value) for value in (expert.prior, expert.tpr, expert.fpr))
    true, false = ((n - k) * tpr - k) / (n - 2 * k), (n - k) * fpr / (n - 2 * k)
    if true <= false:
        return prior, prior
    low = prior * (1 - true), (1 - prior) * (1 - false)
    high = prior * true, (1 - prior) * false
    return low[0] / sum(low), high[0] / sum(high)


def forecast(reports: Sequence[bool], rule: str, k: int, expert: Expert) -> Fraction:
    n, yes = len(reports), sum(reports)
    if rule == "mean":
        return Fraction(yes, n)
    if rule == "majority":
        return decision(Fraction(yes, n))
    kept = sorted(reports)[k : n - k]
    share = Fraction(sum(kept), len(kept))
    if rule == "trimmed mean":
        return share
    low, high = posteriors(expert, n, k)
    if rule == "optimal (absolute)":
        low, high = decision(low), decision(high)
    return low + share * (high - low)


def cost(reports: Sequence[bool], truth: bool, rule: str, k: int, expert: Expert) -> Costs:
    """Squared loss, absolute loss and accuracy of a rule on one image."""
    if rule.endswith("dictator"):
        candidates = reports if rule == "random dictator" else sorted(reports)[k : len(reports) - k]
        wrong = Fraction(sum(said != truth for said in candidates), len(candidates))
        return wrong, wrong, 1 - wrong
    distance = abs(forecast(reports, rule, k, expert) - int(truth))
    return distance**2, distance, 1 - decision(distance)


def mean_costs(costs: Iterable[Costs]) -> Costs:
    squared, absolute, accuracy = zip(*costs, strict=True)
    return tuple(Fraction(sum(each)) / len(each) for each in (squared, absolute, accuracy))  # type: ignore[return-value]


def bribed(strategy: str, honest: list[bool], k: int, cost_of: Callable[[list[bool]], Costs]) -> Costs:
    """Costs on one image once the adversaries have spoken."""
    if strategy == "none":
        return cost_of(honest)
    if strategy == "extreme":
        lie = sum(honest) < len(honest) - sum(honest)
        return cost_of([lie] * k + honest)
    if strategy == "random":
        return mean_costs(cost_of(honest + list(lies)) for lies in itertools.product([False, True], repeat=k))
    every = [cost_of([True] * yes + honest + [False] * (k - yes)) for yes in range(k + 1)]
    return max(each[0] for each in every), max(each[1] for each in every), min(each[2] for each in every)


def again(strategy: str, ensemble: Ensemble, k: int, rule: str, assumed: int, expert: Expert) -> list[float]:
    """Mean squared loss, absolute loss and accuracy over the images."""
    votes, truth, _ = ensemble
    costs = mean_costs(
        bribed(
            strategy,
            votes[:, image].tolist(),
            k,
            lambda reports, right=right: cost(reports, bool(right), rule, assumed, expert),  # type: ignore[misc]
        )
        for image, right in enumerate(truth)
    )
    return [float(each) for each in costs]


@given(ensembles(), experts)
def test_fixed_strategies_cost_what_single_images_and_reports_add_up_to(ensemble: Ensemble, expert: Expert) -> None:
    models = len(ensemble[0])
    table = run_experiment(*ensemble, expert, counts=range(models), groups=1).table
    wrong = float((ensemble[1] != ensemble[2]).mean())
    for row in table.filter(pl.col("strategy") != "random").iter_rows(named=True):
        k, assumed = row["adversaries"], row["assumed_k"] or 0
        expected = again(row["strategy"], ensemble, k, row["rule"], assumed, expert)
        assert [row[name] for name in LOSSES] == pytest.approx(expected, abs=1e-12), row
        assert row["squared_regret"] == pytest.approx(expected[0] - wrong, abs=1e-12)
        assert row["absolute_regret"] == pytest.approx(expected[1] - wrong, abs=1e-12)
        assert [row[f"{name}_sd"] for name in LOSSES] == [None] * 3


@given(ensembles(images=4), experts)
def test_the_random_expectation_is_the_mean_over_all_coins(ensemble: Ensemble, expert: Expert) -> None:
    models = len(ensemble[0])
    for k in range(models):
        rules = competitors(models + k, [k // 2, k], expert)
        means = bribes.random_expectation(costs_of(rules), Votes(*ensemble).tally, k)[..., 0]
        for rule, (squared, absolute, error) in zip(rules, means, strict=True):
            expected = again("random", ensemble, k, rule.rule.name, rule.assumed_k or 0, expert)
            assert [squared, absolute, 1 - error] == pytest.approx(expected, abs=1e-12)


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


def test_the_random_strategy_has_the_mean_and_spread_of_fair_coins() -> None:
    ensemble = drawn(models=12, images=80)
    expert, k, groups = Expert(0.4, 0.7, 0.25), 7, 1500
    rules = competitors(12 + k, [3, 7], expert)
    costs, tally = costs_of(rules), Votes(*ensemble).tally
    found = bribes.random(costs, tally, k, groups, np.random.default_rng(5))
    exact = bribes.random_expectation(costs, tally, k)[..., 0]
    squares = bribes.random_expectation(costs**2, tally, k)[..., 0]
    pmf = stats.binom.pmf(np.arange(k + 1), k, 0.5)
    per_image = np.lib.stride_tricks.sliding_window_view(costs, k + 1, axis=-1) @ pmf
    # Images are independent: the variance of their mean is the mean variance of one, over their number.
    variance = (squares - np.tensordot(per_image**2, tally, axes=((2, 3), (0, 1))) / 80) / 80
    errors = np.sqrt(np.maximum(variance, 0) / groups)
    assert (np.abs(found.mean(axis=-1) - exact) <= 5 * errors + 1e-12).all()
    varied = variance > 1e-9
    assert varied.sum() > 20
    np.testing.assert_allclose(found.var(axis=-1, ddof=1)[varied], variance[varied], rtol=0.25)


def test_the_table_has_mean_and_deviation_of_the_groups() -> None:
    ensemble, expert = drawn(models=9, images=40), Expert(0.4, 0.7, 0.25)
    table = run_experiment(*ensemble, expert, counts=[4], groups=6, seed=3).table.filter(strategy="random")
    rules = competitors(13, [2, 4], expert)
    groups = bribes.random(costs_of(rules), Votes(*ensemble).tally, 4, 6, np.random.default_rng([3, 4]))
    assert table["rule"].to_list() == [each.rule.name for each in rules]
    for measure, column in enumerate(LOSSES[:2]):
        assert table[column].to_list() == pytest.approx([sum(each[measure]) / 6 for each in groups.tolist()])
    for measure, column in enumerate(LOSSES):
        squares = [sum((x - sum(each[measure]) / 6) ** 2 for x in each[measure]) / 5 for each in groups.tolist()]
        assert table[f"{column}_sd"].to_list() == pytest.approx([math.sqrt(square) for square in squares])
    assert table["accuracy"].to_list() == pytest.approx([1 - sum(each[2]) / 6 for each in groups.tolist()])


@pytest.mark.parametrize("k", [1, 5, 63, 64, 65, 130])
def test_the_coins_are_fair_for_any_number_of_adversaries(k: int) -> None:
    # As costs a one for each count in turn: the means are the shares of images with that count.
    models, images = k + 1, 20_000
    counts = models + k + 1
    tally = np.zeros((2, models + 1), np.int64)
    tally[0, 1] = images
    shares = bribes.random(np.eye(counts)[:, None, None].repeat(2, axis=2), tally, k, 1, np.random.default_rng(k))
    seen = np.rint(shares[:, 0, 0] * images)
    assert seen[0] == 0
    assert seen[1 : k + 2].sum() == images
    expected = stats.binom.pmf(np.arange(k + 1), k, 0.5) * images
    usual = expected > 10
    statistic = ((seen[1 : k + 2] - expected) ** 2 / expected)[usual].sum()
    assert stats.chi2.sf(statistic, usual.sum()) > 1e-4


@given(ensembles(models=7), experts)
def test_nothing_is_worse_than_worst(ensemble: Ensemble, expert: Expert) -> None:
    table = run_experiment(*ensemble, expert, counts=range(len(ensemble[0])), groups=2).table
    key = ["adversaries", "rule", "assumed_k"]
    worst = table.filter(strategy="worst").select(*key, *(pl.col(name).alias(f"worst_{name}") for name in LOSSES))
    other = table.filter(pl.col("strategy").is_in(["extreme", "random"]))
    both = other.join(worst, on=key, nulls_equal=True, validate="m:1")
    assert both.height == other.height == 2 * worst.height
    assert (both["worst_squared_loss"] >= both["squared_loss"] - 1e-12).all()
    assert (both["worst_absolute_loss"] >= both["absolute_loss"] - 1e-12).all()
    assert (both["worst_accuracy"] <= both["accuracy"] + 1e-12).all()


@given(ensembles(), experts)
def test_without_adversaries_all_strategies_agree(ensemble: Ensemble, expert: Expert) -> None:
    table = run_experiment(*ensemble, expert, counts=[0], groups=2).table
    spread = pl.selectors.ends_with("_sd")
    parts = [table.filter(strategy=name).drop("strategy", spread) for name in ("none", "extreme", "random", "worst")]
    assert parts[0].height == len(PLAIN) + len(GUARDED)
    for part in parts[1:]:
        assert_frame_equal(part, parts[0], check_exact=False, abs_tol=1e-12)
    assert (table.filter(strategy="random").select(spread).to_numpy() < 1e-12).all()


@given(ensembles(models=7), experts)
def test_yes_and_no_may_be_swapped(ensemble: Ensemble, expert: Expert) -> None:
    assume(len(ensemble[0]) % 2 == 1)
    counts = range(len(ensemble[0]))
    mirror = Expert(1 - expert.prior, 1 - expert.fpr, 1 - expert.tpr)
    fixed = pl.col("strategy") != "random"
    ours = run_experiment(*ensemble, expert, counts=counts, groups=1).table.filter(fixed)
    votes, truth, benchmark = (~each for each in ensemble)
    theirs = run_experiment(votes, truth, benchmark, mirror, counts=counts, groups=1).table.filter(fixed)
    assert_frame_equal(ours, theirs, check_exact=False, abs_tol=1e-12)


def test_tied_models_make_the_extreme_adversaries_say_no() -> None:
    votes = np.array([[True, True], [False, False]])
    truth = np.array([True, False])
    table = run_experiment(votes, truth, truth, Expert(0.5, 0.5, 0.5), counts=[1]).table
    mean = table.filter(strategy="extreme", rule="mean")
    assert mean["absolute_loss"].to_list() == pytest.approx([(2 / 3 + 1 / 3) / 2])
    assert mean["squared_loss"].to_list() == pytest.approx([(4 / 9 + 1 / 9) / 2])
    assert mean["accuracy"].to_list() == [0.5]


def test_a_tie_is_right_half_of_the_time_though_the_forecast_is_rounded() -> None:
    votes = np.array([[True, True]] * 3 + [[False, False]] * 3)
    truth = np.array([True, True])
    symmetric = Expert(0.5, 0.8, 0.2)
    (rule,) = (each.rule for each in competitors(6, [0], symmetric) if each.rule.name == "optimal (squared)")
    assert 0 < abs(rule(3) - 0.5) < 1e-15
    found = run_experiment(votes, truth, truth, symmetric, counts=[0]).table
    assert found["accuracy"].to_list() == [0.5] * found.height


def test_each_rule_has_a_row_for_what_it_can_guard_against() -> None:
    table = run_experiment(*drawn(10, 30), Expert(0.4, 0.7, 0.2), counts=[0, 3, 6], groups=2).table
    guards = {
        ("none", 0): (0, 3),
        **{(strategy, 0): (0,) for strategy in ("extreme", "random", "worst")},
        **{(strategy, 3): (1, 3, 6) for strategy in ("extreme", "random", "worst")},
        **{(strategy, 6): (3, 6) for strategy in ("extreme", "random", "worst")},
    }
    expected = {(*key, rule, None) for key in guards for rule in PLAIN} | {
        (*key, rule, guard) for key, values in guards.items() for rule in GUARDED for guard in values
    }
    rows = table.select("strategy", "adversaries", "rule", "assumed_k").rows()
    assert len(rows) == len(expected)
    assert set(rows) == expected
    assert table.columns[:4] == ["strategy", "adversaries", "rule", "assumed_k"]
    assert table.columns[4:] == [
        *("squared_loss", "squared_loss_sd", "absolute_loss", "absolute_loss_sd", "accuracy", "accuracy_sd"),
        *("squared_regret", "absolute_regret", "guarantee"),
    ]


def test_draws_depend_on_the_seed_and_the_number_of_adversaries_alone() -> None:
    votes, truth, benchmark = drawn(11, 60)
    expert = Expert(0.4, 0.7, 0.2)

    def table(order: Sequence[int] = range(60), counts: Sequence[int] = (2, 5), **options: Any) -> pl.DataFrame:
        rows = np.array(order)
        return run_experiment(
            votes[::-1, rows], truth[rows], benchmark[rows], expert, counts=counts, groups=4, **options
        ).table

    whole = table()
    assert_frame_equal(table(range(59, -1, -1)), whole)
    several = pl.col("strategy") == "random"
    assert_frame_equal(table(counts=[5]).filter(several), whole.filter(several, adversaries=5))
    assert_frame_equal(run_experiment(votes, truth, benchmark, expert, counts=[2, 5], groups=4).table, whole)
    other = table(seed=1)
    assert_frame_equal(other.filter(~several), whole.filter(~several))
    assert other.filter(several)["squared_loss"].to_list() != whole.filter(several)["squared_loss"].to_list()


def test_numpy_counts_and_a_generator_of_counts_are_welcome() -> None:
    ensemble, expert = drawn(8, 20), Expert(0.4, 0.7, 0.2)
    whole = run_experiment(*ensemble, expert, counts=[0, 2], groups=2).table
    for counts in (np.array([0, 2]), (2 * each for each in range(2))):
        assert_frame_equal(run_experiment(*ensemble, expert, counts=counts, groups=2).table, whole)


def test_the_default_counts_are_the_papers() -> None:
    found = run_experiment(*drawn(100, 50), Expert(0.4, 0.75, 0.2), groups=2)
    assert found.table["adversaries"].unique().sort().to_list() == list(range(0, 100, 5))
    assert (found.models, found.images, found.expert) == (100, 50, Expert(0.4, 0.75, 0.2))


@given(ensembles(models=6, images=9))
def test_the_models_are_described_as_one_by_one(ensemble: Ensemble) -> None:
    votes, truth, benchmark = ensemble
    found = run_experiment(*ensemble, Expert(0.5, 0.75, 0.25), counts=[0], groups=1)
    for row, said in zip(found.rates.iter_rows(named=True), votes.tolist(), strict=True):
        right = [answer == true for answer, true in zip(said, truth, strict=True)]
        assert row["accuracy"] == pytest.approx(sum(right) / len(right))
        for name, state in (("tpr", True), ("fpr", False)):
            given_state = [answer for answer, true in zip(said, truth, strict=True) if true == state]
            expected = sum(given_state) / len(given_state) if given_state else None
            assert row[name] == (None if expected is None else pytest.approx(expected))
    assert found.rates["model"].to_list() == list(range(len(votes)))
    assert found.benchmark_accuracy == pytest.approx(sum(benchmark == truth) / len(truth))
    errors = [each for each in votes != truth if each.any() and not each.all()]
    pairs = [stats.pearsonr(*pair).statistic for pair in itertools.combinations(np.array(errors, float), 2)]
    if pairs:
        assert found.error_correlation == pytest.approx(sum(pairs) / len(pairs), abs=1e-9)
    else:
        assert found.error_correlation is None


def test_independent_errors_are_hardly_correlated_and_copies_fully() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(4000) < 0.5
    errors = rng.random((10, 4000)) < 0.2
    apart, alike = (Votes(truth ^ each, truth, truth).error_correlation for each in (errors, errors[[0] * 4]))
    assert apart == pytest.approx(0, abs=0.02)
    assert alike == pytest.approx(1)


def test_one_truth_alone_is_enough() -> None:
    votes = np.array([[True, False], [True, True]])
    found = run_experiment(votes, np.array([True, True]), np.array([True, True]), Expert(0.5, 0.75, 0.25), counts=[1])
    assert found.rates["fpr"].to_list() == [None, None]
    assert found.rates["tpr"].to_list() == [0.5, 1.0]


GOOD, KNOWN = drawn(4, 5), Expert(0.4, 0.7, 0.2)


def attempt(ensemble: Sequence[Any] = GOOD, expert: Any = KNOWN, **options: Any) -> Experiment:
    votes, truth, benchmark = ensemble
    return run_experiment(votes, truth, benchmark, expert, **({"counts": [0, 3]} | options))


def test_what_all_bad_attempts_differ_from_is_good() -> None:
    assert attempt().images == 5


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ((GOOD[0].astype(int), *GOOD[1:]), "votes is type int64"),
        ((GOOD[0], GOOD[1].astype(float), GOOD[2]), "truth is type float64"),
        ((*GOOD[:2], GOOD[2].tolist()), "benchmark is a list"),
        ((GOOD[0][0], *GOOD[1:]), "votes has shape (5,)"),
        ((GOOD[0][:0], *GOOD[1:]), "votes has shape (0, 5)"),
        ((GOOD[0][:, :0], GOOD[1][:0], GOOD[2][:0]), "votes has shape (4, 0)"),
        ((GOOD[0], GOOD[1][:4], GOOD[2]), "truth has 4 images and votes has 5"),
        ((*GOOD[:2], np.append(GOOD[2], True)), "benchmark has 6 images and votes has 5"),
        ((GOOD[0], np.bool_(True), GOOD[2]), "truth is a bool"),
        ((GOOD[0], np.array(True), GOOD[2]), "truth has shape ()"),
        ((GOOD[0], GOOD[1][None], GOOD[2]), "truth has shape (1, 5)"),
        ((GOOD[0].T, *GOOD[1:]), "truth has 5 images and votes has 4"),
    ],
)
def test_arrays_of_another_kind_or_shape_are_refused(bad: Sequence[Any], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        attempt(bad)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_numbers_of_images_must_agree(models: int, images: int, truths: int, benchmarks: int) -> None:
    ensemble = np.ones((models, images), bool), np.ones(truths, bool), np.ones(benchmarks, bool)
    if images == truths == benchmarks:
        assert attempt(ensemble, counts=[0]).images == images
    else:
        with pytest.raises(DataError, match="give as many"):
            attempt(ensemble, counts=[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"counts": []}, "counts is empty"),
        ({"counts": [0, 4]}, "counts holds 4"),
        ({"counts": [2, 2]}, "counts holds 2 more than once"),
        ({"counts": [-1]}, "counts = -1 is too small"),
        ({"counts": [1.5]}, "counts = 1.5 is not an integer"),
        ({"counts": [True]}, "counts = True is a boolean"),
        ({"groups": 0}, "groups = 0 is too small"),
        ({"groups": 2.5}, "groups = 2.5 is not an integer"),
        ({"seed": -1}, "seed = -1 is too small"),
        ({"seed": None}, "seed = None is not an integer"),
        ({"expert": (0.4, 0.7, 0.2)}, "is not an Expert"),
    ],
)
def test_parameters_outside_their_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        attempt(**options)


@given(st.integers(1, 6), st.integers(0, 12))
def test_adversaries_must_be_fewer_than_models(models: int, k: int) -> None:
    ensemble = np.ones((models, 2), bool), np.ones(2, bool), np.ones(2, bool)
    if k < models:
        assert set(attempt(ensemble, counts=[k]).table["adversaries"]) == {0, k}
    else:
        with pytest.raises(ParameterError, match=f"give at most {models - 1}"):
            attempt(ensemble, counts=[k])
