"""How many right answers one list of reporters, the same on all gold items, can turn wrong."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bribeproof._text import lower_of_100, name_in_list
from bribeproof.certification.gold_bribes import GoldBribes
from bribeproof.certification.gold_reports import GoldReports
from bribeproof.frames.bribe_unit import BribeUnit
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.bribery.worst_list import worst_list
from bribeproof.theory.inference.confidence import least_probability

if TYPE_CHECKING:
    from bribeproof._typing import BoolArray

ONE_LIST_CONDITION = (
    "on the same average, if the same reporters are bribed on all items, gold items too, whatever they report; who "
    "reports on an item is taken as given"
)
"""What the bounds for one list are about, and when they hold."""
UNASKED = 3
"""Lists of so many reporters are looked at, however few may be bribed by the other bound."""
_MOST_WORK = 2 * 10**7
"""Unasked, all searches together look at so much, as `worst_list` counts it, which takes a few seconds."""
_NAMED = 10
_COUNTLESS = 10**300
"""So many lists leave nothing of the risk."""
_REPORTERS = BribeUnit()


@dataclass(frozen=True, slots=True)
class OneList:
    """The k reporters who, bribed together on all gold items, can turn most right answers wrong.

    Attributes
    ----------
    k
        How many reporters are bribed, or groups; or what is spent, an exact fraction.
    reporters
        The names of the worst list that was found, at most k; none where it turns nothing. Of groups those of the
        groups.
    turned
        How many right answers these can turn wrong.
    most
        No k reporters can turn more than so many; certificates use this bound.
    right, gold
        How many of how many gold items are answered rightly if nobody is bribed.
    out_of
        The number of reporters, or groups, in the table, those without a report on gold items included: lists are
        chosen from all.
    lists
        A bound of the number of lists that are contained in no other one.
    unit
        Of what k is the number.
    """

    k: Any
    reporters: tuple[Any, ...]
    turned: int
    most: int
    right: int
    gold: int
    out_of: int
    lists: int
    unit: BribeUnit = _REPORTERS

    @property
    def exact(self) -> bool:
        """Whether no k reporters can turn more than these."""
        return self.turned == self.most

    @property
    def left(self) -> int:
        """How many gold items stay right, whoever the k reporters are."""
        return self.right - self.most

    def bounds(self, confidence: float) -> dict[str, Any]:
        """Return the columns of the certificate: what is left of the right answers, with lower bounds.

        Notes
        -----
        docs/theory.md, Proposition 14.2. A list that was fixed before, or that is bribed only after the gold items,
        needs no division of the risk: what the worst list leaves is at most what that one leaves.
        """
        return {
            "list_turned": self.most,
            "list_accuracy": self.left / self.gold,
            "list_low": least_probability(self.left, self.gold, confidence),
            "list_low_chosen": 0.0
            if self.lists > _COUNTLESS
            else least_probability(self.left, self.gold, confidence, statements=self.lists),
        }

    def describe(self, confidence: float) -> Iterator[str]:
        """Yield the sentences that say what one list can do and what is left."""
        names = [name_in_list(name) for name in self.reporters]
        who = ", ".join(names[:_NAMED]) + f" and {len(names) - _NAMED:,} more" * (len(names) > _NAMED)
        worst = f"{who} {'does' if len(names) == 1 else 'do'}" if self.exact else f"{who} can turn {self.turned:,}"
        known = "proven" if self.exact else "a proven bound"
        how = f"{worst}; {known}" if self.turned else known
        same = self.unit.same(self.k)
        yield (
            f"{same[0].upper()}{same[1:]} on all items, can turn at most {self.most:,} of {self.right:,} right answers "
            f"wrong ({how}), which leaves {self.left:,} of {self.gold:,} gold items."
        )
        bounds = self.bounds(confidence)
        low, chosen = (lower_of_100(bounds[name]) for name in ("list_low", "list_low_chosen"))
        if self.left:
            yield (
                f"So with {100 * confidence:.6g} % confidence at least {low} of 100 answers are right even if "
                f"{self.unit.same_are(self.k, self.out_of)}, and at least {chosen} even if chosen in "
                f"view of the gold items and lying there too; here who reports on an item is taken as given."
            )


def find_lists(
    gold: GoldReports,
    ks: Sequence[int | Fraction],
    time_limit: float | None,
    bribes: GoldBribes | None = None,
    unit: BribeUnit = _REPORTERS,
) -> Iterator[OneList]:
    """Yield the worst list of the plurality, whose ties are wrong, for each k for which it can be found.

    Parameters
    ----------
    gold
        The gold items.
    ks
        Numbers of bribed reporters, or of groups, or budgets.
    time_limit
        Seconds for each k; None to search for a few seconds in all, and leave out what is not found by then.
    bribes
        The groups; None if reporters are bribed one by one.
    unit
        Of what k is the number.
    """
    if bribes is None:
        n = len(gold.reporters)
        bribes = GoldBribes(Bribes.heads(n, 0), tuple(gold.reporters), silence=True)
    present, reporter = np.unique(gold.reporter, return_inverse=True)
    ballots = Ballots(gold.item, reporter, gold.label, len(gold.truth), len(present), len(gold.classes.labels))
    there, group = np.unique(bribes.bribes.groups[present], return_inverse=True)
    prices = tuple(bribes.bribes.prices[one] for one in there)
    right: BoolArray = (ballots.winner >= 0) & (ballots.winner == gold.truth)
    work = _MOST_WORK
    for k in ks:
        limits = {"most_work": work} if time_limit is None else {"time_limit": time_limit}
        affordable = Bribes(group, prices, Fraction(k))
        found = worst_list(ballots, affordable, values=right.astype(np.float64), **limits)
        if time_limit is None and not found.exact:
            return
        work -= found.work
        names = tuple(bribes.names[there[one]] for one in found.groups if found.lower)
        most = math.floor(found.upper + 1e-6)
        right_ones, gold_items = int(right.sum()), len(gold.truth)
        lists = bribes.lists(k)
        yield OneList(k, names, round(found.lower), most, right_ones, gold_items, len(bribes.names), lists, unit)
