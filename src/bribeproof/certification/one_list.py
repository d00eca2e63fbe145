"""How many right answers one list of reporters, the same on all gold items, can turn wrong."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from bribeproof._text import format_name
from bribeproof._typing import BoolArray
from bribeproof.certification.gold_reports import GoldReports
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.small_lists import MOST_MEMBERS
from bribeproof.theory.bribery.worst_list import worst_list
from bribeproof.theory.inference.confidence import least_probability

ONE_LIST_CONDITION = (
    "on the same average, if the same reporters are bribed on all items, gold items too, whatever they report; who "
    "reports on an item is taken as given"
)
"""What the bounds for one list are about, and when they hold."""
_MOST_REPORTERS = (15_000, 3_000, 1_000)
"""Of so many reporters all lists of one, two and three are counted unasked: that takes seconds at most."""
_MOST_PARTS, _MOST_CELLS = 50_000, 20_000_000
"""So many lists within the reports of an item are counted unasked, and so many over all items."""
_MOST_LISTS = 1_000
"""Where there are no more lists than this, each is tried, however long it is."""
_NAMED = 10


@dataclass(frozen=True, slots=True)
class OneList:
    """The k reporters who, bribed together on all gold items, can turn most right answers wrong.

    Attributes
    ----------
    k
        How many reporters are bribed.
    reporters
        The names of the worst list that was found, at most k; none where it turns nothing.
    turned
        How many right answers these can turn wrong.
    most
        No k reporters can turn more than so many; certificates use this bound.
    counted
        Whether all lists were counted, instead of an integer program.
    right, gold
        How many of how many gold items are answered rightly if nobody is bribed.
    out_of
        The number of reporters in the table, those without a report on gold items included: lists are chosen from all.
    """

    k: int
    reporters: tuple[Any, ...]
    turned: int
    most: int
    counted: bool
    right: int
    gold: int
    out_of: int

    @property
    def exact(self) -> bool:
        """Whether no k reporters can turn more than these."""
        return self.turned == self.most

    @property
    def left(self) -> int:
        """How many gold items stay right, whoever the k reporters are."""
        return self.right - self.most

    @property
    def search(self) -> str:
        """How the list was searched for, in words."""
        if self.counted:
            return "all lists were counted"
        return "an integer program, solved to the end" if self.exact else "a proven bound of an integer program"

    def bounds(self, confidence: float) -> dict[str, Any]:
        """Return the columns of the certificate: what is left of the right answers, with lower bounds.

        Notes
        -----
        docs/theory.md, Proposition 14.2. A list that was fixed before, or that is bribed only after the gold items,
        needs no division of the risk: what the worst list leaves is at most what that one leaves. There are fewer
        lists of more than half of the reporters than of half; the larger number is used, so that the bounds do not
        rise with k.
        """
        lists = math.comb(self.out_of, min(self.k, self.out_of // 2))
        return {
            "list_turned": self.most,
            "list_accuracy": self.left / self.gold,
            "list_low": least_probability(self.left, self.gold, confidence),
            "list_low_chosen": least_probability(self.left, self.gold, confidence, statements=lists),
        }

    def describe(self, confidence: float) -> Iterator[str]:
        """Yield the sentences that say what one list can do and what is left."""
        names = [format_name(name) for name in self.reporters]
        who = ", ".join(names[:_NAMED]) + f" and {len(names) - _NAMED:,} more" * (len(names) > _NAMED)
        worst = f"{who} {'does' if len(names) == 1 else 'do'}" if self.exact else f"{who} can turn {self.turned:,}"
        how = f"{worst}; {self.search}" if self.turned else self.search
        yield (
            f"The same {'reporter' if self.k == 1 else f'{self.k:,} reporters'}, bribed on all items, can turn at most "
            f"{self.most:,} of {self.right:,} right answers wrong ({how}), which leaves "
            f"{self.left:,} of {self.gold:,} gold items."
        )
        bounds = self.bounds(confidence)
        low, chosen = (math.floor(1000 * bounds[name]) / 10 for name in ("list_low", "list_low_chosen"))
        if self.left:
            yield (
                f"So with {100 * confidence:.6g} % confidence at least {low:.1f} of 100 answers are right even if the "
                f"same {'one' if self.k == 1 else f'{self.k:,}'} of {self.out_of:,} reporters "
                f"{'is' if self.k == 1 else 'are'} bribed on all items, and at least {chosen:.1f} even if chosen in "
                f"view of the gold items and lying there too; here who reports on an item is taken as given."
            )


def find_lists(gold: GoldReports, ks: Sequence[int], time_limit: float | None) -> Iterator[OneList]:
    """Yield the worst list of the plurality, whose ties are wrong, for each k for which it can be found.

    Parameters
    ----------
    gold
        The gold items.
    ks
        Numbers of bribed reporters.
    time_limit
        Seconds for each k whose lists are too many to count; None to leave these out.
    """
    present, reporter = np.unique(gold.reporter, return_inverse=True)
    ballots = Ballots(gold.item, reporter, gold.label, len(gold.truth), len(present), len(gold.classes.labels))
    right: BoolArray = (ballots.winner >= 0) & (ballots.winner == gold.truth)
    for k in ks:
        size = min(k, len(present))
        if size > MOST_MEMBERS and math.comb(len(present), size) <= _MOST_LISTS:
            turned, members = max(
                (int((ballots.changed_by(members) & right).sum()), members)
                for members in combinations(range(len(present)), size)
            )
            most, counted = turned, True
        elif time_limit is not None or _is_quick(ballots, right, k):
            found = worst_list(ballots, k, values=right.astype(np.float64), time_limit=time_limit or 1.0)
            turned, members = round(found.lower), found.members
            most, counted = math.floor(found.upper + 1e-6), found.method == "counting"
        else:
            continue
        names = tuple(gold.reporters[int(present[one])] for one in members if turned)
        yield OneList(k, names, turned, most, counted, int(right.sum()), len(gold.truth), len(gold.reporters))


def _is_quick(ballots: Ballots, right: BoolArray, k: int) -> bool:
    """Return whether all lists of k are counted within seconds."""
    if k == 0:
        return True
    if k > MOST_MEMBERS or ballots.reporters > _MOST_REPORTERS[k - 1]:
        return False
    sizes = ballots.counts.sum(axis=1)[right & (ballots.margin <= 2 * k)]
    parts = {size: sum(math.comb(size, j) for j in range(1, k + 1)) for size in np.unique(sizes).tolist()}
    return sum(parts.values()) <= _MOST_PARTS and sum(parts[size] for size in sizes.tolist()) <= _MOST_CELLS
