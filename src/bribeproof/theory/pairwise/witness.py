"""Nature's side of the game: laws of errors and strategies against which no rule does better than a proven number."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import CostWeighted
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.error_laws import ErrorBounds, ErrorLaw, within

_ROUNDING = 1e-12
_ROUNDS = 60
"""The most linear programs that are solved for a witness."""
_PENALTY = 1.0
"""What a distance of 1 between the chances of state 1 and those sought costs."""
_INSIDE = 1e-13
"""Acts nearer to certainty than this make no cut: their logarithmic loss is hardly finite."""


@dataclass(frozen=True, slots=True, eq=False)
class StateWitness:
    """A law of the truthful errors in one state, and what the adversaries make of it.

    Parameters
    ----------
    errors : ErrorLaw
        The law of j, the number of truthful errors.
    counts : array of shape (n + 1,)
        The probabilities of 0, …, n reports of H, each of the k adversaries adding one or none.
    """

    errors: ErrorLaw
    counts: FloatArray


class Witness(NamedTuple):
    """What Nature and the adversaries do given state 1 and given state 0."""

    given_1: StateWitness
    given_0: StateWitness


def simple_witness(laws: tuple[ErrorLaw, ErrorLaw], panel: Panel) -> Witness:
    """Return the witness in which all adversaries report the wrong state."""
    made = []
    for state, law in zip((1, 0), laws, strict=True):
        counts = np.zeros(panel.n + 1)
        counts[panel.truthful - law.errors if state == 1 else law.errors + panel.k] = law.weights
        made.append(StateWitness(law, counts))
    return Witness(*made)


def proven_by(witness: Witness, loss: Loss, prior: float) -> float:
    """Return the least expected loss of any rule against a witness."""
    first, second = prior * witness.given_1.counts, (1 - prior) * witness.given_0.counts
    total = first + second
    seen = total > 0
    return float(total[seen] @ np.asarray(loss.bayes_risk(np.minimum(1.0, first[seen] / total[seen]))))


def is_possible(part: StateWitness, state: int, panel: Panel, bounds: ErrorBounds) -> bool:
    """Return whether errors are within their bounds, and adversaries can make these counts of them."""
    counts = part.counts
    if counts.shape != (panel.n + 1,) or not ((counts >= 0).all() and abs(counts.sum() - 1) <= _ROUNDING):
        return False
    if not bounds.admit(part.errors):
        return False
    low, high = _window(part.errors, state, panel)
    reached = counts.cumsum()
    return bool((reached <= high + _ROUNDING).all() and (reached >= low - _ROUNDING).all())


def find_witness(
    forecasts: FloatArray,
    panel: Panel,
    loss: Loss,
    prior: float,
    bounds: tuple[ErrorBounds, ErrorBounds],
    *,
    upper: float,
    tol: float,
) -> tuple[float, Witness]:
    """Return the best witness found against a rule, and what it proves.

    Parameters
    ----------
    forecasts : array of shape (n + 1,)
        The rule, whose largest expected loss is `upper`.
    panel, loss, prior, bounds
        The game.
    upper, tol : float
        The search ends at a witness that proves ``upper − tol``.

    Notes
    -----
    docs/theory.md §12. The Bayes risk is the least of the expected losses of all acts, which are linear in the laws:
    each round solves the linear program with the acts known so far, and adds the Bayes acts of its solution.
    Adversaries can turn one law of counts into another if its distribution function lies between that of the truthful
    reports and the same shifted by k.
    """
    program = _Program(panel, prior, bounds)
    acts = [np.zeros(panel.n + 1), np.ones(panel.n + 1)] if isinstance(loss, CostWeighted) else [forecasts]
    best: tuple[float, Witness] | None = None
    for tried in range(_ROUNDS):
        # The Bayes act of a strictly proper loss is the chance of state 1: laws that give the rule itself are sought.
        witness = program.solve(acts, loss, sought=forecasts if tried == 0 and loss.strictly_proper else None)
        if witness is None:
            break
        proven = proven_by(witness, loss, prior)
        if best is None or proven > best[0]:
            best = proven, witness
        if best[0] >= upper - tol:
            break
        first, second = prior * witness.given_1.counts, (1 - prior) * witness.given_0.counts
        total = first + second
        chances = np.divide(first, total, out=forecasts.copy(), where=total > 0)
        acts.append(np.asarray(loss.bayes_act(np.clip(chances, 0.0, 1.0))))
    if best is None:
        witness = simple_witness((within(_NONE, bounds[0]), within(_NONE, bounds[1])), panel)
        return proven_by(witness, loss, prior), witness
    return best


_NONE = ErrorLaw(np.zeros(0, dtype=np.int64), np.zeros(0))


def _window(law: ErrorLaw, state: int, panel: Panel) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest distribution function of counts that adversaries can make of errors."""
    honest = np.zeros(panel.n + 1)
    honest[panel.truthful - law.errors if state == 1 else law.errors] = law.weights
    high = honest.cumsum()
    low = np.zeros(panel.n + 1)
    low[panel.k :] = high[: panel.n + 1 - panel.k]
    low[-1] = high[-1]
    return low, high


class _Program:
    """The linear program: distribution functions of truthful reports and of all in two states, a risk for each count.

    The columns are, given state 1, those of the truthful reports of H (N + 1) and of all reports of H (n + 1), the same
    given state 0, and the risks (n + 1).
    """

    def __init__(self, panel: Panel, prior: float, bounds: tuple[ErrorBounds, ErrorBounds]) -> None:
        from scipy.sparse import block_diag, csr_array, eye_array, hstack, vstack

        self.panel, self.prior, self.bounds = panel, prior, bounds
        n, size = panel.n, panel.truthful
        counts, honest = np.arange(n + 1), np.arange(size + 1)
        self._step = _differences(n)
        all_reports, none = eye_array(n + 1).tocsr(), csr_array((n + 1, size + 1))
        highest = csr_array((np.ones(n + 1), (counts, np.minimum(counts, size))), shape=(n + 1, size + 1))
        reached = counts[panel.k :]
        lowest = csr_array((np.ones(size + 1), (reached, honest)), shape=(n + 1, size + 1))
        rows, right, equal, sums = [], [], [], []
        for state, bound in zip((1, 0), bounds, strict=True):
            single, pairs = (
                (share[None, :] @ _differences(size)) for share in bound.shares(size - honest if state else honest)
            )
            rows.append(
                vstack(
                    [
                        hstack([-highest, all_reports]),
                        hstack([lowest, -all_reports]),
                        hstack([none, -self._step]),
                        hstack([-_differences(size), csr_array((size + 1, n + 1))]),
                        hstack([csr_array(np.vstack([pairs, single, -single])), csr_array((3, n + 1))]),
                    ]
                )
            )
            right.append(np.concatenate([np.zeros(3 * (n + 1) + size + 1), [bound.joint, bound.most, -bound.least]]))
            certain = csr_array(([1.0, 1.0], ([0, 1], [size, size + n + 1])), shape=(2, size + n + 2))
            equal.append(certain)
            sums.append(np.ones(2))
        self._right, self._sums = np.concatenate(right), np.concatenate(sums)
        self._rows = hstack([block_diag(rows), csr_array((self._right.size, n + 1))]).tocsr()
        self._equal = hstack([block_diag(equal), csr_array((self._sums.size, n + 1))]).tocsr()

    def solve(self, acts: list[FloatArray], loss: Loss, sought: FloatArray | None) -> Witness | None:
        """Return the laws with the largest risk against some acts for each count; None where the solver fails.

        With chances of state 1 that are sought, a distance from them lowers the risk.
        """
        from scipy.optimize import linprog
        from scipy.sparse import csr_array, diags_array, eye_array, hstack, vstack

        n, size = self.panel.n, self.panel.truthful
        nothing, each = csr_array((n + 1, size + 1)), eye_array(n + 1).tocsr()
        cuts = []
        for act in acts:
            y = np.clip(act, _INSIDE, 1 - _INSIDE)
            first, second = self.prior * loss._given_1(y), (1 - self.prior) * loss._given_0(y)
            lines = [(first, second)]
            if sought is not None:
                ahead, behind = self.prior * (1 - sought), (1 - self.prior) * sought
                lines = [(first - side * ahead, second + side * behind) for side in (-_PENALTY, _PENALTY)]
            cuts += [
                hstack([nothing, -diags_array(one) @ self._step, nothing, -diags_array(two) @ self._step, each])
                for one, two in lines
            ]
        width = self._rows.shape[1]
        objective = np.zeros(width)
        objective[-(n + 1) :] = -1.0
        found = linprog(
            objective,
            A_ub=vstack([self._rows, *cuts]).tocsr(),
            b_ub=np.concatenate([self._right, np.zeros((n + 1) * len(cuts))]),
            A_eq=self._equal,
            b_eq=self._sums,
            bounds=np.stack([np.r_[np.zeros(width - n - 1), np.full(n + 1, -np.inf)], np.full(width, np.inf)], axis=1),
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.x is None:
            return None
        parts = []
        for state, start, bound in zip((1, 0), (0, n + size + 2), self.bounds, strict=True):
            honest = np.maximum(np.diff(found.x[start : start + size + 1], prepend=0.0), 0.0)
            weights = honest[::-1] if state == 1 else honest
            errors = np.flatnonzero(weights)
            law = within(ErrorLaw(errors, weights[errors]), bound)
            low, high = _window(law, state, self.panel)
            reached = np.clip(found.x[start + size + 1 : start + size + n + 2], low, high)
            counts = np.maximum(np.diff(np.maximum.accumulate(reached), prepend=0.0), 0.0)
            parts.append(StateWitness(law, counts / counts.sum()))
        return Witness(*parts)


def _differences(size: int) -> Any:
    """Return the matrix that turns a distribution function on 0, …, size into probabilities."""
    from scipy.sparse import diags_array

    return diags_array([np.ones(size + 1), -np.ones(size)], offsets=[0, -1]).tocsr()
