"""Compare the cheapest bribery of a contest with tables that are aggregated anew."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bribeproof.aggregation.total_rule import clean_name
from bribeproof.contests.opened import OpenedContest
from bribeproof.contests.recheck import Comparison, ContestRecheck, TriedSets
from bribeproof.theory.contests.places import PODIUM

if TYPE_CHECKING:
    from bribeproof.contests.cheapest_result import CheapestContestBribe

_COLUMNS = ("place", "best_place", "worst_place", "moved")


def recheck_cheapest(found: "CheapestContestBribe", opened: OpenedContest, *, most_sets: int) -> ContestRecheck:
    """Replay the bribery that a result names, and try up to so many sets of judges that cost less than its bound."""
    compared = Comparison()
    now = opened.ends(())
    entry = None if found.entry is None else clean_name(found.entry)
    place = {"winner": 1, "podium": PODIUM}.get(found.change, found.place)
    for what, value in {
        "place": place, "priced": opened.priced, "bought": opened.what, "n_uncertified": opened.n_uncertified,
        "exact": found.price == found.lower,
    }.items():  # fmt: skip
        compared.compare(what, getattr(found, what), value)
    if found.change not in ("winner", "podium", "entry"):
        compared.add("change", found.change, None)
    if (entry is None) == (found.change == "entry") or entry not in (None, *now):
        compared.add("entry", found.entry, None)

    def moved(groups: Sequence[int]) -> set[str]:
        """Return the entries that some groups bring where they shall be."""
        above = opened.n_uncertified  # whoever is bribed
        places = {name: (now[name][0], best, worst - above) for name, (best, worst) in opened.ends(groups).items()}
        return {
            name
            for name, (own, best, worst) in places.items()
            if entry in (None, name) and (best <= place < own if place else best < own or worst > own)
        }

    groups = opened.groups_named(found.bribed)
    if groups is None:
        compared.add("bribed", found.bribed, None)
        return ContestRecheck(0, tuple(compared.differences), 0, tried_all=False)
    there, ends = moved(groups), opened.ends(groups)
    compared.compare("price", found.price, float(opened.bribes.cost(groups)) if groups else None)
    compared.compare_names("moved", found.moved, there)
    if bool(groups) != bool(there):
        compared.add("bribed", found.bribed, None)
    for name, row in (compared.rows(found.entries, opened.replay.totals(), _COLUMNS) or {}).items():
        outcome = (now[name][0], *ends[name], name in there)
        for what, value in zip(_COLUMNS, outcome, strict=True):
            compared.compare(what, row[what], value, name)
    if found.price is not None and (found.lower is None or found.lower > found.price):
        compared.add("lower", found.lower, found.price)
    below = float("inf") if found.lower is None else found.lower
    tried = TriedSets(opened.bribes, most_sets, below=below)
    for cheaper in tried:
        if moved(cheaper):
            compared.add("lower", found.lower, float(opened.bribes.cost(cheaper)))
    return ContestRecheck(len(there), tuple(compared.differences), tried.number, tried.all)
