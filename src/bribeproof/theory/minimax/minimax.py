"""The rule with the least worst-case regret, by cutting planes over structures with strategies."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof._validation import real
from bribeproof.errors import ParameterError
from bribeproof.theory.minimax.conic_master import MasterSolution, solve_master
from bribeproof.theory.minimax.cuts import Cut, Cuts, first_cuts, violated
from bribeproof.theory.minimax.interior_point import refine_interior_point
from bribeproof.theory.minimax.multiplicative_weights import run_mwu
from bribeproof.theory.minimax.solution import Solution, WeightedStructure
from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss, has_closed_form
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.rules.closed_form import closed_form
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.worst_case.adversary import LinearPieces, worst_structure

_MAX_ROUNDS = {"cutting planes": 500, "mwu": 20}
# Gap below which the solution of the master problem is refined.
_REFINE_BELOW = 1e-5
# Weights below which parts of a mixture may be dropped, the largest threshold first.
_NEGLIGIBLE = tuple(10.0**-digits for digits in range(2, 16))
# Plays of multiplicative weights in the first round, and their growth factor from round to round.
_FIRST_PLAYS, _PLAYS_GROWTH = 100, 1.25


def minimax(
    panel: Panel, expert: Expert, loss: Loss | str = "squared", tol: float = 1e-9, method: str = "cutting planes"
) -> Solution:
    """Return the rule with the least worst-case regret, with a certificate.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast: "absolute", "squared", "log" or a `cost`.
    tol : float, default 1e-9
        Requested gap between the two bounds, above 0.
    method : {"cutting planes", "mwu"}
        "mwu" is a slower baseline, multiplicative weights.

    Returns
    -------
    Solution
        The rule, both bounds and Nature's mixture. If the gap exceeds `tol` after the last round, `converged` is False
        and both bounds still hold.

    Raises
    ------
    ParameterError
        An unknown loss or method, or a `tol` that is not positive.
    ParameterTypeError
        `panel` is not a Panel, or `expert` is not an Expert.

    Notes
    -----
    docs/theory.md, Theorem 7.4. Every structure with a strategy found so far is a cut: a convex lower bound of the
    worst regret as a function of the rule. Each round takes the rule with the least maximum over the cuts and computes
    its exact worst case, which gives an upper bound and new cuts. The mixture of the cuts gives a lower bound.

    Examples
    --------
    >>> solution = minimax(Panel(n=10), Expert(prior=0.5, tpr=0.8, fpr=0.1))
    >>> round(solution.upper, 6), solution.gap <= 1e-9
    (0.106659, True)
    """
    check_panel(panel)
    check_expert(expert)
    loss, tol = get_loss(loss), real("tol", tol)
    if not has_closed_form(loss):
        raise ParameterError(f"loss = {loss.name!r} has no conic form; give 'absolute', 'squared', 'log' or cost(...)")
    if tol <= 0:
        raise ParameterError(f"tol = {tol} is not positive; give a gap such as 1e-9")
    if method not in _MAX_ROUNDS:
        raise ParameterError(f"method = {method!r} is unknown; give 'cutting planes' or 'mwu'")
    return _Search(panel, expert, loss, tol).run(method)


class _Search:
    """State of the search: the cuts found so far, the best rule among those tried, and the best mixture."""

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
        """Iterate until the bounds meet, no new cut is found, or the rounds are used up; return the solution."""
        rounds = 0
        while self.gap > self.tol and rounds < _MAX_ROUNDS[method]:
            cut_list = list(self.cuts)
            cuts = Cuts.of(cut_list, self.expert, self.loss)
            for candidate in self.candidates(cuts, method, rounds):
                self.try_mixture(cuts, candidate.weights, cut_list)
                self.try_rule(LinearPieces(cuts.seen, candidate.forecasts))
                if self.gap <= self.tol:
                    break
            rounds += 1
            if method == "cutting planes" and len(self.cuts) == len(cut_list):
                break
        return self.solution(rounds)

    @property
    def gap(self) -> float:
        """Upper bound minus lower bound."""
        return self.best.pair.regret - self.lower

    def candidates(self, cuts: Cuts, method: str, rounds: int) -> Iterator[MasterSolution]:
        """Yield rules and mixtures to try in one round."""
        if method == "mwu":
            yield from run_mwu(cuts, plays=int(_FIRST_PLAYS * _PLAYS_GROWTH**rounds))
            return
        yield solve_master(cuts)
        stalled = len(self.cuts) == cuts.benchmarks.size
        if self.loss.strictly_proper and (stalled or self.gap < _REFINE_BELOW):
            yield refine_interior_point(cuts)

    def add(self, cuts: Iterable[Cut]) -> None:
        """Add cuts, and try each by itself as a mixture."""
        for cut in cuts:
            self.cuts[cut] = None
            self.try_mixture(Cuts.of([cut], self.expert, self.loss), np.ones(1), [cut])

    def try_rule(self, rule: LinearPieces) -> None:
        """Compute the worst case of a rule, keep the rule if it is the best, and add the cuts that it violates."""
        worst = worst_structure(rule, self.panel, self.expert, self.loss)
        if worst.pair.regret < self.best.pair.regret:
            self.best = worst
        if self.gap > self.tol:
            self.cuts.update(dict.fromkeys(violated(worst, self.panel, self.expert, self.loss, self.lower)))

    def try_mixture(self, cuts: Cuts, weights: FloatArray, cut_list: Sequence[Cut]) -> None:
        """Keep a mixture if it proves a larger lower bound than the best so far."""
        if (bound := cuts.lower_bound(weights)) > self.lower:
            self.lower = bound
            used = np.flatnonzero(weights).tolist()
            self.mixture = tuple(WeightedStructure(float(weights[c]), *cut_list[c]) for c in used)

    def drop_negligible_weights(self) -> None:
        """Drop the lightest parts of the mixture if that lowers its bound by at most a tenth of the tolerance."""
        cuts = Cuts.of([Cut(part.given_1, part.given_0) for part in self.mixture], self.expert, self.loss)
        weights = np.array([part.weight for part in self.mixture])
        least = max(self.lower - self.tol / 10, self.best.pair.regret - max(self.gap, self.tol))
        for threshold in _NEGLIGIBLE:
            heavy = np.where(weights >= threshold, weights, 0.0)
            if heavy.any() and (bound := cuts.lower_bound(heavy / heavy.sum())) >= least:
                self.lower = bound
                kept = zip(self.mixture, heavy / heavy.sum(), strict=True)
                self.mixture = tuple(replace(part, weight=float(weight)) for part, weight in kept if weight > 0)
                return

    def make_symmetric(self) -> None:
        """Take the mean of the rule and its mirror image: its worst case is no larger, as all losses are convex.

        Else the solver's rounding would decide a tie.
        """
        rule, n = self.best.rule, self.panel.n
        counts = np.union1d(rule.counts, n - rule.counts)
        forecasts = 0.5 + (rule.at(counts) - rule.at(n - counts)) / 2
        worst = worst_structure(LinearPieces(counts, forecasts), self.panel, self.expert, self.loss)
        if worst.pair.regret <= max(self.best.pair.regret, self.lower + self.tol):
            self.best = worst

    def solution(self, rounds: int) -> Solution:
        """Return the solution, with the closed form as its rule if that is as good: its largest loss is smallest."""
        if self.closed.pair.regret <= self.lower + self.tol:
            self.best = self.closed
        elif _is_own_mirror_image(self.expert, self.loss):
            self.make_symmetric()
        self.drop_negligible_weights()
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


def _is_own_mirror_image(expert: Expert, loss: Loss) -> bool:
    """Return whether nothing changes where the two states, and the two reports, change places."""
    forecasts = np.linspace(0, 1, 33)[1:-1]
    gap = np.abs(loss.value(forecasts, 0) - loss.value(1 - forecasts, 1)).max()
    return expert.prior == 0.5 and abs(expert.tpr + expert.fpr - 1) < 1e-12 and bool(gap < 1e-12)
