"""The worst that bribed reporters can do by lies, silence and faulty reports together, by enumeration.

Nothing here is taken from the package: a rule is a table of forecasts by what is seen, and Nature's laws of the
truthful reports are the two-point laws with a given mean, one of which attains every largest expectation.
"""

import math
from collections.abc import Callable, Mapping

Loss = Callable[[float, int], float]
"""Function of a forecast and the truth."""

LOSSES: dict[str, Loss] = {
    "squared": lambda y, truth: (y - truth) ** 2,
    "absolute": lambda y, truth: abs(y - truth),
    "log": lambda y, truth: -math.log(y if truth else 1 - y),
}

Seen = tuple[int, int, int]
"""Silent reporters, reporters who are set aside, and positive votes."""


def largest_mean(values: list[float], mean: float) -> float:
    """The largest expectation of a function on 0, 1, … among all laws with this mean."""
    best = -math.inf
    for i in range(len(values)):
        for j in range(i, len(values)):
            if i == j and math.isclose(i, mean, abs_tol=1e-12):
                best = max(best, values[i])
            elif i < j and i <= mean + 1e-12 and mean - 1e-12 <= j:
                weight = min(max((mean - i) / (j - i), 0.0), 1.0)
                best = max(best, (1 - weight) * values[i] + weight * values[j])
    return best


def worst_loss(
    forecast: Mapping[Seen, float], d: int, k: int, prior: float, tpr: float, fpr: float, loss: Loss, ways: str
) -> float:
    """The largest expected loss of a forecast on items given to d reporters, at most k of them bribed.

    Parameters
    ----------
    forecast
        The forecast by what is seen; what it lacks cannot be seen.
    ways
        What a bribed reporter can do beside voting: any of ``silent`` and ``faulty``.
    """
    worst = 0.0
    for truth, chance in ((1, prior), (0, 1 - prior)):
        rate = tpr if truth else fpr
        of_bribed = []
        for bribed in range(k + 1):
            honest = d - bribed
            losses = []
            for positive in range(honest + 1):
                seen = [
                    (silent, faulty, positive + lies)
                    for silent in (range(bribed + 1) if "silent" in ways else (0,))
                    for faulty in (range(bribed - silent + 1) if "faulty" in ways else (0,))
                    for lies in range(bribed - silent - faulty + 1)
                ]
                losses.append(max(loss(forecast[one], truth) for one in seen))
            of_bribed.append(largest_mean(losses, honest * rate))
        worst += chance * max(of_bribed)
    return worst
