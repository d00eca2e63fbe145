"""Ballots, of which each names the first, the second and so on, are the same rankings as a sheet of places."""

import itertools
import random

import polars as pl
import pytest

import bribeproof as bp

BALLOTS = pl.DataFrame(
    {
        "juror": ["Ann", "Ben", "Cem", "Dot"],
        "1st": ["Lark", "Moth", "Lark", "abstained"],
        "2nd": ["Moth", "Lark", "Moth / Newt", None],
        "3rd": ["Newt", "Newt", None, None],
    }
)
SHEET = pl.DataFrame(
    {"film": ["Lark", "Moth", "Newt"], "Ann": [1, 2, 3], "Ben": [2, 1, 3], "Cem": ["1", "2=", "2="]},
    strict=False,
)


def test_ballots_are_the_sheet_of_places() -> None:
    found, same = (bp.rank(frame, "borda", missing=["abstained"]) for frame in (BALLOTS, SHEET))
    assert found.entries.select("score", "place").rows() == same.entries.select("score", "place").rows()
    assert found.other["winner"].bribed == same.other["winner"].bribed
    (said, *_) = found.notes
    assert "a ballot for each judge in 'juror', places in '1st', '2nd', '3rd'" in said
    assert "cells such as 'Moth / Newt' name entries at the same place" in said
    assert "left out: the empty ballot of 'Dot'" in said


@pytest.mark.parametrize("seed", range(3))
def test_random_ballots_and_places_agree(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311
    orders = [draw.sample("abcd", 4) for _ in range(5)]
    ballots = pl.DataFrame({f"Choice {at + 1}": [order[at] for order in orders] for at in range(4)}).with_columns(
        voter=pl.Series(list("vwxyz"))
    )
    sheet = pl.DataFrame(
        {"entry": list("abcd")}
        | {f"j{at}": [order.index(name) + 1 for name in "abcd"] for at, order in enumerate(orders)}
    )
    for rule in ("borda", "copeland"):
        one, other = bp.rank(ballots, rule), bp.rank(sheet, rule)
        assert sorted(one.entries.select("entry", "score").rows()) == sorted(
            other.entries.select("entry", "score").rows()
        )


def test_what_is_no_entry_is_asked_about() -> None:
    with pytest.raises(bp.DataError, match=r"'abstained' on a ballot .* missing=\['abstained'\] \(--missing abst"):
        bp.rank(BALLOTS, "borda")
    with pytest.raises(bp.DataError, match=r"places of ballots: name the column of the judges \(--judge NAME\)"):
        bp.rank(BALLOTS.drop("juror").head(3), "borda")


def test_other_commands_do_not_take_places_for_items() -> None:
    with pytest.raises(bp.QuestionError, match="are the places of ballots, as bribeproof rank reads them"):
        bp.aggregate(BALLOTS, k=1)
    with pytest.raises(bp.QuestionError) as asked:
        bp.report(BALLOTS)
    assert asked.value.choices[0].options == {"kind": "rankings"}
    report = bp.report(BALLOTS, missing=["abstained"])
    assert report.summary().startswith("Lark wins")


def test_columns_of_numbers_are_no_ballots() -> None:
    names = ["1st", "2nd", "3rd"]
    for one in itertools.permutations("123"):
        assert bp.rank(
            pl.DataFrame({"entry": list("abc"), **{name: list(one) for name in names}}), "borda"
        ).entries.height
