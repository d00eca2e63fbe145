"""The rule for the share of weight on H, with weights that were known beforehand."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import FloatArray
from bribeproof._validation import probability, whole_number
from bribeproof.errors import ParameterError
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.error_laws import WeightBounds
from bribeproof.theory.pairwise.game import Game
from bribeproof.theory.pairwise.saddle import saddle_point

_CELLS = 400
_ROUNDING = 1e-9
_TOL = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class WeightedRule:
    """A forecast for each share of the weight on H, and its largest expected loss.

    Parameters
    ----------
    forecasts : array of shape (cells + 1,)
        The forecast where the share lies in [i/cells, (i + 1)/cells), nondecreasing.
    heaviest : float
        The largest share of weight that k reporters of an item may have.
    expected_loss : float
        The largest expected loss on items where k reporters have no more.
    """

    forecasts: FloatArray
    heaviest: float
    expected_loss: float

    def __call__(self, share: ArrayLike) -> FloatArray:
        """Return the forecasts for shares of the weight on H, in [0, 1]."""
        cells = len(self.forecasts) - 1
        place = np.floor(np.asarray(share, np.float64) * cells + _ROUNDING).astype(np.int64)
        return np.asarray(self.forecasts[np.clip(place, 0, cells)])


def weighted_rule(
    prior: tuple[float, float],
    heaviest: float,
    weights: tuple[float, float],
    squares: tuple[float, float],
    loss: Loss | str = "squared",
    *,
    cells: int = _CELLS,
) -> WeightedRule:
    """Return the rule for the share of weight on H with the least largest expected loss, but for steps of the share.

    Parameters
    ----------
    prior : tuple of float
        The lowest and the highest possible Pr[state = 1].
    heaviest : float
        The largest share of the weight of an item that k reporters have, below one half.
    weights : tuple of float
        Bounds of the mean share of the weight that truthful reporters who err have, given state 1 and given state 0.
    squares : tuple of float
        Bounds of the mean square of that share.
    loss : Loss or str, default "squared"
        Loss of the forecast, also one of your own.
    cells : int, default 400
        The number of steps of the share, at least 10. More steps are closer to the optimum.

    Returns
    -------
    WeightedRule
        The rule, and a bound of its loss that no step is missing from.

    Raises
    ------
    ParameterError
        A value outside its range or an unknown loss, or k reporters with half of the weight or more.

    Notes
    -----
    docs/theory.md, Proposition 12.5. The weights are known before the items are drawn, or are at least independent of
    their reports. Nothing is assumed of the errors but these means.

    Examples
    --------
    >>> rule = weighted_rule((0.5, 0.5), heaviest=0.1, weights=(0.2, 0.2), squares=(0.06, 0.06))
    >>> round(rule.expected_loss, 3), rule([0.2, 0.5, 0.8]).round(2)
    (0.096, array([0.12, 0.5 , 0.88]))
    """
    loss = get_loss(loss)
    if not probability("heaviest", heaviest) < 0.5:
        raise ParameterError(f"heaviest = {heaviest}: k reporters have half of the weight or more; give a smaller k")
    if whole_number("cells", cells) < 10:
        raise ParameterError(f"cells = {cells}: give at least 10")
    for name, pair in (("prior", prior), ("weights", weights), ("squares", squares)):
        for value in pair:
            probability(name, value)
    bribed = math.ceil(heaviest * cells + _ROUNDING) + 1
    if 2 * bribed >= cells:
        raise ParameterError(f"heaviest = {heaviest} is too near one half for {cells} steps; give more cells")
    panel = Panel(cells, bribed)
    first, second = (
        WeightBounds(panel.truthful, 0.0, mean, square, cells) for mean, square in zip(weights, squares, strict=True)
    )
    saddle = saddle_point(Game(panel, (prior[0], prior[1]), loss, (first, second)), _TOL)
    return WeightedRule(saddle.forecasts, heaviest, saddle.upper)
