"""Experts, panels and what the adversaries leave of a truthful reporter."""

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, ExpertInterval, Panel

shares = st.integers(0, 60).map(lambda part: Fraction(part, 60))
panels = st.integers(1, 40).flatmap(lambda n: st.builds(Panel, st.just(n), st.integers(0, (n - 1) // 2)))


def test_worked_values_of_one_reporter() -> None:
    expert = Expert(prior=0.2, tpr=0.9, fpr=0.3)
    assert expert.positive_rate == pytest.approx(0.42)
    assert expert.error_rate == pytest.approx(0.26)
    assert expert.posterior_high == pytest.approx(0.18 / 0.42)
    assert expert.posterior_low == pytest.approx(0.02 / 0.58)
    assert expert.informative


@given(shares, shares, shares)
def test_posteriors_average_to_the_prior_and_are_ordered(prior: Fraction, one: Fraction, two: Fraction) -> None:
    expert = Expert(float(prior), float(max(one, two)), float(min(one, two)))
    mean = expert.positive_rate * expert.posterior_high + (1 - expert.positive_rate) * expert.posterior_low
    assert mean == pytest.approx(float(prior))
    assert expert.posterior_low <= expert.prior + 1e-15
    assert expert.prior <= expert.posterior_high + 1e-15


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_signal_that_never_comes_leaves_the_prior(rate: float) -> None:
    expert = Expert(0.3, rate, rate)
    assert (expert.posterior_low, expert.posterior_high) == (0.3, 0.3)
    assert not expert.informative


@given(st.floats(0, 1), st.floats(0, 1))
def test_an_uninformative_report_leaves_the_prior_bit_for_bit(prior: float, rate: float) -> None:
    expert = Expert(prior, rate, rate)
    assert expert.posterior_low == expert.posterior_high == prior


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_a_sure_prior_cannot_be_moved(prior: float) -> None:
    expert = Expert(prior, 0.7, 0.2)
    assert (expert.posterior_low, expert.posterior_high) == (prior, prior)


@pytest.mark.parametrize("tiny", [1e-9, 2**-53, 1e-31, 1e-308, 5e-324])
@pytest.mark.parametrize("prior", [1e-320, 1e-12, 0.5, 1 - 2**-53])
def test_a_posterior_is_0_or_1_only_where_that_is_certain(prior: float, tiny: float) -> None:
    assert 0 < Expert(prior, 1.0, tiny).posterior_high < 1
    assert 0 < Expert(prior, 1 - 2**-53, 0.0).posterior_low < 1
    assert (Expert(prior, 1.0, 0.0).posterior_low, Expert(prior, 1.0, 0.0).posterior_high) == (0, 1)


@given(panels, shares, shares, shares)
def test_effective_expert_is_exact_arithmetic(panel: Panel, prior: Fraction, one: Fraction, two: Fraction) -> None:
    a, b = max(one, two), min(one, two)
    expert = Expert(float(prior), float(a), float(b))
    share = Fraction(panel.k, panel.n)
    exact_tpr, exact_fpr = ((1 - share) * a - share) / (1 - 2 * share), (1 - share) * b / (1 - 2 * share)
    assert panel.effective_rates(expert) == pytest.approx((float(exact_tpr), float(exact_fpr)))
    effective = panel.effective(expert)
    assert effective.prior == expert.prior
    if exact_tpr > exact_fpr:
        assert (effective.tpr, effective.fpr) == pytest.approx((float(exact_tpr), float(exact_fpr)))
    elif exact_tpr < exact_fpr:
        assert not effective.informative or effective.tpr - effective.fpr < 1e-12
        assert effective.posterior_high == pytest.approx(float(prior))


def test_only_the_share_of_adversaries_matters() -> None:
    expert = Expert(0.4, 0.85, 0.15)
    few, many = Panel(10, 2).effective_rates(expert), Panel(1000, 200).effective_rates(expert)
    assert few == pytest.approx(many)
    assert Panel(17, 0).effective_rates(expert) == (0.85, 0.15)


def test_each_adversary_takes_information() -> None:
    rates = np.array([Panel(21, k).effective_rates(Expert(0.5, 0.9, 0.1)) for k in range(11)])
    assert (np.diff(rates[:, 0]) < 0).all()
    assert (np.diff(rates[:, 1]) > 0).all()


def test_numpy_numbers_are_welcome() -> None:
    panel = Panel(np.int64(7), np.uint8(2))  # type: ignore[arg-type]
    assert panel == Panel(7, 2)
    assert type(panel.n) is int
    assert (panel.truthful, panel.share) == (5, 2 / 7)
    assert Expert(np.float32(0.5), 1, 0) == Expert(0.5, 1.0, 0.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments", [(5, True), (5.5, 1), (5, 1.5), ("5", 1), (5, -1), (4, 2), (0, 0), (True, 0), (-3, 0), (5, None)]
)
def test_panel_refuses(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(ParameterError, match="Panel"):
        Panel(*arguments)


def test_panel_says_what_to_do() -> None:
    with pytest.raises(ParameterError, match=r"n = 6 with k = 3 .* k <= 2 or n >= 7"):
        Panel(6, 3)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), "0.5", None, True, 0.5j])
@pytest.mark.parametrize("field", ["prior", "tpr", "fpr"])
def test_expert_refuses(field: str, value: Any) -> None:
    with pytest.raises(ParameterError, match=field):
        Expert(**{"prior": 0.5, "tpr": 0.8, "fpr": 0.1, field: value})


def test_swapped_labels_are_named() -> None:
    with pytest.raises(ParameterError, match="swap the labels"):
        Expert(0.5, 0.2, 0.7)


@pytest.mark.parametrize("prior", [(0.6, 0.4), (0.1,), [0.1, 0.2], 0.3, (0.1, 1.2), (0.1, float("nan"))])
def test_interval_refuses_a_prior(prior: Any) -> None:
    with pytest.raises(ParameterError, match="ExpertInterval prior"):
        ExpertInterval(prior, 0.8, 0.1)


def test_interval_refuses_a_rate() -> None:
    with pytest.raises(ParameterError, match="ExpertInterval tpr"):
        ExpertInterval(tpr=1.5)
    with pytest.raises(ParameterError, match="ExpertInterval fpr"):
        ExpertInterval(fpr=-0.5)


def test_values_are_immutable() -> None:
    for value in (Expert(0.5, 0.8, 0.1), ExpertInterval(), Panel(3, 1)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            value.__setattr__(dataclasses.fields(value)[0].name, 0)


def test_effective_rates_that_meet_are_kept() -> None:
    found = Panel(5, 1).effective(Expert(0.5, 0.5, 0.25))  # a′ = b′ = (4/2 − 1)/3
    assert (found.tpr, found.fpr) == pytest.approx((1 / 3, 1 / 3))


def test_a_signal_as_likely_in_both_states_together_with_the_prior_leaves_a_half() -> None:
    assert Expert(0.2, 0.8, 0.2).posterior_high == pytest.approx(0.5)  # 0.2·0.8 = 0.8·0.2
