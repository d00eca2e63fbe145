"""What a guarantee is worth: beside what the prior alone loses, and in errors or money per 100 items."""

from dataclasses import dataclass
from typing import Any

from bribeproof._validation import real
from bribeproof.errors import ParameterError
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert, MultiExpert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.closed_form import closed_form, loss_bound

_NOTHING = 0.9995
"""From this share of what the prior alone loses, a guarantee is worth nothing."""


@dataclass(frozen=True, slots=True)
class Worth:
    """A bound of an expected loss, beside what is lost by those who know the prior and hear nobody.

    Parameters
    ----------
    expected_loss : float
        The bound, at least 0.
    prior_alone : float
        What the prior alone guarantees, in the same loss. Of an interval of priors that is the least that can be
        guaranteed for all of them.
    loss : Loss
        The loss.

    Examples
    --------
    >>> worth = Worth(expected_loss=0.2, prior_alone=0.5, loss=get_loss("absolute"))
    >>> worth.share, worth.worthless, worth.per_100, worth.unit
    (0.4, False, (20.0, 50.0), 'errors')
    """

    expected_loss: float
    prior_alone: float
    loss: Loss

    @property
    def share(self) -> float | None:
        """The bound as a share of what the prior alone guarantees; None where that is 0."""
        return self.expected_loss / self.prior_alone if self.prior_alone > 0 else None

    @property
    def worthless(self) -> bool:
        """Whether the prior alone guarantees as much, but for at most 0.05 % of it."""
        return self.expected_loss >= _NOTHING * self.prior_alone

    @property
    def unit(self) -> str | None:
        """What the loss counts: "errors", "cost" in the user's money, or None where it counts neither.

        It counts them where every item is decided by chance, positive with the forecast as its probability.
        """
        if type(self.loss) is not CostWeighted:
            return None
        return "errors" if self.loss.false_positive == self.loss.false_negative == 1 else "cost"

    @property
    def per_100(self) -> tuple[float, float] | None:
        """The bound and what the prior alone guarantees, in `unit` per 100 items; None without a unit."""
        return None if self.unit is None else (100 * self.expected_loss, 100 * self.prior_alone)

    def facts(self) -> dict[str, Any]:
        """Return all of it as plain data of JSON types, as `describe_worth` takes it.

        Examples
        --------
        >>> Worth(0.125, 0.25, get_loss("squared")).facts()
        {'expected_loss': 0.125, 'prior_alone': 0.25, 'share': 0.5, 'worthless': False, 'per_100': None}
        """
        per_100 = self.per_100
        return {
            "expected_loss": self.expected_loss,
            "prior_alone": self.prior_alone,
            "share": self.share,
            "worthless": self.worthless,
            "per_100": None
            if per_100 is None
            else {"unit": self.unit, "guaranteed": per_100[0], "prior_alone": per_100[1]},
        }


def prior_alone(
    prior: float | tuple[float, float] | Expert | ExpertInterval | MultiExpert, loss: Loss | str = "squared"
) -> float:
    """Return the least expected loss that can be guaranteed without any reports.

    Parameters
    ----------
    prior : float, pair of floats, Expert, ExpertInterval or MultiExpert
        The probability of state 1, or its lowest and highest possible value; or somebody with such a prior. Of a
        `MultiExpert` it is the probability of error of the most probable class, whatever the loss.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    float
        The Bayes risk of the prior; of an interval the largest, which one forecast guarantees for all priors in it.

    Raises
    ------
    ParameterError
        A prior that is no probability, an empty interval, or an unknown loss.

    Notes
    -----
    docs/theory.md §5: the expected loss is linear in the prior and convex in the forecast.

    Examples
    --------
    >>> prior_alone(0.2), prior_alone((0.2, 0.4), "absolute"), prior_alone((0.2, 0.7))
    (0.16000000000000003, 0.4, 0.25)
    """
    if isinstance(prior, MultiExpert):
        return 1 - max(prior.prior)
    if isinstance(prior, Expert | ExpertInterval):
        prior = prior.prior
    if not isinstance(prior, tuple):
        prior = (prior, prior)
    deaf = ExpertInterval(prior, tpr=0.5, fpr=0.5)
    if deaf.prior[0] == deaf.prior[1]:
        return get_loss(loss).bayes_risk(deaf.prior[0])
    rule = closed_form(Panel(1), deaf, loss)
    return loss_bound(Panel(1), deaf, rule(0), rule(1), loss)


def worth_of(
    expected_loss: float,
    prior: float | tuple[float, float] | Expert | ExpertInterval | MultiExpert,
    loss: Loss | str = "squared",
) -> Worth:
    """Return what a bound of an expected loss is worth, beside what the prior alone guarantees.

    Parameters
    ----------
    expected_loss : float
        The bound, at least 0; also one on average over several items.
    prior : float, pair of floats, Expert, ExpertInterval or MultiExpert
        As in `prior_alone`.
    loss : Loss or str, default "squared"
        Loss of the forecast. Bounds with a `MultiExpert` are of the absolute loss, the probability of error.

    Returns
    -------
    Worth
        The two losses, their ratio and what they are per 100 items.

    Raises
    ------
    ParameterError
        A bound that is negative or not finite, or as in `prior_alone`.

    Examples
    --------
    >>> worth = worth_of(0.1, (0.3, 0.6), "squared")
    >>> worth.prior_alone, worth.share
    (0.25, 0.4)
    >>> from bribeproof.theory import cost
    >>> worth_of(0.382, 0.5, cost(false_positive=5, false_negative=1)).per_100
    (38.2, 50.0)
    """
    bound = real("expected_loss", expected_loss)
    if bound < 0:
        raise ParameterError(f"expected_loss = {expected_loss!r} is negative, and no loss is; give a number from 0 on")
    named = get_loss("absolute" if isinstance(prior, MultiExpert) else loss)
    return Worth(bound, prior_alone(prior, named), named)
