"""The greedy search for a jury: drop or add the judge whose absence or presence leaves most gold items right."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bribeproof._typing import BoolArray
from bribeproof.jury.gold import GoldJuries

Jury: TypeAlias = tuple[int, ...]
"""The places of the judges of a jury, ascending."""


@dataclass(frozen=True, slots=True)
class Step:
    """A jury on the way from the panel.

    Attributes
    ----------
    jury
        The jury.
    key
        By what it is compared with others.
    judge
        Who was dropped or added for it; None for the panel.
    """

    jury: Jury
    key: tuple[int, ...]
    judge: int | None = None


class Search:
    """The greedy search, which remembers on which gold items each jury is right."""

    def __init__(self, juries: GoldJuries) -> None:
        self._juries = juries
        self._known: dict[Jury, BoolArray] = {}

    def robust(self, jury: Jury) -> BoolArray:
        """Return on which gold items a jury is right whichever k are bribed."""
        robust: BoolArray = self._cases(jury)[0]
        return robust

    def change(self, jury: Jury, judge: int) -> Jury:
        """Return the jury without a judge of it, or with another one."""
        return tuple(sorted({*jury} ^ {judge}))

    def path(self, start: Jury, items: BoolArray) -> list[Step]:
        """Return the juries from the panel down to one judge, and up to all, that are best on some of the items."""
        everybody = {*range(len(self._juries.judges))}
        path = [Step(start, self._key(start, items))]
        step = path[0]
        while len(step.jury) > 1:
            path.append(step := self._best_change(step.jury, step.jury, items))
        step = path[0]
        while len(step.jury) < len(everybody):
            path.append(step := self._best_change(step.jury, sorted(everybody.difference(step.jury)), items))
        return path

    def _best_change(self, jury: Jury, judges: Iterable[int], items: BoolArray) -> Step:
        """Return the best jury that differs by one of some judges, the first of equal ones."""
        steps = (Step(changed := self.change(jury, judge), self._key(changed, items), judge) for judge in judges)
        return max(steps, key=lambda step: step.key)

    def _key(self, jury: Jury, items: BoolArray) -> tuple[int, ...]:
        """Return by what juries are compared: on how many items they are right with k bribed, then with fewer."""
        return tuple(self._cases(jury)[:, items].sum(axis=1).tolist())

    def _cases(self, jury: Jury) -> BoolArray:
        """Return on which items a jury is right with k bribed, with one less, and so on to none."""
        if jury not in self._known:
            self._known[jury] = np.array([self._juries.robust(jury, k) for k in range(self._juries.k, -1, -1)])
        return self._known[jury]


def best_of(path: list[Step]) -> Jury:
    """Return the jury that is right most often with k bribed; of equal ones, one with the fewest changes."""
    size = len(path[0].jury)
    return max(path, key=lambda step: (step.key[0], -abs(len(step.jury) - size), step.key)).jury
