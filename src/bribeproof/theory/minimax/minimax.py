"""The rule with the least worst-case regret, and a certificate of two bounds that anyone can check."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.theory._validation import real
from bribeproof.theory.minimax.conic_master import MasterSolution, solve_master
from bribeproof.theory.minimax.cuts import Cut, Cuts, first_cuts, violated
from bribeproof.theory.minimax.interior_point import refine_interior_point
from bribeproof.theory.minimax.multiplicative_weights import run_mwu
from bribeproof.theory.minimax.solution import Solution, WeightedStructure
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted, Log, Squared, get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.closed_form import closed_form
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.worst_case.adversary import LinearPieces, worst_structure

_MOST_ROUNDS = {"cutting planes": 500, "mwu": 20}
# Gap from which on the solver's answer is worth a polish.
_NEAR = 1e-5
# Weights below which parts of a mixture may be left out, the boldest choice first.
_TRIFLES = tuple(10.0**-digits for digits in range(2, 16))
# Plays of multiplicative weights in the first round, and their growth from round to round.
_FIRST_PLAYS, _MORE_PLAYS = 100, 1.25


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
        raise ParameterTypeError(f"panel = {panel!r} is no Panel; give Panel(n=..., k=...)")
    if not isinstance(expert, Expert):
        raise ParameterTypeError(f"expert = {expert!r} is no Expert; give Expert(prior=..., tpr=..., fpr=...)")
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
        self.closed = self.best = worst_structure(LinearPieces(start.counts, start.forecasts), panel, expert, loss)
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
                self.try_rule(LinearPieces(cuts.seen, answer.forecasts))
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

    def answers(self, cuts: Cuts, method: str, rounds: int) -> Iterator[MasterSolution]:
        """Rules and mixtures to try in one round."""
        if method == "mwu":
            yield from run_mwu(cuts, plays=int(_FIRST_PLAYS * _MORE_PLAYS**rounds))
            return
        answer = solve_master(cuts)
        yield answer
        stalled = len(self.cuts) == cuts.benchmarks.size
        if self.loss.threshold is None and (stalled or self.gap < _NEAR):
            yield refine_interior_point(cuts)

    def add(self, cuts: Iterable[Cut]) -> None:
        """Add single cuts, each of which is a mixture by itself."""
        for cut in cuts:
            self.cuts[cut] = None
            self.try_mixture(Cuts.of([cut], self.expert, self.loss), np.ones(1), [cut])

    def try_rule(self, rule: LinearPieces) -> None:
        """Value a rule exactly, keep it if it is the best, and add the cuts that it violates."""
        worst = worst_structure(rule, self.panel, self.expert, self.loss)
        if worst.pair.regret < self.best.pair.regret:
            self.best = worst
        if self.gap > self.tol:
            self.cuts.update(dict.fromkeys(violated(worst, self.panel, self.expert, self.loss, self.lower)))

    def try_mixture(self, cuts: Cuts, weights: FloatArray, known: Sequence[Cut]) -> None:
        """Keep a mixture if it proves more than the best so far."""
        if (bound := cuts.lower_bound(weights)) > self.lower:
            self.lower = bound
            used = np.flatnonzero(weights).tolist()
            self.mixture = tuple(WeightedStructure(float(weights[c]), *known[c]) for c in used)

    def leave_out_trifles(self) -> None:
        """Drop the lightest parts of the mixture as long as what it proves stays within a tenth of the tolerance."""
        cuts = Cuts.of([Cut(part.given_1, part.given_0) for part in self.mixture], self.expert, self.loss)
        weights = np.array([part.weight for part in self.mixture])
        least = max(self.lower - self.tol / 10, self.best.pair.regret - max(self.gap, self.tol))
        for trifle in _TRIFLES:
            heavy = np.where(weights >= trifle, weights, 0.0)
            if heavy.any() and (bound := cuts.lower_bound(heavy / heavy.sum())) >= least:
                self.lower = bound
                kept = zip(self.mixture, heavy / heavy.sum(), strict=True)
                self.mixture = tuple(replace(part, weight=float(weight)) for part, weight in kept if weight > 0)
                return

    def solution(self, rounds: int) -> Solution:
        """Put the result together, with the closed form for a rule if it is as good: its worst loss is smallest."""
        if self.closed.pair.regret <= self.lower + self.tol:
            self.best = self.closed
        self.leave_out_trifles()
        return Solution(
            aggregator=PiecewiseLinear(self.panel.n, *self.best.rule, f"minimax ({self.loss.name})"),
            lower=min(self.lower, self.best.pair.regret),
            upper=self.best.pair.regret,
            largest_loss=self.best.pair.largest_loss,
            mixture=self.mixture,
            iterations=rounds,
            panel=self.panel,
            expert=self.expert,
            loss=self.loss,
            tol=self.tol,
        )
