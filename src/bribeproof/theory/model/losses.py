"""The absolute, cost-weighted, squared and logarithmic loss."""

from dataclasses import dataclass

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof._validation import real
from bribeproof.errors import ParameterError
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.loss_check import check_loss


@dataclass(frozen=True, slots=True)
class CostWeighted(Loss):
    """Absolute loss with a cost for each kind of error; both costs 1 give the absolute loss.

    Parameters
    ----------
    false_positive : float
        Cost of the forecast 1 in state 0, above 0.
    false_negative : float
        Cost of the forecast 0 in state 1, above 0.

    Raises
    ------
    ParameterError
        A cost that is not a positive number.

    Notes
    -----
    docs/theory.md §1. A forecast strictly between 0 and 1 is read as the probability of deciding for 1.

    Examples
    --------
    >>> CostWeighted(false_positive=1, false_negative=3).threshold
    0.25
    """

    false_positive: float
    false_negative: float

    def __post_init__(self) -> None:
        for field in ("false_positive", "false_negative"):
            value = real(f"cost of a {field.replace('_', ' ')}", getattr(self, field))
            if value <= 0:
                raise ParameterError(f"cost {field} = {value} is not positive; give a cost above 0")
            object.__setattr__(self, field, value)

    @property
    def name(self) -> str:
        """Short name with the two costs."""
        if self.false_positive == self.false_negative == 1:
            return "absolute"
        return f"cost(false_positive={self.false_positive:g}, false_negative={self.false_negative:g})"

    @property
    def strictly_proper(self) -> bool:
        """False: the best forecasts are 0 and 1."""
        return False

    @property
    def threshold(self) -> float:
        """Probability at which the two kinds of error cost the same: the Bayes act jumps from 0 to 1 there."""
        return self.false_positive / (self.false_positive + self.false_negative)

    def _given_0(self, forecast: FloatArray) -> FloatArray:
        return self.false_positive * forecast

    def _given_1(self, forecast: FloatArray) -> FloatArray:
        return self.false_negative * (1 - forecast)

    def _act(self, p: FloatArray) -> FloatArray:
        return np.heaviside(p - self.threshold, 0.5)


@dataclass(frozen=True, slots=True)
class Squared(Loss):
    """Squared (Brier) loss (y − ω)²."""

    @property
    def name(self) -> str:
        """Short name."""
        return "squared"

    @property
    def strictly_proper(self) -> bool:
        """True."""
        return True

    def _given_0(self, forecast: FloatArray) -> FloatArray:
        return np.square(forecast)

    def _given_1(self, forecast: FloatArray) -> FloatArray:
        return np.square(1 - forecast)

    def _act(self, p: FloatArray) -> FloatArray:
        return p


@dataclass(frozen=True, slots=True)
class Log(Loss):
    """Logarithmic loss: −log of the probability that the forecast gives to the true state, in nats."""

    @property
    def name(self) -> str:
        """Short name."""
        return "log"

    @property
    def strictly_proper(self) -> bool:
        """True."""
        return True

    # 0.0 - x, not -x: a certain and right forecast costs 0.0, not -0.0.
    def _given_0(self, forecast: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return 0.0 - np.log1p(-forecast)

    def _given_1(self, forecast: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return 0.0 - np.log(forecast)

    def _act(self, p: FloatArray) -> FloatArray:
        return p


def has_closed_form(loss: Loss) -> bool:
    """Return whether a loss is one of the package's own, neither a user's class nor a class derived from them."""
    return type(loss) in (CostWeighted, Squared, Log)


def get_loss(loss: Loss | str) -> Loss:
    """Return the loss of this name; check a loss of one's own and return it unchanged.

    Parameters
    ----------
    loss : Loss or str
        "absolute", "squared", "log", or a loss such as the one that `cost` makes.

    Returns
    -------
    Loss
        The loss of that name.

    Raises
    ------
    ParameterError
        An unknown name, or a loss that is not as `Loss` demands.

    Examples
    --------
    >>> get_loss("log").value(0.5, 1)
    0.6931471805599453
    """
    if isinstance(loss, Loss):
        if not has_closed_form(loss):
            check_loss(loss)
        return loss
    named: dict[str, Loss] = {"absolute": CostWeighted(1, 1), "squared": Squared(), "log": Log()}
    if not isinstance(loss, str) or loss not in named:
        raise ParameterError(
            f"loss = {loss!r} is unknown; give 'absolute', 'squared', 'log' or cost(false_positive=..., "
            "false_negative=...)"
        )
    return named[loss]


def cost(*, false_positive: float, false_negative: float) -> CostWeighted:
    """Return the absolute loss with different costs for the two kinds of error.

    Parameters
    ----------
    false_positive : float
        Cost of the forecast 1 in state 0, above 0.
    false_negative : float
        Cost of the forecast 0 in state 1, above 0.

    Returns
    -------
    CostWeighted
        false_positive·y in state 0, false_negative·(1 − y) in state 1.

    Raises
    ------
    ParameterError
        A cost that is not a positive number.

    Examples
    --------
    >>> cost(false_positive=1, false_negative=5).value([0.0, 1.0], [1, 0])
    array([5., 1.])
    """
    return CostWeighted(false_positive, false_negative)


def expert_risk(expert: Expert, loss: Loss | str = "squared") -> float:
    """Return the Bayes risk of somebody who hears one reporter and nothing else.

    Parameters
    ----------
    expert : Expert
        The reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    float
        Expected loss of the Bayes act, over the two reports.

    Raises
    ------
    ParameterError
        An unknown loss.

    Notes
    -----
    docs/theory.md, Theorem A: for the effective expert, this is the minimax expected loss of a panel.

    Examples
    --------
    >>> expert_risk(Expert(prior=0.5, tpr=0.75, fpr=0.25), "squared")
    0.1875
    """
    check_expert(expert)
    risk = get_loss(loss).bayes_risk([expert.posterior_low, expert.posterior_high])
    return float(np.dot([1 - expert.positive_rate, expert.positive_rate], risk))
