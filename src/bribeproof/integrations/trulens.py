"""TruLens: juries of whose judges k may be bribed, and who fails, whoever that is, changes neither n nor k.

`Jury` of TruLens hands an aggregation the scores of those who answered. `bribeproof_trimmed` and `bribeproof_vote` are
told how many were asked; `BribeproofJury` tells them, and says beside each score what it is worth.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trulens.feedback.jury import Jury

from bribeproof._validation import real, validate_k, whole_number
from bribeproof.errors import ParameterError
from bribeproof.jury import Grade, Verdict, decide, grade

__all__ = ["BribeproofJury", "bribeproof_trimmed", "bribeproof_vote"]


@dataclass(frozen=True, slots=True)
class _Aggregation:
    """The aggregation of a jury of n judges, of whom k may be bribed."""

    k: int
    n: int
    threshold: float
    votes: bool

    def __call__(self, scores: Sequence[float]) -> float:
        """Return the answer to one item; NaN for a tie, and where k judges decide alone."""
        answer = self.settle(scores).answer
        return math.nan if answer is None else float(answer)

    def __str__(self) -> str:
        """Name it, as TruLens does in its reasons."""
        return f"{'vote' if self.votes else 'trimmed mean'}, k = {self.k} of {self.n}"

    def settle(self, scores: Sequence[float]) -> Grade | Verdict:
        """Return the answer to one item and what it is worth."""
        if len(scores) > self.n:
            raise ParameterError(f"n={self.n} and there are {len(scores)} scores: give the number of all jurors")
        given = [score if math.isfinite(score) else None for score in scores]
        silent = [None] * (self.n - len(given))
        if not self.votes:
            return grade([*given, *silent], self.k, threshold=self.threshold)
        return decide([*(None if one is None else one >= self.threshold for one in given), *silent], self.k)


def _aggregation(k: int, n: int, threshold: float, *, votes: bool) -> _Aggregation:
    """Return the aggregation, its arguments checked."""
    return _Aggregation(validate_k(k), whole_number("n", n, minimum=1), real("threshold", threshold), votes)


def bribeproof_trimmed(k: int, n: int, threshold: float = 0.5) -> _Aggregation:
    """Return an aggregation for ``Jury(aggregation=...)``: the mean without the k lowest and the k highest scores.

    Parameters
    ----------
    k
        How many jurors may be bribed. For model families give the number of jurors that they have together: TruLens
        does not tell an aggregation whose scores it is handed.
    n
        How many jurors there are, whether they answer or fail.
    threshold
        The least score that passes.

    Returns
    -------
    callable
        From the scores of those who answered to one score; NaN where k jurors hold half of the scores or more.

    Raises
    ------
    ParameterError
        If k is negative or n below 1; when it is called, if there are more scores than jurors.

    Examples
    --------
    >>> combine = bribeproof_trimmed(k=1, n=5)
    >>> combine([0.8, 0.9, 0.7, 0.0]), combine([0.9, 0.0])
    (0.75, nan)
    """
    return _aggregation(k, n, threshold, votes=False)


def bribeproof_vote(k: int, n: int, threshold: float = 0.5) -> _Aggregation:
    """Return an aggregation for ``Jury(aggregation=...)``: whether more jurors pass an item than fail it.

    Parameters
    ----------
    k, n, threshold
        As in `bribeproof_trimmed`; a juror passes an item by a score of at least the threshold.

    Returns
    -------
    callable
        From the scores of those who answered to 1 or 0; NaN for a tie, and where k jurors hold half of the scores or
        more.

    Raises
    ------
    ParameterError
        As in `bribeproof_trimmed`.

    Examples
    --------
    >>> combine = bribeproof_vote(k=1, n=4)
    >>> combine([0.8, 0.9, 0.2]), combine([0.8, 0.2, 0.3, 0.9])
    (1.0, nan)
    """
    return _aggregation(k, n, threshold, votes=True)


class BribeproofJury(Jury):
    """A jury of TruLens, of whose jurors k may be bribed.

    Parameters
    ----------
    jurors
        The providers; each counts, whether it answers or fails.
    method
        The name of the feedback method to call on each.
    k
        As in `bribeproof_trimmed`.
    votes
        Whether the score is that of `bribeproof_vote` instead of `bribeproof_trimmed`.
    threshold
        The least score that passes.
    max_workers
        As in `Jury`.

    Notes
    -----
    Beside TruLens's own keys the details have ``bribeproof.n``, ``.m`` (who answered), ``.k``, ``.status``,
    ``.flips_needed`` (scores to rewrite so that the item no longer passes, or fails; -1 without an answer),
    ``.range_low`` and ``.range_high`` (what k jurors could have made of the score; of a vote, of the share for the
    answer) and ``.settled`` (whether no k jurors could have changed if the item passes). If all jurors fail, TruLens
    raises ``RuntimeError`` as ever.
    """

    def __init__(
        self,
        jurors: list[Any],
        method: str,
        k: int = 1,
        *,
        votes: bool = False,
        threshold: float = 0.5,
        max_workers: int | None = None,
    ) -> None:
        self._settles = _aggregation(k, max(1, len(jurors)), threshold, votes=votes)
        super().__init__(jurors, method, self._settles, threshold=threshold, max_workers=max_workers)

    def _call_juror(self, juror: Any, args: Any, kwargs: Any) -> Any:
        """Ask one juror; a score that is not finite, which would end TruLens's evaluation, is no answer."""
        said = super()._call_juror(juror, args, kwargs)
        score = said[0] if isinstance(said, tuple) else said
        if not math.isfinite(float(score)):
            raise ValueError(f"no score: {score}")
        return said

    def __call__(self, *args: Any, **kwargs: Any) -> tuple[float, dict[str, Any]]:
        """Ask all jurors, and return the score with what it is worth."""
        score, details = super().__call__(*args, **kwargs)
        result = self._settles.settle(details["reliability.scores"])
        told = {
            "n": result.seats.n, "m": result.seats.m, "k": result.seats.k, "status": result.status,
            "flips_needed": -1 if result.flips_needed is None else result.flips_needed, "settled": bool(result.settled),
        }  # fmt: skip
        ends = {} if result.range is None else dict(zip(("range_low", "range_high"), result.range, strict=True))
        added = {f"bribeproof.{name}": value for name, value in (told | ends).items()}
        _, *worth = result.summary().splitlines()  # the first line names who is silent, which TruLens does not tell
        reason = [details["reason"], f"{result.seats.m} of {result.seats.n} jurors gave a score.", *worth]
        return score, details | added | {"reason": "\n".join(reason)}
