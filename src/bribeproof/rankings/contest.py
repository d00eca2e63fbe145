"""One contest: the places that judges give to entries, and which judges are bribed together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from bribeproof._typing import FloatArray, IntArray


@dataclass(frozen=True)
class Contest:
    """The rankings of the entries of one contest.

    Attributes
    ----------
    name
        The name of the contest; empty if there is only one.
    entries, judges
        Their names.
    places : array of shape (judges, entries)
        The place that each judge gives to each entry, 1 the best; nan where a judge gives none. Entries at the same
        place share the mean of the places that they take up, so that two at the top have 1.5 each.
    groups
        The names of the groups; one bribe buys one group.
    group_of : array of shape (judges,)
        The group of each judge, an index into ``groups``.
    prices
        What a bribe of each group costs; empty if bribes are counted.
    """

    name: str
    entries: tuple[str, ...]
    judges: tuple[str, ...]
    places: FloatArray
    groups: tuple[str, ...]
    group_of: IntArray
    prices: tuple[Fraction, ...] = ()

    @classmethod
    def from_places(
        cls,
        entries: Sequence[str],
        judges: Sequence[str],
        places: FloatArray,
        *,
        name: str = "",
        groups: Sequence[str] | None = None,
    ) -> "Contest":
        """Return a contest from places of which only the order counts; by default each judge is a group.

        Examples
        --------
        >>> Contest.from_places(["a", "b", "c"], ["J1"], np.array([[1.0, 1.0, 3.0]])).places.tolist()
        [[1.5, 1.5, 3.0]]
        """
        of = tuple(judges if groups is None else groups)
        names = tuple(dict.fromkeys(of))
        index = {group: position for position, group in enumerate(names)}
        numbers = np.array([index[group] for group in of], dtype=np.int64)
        return cls(name, tuple(entries), tuple(judges), mean_places(places), names, numbers)

    @cached_property
    def ranked(self) -> IntArray:
        """How many entries each judge ranks."""
        return np.asarray((~np.isnan(self.places)).sum(axis=1))

    @property
    def complete(self) -> bool:
        """Whether every judge ranks every entry."""
        return not np.isnan(self.places).any()

    def with_bribed(self, bribed: Sequence[int], first: int, last: int) -> "Contest":
        """Return the contest after the judges of some groups put one entry first and another last.

        The judges rank the entries that they ranked before, and keep the order of the others.
        """
        places = self.places.copy()
        rows = np.isin(self.group_of, bribed)
        for entry, end in ((first, -np.inf), (last, np.inf)):
            places[rows & ~np.isnan(places[:, entry]), entry] = end
        return replace(self, places=mean_places(places))


def mean_places(places: FloatArray) -> FloatArray:
    """Return places as numbers from 1: entries that are level share the mean of the places that they take up."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(places, method="average", axis=1, nan_policy="omit"), dtype=np.float64)
