"""Cases of `performance.py` that compare functions of dense arrays with numpy, scipy and byzfl.

Ours use all cores, as polars does, the peers one. Ours also handle missing scores and reject invalid votes. Run:
``python benchmarks/performance.py``.
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
    """Return the case of trimmed means of scores in quarter steps, or of random numbers."""
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 40, (items, JUDGES)) / 4 if quarters else rng.random((items, JUDGES))
    return means(f"dense {'marks' if quarters else 'floats'} n × {JUDGES}, k = {k}", scores, k)


def dense_votes(items: int, dtype: type[np.generic], *, forecasts: bool) -> Case:
    """Return the case of counting dense votes, or of forecasting from them."""
    votes = np.random.default_rng(0).integers(0, 2, (items, VOTERS), dtype=np.uint8).astype(dtype)
    return counts(f"dense {dtype.__name__} votes n × {VOTERS}", votes, forecasts=forecasts)


def means(name: str, scores: NDArray[np.float64], k: int) -> Case:
    """Return the case of trimmed means of one array."""
    share = (k + 0.1) / scores.shape[1]
    peers = {
        "scipy trim_mean": Peer(lambda: stats.trim_mean(scores, share, axis=1), goal=1 / 5),
        "numpy sort and slice": Peer(lambda: np.sort(scores, axis=1)[:, k:-k].mean(axis=1), goal=1 / 2),
    }
    if find_spec("byzfl"):
        peers["byzfl TrMean"] = Peer(lambda: import_module("byzfl").TrMean(k)(scores.T), goal=1)
    return Case(name, lambda: bp.trimmed_mean(scores, k), peers)


def counts(name: str, votes: NDArray[Any], *, forecasts: bool) -> Case:
    """Return the case of counting votes, with the optimal forecasts for the squared loss or without."""
    rule = bp.rules.optimal_aggregator(bp.Panel(votes.shape[1], 10), bp.Expert(0.5, 0.8, 0.1), "squared")
    values = rule.values
    peers = {
        "numpy sum and look-up": Peer(lambda: values[votes.sum(axis=1)], goal=1 / 3),
        "numpy copy": Peer(lambda: votes.copy(), goal=3),
    }
    if forecasts:
        return Case(f"{name}, forecasts", lambda: rule(bp.vote_counts(votes)[0]), peers)
    return Case(f"{name}, counts", lambda: bp.vote_counts(votes), peers)
