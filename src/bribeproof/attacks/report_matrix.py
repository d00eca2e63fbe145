"""Dense matrices of reports, items by reporters, and the reports of adversaries among them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof._validation import scale_ends
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.strategies import ABSENT, LabelKnowledge, ScoreKnowledge, Target
from bribeproof.errors import ParameterError

KINDS = ("votes", "labels", "scores")


@dataclass(frozen=True, slots=True, eq=False)
class ReportMatrix:
    """Reports, items by reporters, and the truth of the items.

    Attributes
    ----------
    reports
        Labels as int64 class indices, ABSENT where missing; or scores as float64, NaN where missing.
    truth
        The truth of each item, coded like the reports.
    gold
        Which items the adversaries know to be gold items.
    classes
        The number of classes; 0 for scores.
    positive
        The index of the class that counts as 1.
    scale
        The lowest and the highest possible score.
    """

    reports: ReportArray
    truth: ReportArray
    gold: BoolArray
    classes: int = 0
    positive: int = 1
    scale: tuple[float, float] = (0.0, 1.0)

    @property
    def present(self) -> BoolArray:
        """Which reports are not missing."""
        return ~np.isnan(self.reports) if self.classes == 0 else self.reports != ABSENT

    def lies(
        self,
        adversaries: IntArray,
        strategy: str,
        rng: np.random.Generator,
        *,
        counts: IntArray | None = None,
        copied: int | None = None,
        target: Target | None = None,
        answer_all: bool = False,
    ) -> ReportArray:
        """Return the reports that some reporters would give as adversaries, items by adversaries.

        Parameters
        ----------
        adversaries
            The columns of the adversaries.
        strategy
            One of `STRATEGIES`.
        rng
            The source of randomness.
        counts
            The number of reports of each class, items by classes; None to count them.
        copied
            The column of the reporter to copy.
        target
            The rule that ``"worst"`` is aimed at.
        answer_all
            Whether adversaries also answer items that they did not answer honestly.
        """
        if strategy == "copy" and copied is None:
            raise ParameterError("strategy='copy' needs copy=..., the reporter that is copied")
        if strategy != "copy" and copied is not None:
            raise ParameterError("copy=..., the reporter that is copied, goes with strategy='copy' and no other")
        own = self.reports[:, adversaries]
        answers = np.ones(own.shape, bool) if answer_all else self.present[:, adversaries]
        example = np.full(len(own), ABSENT) if copied is None else self.reports[:, copied]
        if self.classes == 0:
            return ScoreKnowledge(
                own=own,
                answers=answers,
                honest=_means(np.delete(self.reports, adversaries, axis=1)),
                truth=self.truth,
                gold=self.gold,
                copied=example,
                rng=rng,
                scale=self.scale,
            ).lies(strategy)
        total = histograms(self.reports, self.classes) if counts is None else counts
        return LabelKnowledge(
            own=own,
            answers=answers,
            honest=total - histograms(own, self.classes),
            truth=self.truth,
            gold=self.gold,
            copied=example,
            rng=rng,
            positive=self.positive,
            target=target,
        ).lies(strategy)


def histograms(labels: IntArray, classes: int) -> IntArray:
    """Return the number of reports of each class, items by classes.

    Examples
    --------
    >>> histograms(np.array([[0, 2, 2], [1, ABSENT, 1]]), classes=3)
    array([[1, 0, 2],
           [0, 2, 0]])
    """
    items = len(labels)
    cell = labels + 1 + (classes + 1) * np.arange(items)[:, None]
    counts = np.bincount(cell.ravel(), minlength=items * (classes + 1))
    return counts.reshape(items, classes + 1)[:, 1:]


def scale_of(scores: FloatArray, scale: Sequence[float] | None) -> tuple[float, float]:
    """Return the ends of the scale: as given, or the lowest and the highest score.

    Raises
    ------
    ParameterError
        If the scale is invalid, or a score is outside.
    """
    present = scores[~np.isnan(scores)]
    if scale is None:
        return (float(present.min()), float(present.max())) if present.size else (0.0, 1.0)
    low, high = scale_ends(scale)
    if present.size and not low <= present.min() <= present.max() <= high:
        raise ParameterError(f"scale=({low:g}, {high:g}): there are scores from {present.min():g} to {present.max():g}")
    return low, high


def check_kind(kind: object) -> None:
    """Raise an error unless the kind of report exists."""
    if kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: use one of {', '.join(KINDS)}")


def _means(scores: FloatArray) -> FloatArray:
    """Return the mean of each row without NaN; NaN if nothing is left."""
    present = ~np.isnan(scores)
    count = present.sum(axis=1)
    total = np.where(present, scores, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
