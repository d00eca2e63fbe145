"""Rates of models from images that they have not seen: by hand, mirrored, and as often right as stated."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from bribeproof.errors import DataError, ParameterError
from bribeproof.paper.ensemble.experiment.rates import held_out_rates


def test_rates_and_their_bounds_by_hand() -> None:
    truth = np.array([1, 1, 1, 0, 0, 0, 0], bool)
    votes = np.array([[1, 0, 1, 1, 0, 0, 1], [1, 1, 1, 0, 0, 1, 1], [0, 1, 1, 0, 1, 0, 1]], bool)
    seen = np.array([[0, 0, 1, 1, 0, 0, 1], [0, 1, 0, 0, 0, 0, 1], [0, 1, 1, 0, 0, 1, 1]], bool)
    found = held_out_rates(votes, seen, truth, 0.9)
    # All have seen the last image. Shares of yes: 2/3, 0/1 and 1/1 for the target; 0/2, 1/3 and 1/2 for the others.
    assert (found.expert.prior, found.expert.tpr, found.expert.fpr) == pytest.approx((1 / 2, 5 / 9, 5 / 18))
    prior = stats.binomtest(3, 6).proportion_ci(1 - 0.05, method="exact")
    assert found.bounds.prior == pytest.approx((prior.low, prior.high))
    assert 0 <= found.bounds.tpr < 5 / 9
    assert 5 / 18 < found.bounds.fpr <= 1
    rows = found.models.select("model", "held_out", "accuracy", "tpr", "fpr").rows()
    assert rows == [
        (0, 4, pytest.approx(3 / 4), pytest.approx(1 / 2), 0.0),
        (1, 5, pytest.approx(4 / 5), 1.0, pytest.approx(1 / 3)),
        (2, 3, pytest.approx(1 / 3), 0.0, pytest.approx(1 / 2)),
    ]
    each = stats.binomtest(1, 3).proportion_ci(0.9, method="exact")
    assert found.models.select("fpr_low", "fpr_high").row(1) == pytest.approx((each.low, each.high))


def test_joint_errors_are_those_of_pairs_that_have_not_seen_the_image() -> None:
    rng = np.random.default_rng(6)
    truth = rng.random(300) < 0.5
    hard = rng.random(300) < 0.3
    votes = truth ^ (rng.random((6, 300)) < np.where(hard, 0.5, 0.05))
    seen = rng.random((6, 300)) < 0.4
    # A model errs on no image that it was trained on: these say nothing.
    votes[seen] = np.broadcast_to(truth, votes.shape)[seen]
    found = held_out_rates(votes, seen, truth).expert
    for state, error, correlation in zip((1, 0), (1 - found.tpr, found.fpr), found.correlations, strict=True):
        shares = []
        for image in np.flatnonzero(truth == state):
            judges = np.flatnonzero(~seen[:, image])
            pairs = list(combinations(judges, 2))
            if pairs:
                wrong = votes[:, image] != truth[image]
                shares.append(np.mean([wrong[one] and wrong[other] for one, other in pairs]))
        assert correlation == pytest.approx((np.mean(shares) - error**2) / (error * (1 - error)), abs=1e-12)
        assert 0.1 < correlation < 0.5


def test_models_that_share_no_unseen_image_may_err_together() -> None:
    truth = np.array([1, 1, 0, 0], bool)
    votes = np.array([[1, 0, 0, 1], [1, 1, 0, 0]], bool)
    seen = np.array([[0, 0, 0, 0], [1, 1, 1, 1]], bool)
    found = held_out_rates(votes, seen, truth).expert
    assert (found.tpr, found.fpr, found.correlations) == (0.5, 0.5, (1.0, 1.0))


def test_yes_and_no_are_mirror_images() -> None:
    rng = np.random.default_rng(2)
    truth, seen = rng.random(80) < 0.3, rng.random((5, 80)) < 0.4
    votes = rng.random((5, 80)) < np.where(truth, 0.8, 0.1)
    found, mirrored = held_out_rates(votes, seen, truth), held_out_rates(~votes, seen, ~truth)
    assert (mirrored.bounds.tpr, mirrored.bounds.fpr) == pytest.approx((1 - found.bounds.fpr, 1 - found.bounds.tpr))
    assert mirrored.bounds.prior == pytest.approx((1 - found.bounds.prior[1], 1 - found.bounds.prior[0]))
    assert mirrored.expert.tpr == pytest.approx(1 - found.expert.fpr)
    assert mirrored.expert.correlations == pytest.approx(found.expert.correlations[::-1])


def test_a_model_that_was_asked_nothing_has_no_rate() -> None:
    truth = np.array([1, 1, 0, 0], bool)
    seen = np.array([[1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]], bool)
    found = held_out_rates(np.tile(truth, (3, 1)), seen, truth)
    assert found.models["tpr"].to_list() == [None, None, 1.0]
    assert found.models["fpr"].to_list() == [0.0, None, 0.0]
    assert found.models["accuracy"].to_list() == [1.0, None, 1.0]
    assert found.models.select("tpr_low", "tpr_high").row(0) == (0.0, 1.0)


@pytest.mark.parametrize(
    "together", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["errors are shared", "errors are independent"]
)
def test_bounds_hold_as_often_as_stated(together: bool) -> None:
    rng = np.random.default_rng(3)
    runs, confidence, failed, naive = 150, 0.8, np.zeros(3, int), 0
    for _ in range(runs):
        truth = rng.random(200) < 0.3
        luck = rng.random((1 if together else 20, 200))
        votes = np.broadcast_to(luck < np.where(truth, 0.7, 0.1), (20, 200))
        held = ~(seen := rng.random((20, 200)) < 0.4)
        known = held_out_rates(votes, seen, truth, confidence).bounds
        failed += [not known.prior[0] <= 0.3 <= known.prior[1], known.tpr > 0.7, known.fpr < 0.1]
        asked = int((held & truth).sum())
        every = stats.binomtest(int((held & truth & votes).sum()), asked).proportion_ci(1 - 2 * 0.05, method="exact")
        naive += every.low > 0.7
    assert failed.sum() <= stats.binom.ppf(0.999, runs, 1 - confidence)
    assert (failed <= stats.binom.ppf(0.999, runs, [0.1, 0.05, 0.05])).all()
    # Counting every vote as one of its own would not do where errors are shared.
    assert (naive > stats.binom.ppf(0.999, runs, 0.05)) == together


@pytest.mark.parametrize(
    ("truth", "seen", "message"),
    [([0, 0, 0], [0, 0, 0], "0 of the 3"), ([1, 1, 1], [1, 0, 0], "2 of the 2"), ([1, 0, 0], [1, 1, 1], "0 of the 0")],
)
def test_no_rates_without_held_out_images_of_both_kinds(truth: list[int], seen: list[int], message: str) -> None:
    votes = np.ones((1, 3), bool)
    with pytest.raises(DataError, match=f"{message} training images that a model has not seen"):
        held_out_rates(votes, np.array([seen], bool), np.array(truth, bool))


@pytest.mark.parametrize("confidence", [0.0, 1.0, math.nan])
def test_a_confidence_that_promises_too_much(confidence: float) -> None:
    with pytest.raises(ParameterError, match="confidence"):
        held_out_rates(np.ones((1, 2), bool), np.zeros((1, 2), bool), np.array([True, False]), confidence)
