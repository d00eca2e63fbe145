"""Measure how often the guarantee of a calibration fails, and how cautious it is, on random panels of nine reporters.

Run: ``python benchmarks/coverage.py [--runs 200]``; it prints the two tables of docs/evidence/calibration.md. One
reporter is
bribed. Reporters differ in their rates, and err independently, on hard items, in two groups that always agree, now and
then all at once, or together; the bribed one answers gold items like the others, perfectly, or all wrong. For each
panel the guarantee is compared with the exact worst case at its true rates and joint error rates, and with the loss
when the bribed reporter always votes against the truth.

The second table calibrates tables in which each honest reporter answers some of the items, and the bribed one chooses:
all of them, the positive ones, or the positive ones that nobody else answers. The truth is a table of its own, or a
column of the reports.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

import bribeproof as bp
from bribeproof.theory.inference.gold import Gold

N, K = 9, 1
CONFIDENCE = 0.95
WORLDS = (
    "err apart",
    "hard items",
    "two groups",
    "now and then all",
    "err together",
    "pose as perfect",
    "answer all wrong",
)
HARD = 0.2
"""The share of items on which reporters err up to three times as often."""
LATER = 2000
"""Items that are asked after the calibration."""


class Errors(NamedTuple):
    """How reporters err on items of one state: in all worlds, each with its own rate."""

    rates: NDArray[np.float64]
    kind: str

    def draw(self, rng: np.random.Generator, items: int) -> NDArray[np.bool]:
        """Return who is wrong, items by reporters."""
        n = len(self.rates)
        luck, often = rng.random((items, n)), self.rates
        if self.kind == "err together":
            luck = np.repeat(luck[:, :1], n, axis=1)
        elif self.kind == "two groups":
            luck = luck[:, self._groups]
        elif self.kind == "hard items":
            easy, hard = self._easy_and_hard
            often = np.where(rng.random((items, 1)) < HARD, hard, easy)
        elif self.kind == "now and then all":
            at_once, alone = self._at_once
            return (rng.random((items, 1)) < at_once) | (luck < alone)
        wrong: NDArray[np.bool] = luck < often
        return wrong

    def joint(self) -> float:
        """Return how often two truthful reporters are both wrong, on average over pairs: exactly."""
        e = self.rates
        both = np.outer(e, e)
        if self.kind == "err together":
            both = np.minimum.outer(e, e)
        elif self.kind == "two groups":
            both = np.where(np.equal.outer(self._groups, self._groups), np.minimum.outer(e, e), both)
        elif self.kind == "hard items":
            easy, hard = self._easy_and_hard
            both = HARD * np.outer(hard, hard) + (1 - HARD) * np.outer(easy, easy)
        elif self.kind == "now and then all":
            at_once, alone = self._at_once
            both = at_once + (1 - at_once) * np.outer(alone, alone)
        truthful = both[K:, K:]
        size = len(truthful)
        return float((truthful.sum() - np.trace(truthful)) / (size * (size - 1)))

    @property
    def _groups(self) -> NDArray[np.int64]:
        return np.arange(len(self.rates)) % 2

    @property
    def _easy_and_hard(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        hard = np.minimum(0.95, 3 * self.rates)
        return (self.rates - HARD * hard) / (1 - HARD), hard

    @property
    def _at_once(self) -> tuple[float, NDArray[np.float64]]:
        at_once = float(self.rates.min())
        return at_once, (self.rates - at_once) / (1 - at_once)


def panels(rng: np.random.Generator, runs: int, items: int, kind: str) -> Iterator[tuple[bool, float, float, float]]:
    """Yield whether a bound failed, the guarantee, the worst case at the true rates, and the actual loss."""
    panel = bp.Panel(N, K)
    for _ in range(runs):
        prior = rng.uniform(0.2, 0.8)
        worlds = [Errors(rng.uniform(0.02, 0.3, N), kind) for _ in range(2)]
        truth = rng.random(items) < prior
        wrong = np.where(truth[:, None], worlds[1].draw(rng, items), worlds[0].draw(rng, items))
        if kind in ("pose as perfect", "answer all wrong"):
            wrong[:, :K] = kind == "answer all wrong"
        fpr, fnr = (float(world.rates[K:].mean()) for world in worlds)
        joint = worlds[1].joint(), worlds[0].joint()
        exact = bp.ExpertInterval((prior, prior), 1 - fnr, fpr, 1 - fnr, fpr, joint)
        known = Gold.from_matrix(~wrong, truth).expert_interval(panel, CONFIDENCE)
        failed = not (
            known.prior[0] <= prior <= known.prior[1]
            and known.tpr <= exact.tpr <= known.highest_tpr
            and known.lowest_fpr <= exact.fpr <= known.fpr
            and all(bound >= rate for bound, rate in zip(known.joint_error_rates, joint, strict=True))
        )
        rule = bp.rules.optimal_aggregator(panel, known, "squared")
        later = rng.random(LATER) < prior
        errs = np.where(later[:, None], worlds[1].draw(rng, LATER), worlds[0].draw(rng, LATER))
        errs[:, :K] = True
        measured = float(np.square(rule((errs ^ later[:, None]).sum(axis=1)) - later).mean())
        bound = rule.guarantee.expected_loss if rule.guarantee else np.nan
        yield failed, bound, bp.theory.pairwise_worst_loss(rule, panel, exact, "squared").upper, measured


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
    said = rng.random((items, N)) < rates[truth.astype(int)]
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
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    print(f"{N} reporters, {K} bribed, {CONFIDENCE:.0%} confidence, squared loss, {runs:,} panels in each row\n")
    print("| the panel | gold items | a bound failed | guarantee exceeded | guarantee | exact worst case | measured |")
    print("|---|---|---|---|---|---|---|")
    for kind in WORLDS:
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
