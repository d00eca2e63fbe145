"""Votes for no class: masked votes, ties, flips and guarantees where some models abstain."""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

import bribeproof as bp
from bribeproof.learn import RobustVotingClassifier
from bribeproof.learn.abstentions import forecasts_by_counts
from bribeproof.theory.pairwise.error_laws import error_bounds
from bribeproof.theory.pairwise.worst_law import worst_law
from tests.learn.stub_models import Column, Masked, Stubborn, columns, fitted
from tests.learn.votes import TRUTH, VOTES


def test_a_vote_for_no_class_counts_for_none() -> None:
    vote = RobustVotingClassifier(columns(5), k=1, cv=2).fit(VOTES, TRUTH)
    assert vote.rule_ is not None
    low, high = vote.rule_(0), vote.rule_(5)
    vote.estimators_[4] = Stubborn(["bought"] * len(VOTES))
    share = np.clip((VOTES[:, :4].sum(axis=1) - 1) / 2, 0, 1)
    assert vote.predict_proba(VOTES)[:, 1] == pytest.approx(low + (high - low) * share)
    assert vote.votes(VOTES)[0].tolist() == [1, 1, 1, 1, "bought"]


def test_a_masked_vote_is_an_abstention() -> None:
    """What was under the mask was counted."""
    votes = np.where(np.random.default_rng(5).random(VOTES.shape) < 0.3, -1, VOTES)
    plain, hidden = (
        RobustVotingClassifier(
            [(name, kind(place).fit(votes, TRUTH)) for place, name in enumerate("abcde")], prefit=True
        )
        for kind in (Column, Masked)
    )
    for vote in (plain, hidden):
        vote.fit(votes, TRUTH)
    assert (votes < 0).sum() > 10
    assert hidden.predict_proba(votes).tolist() == plain.predict_proba(votes).tolist()
    assert hidden.flips_needed(votes).tolist() == plain.flips_needed(votes).tolist()
    assert hidden.transform(votes).tolist() == plain.transform(votes).tolist() == votes.tolist()
    assert hidden.guarantee_ == plain.guarantee_


def test_masks_that_would_be_lost_are_refused() -> None:
    with pytest.raises(bp.DataError, match="model 'm0' predicts a masked array, whose mask cross-validation loses"):
        RobustVotingClassifier(columns(3, Masked), cv=2).fit(VOTES, TRUTH)
    hidden = np.ma.array(TRUTH, mask=np.arange(len(TRUTH)) == 0)
    with pytest.raises(bp.ParameterError, match="y holds masked values"):
        RobustVotingClassifier(columns(3), cv=2).fit(VOTES, hidden)
    with pytest.raises(bp.ParameterError, match="sample_weight holds masked values"):
        RobustVotingClassifier(fitted(3, VOTES, TRUTH), prefit=True).fit(VOTES, TRUTH, sample_weight=hidden)


@pytest.mark.parametrize("names", [(0, 1), (1, 0), ("no", "yes"), ("yes", "no")])
def test_where_all_models_abstain_the_prior_decides_whatever_the_classes_are_called(names: tuple[Any, Any]) -> None:
    """It was class 0 with probability 1 and three flips."""
    truth = np.array(names, dtype=object if isinstance(names[0], str) else None)[[1, 1, 1, 0, 0] * 20]
    votes = np.repeat(truth[:, None], 5, axis=1)
    vote = RobustVotingClassifier(fitted(5, votes, truth), k=1, prefit=True).fit(votes, truth)
    silent = np.full((1, 5), -1, dtype=votes.dtype)
    position = vote.classes_.tolist().index(names[1])
    assert vote.predict_proba(silent)[0, position] == pytest.approx(0.6)
    assert vote.predict(silent).tolist() == [names[1]]
    assert vote.flips_needed(silent).tolist() == [0]


def test_abstentions_never_cost_more_than_errors() -> None:
    """Corollary 15.2, for all numbers of honest errors and abstentions and of bribed lies and silence."""
    for n, k in ((3, 1), (5, 1), (5, 2), (7, 2), (7, 3), (9, 3)):
        table = forecasts_by_counts(bp.theory.PiecewiseLinear(n, [k, n - k], [0.0, 1.0]), k, 0.3)
        for wrong, silent, gone in product(range(n - k + 1), range(n - k + 1), range(k + 1)):
            if wrong + silent <= n - k:
                errors = min(1.0, (wrong + silent) / (n - 2 * k))
                for lies in range(k - gone + 1):
                    right, against = n - k - wrong - silent + k - gone - lies, wrong + lies
                    assert 1 - table[right, against] <= errors + 1e-12
                    assert table[against, right] <= errors + 1e-12


def test_flips_with_abstentions_are_the_fewest_that_do() -> None:
    n, k = 4, 1
    every = np.array(list(product([0, 1, -1], repeat=n)))
    vote = RobustVotingClassifier(columns(n), k=k, expert=bp.Expert(0.5, 0.9, 0.2)).fit(every % 2, every[:, 0] % 2)
    side = np.sign(np.round(vote.predict_proba(every)[:, 1] - 0.5, 9))
    side[(every >= 0).sum(axis=1) <= k] = 0
    apart = np.count_nonzero(every[:, None] != every, axis=2)
    expected = np.where(side == 0, 0, np.where(side[:, None] != side, apart, n + 1).min(axis=1))
    assert vote.flips_needed(every).tolist() == expected.tolist()


def worst_with_abstentions(
    table: np.ndarray[Any, Any], panel: bp.Panel, expert: bp.Expert, loss: bp.theory.Loss
) -> float:
    """The largest expected loss over all laws of wrong or missing honest votes, and what the bribed do."""
    k, size, total = panel.k, panel.truthful, 0.0
    for state, weight, bounds in zip(
        (1, 0), (expert.prior, 1 - expert.prior), error_bounds(panel, expert), strict=True
    ):
        losses = np.zeros(size + 1)
        for one, other in product(range(size + 1), range(size + 1)):
            for more, others in product(range(k + 1), range(k + 1)):
                if one + other <= size and more + others <= k:
                    place = size - (one if state else other)
                    losses[place] = max(losses[place], loss.value(float(table[one + more, other + others]), state))
        total += weight * worst_law(losses, bounds).upper
    return total


@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_the_guarantee_of_a_known_correlation_covers_abstentions(loss: str) -> None:
    """With 8 models of tpr .988, fpr .633, pairwise independent, it lost .498 where .274 was guaranteed."""
    draw, named = random.Random(3), bp.theory.get_loss(loss)  # noqa: S311
    experts = [
        (bp.Panel(8, 1), bp.Expert(0.3137, 0.9881, 0.633, 0.0)),
        (bp.Panel(4), bp.Expert(0.388, 0.98, 0.34, 0.172)),
    ]
    for _ in range(8):
        n, low, high = draw.randint(3, 8), *sorted((draw.random(), draw.random()))
        panel = bp.Panel(n, draw.randint(0, (n - 1) // 2))
        experts.append((panel, bp.Expert(draw.uniform(0.1, 0.9), high, low, draw.random() / 5)))
    for panel, expert in experts:
        vote = RobustVotingClassifier(columns(panel.n), k=panel.k, loss=loss, expert=expert)
        vote.fit(np.tile(TRUTH, (panel.n, 1)).T, TRUTH)
        assert vote.guarantee_ is not None
        assert vote.guarantee_.basis.value == "pairs of reporters"
        expected = bp.theory.pairwise_minimax(panel, expert, loss)
        assert vote.guarantee_.expected_loss == pytest.approx(expected.upper, abs=1e-12)
        assert vote.rule_ is not None
        assert vote.rule_.values.tolist() == expected.aggregator.values.tolist()
        table = np.zeros((panel.n + 1, panel.n + 1))
        for one, other in product(range(panel.n + 1), range(panel.n + 1)):
            if one + other <= panel.n:
                ballot = [[1] * one + [0] * other + [-1] * (panel.n - one - other)]
                table[one, other] = vote.predict_proba(np.array(ballot))[0, 1]
        assert worst_with_abstentions(table, panel, expert, named) <= vote.guarantee_.expected_loss + 1e-9
