"""The number of judges with which a panel costs least, between two bounds."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import floor, inf, sqrt

from bribeproof._text import format_bound, round_up
from bribeproof.explorer.panel.evaluation import guaranteed
from bribeproof.explorer.panel.money import money
from bribeproof.explorer.panel.query import MAX_REPORTERS, PanelQuery, Prices
from bribeproof.theory import CostWeighted, Expert, Panel, closed_form, pairwise_minimax

_MOST_TRIES = 100
"""So many numbers of judges are tried at most; most prices need ten to thirty."""
_SAME = 1e-7
"""Totals that differ by less, relatively, count as equal: the tolerance of the solver."""


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The number of judges with the lowest bound of all costs.

    Attributes
    ----------
    n
        The number of judges, of those that were tried.
    total
        What 100 answers of so many judges cost at most, judges included.
    lower
        No number of judges up to `most` has a lower bound than this.
    most
        The largest number of judges considered; infinite where the judges alone would cost more beyond.
    """

    n: int
    total: float
    lower: float
    most: float

    @property
    def found(self) -> bool:
        """Whether no number of judges up to `most` has a lower bound."""
        return self.total - self.lower <= _SAME * self.total


def cheapest(design: PanelQuery) -> Cheapest | None:
    """Return the number of judges with which a panel with as many bribed costs least.

    None where more judges always help, as they cost nothing, or never, as unbribed ones may err together.
    """
    k, expert, prices = design.panel.k, design.expert, design.prices
    if not prices.judge or not (k or design.paired):
        return None
    return _search(k, expert, prices)


@lru_cache(maxsize=256)
def _search(k: int, expert: Expert, prices: Prices) -> Cheapest:
    """Return the cheapest number of judges of all panels with k bribed."""
    bounds = _alone if expert.may_err_together else _paired
    n, total, lower = lowest_total(
        lambda n: bounds(Panel(n, k), expert, prices.loss), prices.judge, range(2 * k + 1, MAX_REPORTERS + 1)
    )
    return Cheapest(n, 100 * total, 100 * lower, inf if total < prices.judge * (MAX_REPORTERS + 1) else MAX_REPORTERS)


def lowest_total(
    bounds: Callable[[int], tuple[float, float]], price: float, sizes: range, tries: int = _MOST_TRIES
) -> tuple[int, float, float]:
    """Return a size at which an upper bound plus the price of all is lowest, that total, and a lower bound of all.

    Parameters
    ----------
    bounds
        Returns two bounds of a number that is at least 0 and does not rise with the size.
    price
        The price of one more, above 0.
    sizes
        The sizes to choose from, one after the other.
    tries
        How many sizes are looked at, at most.

    Notes
    -----
    docs/theory.md, Proposition 12.7: between two sizes that were looked at, all cost at least the lower bound of the
    larger one and the price of one more than the smaller. The interval in which that is least is divided first, until
    none can hold anything cheaper: of sizes whose totals differ by more than one price, most are never looked at.

    Examples
    --------
    >>> lowest_total(lambda n: (1 / n, 1 / n), price=0.01, sizes=range(1, 1001))
    (10, 0.2, 0.2)
    """
    known = {sizes[0]: bounds(sizes[0])}
    while True:
        total, best = min((upper + price * size, size) for size, (_, upper) in known.items())
        beyond = min(sizes[-1], floor(total / price)) + 1  # of as many and more, the price alone is no less
        ends = [*sorted(size for size in known if size < beyond), beyond]
        gaps = [
            (known.get(high, (0.0, 0.0))[0] + price * (low + 1), low, high)
            for low, high in pairwise(ends)
            if high - low > 1
        ]
        lower, low, high = min(gaps, default=(inf, 0, 0))
        if lower >= total * (1 - _SAME) or len(known) >= tries:
            return best, total, min(lower, total)
        size = min(max(round(sqrt(low * high)), low + 1), high - 1)
        known[size] = bounds(size)


def describe_cheapest(design: PanelQuery) -> str | None:
    """Return a sentence on the cheapest number of judges; None where none is cheaper than having no judges."""
    best = cheapest(design)
    if best is None or best.total >= money(design).without:
        return None
    number = "one judge" if best.n == 1 else f"{best.n:,} judges"
    most = "" if best.most == inf else f" up to {MAX_REPORTERS:,}"
    if not best.found:
        return (
            f"Against as many bribed, the lowest bound of all costs that was found is that of {number}: "
            f"{round_up(best.total)} per 100. Whether another number has a lower one was not computed, but none{most} "
            f"is below {format_bound(best.lower, 2, upper=False)}."
        )
    among = most and f" of all numbers{most}"
    return (
        f"Against as many bribed, the bound of all costs is lowest for {number}{among}: {round_up(best.total)} per 100."
    )


def _paired(panel: Panel, expert: Expert, loss: CostWeighted) -> tuple[float, float]:
    """Return two bounds of the least largest expected loss where honest errors go together less than they could."""
    solution = pairwise_minimax(panel, expert, loss)
    return solution.lower, solution.upper


def _alone(panel: Panel, expert: Expert, loss: CostWeighted) -> tuple[float, float]:
    """Return the least largest expected loss of all rules, and that of the rule that is shown, which may be larger."""
    least = closed_form(panel, expert, loss).guarantee
    shown = guaranteed(panel, expert, loss).expected_loss
    return 0.0 if least is None else min(least.expected_loss, shown), shown
