"""Check the certificates of exact optima on random instances: the bounds hold and meet, and the recheck agrees.

Run: ``python benchmarks/certificates.py``; ``--cases 500`` for a quicker look, ``--seed 2`` for others. The exit
status is 1 if a certificate fails. Many of the instances are edge cases: n = 3k, no adversaries, rates and
priors within 10⁻⁸ of 0 and 1, rates that are whole counts.
"""

import argparse
import sys
import time
from collections import Counter

import numpy as np

from bribeproof.theory import Expert, Loss, Panel, cost, get_loss, minimax

LARGEST = 40
GAP = 1e-8


def probability(rng: np.random.Generator, n: int) -> float:
    """Draw a probability, often an extreme one."""
    tiny = float(10 ** rng.uniform(-8, -1))
    plain, coarse, whole = float(rng.random()), float(rng.integers(0, 21)) / 20, float(rng.integers(0, n + 1)) / n
    return (plain, plain, plain, coarse, whole, tiny, 1 - tiny)[rng.integers(0, 7)]


def instance(rng: np.random.Generator) -> tuple[Panel, Expert, Loss]:
    """Draw a panel, an expert and a loss."""
    n = int(rng.integers(1, LARGEST + 1))
    kind = rng.integers(0, 4)
    k = 0 if kind == 0 else int(rng.integers(0, (n + 1) // 2))
    if kind == 1 and n >= 3:
        k = n // 3
        n = 3 * k
    fpr, tpr = sorted((probability(rng, n), probability(rng, n)))
    prices = rng.integers(1, 6, 2)
    priced = cost(false_positive=float(prices[0]), false_negative=float(prices[1]))
    loss = (get_loss("absolute"), get_loss("squared"), get_loss("log"), priced)[rng.integers(0, 4)]
    return Panel(n, k), Expert(probability(rng, n), tpr, fpr), loss


def main() -> None:
    """Solve the instances, count the failures, and print the largest deviations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000, help="number of instances")
    parser.add_argument("--seed", type=int, default=1, help="seed of the instances")
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    seen: Counter[str] = Counter()
    failed, widest, furthest, longest = 0, 0.0, 0.0, 0.0
    began = time.perf_counter()
    for _ in range(arguments.cases):
        panel, expert, loss = instance(rng)
        start = time.perf_counter()
        solution = minimax(panel, expert, loss)
        longest = max(longest, time.perf_counter() - start)
        difference = solution.recheck().difference
        widest, furthest = max(widest, solution.gap), max(furthest, difference)
        seen["n = 3k"] += panel.n == 3 * panel.k
        seen["k = 0"] += panel.k == 0
        counts = panel.truthful * expert.tpr, panel.truthful * expert.fpr
        seen["irregular"] += not (counts[1] >= 1 and counts[0] <= panel.truthful - 1)
        seen[loss.name.partition("(")[0]] += 1
        if not (solution.lower <= solution.upper and solution.gap <= GAP and difference <= 1e-10):
            failed += 1
            print(f"FAILED {panel} {expert} {loss.name}: gap {solution.gap:.1e}, recheck {difference:.1e}")
    print(f"{arguments.cases} instances, n <= {LARGEST}: " + ", ".join(f"{seen[name]} {name}" for name in sorted(seen)))
    print(f"{failed} failed; widest gap {widest:.1e}, furthest recheck {furthest:.1e}")
    mean = 1000 * (time.perf_counter() - began) / arguments.cases
    print(f"mean {mean:.0f} ms with the recheck, longest {longest:.1f} s")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
