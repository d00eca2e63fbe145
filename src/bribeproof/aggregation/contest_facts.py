"""Say which places and podiums bribed judges could have caused: the same judges throughout, or others on each item."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bribeproof._text import count, name_in_list, with_and
from bribeproof.aggregation.bribe_sentences import if_others, whoever_is_bribed
from bribeproof.aggregation.contest import ContestSheet
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.places import PODIUM, places_together

NAMED = 5
"""The most items that a summary names."""
_MOST_WORK = 60_000_000


def contest_facts(sheet: ContestSheet | str, k: Mapping[str, int]) -> dict[str, Any]:
    """Return what the same k judges, bribed on all parts, could have made of the first places, as plain data.

    Parameters
    ----------
    sheet
        The marks, or the reason why they are not searched.
    k
        The least and the largest number of bribed judges of an item.
    """
    if isinstance(sheet, str):
        return {"skipped": sheet}
    if sheet.bribes is None and k["least"] != k["most"]:
        return {"skipped": "the number of bribed judges differs by item"}
    bribes = sheet.bribes or Bribes.heads(len(sheet.judges), k["most"])
    certified = sheet.trimmed(k["most"] if sheet.bribes is None else sheet.most_bribed())
    found = places_together(certified.contest, bribes, uncertified=certified.uncertified, most=_MOST_WORK)
    places = [
        {"item": sheet.entries[entry], "rank": int(rank), "best_rank": int(best), "worst_rank": int(worst)}
        for entry, rank, best, worst in zip(certified.entries, found.rank, found.best, found.worst, strict=True)
    ]
    order = sorted(range(len(places)), key=lambda one: places[one]["rank"])
    first = [one for one in order if found.best[one] == 1 < found.rank[one]]
    third = np.count_nonzero((found.best <= PODIUM) & (found.rank > PODIUM))
    return {
        "exact": found.exact,
        "podium": [places[one] for one in order if places[one]["rank"] <= PODIUM][:NAMED],
        "could_be_first": [
            {"item": places[one]["item"], "bribed": [sheet.bought[group] for group in found.best_set[one]]}
            for one in first
        ],
        "could_reach_podium": int(third),
    }


def describe_podiums(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the first places, and those that bribed judges could have caused, as sentences.

    Parameters
    ----------
    facts
        The facts of `summarise` about scores.
    """
    alone, together = facts["podium"], facts.get("same_judges")
    if not alone:
        return
    order = ", the lowest score first" * (facts["better"] == "low")
    if not facts["k"]["most"]:
        yield f"Podium{order}: {_listed(alone, protected=False)}."
    elif together is None or not together.get("exact"):
        yield f"Podium{order}, {whoever_is_bribed(facts)}: {_listed(alone)}."
        if together is not None:
            why = together.get("skipped", "there are too many sets of judges to try them all")
            part = facts.get("bribed_on_each", "item")
            yield f"The same on every {part} could have done no more; how much of it is not searched: {why}."
    else:
        yield f"Podium{order}, {whoever_is_bribed(facts, same=True)}: {_listed(together['podium'])}."
        if first := together["could_be_first"]:
            yield f"Could have been first, or level: {_rivals(first)}."
        same = "the same places" if together["podium"] == alone else _listed(alone)
        yield f"Podium, {if_others(facts)}: {same}."


def _rivals(first: Sequence[Mapping[str, Any]]) -> str:
    """Return who could have been first, and by whose bribery."""
    named = [
        f"{name_in_list(one['item'])} (if {with_and([name_in_list(name) for name in one['bribed']])} had been bribed)"
        for one in first[:NAMED]
    ]
    rest = len(first) - len(named)
    return ", ".join(named) + (f" and {count(rest, 'other')}" if rest else "")


def _listed(places: Sequence[Mapping[str, Any]], *, protected: bool = True) -> str:
    """Return places, and whether each is safe."""
    return ", ".join(f"{one['rank']}. {name_in_list(one['item'])}{_safety(one) if protected else ''}" for one in places)


def _safety(place: Mapping[str, int]) -> str:
    """Return whether an item is safe in its place, and else which places it could have."""
    if place["best_rank"] == place["worst_rank"]:
        return " (safe)"
    return f" (could be {place['best_rank']} to {place['worst_rank']})"
