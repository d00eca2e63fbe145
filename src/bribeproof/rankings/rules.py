"""Rules that rank entries by judges' places: trimmed mean, median, Borda, points, pairwise majority."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bribeproof._text import count
from bribeproof._typing import FloatArray, IntArray
from bribeproof._validation import exact_fraction, validate_k
from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.rankings.contest import Contest

RULES = ("trimmed_mean", "borda", "median", "copeland")
"""The rules that are compared by default; ``points`` needs points besides."""
LOWEST_FIRST = ("trimmed_mean", "median")
"""The rules by which the lowest number is the best."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its parameters.

    Attributes
    ----------
    name
        ``"trimmed_mean"``, ``"median"``, ``"borda"``, ``"copeland"`` or ``"points"``.
    k
        How many of the lowest and of the highest places of each entry the trimmed mean leaves out; 0 of other rules.
    points
        The points for the first places, from the first on; further places have none.
    """

    name: str
    k: int = 1
    points: tuple[Fraction, ...] = ()

    def trimmed(self, reports: int) -> int:
        """Return how many places are left out at either end, of an entry with so many."""
        return self.k if self.name == "trimmed_mean" else (reports - 1) // 2

    def scores(self, contest: Contest) -> list[Fraction]:
        """Return the score of each entry; the highest is the best but for mean and median places."""
        if self.name == "copeland":
            return [Fraction(score, 2) for score in _copeland(contest.places)]
        if self.name in LOWEST_FIRST:
            return [self._middle(column[~np.isnan(column)]) for column in contest.places.T]
        table = self.points_table(contest)
        return [Fraction(int(total), table.scale) for total in table.points.sum(axis=0)]

    def merits(self, contest: Contest) -> list[Fraction]:
        """Return the scores with a sign such that the highest is the best."""
        sign = -1 if self.name in LOWEST_FIRST else 1
        return [sign * score for score in self.scores(contest)]

    def _middle(self, places: FloatArray) -> Fraction:
        """Return the trimmed mean of places."""
        left_out = self.trimmed(len(places))
        kept = np.sort(places)[left_out : len(places) - left_out]
        return Fraction(int(2 * kept.sum()), 2 * len(kept))

    def points_table(self, contest: Contest) -> "PointsTable":
        """Return what each judge gives each entry, as whole numbers; level entries share the points of their places."""
        places, ranked = contest.places, contest.ranked
        if self.name == "borda":
            last = np.zeros(len(ranked), dtype=np.int64)
            given = np.where(np.isnan(places), 0, 2 * (ranked[:, None] - np.nan_to_num(places)))
            return PointsTable(given.astype(np.int64), 2 * (ranked - 1), last, 2)
        sizes = [dict(zip(*np.unique(row[~np.isnan(row)], return_counts=True), strict=True)) for row in places]
        shares = math.lcm(*(int(size) for row in sizes for size in row.values()))
        scale = shares * math.lcm(*(points.denominator for points in self.points))
        whole = np.zeros(max(*ranked, len(self.points)) + 1, dtype=np.int64)
        whole[: len(self.points)] = [int(points * scale) for points in self.points]
        given = np.zeros(places.shape, dtype=np.int64)
        for judge, row in enumerate(sizes):
            for place, size in row.items():
                start = round(place - (size + 1) / 2)
                given[judge, places[judge] == place] = whole[start : start + size].sum() // size
        return PointsTable(given, whole[np.zeros_like(ranked)], whole[np.maximum(ranked - 1, 0)], scale)


@dataclass(frozen=True, slots=True)
class PointsTable:
    """The points that judges give to entries, and what each gives for the first and the last place, times a scale."""

    points: IntArray
    first: IntArray
    last: IntArray
    scale: int


def make_rule(name: object, k: object = 1, points: Sequence[object] | None = None) -> Rule:
    """Return a rule from arguments.

    Raises
    ------
    ParameterError
        If there is no such rule, or points are missing, rise, or are given for another rule.

    Examples
    --------
    >>> make_rule("points", points=[3, 1]).points
    (Fraction(3, 1), Fraction(1, 1))
    """
    if not isinstance(name, str):
        raise ParameterTypeError(f"rule={name!r}: give the name of a rule, one of {', '.join((*RULES, 'points'))}")
    if name not in (*RULES, "points"):
        raise ParameterError(f"rule={name!r}: use one of {', '.join((*RULES, 'points'))}")
    if (name == "points") != (points is not None):
        give = "give the points of the first places, such as points=[12, 10, 8] (--points 12,10,8)"
        need = give if points is None else "leave them out"
        raise ParameterError(f"rule={name!r} {'needs' if points is None else 'has no'} points: {need}")
    if points is None:
        trimmed = validate_k(k)
        return Rule(name, trimmed if name == "trimmed_mean" else 0)
    if isinstance(points, str | bytes) or not isinstance(points, Sequence | np.ndarray):
        raise ParameterTypeError(f"points={points!r}: give a list of numbers, such as [12, 10, 8]")
    given = tuple(exact_fraction("points", one, "falling order") for one in points)
    if not given or given[-1] < 0 or any(one < next_ for one, next_ in itertools.pairwise(given)):
        raise ParameterError(
            f"points={list(points)!r}: a better place has at least the points of the next, and none < 0"
        )
    if len(set(given)) == 1 and not given[0]:
        raise ParameterError(f"points={list(points)!r}: the first place needs more than 0 points")
    return Rule(name, 0, given)


def check_enough(rule: Rule, contest: Contest) -> None:
    """Raise an error unless each entry has enough places for the rule."""
    if len(contest.entries) < 2:
        raise DataError(f"{_of(contest)}there is one entry, {contest.entries[0]!r}: a ranking needs at least 2")
    counts = (~np.isnan(contest.places)).sum(axis=0)
    least = int(counts.argmin())
    need = 2 * rule.k + 1 if rule.name == "trimmed_mean" else 1
    if counts[least] < need:
        has = "no place" if not counts[least] else count(int(counts[least]), "place")
        most = max(0, (int(counts[least]) - 1) // 2)
        remedy = f"; with k={rule.k} each entry needs at least {need}: k={most} is the most (--k {most})"
        raise DataError(f"{_of(contest)}entry {contest.entries[least]!r} has {has}{remedy if need > 1 else ''}")


def _of(contest: Contest) -> str:
    """Return the beginning of a message about a contest."""
    return f"contest {contest.name!r}: " if contest.name else ""


def _copeland(places: FloatArray) -> list[int]:
    """Return twice the score of each entry: 2 for each entry that more judges put behind it than ahead, 1 for a tie."""
    scores = []
    for entry, column in enumerate(places.T):
        # comparisons with nan are false: a pair counts for judges who rank both
        lead = (column[:, None] < places).sum(axis=0) - (column[:, None] > places).sum(axis=0)
        scores.append(int((np.sign(np.delete(lead, entry)) + 1).sum()))
    return scores
