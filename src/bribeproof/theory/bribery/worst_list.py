"""The k reporters who could change most of a table, with a proven upper bound."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import BoolArray, FloatArray
from bribeproof._validation import real, whole_number
from bribeproof.errors import ParameterError
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.integer_program import solve_list
from bribeproof.theory.bribery.small_lists import MOST_MEMBERS, best_small_list

_MOST_COUNTED = 1500
"""The most reporters of whom all lists of three are counted; of two, ten times as many."""


@dataclass(frozen=True, slots=True, eq=False)
class WorstList:
    """A list of reporters, what it could change, and a bound of what any list of as many could.

    Parameters
    ----------
    members : tuple of int
        The numbers of the reporters, ascending.
    changed : bool array of shape (items,)
        The items that they could change.
    lower : float
        The value of these items.
    upper : float
        No list of as many reporters changes more.
    method : str
        "counting" where all lists were counted, else "integer program".
    """

    members: tuple[int, ...]
    changed: BoolArray
    lower: float
    upper: float
    method: str

    @property
    def exact(self) -> bool:
        """Whether no list changes more, up to rounding."""
        return self.upper - self.lower <= 1e-9 * max(1.0, self.upper)


def worst_list(ballots: Ballots, k: int, *, values: ArrayLike | None = None, time_limit: float = 60.0) -> WorstList:
    """Return the k reporters who, if bribed together on all items, could change most of them.

    Parameters
    ----------
    ballots : Ballots
        The reports.
    k : int
        How many reporters are bribed, at least 0.
    values : array of shape (items,), optional
        What each item counts, at least 0; by default 1.
    time_limit : float, default 60
        Seconds for the integer program, which is used for lists that are too many to count.

    Returns
    -------
    WorstList
        The best list that was found, and a bound that holds in any case.

    Raises
    ------
    ParameterError
        A k below 0, values that are none, or a time limit that is not positive.

    Notes
    -----
    docs/theory.md §14. Items without a unique winner count for nothing: they are not decided.

    Examples
    --------
    >>> item, reporter = np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4)
    >>> ballots = Ballots(item, reporter, [1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0], items=4, reporters=3, classes=2)
    >>> one = worst_list(ballots, 1)
    >>> one.members, one.lower, one.exact
    ((0,), 3.0, True)
    """
    k = min(whole_number("k", k, minimum=0), ballots.reporters)
    worth = _values(ballots, values)
    if real("time_limit", time_limit) <= 0:
        raise ParameterError(f"time_limit = {time_limit} is no number of seconds above 0")
    if k == 0 or not (ballots.winner >= 0).any():
        return WorstList((), np.zeros(ballots.items, bool), 0.0, 0.0, "counting")
    if k <= MOST_MEMBERS and ballots.reporters <= _MOST_COUNTED * (10 if k < MOST_MEMBERS else 1):
        members = best_small_list(ballots, k, worth).members
        found = _replay(ballots, members, worth)
        return WorstList(*found, found[2], "counting")
    result = solve_list(ballots, k, worth, time_limit)
    start = result.members or _heaviest(ballots, k, worth)
    members, changed, value = max(
        (_replay(ballots, one, worth) for one in (start, _swapped(ballots, start, k, worth))), key=lambda one: one[2]
    )
    total = float(worth[(ballots.winner >= 0) & (ballots.margin <= 2 * k)].sum())
    upper = max(value, min(total, _floored(result.upper, worth)))
    return WorstList(members, changed, value, upper, "integer program")


def _values(ballots: Ballots, values: ArrayLike | None) -> FloatArray:
    """Return what the items count."""
    if values is None:
        return np.ones(ballots.items)
    worth = np.asarray(values, dtype=np.float64)
    if worth.shape != (ballots.items,) or not (np.isfinite(worth) & (worth >= 0)).all():
        raise ParameterError(f"values of shape {worth.shape}: give {ballots.items} numbers of at least 0")
    return worth


def _replay(ballots: Ballots, members: tuple[int, ...], worth: FloatArray) -> tuple[tuple[int, ...], BoolArray, float]:
    """Return a list, the items that it changes, and their value."""
    changed = ballots.changed_by(members)
    return tuple(sorted(members)), changed, float(worth[changed].sum())


def _floored(bound: float, worth: FloatArray) -> float:
    """Return an upper bound of a sum of values, rounded down where all are whole numbers."""
    whole = bool((worth == np.floor(worth)).all())
    return float(math.floor(bound + 1e-6)) if whole and math.isfinite(bound) else bound


def _heaviest(ballots: Ballots, k: int, worth: FloatArray) -> tuple[int, ...]:
    """Return the reporters whose reports make up most of the margins of items."""
    share = np.divide(1.0, ballots.margin, out=np.zeros(ballots.items), where=ballots.margin > 0) * worth
    score = np.bincount(ballots.reporter, weights=share[ballots.item], minlength=ballots.reporters)
    return tuple(np.argsort(-score, kind="stable")[:k].tolist())


def _swapped(ballots: Ballots, members: tuple[int, ...], k: int, worth: FloatArray) -> tuple[int, ...]:
    """Return a list after swaps of one member each, as long as one changes more; lists with room are filled."""
    listed = list(members)
    candidates = np.argsort(-np.bincount(ballots.reporter, minlength=ballots.reporters), kind="stable")[:200].tolist()
    listed += [one for one in candidates if one not in listed][: k - len(listed)]
    value = _replay(ballots, tuple(listed), worth)[2]
    for place in range(len(listed)):
        for other in candidates:
            if other in listed:
                continue
            tried = [*listed[:place], other, *listed[place + 1 :]]
            if (better := _replay(ballots, tuple(tried), worth)[2]) > value:
                listed, value = tried, better
    return tuple(listed)
