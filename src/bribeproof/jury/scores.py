"""One item's scores of a jury: the trimmed mean, its range, and whether k judges decide if a threshold is reached."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np

from bribeproof._text import count, format_name, format_number, shorten
from bribeproof._validation import real, scale_ends
from bribeproof.aggregation.exact_sums import MOST_DECIMALS
from bribeproof.aggregation.kernels.group_ranges import worst_windows
from bribeproof.aggregation.kernels.status import OK
from bribeproof.errors import DataError
from bribeproof.frames.values.float_limit import LIMIT
from bribeproof.jury.seats import Answers, Families, Seats
from bribeproof.theory.bribery.bribes import Bribes

_MOST_SETS = 5_000
"""Silent judges of so many sets of k families are tried; of more they could do anything."""


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade that a jury gives to one item.

    Attributes
    ----------
    answer
        The mean of the scores without the lowest and the highest, as many of each as k judges or families hold; None
        unless `status` is ``"ok"``.
    range : tuple of two floats
        The lowest and the highest answer that k judges, or families, could have caused by the scores they gave; None
        without an answer. Single judges could not have left it by speaking instead of staying silent, either; a family
        some of whose judges are silent may.
    passed
        Whether the answer is at least the threshold; None without either.
    flips_needed
        The fewest scores to rewrite so that `passed` changes; None without a threshold or an answer, and where no
        scores on the scale would do.
    status
        ``"ok"``; ``"not certified"``: k judges, or families, hold half of the scores or more; ``"no reports"``.
    threshold
        The threshold; None without one.
    settled
        Whether `passed` would be the same whatever k judges, or families, say instead, those of them included who are
        silent; None without a threshold. Of too many families it may be False where they could not change it.
    seats
        The judges who were asked, who of them is silent, and k.
    """

    answer: float | None
    range: tuple[float, float] | None
    passed: bool | None
    flips_needed: int | None
    status: str
    threshold: float | None
    settled: bool | None
    seats: Seats

    def as_dict(self) -> dict[str, Any]:
        """Return the grade as plain data of JSON types."""
        return {
            "answer": self.answer, "range": None if self.range is None else list(self.range), "passed": self.passed,
            "threshold": self.threshold, "flips_needed": self.flips_needed, "status": self.status,
            "settled": self.settled, "panel": self.seats.as_dict(),
        }  # fmt: skip

    def summary(self) -> str:
        """Return the grade and what it is worth, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences of the summary."""
        yield self.seats.describe()
        if self.answer is None or self.range is None:
            yield self.seats.why()
            return
        low, high = map(_rounded, self.range, (ROUND_FLOOR, ROUND_CEILING))
        mean = format_number(self.answer)
        if self.threshold is not None and self.threshold != self.answer and mean == format_number(self.threshold):
            mean = repr(self.answer)
        if self.seats.k:
            who = self.seats.bribed
            given = " by rewriting the scores it gave" if self.seats.k == 1 else " by rewriting the scores they gave"
            spoken = given * (self.seats.families is not None and bool(self.seats.silent))
            yield f"The trimmed mean is {mean}; {who} cannot take it out of {low} to {high}{spoken}."
        else:
            yield f"The mean is {mean}; nobody is taken to be bribed (k = 0)."
        if self.threshold is not None:
            needed = "no scores" if self.flips_needed is None else count(self.flips_needed, "score")
            met = "reached" if self.passed else "missed"
            yield f"The threshold of {format_number(self.threshold)} is {met}; {needed} rewritten would change that."


def _rounded(value: float, rounding: str) -> str:
    """Return a number with six significant digits, rounded up or down."""
    return format_number(float(Context(prec=6, rounding=rounding).create_decimal(repr(value))))


def grade(
    scores: Answers,
    k: int,
    *,
    families: Families | None = None,
    threshold: float | None = None,
    scale: tuple[float, float] | None = None,
) -> Grade:
    """Return the grade of a jury for one item, of whose judges k may be bribed.

    The scores of as many judges as k hold are dropped at either end, and the others averaged: whoever is bribed, the
    result lies within the range of what honest judges say.

    Parameters
    ----------
    scores
        What each judge gives: a mapping from judges to numbers, or a list of numbers in the order of the judges. None
        and NaN stand for a judge who failed: such a judge counts in n and does not lower k.
    k, families
        As in `decide`.
    threshold
        The least grade that passes.
    scale
        The lowest and the highest possible score: any other is an error.

    Returns
    -------
    Grade
        The trimmed mean, the range that k could have caused, and whether they decide if the threshold is reached.

    Raises
    ------
    DataError
        If there are no judges, or a score is no finite number or off the scale.
    ParameterError
        If k is negative, a list of families has another length, or the scale is no scale.
    ParameterTypeError
        If an argument is of another type.

    Notes
    -----
    The same as a row of `bribeproof.aggregate_scores`, which is for many items in a table. docs/theory.md §10.

    Examples
    --------
    >>> mark = grade({"gpt": 7, "claude": 8, "llama": 7.5, "qwen": 10, "phi": None}, k=1, threshold=7)
    >>> mark.answer, mark.range, mark.passed, mark.flips_needed
    (7.75, (7.25, 9.0), True, 2)
    """
    seats, given = Seats.read(scores, k, families)
    ends = (-math.inf, math.inf) if scale is None else scale_ends(scale)
    values = sorted(_score(judge, value, ends) for judge, value in given.items())
    line = None if threshold is None else real("threshold", threshold)
    if seats.status != OK:
        return Grade(None, None, None, None, seats.status, line, None if line is None else False, seats)
    answer = _trimmed_mean(values, seats.held)
    passed = None if line is None else answer >= line
    flips = None if line is None else _flips_needed(values, seats.held, line, ends)
    ends_of_range = _range(seats, given)
    low, high = _spoken_range(seats, given) if seats.families is not None and seats.silent else ends_of_range
    settled = None if line is None else (low >= line) == (high >= line)
    return Grade(answer, ends_of_range, passed, flips, seats.status, line, settled, seats)


def _trimmed_mean(values: Sequence[float], trim: int) -> float:
    """Return the mean of sorted scores without so many at either end."""
    return _mean(values[trim : len(values) - trim])


def _mean(values: Sequence[float]) -> float:
    """Return the mean of scores, rounded once: of their decimals if they have few, as in a table."""
    infinite = next((value for value in values if math.isinf(value)), None)
    if infinite is not None:
        return infinite
    few = all(round(value, MOST_DECIMALS) == value for value in values)
    return float(sum(Fraction(repr(value)) if few else Fraction(value) for value in values) / len(values))


def _range(seats: Seats, given: Mapping[Any, float]) -> tuple[float, float]:
    """Return the lowest and the highest trimmed mean that k judges, or families, could have caused.

    Of families every choice of k is tried, as in a table; of too many, any judges are, so that the range may be wider.
    """
    judges = sorted(given, key=given.__getitem__)
    values = [float(given[judge]) for judge in judges]
    if seats.families is not None:
        unit = seats.units()
        _, group = np.unique([unit[judge] for judge in judges], return_inverse=True)
        bribes = Bribes(group, (Fraction(1),) * (int(group.max()) + 1), Fraction(seats.k))
        start, stop, trim = (np.array([end]) for end in (0, len(judges), seats.held))
        tried, windows = worst_windows(np.array(values), group, start, stop, trim, np.array([True]), bribes)
        if len(tried):
            low, high = (_mean([values[place] for place in places[0] if place >= 0]) for places in windows.values())
            return low, high
    rewritten = 2 * seats.held
    return _mean(values[: len(values) - rewritten]), _mean(values[rewritten:])


def _spoken_range(seats: Seats, given: Mapping[Any, float]) -> tuple[float, float]:
    """Return between what the trimmed mean stays if k families say something else, and those of them speak who did not.

    The more of the bribed speak, all below or all above the others, the further they take it: as many scores as they
    have are dropped at one end, and of the others' scores as many at the other end.
    """
    families: dict[int, list[Any]] = {}
    for judge, unit in seats.units().items():
        families.setdefault(unit, []).append(judge)
    k = min(seats.k, len(families))
    if math.comb(len(families), k) > _MOST_SETS:
        return min(given.values()), max(given.values())
    lows, highs = [], []
    for bribed in combinations(families, k):
        others = [[judge for judge in families[unit] if judge in given] for unit in families if unit not in bribed]
        honest = sorted(given[judge] for family in others for judge in family)
        spoken = [len(families[unit]) for unit in bribed]
        trim = sum(sorted([*map(len, others), *spoken], reverse=True)[:k])
        left, right = trim - sum(spoken), len(honest) - trim
        if right > left:
            lows.append(honest[left:right])
            highs.append(honest[len(honest) - right : len(honest) - left])
        else:  # if all of them speak there is no answer; if some do it is between these
            lows.append(honest[:1])
            highs.append(honest[-1:])
    return _mean(min(lows, key=fmean)), _mean(max(highs, key=fmean))


def _flips_needed(values: Sequence[float], trim: int, threshold: float, ends: tuple[float, float]) -> int | None:
    """Return the fewest of the sorted scores to rewrite so that the trimmed mean changes sides; None if none do."""
    passed = _trimmed_mean(values, trim) >= threshold

    def changes(number: int) -> int:
        """Return 1 where so many rewritten scores are enough, else 0."""
        rewritten = [ends[0]] * number + [*values[:-number]] if passed else [*values[number:]] + [ends[1]] * number
        return int((_trimmed_mean(rewritten, trim) >= threshold) != passed)

    number = bisect_left(range(1, len(values) + 1), 1, key=changes) + 1
    return number if number <= len(values) else None


def _score(judge: Any, value: Any, ends: tuple[float, float]) -> float:
    """Return a score as a float; raise an error unless it is a finite number on the scale."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
        raise DataError(
            f"judge {format_name(judge)} gives {shorten(value)}, which is no score: give a finite number, and None for "
            f"a judge who failed"
        )
    if not ends[0] <= value <= ends[1]:
        raise DataError(
            f"judge {format_name(judge)} gives {value:g}, off the scale from {ends[0]:g} to {ends[1]:g}: correct it, "
            f"or give None if the judge failed"
        )
    if isinstance(value, int) and abs(value) > LIMIT:
        raise DataError(
            f"judge {format_name(judge)} gives {value}, which is beyond 2**53 and would be rounded: subtract a common "
            f"offset from all scores"
        )
    return float(value)


def _finite(value: float) -> bool:
    """Return whether a number is finite; one of so many digits that no float holds it is not."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
