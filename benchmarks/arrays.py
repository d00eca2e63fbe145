"""Dense arrays against numpy, scipy and byzfl, as ratios of wall time on the same input in one run, one thread.

Run: ``python benchmarks/arrays.py [--items 1000000]``. Peers that are not installed are left out and said so.
A ratio below 1 means that we are faster. Our results carry more than the peers': missing scores are seen, and what is
no vote is refused.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import bribeproof as bp

RUNS = 5
JUDGES = 9
VOTERS = 100

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Peer:
    """Another way to the same result, and the largest ratio of our time to its time that we aim at."""

    work: Work
    goal: float


@dataclass(frozen=True, slots=True)
class Case:
    """One of our functions on one input, and its peers by name."""

    name: str
    ours: Work
    peers: Mapping[str, Peer]


def cases(items: int) -> list[Case]:
    """Average marks in quarter steps and random numbers; count dense votes and forecast from them."""
    rng = np.random.default_rng(0)
    sheets = {"quarters": rng.integers(0, 40, (items, JUDGES)) / 4, "random": rng.random((items, JUDGES))}
    votes = rng.integers(0, 2, (items, VOTERS), dtype=np.uint8)
    panels = {"uint8": votes, "bool": votes.astype(bool)}
    return [
        *(means(f"{name} n x {JUDGES}, k = {k}", scores, k) for name, scores in sheets.items() for k in (1, 3)),
        *(case for name, array in panels.items() for case in counts(f"{name} votes n x {VOTERS}", array)),
    ]


def means(name: str, scores: NDArray[np.float64], k: int) -> Case:
    """Average one sheet."""
    share = (k + 0.1) / scores.shape[1]
    peers = {
        "scipy trim_mean": Peer(lambda: stats.trim_mean(scores, share, axis=1), goal=1 / 5),
        "numpy sort and slice": Peer(lambda: np.sort(scores, axis=1)[:, k:-k].mean(axis=1), goal=1 / 2),
    }
    if find_spec("byzfl"):
        trimmed = import_module("byzfl").TrMean(k)
        peers["byzfl TrMean"] = Peer(lambda: trimmed(scores.T), goal=1)
    return Case(name, lambda: bp.trimmed_mean(scores, k), peers)


def counts(name: str, votes: NDArray[Any]) -> list[Case]:
    """Count votes, and make the optimal forecasts for the squared loss."""
    rule = bp.optimal_aggregator(bp.Panel(votes.shape[1], 10), bp.Expert(0.5, 0.8, 0.1), "squared")
    values = rule.values
    summed = {
        "numpy sum and look-up": Peer(lambda: values[votes.sum(axis=1)], goal=1 / 3),
        "numpy copy": Peer(lambda: votes.copy(), goal=3),
    }
    return [
        Case(f"{name}, counts", lambda: bp.vote_counts(votes), summed),
        Case(f"{name}, forecasts", lambda: rule(bp.vote_counts(votes)[0]), summed),
    ]


def seconds(work: Work) -> float:
    """Wall time of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ratios(case: Case) -> dict[str, list[float]]:
    """Run all in turn, so that a drift of the machine falls on all of them: our time over each peer's."""
    works = {name: peer.work for name, peer in case.peers.items()}
    seconds(case.ours), *map(seconds, works.values())
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(RUNS):
        own = seconds(case.ours)
        for name, work in works.items():
            found[name].append(own / seconds(work))
    return found


def main() -> None:
    """Print one line per comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000)
    items = parser.parse_args().items
    print(f"{items:,} items; our time / the peer's, median of {RUNS} (min to max), and the goal")
    for case in cases(items):
        for peer, found in ratios(case).items():
            line = f"{statistics.median(found):6.3f}  ({min(found):.3f} to {max(found):.3f})"
            print(f"{case.name + ' / ' + peer:58} {line}  goal {case.peers[peer].goal:.2f}")
    if not find_spec("byzfl"):
        print("byzfl is not installed: its TrMean is left out")


if __name__ == "__main__":
    main()
