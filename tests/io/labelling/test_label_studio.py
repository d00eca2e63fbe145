"""Exports of Label Studio: questions, models, skipped reports, and damage that is located."""

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import call
from tests.io.labelling.crowds import crowd_of, reports_of, result, save
from tests.io.labelling.exports import choices, label_studio_tasks


def with_results(*results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one task of Label Studio with the results of some annotators."""
    annotations = [{"id": who, "completed_by": who, "result": one} for who, one in enumerate(results, start=1)]
    return [{"id": 1, "data": {"text": "x"}, "annotations": annotations}]


@pytest.mark.parametrize(
    ("kind", "values", "read_as", "cells"),
    [
        ("choices", [{"choices": ["a"]}, {"choices": ["b"]}], "labels", ["a", "b"]),
        ("taxonomy", [{"taxonomy": [["a"]]}, {"taxonomy": [["a", "b"]]}], "labels", ["a", "a > b"]),
        ("rating", [{"rating": 4}, {"rating": 5}], "scores", ["4", "5"]),
        ("number", [{"number": 1.50}, {"number": 2}], "scores", ["1.5", "2"]),
        ("pairwise", [{"selected": "left"}, {"selected": "right"}], "labels", ["left", "right"]),
    ],
)
def test_types_of_questions(
    tmp_path: Path, kind: str, values: list[dict[str, object]], read_as: str, cells: list[str]
) -> None:
    table = bp.read_table(save(tmp_path, with_results(*([result(kind, value)] for value in values))))
    assert table.frame["q"].to_list() == cells
    assert bp.recognise(table).kind == read_as


def test_several_labels_are_asked_about(tmp_path: Path) -> None:
    several = [[result("choices", {"choices": list(one)})] for one in ("ab", "ba", "a")]
    path = save(tmp_path, with_results(*several))
    with pytest.raises(bp.QuestionError, match="label_sets='whole'"):
        bp.aggregate(path, k=0)
    assert bp.aggregate(path, k=0, label_sets="whole").items["decision"].to_list() == ["a;b"]


def test_several_questions_are_asked_about(tmp_path: Path) -> None:
    answers = [[choices("good"), result("rating", {"rating": stars})] for stars in (3, 4, 5)]
    path = save(tmp_path, with_results(*answers))
    with pytest.raises(bp.QuestionError, match="2 questions") as asked:
        bp.aggregate(path, k=1)
    assert [choice.options for choice in asked.value.choices] == [{"value": "mood"}, {"value": "q"}]
    assert bp.aggregate(path, k=1, value="q").items["estimate"].to_list() == [4.0]
    assert bp.aggregate(path, k=1, value="mood").items["decision"].to_list() == ["good"]


def test_a_question_called_like_a_column(tmp_path: Path) -> None:
    table = bp.read_table(save(tmp_path, with_results([choices("a", "task")], [choices("b", "task")])))
    assert table.frame.rows(named=True)[0]["task (question)"] == "a"
    assert bp.recognise(table).columns.value == "task (question)"


def test_results_about_parts_are_told(tmp_path: Path) -> None:
    box = result("rectanglelabels", {"x": 1, "y": 2, "rectanglelabels": ["car"]}, "boxes")
    table = bp.read_table(save(tmp_path, with_results([choices("a"), box], [choices("b"), box])))
    assert bp.recognise(table).columns.value == "mood"
    assert "2 results: of type rectanglelabels, not about a whole task: not read" in table.notes[0]
    with pytest.raises(bp.FileError, match="no report in it"):
        bp.read_table(save(tmp_path, with_results([box], [box])))


def test_models_report_only_if_asked(tmp_path: Path) -> None:
    tasks = label_studio_tasks(crowd_of(6), {})
    for task in tasks:
        task["predictions"] = [{"id": 1, "model_version": "v2", "score": 0.9, "result": [choices("good")]}]
    path = save(tmp_path, tasks)
    people = bp.read_table(path)
    assert "6 predictions: not read, as no reporter's" in people.notes[0]
    both = bp.read_table(path, predictions=True)
    assert both.frame.filter(annotator="model:v2").height == 6
    assert both.frame.filter(pl.col("annotator") != "model:v2").equals(people.frame)


def test_a_report_that_was_skipped_first_counts(tmp_path: Path) -> None:
    tasks = with_results([choices("a")], [choices("a")], [choices("b")])
    tasks[0]["annotations"].append({"id": 9, "completed_by": 1, "was_cancelled": True, "result": []})
    assert bp.aggregate(save(tmp_path, tasks), k=1).items.select("n", "m", "decision").row(0) == (3, 3, "a")


def _damage(tasks: list[dict[str, Any]], how: str) -> None:
    """Damage the second task."""
    one = tasks[1]["annotations"][0]
    match how:
        case "no id":
            del tasks[1]["id"]
        case "no list":
            tasks[1]["annotations"] = {"0": 1}
        case "no object":
            tasks[1]["annotations"][0] = 5
        case "nobody":
            one["completed_by"] = None
        case "no value":
            one["result"][0]["value"] = {"choice": "a"}
        case "two answers":
            one["result"] *= 2
        case "two names":
            one["completed_by"] = 3
        case "two truths":
            truths = [{"ground_truth": True, "completed_by": 9, "result": [choices(one)]} for one in ("a", "b")]
            tasks[1]["annotations"] += truths


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("no id", r"record 2: the task has no id"),
        ("no list", r"record 2 \(task 2\): annotations is .* not a list"),
        ("no object", r"record 2 \(task 2\): annotation 1 is '5', not an object"),
        ("nobody", r"record 2 \(task 2\), annotation 201: completed_by is missing"),
        ("no value", r"annotation 201: the result of 'mood' has the type 'choices', and no 'choices' in its value"),
        ("two answers", r"annotation 201: 'mood' has two answers"),
        ("two names", r"annotation 201: completed_by is an annotator's number, and another one's e-mail address"),
        ("two truths", r"record 2 \(task 2\), annotation 7: two ground truths of this task differ in 'gold:mood'"),
    ],
)
def test_damage_is_located(tmp_path: Path, how: str, message: str) -> None:
    tasks = label_studio_tasks({(str(item), f"w{who}"): "good" for item in (1, 2) for who in range(1, 6)}, {})
    _damage(tasks, how)
    with pytest.raises(bp.FileError, match=message):
        bp.read_table(save(tmp_path, tasks))


def test_the_place_of_a_report_is_that_of_its_task(tmp_path: Path) -> None:
    tasks = label_studio_tasks({("1", "w1"): "a", ("2", "w1"): "a", ("2", "w2"): "b"}, {})
    twice = tasks[1]["annotations"][0] | {"id": 7, "result": [choices("b")], "updated_at": "2024-05-02T10:00:00Z"}
    tasks[1]["annotations"].append(twice)
    with pytest.raises(bp.DataError, match="record 2"):
        bp.aggregate(save(tmp_path, tasks), k=0)
    with pytest.warns(bp.BribeproofWarning, match="1 repeat collapsed"):
        last = bp.aggregate(tmp_path / "project.json", k=0, repeats="last", order="updated_at").items
    assert last["m"].to_list() == [1, 2]


@pytest.mark.parametrize("seed", range(5))
def test_a_messy_project_is_what_its_json_says(tmp_path: Path, seed: int) -> None:
    """Skipped, empty and true answers, drafts, predictions and unlabelled tasks, counted here again."""
    draw = random.Random(seed)  # noqa: S311
    crowd, gold = crowd_of(seed, items=8), {str(item): draw.choice(["good", "bad"]) for item in (1, 2, 3)}
    tasks = label_studio_tasks(crowd, gold)
    for task in tasks:
        task["predictions"] = [{"id": 1, "model_version": "m", "result": [choices("bad")]}]
        task["drafts"] = [{"id": 5, "user": "w9@example.org", "result": [choices("bad")]}]
        task["cancelled_annotations"] = sum(one["was_cancelled"] for one in task["annotations"])
        for one in task["annotations"]:
            one["reviews"] = [{"id": 1, "accepted": draw.random() < 0.5}]
            if draw.random() < 0.2 and not one["ground_truth"]:
                one["result"] = []
        task["data"] |= {"text": "ünï 漢字 👍" * 100, "turns": [{"by": "a", "said": None}] * 20}
    path = save(tmp_path, [*tasks, {"id": 99, "annotations": [], "data": {"text": "new"}}])

    given = [(task, one) for task in tasks for one in task["annotations"] if not one["ground_truth"]]
    rows = [
        (
            str(task["id"]),
            one["completed_by"]["email"],
            one["result"][0]["value"]["choices"][0] if one["result"] else None,
        )
        for task, one in given
    ]
    reported = sum(answer is not None for _, _, answer in rows)
    skipped = sum(one["was_cancelled"] for _, one in given)
    answer = bp.aggregate(path, k=1)
    assert answer.notes[0].startswith(f"read as an export of Label Studio: 9 tasks, {reported} reports; ")
    for told in (
        f"{skipped} skipped",
        f"{len(rows) - reported - skipped} without an answer about a whole task",
        "3 ground truths: the truth, not a report",
        "8 predictions: not read",
        "1 task: without a report",
    ):
        assert told in answer.notes[0] or told.startswith("0 ")
    plain = bp.aggregate(pl.DataFrame(rows, ["task", "worker", "label"], orient="row"), k=1).items
    assert answer.items.sort("task").rows() == plain.sort("task").rows()
    assert answer.items["n"].unique().to_list() == [5]
    assert answer.items["m"].sum() == reported


def test_several_projects_are_one_table(tmp_path: Path) -> None:
    first = label_studio_tasks(crowd_of(7), {"1": "good"})
    second = label_studio_tasks({(str(int(item) + 50), who): answer for (item, who), answer in crowd_of(8).items()}, {})
    paths = [save(tmp_path, first).rename(tmp_path / "first.json"), save(tmp_path, second)]
    table = bp.read_table(paths)
    both = [reports_of(bp.read_table(path)) for path in paths]
    assert reports_of(table) == both[0] | both[1]
    assert bp.recognise(table).gold == ("gold:mood",)


def test_the_truth_of_sets_is_a_set(tmp_path: Path) -> None:
    tasks = with_results(*([result("choices", {"choices": list(one)})] for one in ("ab", "ba", "a")))
    truth = {"id": 9, "completed_by": 9, "ground_truth": True, "result": [result("choices", {"choices": ["b", "a"]})]}
    tasks[0]["annotations"].append(truth)
    reading = bp.recognise(save(tmp_path, tasks), label_sets="whole")
    assert reading.gold == ("gold:q",)
    done = call("certify", tmp_path / "project.json", "--label-sets", "whole", "--k", 0)
    assert "(1 of 1 gold items)" in done.out


def test_choices_that_are_numbers_are_labels(tmp_path: Path) -> None:
    tasks = label_studio_tasks(
        {(str(item), f"w{who}"): str((item + who) % 3) for item in (1, 2) for who in (1, 2, 3)}, {}
    )
    assert bp.aggregate(save(tmp_path, tasks), k=1).kind == "labels"


def test_a_project_of_ground_truths_alone_has_no_report(tmp_path: Path) -> None:
    tasks = label_studio_tasks({("1", "w1"): "good"}, {"1": "good"})
    tasks[0]["annotations"].pop()
    with pytest.raises(bp.FileError, match=r"no report in it.*1 ground truth"):
        bp.read_table(save(tmp_path, tasks))
