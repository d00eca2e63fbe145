"""What a panel costs at most: its wrong answers and its judges, beside having no judges."""

from dataclasses import dataclass

from bribeproof._text import format_amount, round_up
from bribeproof.explorer.panel.evaluation import guaranteed
from bribeproof.explorer.panel.query import PanelQuery
from bribeproof.theory import prior_alone


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


def money(design: PanelQuery) -> Money:
    """Return what a design costs."""
    prices, panel = design.prices, design.panel
    errors = guaranteed(panel, design.expert, prices.loss).expected_loss
    without = prior_alone(design.expert, prices.loss)
    return Money(100 * errors, 100 * panel.n * prices.judge, 100 * without)


def describe_money(design: PanelQuery) -> list[str]:
    """Return sentences on what the design costs."""
    own, prices, n = money(design), design.prices, design.panel.n
    judges = "the judge costs" if n == 1 else f"the {n:,} judges cost"
    return [
        f"Where a wrong yes costs {format_amount(prices.false_positive)} and a wrong no "
        f"{format_amount(prices.false_negative)}, wrong answers cost at most {round_up(own.errors)} per 100 answers "
        f"with the rule for these prices, and {judges} {round_up(own.judges)}: at most {round_up(own.total)} in all.",
        f"Without judges it is at most {round_up(own.without)}"
        + (", which is cheaper." if own.without < own.total else "."),
    ]
