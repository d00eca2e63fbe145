"""What a panel costs at most: its wrong answers and its judges, beside having no judges and beside other panels."""

from dataclasses import dataclass, replace
from functools import lru_cache

from bribeproof._text import format_amount, round_up
from bribeproof.explorer.panel.evaluation import guaranteed
from bribeproof.explorer.panel.query import PanelQuery
from bribeproof.theory import prior_alone

_LARGEST = 200
"""The largest panel that is tried."""


@dataclass(frozen=True, slots=True)
class Money:
    """The costs of 100 answers, in the user's money.

    Attributes
    ----------
    errors
        What wrong answers cost at most, on average, with the optimal rule for the prices.
    judges
        What the judges cost.
    without
        What wrong answers cost at most without judges.
    """

    errors: float
    judges: float
    without: float

    @property
    def total(self) -> float:
        """What wrong answers and judges cost at most together."""
        return self.errors + self.judges


def money(design: PanelQuery, n: int | None = None) -> Money:
    """Return what a design costs, or the same with another number of judges."""
    prices, panel = design.prices, design.panel if n is None else replace(design.panel, n=n)
    errors = guaranteed(panel, design.expert, prices.loss).expected_loss
    without = prior_alone(design.expert, prices.loss)
    return Money(100 * errors, 100 * panel.n * prices.judge, 100 * without)


@lru_cache(maxsize=256)
def cheapest(design: PanelQuery) -> int | None:
    """Return the number of judges at which a panel with as many bribed costs least; None where each try takes long."""
    k = design.panel.k
    if design.paired or not k or not design.prices.judge:
        return None
    best, least = None, float("inf")
    for n in range(2 * k + 1, _LARGEST + 1):
        if 100 * n * design.prices.judge >= least:
            break
        if (total := money(design, n).total) < least:
            best, least = n, total
    return best


def describe_money(design: PanelQuery) -> list[str]:
    """Return sentences on what the design costs."""
    own, prices, n = money(design), design.prices, design.panel.n
    judges = "the judge costs" if n == 1 else f"the {n:,} judges cost"
    sentences = [
        f"Where a wrong yes costs {format_amount(prices.false_positive)} and a wrong no "
        f"{format_amount(prices.false_negative)}, wrong answers cost at most {round_up(own.errors)} per 100 answers "
        f"with the rule for these prices, and {judges} {round_up(own.judges)}: at most {round_up(own.total)} in all.",
        f"Without judges it is at most {round_up(own.without)}"
        + (", which is cheaper." if own.without < own.total else "."),
    ]
    best = cheapest(design)
    if best is not None and (least := money(design, best)).total < least.without:
        number = "so many judges" if best == n else f"{best:,} judges"
        sentences.append(f"Against as many bribed, the bound is lowest for {number}: {round_up(least.total)} in all.")
    return sentences
