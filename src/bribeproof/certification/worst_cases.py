"""What k bribed reporters can make of the answer to a gold item: plurality, weights, and rules of the lead."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.certification.gold_reports import SILENT, GoldReports
from bribeproof.frames.label_classes import UNKNOWN

ROUNDING = 1e-9
"""Weights that differ by less than this share of all weight tie: the difference may be rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class WorstCase:
    """The worst that some number of bribed reporters can do to each gold item.

    Attributes
    ----------
    robust
        Whether the answer is right, and stays right.
    share
        The least share of the true class that they can cause; None for a rule that answers with labels alone.
    """

    robust: BoolArray
    share: FloatArray | None


Attack: TypeAlias = Callable[[int], WorstCase]
"""Function of a number of bribed reporters that returns the worst that they can do."""


def plurality(gold: GoldReports) -> Attack:
    """Return the attack on the plurality, whose ties are wrong, and on the share of the true class.

    Notes
    -----
    docs/theory.md, Proposition 13.3: nothing that k reporters can do, silence and more reports included, is worse than
    k rewritten reports.
    """
    (truth, lead), sizes = supporters_and_lead(gold), np.maximum(gold.sizes, 1)
    return lambda k: WorstCase(lead > 2 * k, np.maximum(truth - k, 0) / sizes)


def supporters_and_lead(gold: GoldReports) -> tuple[IntArray, IntArray]:
    """Return the number of reports of the truth of each item, and how far it leads every other class."""
    counts, rows = gold.counts(), np.arange(len(gold.truth))
    truth = np.where(gold.truth == UNKNOWN, 0, counts[rows, gold.truth])
    known = rows[gold.truth != UNKNOWN]
    counts[known, gold.truth[known]] = 0
    return truth, truth - counts.max(axis=1)


def weighted(gold: GoldReports, weights: FloatArray) -> Attack:
    """Return the attack on the weighted plurality, whose ties are wrong, and on the weighted share of the true class.

    A rewritten report of the truth moves the lead by twice its weight; a report of another class that turns into the
    rival, or a report of somebody who was silent, by its weight. The k largest count.

    Notes
    -----
    docs/theory.md, Proposition 13.3.
    """
    sheets = gold.sheets()
    known = gold.truth != UNKNOWN
    rights = (sheets == gold.truth[:, None]) & known[:, None]
    borne = np.zeros(len(sheets), np.int64)
    least = ROUNDING * float(weights.sum())
    for index in np.flatnonzero(known):
        sheet, right = sheets[index], rights[index]
        rivals = {*sheet.tolist(), len(gold.classes.labels)} - {SILENT, int(gold.truth[index])}
        for_each = []
        for rival in rivals:
            lead = float(weights[right].sum() - weights[sheet == rival].sum())
            swings = np.sort(weights * (1.0 + right) * (sheet != rival))[::-1]
            for_each.append(int((lead - np.concatenate([[0.0], swings.cumsum()]) > least).sum()))
        borne[index] = min(for_each)

    def worst(k: int) -> WorstCase:
        rows = zip(rights, sheets == SILENT, strict=True)
        return WorstCase(borne > k, np.array([_least_share(weights, right, silent, k) for right, silent in rows]))

    return worst


def _least_share(weights: FloatArray, right: BoolArray, silent: BoolArray, k: int) -> float:
    """Return the least weighted share of the truth that k reporters can cause.

    Each of them takes a weight from the truth, or adds one against it where silent. Dinkelbach's method: the share is
    below λ if the weight of the truth less λ times all weight can be made negative.
    """
    held, total = float(weights[right].sum()), float(weights[~silent].sum())
    least = held / total if total > 0 else 0.0
    while least > 0:
        gain = weights * (right + least * silent)
        chosen = np.argsort(-gain, kind="stable")[:k]
        left = held - float(weights[chosen][right[chosen]].sum())
        lower = max(left, 0.0) / (total + float(weights[chosen][silent[chosen]].sum()))
        if lower >= least - 1e-15:
            break
        least = lower
    return 0.0 if least < ROUNDING else least


def furthest_leads(gold: GoldReports, k: int) -> FloatArray:
    """Return the least lead of the truth over the other of two classes that k reporters can cause.

    They rewrite reports of the truth, which moves the lead by two, and then add reports where somebody is silent.
    """
    truth, lead = supporters_and_lead(gold)
    rewritten = np.minimum(truth, k)
    added = np.minimum(k - rewritten, len(gold.reporters) - gold.sizes)
    furthest: FloatArray = (lead - 2 * rewritten - added).astype(np.float64)
    return furthest
