"""The rule with the least worst probability of error for m classes, by a linear program over histograms."""

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof.theory.model.distributions import normalised
from bribeproof.theory.model.experts import MultiExpert
from bribeproof.theory.model.histograms import histogram_index
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.multistate.solution import MultistateSolution, Play
from bribeproof.theory.multistate.worst_loss import all_histograms, worst_loss

Counts = NDArray[np.int64]

# The tightest tolerances that HiGHS accepts.
_TIGHT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def multistate_minimax(panel: Panel, expert: MultiExpert) -> MultistateSolution:
    """Return the rule with the least worst probability of error, with a certificate.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : MultiExpert
        One truthful reporter.

    Returns
    -------
    MultistateSolution
        The rule, its worst case as upper bound, and Nature's play as witness of the lower bound. Where the solver
        fails, `converged` is False and both bounds still hold.

    Raises
    ------
    ParameterError
        More than 20 000 histograms.
    ParameterTypeError
        `panel` is not a Panel, or `expert` is not a MultiExpert.

    Notes
    -----
    docs/theory.md, Theorem 8.3. The dual program gives Nature's play; it is solved separately, since the multipliers
    that the solver reports can be wrong at degenerate vertices. Both solutions are cleaned of rounding, and both bounds
    recomputed from them.

    Examples
    --------
    >>> solution = multistate_minimax(Panel(n=7, k=3), MultiExpert((1 / 3,) * 3, (0.75,) * 3))
    >>> round(solution.lower, 6), round(solution.upper, 6)
    (0.571429, 0.571429)
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, eye_array, hstack, kron

    seen = all_histograms(panel, expert)
    states, cells = expert.states, seen.size
    # One row for each histogram, state, and least or largest number of right truthful reports behind the histogram.
    right = np.stack([np.maximum(seen - panel.k, 0), np.minimum(seen, panel.truthful)]).ravel()
    rows, cell = np.arange(2 * cells), np.tile(np.arange(cells), 2)
    state, ones = cell % states, np.ones(2 * cells)
    answer = coo_array((ones, (rows, cell))).tocsr()
    line = hstack([coo_array((entries, (rows, state)), shape=(2 * cells, states)) for entries in (ones, right)]).tocsr()
    total = kron(eye_array(len(seen)), np.ones((1, states))).tocsr()
    prior, means = np.array(expert.prior), panel.truthful * np.array(expert.accuracy)
    rule = linprog(
        np.concatenate([np.zeros(cells), prior, prior * means]),
        A_ub=-hstack([answer, line]),
        b_ub=-ones,
        A_eq=hstack([total, coo_array((len(seen), line.shape[1]))]),
        b_eq=np.ones(len(seen)),
        bounds=[(0, None)] * cells + [(None, None)] * line.shape[1],
        method="highs",
        options=_TIGHT,
    )
    # Nature's variables are probabilities given the state: a tiny prior would be below the tolerance in joint ones.
    nature = linprog(
        np.concatenate([-prior[state], np.ones(len(seen))]),
        A_ub=hstack([answer.T * prior[state], -total.T]),
        b_ub=np.zeros(cells),
        A_eq=hstack([line.T, coo_array((line.shape[1], len(seen)))]),
        b_eq=np.concatenate([np.ones(states), means]),
        bounds=(0, None),
        method="highs",
        options=_TIGHT,
    )
    shares = _first(rule.x, cells).reshape(seen.shape)
    answers = normalised(shares)
    plays = _plays(panel, expert, seen[cell // states], state, right, _first(nature.x, ones.size))
    upper, lower = worst_loss(answers, panel, expert), _least_loss(plays, states)
    return MultistateSolution(panel, expert, answers, plays, lower=min(lower, upper), upper=upper)


def _first(solution: FloatArray | None, size: int) -> FloatArray:
    """Return the first variables of a solution, clipped to [0, 1]; zeros where the solver found none."""
    return np.zeros(size) if solution is None else np.clip(np.nan_to_num(solution[:size]), 0, 1)


def _least_loss(plays: tuple[Play, ...], states: int) -> float:
    """Return the probability of error of the best rule against Nature's play."""
    index = histogram_index([play.seen for play in plays])
    mass = np.zeros((index.max() + 1, states))
    np.add.at(mass, (index, np.array([play.state for play in plays])), [play.probability for play in plays])
    return float(np.sort(mass, axis=1)[:, :-1].sum())


def _plays(
    panel: Panel, expert: MultiExpert, seen: Counts, state: Counts, right: Counts, weight: FloatArray
) -> tuple[Play, ...]:
    """Return Nature's play from the dual solution, corrected so that the means N·q hold to the last digits."""
    plays = []
    for omega, (prior, accuracy) in enumerate(zip(expert.prior, expert.accuracy, strict=True)):
        if prior == 0:
            continue
        share = np.where(state == omega, weight, 0)
        # Where the solver failed, any play with the right mean is valid.
        if not share.any():
            share[np.flatnonzero((state == omega) & (right == 0))[0]] = 1
        share /= share.sum()
        mean, required = float(share @ right), panel.truthful * accuracy
        # The solver's mean is off by rounding. Probability moved to unanimous reports, all right or all wrong, corrects
        # it. It is taken from histograms with another number of right reports, so never more moves than the mean is
        # off; taken from all histograms alike, it would empty the play where the required mean is 0 or N, or near.
        if mean != required:
            end, label = (panel.truthful, omega) if mean < required else (0, (omega + 1) % expert.states)
            moved = np.where(right == end, 0, share * ((required - mean) / (end - mean)))
            unanimous = (state == omega) & (right == end) & (seen[:, label] == panel.n)
            share -= moved
            share[unanimous.argmax()] += moved.sum()
        rows = np.flatnonzero(share)
        plays += [
            Play(omega, _behind(seen[row], omega, int(right[row]), panel.truthful), _plain(seen[row]), probability)
            for row, probability in zip(rows, (prior * share[rows]).tolist(), strict=True)
        ]
    return tuple(plays)


def _behind(seen: Counts, state: int, right: int, truthful: int) -> tuple[int, ...]:
    """Return a histogram of truthful reports with this many right ones that the adversaries can turn into `seen`."""
    behind, left = [0] * seen.size, truthful - right
    for label, count in enumerate(seen.tolist()):
        if label != state:
            behind[label] = min(count, left)
            left -= behind[label]
    behind[state] = right
    return tuple(behind)


def _plain(histogram: Counts) -> tuple[int, ...]:
    """Return a histogram as a tuple of integers."""
    return tuple(histogram.tolist())
