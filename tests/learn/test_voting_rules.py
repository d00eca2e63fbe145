"""The voting classifier's numbers: rules by hand, guarantees against every attack, flips against trying them all."""

import math
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits, make_classification
from sklearn.ensemble import VotingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import bribeproof as bp
from bribeproof.learn import RobustVotingClassifier
from bribeproof.learn.votes import forecasts_by_count
from tests.learn.stub_models import Stubborn, columns, fitted
from tests.learn.votes import TRUTH, VOTES


def forests(features: int, count: int) -> list[tuple[str, Any]]:
    return [(f"t{i}", DecisionTreeClassifier(max_depth=4, max_features=features, random_state=i)) for i in range(count)]


def ballots(m: int) -> st.SearchStrategy[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], int]]:
    """Votes, classes and k; every class occurs."""

    @st.composite
    def draw(pick: st.DrawFn) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], int]:
        n = pick(st.integers(3, 6))
        classes = list(range(m)) + pick(st.lists(st.integers(0, m - 1), max_size=6))
        label, right = st.integers(0, m - 1), st.integers(0, 4)
        rows = [[one if pick(right) else pick(label) for _ in range(n)] for one in classes]
        return np.array(rows), np.array(classes), pick(st.integers(0, (n - 1) // 2))

    return draw()


def test_the_rule_of_a_known_expert_is_the_worked_example() -> None:
    vote = RobustVotingClassifier(columns(10), k=2, expert=bp.Expert(0.5, 0.8, 0.1)).fit(
        np.tile(TRUTH, (10, 1)).T, TRUTH
    )
    counts = np.array([[1] * ones + [0] * (10 - ones) for ones in range(11)])
    forecast = vote.predict_proba(counts)[:, 1]
    assert forecast[:3] == pytest.approx([4 / 17] * 3)
    assert forecast[8:] == pytest.approx([11 / 13] * 3)
    assert np.diff(forecast[2:9]) == pytest.approx([(11 / 13 - 4 / 17) / 6] * 6)
    assert vote.guarantee_ is not None
    assert vote.guarantee_.expected_loss == pytest.approx(0.15837104072)
    assert vote.expert_ == bp.Expert(0.5, 0.8, 0.1)


def test_rates_are_those_of_the_worst_models() -> None:
    """Of nine samples, which say nothing of pairs: the rule is that of these rates."""
    vote = RobustVotingClassifier(fitted(5, VOTES, TRUTH), k=1, prefit=True).fit(VOTES, TRUTH)
    # Right on positives 4, 3, 3, 3, 2 of 4 and wrong on negatives 0, 1, 0, 1, 1 of 5: the best one is left out.
    worst = Fraction(3 + 3 + 3 + 2, 16), Fraction(1 + 1 + 1 + 0, 20)
    assert isinstance(vote.expert_, bp.ExpertInterval)
    assert [vote.expert_.tpr, vote.expert_.fpr] == pytest.approx([float(rate) for rate in worst])
    tpr, fpr, prior = (4 * worst[0] - 1) / 3, 4 * worst[1] / 3, Fraction(4, 9)
    low = prior * (1 - tpr) / (prior * (1 - tpr) + (1 - prior) * (1 - fpr))
    high = prior * tpr / (prior * tpr + (1 - prior) * fpr)
    assert vote.predict_proba([[1, 0, 0, 0, 0], [1, 1, 1, 1, 0]])[:, 1] == pytest.approx([float(low), float(high)])


def test_models_are_judged_on_samples_that_they_have_not_seen() -> None:
    rng = np.random.default_rng(0)
    samples, noise = rng.normal(size=(300, 4)), rng.integers(0, 2, 300)
    trees = [(f"t{i}", DecisionTreeClassifier(random_state=i)) for i in range(3)]
    vote = RobustVotingClassifier(trees, k=1).fit(samples, noise)
    assert (vote.votes(samples) == noise[:, None]).all()
    assert vote.plugin_guarantee_ is not None
    assert vote.plugin_guarantee_.expected_loss == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("loss", ["squared", "absolute", "log", bp.theory.cost(false_positive=1, false_negative=3)])
@given(ballots(2))
def test_no_attack_on_the_samples_costs_more_than_the_guarantee(loss: Any, drawn: Any) -> None:
    votes, classes, k = drawn
    n = votes.shape[1]
    vote = RobustVotingClassifier(fitted(n, votes, classes), k=k, loss=loss, prefit=True).fit(votes, classes)
    assert vote.plugin_guarantee_ is not None
    forecast = vote.predict_proba(np.tri(n + 1, n, -1, dtype=int))[:, 1]
    for bribed in combinations(range(n), k):
        sound = np.delete(votes, list(bribed), axis=1).sum(axis=1)
        reached = forecast[sound[:, None] + np.arange(k + 1)]
        losses = bp.theory.get_loss(loss).value(reached, classes[:, None])
        assert losses.max(axis=1).mean() <= vote.plugin_guarantee_.expected_loss + 1e-9


@given(ballots(3))
def test_no_attack_on_three_classes_costs_more_than_the_guarantee(drawn: Any) -> None:
    votes, classes, k = drawn
    n = votes.shape[1]
    vote = RobustVotingClassifier(fitted(n, votes, classes), k=k, prefit=True).fit(votes, classes)
    assert vote.plugin_guarantee_ is not None
    for bribed in combinations(range(n), k):
        worst = np.zeros(len(classes))
        for said in product(range(3), repeat=k):
            attacked = votes.copy()
            attacked[:, list(bribed)] = said
            worst = np.maximum(worst, 1 - vote.predict_proba(attacked)[np.arange(len(classes)), classes])
        assert worst.mean() <= vote.plugin_guarantee_.expected_loss + 1e-9


def test_poisoned_models_stay_below_the_guarantee_where_plain_voting_does_not() -> None:
    samples, classes = make_classification(4000, 12, n_informative=6, class_sep=1.2, random_state=1)
    learn, test = slice(0, 2000), slice(2000, 4000)
    vote = RobustVotingClassifier(forests(4, 7), k=2).fit(samples[learn], classes[learn])
    plain = RobustVotingClassifier(forests(4, 7), k=0).fit(samples[learn], classes[learn])
    assert vote.guarantee_ is not None
    assert plain.guarantee_ is not None
    right = (vote.votes(samples[test]) == classes[test, None]).mean(axis=0)
    for best in np.argsort(right)[-2:]:
        vote.estimators_[best] = plain.estimators_[best] = Stubborn(1 - classes[test])
    squared = [np.square(one.predict_proba(samples[test])[:, 1] - classes[test]).mean() for one in (vote, plain)]
    assert squared[0] < vote.guarantee_.expected_loss < 0.25
    assert squared[1] > plain.guarantee_.expected_loss


def test_confidence_is_that_of_calibration_on_the_same_votes() -> None:
    votes, truth = np.tile(VOTES, (40, 1)), np.tile(TRUTH, 40)
    vote = RobustVotingClassifier(fitted(5, votes, truth), k=1, prefit=True, confidence=0.9).fit(votes, truth)
    rows = [(item, f"m{who}", int(said)) for item, row in enumerate(votes) for who, said in enumerate(row)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    found = bp.calibrate(frame, dict(enumerate(truth.tolist())), k=1, confidence=0.9)
    assert vote.expert_bounds_ == found.expert
    best = found.guarantee("squared").expected_loss
    assert vote.guarantee_ is not None
    assert vote.plugin_guarantee_ is not None
    # The rule is the best for the observed rates, so that its bound is a little above the best for the bounds.
    assert best <= vote.guarantee_.expected_loss < best + 0.02
    assert vote.plugin_guarantee_.expected_loss < best
    assert vote.rule_ is not None
    assert vote.rule_.guarantee == vote.guarantee_
    assert vote.set_params(confidence=None).fit(votes, truth).guarantee_ is None


@pytest.mark.parametrize("n", [5, 6])
@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("expert", [bp.Expert(0.5, 0.9, 0.1), bp.Expert(0.3, 0.95, 0.2), bp.Expert(0.2, 0.5, 0.5)])
def test_flips_of_two_classes_are_the_fewest_that_do(n: int, k: int, expert: bp.Expert) -> None:
    every = np.array(list(product([0, 1], repeat=n)))
    vote = RobustVotingClassifier(columns(n), k=k, expert=expert, loss="absolute").fit(every, every[:, 0])
    side = np.sign(np.round(vote.predict_proba(every)[:, 1] - 0.5, 9))
    apart = np.count_nonzero(every[:, None] != every, axis=2)
    expected = np.where(side[:, None] != side, apart, n + 1).min(axis=1)
    assert vote.flips_needed(every).tolist() == np.where(side == 0, 0, expected).tolist()
    assert vote.predict(every).tolist() == (side > 0).astype(int).tolist()


@pytest.mark.parametrize("k", [0, 1, 2])
def test_flips_of_three_classes_are_the_fewest_that_do(k: int) -> None:
    every = np.array(list(product(range(3), repeat=5)))
    known = bp.MultiExpert((0.2, 0.3, 0.5), (0.9, 0.9, 0.95))
    vote = RobustVotingClassifier(columns(5), k=k, expert=known).fit(every, every[:, 0])
    counts = np.stack([(every == one).sum(axis=1) for one in range(3)], axis=1)
    won = (np.sort(counts)[:, -1] > np.sort(counts)[:, -2]) & (counts.max(axis=1) > k)
    winner = np.where(won, counts.argmax(axis=1), -1)
    apart = np.count_nonzero(every[:, None] != every, axis=2)
    expected = np.where(won, np.where(winner[:, None] != winner, apart, 9).min(axis=1), 0)
    assert vote.flips_needed(every).tolist() == expected.tolist()
    nothing_left = counts.max(axis=1) <= k
    assert (vote.predict(every)[nothing_left] == 2).all()


@pytest.mark.parametrize(
    ("counts", "k", "expected"),
    [((4, 1, 1, 1), 3, 1), ((5, 1, 1, 0), 3, 2), ((2, 1, 1, 1), 2, 0), ((4, 3, 0, 0), 3, 1), ((7, 0, 0, 0), 3, 4)],
)
def test_a_class_is_not_won_with_k_votes_or_fewer(counts: tuple[int, ...], k: int, expected: int) -> None:
    votes = np.repeat(np.arange(4), counts)[None]
    n, every = votes.shape[1], np.tile(np.arange(4)[:, None], (1, votes.shape[1]))
    vote = RobustVotingClassifier(columns(n), k=k, expert=bp.MultiExpert((0.25,) * 4, (0.99,) * 4)).fit(
        every, every[:, 0]
    )
    assert vote.flips_needed(votes).tolist() == [expected]


def test_what_only_rounding_keeps_from_a_tie_is_one() -> None:
    nearly = bp.theory.PiecewiseLinear(3, [0, 1, 2, 3], [0.5 - 1e-9, 0.5 - 1e-16, 0.5 + 1e-15, 0.5 + 1e-9])
    assert forecasts_by_count(nearly).tolist() == [0.5 - 1e-9, 0.5, 0.5, 0.5 + 1e-9]


def test_without_adversaries_and_ties_it_decides_as_hard_voting_does() -> None:
    samples, classes = load_digits(n_class=6, return_X_y=True)
    models = [*forests(8, 4), ("bayes", GaussianNB())]
    plain = VotingClassifier(models, voting="hard").fit(samples[::2], classes[::2])
    vote = RobustVotingClassifier(models, k=0, cv=2).fit(samples[::2], classes[::2])
    counts = np.stack([(vote.votes(samples) == one).sum(axis=1) for one in range(6)], axis=1)
    clear = np.sort(counts)[:, -1] > np.sort(counts)[:, -2]
    assert clear.mean() > 0.9
    assert (vote.predict(samples) == plain.predict(samples))[clear].all()
    pair = classes < 2
    for model in (plain, vote.set_params(loss="absolute")):
        model.fit(samples[pair][::2], classes[pair][::2])
    assert (vote.predict(samples[pair]) == plain.predict(samples[pair])).all()


def test_where_votes_promise_nothing_the_prior_decides() -> None:
    rng = np.random.default_rng(3)
    votes, classes = rng.integers(0, 3, (60, 5)), np.repeat([0, 1, 1, 2], 15)
    vote = RobustVotingClassifier(fitted(5, votes, classes), k=2, prefit=True).fit(votes, classes)
    assert vote.plugin_guarantee_ is not None
    assert vote.plugin_guarantee_.expected_loss == 0.5
    assert (vote.predict(votes) == 1).all()
    assert (vote.flips_needed(votes) == 6).all()
    pair = classes < 2
    two = RobustVotingClassifier(fitted(5, votes, classes), k=2, prefit=True)
    two.fit(np.minimum(votes[pair], 1), classes[pair])
    assert (two.flips_needed(np.minimum(votes, 1)) == 6).all()


@pytest.mark.parametrize("names", [("yes", "no"), ("no", "yes")])
def test_ties_go_to_the_class_that_is_named_first(names: tuple[str, str]) -> None:
    """Of four constant models, two for either class, the first in the alphabet won whatever was asked."""
    truth = np.array(names)[[0, 1] * 8]
    votes = np.repeat(truth[:, None], 4, axis=1)
    tie = np.array([[names[0]] * 2 + [names[1]] * 2])
    for ties, winner in (([*names], names[0]), ([*names[::-1]], names[1]), (None, "no")):
        vote = RobustVotingClassifier(columns(4), k=1, expert=bp.Expert(0.5, 0.9, 0.1), ties=ties).fit(votes, truth)
        assert vote.predict(tie).tolist() == [winner]
    for wrong in (["no"], ["no", "no"], ["no", "yes", "perhaps"]):
        with pytest.raises(bp.ParameterError, match="each class of y once"):
            RobustVotingClassifier(columns(4), k=1, ties=wrong).fit(votes, truth)


def binomial_tail(successes: int, trials: int, probability: Fraction) -> float:
    """Return the exact probability of so many successes or more."""
    below = sum(math.comb(trials, i) * probability**i * (1 - probability) ** (trials - i) for i in range(successes))
    return float(1 - below)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "k", "size", "error", "loss", "together"),
    [
        (5, 1, 200, 0.2, "squared", True),
        (5, 0, 200, 0.2, "absolute", True),
        (9, 2, 500, 0.1, "squared", True),
        (9, 2, 500, 0.1, "squared", False),
    ],
)
def test_the_guarantee_is_below_the_true_worst_case_seldom(
    n: int, k: int, size: int, error: float, loss: str, together: bool
) -> None:
    """The plug-in bound was too small in about half of the trials; at 95 % one in twenty may be."""
    trials, missed = 200, 0
    for seed in range(trials):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 2, size)
        wrong = rng.random((size, 1 if together else n)) < error
        votes = np.where(wrong, 1 - truth[:, None], truth[:, None]) * np.ones((1, n), dtype=int)
        vote = RobustVotingClassifier(fitted(n, votes, truth), k=k, loss=loss, prefit=True).fit(votes, truth)
        assert vote.rule_ is not None
        assert vote.guarantee_ is not None
        world = bp.Expert(0.5, 1 - error, error, correlation=float(together))
        true = bp.theory.pairwise_worst_loss(vote.rule_, bp.Panel(n, k), world, loss).upper
        missed += true > vote.guarantee_.expected_loss + 1e-12
    assert binomial_tail(missed, trials, Fraction(1, 20)) > 1e-3


def test_a_correlation_of_more_than_two_classes_is_refused() -> None:
    expert = bp.MultiExpert((0.2, 0.3, 0.5), (0.9, 0.9, 0.9), 0.1)
    truth = np.array([0, 1, 2] * 3)
    with pytest.raises(bp.ParameterError, match=r"MultiExpert correlation = 0\.1: .*leave the correlation at 1"):
        RobustVotingClassifier(columns(3), expert=expert).fit(np.tile(truth, (3, 1)).T, truth)
