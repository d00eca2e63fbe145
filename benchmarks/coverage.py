"""Measure how often the guarantee of a calibration fails, and how cautious it is, on random panels of nine reporters.

Run: ``python benchmarks/coverage.py [--runs 1000]``; it prints the two tables of docs/calibrate.md. One reporter is
bribed. Reporters differ in their rates, and err independently or together; the bribed one answers gold items like the
others, perfectly, or all wrong. For each panel the guarantee is compared with the exact worst case at its true rates,
and with the loss when the bribed reporter always votes against the truth.

The second table calibrates tables in which each honest reporter answers some of the items, and the bribed one chooses:
all of them, the positive ones, or the positive ones that nobody else answers. The truth is a table of its own, or a
column of the reports.
"""

import argparse
from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

import bribeproof as bp
from bribeproof.theory.inference.gold import Gold

N, K = 9, 1
CONFIDENCE = 0.95
LATER = 2000
"""Items that are asked after the calibration."""


def votes(
    rng: np.random.Generator, truth: NDArray[np.bool], rates: NDArray[np.float64], *, together: bool
) -> NDArray[np.bool]:
    """Draw votes from rates in state 0 and 1, one row each."""
    luck = rng.random((len(truth), 1 if together else N))
    said: NDArray[np.bool] = luck < rates[truth.astype(int)]
    return said


def counted(truth: NDArray[np.bool], answers: NDArray[np.bool]) -> Gold:
    """Count the right answers on gold items."""
    return Gold.from_matrix(answers == truth[:, None], truth)


def panels(rng: np.random.Generator, runs: int, items: int, kind: str) -> Iterator[tuple[bool, float, float, float]]:
    """Yield whether a bound failed, the guarantee, the worst case at the true rates, and the actual loss."""
    panel = bp.Panel(N, K)
    for _ in range(runs):
        prior = rng.uniform(0.2, 0.8)
        rates = np.array([rng.uniform(0.02, 0.3, N), rng.uniform(0.7, 0.98, N)])
        truth = rng.random(items) < prior
        answers = votes(rng, truth, rates, together=kind == "err together")
        if kind in ("pose as perfect", "answer all wrong"):
            answers[:, :K] = (truth if kind == "pose as perfect" else ~truth)[:, None]
        expert = bp.Expert(prior, *(float(rates[state, K:].mean()) for state in (1, 0)))
        known = counted(truth, answers).expert_interval(panel, CONFIDENCE)
        failed = not (known.prior[0] <= prior <= known.prior[1] and known.tpr <= expert.tpr and expert.fpr <= known.fpr)
        rule = bp.rules.optimal_aggregator(panel, known, "squared")
        later = rng.random(LATER) < prior
        reports = votes(rng, later, rates, together=kind == "err together")
        reports[:, :K] = ~later[:, None]
        measured = float(np.square(rule(reports.sum(axis=1)) - later).mean())
        bound = rule.guarantee.expected_loss if rule.guarantee else np.nan
        yield failed, bound, bp.theory.worst_case(rule, panel, expert, "squared").largest_loss, measured


SPARSE = (
    "all items",
    "positive items",
    "positive items, column",
    "items of nobody else",
    "items of nobody else, column",
)
"""What the bribed reporter answers, and where the truth is if it is not in a table of its own."""


def sparse(rng: np.random.Generator, items: int, kind: str, confidence: float) -> tuple[bool, bool]:
    """Return whether the prior's interval, and whether any bound, failed for one table; each answers a third of it."""
    prior = rng.uniform(0.2, 0.8)
    rates = np.array([rng.uniform(0.02, 0.3, N), rng.uniform(0.7, 0.98, N)])
    truth = rng.random(items) < prior
    said = votes(rng, truth, rates, together=False)
    answers = rng.random((items, N)) < 1 / 3
    answers[:, 0] = {"a": True, "p": truth, "i": truth & ~answers[:, 1:].any(axis=1)}[kind[0]]
    said[:, 0] = truth
    item, reporter = np.nonzero(answers)
    table = pl.DataFrame({"task": item, "worker": reporter, "label": said[answers].astype(int)})
    if kind.endswith("column"):
        found = bp.calibrate(table.with_columns(truth=truth[item].astype(int)), "truth", K, confidence=confidence)
    else:
        found = bp.calibrate(table, dict(enumerate(truth.astype(int).tolist())), K, confidence=confidence)
    known = found.expert
    tpr, fpr = (float(rates[state, 1:].mean()) for state in (1, 0))
    outside = not known.prior[0] <= prior <= known.prior[1]
    return outside, outside or known.tpr > tpr or known.fpr < fpr


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    print(f"{N} reporters, {K} bribed, {CONFIDENCE:.0%} confidence, squared loss, {runs:,} panels in each row\n")
    print("| the panel | gold items | a bound failed | guarantee exceeded | guarantee | exact worst case | measured |")
    print("|---|---|---|---|---|---|---|")
    for kind in ("err apart", "err together", "pose as perfect", "answer all wrong"):
        for items in (50, 200, 1000):
            found = np.array(list(panels(np.random.default_rng(items), runs, items, kind)))
            exceeded = (found[:, 2] > found[:, 1] + 1e-12).mean()
            middle = " | ".join(f"{value:.3f}" for value in np.median(found[:, 1:], axis=0))
            print(f"| {kind} | {items:,} | {found[:, 0].mean():.1%} | {exceeded:.1%} | {middle} |", flush=True)
    print(f"\nTables that reporters answer in part, {runs:,} in each row\n")
    print("| the bribed answers | confidence | gold items | the prior's interval failed | a bound failed |")
    print("|---|---|---|---|---|")
    for kind in SPARSE:
        for confidence in (0.8, 0.95):
            for items in (50, 400):
                rng = np.random.default_rng(items)
                failed = np.mean([sparse(rng, items, kind, confidence) for _ in range(runs)], axis=0)
                print(f"| {kind} | {confidence:.0%} | {items:,} | {failed[0]:.1%} | {failed[1]:.1%} |", flush=True)


if __name__ == "__main__":
    main()
