"""Scores that may be ranks, times or penalties are a question, in every kind of table; the others are none."""

import itertools
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.questions import QuestionError
from tests.budgets import examples
from tests.cli.command import call, put
from tests.frames.inputs import EACH_KIND, give, lengthen

RANKS: dict[str, list[Any]] = {"entry": ["A", "B", "C"], "j1": [1, 2, 3], "j2": [2, 1, 3], "j3": [1, 3, 2]}
WIDE: dict[str, Any] = {"kind": "scores", "item": "entry", "judges": ["j1", "j2", "j3"]}
LONG: dict[str, Any] = {"kind": "scores", "item": "entry", "reporter": "worker", "value": "score"}


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("kind", EACH_KIND)
def test_ranks_are_a_question_of_two_answers(kind: str, wide: bool, tmp_path: Path) -> None:
    table = give(kind, RANKS if wide else lengthen(RANKS, "score"), tmp_path)
    options = WIDE if wide else LONG
    with pytest.raises(QuestionError, match="each of 3 reporters gives the numbers 1 to 3 once") as asked:
        bp.aggregate(table, 1, **options)
    assert "better='low' (the lowest is the best, as of ranks, times and penalties) or better='high'" in str(
        asked.value
    )
    given: list[dict[str, Any]] = [dict(choice.options) for choice in asked.value.choices]
    answers = [bp.aggregate(table, 1, **options, **answer) for answer in given]
    assert [answer.facts()["podium"][0]["item"] for answer in answers] == ["A", "C"]


@pytest.mark.parametrize(
    ("name", "is_asked"),
    [("rank", True), ("Rank", True), ("finalPlace", True), ("TIME_S", True), ("penalty points", True), ("Zeit", True),
     ("Rang", True), ("Plätze", True), ("Strafpunkte", True), ("pénalité", True), ("順位", True), ("score", False),
     ("marks", False), ("points", False), ("ranked", False), ("timely", False)],
)  # fmt: skip
def test_the_name_of_the_scores_decides(name: str, is_asked: bool) -> None:
    scores = pl.DataFrame({"entry": ["A"] * 3 + ["B"] * 3, "judge": list("xyz") * 2, name: [7.5, 8.0, 8.25, 1.0, 2, 3]})
    wide = pl.DataFrame({"entry": ["A", "B"]} | {f"{name} {judge}": [7.5, 1.0] for judge in "123"})
    calls: list[Any] = [
        lambda **given: bp.aggregate(scores, 1, kind="scores", reporter="judge", item="entry", value=name, **given),
        lambda **given: bp.sweep(scores, kind="scores", reporter="judge", item="entry", score=name, **given),
        lambda **given: bp.aggregate(wide, 1, kind="scores", item="entry", judges=[f"{name} *"], **given),
    ]
    for called in calls if name in ("rank", "score") else calls[:1]:
        if is_asked:
            with pytest.raises(QuestionError, match="may be ranks, times or penalties"):
                called()
        else:
            called()
        for better in ("low", "high"):
            called(better=better)


def test_one_judge_with_such_a_name_is_no_question() -> None:
    sheet = pl.DataFrame({"entry": ["A", "B"], "Ann Place": [7.0, 8.5], "Bo": [6, 8], "Cy": [6, 7]})
    assert bp.aggregate(sheet, 1, kind="scores", item="entry", judges=["Ann Place", "Bo", "Cy"]).better == "high"


def near_ranks() -> dict[str, list[list[Any]]]:
    """Return sheets of three items that are almost ranks: a row for each judge."""
    return {
        "two items": [[1, 2], [2, 1], [1, 2]],
        "one judge": [[1, 2, 3]],
        "a tie": [[1, 2, 3], [1, 1, 3], [2, 1, 3]],
        "from zero": [[0, 1, 2], [1, 0, 2], [2, 1, 0]],
        "missing": [[1, 2, 3], [2, None, 1], [3, 2, 1]],
        "halves": [[1.0, 2.5, 3.0], [1.0, 3.0, 2.5], [2.5, 1.0, 3.0]],
        "not all": [[1, 2, 4], [2, 1, 4], [1, 4, 2]],
        "of all together": [[1, 1, 3], [3, 2, 2], [1, 2, 3]],
    }


@pytest.mark.parametrize("name", near_ranks())
def test_what_is_nearly_ranks_is_no_question(name: str) -> None:
    judges = near_ranks()[name]
    sheet: dict[str, Any] = {"entry": list("ABC")[: len(judges[0])]}
    sheet |= {f"j{index}": marks for index, marks in enumerate(judges)}
    assert bp.aggregate(pl.DataFrame(sheet), 0, kind="scores", item="entry", judges=["j*"]).better == "high"


@settings(max_examples=examples(0.3))
@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_ranks_are_asked_about_and_nothing_else_is(items: int, judges: int, data: st.DataObject) -> None:
    """The oracle compares each judge's marks with all permutations."""
    ranks = st.permutations(range(1, items + 1)).map(list)
    marks = st.lists(st.sampled_from([1, 2, 3, 4, None]), min_size=items, max_size=items)
    rows = data.draw(st.lists(st.one_of(ranks, ranks, ranks, marks), min_size=judges, max_size=judges))
    orders = set(itertools.permutations(range(1, items + 1)))
    is_asked = judges > 1 and items > 2 and all(tuple(row) in orders for row in rows)
    sheet: dict[str, Any] = {"entry": [f"E{item}" for item in range(items)]}
    sheet |= {f"j{index}": pl.Series(row, dtype=pl.Int64) for index, row in enumerate(rows)}
    try:
        bp.aggregate(pl.DataFrame(sheet), 0, kind="scores", item="entry", judges=["j*"])
    except QuestionError:
        assert is_asked
    else:
        assert not is_asked


def test_the_command_offers_both(tmp_path: Path) -> None:
    path = put(tmp_path / "ranks.csv", pl.DataFrame(RANKS).write_csv())
    commands: list[tuple[Any, ...]] = [("aggregate", path, "--k", 1), ("sweep", path)]
    for words in ((*command, "--kind", "scores") for command in commands):
        asked = call(*words)
        assert (asked.status, asked.out) == (2, "")
        assert "--better low" in asked.err
        assert "--better high" in asked.err
        assert call(*words, "--better", "high").status == 0
