"""Certified accuracy: what stays right, against every change of k votes and every list of k models."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import bribeproof as bp
from bribeproof.learn import RobustVotingClassifier
from tests.learn.stub_models import columns
from tests.learn.votes import TRUTH, VOTES


@pytest.mark.parametrize("known", [None, bp.Expert(0.4, 0.85, 0.2)])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_certified_accuracy_counts_what_stays_right_whichever_k_votes_are_changed(k: int, known: Any) -> None:
    classes = 2 if known else 3
    every = np.array(list(product(range(classes), repeat=5)))
    truth = np.random.default_rng(3).integers(0, classes, len(every))
    expert = known or bp.MultiExpert((0.2, 0.3, 0.5), (0.9, 0.9, 0.95))
    vote = RobustVotingClassifier(columns(5), k=1, expert=expert).fit(every, every[:, 0])
    near = np.count_nonzero(every[:, None] != every, axis=2) <= k
    right = (vote.predict(every) == truth[:, None]) & (vote.flips_needed(every) > 0)
    found = vote.certified_accuracy(every, truth, k)
    assert found.robust == np.where(near, right, True).all(axis=1).sum()
    assert (found.k, found.samples, found.confidence) == (k, len(every), 0.95)
    assert not found.robust or binom.sf(found.robust - 1, found.samples, found.accuracy_low) == pytest.approx(0.05)
    assert vote.certified_accuracy(every, truth) == vote.certified_accuracy(every, truth, 1)


@pytest.mark.parametrize("abstaining", [False, True])
@pytest.mark.parametrize(("classes", "n", "k"), [(2, 5, 1), (2, 5, 2), (2, 5, 3), (3, 4, 1), (3, 5, 2), (2, 4, 0)])
def test_the_same_models_beside_every_list_and_all_their_votes(classes: int, n: int, k: int, abstaining: bool) -> None:
    rng = np.random.default_rng(n + k)
    truth = rng.integers(0, classes, 40)
    votes = np.where(rng.random((40, n)) < 0.75, truth[:, None], rng.integers(0, classes, (40, n)))
    if abstaining:
        votes = np.where(rng.random(votes.shape) < 0.15, -1, votes)
    expert = bp.Expert(0.4, 0.85, 0.2) if classes == 2 else bp.MultiExpert((0.2, 0.3, 0.5), (0.9, 0.9, 0.95))
    vote = RobustVotingClassifier(columns(n), k=1, expert=expert).fit(votes, np.arange(40) % classes)
    left = {}
    for members in combinations(range(n), k):
        safe = np.ones(40, bool)
        for said in product(range(-1 if abstaining else 0, classes), repeat=k):
            attacked = votes.copy()
            attacked[:, list(members)] = said
            safe &= (vote.predict(attacked) == truth) & (vote.flips_needed(attacked) > 0)
        left[members] = int(safe.sum())
    found = vote.certified_accuracy(votes, truth, k, same_models=True)
    assert found.robust == min(left.values())
    assert found.models is not None
    assert left[tuple(int(name[1:]) for name in found.models)] == found.robust
    each = vote.certified_accuracy(votes, truth, k)
    assert found.robust >= each.robust
    assert each.models is None
    assert not found.robust or binom.sf(found.robust - 1, 40, found.accuracy_low) == pytest.approx(0.05)


def test_lists_of_models_that_are_too_many_are_refused() -> None:
    votes = np.tile(TRUTH[:, None], (1, 60))
    vote = RobustVotingClassifier(columns(60), k=1, expert=bp.Expert(0.4, 0.85, 0.2)).fit(votes, TRUTH)
    assert vote.certified_accuracy(votes, TRUTH, 2, same_models=True).robust == len(TRUTH)
    with pytest.raises(bp.ParameterError, match="5,461,512 lists of so many of 60 models"):
        vote.certified_accuracy(votes, TRUTH, 5, same_models=True)


def test_certified_accuracy_needs_samples_and_their_classes() -> None:
    vote = RobustVotingClassifier(columns(5), k=1, cv=2).fit(VOTES, TRUTH)
    with pytest.raises(bp.DataError, match="X has 9 samples and y 3"):
        vote.certified_accuracy(VOTES, TRUTH[:3])
    with pytest.raises(bp.ParameterError, match="cannot be negative"):
        vote.certified_accuracy(VOTES, TRUTH, -1)
