"""Which cells are asked about as sets of labels, and which options settle it."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import DataError
from bribeproof.questions import QuestionError
from tests.frames.inputs import FRAMES
from tests.frames.reading.label_tables import WRITTEN, long_form, spoken, table


def test_the_ways_are_asked_about_and_each_answer_reads_the_table() -> None:
    frame = pl.DataFrame(long_form(spoken(2), WRITTEN[";"]))
    with pytest.raises(QuestionError, match="the same labels in another order") as asked:
        bp.aggregate(frame, k=1)
    assert [choice.options["label_sets"] for choice in asked.value.choices] == ["whole", "each", "none"]
    found = [bp.aggregate(frame, k=1, **choice.options) for choice in asked.value.choices]  # type: ignore[arg-type]
    assert [one.kind for one in found] == ["labels", "votes", "labels"]
    assert found[2].recognised.label_sets is not None
    with pytest.raises(QuestionError, match="lists of labels") as asked:
        bp.recognise(pl.DataFrame(long_form(table(2), json.dumps)))
    assert [choice.flags for choice in asked.value.choices] == [
        ("--label-sets", "whole", "--label-separator", "list"),
        ("--label-sets", "each", "--label-separator", "list"),
    ]


@pytest.mark.parametrize(
    "labels",
    [
        ["yes, probably", "no, probably", "yes, surely"],
        ["Smith; John", "Doe; Jane", "Smith; Jane"],
        ["Cause-Effect(e1,e2)", "Cause-Effect(e2,e1)"],
        ["A>B", "B>A", "A-B", "B-A", "A:B", "B:A"],
        ["2024/01/02", "2024/02/01", "01/02", "02/01"],
        ["R&B", "C#", "C++", "rock & roll", "[unclear]", "[sic]"],
        ["New York", "York New", "York"],
        ["1,5", "5,1", "1.250,5"],
    ],
)
def test_labels_with_such_signs_raise_no_question(labels: list[str]) -> None:
    frame = pl.DataFrame({"task": ["t"] * len(labels), "worker": list("abcdefgh")[: len(labels)], "label": labels})
    found = bp.aggregate(frame, k=0, kind="labels")
    assert found.recognised.label_sets is None
    assert found.items["m"].to_list() == [len(labels)]


@pytest.mark.parametrize("mark", [",", "."])
def test_numbers_raise_no_question_about_sets(mark: str) -> None:
    draw = np.random.default_rng(3)
    scores = [f"{a}{mark}{b}" for a, b in draw.integers(0, 10, (300, 2))]
    frame = pl.DataFrame({"task": [f"t{i // 10}" for i in range(300)], "worker": list("abcdefghij") * 30})
    assert bp.recognise(frame.with_columns(score=pl.Series(scores))).kind == "scores"
    assert bp.recognise(frame.with_columns(label=pl.Series(scores)), kind="labels").label_sets is None


@pytest.mark.slow
def test_random_honest_labels_raise_no_question() -> None:
    words = ["cat", "dog", "very", "small", "not", "sure", "Smith", "John", "e1", "7", "(a)", "[x]", "{y}"]
    for seed in range(800):
        draw = np.random.default_rng(seed)
        signs = draw.choice(["; ", ";", ", ", ",", " ", "/", " & ", "#", "+", "|", "-", ": "], 2)
        # Each phrase has its words in the order of the list, so that none is another one turned round.
        phrases = {
            str(draw.choice(signs)).join(words[place] for place in sorted(draw.choice(len(words), size, replace=False)))
            for size in draw.integers(1, 4, 8)
        }
        labels = draw.choice(sorted(phrases), 60)
        frame = pl.DataFrame({"task": [f"t{i // 6}" for i in range(60)], "worker": list("abcdef") * 10})
        assert bp.recognise(frame.with_columns(label=pl.Series(labels)), kind="labels").label_sets is None, phrases


@pytest.mark.parametrize(
    ("cells", "question"),
    [(["a, b; c", "c"], "what separates"), (["a/b", "b"], "what separates"), (["C#", "F#; C#"], "")],
)
def test_what_separates_labels_is_asked_where_it_is_not_certain(cells: list[str], question: str) -> None:
    frame = pl.DataFrame({"task": ["t"] * len(cells), "worker": ["a", "b"], "label": cells})
    if not question:
        assert bp.aggregate(frame, k=0, label_sets="each").items["task, label"].to_list() == ["t · C#", "t · F#"]
        return
    with pytest.raises(QuestionError, match=question) as asked:
        bp.recognise(frame, label_sets="each")
    for choice in asked.value.choices:
        assert bp.aggregate(frame, k=0, **choice.options).kind == "votes"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"label_sets": "every"}, "use one of"),
        ({"label_separator": ";"}, "several labels"),
        ({"labels": ["a"]}, "several labels"),
        ({"label_sets": "whole", "labels": ["a"]}, "label_sets='each'"),
        ({"label_sets": "each", "labels": ["a", "a"]}, "once"),
        ({"label_sets": "each", "kind": "scores"}, "these are scores"),
        ({"label_sets": "each", "positive": "ant"}, "votes 1 on the labels"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(bp.BribeproofError, match=words):
        bp.aggregate(pl.DataFrame(long_form(table(4), WRITTEN[";"])), k=1, **options)


def test_functions_that_recognise_nothing_warn_of_labels_in_another_order() -> None:
    columns = long_form(spoken(3), WRITTEN[";"])
    with pytest.warns(bp.BribeproofWarning, match="are counted as two labels"):
        bp.aggregate_labels(pl.DataFrame(columns), k=1)
    for engine in ("polars", "pandas"):
        with pytest.raises(DataError, match="label_sets='whole'"):
            bp.aggregate_labels(FRAMES[engine](long_form(table(3), list)), k=1)


@pytest.mark.parametrize(
    ("cells", "separator"),
    [(["1,2,5", "2,1", "1,2"], ","), (["cat dog", "dog cat", "cat", "dog"], "space"), (["Cat|ant", "ant|cat"], "|"),
     (["a#b", "b#a"], "#"), (["R&B & pop", "pop & R&B"], "&"), (["cat\ndog", "dog\ncat"], "newline"),
     (["猫、犬", "犬、猫"], "、"), (["x + y", "y+x"], "+")],
)  # fmt: skip
def test_labels_in_another_order_are_asked_about_with_their_separator(cells: list[str], separator: str) -> None:
    frame = pl.DataFrame({"task": ["t"] * len(cells), "worker": list("abcd")[: len(cells)], "label": cells})
    with pytest.raises(QuestionError, match="the same labels in another order") as asked:
        bp.recognise(frame, kind="labels")
    assert asked.value.choices[0].options["label_separator"] == separator
    assert bp.recognise(frame, **asked.value.choices[0].options).label_sets is not None  # type: ignore[arg-type]


def test_small_and_capital_letters_do_not_change_the_order_of_a_set() -> None:
    frame = pl.DataFrame({"task": ["t", "t"], "worker": ["a", "b"], "label": ["Dog;ant", "ant;dog"]})
    with pytest.warns(bp.BribeproofWarning, match="look alike"):
        found = bp.aggregate(frame, k=0, label_sets="whole")
    assert set(found.items.columns) >= {"share_ant;Dog", "share_ant;dog"}


def test_several_rows_of_one_report_are_refused_with_the_option_that_reads_them() -> None:
    frame = pl.DataFrame({"task": ["t"] * 3, "worker": ["a", "a", "b"], "label": ["x", "y", "x"]})
    with pytest.raises(DataError, match="--label-sets whole --label-separator rows"):
        bp.aggregate(frame, k=0)
    assert bp.aggregate(frame, k=0, label_sets="each", label_separator="rows").items["positive"].to_list() == [2, 1]


def test_sets_in_another_order_far_down_in_a_lazy_frame_are_warned_of() -> None:
    rows_ = {"task": [f"t{i // 3}" for i in range(3_000)], "worker": list("xyz") * 1_000}
    frame = pl.LazyFrame(rows_ | {"label": ["c;d"] * 2_999 + ["d;c"]})
    with pytest.warns(bp.BribeproofWarning, match="'c;d' and 'd;c' are counted as two labels"):
        bp.aggregate(frame, k=1)
    with pytest.raises(QuestionError):
        bp.aggregate(frame.collect(), k=1)
