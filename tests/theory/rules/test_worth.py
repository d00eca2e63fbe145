"""What a guarantee is worth: the prior alone by other ways, shares, and errors and money per 100 items."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.theory import Expert, ExpertInterval, Loss, MultiExpert, Panel, closed_form, cost, get_loss
from bribeproof.theory.rules.worth import Worth, prior_alone, worth_of

_LOSSES = ("squared", "absolute", "log", cost(false_positive=5, false_negative=1))


def _guaranteed(panel: Panel, expert: Expert | ExpertInterval, loss: str | Loss) -> float:
    """Return the expected loss that the closed form guarantees."""
    guarantee = closed_form(panel, expert, loss).guarantee
    assert guarantee is not None
    return guarantee.expected_loss


@pytest.mark.parametrize("loss", _LOSSES)
@pytest.mark.parametrize("prior", [(0.5, 0.5), (0.1, 0.1), (0.2, 0.9), (0.05, 0.3), (0.85, 0.95), (0.0, 1.0)])
def test_the_prior_alone_guarantees_what_the_best_constant_forecast_loses_at_most(
    loss: str | Loss, prior: tuple[float, float]
) -> None:
    forecasts = np.linspace(1e-6, 1 - 1e-6, 10_001)
    given_0, given_1 = (np.asarray(get_loss(loss).value(forecasts, state)) for state in (0, 1))
    largest = np.maximum(*((1 - end) * given_0 + end * given_1 for end in prior))
    assert prior_alone(prior, loss) == pytest.approx(largest.min(), abs=1e-4)
    assert prior_alone(prior, loss) <= largest.min() + 1e-12


def test_values_that_can_be_computed_by_hand() -> None:
    priced = cost(false_positive=5, false_negative=1)
    assert prior_alone(0.5, "squared") == 0.25
    assert prior_alone(0.3, "absolute") == pytest.approx(0.3)
    assert prior_alone(0.5, priced) == pytest.approx(0.5)  # all negative: half of the items, at 1 each
    assert prior_alone((0.5, 0.95), priced) == pytest.approx(5 / 6)  # where 5(1 − p) = p
    assert prior_alone(0.0, "log") == prior_alone(1, "log") == 0
    assert prior_alone(MultiExpert((0.5, 0.25, 0.25), (0.9, 0.9, 0.9)), "squared") == 0.5


@pytest.mark.parametrize("loss", _LOSSES)
def test_it_is_what_a_panel_beyond_its_breakdown_point_guarantees(loss: str | Loss) -> None:
    for expert in (Expert(0.3, 0.6, 0.4), ExpertInterval((0.2, 0.6), 0.6, 0.4), ExpertInterval()):
        worth = worth_of(_guaranteed(Panel(9, 4), expert, loss), expert, loss)
        assert worth.share == pytest.approx(1, abs=1e-9)
        assert worth.worthless


def test_a_wider_interval_never_guarantees_less() -> None:
    for loss in _LOSSES:
        nested = [prior_alone((0.4 - width, 0.4 + width), loss) for width in (0, 0.1, 0.2, 0.3, 0.4)]
        assert all(small <= large + 1e-12 for small, large in pairwise(nested))


def test_money_is_scaled_with_the_costs_and_the_share_is_not() -> None:
    small, large = cost(false_positive=5, false_negative=1), cost(false_positive=500, false_negative=100)
    panel, expert = Panel(10, 2), Expert(0.5, 0.8, 0.1)
    one, other = (worth_of(_guaranteed(panel, expert, loss), expert, loss) for loss in (small, large))
    assert (one.unit, other.unit) == ("cost", "cost")
    assert other.share == pytest.approx(one.share)
    assert one.per_100 is not None
    assert other.per_100 == pytest.approx(tuple(100 * number for number in one.per_100))


def test_errors_are_counted_for_the_absolute_loss_alone() -> None:
    assert worth_of(0.2, 0.5, "absolute").per_100 == (20.0, 50.0)
    assert worth_of(0.2, 0.5, cost(false_positive=1, false_negative=1)).unit == "errors"
    assert worth_of(0.2, 0.5, cost(false_positive=2, false_negative=2)).unit == "cost"
    for loss in ("squared", "log"):
        assert worth_of(0.2, 0.5, loss).per_100 is None


@pytest.mark.parametrize(("bound", "worthless"), [(0.2498, False), (0.249876, True), (0.25, True), (0.3, True)])
def test_worthless_is_what_comes_within_a_twentieth_of_a_per_cent_of_the_prior_alone(
    bound: float, worthless: bool
) -> None:
    assert worth_of(bound, 0.5, "squared").worthless is worthless


def test_where_the_prior_alone_loses_nothing_there_is_no_share() -> None:
    worth = worth_of(0.0, 0.0, "squared")
    assert worth.share is None
    assert worth.worthless


@pytest.mark.parametrize(
    ("bound", "prior", "loss", "error"),
    [
        (-0.1, 0.5, "squared", ParameterError), (float("nan"), 0.5, "squared", ParameterError),
        (True, 0.5, "squared", ParameterTypeError), ("0.1", 0.5, "squared", ParameterTypeError),
        (0.1, 1.5, "squared", ParameterError), (0.1, (0.6, 0.5), "squared", ParameterError),
        (0.1, 0.5, "cubic", ParameterError),
    ],
)  # fmt: skip
def test_bad_input_is_refused(bound: Any, prior: Any, loss: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        worth_of(bound, prior, loss)


def test_facts_are_plain_data() -> None:
    facts = Worth(0.382, 0.5, cost(false_positive=5, false_negative=1)).facts()
    assert json.loads(json.dumps(facts)) == facts
    assert facts["per_100"] == {"unit": "cost", "guaranteed": pytest.approx(38.2), "prior_alone": 50.0}
