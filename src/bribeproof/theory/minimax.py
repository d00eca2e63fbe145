"""The rule with the least worst-case regret, and a certificate of two bounds that anyone can check."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bribeproof.errors import ParameterError
from bribeproof.theory._checks import real
from bribeproof.theory.adversary import Pieces, worst_structure
from bribeproof.theory.closed_form import closed_form
from bribeproof.theory.cuts import Cut, Cuts, first_cuts, possible, violated
from bribeproof.theory.experts import Expert, Panel
from bribeproof.theory.losses import CostWeighted, Log, Loss, Squared, get_loss
from bribeproof.theory.master import Answer, solve_master
from bribeproof.theory.mwu import play
from bribeproof.theory.piecewise import PiecewiseLinear
from bribeproof.theory.polish import polish
from bribeproof.theory.worst_case import Scenario, worst_case

Floats = NDArray[np.float64]

_MOST_ROUNDS = {"cutting planes": 500, "mwu": 20}
# Gap from which on the solver's answer is worth a polish.
_NEAR = 1e-5
# Plays of multiplicative weights in the first round, and their growth from round to round.
_FIRST_PLAYS, _MORE_PLAYS = 100, 1.25


@dataclass(frozen=True, slots=True)
class WeightedStructure:
    """One part of Nature's mixture: a structure with a strategy, and its probability.

    Parameters
    ----------
    weight : float
        Its probability in the mixture.
    given_1, given_0 : Scenario
        What happens given state 1 and given state 0.
    """

    weight: float
    given_1: Scenario
    given_0: Scenario


@dataclass(frozen=True, slots=True)
class SolutionRecheck:
    """Both bounds of a solution, computed anew.

    Parameters
    ----------
    lower : float
        Bound that the mixture proves; nan where it is no mixture of information structures and strategies.
    upper : float
        Exact worst regret of the rule.
    difference : float
        Largest distance from the bounds that were claimed.
    """

    lower: float
    upper: float
    difference: float


@dataclass(frozen=True, slots=True)
class Solution:
    """Rule with the least worst-case regret, between two proven bounds of that regret.

    Parameters
    ----------
    aggregator : PiecewiseLinear
        The rule.
    lower : float
        No rule has a smaller worst regret than this: `mixture` proves it.
    upper : float
        Worst regret of the rule.
    largest_loss : float
        Largest expected loss of the rule.
    mixture : tuple of WeightedStructure
        Nature's answer: a random choice among these structures and strategies.
    iterations : int
        Rounds of the method.
    converged : bool
        Whether the bounds are within `tol`. Otherwise they hold, but leave more than that open.
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : Loss
        Loss of the forecast.
    tol : float
        The gap that was asked for.

    Notes
    -----
    theory.md §7.
    """

    aggregator: PiecewiseLinear
    lower: float
    upper: float
    largest_loss: float
    mixture: tuple[WeightedStructure, ...]
    iterations: int
    converged: bool
    panel: Panel
    expert: Expert
    loss: Loss
    tol: float

    @property
    def gap(self) -> float:
        """Distance of the two bounds."""
        return self.upper - self.lower

    def recheck(self) -> SolutionRecheck:
        """Compute both bounds from the rule and the mixture alone.

        Returns
        -------
        SolutionRecheck
            The upper bound by the exact worst case, the lower one in closed form after a check of the mixture's
            weights, means and strategies. Nothing is raised for a false certificate.

        Notes
        -----
        Against Nature's mixture a rule f pays at each count x that it sees m₁ℓ(f(x), 1) + m₀ℓ(f(x), 0), with the
        joint masses m of the mixture, and no f pays less than (m₁ + m₀)·(Bayes risk of m₁/(m₁ + m₀)). The worst of
        the structures is at least their mean, so every rule's worst regret is at least the sum of these risks
        minus the mean benchmark.

        Examples
        --------
        >>> minimax(Panel(n=4, k=1), Expert(prior=0.5, tpr=0.75, fpr=0.25)).recheck()
        SolutionRecheck(lower=0.234375, upper=0.234375, difference=0.0)
        """
        upper = worst_case(self.aggregator, self.panel, self.expert, self.loss).regret
        weights = np.array([part.weight for part in self.mixture])
        cuts = [Cut(part.given_1, part.given_0) for part in self.mixture]
        lower = math.nan
        if (
            cuts
            and (weights >= 0).all()
            and abs(math.fsum(weights) - 1) <= 1e-12
            and all(possible(cut, self.panel, self.expert) for cut in cuts)
        ):
            lower = Cuts.of(cuts, self.expert, self.loss).lower_bound(weights)
        difference = max(abs(upper - self.upper) if upper != self.upper else 0.0, abs(lower - self.lower))
        return SolutionRecheck(lower, upper, math.nan if math.isnan(lower) else difference)


def minimax(
    panel: Panel, expert: Expert, loss: Loss | str = "squared", tol: float = 1e-9, method: str = "cutting planes"
) -> Solution:
    """Rule with the least worst-case regret, with a certificate.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast: "absolute", "squared", "log" or a `cost`.
    tol : float, default 1e-9
        Largest distance of the two bounds, above 0.
    method : str, default "cutting planes"
        "mwu" is the slower baseline: Nature plays multiplicative weights.

    Returns
    -------
    Solution
        The rule, both bounds and Nature's mixture. Where the rounds do not suffice for `tol`, `converged` is
        False and the bounds are those that were reached.

    Raises
    ------
    ParameterError
        Something else than a panel or an expert, an unknown loss or method, or a tol that is not positive.

    Notes
    -----
    theory.md §7. Every structure found so far, with a strategy, is a cut: a convex lower bound of the worst regret
    as a function of the rule. Each round takes the rule with the least maximum over the cuts, and asks for its exact
    worst case, which gives an upper bound and new cuts. The lower bound is that of the mixture of the cuts.

    Examples
    --------
    >>> solution = minimax(Panel(n=10), Expert(prior=0.5, tpr=0.8, fpr=0.1))
    >>> round(solution.upper, 6), solution.gap <= 1e-9
    (0.106659, True)
    """
    if not isinstance(panel, Panel):
        raise ParameterError(f"panel = {panel!r} is no Panel; give Panel(n=..., k=...)")
    if not isinstance(expert, Expert):
        raise ParameterError(f"expert = {expert!r} is no Expert; give Expert(prior=..., tpr=..., fpr=...)")
    loss, tol = get_loss(loss), real("tol", tol)
    if not isinstance(loss, Squared | Log | CostWeighted):
        raise ParameterError(f"loss = {loss!r} has no conic form; give 'absolute', 'squared', 'log' or cost(...)")
    if tol <= 0:
        raise ParameterError(f"tol = {tol} is not positive; give a gap such as 1e-9")
    if method not in _MOST_ROUNDS:
        raise ParameterError(f"method = {method!r} is unknown; give 'cutting planes' or 'mwu'")
    return _Search(panel, expert, loss, tol).run(method)


class _Search:
    """The cuts found so far, the best rule among those tried, and the best mixture."""

    def __init__(self, panel: Panel, expert: Expert, loss: Loss, tol: float) -> None:
        self.panel, self.expert, self.loss, self.tol = panel, expert, loss, tol
        self.cuts: dict[Cut, None] = {}
        self.lower = -math.inf
        self.mixture: tuple[WeightedStructure, ...] = ()
        start = closed_form(panel, expert, loss)
        self.closed = self.best = worst_structure(Pieces(start.counts, start.forecasts), panel, expert, loss)
        self.add(first_cuts(panel, expert))
        if not self.cuts:
            self.add(violated(self.best, panel, expert, loss, -math.inf))

    def run(self, method: str) -> Solution:
        """Play until the bounds meet, nothing new turns up or the rounds are used up."""
        rounds = 0
        while self.gap > self.tol and rounds < _MOST_ROUNDS[method]:
            known = list(self.cuts)
            cuts = Cuts.of(known, self.expert, self.loss)
            for answer in self.answers(cuts, method, rounds):
                self.try_mixture(cuts, answer.weights, known)
                self.try_rule(Pieces(cuts.seen, answer.forecasts))
                if self.gap <= self.tol:
                    break
            rounds += 1
            if method == "cutting planes" and len(self.cuts) == len(known):
                break
        return self.solution(rounds)

    @property
    def gap(self) -> float:
        """Distance of the bounds."""
        return self.best.pair.regret - self.lower

    def answers(self, cuts: Cuts, method: str, rounds: int) -> Iterator[Answer]:
        """Rules and mixtures to try in one round."""
        if method == "mwu":
            yield from play(cuts, plays=int(_FIRST_PLAYS * _MORE_PLAYS**rounds))
            return
        answer = solve_master(cuts)
        yield answer
        stalled = len(self.cuts) == cuts.benchmarks.size
        if self.loss.threshold is None and (stalled or self.gap < _NEAR):
            yield polish(cuts)

    def add(self, cuts: Iterable[Cut]) -> None:
        """Add single cuts, each of which is a mixture by itself."""
        for cut in cuts:
            self.cuts[cut] = None
            self.try_mixture(Cuts.of([cut], self.expert, self.loss), np.ones(1), [cut])

    def try_rule(self, rule: Pieces) -> None:
        """Value a rule exactly, keep it if it is the best, and add the cuts that it violates."""
        worst = worst_structure(rule, self.panel, self.expert, self.loss)
        if worst.pair.regret < self.best.pair.regret:
            self.best = worst
        if self.gap > self.tol:
            self.cuts.update(dict.fromkeys(violated(worst, self.panel, self.expert, self.loss, self.lower)))

    def try_mixture(self, cuts: Cuts, weights: Floats, known: Sequence[Cut]) -> None:
        """Keep a mixture if it proves more than the best so far."""
        if (bound := cuts.lower_bound(weights)) > self.lower:
            self.lower = bound
            used = np.flatnonzero(weights).tolist()
            self.mixture = tuple(WeightedStructure(float(weights[c]), *known[c]) for c in used)

    def solution(self, rounds: int) -> Solution:
        """Put the result together, with the closed form for a rule if it is as good: its worst loss is smallest."""
        if self.closed.pair.regret <= self.lower + self.tol:
            self.best = self.closed
        return Solution(
            aggregator=PiecewiseLinear(self.panel.n, *self.best.rule, f"minimax ({self.loss.name})"),
            # Where the two meet, rounding may put the lower bound above; a bound that is lowered still holds.
            lower=min(self.lower, self.best.pair.regret),
            upper=self.best.pair.regret,
            largest_loss=self.best.pair.largest_loss,
            mixture=self.mixture,
            iterations=rounds,
            converged=self.gap <= self.tol,
            panel=self.panel,
            expert=self.expert,
            loss=self.loss,
            tol=self.tol,
        )
