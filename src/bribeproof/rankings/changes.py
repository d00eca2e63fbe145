"""How many bribed groups it takes, or how much money, to change the winner or the first few of a contest."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from bribeproof._typing import IntArray
from bribeproof.rankings.clipped_sum import ClippedSum, lead
from bribeproof.rankings.contest import Contest
from bribeproof.rankings.least_bribe import least_bribe
from bribeproof.rankings.least_price import least_price
from bribeproof.rankings.prices import whole_costs
from bribeproof.rankings.program import Least
from bribeproof.rankings.rules import Rule

Pair = tuple[int, int]
_LEAST_SECONDS = 0.05
"""An integer program after the deadline."""


@dataclass(frozen=True, slots=True)
class Change:
    """The cheapest change of the first few.

    Attributes
    ----------
    first
        How many are the first few: 1 for the winner.
    gainer, loser
        The entry that the bribed put first, and the one that they put last.
    least
        The fewest groups, or the cheapest.
    """

    first: int
    gainer: int
    loser: int
    least: Least


@dataclass(frozen=True)
class ChangeSearch:
    """Searches for the cheapest changes of one contest under one rule; leads of pairs are kept.

    Attributes
    ----------
    contest, rule
        The contest and the rule.
    deadline
        When integer programs end, by `time.monotonic`, with what they have.
    """

    contest: Contest
    rule: Rule
    deadline: float = math.inf
    _leads: dict[Pair, ClippedSum] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def costs(self) -> tuple[IntArray, Fraction]:
        """What each group costs as whole numbers, and the unit; without prices each costs 1."""
        return whole_costs(self.contest)

    @cached_property
    def _levels(self) -> list[int]:
        """A number for each entry, the same for level ones and the highest for the best."""
        merits = self.rule.merits(self.contest)
        level_of = {merit: level for level, merit in enumerate(sorted(set(merits)))}
        return [level_of[merit] for merit in merits]

    def pass_by(self, gainer: int, loser: int, *, ahead: bool, enough: int | None = None) -> Least:
        """Return the fewest groups, or the cheapest, that bring one entry level with another, or ahead of it."""
        seconds = max(self.deadline - time.monotonic(), _LEAST_SECONDS)
        function, target = self.lead(gainer, loser), int(ahead)
        if self.contest.prices:
            return least_price(function, target, self.costs[0], enough=enough, time_limit=seconds)
        return least_bribe(function, target, enough=enough, time_limit=seconds)

    def lead(self, gainer: int, loser: int) -> ClippedSum:
        """Return the lead of one entry over another as a function of the bribed."""
        if (gainer, loser) not in self._leads:
            self._leads[gainer, loser] = lead(self.contest, self.rule, gainer, loser)
        return self._leads[gainer, loser]

    def change(self, first: int, *, ahead: bool) -> Change | None:
        """Return the cheapest change of the set of the first few, or None if there are no more entries.

        Parameters
        ----------
        first
            How many are the first few.
        ahead
            Whether a set that is now the first few, perhaps after a draw among level entries, cannot be it any more;
            otherwise whether it is not sure of it without a draw.
        """
        best: Change | None = None
        levels, cheapest = self._levels, int(self.costs[0].min())
        pairs = changing_pairs(levels, first)
        for gainer, loser in sorted(pairs, key=lambda pair: levels[pair[1]] - levels[pair[0]]):
            price_of_one = cheapest * (ahead or levels[gainer] != levels[loser])
            if best is not None and best.least.upper is not None and best.least.upper <= price_of_one:
                break  # no pair that is further apart takes less
            enough = None if best is None else best.least.upper
            found = self.pass_by(gainer, loser, ahead=ahead, enough=enough)
            if best is None or _is_better(found, best.least):
                least = found if best is None else found._replace(lower=min(found.lower, best.least.lower))
                best = Change(first, gainer, loser, least)
            elif found.lower < best.least.lower:
                best = Change(first, best.gainer, best.loser, best.least._replace(lower=found.lower))
        return best


def _is_better(found: Least, best: Least) -> bool:
    """Return whether fewer groups, or less money, are known to be enough."""
    return found.upper is not None and (best.upper is None or found.upper < best.upper)


def changing_pairs(merits: Sequence[Fraction | int], first: int) -> Iterator[Pair]:
    """Yield each pair of entries of which the one must not pass the other for the first few to stay.

    An entry is possibly among the first few if fewer are ahead of it, surely if fewer are ahead or level. The one that
    passes is not surely among them, the one that is passed is possibly.

    Examples
    --------
    >>> list(changing_pairs([3, 2, 1], 1)), list(changing_pairs([3, 3, 1], 1))
    ([(1, 0), (2, 0)], [(0, 1), (1, 0), (2, 0), (2, 1)])
    """
    numbers = range(len(merits))
    possible = [one for one in numbers if sum(other > merits[one] for other in merits) < first]
    surely = {one for one in possible if sum(other >= merits[one] for other in merits) <= first}
    if first < len(merits):
        yield from (
            (gainer, loser) for gainer in numbers if gainer not in surely for loser in possible if loser != gainer
        )
