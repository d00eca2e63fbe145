"""The helpers that claims are measured with, against sums and fractions by hand."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.paper.claims.absolute_loss import printed_bound
from bribeproof.paper.claims.instances import (
    CountsInstance,
    CrowdInstance,
    LabelsInstance,
    draw_crowd,
    draw_laws,
    draw_shares,
)
from bribeproof.paper.claims.multistate import printed_formula, within
from bribeproof.paper.claims.reference import bad_structure, four_count_rule, least_error, regret, structure_regret
from bribeproof.paper.claims.squared_loss import printed_regret, printed_rule
from bribeproof.theory import expert_risk, worst_case

seeds = st.integers(0, 10**6)


@given(seeds)
def test_the_standing_assumption_is_that_a_report_errs_less_than_the_prior(seed: int) -> None:
    crowd = draw_crowd(np.random.default_rng(seed))
    mu, a, b = (Fraction(str(x)) for x in (crowd.prior, crowd.tpr, crowd.fpr))
    error = mu * (1 - a) + (1 - mu) * b
    if error != min(mu, 1 - mu):
        assert crowd.straddles == (error < min(mu, 1 - mu))
    if crowd.straddles:
        rarer = min(mu, 1 - mu)
        assert printed_bound(crowd) == pytest.approx(float((rarer - error) / (2 * rarer - error)), abs=1e-9)


@given(seeds)
def test_the_long_formula_is_the_risk_of_the_effective_expert(seed: int) -> None:
    crowd = draw_crowd(np.random.default_rng(seed))
    tpr, fpr = crowd.panel.effective_rates(crowd.expert)
    if tpr > fpr:
        effective = crowd.panel.effective(crowd.expert)
        assert printed_regret(crowd) == pytest.approx(expert_risk(effective), abs=1e-9)
        ends = printed_rule(crowd)[0], printed_rule(crowd)[-1]
        assert ends == pytest.approx((effective.posterior_low, effective.posterior_high), abs=1e-9)


def test_regret_of_one_structure_by_hand() -> None:
    crowd = CrowdInstance(5, 0, 0.5, 0.6, 0.4)
    second = ({0: 0.6, 5: 0.4}, {1: 0.5, 5: 0.5})
    found = structure_regret([x / 5 for x in range(6)], crowd, second, ({}, {}), "squared")
    assert found == pytest.approx(float(Fraction(9, 25) - Fraction(1, 9)))


@given(seeds)
def test_bad_structure_has_the_means_and_no_structure_is_worse_than_the_worst(seed: int) -> None:
    crowd = draw_crowd(np.random.default_rng(seed))
    given_0, given_1 = bad_structure(crowd)
    for law, rate in ((given_0, crowd.fpr), (given_1, crowd.tpr)):
        assert sum(law.values()) == pytest.approx(1)
        assert sum(x * w for x, w in law.items()) == pytest.approx(crowd.panel.truthful * rate)
    if min(*given_0.values(), *given_1.values()) >= 0:
        rule = np.linspace(0, 1, crowd.n + 1)
        assert structure_regret(rule, crowd, (given_0, given_1), ({}, {}), "squared") <= (
            regret(rule, crowd, "squared") + 1e-12
        )


def test_value_on_four_counts_is_that_of_its_own_rule() -> None:
    crowd = CrowdInstance(3, 0, 0.4, 0.6, 0.4)
    forecasts, value = four_count_rule(crowd)
    assert worst_case(forecasts, crowd.panel, crowd.expert).regret == pytest.approx(value, abs=1e-8)


def test_least_regret_of_many_states_is_at_most_the_least_loss() -> None:
    low, high = least_error(LabelsInstance(7, 2, (0.4, 0.3, 0.3), (0.9, 0.8, 0.9)))
    assert low <= high + 1e-12
    assert least_error(LabelsInstance(8, 1, (0.4, 0.6), (0.9, 0.9)))[0] == pytest.approx(7 / 8 * 0.1 * 8 / 6)


def test_the_printed_formula_goes_negative_only_outside_its_conditions() -> None:
    outside = LabelsInstance(8, 2, (0.4, 0.3, 0.3), (0.9, 0.8, 0.85))
    assert printed_formula(outside) < -0.4
    assert not within(outside)
    inside = LabelsInstance(8, 2, (0.3, 0.3, 0.4), (0.6, 0.6, 0.6))
    assert within(inside)
    assert within(inside, sign=-1)
    assert printed_formula(inside) == pytest.approx(0.2)


@given(seeds)
def test_drawn_instances_are_readable_and_possible(seed: int) -> None:
    rng = np.random.default_rng(seed)
    crowd = draw_crowd(rng)
    assert crowd.panel.n <= 12
    assert crowd.expert.informative
    assert all(len(str(rate)) <= 4 for rate in (crowd.prior, crowd.tpr, crowd.fpr))
    shares = draw_shares(rng, 4)
    assert sum(shares) == pytest.approx(1)
    assert min(shares) > 0
    family = draw_laws(rng, most_states=3).family
    assert family.laws.sum(axis=(1, 2)) == pytest.approx(1)


def test_instances_are_written_briefly_and_ordered_by_reporters() -> None:
    counts = CountsInstance(3, 1, (0, 1, 2), (1, 0, 0))
    assert str(counts) == "n = 3, k = 1, given_1 = (0, 1, 2), given_0 = (1, 0, 0)"
    assert str(CrowdInstance(10, 2, 0.5, 0.8, 0.1)) == "n = 10, k = 2, prior = 0.5, tpr = 0.8, fpr = 0.1"
    crowds = [
        CrowdInstance(10, 2, 0.5, 0.8, 0.1),
        CrowdInstance(4, 1, 0.55, 0.8, 0.1),
        CrowdInstance(4, 1, 0.5, 0.8, 0.1),
    ]
    assert min(crowds, key=lambda crowd: crowd.size) == crowds[2]
