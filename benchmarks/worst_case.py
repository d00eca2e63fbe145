"""What an exact worst case costs: against the panel's size, and against brute force, in one run.

Run: ``python benchmarks/worst_case.py``; ``--runs 3`` for a quicker look. The brute force is the tests' oracle, which
values every pair of two-point distributions.
"""

import argparse
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bribeproof.theory import Aggregator, Expert, Panel, majority, optimal_aggregator, worst_case

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "theory"))
from worst_case_oracle import worst_case as brute_force

SIZES = (13, 100, 300, 1000)
# Brute force grows with the fifth power of n.
FORCED = (13, 40)
LOSSES = ("absolute", "squared", "log")
REGULAR, EDGE = Expert(prior=0.4, tpr=0.8, fpr=0.1), Expert(prior=0.3, tpr=0.9997, fpr=0.3)


def rules(panel: Panel, loss: str) -> dict[str, tuple[Aggregator, Expert]]:
    """Rules with the experts that they are tried on; the last one leaves the search the most pairs."""
    unanimity = Aggregator(np.append(np.zeros(panel.n), 1.0), "unanimity")
    return {
        "random": (Aggregator(np.random.default_rng(0).random(panel.n + 1)), REGULAR),
        "majority": (majority(panel), REGULAR),
        "optimal": (optimal_aggregator(panel, REGULAR, loss), REGULAR),
        "unanimity, N·a > N − 1": (unanimity, EDGE),
    }


def milliseconds(call: Callable[[], object], runs: int) -> float:
    """Median wall time of a call."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return 1000 * statistics.median(found)


def megabytes(call: Callable[[], object]) -> float:
    """Largest memory that a call holds at one time."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    """Time every rule at every size, then brute force on small panels, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each case; the median counts")
    runs = parser.parse_args().runs
    print(f"worst_case, k = n // 10, median of {runs} runs in ms (peak memory in MB)")
    print(f"{'':34}" + "".join(f"{f'n = {n}':>18}" for n in SIZES))
    for loss in LOSSES:
        for name in rules(Panel(2), loss):
            row = f"{loss:10}{name:24}"
            for n in SIZES:
                panel = Panel(n, n // 10)
                rule, expert = rules(panel, loss)[name]

                def search() -> object:
                    return worst_case(rule, panel, expert, loss)  # noqa: B023

                row += f"{milliseconds(search, runs):10.2f} ({megabytes(search):5.1f})"
            print(row)

    for n in FORCED:
        panel = Panel(n, n // 10)
        print(f"\nbrute force / worst_case at n = {n}, medians of {runs} runs, and the difference of the regrets")
        for loss in LOSSES:
            for name, (rule, expert) in rules(panel, loss).items():
                arguments = (rule.values, panel.k, expert.prior, expert.tpr, expert.fpr, loss)
                slow = milliseconds(lambda: brute_force(*arguments), runs)  # noqa: B023
                quick = milliseconds(lambda: worst_case(rule, panel, expert, loss), runs)  # noqa: B023
                by_search, by_force = worst_case(rule, panel, expert, loss).regret, brute_force(*arguments).regret
                difference = 0.0 if by_search == by_force else abs(by_search - by_force)
                print(f"{loss:10}{name:24}{slow / quick:8.1f} x   {difference:.0e}")


if __name__ == "__main__":
    main()
