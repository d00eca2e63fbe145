"""The rule for reporters who err independently: a what-if, for no real crowd that was tried is like that."""

import numpy as np

from bribeproof.errors import ParameterError
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.rules.piecewise import PiecewiseLinear


def independent_rule(panel: Panel, expert: Expert, loss: Loss | str = "squared") -> PiecewiseLinear:
    """Return the best rule if truthful reporters had equal rates and erred independently given the state.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        Each truthful reporter; the correlation is not used.
    loss : Loss or str, default "squared"
        A strictly proper loss of the forecast.

    Returns
    -------
    PiecewiseLinear
        The rule; its guarantee holds under this assumption alone, which shared difficulty breaks.

    Raises
    ------
    ParameterError
        An unknown loss, or one that is not strictly proper.

    Notes
    -----
    docs/theory.md §12. Adversaries do best by reporting the wrong state, so the counts of H are N − j and j + k of
    binomial errors j; the rule is the isotonic regression of the posterior, or the prior alone if that is better.

    Examples
    --------
    >>> expert = Expert(prior=0.5, tpr=0.7, fpr=0.3)
    >>> round(independent_rule(Panel(n=39, k=8), expert).guarantee.expected_loss, 4)
    0.136
    """
    from scipy.optimize import isotonic_regression
    from scipy.stats import binom

    check_panel(panel)
    check_expert(expert, correlated=True)
    loss = get_loss(loss)
    if not loss.strictly_proper:
        raise ParameterError(f"loss = {loss.name!r} is not strictly proper; give 'squared' or 'log'")
    counts, prior = np.arange(panel.n + 1), expert.prior
    first = prior * binom.pmf(counts, panel.truthful, expert.tpr)
    second = (1 - prior) * binom.pmf(counts - panel.k, panel.truthful, expert.fpr)
    masses = first + second
    seen = masses > 0
    chances = np.interp(counts, counts[seen], isotonic_regression(first[seen] / masses[seen], weights=masses[seen]).x)

    def expected(rule: np.ndarray) -> float:
        given_1, given_0 = loss.value(rule, 1), loss.value(rule, 0)
        return float(first[first > 0] @ given_1[first > 0] + second[second > 0] @ given_0[second > 0])

    flat = np.full(panel.n + 1, prior)
    rule = min(chances.clip(0, 1), flat, key=expected)
    guarantee = Guarantee(expected(rule), expected(rule), exact=False, basis=Basis.INDEPENDENT)
    return PiecewiseLinear(panel.n, counts, rule, f"independent ({loss.name})", guarantee)
