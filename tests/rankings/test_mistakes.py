"""Mistakes in tables of rankings are told, and what is done to a table is said."""

from typing import Any

import polars as pl
import pytest

import bribeproof as bp

BAD: dict[str, tuple[dict[str, list[Any]], dict[str, Any], str]] = {
    "text": (
        {"entry": ["a", "b"], "j1": ["1", "two"]},
        {"judges": ["j1"]},
        r"judge 'j1', entry 'b': 'two' is not a pl",
    ),
    "zero": ({"entry": ["a", "b"], "j1": [0, 1]}, {}, r"'0' is not a place"),
    "mark": ({"entry": ["a", "b"], "j1": [7.25, 8.0]}, {"judges": ["j1"]}, r"'7.25' is not a place: .* for aggregate"),
    "negative": ({"entry": ["a", "b"], "j1": ["-1", "1"]}, {"judges": ["j1"]}, r"'-1' is not a place"),
    "no first place": (
        {"entry": ["a", "b"], "j1": [7, 8], "j2": [9, 6]},
        {},
        r"not places from 1 on: judge 'j1' gives 7",
    ),
    "no entry": ({"entry": ["a", None], "j1": [1, 2]}, {}, "column 'entry' is empty"),
    "one entry": (
        {"entry": ["a"], "j1": [1]},
        {"rule": "borda"},
        "there is one entry, 'a': a ranking needs at least 2",
    ),
    "two entries of one name": (
        {"entry": ["a", "a"], "j1": [1, 2]},
        {},
        "judge 'j1' gives entry 'a' place 2, and 1 at",
    ),
    "no places": ({"entry": ["a", "b"], "j1": [None, None]}, {}, "no judge gives a place"),
    "no rows": ({"entry": [], "j1": []}, {"judges": ["j1"]}, "the table has no rows"),
    "too few": (
        {"entry": ["a", "b"], "j1": [1, 2], "j2": [1, 2]},
        {},
        "entry 'a' has 2 places; with k=1 .* at least 3",
    ),
    "no column": ({"entry": ["a", "b"], "j1": [1, 2]}, {"entry": "x"}, r"there is no column 'x' \(entry\)"),
    "no such judges": ({"entry": ["a"], "j1": [1]}, {"judges": ["j2"]}, r"there is no column 'j2' \(judges\)"),
    "half a form": ({"entry": ["a"], "j1": [1]}, {"judge": "j1"}, "no columns hold the places of entries beside the"),
    "labels": (
        {"task": ["a", "b"], "worker": ["j", "j"], "label": ["cat", "dog"]},
        {},
        "judges are in 'worker', and no column is called like places: name theirs .place., of 'task', 'label'; scores",
    ),
    "no judges": ({"entry": ["a"], "p": [1]}, {"place": "p"}, "long form needs a column of the judges, too"),
    "turned and entries": ({"entry": ["a"], "p": [1]}, {"turned": True, "entry": "entry"}, "a column for each entry"),
    "turned, no judges": ({"p": [1], "q": [2]}, {"turned": True}, "a turned table needs a column of the judges"),
    "both forms": ({"entry": ["a"], "j1": [1]}, {"judge": "j1", "judges": ["j1"]}, "give one of both"),
    "rule": ({"entry": ["a"], "j1": [1]}, {"rule": "plurality"}, "rule='plurality': use one of trimmed_mean"),
    "points missing": ({"entry": ["a"], "j1": [1]}, {"rule": "points"}, r"needs points: .*--points 12,10,8"),
    "points rise": ({"entry": ["a"], "j1": [1]}, {"rule": "points", "points": [1, 2]}, "a better place has at least"),
    "points of another": ({"entry": ["a"], "j1": [1]}, {"rule": "borda", "points": [2, 1]}, "has no points"),
    "no points": ({"entry": ["a"], "j1": [1]}, {"rule": "points", "points": [0, 0]}, "more than 0 points"),
    "unranked": ({"entry": ["a"], "j1": [1]}, {"unranked": "first"}, "unranked='first': use one of last, not-asked"),
    "time": ({"entry": ["a"], "j1": [1]}, {"time_limit": 0}, "seconds above 0"),
    "places nowhere": ({"entry": ["a"], "note": ["b"]}, {}, "no columns hold places"),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_are_told(name: str) -> None:
    data, options, message = BAD[name]
    with pytest.raises(bp.BribeproofError, match=message):
        bp.rank(pl.DataFrame(data), **options)


def test_what_is_done_to_the_table_is_said() -> None:
    frame = pl.DataFrame(
        {"entry": list("abcd"), "j1": ["1", "2", "DNS", "3"], "j2": ["1", "2", "DNS", "4"], "j3": ["T1", "T1", "", "3"]}
    )
    found = bp.rank(pl.concat([frame, frame.head(1)]), "borda")
    assert found.entries.height == 3
    said = " | ".join(found.notes)
    assert "no judge gives 'c' a place: left out" in said
    assert "the places of 1 judge skip numbers, and only their order counts: judge 'j2' gives 1, 2, 4" in said
    assert "3 repeated places of a judge for an entry, equal each time, counted once" in said
    assert "places such as 'T1' are read as the number in them" in said
    assert "1 of 3 rankings has entries at the same place" in said


def test_gaps_are_asked_about() -> None:
    frame = pl.DataFrame({"entry": list("abc"), "j1": [1, 3, 7], "j2": [2, 3, 7]})
    with pytest.raises(bp.QuestionError, match="2 judges of 2 are not places from 1 on: judge 'j1' gives 1, 3, 7"):
        bp.rank(frame, "borda")
    assert bp.rank(frame, "borda", gaps=True).winners == ("a",)


def test_points_are_not_taken_for_places() -> None:
    given = [12, 10, 8, 7, 6, 5, 4, 3, 2, 1]
    frame = pl.DataFrame({"entry": list("abcdefghij"), "j1": given, "j2": given[::-1]})
    with pytest.raises(bp.QuestionError, match="gives 1, 2, 3, 4, …, 8, 10, 12; if they are marks or points, use aggr"):
        bp.rank(frame, "borda")


SHEET = pl.DataFrame(
    {
        "film": list("abcd"),
        "director": ["Ito", "Varga", "Haddad", "Brown"],
        "Ann": ["1", "2", "3", "4"],
        "Ben": ["2", "1", "3", "4"],
        "Cem": ["4", "1", "2", "abst."],
    }
)


def test_a_strange_word_throws_no_judge_out() -> None:
    with pytest.raises(bp.DataError, match=r"judge 'Cem', entry 'd': 'abst.' is not a place.*missing=\['abst.'\]"):
        bp.rank(SHEET, "borda")
    found = bp.rank(SHEET, "borda", missing=["abst."], unranked="last")
    assert "3 judges: 'Ann', 'Ben', 'Cem'" in found.notes[0]
    assert "left out: 'director'" in found.notes[0]
    turned = pl.DataFrame(
        {"judge": ["Ann", "Ben"], "a": ["1", "2"], "b": ["2", "1"], "c": ["3", "tbd"], "d": ["4", "3"]}
    )
    with pytest.raises(bp.QuestionError, match="'c' may be an entry or not: the column holds 'tbd'"):
        bp.rank(turned, "borda")


def test_a_judge_who_abstained_throughout_is_asked_about() -> None:
    frame = SHEET.with_columns(Cem=pl.lit("abstained"))
    with pytest.raises(bp.QuestionError, match="'Cem' may be a judge or not: the column holds 'abstained'") as question:
        bp.rank(frame, "borda")
    assert [choice.options for choice in question.value.choices] == [
        {"judges": ["Ann", "Ben", "Cem"]},
        {"judges": ["Ann", "Ben"]},
    ]
    found = bp.rank(frame, "borda", judges=["Ann", "Ben", "Cem"], missing=["abstained"])
    assert "no place given by 'Cem': left out" in found.notes
