"""Compute the numbers of the pictures that draw_theory.py draws for the concept pages in docs/theory."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import bribeproof as bp
from bribeproof.weighting.learn import limits_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERDICTS = Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "llm_judges" / "verdicts.csv"


# The effective expert: two truths that look the same.

TEN, EXPERT = bp.Panel(n=10, k=2), bp.Expert(prior=0.5, tpr=0.8, fpr=0.1)


@dataclass(frozen=True, slots=True)
class Sight:
    """One case given a truth: how often it is so, and how many truthful and bribed reporters say positive."""

    positive: bool
    share: float
    truthful: int
    bribed: int

    @property
    def seen(self) -> int:
        """Return the number of positive reports."""
        return self.truthful + self.bribed


def disguise(panel: bp.Panel, expert: bp.Expert) -> list[Sight]:
    """Return the four cases of Lemma 2.3: the bribed say the opposite of the truth, and both truths look the same."""
    left, k = panel.effective(expert), panel.k
    return [
        Sight(positive, share if seen > k else 1 - share, seen - bribed, bribed)
        for seen in (panel.n - k, k)
        for positive, share, bribed in ((True, left.tpr, 0), (False, left.fpr, k))
    ]


# Pairs: what more reporters bring.

CORRELATIONS = (1.0, 0.4, 0.1, 0.05, 0.0)
SIZES = (10, 20, 40, 80, 160, 320, 640)


def losses(correlation: float) -> list[float]:
    """Return the least largest expected loss of panels of growing size, of whom one in ten is bribed."""
    expert = bp.Expert(prior=0.5, tpr=0.7, fpr=0.3, correlation=correlation)
    return [bp.theory.pairwise_minimax(bp.Panel(n, n // 10), expert).upper for n in SIZES]


# What a guarantee means: errors that a guarantee allows, beside those of the prior alone.

NINE, VOTER = 9, bp.Expert(prior=0.5, tpr=0.8, fpr=0.2)


def guaranteed_errors() -> tuple[list[float], float]:
    """Return the errors per 100 items that a panel guarantees for each k, and those of the prior alone."""
    found = []
    for k in range((NINE + 1) // 2):
        promised = bp.rules.optimal_aggregator(bp.Panel(NINE, k), VOTER, "absolute").guarantee
        found.append(100 * promised.expected_loss if promised else np.nan)
    return found, 100 * bp.theory.prior_alone(VOTER, "absolute")


# Certified accuracy: how far ahead the truth is.


def leads() -> "NDArray[np.int64]":
    """Return by how many verdicts the truth leads the other answer, for each pair that six language models judged."""
    verdicts = pl.read_csv(VERDICTS)
    votes = bp.aggregate_labels(verdicts, k=0, item="task", judges=verdicts.columns[1:-1])
    for_first = ((votes["share_A>B"] - votes["share_B>A"]) * votes["m"]).round().to_numpy().astype(np.int64)
    lead: NDArray[np.int64] = np.where(verdicts["truth"].to_numpy() == "A>B", for_first, -for_first)
    return lead


def robust_pairs() -> list[tuple[int, int]]:
    """Return for each k on how many pairs the majority is right whatever k judges say."""
    verdicts = pl.read_csv(VERDICTS)
    by_k = bp.certify(verdicts, "truth", item="task", judges=verdicts.columns[1:-1], k=2).by_k
    return list(by_k.select("k", "robust").iter_rows())


# One list: what each person can turn.

LABELS = pl.DataFrame({
    "photo": [1, 2, 3, 4, 5],
    "ann": ["cat", "dog", "dog", "cat", "cat"],
    "bob": ["cat", "cat", "dog", "dog", "cat"],
    "cem": ["cat", "cat", "cat", "dog", "dog"],
    "dee": ["dog", "cat", "cat", "cat", "dog"],
    "eva": ["dog", "dog", "cat", "cat", "cat"],
})  # fmt: skip


def turned() -> "NDArray[np.bool_]":
    """Return for each photo and person whether the decision changes when this person says the other animal."""
    people = LABELS.columns[1:]

    swapped = [LABELS.with_columns(pl.col(name).replace({"cat": "dog", "dog": "cat"})) for name in people]
    before, *after = (bp.aggregate_labels(one, k=1, item="photo", judges=people) for one in (LABELS, *swapped))
    return np.column_stack([(table["decision"] != before["decision"]).to_numpy() for table in after])


# Weights: what the bribed can weigh, and what that costs.

SPREADS = np.linspace(0, 0.9, 91)
HONEST = bp.Expert(prior=0.5, tpr=0.9, fpr=0.1)


def bribed_weight(panel: bp.Panel) -> "NDArray[np.float64]":
    """Return the largest share of the weight that k reporters may hold, at each weight spread."""
    limits = [limits_of(np.array([panel.n]), panel.k, float(spread))[0] for spread in SPREADS]
    return panel.k * np.array(limits)


def weighed_errors(panel: bp.Panel) -> "NDArray[np.float64]":
    """Return the errors per 100 items that weights with each spread guarantee, if honest reporters err on 10."""
    factors = [bp.theory.error_inflation(panel, float(spread)) for spread in SPREADS]
    alone = bp.theory.prior_alone(HONEST, "absolute")
    return 100 * np.array([min(alone, factor * (1 - HONEST.tpr)) for factor in factors])
