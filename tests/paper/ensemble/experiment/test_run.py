"""The ensemble experiment against sums over single images and reporters, exact chances, and identities."""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from polars.testing import assert_frame_equal
from scipy import stats

from bribeproof.paper.ensemble.experiment import adversaries as bribes
from bribeproof.paper.ensemble.experiment.rules import competitors, costs_of
from bribeproof.paper.ensemble.experiment.run import run_experiment
from bribeproof.paper.ensemble.experiment.votes import Votes
from bribeproof.theory import Expert
from tests.paper.ensemble.experiment.ensembles import HALF, Ensemble, drawn, ensembles, experts, posteriors

Costs = tuple[Fraction, Fraction, Fraction]
PLAIN = ("mean", "majority", "random dictator")
GUARDED = ("trimmed mean", "trimmed random dictator", "optimal (squared)", "optimal (absolute)", "pairwise (squared)")
LOSSES = ("squared_loss", "absolute_loss", "accuracy")


# The same experiment again, image by image and report by report, in fractions.


def decision(forecast: Fraction) -> Fraction:
    return HALF if forecast == HALF else Fraction(forecast > HALF)


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
