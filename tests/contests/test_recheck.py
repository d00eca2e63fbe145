"""Whatever a result says wrongly is found by its recheck."""

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.contests.cheapest_result import CheapestContestBribe
from bribeproof.contests.result import WorstContestBribe
from tests.contests.drawn import JUDGES


@functools.cache
def true_result() -> WorstContestBribe:
    """Return what two judges of the sheet in examples/ could have done, which rechecks."""
    found = bp.worst_bribe(JUDGES, k=2)
    assert isinstance(found, WorstContestBribe)
    assert found.recheck().differences == ()
    return found


@functools.cache
def true_cheapest() -> CheapestContestBribe:
    """Return the fewest judges of the same sheet for another winner, which rechecks."""
    found = bp.cheapest_bribe(JUDGES, "winner", trim=1)
    assert isinstance(found, CheapestContestBribe)
    checked = found.recheck()
    assert checked.ok
    assert (checked.differences, checked.tried, checked.tried_all) == ((), 7, True)
    return found


def tampered(entries: pl.DataFrame, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes of a result, in which some are of the row of an entry, or drop it, or a column."""
    done = {name: change for name, change in changes.items() if name not in ("cells", "drop", "column")}
    if name := changes.get("column"):
        done["entries"] = entries.drop(name)
    if name := changes.get("drop"):
        done["entries"] = entries.filter(pl.col("entry") != name)
    if cells := changes.get("cells"):
        own = pl.col("entry") == cells["entry"]
        done["entries"] = entries.with_columns(
            pl.when(own).then(pl.lit(value)).otherwise(pl.col(name)).cast(entries.schema[name]).alias(name)
            for name, value in cells.items()
        )
    return done


TAMPERED: list[tuple[dict[str, Any], str]] = [
    ({"cells": {"entry": "Borealis", "total": 9.0}}, "total"),
    ({"cells": {"entry": "Borealis", "place": 2}}, "place"),
    ({"cells": {"entry": "Borealis", "best_place": 2}}, "best_place"),
    ({"cells": {"entry": "Aurora", "best_place": 1, "best_bound": 1}}, "best_place"),
    ({"cells": {"entry": "Aurora", "worst_place": 2, "worst_bound": 2}}, "worst_place"),
    ({"cells": {"entry": "Aurora", "worst_bound": 4}}, "worst_bound"),
    ({"cells": {"entry": "Borealis", "bribed": "judge_2, judge_4"}}, "bribed"),
    ({"cells": {"entry": "Borealis", "best_bound": 3}}, "best_bound"),
    ({"cells": {"entry": "Ember", "worst_if_others": 6}}, "worst_if_others"),
    ({"k": 1}, "k"),
    ({"k": None, "budget": 2.0}, "budget"),
    ({"trim": 1}, "trim"),
    ({"strongest": ("judge_5", "judge_6")}, "could_make_first"),
    ({"strongest": ("judge_1", "judge_2", "judge_3")}, "strongest"),
    ({"strongest": ("judge_8",)}, "strongest"),
    ({"strongest": (), "could_make_first": ()}, "strongest"),
    ({"could_make_first": ("Delta",)}, "could_make_first"),
    ({"could_make_first": ("Borealis", "Borealis")}, "could_make_first"),
    ({"could_bring_onto_podium": ("Delta",)}, "could_bring_onto_podium"),
    ({"exact": False}, "exact"),
    ({"n_uncertified": 1}, "n_uncertified"),
    ({"n_judges": 8}, "n_judges"),
    ({"drop": "Fjord"}, "entries"),
    *(({"column": column}, "entries") for column in ("entry", "total", "bribed", "worst_if_others")),
]


def first_of(cases: list[tuple[dict[str, Any], str]], number: int) -> list[Any]:
    """Return cases of which all but so many are slow together."""
    return [*cases[:number], *(pytest.param(*case, marks=pytest.mark.slow) for case in cases[number:])]


@pytest.mark.parametrize(("changes", "what"), first_of(TAMPERED, 6))
def test_whatever_a_result_says_wrongly_is_found_by_its_recheck(changes: dict[str, Any], what: str) -> None:
    found = true_result()
    checked = replace(found, **tampered(found.entries, changes)).recheck()
    assert not checked
    assert not checked.ok
    assert what in [one.what for one in checked.differences]


TAMPERED_CHEAPEST: list[tuple[dict[str, Any], str]] = [
    ({"price": 1.0}, "price"),
    ({"price": 1.0, "lower": 1.0, "bribed": ("judge_1",)}, "moved"),
    ({"price": 3.0, "lower": 3.0, "bribed": ("judge_1", "judge_2", "judge_3")}, "lower"),
    ({"lower": 1.0}, "exact"),
    ({"lower": 3.0, "exact": False}, "lower"),
    ({"lower": None, "price": None, "bribed": (), "moved": ()}, "lower"),
    ({"exact": False}, "exact"),
    ({"bribed": ("judge_1", "judge_8")}, "bribed"),
    ({"moved": ("Aurora",)}, "moved"),
    ({"moved": ("Delta", "Delta")}, "moved"),
    ({"cells": {"entry": "Delta", "moved": False}}, "moved"),
    ({"cells": {"entry": "Delta", "best_place": 2}}, "best_place"),
    ({"cells": {"entry": "Ember", "total": 9.0}}, "total"),
    ({"drop": "Delta"}, "entries"),
    *(({"column": column}, "entries") for column in ("place", "moved")),
    ({"change": "winnerx", "place": 1}, "change"),
    ({"change": None}, "change"),
    ({"change": "podium"}, "place"),
    ({"change": "podium", "place": 3}, "moved"),
    ({"change": "entry", "entry": "Ember"}, "moved"),
    ({"change": "entry", "entry": "Nobody"}, "entry"),
]


@pytest.mark.parametrize(("changes", "what"), first_of(TAMPERED_CHEAPEST, 6))
def test_whatever_the_cheapest_says_wrongly_is_found_by_its_recheck(changes: dict[str, Any], what: str) -> None:
    found = true_cheapest()
    checked = replace(found, **tampered(found.entries, changes)).recheck()
    assert not checked
    assert what in [one.what for one in checked.differences]
