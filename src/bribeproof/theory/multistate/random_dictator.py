"""The random dictator for labels of m classes: its answer probabilities, and what it guarantees."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof._validation import whole_number, whole_numbers
from bribeproof.errors import ParameterError
from bribeproof.theory.model.experts import MultiExpert, check_multi_expert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.panel import Panel, check_panel


def dictator_shares(histogram: ArrayLike, k: int) -> NDArray[np.float64]:
    """Return the answer probabilities of the random dictator that ignores k reports of each label.

    Parameters
    ----------
    histogram : integer array of shape (..., m)
        Number of reports of each of the m labels.
    k : int
        Number of reports of each label to ignore, at least 0.

    Returns
    -------
    ndarray of shape (..., m)
        Share of each label among the remaining reports; 1/m each where none remain.

    Raises
    ------
    ParameterError
        A histogram that does not consist of integers of at least 0, or an invalid k.

    Notes
    -----
    docs/theory.md §8. With three or more labels, draw from these probabilities with a seed that nobody could know
    before the reports were in; with two a known seed does no harm (§15).

    Examples
    --------
    >>> dictator_shares([[5, 2, 1], [1, 0, 1]], k=1).round(3)
    array([[0.8  , 0.2  , 0.   ],
           [0.333, 0.333, 0.333]])
    """
    counts = whole_numbers("histogram", histogram)
    if counts.ndim == 0 or counts.shape[-1] < 2:
        raise ParameterError(f"histogram has shape {counts.shape}; give one count per label, at least 2 labels")
    remaining = np.maximum(counts - whole_number("k", k), 0).astype(np.float64)
    total = remaining.sum(axis=-1, keepdims=True)
    uniform = np.full(remaining.shape, 1 / counts.shape[-1])
    shares: NDArray[np.float64] = np.divide(remaining, total, where=total > 0, out=uniform)
    return shares


def dictator_guarantee(panel: Panel, expert: MultiExpert) -> Guarantee:
    """Return the guarantee of the random dictator, or of the likeliest state where that alone is better.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : MultiExpert
        One truthful reporter.

    Returns
    -------
    Guarantee
        `expected_loss` bounds the probability of a wrong answer. It is the exact worst case of the random dictator, or
        of always answering the likeliest state where `basis` is `PRIOR_ALONE`. `exact` is True where it is proven that
        no rule has a smaller worst case. `regret` is the same number.

    Notes
    -----
    docs/theory.md, Theorem 8.1: the random dictator is right with probability at least Q = Σ μ·q′, whatever the number
    of states, where q′ = max(0, (N·q − k)/(n − 2k)) is the effective accuracy. Theorem 8.2: no rule is better than the
    random dictator where Q is at least every prior probability and k = 0 or Q ≥ 1/2, and none is better than the
    largest prior p ≥ Q where p ≥ 1/2 and Σ μ·min(1, N·q/(n − 2k)) ≥ 1 − p. Elsewhere a better rule may exist.

    Examples
    --------
    >>> expert = MultiExpert(prior=(0.5, 0.25, 0.25), accuracy=(0.75, 0.75, 0.75))
    >>> dictator_guarantee(Panel(n=4, k=1), expert).expected_loss
    0.375
    """
    check_panel(panel)
    check_multi_expert(expert)
    prior, accuracy = np.array(expert.prior), np.array(expert.accuracy)
    honest_margin = panel.n - 2 * panel.k
    right = panel.truthful * accuracy
    least = float(prior @ np.clip((right - panel.k) / honest_margin, 0, 1))
    most = float(prior @ np.clip(right / honest_margin, 0, 1))
    likeliest = max(expert.prior)
    if least > likeliest:
        basis = Basis.EFFECTIVE_EXPERT if panel.k else Basis.ONE_REPORTER
        return Guarantee(1 - least, 1 - least, exact=panel.k == 0 or least >= 0.5, basis=basis)
    attained_by_dictator = panel.k == 0 and least == likeliest  # the first case of Theorem 8.2, where both are as good
    exact = attained_by_dictator or (likeliest >= 0.5 and most >= 1 - likeliest)
    return Guarantee(1 - likeliest, 1 - likeliest, exact=exact, basis=Basis.PRIOR_ALONE)
