"""DeepEval: a metric that is a panel of metrics, of whom k may be bribed, whoever else fails."""

import asyncio
import copy
import inspect
import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from bribeproof._validation import real, validate_k
from bribeproof.errors import ParameterError
from bribeproof.jury import Grade, Verdict, decide, grade

__all__ = ["JuryMetric"]


class JuryMetric(BaseMetric):
    """The answer of a panel of metrics, each with a model of its own, of whom k may be bribed.

    Parameters
    ----------
    metrics
        The judges, each a metric of DeepEval or of your own. One that raises an error, or sets no score, is silent: it
        counts in the panel and does not lower k.
    k
        How many judges, or families, may be bribed.
    votes
        Whether the judges vote, each by its own threshold; else the score is their mean without the lowest and the
        highest scores, as many of each as k judges or families hold.
    threshold
        The least score that passes. A vote is 1 or 0.
    families
        The model family of each judge, in the order of the judges, None for a judge of no family.
    settled
        Whether the metric succeeds only where no k judges, or families, could have made it pass.

    Attributes
    ----------
    result : bribeproof.jury.Grade or bribeproof.jury.Verdict
        The answer and what it is worth; None before a measurement.
    score_breakdown
        The result as plain data, with the scores of the judges as ``"scores"`` and what failed as ``"errors"``.

    Raises
    ------
    ParameterError
        If there are no judges, k is negative, or `families` has another length.

    Notes
    -----
    Without an answer (a tie, or k judges who hold half of the scores or more) `score` is None, `error` says why and the
    metric does not succeed.
    """

    def __init__(
        self,
        metrics: Sequence[Any],
        k: int = 1,
        *,
        votes: bool = False,
        threshold: float = 0.5,
        families: Sequence[Any] | None = None,
        settled: bool = False,
    ) -> None:
        if not metrics:
            raise ParameterError("metrics is empty: give the judges")
        if families is not None and len(families) != len(metrics):
            raise ParameterError(
                f"families has {len(families)} entries for {len(metrics)} judges: give one for each, None for a judge "
                f"of no family"
            )
        # DeepEval copies a metric by its parameters, which it looks up under their names.
        self.metrics = metrics
        self.k = validate_k(k)
        self.votes = votes
        self.threshold = real("threshold", threshold)
        self.families = families
        self.settled = settled
        self.result: Grade | Verdict | None = None

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:  # noqa: ARG002  DeepEval's display
        """Ask all judges, one after another, and return the score; NaN without one."""
        judges = [_seated(metric) for metric in self.metrics]
        return self._settle(judges, [_attempt(judge, test_case) for judge in judges])

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:  # noqa: ARG002
        """Ask all judges at once, and return the score; NaN without one."""
        judges = [_seated(metric) for metric in self.metrics]
        asked = (judge.a_measure(test_case, **_quiet(judge.a_measure)) for judge in judges)
        ends = await asyncio.gather(*asked, return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException) and not isinstance(end, Exception):
                raise end
        return self._settle(judges, [end if isinstance(end, Exception) else None for end in ends])

    def is_successful(self) -> bool:
        """Return whether the panel passes; with `settled`, whether no k judges could have made it pass."""
        held = self.result is not None and (not self.settled or bool(self.result.settled))
        self.success = self.error is None and self.score is not None and self.score >= self.threshold and held
        return self.success

    def _settle(self, judges: list[Any], errors: list[Exception | None]) -> float:
        """Set score, reason and success from judges who were asked; return the score."""
        scores = [None if error else _score(judge) for judge, error in zip(judges, errors, strict=True)]
        if self.votes:
            passes = [None if score is None else _passes(judge) for judge, score in zip(judges, scores, strict=True)]
            self.result = decide(passes, self.k, families=self.families)
        else:
            self.result = grade(scores, self.k, families=self.families, threshold=self.threshold)
        told = [None if error is None else f"{type(error).__name__}: {error}" for error in errors]
        self.score_breakdown = self.result.as_dict() | {"scores": scores, "errors": told}
        costs = [judge.evaluation_cost for judge in judges if judge.evaluation_cost is not None]
        self.evaluation_cost = sum(costs) if costs else None
        answer = self.result.answer
        self.score = None if answer is None else float(answer)
        self.reason = self.result.summary()
        self.error = self.reason.splitlines()[-1] if answer is None else None
        self.is_successful()
        return math.nan if self.score is None else self.score

    @property
    def __name__(self) -> str:
        """The name that DeepEval shows."""
        return f"Jury of {len(self.metrics)} (k = {self.k})"


def _seated(metric: Any) -> Any:
    """Return a copy of a metric that knows nothing of what it measured before."""
    judge = copy.copy(metric)
    judge.score = judge.error = judge.success = None
    return judge


def _attempt(judge: Any, test_case: LLMTestCase) -> Exception | None:
    """Ask a judge; return the error that it raises."""
    try:
        judge.measure(test_case, **_quiet(judge.measure))
    except Exception as error:
        return error
    return None


def _quiet(measure: Any) -> dict[str, bool]:
    """Return the argument that keeps a metric of DeepEval from a progress bar of its own, if it takes it."""
    named = inspect.signature(measure).parameters
    return {"_show_indicator": False} if "_show_indicator" in named else {}


def _score(judge: Any) -> float | None:
    """Return the score of a judge; None if it has none."""
    score = judge.score
    known = isinstance(score, Real) and math.isfinite(score) and judge.error is None
    return float(score) if known else None


def _passes(judge: Any) -> bool | None:
    """Return whether a judge passes the case by its own threshold; None if it does not say, or cannot."""
    try:
        passes = judge.is_successful()
    except Exception:
        return None
    return None if passes is None else bool(passes)
