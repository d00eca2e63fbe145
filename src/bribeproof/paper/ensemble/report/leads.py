"""Where the pairwise rule loses least of the compared rules, and by how much, up to the breakdown point."""

from dataclasses import dataclass

import polars as pl

from bribeproof.paper.ensemble.experiment.rules import COMPARED, PAIRWISE
from bribeproof.paper.ensemble.experiment.run import Experiment
from bribeproof.paper.ensemble.report.ranges import ranges
from bribeproof.theory import breakdown_point

_ROUNDING = 1e-9
"""By how much a loss must be smaller to count as smaller: the solver's rule is accurate to about this."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The squared loss of the pairwise rule beside the least of the other compared rules.

    Attributes
    ----------
    strategy
        The strategy of the adversaries.
    ahead
        For each number of adversaries below the breakdown point, the least loss of the other rules minus that of the
        pairwise rule: positive where it is the best of all, 0 up to rounding where another is as good.
    rivals
        For each of these numbers, the other rule that loses least.
    """

    strategy: str
    ahead: dict[int, float]
    rivals: dict[int, str]

    @property
    def best_at(self) -> list[int]:
        """The numbers of adversaries at which no other rule loses less."""
        return [k for k, gap in self.ahead.items() if gap >= -_ROUNDING]

    def __str__(self) -> str:
        if not self.ahead:
            return "not compared"
        said = f"best at {ranges(self.best_at, self.ahead)}" if self.best_at else "best at none"
        most = max(self.ahead, key=lambda k: self.ahead[k])
        least = min(self.ahead, key=lambda k: self.ahead[k])
        if self.ahead[most] > _ROUNDING:
            said += f", ahead of the {self.rivals[most]} by {_size(self.ahead[most])} at {most}"
        if self.ahead[least] < -_ROUNDING:
            said += f", behind the {self.rivals[least]} by {_size(-self.ahead[least])} at {least}"
        return said


def _size(gap: float) -> str:
    """Return a difference of losses as text."""
    return "less than 0.0001" if gap < 5e-5 else f"{gap:.4f}"


def tolerated(experiment: Experiment) -> list[int]:
    """Return the numbers of adversaries below the breakdown point, ascending.

    docs/theory.md, Propositions 2.7 and 12.4: it is the same for the optimal and for the pairwise rule.
    """
    share = breakdown_point(experiment.expert, "squared")
    counts = experiment.table["adversaries"].unique().sort().to_list()
    return [k for k in counts if k < share * (experiment.models + k)]


def best_rules(experiment: Experiment, strategy: str) -> dict[int, str]:
    """Return the compared rule that loses least for each number of adversaries.

    Of equal ones it is the first in the list.
    """
    losses = _losses(experiment, strategy)
    return {
        k: next(rule for rule in COMPARED if rules[rule] <= min(rules.values()) + _ROUNDING)
        for k, rules in losses.items()
    }


def _losses(experiment: Experiment, strategy: str) -> dict[int, dict[str, float]]:
    """Return the squared loss of each compared rule for each number of adversaries, ascending."""
    rows = experiment.informed(strategy).filter(pl.col("rule").is_in(COMPARED)).sort("adversaries")
    losses: dict[int, dict[str, float]] = {}
    for k, rule, loss in rows.select("adversaries", "rule", "squared_loss").iter_rows():
        losses.setdefault(k, {})[rule] = loss
    return losses


def pairwise_lead(experiment: Experiment, strategy: str) -> Lead:
    """Compare the pairwise rule with the other compared rules, each of which knows the number of adversaries.

    Parameters
    ----------
    experiment
        A run.
    strategy
        One of the strategies with adversaries.
    """
    losses, ahead, rivals = _losses(experiment, strategy), {}, {}
    for k in tolerated(experiment):
        others = {rule: loss for rule, loss in losses[k].items() if rule != PAIRWISE}
        rivals[k] = min(others, key=lambda rule: others[rule])
        ahead[k] = others[rivals[k]] - losses[k][PAIRWISE]
    return Lead(strategy, ahead, rivals)
