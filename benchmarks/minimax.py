"""What an exact optimum costs: cutting planes against multiplicative weights, in one run.

Run: ``python benchmarks/minimax.py``; ``--runs 1`` for a quicker look.
"""

import argparse
import statistics
import time

from bribeproof.theory import Expert, Panel
from bribeproof.theory.minimax import Solution, minimax

LOSSES = ("squared", "absolute", "log")


def experts(n: int) -> dict[str, Expert]:
    """One expert of the regular regime, and two outside it."""
    return {
        "regular": Expert(prior=0.4, tpr=0.8, fpr=0.1),
        "n·b = 0.6": Expert(prior=0.362, tpr=0.518, fpr=0.6 / n),
        "n·b = 0.6, n·a = n − 0.5": Expert(prior=0.362, tpr=1 - 0.5 / n, fpr=0.6 / n),
    }


def timed(runs: int, n: int, name: str, loss: str, tol: float, method: str) -> tuple[float, Solution]:
    """Median wall time, and the last solution."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        solution = minimax(Panel(n), experts(n)[name], loss, tol=tol, method=method)
        found.append(time.perf_counter() - start)
    return statistics.median(found), solution


def main() -> None:
    """Print one line for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each case; the median counts")
    runs = parser.parse_args().runs
    minimax(Panel(3), Expert(0.4, 0.8, 0.1))  # imports the solver
    print(f"{'k = 0':45}{'method':16}{'tol':>7}{'seconds':>9}{'rounds':>8}{'gap':>10}  met")
    cases = [(n, name, "squared") for name in experts(10) for n in (10, 100, 300, 1000)]
    cases += [(10, "n·b = 0.6", loss) for loss in LOSSES[1:]]
    for n, name, loss in cases:
        settings = [(1e-9, "cutting planes"), (1e-4, "cutting planes"), (1e-4, "mwu")]
        for tol, method in settings if n <= 300 else settings[:1]:
            seconds, solution = timed(runs, n, name, loss, tol, method)
            print(
                f"{loss:9}{f'{name}, n = {n}':36}{method:16}{tol:7.0e}{seconds:9.3f}{solution.iterations:8}"
                f"{solution.gap:10.1e}  {'yes' if solution.converged else 'no'}"
            )


if __name__ == "__main__":
    main()
