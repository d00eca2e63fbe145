"""Measure the time of the rule for pairs of reporters against the same program in CVXPY, and against goals.

Run: ``python benchmarks/pairwise.py``; ``--write docs/evidence/performance.md`` puts the tables there. All times are
of the
processor, which other work on the machine changes little. Ours have both bounds proven; CVXPY's are build and solve.
"""

import argparse
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bribeproof.theory import Expert, Loss, Panel, cost, get_loss, pairwise_minimax
from bribeproof.theory.model.losses import CostWeighted
from bribeproof.theory.pairwise.error_laws import error_bounds

EXPERT = Expert(prior=0.5, tpr=0.7, fpr=0.3, correlation=0.05)
LOSSES = [get_loss("squared"), get_loss("log"), get_loss("absolute"), cost(false_positive=5, false_negative=1)]
GOALS = {39: 0.02, 1000: 0.2, 10_000: 5.0}
SIZES = (39, 300, 1000)
START, END = "<!-- pairs -->", "<!-- end of pairs -->"


def seconds(runs: int, *calls: Callable[[], object]) -> list[list[float]]:
    """Return the processor times of calls that take turns."""
    found = []
    for _ in range(runs):
        marks = [time.process_time()]
        for call in calls:
            call()
            marks.append(time.process_time())
        found.append(np.diff(marks).tolist())
    return [list(times) for times in zip(*found, strict=True)]


def in_cvxpy(panel: Panel, expert: Expert, loss: Loss, solver: str | None) -> float:
    """Return the least largest expected loss, by the conic program of docs/theory.md §12 (Theorem P, part 3)."""
    cp: Any = import_module("cvxpy")
    rule = cp.Variable(panel.n + 1)
    constraints, total = [rule >= 0, rule <= 1, rule[:-1] <= rule[1:]], 0
    weights = expert.prior, 1 - expert.prior
    for state, weight, bound in zip((1, 0), weights, error_bounds(panel, expert), strict=True):
        errors, line = bound.errors, cp.Variable(3)
        above = np.stack([np.ones(errors.size), *bound.shares(errors)], axis=1) @ line
        total += weight * (np.array([1.0, bound.most, bound.joint]) @ line)
        right = rule[panel.truthful - errors] if state == 1 else 1 - rule[errors + panel.k]
        match loss:
            case CostWeighted(false_positive, false_negative):
                worst = (false_negative if state == 1 else false_positive) * (1 - right)
            case _:
                worst = -cp.log(right) if loss.name == "log" else cp.square(1 - right)
        constraints += [line[2] >= 0, above >= worst]
    program = cp.Problem(cp.Minimize(total), constraints)
    exact = {"tol_gap_abs": 1e-10, "tol_gap_rel": 1e-10, "tol_feas": 1e-10} if solver == "CLARABEL" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program.solve(solver=solver, **exact)
    return float(program.value)


def against_cvxpy(runs: int) -> Iterator[str]:
    """Yield a table of ratios of our time to CVXPY's, with the same solver and with the one that it picks itself."""
    yield "| n, k | loss | our time / CVXPY's with Clarabel | / CVXPY's default | largest difference of the value |"
    yield "|---|---|---|---|---|"
    for n in SIZES:
        panel = Panel(n, n // 10)
        for loss in LOSSES:
            solvers = "CLARABEL", None
            values = [in_cvxpy(panel, EXPERT, loss, solver) for solver in solvers]
            ours = partial(pairwise_minimax, panel, EXPERT, loss)
            off = max(abs(value - ours().upper) for value in values)
            calls = [partial(in_cvxpy, panel, EXPERT, loss, solver) for solver in solvers]
            took, *others = seconds(runs, ours, *calls)
            ratios = [sorted(mine / other for mine, other in zip(took, times, strict=True)) for times in others]
            shown = [f"{statistics.median(one):.2f} ({one[0]:.2f} to {one[-1]:.2f})" for one in ratios]
            yield f"| {n:,}, {n // 10:,} | {loss.name} | {shown[0]} | {shown[1]} | {off:.0e} |"


def absolute(runs: int) -> Iterator[str]:
    """Yield a table of our times, by size and loss."""
    yield "| n, k | " + " | ".join(loss.name for loss in LOSSES) + " | goal |"
    yield "|---|" + "---|" * (len(LOSSES) + 1)
    for n in (39, 1000, 10_000, 100_000, 1_000_000):
        panel = Panel(n, n // 10)
        times = seconds(runs, *(partial(pairwise_minimax, panel, EXPERT, loss) for loss in LOSSES))
        shown = " | ".join(f"{statistics.median(one):.3f}" for one in times)
        yield f"| {n:,}, {n // 10:,} | {shown} | {GOALS.get(n, '')} |"


def main() -> None:
    """Print both tables, or write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of each case; the median counts")
    parser.add_argument("--write", type=Path, help="Markdown file with the place for the tables")
    given = parser.parse_args()
    if find_spec("cvxpy") is None:
        raise SystemExit("cvxpy is not installed: pip install cvxpy")
    for loss in LOSSES:  # imports both
        pairwise_minimax(Panel(5, 1), EXPERT, loss)
        in_cvxpy(Panel(5, 1), EXPERT, loss, None)
    versions = ", ".join(f"{name} {version(name)}" for name in ("cvxpy", "clarabel", "scipy"))
    lines = [
        f"Medians of {given.runs} runs (least to most) that take turns, processor time; {versions}.",
        "",
        *against_cvxpy(given.runs),
        "",
        "Seconds of one core, both bounds included:",
        "",
        *absolute(given.runs),
    ]
    text = "\n".join(lines)
    print(text)
    if given.write is not None:
        page = given.write.read_text()
        before, after = page[: page.index(START) + len(START)], page[page.index(END) :]
        given.write.write_text(f"{before}\n{text}\n{after}")


if __name__ == "__main__":
    main()
