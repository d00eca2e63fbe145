"""A recheck looks at the result that it is called on: whatever is written into one otherwise is named."""

from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.bribery.cheapest_result import CheapestBribe
from bribeproof.bribery.result import WorstBribe
from tests.bribery.test_worst_bribe import COLUMNS, GROUPS
from tests.frames.inputs import EACH_KIND, give

VOTES = pl.DataFrame(COLUMNS)
PRICE = {"a": 0.1, "b": 0.2, "c": 0.2, "d": 0.3, "e": "1/3"}
VALUES = dict.fromkeys(COLUMNS["task"], 0.1) | {"t4": 7, "t5": 0}
WEIGHTS = {"a": 1 / 3, "b": 1, "c": 1 / 7, "d": 1, "e": 0.1}
ASKED: dict[str, tuple[WorstBribe | CheapestBribe, ...]] = {
    "heads": (bp.worst_bribe(VOTES, 2), bp.cheapest_bribe(VOTES, 6)),
    "groups": (bp.worst_bribe(VOTES, 1, group=GROUPS), bp.cheapest_bribe(VOTES, 8, group=GROUPS)),
    "prices": (
        bp.worst_bribe(VOTES, price=PRICE, budget=0.3),
        bp.cheapest_bribe(VOTES, items=["t5", "t0"], price=PRICE, values=VALUES),
    ),
    "values": (bp.worst_bribe(VOTES, 3, values=VALUES), bp.cheapest_bribe(VOTES, 7.3, values=VALUES)),
    "weights": (bp.worst_bribe(VOTES, 1, weights=WEIGHTS), bp.cheapest_bribe(VOTES, 3, weights=WEIGHTS)),
    "in a hurry": (bp.worst_bribe(VOTES, 2, time_limit=1e-9), bp.cheapest_bribe(VOTES, 6, time_limit=1e-9)),
    "nobody": (bp.worst_bribe(VOTES, 0), bp.cheapest_bribe(VOTES, 1, price=dict.fromkeys("abcde", 0))),
}


def otherwise(value: Any) -> list[Any]:
    """Other values of an attribute, of the same type."""
    if isinstance(value, pl.DataFrame):
        first, *numbers = value.columns[0], *value.select(pl.selectors.numeric()).columns
        tables = [value.clear(), value.reverse(), pl.concat([value, value]), value.rename({first: "other"})]
        tables += [value.with_columns(pl.col(name) + 1) for name in numbers]
        return [table for table in tables if not table.equals(value)] or [value.rename({first: "other"})]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, tuple):
        return [(*value, "t1"), *([value[1:], (*value, value[0])] if value else [])]
    return [0, 3] if value is None else [value + 1, value - Fraction(1, 4)]


@pytest.mark.parametrize("asked", ASKED)
def test_whatever_is_written_into_a_result_is_named(asked: str) -> None:
    for found in ASKED[asked]:
        assert found.recheck().ok
        assert found.recheck().differences == ()
        for name in (field.name for field in fields(found) if field.name not in ("found", "_question")):
            for other in otherwise(getattr(found, name)):
                recheck = replace(found, **{name: other}).recheck()
                assert name in recheck.differences, (name, other)
                assert not recheck


def test_other_reporters_and_other_items_are_named() -> None:
    found = bp.worst_bribe(VOTES, 2)
    others = bp.worst_bribe(VOTES.filter(pl.col("worker") != found.names[0]), 2)
    assert replace(found, reporters=others.reporters).recheck().differences == ("reporters",)
    assert replace(found, items=others.items).recheck().differences == ("items",)
    turned = found.items.with_columns(decision=pl.lit("maybe"))
    assert replace(found, items=turned).recheck().differences == ("items",)
    assert replace(found, reporters=found.reporters.with_columns(reports=pl.lit(1))).recheck().differences


def test_a_list_or_a_bound_that_is_false_is_found_where_the_result_says_the_same() -> None:
    """A result that is laid out of a false list agrees with it, and is not proven."""
    found = bp.worst_bribe(VOTES, 2)
    for wrong in (
        replace(found.found, bound=found.found.bound - 1),
        replace(found.found, groups=found.found.groups[:1]),
        replace(found.found, changed=~found.found.changed),
    ):
        assert not WorstBribe.of(found._question, wrong).recheck()
    cheapest = bp.cheapest_bribe(VOTES, 6)
    for false in (
        replace(cheapest.found, least=cheapest.found.least + 1),
        replace(cheapest.found, refuted=None),
        replace(cheapest.found, enough=Fraction(8)),
    ):
        assert not CheapestBribe.of(cheapest._question, false, ()).recheck()


@pytest.mark.parametrize("kind", EACH_KIND)
def test_tables_of_every_kind_of_frame_are_compared(kind: str, tmp_path: Path) -> None:
    frame = give(kind, COLUMNS, tmp_path)
    found, cheapest = bp.worst_bribe(frame, 2), bp.cheapest_bribe(frame, items=["t4", "t0"])
    assert found.recheck()
    assert cheapest.recheck()
    assert not replace(found, items=cheapest.items).recheck()
