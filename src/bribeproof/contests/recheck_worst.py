"""Compare the places that bribed judges could have caused with those of tables that are aggregated anew."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from bribeproof.aggregation.total_rule import clean_name
from bribeproof.contests.opened import OpenedContest
from bribeproof.contests.recheck import Comparison, ContestRecheck, Rows, TriedSets
from bribeproof.theory.contests.places import PODIUM, places_alone

if TYPE_CHECKING:
    from bribeproof.contests.result import WorstContestBribe

_COLUMNS = (
    "place", "best_place", "worst_place", "bribed", "best_bound", "worst_bound", "best_if_others", "worst_if_others",
)  # fmt: skip
Ends = Mapping[str, tuple[int, int]]
"""The best and the worst place of each entry."""


class Cause(NamedTuple):
    """The groups whose bribery gives an entry its best place, and those that give it its worst."""

    best: tuple[int, ...]
    worst: tuple[int, ...]


def recheck_worst(
    found: "WorstContestBribe", opened: OpenedContest, causes: Mapping[str, Cause], *, most_sets: int
) -> ContestRecheck:  # fmt: skip
    """Replay each place that a result names, and try up to so many sets of judges for places beyond its bounds."""
    compared = Comparison()
    _compare_facts(compared, found, opened)
    rows = compared.rows(found.entries, opened.replay.totals(), _COLUMNS)
    if rows is None:
        return ContestRecheck(0, tuple(compared.differences), 0, tried_all=False)
    _compare_places(compared, rows, opened, causes)
    _compare_bounds(compared, rows, found, opened)
    most = _compare_strongest(compared, rows, found, opened)
    tried = TriedSets(opened.bribes, most_sets)
    for groups in tried:
        ends = opened.ends(groups)
        for entry, (best, worst) in ends.items():
            if best < rows[entry]["best_bound"]:
                compared.add("best_bound", rows[entry]["best_bound"], best, entry)
            if worst > rows[entry]["worst_bound"]:
                compared.add("worst_bound", rows[entry]["worst_bound"], worst, entry)
        if found.tried_all and tuple(map(len, _gained(rows, ends))) > most:
            compared.add("strongest", found.strongest, tuple(opened.bought[group] for group in groups))
    return ContestRecheck(2 * len(rows), tuple(compared.differences), tried.number, tried.all)


def _compare_facts(compared: Comparison, found: "WorstContestBribe", opened: OpenedContest) -> None:
    """Compare what was asked, and what was read."""
    budget = opened.bribes.budget
    for what, value in {
        "k": None if opened.priced else int(budget),
        "budget": float(budget) if opened.priced else None,
        "trim": opened.trim,
        "better": opened.contest.better,
        "bought": opened.what,
        "part": opened.part,
        "n_judges": len(opened.judges),
        "n_uncertified": opened.n_uncertified,
    }.items():
        compared.compare(what, getattr(found, what), value)


def _compare_places(compared: Comparison, rows: Rows, opened: OpenedContest, causes: Mapping[str, Cause]) -> None:
    """Replay the best and the worst place of each entry."""
    now = opened.ends(())
    for entry, row in rows.items():
        best, worst = (opened.judges_in(groups) for groups in causes[entry])
        place, last = now[entry]
        outcome = {
            "place": place,
            "bribed": opened.named(causes[entry].best),
            "best_place": opened.replay.best_place(entry, best) if best else place,
            "worst_place": opened.replay.worst_place(entry, worst) + opened.n_uncertified if worst else last,
        }
        for what, value in outcome.items():
            compared.compare(what, row[what], value, entry)


def _compare_bounds(compared: Comparison, rows: Rows, found: "WorstContestBribe", opened: OpenedContest) -> None:
    """Compare the bounds with the places, and the places if others are bribed on each part with such ones."""
    alone = places_alone(opened.contest, opened.bribes, uncertified=opened.n_uncertified)
    compared.compare("exact_if_others", found.exact_if_others, alone.exact)
    for name, best, worst in zip(opened.names, alone.best.tolist(), alone.worst.tolist(), strict=True):
        row = rows[entry := clean_name(name)]
        compared.compare("best_if_others", row["best_if_others"], best, entry)
        compared.compare("worst_if_others", row["worst_if_others"], worst, entry)
        if not best <= row["best_bound"] <= row["best_place"]:
            compared.add("best_bound", row["best_bound"], row["best_place"], entry)
        if not row["worst_place"] <= row["worst_bound"] <= worst:
            compared.add("worst_bound", row["worst_bound"], row["worst_place"], entry)
    met = all(row[f"{end}_place"] == row[f"{end}_bound"] for row in rows.values() for end in ("best", "worst"))
    compared.compare("exact", found.exact, met)


def _compare_strongest(
    compared: Comparison, rows: Rows, found: "WorstContestBribe", opened: OpenedContest
) -> tuple[int, int]:  # fmt: skip
    """Replay what the strongest could do; return how many entries they could bring to the first places."""
    groups = opened.groups_named(found.strongest)
    if groups is None or not opened.bribes.affordable(groups):
        compared.add("strongest", found.strongest, None)
    first, podium = _gained(rows, opened.ends(groups or ()))
    for what, came in (("could_make_first", first), ("could_bring_onto_podium", podium - first)):
        compared.compare_names(what, getattr(found, what), came)
    return len(first), len(podium)


def _gained(rows: Rows, ends: Ends) -> tuple[set[str], set[str]]:
    """Return the entries that are brought to the first place, and those onto the podium, from below."""
    first, podium = (
        {entry for entry, (best, _) in ends.items() if best <= place < rows[entry]["place"]} for place in (1, PODIUM)
    )
    return first, podium
