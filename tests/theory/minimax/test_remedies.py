"""Why guarantees are worth nothing and what would change that, against the effective expert and the solver of pairs."""

import json
from dataclasses import replace

import pytest

from bribeproof.theory import (
    Expert,
    ExpertInterval,
    Loss,
    Panel,
    cost,
    expert_risk,
    get_loss,
    most_adversaries,
    optimal_aggregator,
    pairwise_minimax,
    worth_of,
)
from bribeproof.theory.minimax.remedies import Change, Reason, Remedy, explain_worthless

_PRICED = cost(false_positive=5, false_negative=1)


def _share(n: int, k: int, expert: Expert, loss: str | Loss) -> float:
    """Return the share of the prior's loss that the effective expert's Bayes risk is."""
    return expert_risk(Panel(n, k).effective(expert), loss) / get_loss(loss).bayes_risk(expert.prior)


@pytest.mark.parametrize("loss", ["squared", "log", "absolute", _PRICED])
def test_each_remedy_is_what_the_effective_expert_then_loses(loss: str | Loss) -> None:
    expert, n, k = Expert(0.6, 0.9, 0.25), 9, 4
    assert _share(n, k, expert, loss) > 0.9995
    found = {one.change: one for one in explain_worthless({n: 1}, k, expert, loss).remedies}
    smaller, more = found[Change.K], found[Change.REPORTS]
    assert smaller.worth.share == pytest.approx(_share(n, int(smaller.to), expert, loss))
    assert more.worth.share == pytest.approx(_share(n * int(more.to), k, expert, loss))
    assert 0 <= smaller.to <= most_adversaries(n, expert, loss)
    assert not smaller.worth.worthless
    assert not more.worth.worthless


def test_less_correlation_is_a_remedy_where_it_makes_the_reports_outweigh_the_prior() -> None:
    expert, n, k = Expert(0.3, 0.7, 0.3), 39, 3
    found = explain_worthless({n: 1}, k, expert, "absolute")
    assert found.reason == Reason.OUTWEIGHED
    assert [one.change for one in found.remedies] == [Change.CORRELATION]
    (remedy,) = found.remedies
    paired = replace(expert, correlation=remedy.to)
    assert remedy.worth.expected_loss == pytest.approx(pairwise_minimax(Panel(n, k), paired, "absolute").upper)
    assert remedy.worth.share is not None
    assert remedy.worth.share < 0.9995


@pytest.mark.parametrize(
    ("expert", "k", "loss", "reason"),
    [
        (Expert(0.5, 0.7, 0.3), 4, "squared", Reason.BRIBED),
        (Expert(0.5, 0.7, 0.3, 0.1), 4, "log", Reason.BRIBED),
        (ExpertInterval((0.4, 0.6), 0.7, 0.3), 4, "absolute", Reason.BRIBED),
        (ExpertInterval(), 1, "squared", Reason.UNINFORMATIVE),
        (Expert(0.5, 0.3, 0.3), 0, "absolute", Reason.UNINFORMATIVE),
        (Expert(0.05, 0.8, 0.1), 1, "absolute", Reason.OUTWEIGHED),
        (Expert(0.0, 0.8, 0.1), 1, "squared", Reason.CERTAIN),
        (Expert(1.0, 0.8, 0.1), 1, "log", Reason.CERTAIN),
    ],
)
def test_the_reason(expert: Expert | ExpertInterval, k: int, loss: str, reason: Reason) -> None:
    assert explain_worthless({9: 1}, k, expert, loss).reason == reason


def test_a_rule_of_small_regret_may_lose_more_than_the_prior_alone() -> None:
    expert = Expert(0.04, 0.96, 0.16)
    assert explain_worthless({11: 1}, 0, expert, rule_of=optimal_aggregator).reason == Reason.REGRET
    assert explain_worthless({11: 1}, 5, expert, rule_of=optimal_aggregator).reason == Reason.BRIBED


def test_where_no_change_helps_none_is_named() -> None:
    assert explain_worthless({9: 1}, 1, ExpertInterval()).remedies == ()
    assert explain_worthless({9: 1}, 4, Expert(0.0, 0.8, 0.1)).remedies == ()
    assert explain_worthless({9: 1}, 4, Expert(0.5, 0.4, 0.4)).remedies == ()


def test_changes_that_the_caller_found_are_kept_if_they_help() -> None:
    good, bad = (Remedy(Change.GOLD, factor, worth_of(bound, 0.5)) for factor, bound in ((10, 0.2), (2, 0.25)))
    found = explain_worthless({9: 1}, 1, ExpertInterval(), more=(bad, good))
    assert found.remedies == (good,)
    facts = found.facts()
    assert json.loads(json.dumps(facts)) == facts
    assert facts["remedies"] == [{"change": "more gold items", "to": 10, "share": 0.8}]


def test_what_is_known_of_smaller_numbers_of_bribed_reporters_is_taken() -> None:
    expert = Expert(0.5, 0.9, 0.1)
    known = {k: worth_of(loss, 0.5) for k, loss in ((0, 0.1), (2, 0.15), (4, 0.01))}
    found = explain_worthless({9: 1}, 4, expert, smaller=known)
    assert [(one.to, one.worth.share) for one in found.remedies if one.change == Change.K] == [(2, 0.6)]
