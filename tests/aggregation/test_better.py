"""Scores of which the lowest is the best: only the order differs, and it is that of the negated scores."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof import ParameterError
from bribeproof.aggregation.summary import rank_result
from bribeproof.explorer.data.analysis import analyse, analyse_without_protection
from bribeproof.io.read import Table
from tests.budgets import examples
from tests.cli.command import call, document, put
from tests.frames.inputs import EACH_KIND, give, rows

RANKS: dict[str, list[Any]] = {
    "entry": ["Aurora", "Borealis", "Cascade", "Delta"],
    "J1": [1, 2, 3, 4],
    "J2": [1, 3, 2, 4],
    "J3": [2, 1, 4, 3],
    "J4": [4, 1, 2, 3],
    "J5": [1, 2, 3, 4],
}
JUDGES = ["J1", "J2", "J3", "J4", "J5"]
MEANS = {"Aurora": 4 / 3, "Borealis": 5 / 3, "Cascade": 8 / 3, "Delta": 11 / 3}
CSV = pl.DataFrame(RANKS).write_csv()
PODIUM = [("Aurora", 1, 1, 2), ("Borealis", 2, 1, 2), ("Cascade", 3, 1, 3)]
"""Each item's place, the best and the worst that it could have, from its lowest and highest mean of three."""


def podium(facts: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [tuple(place.values()) for place in facts["podium"]]


def negated(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {
        name: cells if name == "entry" else [None if cell is None else -cell for cell in cells]
        for name, cells in columns.items()
    }


@pytest.mark.parametrize("kind", EACH_KIND)
def test_the_lowest_rank_has_the_first_place_in_every_engine(kind: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"kind": "scores", "item": "entry", "judges": ["J*"]}
    found = bp.aggregate(give(kind, RANKS, tmp_path), 1, better="low", **options)
    assert {row["entry"]: row["estimate"] for row in rows(found.items)} == pytest.approx(MEANS)
    assert (found.better, podium(found.facts())) == ("low", PODIUM)
    assert (
        "Podium, the lowest score first, whichever one judge is bribed, the same on every item: 1. Aurora"
        in found.summary()
    )
    mirrored = bp.aggregate(give(kind, negated(RANKS), tmp_path), 1, better="high", **options)
    assert (mirrored.better, podium(mirrored.facts())) == ("high", PODIUM)
    assert "lowest" not in mirrored.summary()


@settings(max_examples=examples(0.1))
@given(st.data())
def test_the_order_of_scores_is_that_of_negated_scores_and_nothing_else_differs(data: st.DataObject) -> None:
    marks = st.sampled_from([None, 0.0, 1.0, 2.5, 2.5, 7.0])
    sheet: dict[str, list[Any]] = {"entry": list("abcd")}
    sheet |= {name: data.draw(st.lists(marks, min_size=4, max_size=4)) for name in JUDGES}
    k, decimals = data.draw(st.integers(0, 2)), data.draw(st.sampled_from([None, 0]))
    options: dict[str, Any] = {"kind": "scores", "judges": JUDGES, "item": "entry", "decimals": decimals}
    low, high = (bp.aggregate(pl.DataFrame(sheet), k, better=better, **options) for better in ("low", "high"))
    assert low.items.equals(high.items)
    mirrored = bp.aggregate(pl.DataFrame(negated(sheet)), k, **options)
    assert podium(low.facts()) == podium(mirrored.facts())
    ranked, reflected = rank_result(low.items, "low"), rank_result(mirrored.items, "high")
    for name in ("rank", "best_rank", "worst_rank"):
        assert getattr(ranked, name).tolist() == getattr(reflected, name).tolist()

    del options["decimals"]
    swept = bp.sweep(pl.DataFrame(sheet), better="low", **options)
    other = bp.sweep(pl.DataFrame(negated(sheet)), better="high", **options)
    assert swept.items.equals(other.items)
    assert swept.by_k.equals(other.by_k)

    seen = []
    for columns, better in ((sheet, "low"), (negated(sheet), "high")):
        first = analyse_without_protection(Table(pl.DataFrame(columns), "sheet.csv"), options | {"better": better})
        seen.append(analyse(first, k, rounded=False).items.select("item", "changeable", "changed", "place_before"))
    assert seen[0].equals(seen[1])


def test_a_sweep_compares_places_from_the_lowest_score_on() -> None:
    """With ties the places differ by direction: from above 1, 2, 2 become 1, 1, 1; from below 3, 1, 1 do."""
    sheet = pl.DataFrame({"entry": list("abc"), "x": [1, 1, 1], "y": [1, 1, 1], "z": [9, 1, 1]})
    options: dict[str, Any] = {"kind": "scores", "item": "entry", "judges": list("xyz")}
    assert bp.sweep(sheet, [0, 1], **options).items["changes_at"].to_list() == [None, 1, 1]
    assert bp.sweep(sheet, [0, 1], better="low", **options).items["changes_at"].to_list() == [1, None, None]


def test_a_direction_is_of_scores_and_one_of_two(tmp_path: Path) -> None:
    votes = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": [1, 1, 0]})
    for kind in ("votes", "labels"):
        with pytest.raises(ParameterError, match=f"better does not apply to {kind}"):
            bp.aggregate(votes, 1, kind=kind, better="low")
        with pytest.raises(ParameterError, match=f"better does not apply to {kind}"):
            bp.sweep(votes, kind=kind, better="low")
    for wrong in ("lowest", "", 0, True):
        with pytest.raises(ParameterError, match="use 'high' if"):
            bp.aggregate(votes, 1, kind="scores", better=wrong)  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match="use 'high' if"):
            bp.sweep(votes, kind="scores", score="label", better=wrong)  # type: ignore[arg-type]
    path = put(tmp_path / "votes.csv", votes.write_csv())
    for command in (("aggregate", "--k", 1), ("sweep",)):
        refused = call(command[0], path, *command[1:], "--better", "low").refused()
        assert "--better does not apply to votes; leave it out, or give another --kind" in refused
        assert "--better" in call(command[0], path, *command[1:], "--better", "lowest").refused()


def test_the_command_ranks_from_the_lowest(tmp_path: Path) -> None:
    path = put(tmp_path / "ranks.csv", CSV)
    options = ("--kind", "scores", "--judges", "J*", "--item", "entry")
    found = document("aggregate", path, "--k", 1, "--better", "low", *options)
    assert {row["entry"]: row["estimate"] for row in found["items"]} == pytest.approx(MEANS)
    assert (found["summary"]["better"], podium(found["summary"])) == ("low", PODIUM)
    picture = tmp_path / "ranks.svg"
    done = call("aggregate", path, "--k", 1, "--better", "low", "--plot", picture, *options)
    assert "1. Aurora (could be 1 to 2), 2. Borealis" in done.out
    assert "the lowest is the best" in picture.read_text()
    swept = document("sweep", path, "--better", "low", *options)
    # Without protection Aurora and Borealis share the first place, of mean 9/5 each.
    changes = {row["entry"]: row["changes_at"] for row in swept["changes"]}
    assert changes == {"Aurora": 3, "Borealis": 1, "Cascade": 3, "Delta": 3}
