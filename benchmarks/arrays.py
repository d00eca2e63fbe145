"""Dense arrays against numpy, scipy and byzfl: ours on all cores, as polars works, the peers on the one they use.

Our results carry more than the peers': missing scores are seen, and what is no vote is refused.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import bribeproof as bp
from contest import Case, Peer

JUDGES = 9
VOTERS = 100


def dense_scores(items: int, k: int, *, quarters: bool = True) -> Case:
    """Average marks in quarter steps, or random numbers."""
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 40, (items, JUDGES)) / 4 if quarters else rng.random((items, JUDGES))
    return means(f"dense {'marks' if quarters else 'floats'} n × {JUDGES}, k = {k}", scores, k)


def dense_votes(items: int, dtype: type[np.generic], *, forecasts: bool) -> Case:
    """Count dense votes, or forecast from them."""
    votes = np.random.default_rng(0).integers(0, 2, (items, VOTERS), dtype=np.uint8).astype(dtype)
    return counts(f"dense {dtype.__name__} votes n × {VOTERS}", votes, forecasts=forecasts)


def means(name: str, scores: NDArray[np.float64], k: int) -> Case:
    """Average one sheet."""
    share = (k + 0.1) / scores.shape[1]
    peers = {
        "scipy trim_mean": Peer(lambda: stats.trim_mean(scores, share, axis=1), goal=1 / 5),
        "numpy sort and slice": Peer(lambda: np.sort(scores, axis=1)[:, k:-k].mean(axis=1), goal=1 / 2),
    }
    if find_spec("byzfl"):
        peers["byzfl TrMean"] = Peer(lambda: import_module("byzfl").TrMean(k)(scores.T), goal=1)
    return Case(name, lambda: bp.trimmed_mean(scores, k), peers)


def counts(name: str, votes: NDArray[Any], *, forecasts: bool) -> Case:
    """Count votes, and make the optimal forecasts for the squared loss."""
    rule = bp.rules.optimal_aggregator(bp.Panel(votes.shape[1], 10), bp.Expert(0.5, 0.8, 0.1), "squared")
    values = rule.values
    peers = {
        "numpy sum and look-up": Peer(lambda: values[votes.sum(axis=1)], goal=1 / 3),
        "numpy copy": Peer(lambda: votes.copy(), goal=3),
    }
    if forecasts:
        return Case(f"{name}, forecasts", lambda: rule(bp.vote_counts(votes)[0]), peers)
    return Case(f"{name}, counts", lambda: bp.vote_counts(votes), peers)
