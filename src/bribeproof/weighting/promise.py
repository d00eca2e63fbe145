"""What the guarantee of weighted answers is worth, and what would change one that is worth nothing."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.theory import Loss, MultiExpert, Panel, Worth, error_inflation, get_loss, worth_of
from bribeproof.theory.minimax.remedies import Change, Explanation, Reason, first_that_helps
from bribeproof.weighting.decide import AnyExpert, forecast_and_guarantee
from bribeproof.weighting.rates import Rates

_FACTORS = (2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class WeightedPromise:
    """The guarantee of weighted answers on average over the items that have one.

    Attributes
    ----------
    worth
        The average, beside what the prior alone guarantees.
    explanation
        Where it is worth nothing: why, and what would change that; None elsewhere, and where weights are given without
        a weight spread, there are rates of each reporter, or a bribe buys a group.
    sides
        The positive class and the negative ones, as text; None where a guarantee is that of all classes.
    """

    worth: Worth
    explanation: Explanation | None
    sides: tuple[str, ...] | None

    def facts(self) -> dict[str, Any]:
        """Return it as plain data of JSON types."""
        return {
            "loss": self.worth.loss.name,
            "worth": self.worth.facts(),
            "explanation": None if self.explanation is None else self.explanation.facts(),
            "positive": None if self.sides is None else self.sides[0],
            "negative": None if self.sides is None else ", ".join(self.sides[1:]),
        }


def promise_of(
    guarantees: FloatArray,
    given: IntArray,
    k: int | None,
    weight_spread: float | None,
    rates: Rates,
    loss: Loss | str,
    sides: tuple[str, ...] | None,
) -> WeightedPromise | None:
    """Return what the guarantees of items are worth on average; None where no item has one.

    Parameters
    ----------
    guarantees
        The guarantee of each item; NaN where there is none.
    given
        How many reporters each item was given to.
    k
        How many reporters of each item may be bribed; None where groups are, so that items differ.
    weight_spread
        How far weights may differ; None where weights are given without a limit.
    rates
        The error rates of truthful reporters.
    loss
        The loss of the forecast.
    sides
        The positive class and the negative ones; None where the guarantee is that of all classes.
    """
    some = ~np.isnan(guarantees)
    if not some.any():
        return None
    worth = worth_of(math.fsum(guarantees[some]) / int(some.sum()), rates.expert, loss)
    explanation = None
    if worth.worthless and k is not None and weight_spread is not None and rates.errors.ndim == 1:
        sizes = {int(m): int(number) for m, number in zip(*np.unique(given[some], return_counts=True), strict=True)}
        explanation = explain_weighted(sizes, k, weight_spread, rates.errors, rates.expert, loss)
    return WeightedPromise(worth, explanation, sides)


def explain_weighted(
    sizes: Mapping[int, int], k: int, weight_spread: float, rates: FloatArray, expert: AnyExpert, loss: Loss | str
) -> Explanation:
    """Return why a guarantee for weights within a spread is worth nothing, and what would change that.

    Parameters
    ----------
    sizes
        The number of items with a guarantee, by how many reporters each was given to.
    k
        How many reporters may be bribed.
    weight_spread
        How far weights may differ.
    rates
        The mean error rates of truthful reports given each state.
    expert, loss
        The prior is that of this truthful reporter; the loss of the forecast.

    Examples
    --------
    >>> from bribeproof.theory import Expert
    >>> found = explain_weighted({9: 1}, 2, 0.5, np.array([0.3, 0.3]), Expert(0.5, 0.7, 0.3), "squared")
    >>> found.reason.name, [(one.change.name, one.to, round(one.worth.share, 2)) for one in found.remedies]
    ('WEIGHTS', [('SPREAD', 0.0, 0.97)])
    """

    def worth(k: int = k, spread: float = weight_spread, factor: int = 1) -> Worth:
        factors = [error_inflation(Panel(factor * m, k), spread) for m in sizes]
        errors = np.minimum(np.outer(factors, rates), 1.0)
        bounds = forecast_and_guarantee(errors, np.zeros(len(errors)), expert, loss)["guarantee"]
        return worth_of(float(np.average(bounds, weights=list(sizes.values()))), expert, loss)

    remedies = [
        first_that_helps(Change.K, range(k - 1, -1, -1), worth),
        first_that_helps(Change.REPORTS, _FACTORS if k else (), lambda factor: worth(factor=factor)),
        first_that_helps(
            Change.SPREAD, [weight_spread / 2, weight_spread / 4, 0.0] if weight_spread else [], partial(worth, k)
        ),
    ]
    if worth().prior_alone == 0:
        return Explanation(Reason.CERTAIN, ())
    if worth(0, 0.0).worthless:
        weak = not isinstance(expert, MultiExpert) and (expert.tpr <= expert.fpr or get_loss(loss).strictly_proper)
        reason = Reason.UNINFORMATIVE if weak else Reason.OUTWEIGHED
    elif worth(k, 0.0).worthless:
        reason = Reason.BRIBED if get_loss(loss).strictly_proper else Reason.OUTWEIGHED
    else:
        reason = Reason.WEIGHTS
    return Explanation(reason, tuple(one for one in remedies if one is not None))
