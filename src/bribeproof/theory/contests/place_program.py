"""The integer program for the best or the worst place that bribed judges could give an entry."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bribeproof._typing import BoolArray, FloatArray
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.contest import Contest
from bribeproof.theory.contests.limits import without_tiny
from bribeproof.theory.contests.raised_totals import RaisedTotal, RaisedTotals

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_TOLERANCE = 1e-6
"""By so much the solver may break a limit, where limits have numbers of about 1."""
_ROUNDING = 1e-4
"""By so much the bound of a whole number may be wrong."""
_INFEASIBLE = 2
"""The solver's status where nothing is within the limits."""


class Overtaken(NamedTuple):
    """How many others an entry could overtake, or be overtaken by.

    Attributes
    ----------
    most
        No affordable bribery reaches more (proven, within the tolerance of the solver).
    groups
        Groups whose bribery reaches as many as the solver found; None if it found nothing.
    """

    most: int
    groups: tuple[int, ...] | None


@dataclass(frozen=True, eq=False)
class PlacePrograms:
    """The programs of a contest, one for each entry and direction.

    Parameters
    ----------
    contest : Contest
        The marks, and how they become totals.
    bribes : Bribes
        Which groups of judges can be bribed.

    Notes
    -----
    docs/theory.md, Proposition 14.11.
    """

    raised: RaisedTotals
    unit: Fraction

    @classmethod
    def of(cls, contest: Contest, bribes: Bribes) -> "PlacePrograms":
        """Return the programs of a contest."""
        raised = RaisedTotals(contest, bribes)
        return cls(raised if contest.better == "high" else raised.lowered, contest.total_unit)

    def upwards(self, entry: int) -> "PlaceProgram":
        """Return the program for the others with whom an entry could come level, or whom it could overtake."""
        return self._program(entry, self.raised, self.raised.lowered, Fraction(0))

    def downwards(self, entry: int) -> "PlaceProgram":
        """Return the program for the others who could overtake an entry."""
        return self._program(entry, self.raised.lowered, self.raised, self.unit)

    def _program(self, entry: int, own: RaisedTotals, others: RaisedTotals, target: Fraction) -> "PlaceProgram":
        """Return the program of an entry: the sum of its total and that of another one shall reach a target."""
        this = own.of(entry)
        rivals = [others.of(other) for other in range(self.raised.contest.entries) if other != entry]
        already = sum(this.constant + rival.constant >= target for rival in rivals)
        open_ones = [rival for rival in rivals if this.constant + rival.constant < target <= this.most + rival.most]
        return PlaceProgram(self.raised.bribes, this, tuple(open_ones), target, self.unit, already)


@dataclass(frozen=True, eq=False)
class PlaceProgram:
    """For how many rivals the sum of an entry's total and theirs could reach a target.

    Attributes
    ----------
    bribes
        Which groups can be bribed.
    total
        The total of the entry.
    rivals
        Those for whom the sum might reach the target, and does not if nobody is bribed.
    target, unit
        The target, and the unit of totals.
    already
        For how many others it does.
    """

    bribes: Bribes
    total: RaisedTotal
    rivals: tuple[RaisedTotal, ...]
    target: Fraction
    unit: Fraction
    already: int

    def most_overtaken(self, time_limit: float) -> Overtaken:
        """Return for how many others the sum could reach the target, those included for whom it does already."""
        if not self.rivals:
            return Overtaken(self.already, ())
        found = self._solve(needed=None, time_limit=time_limit)
        most, bound = len(self.rivals), found.mip_dual_bound
        if bound is not None and math.isfinite(bound):
            most = max(0, min(most, math.floor(-bound + _ROUNDING)))
        return Overtaken(self.already + most, self._groups(found))

    def overtake(self, needed: int, time_limit: float) -> Overtaken:
        """Return groups for which the sum reaches the target for so many others; `most` is less if there are none."""
        if needed > self.already + len(self.rivals):
            return Overtaken(self.already + len(self.rivals), None)
        if needed <= self.already:
            return Overtaken(self.already + len(self.rivals), ())
        found = self._solve(needed=needed - self.already, time_limit=time_limit)
        most = needed - 1 if found.status == _INFEASIBLE else self.already + len(self.rivals)
        return Overtaken(most, self._groups(found))

    def _groups(self, found: Any) -> tuple[int, ...] | None:
        """Return the groups of a solution."""
        if found.x is None:
            return None
        return tuple(np.flatnonzero(np.rint(found.x[: len(self.bribes.prices)])).tolist())

    def _solve(self, needed: int | None, time_limit: float) -> Any:
        """Return the solver's answer: as many rivals as possible, or so many for the least price.

        Variables: whether each group is bribed, whether the sum of each rival reaches the target, and the further ones
        of the totals.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array, vstack

        prices, budget = self.bribes.whole
        groups, rivals, totals = len(prices), len(self.rivals), (self.total, *self.rivals)
        sizes = [len(total.limits.upper) for total in totals]
        starts = np.concatenate([[0], np.cumsum(sizes)]) + groups + rivals
        width = int(starts[-1])
        whole = np.concatenate([np.ones(groups + rivals), *(total.limits.whole for total in totals)])
        counts = np.concatenate([np.ones(groups + rivals), *(total.limits.counts for total in totals)]).astype(bool)
        upper = np.concatenate([np.ones(groups + rivals), *(total.limits.upper for total in totals)])
        limits = [total.limits.matrix(start, width) for total, start in zip(totals, starts[:-1].tolist(), strict=True)]
        own = np.zeros(width)
        _place(own, self.total, groups, starts[0])
        for number, rival in enumerate(self.rivals):
            row = own.copy()
            _place(row, rival, groups, starts[number + 1])
            limits.append(self._reach(row, groups + number, rival, counts, upper))
        cost = np.zeros(width)
        dearest = max(1, int(prices.max(initial=0)))
        cost[:groups] = prices / dearest
        count = np.zeros(width)
        count[groups : groups + rivals] = 1
        most = budget / dearest * (1 + 1e-9) + _TOLERANCE
        constraints = [
            LinearConstraint(vstack([rows for rows, _ in limits]).tocsr(), np.concatenate([one for _, one in limits])),
            LinearConstraint(csr_array(without_tiny(cost, upper)[0][np.newaxis]), -np.inf, most),
        ]
        if needed is not None:
            constraints.append(LinearConstraint(csr_array(count[np.newaxis]), needed - 0.5, np.inf))
        return milp(
            -count if needed is None else cost,
            integrality=whole,
            bounds=Bounds(np.zeros(width), upper),
            constraints=constraints,
            options={"time_limit": time_limit, "mip_rel_gap": 0.0},
        )

    def _reach(
        self, row: FloatArray, mark: int, rival: RaisedTotal, counts: BoolArray, upper: FloatArray
    ) -> tuple["csr_array", FloatArray]:
        """Return the limit that a rival is marked only if what is added to the sum is at least what is missing."""
        from scipy.sparse import csr_array

        missing = self.target - self.total.constant - rival.constant
        # What is a whole number adds enough if it is 1 and one adds enough.
        row = np.where(counts, np.minimum(row, float(missing)), row)
        row[mark] = -float(missing)
        largest = np.abs(row).max()
        kept, spare = without_tiny(row / largest, upper)
        # All sums are multiples of the unit: half of it keeps the tolerance of the solver away from the answer.
        slack = max(float(self.unit / 2) / largest, _TOLERANCE) + spare
        return csr_array(kept[np.newaxis]), np.array([-slack])


def _place(row: FloatArray, total: RaisedTotal, groups: int, start: int) -> None:
    """Add the terms of a total to a row, where its further variables begin at `start`."""
    row[:groups] += total.terms.groups
    for number, gain in total.terms.further.items():
        row[start + number] += gain
