"""Partly known parameters: the guarantee holds over the whole box and is attained in it."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.theory import (
    Basis,
    Expert,
    ExpertInterval,
    Guarantee,
    Loss,
    Panel,
    closed_form,
    expert_risk,
    optimal_aggregator,
)
from tests.theory.strategies import LOSSES, each_loss, guarantee_of, panels, rates
from tests.theory.worst_case_oracle import Loss as OracleLoss
from tests.theory.worst_case_oracle import worst_case

priors = st.floats(0.02, 0.98)


def largest_risk(panel: Panel, known: ExpertInterval, loss: Loss | str) -> float:
    """Largest effective Bayes risk over the prior interval, by ternary search of a concave function."""
    tpr, fpr = panel.effective_rates(known)
    if tpr < fpr:
        tpr = fpr = 0.5
    left, right = known.prior
    for _ in range(200):
        one, two = left + (right - left) / 3, right - (right - left) / 3
        if expert_risk(Expert(one, tpr, fpr), loss) < expert_risk(Expert(two, tpr, fpr), loss):
            left = one
        else:
            right = two
    return expert_risk(Expert(left, tpr, fpr), loss)


@each_loss
@given(panel=panels(7), one=priors, two=priors, tpr=rates, fpr=rates)
def test_saddle_point_over_the_whole_box(
    name: OracleLoss, panel: Panel, one: float, two: float, tpr: float, fpr: float
) -> None:
    known = ExpertInterval((min(one, two), max(one, two)), tpr, fpr)
    rule = optimal_aggregator(panel, known, LOSSES[name])
    guarantee = guarantee_of(rule)
    assert guarantee.expected_loss == pytest.approx(largest_risk(panel, known, LOSSES[name]), abs=1e-7)
    worst = []
    for prior, a, b in itertools.product(np.linspace(*known.prior, 3), (tpr, 1.0), (fpr, fpr / 2)):
        if a >= b:
            worst.append(worst_case(rule.values, panel.k, prior, a, b, name).loss)
    assert max(worst, default=0) <= guarantee.expected_loss + 1e-9
    if tpr >= fpr:
        assert max(worst) == pytest.approx(guarantee.expected_loss, abs=1e-9)


@each_loss
@given(panel=panels(20), prior=priors, one=rates, two=rates)
def test_an_interval_of_one_point_is_an_expert(
    name: OracleLoss, panel: Panel, prior: float, one: float, two: float
) -> None:
    a, b = max(one, two), min(one, two)
    sharp = closed_form(panel, Expert(prior, a, b), LOSSES[name])
    assert sharp == closed_form(panel, ExpertInterval((prior, prior), a, b), LOSSES[name])


@pytest.mark.parametrize("panel", [Panel(10, 2), Panel(9, 3), Panel(5)], ids=str)
def test_nothing_known_and_only_the_prior_known(panel: Panel) -> None:
    nothing = optimal_aggregator(panel, ExpertInterval(), "squared")
    assert set(nothing.values) == {0.5}
    assert nothing.guarantee == Guarantee(0.25, 0.25, exact=True, basis=Basis.PRIOR_ALONE)
    only_prior = optimal_aggregator(panel, ExpertInterval((0.3, 0.3)), "squared")
    assert set(only_prior.values) == {0.3}
    assert guarantee_of(only_prior).regret == pytest.approx(0.21)
    assert guarantee_of(only_prior).exact


def test_unknown_prior_under_the_absolute_loss_mixes_the_acts() -> None:
    panel, known = Panel(11, 2), ExpertInterval((0.0, 1.0), 0.95, 0.2)
    rule = optimal_aggregator(panel, known, "absolute")
    assert rule(0) == 0 < rule(11) < 1
    losses = [worst_case(rule.values, 2, prior, 0.95, 0.2, "absolute").loss for prior in (0.0, 0.3, 1.0)]
    assert losses == pytest.approx([guarantee_of(rule).expected_loss] * 3)
