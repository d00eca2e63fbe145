"""Measure the time of an exact optimum against goals, the full program in CVXPY and multiplicative weights.

Run: ``python benchmarks/minimax.py``; ``--runs 1`` for a quicker look. The optimum is that of squared loss without
adversaries unless a line says otherwise. A ratio above 1 means that cutting planes are faster than the named peer.
"""

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.theory import Expert, Panel, minimax

GOALS = {10: 0.05, 100: 0.5, 1000: 20.0}
REGULAR = Expert(prior=0.4, tpr=0.8, fpr=0.1)
# The regular regime is left at the first size that takes longer than this.
PATIENCE = 2.0


def irregular(n: int) -> Expert:
    """Return an expert with n·b = 0.6, where no closed form is exact and four supports do not suffice."""
    return Expert(prior=0.362, tpr=0.518, fpr=0.6 / n)


def both_ends(n: int) -> Expert:
    """Return an expert with n·b = 0.6 and n·a = n − 0.5."""
    return Expert(prior=0.362, tpr=1 - 0.5 / n, fpr=0.6 / n)


def seconds(runs: int, *calls: Callable[[], object]) -> list[float]:
    """Return the median wall times of calls that take turns."""
    found = []
    for _ in range(runs):
        marks = [time.perf_counter()]
        for call in calls:
            call()
            marks.append(time.perf_counter())
        found.append(np.diff(marks))
    return [statistics.median(times) for times in zip(*found, strict=True)]


class Peer(NamedTuple):
    """Result of the full program: the optimum, the time and status of the solver, and the number of structures."""

    optimum: float
    solve: float
    status: str
    structures: int


def two_point(n: int, mean: float) -> FloatArray:
    """Return all two-point distributions on {0, …, n} with a given non-integer mean, one per row."""
    low, high = (points.ravel() for points in np.meshgrid(np.arange(np.ceil(mean)), np.arange(np.ceil(mean), n + 1)))
    share, counts = ((mean - low) / (high - low))[:, None], np.arange(n + 1)
    rows: FloatArray = np.where(counts == low[:, None], 1 - share, 0) + np.where(counts == high[:, None], share, 0)
    return rows


def whole_program(n: int, expert: Expert, *, row_by_row: bool = False) -> Peer:
    """Solve for the best rule over all pairs of two-point distributions at once, in CVXPY with Clarabel.

    The regrets are one vector, or one expression for each structure, as one would write it down first.
    """
    from scipy.sparse import csr_array

    cp: Any = import_module("cvxpy")
    ones, zeros = expert.prior * two_point(n, n * expert.tpr), (1 - expert.prior) * two_point(n, n * expert.fpr)
    one, zero = np.repeat(ones, len(zeros), axis=0), np.tile(zeros, (len(ones), 1))
    both = one + zero
    benchmark = np.divide(one * zero, both, where=both > 0, out=np.zeros(both.shape)).sum(axis=1)
    rule, worst = cp.Variable(n + 1), cp.Variable()
    losses = cp.square(1 - rule), cp.square(rule)
    if row_by_row:
        rows = zip(one, zero, benchmark, strict=True)
        regrets = [weight_1 @ losses[0] + weight_0 @ losses[1] - least for weight_1, weight_0, least in rows]
    else:
        regrets = [csr_array(one) @ losses[0] + csr_array(zero) @ losses[1] - benchmark]
    program = cp.Problem(cp.Minimize(worst), [regret <= worst for regret in regrets])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an inaccurate optimum shows in the status
        program.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return Peer(float(program.value), program.solver_stats.solve_time, program.status, len(benchmark))


def goals(runs: int) -> None:
    """Time the sizes with a goal, and the regular regime up to a million reporters."""
    print("\nn·b = 0.6, gap 1e-9: seconds against the goal")
    for n, limit in GOALS.items():
        (took,) = seconds(runs, partial(minimax, Panel(n), irregular(n)))
        print(f"n = {n:<10}{took:9.3f}{limit:9.3f}  {'met' if took <= limit else 'missed'}")
    print("\nregular regime, gap 1e-9: time / time at n = 100")
    for n in (1_000, 10_000, 100_000, 1_000_000):
        start = time.perf_counter()
        minimax(Panel(n), REGULAR)
        if time.perf_counter() - start > PATIENCE:
            print(f"n = {n:<10} takes more than {PATIENCE:.0f} s; larger ones are left out")
            break
        base, took = seconds(runs, partial(minimax, Panel(100), REGULAR), partial(minimax, Panel(n), REGULAR))
        print(f"n = {n:<10}{took / base:9.2f} x   ({took:.3f} s / {base:.3f} s)")


def against_cvxpy(runs: int) -> None:
    """Time the full program, with a constraint for each of about n³/4 structures, against cutting planes."""
    if find_spec("cvxpy") is None:
        print("\ncvxpy is not installed: the full program is left out (pip install cvxpy)")
        return
    whole_program(6, irregular(6))  # imports the package
    print("\nwhole program in CVXPY, row by row / cutting planes, n·b = 0.6, gap 1e-10: build and solve")
    for n in (6, 12):
        peer, took = seconds(
            runs,
            partial(whole_program, n, irregular(n), row_by_row=True),
            partial(minimax, Panel(n), irregular(n), tol=1e-10),
        )
        print(f"n = {n:<4}{peer / took:9.1f} x")
    print("\nthe same as one vector: build and solve, solve alone, |difference|")
    for n in (6, 12, 24, 48, 96):
        found: list[Peer] = []
        peer, took = seconds(
            runs,
            lambda: found.append(whole_program(n, irregular(n))),  # noqa: B023
            partial(minimax, Panel(n), irregular(n), tol=1e-10),
        )
        difference = abs(found[0].optimum - minimax(Panel(n), irregular(n), tol=1e-10).upper)
        alone = statistics.median(run.solve for run in found)
        print(
            f"n = {n:<4}{found[0].structures:9} structures{peer / took:9.2f} x{alone / took:9.2f} x{difference:10.0e}"
            f"  {found[0].status}"
        )


def against_mwu(runs: int) -> None:
    """Time multiplicative weights against cutting planes, both at a gap that the former can reach."""
    print("\nmultiplicative weights / cutting planes, gap 1e-4; rounds and gap of each at the end")
    cases = [
        (loss, n, name, expert)
        for n in (10, 100)
        for name, expert in (("regular", REGULAR), ("n·b = 0.6", irregular(n)), ("both ends irregular", both_ends(n)))
        for loss in (("squared", "absolute", "log") if n == 10 else ("squared",))
    ]
    for loss, n, name, expert in cases:
        slow, plain = (partial(minimax, Panel(n), expert, loss, 1e-4, method) for method in ("mwu", "cutting planes"))
        peer, took = seconds(runs, slow, plain)
        last = slow()
        ends = "".join(f"{end.iterations:6}{end.gap:9.0e}" for end in (last, plain()))
        print(f"{loss:10}{f'{name}, n = {n}':30}{peer / took:9.1f} x{ends}{'' if last.converged else '  not reached'}")


def main() -> None:
    """Print the three comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each case; the median counts")
    runs = parser.parse_args().runs
    minimax(Panel(3), REGULAR)  # imports the solver
    print(f"minimax, medians of {runs} runs")
    goals(runs)
    against_cvxpy(runs)
    against_mwu(runs)


if __name__ == "__main__":
    main()
