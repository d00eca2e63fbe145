"""Decisions are written back to Label Studio in the form in which its annotators gave their answers."""

import json
from pathlib import Path
from typing import Any

import pytest

import bribeproof as bp

ANSWERS: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "choices": ([{"choices": ["a"]}, {"choices": ["a"]}, {"choices": ["b"]}], {"choices": ["a"]}),
    "taxonomy": ([{"taxonomy": [["x", "y"]]}] * 2 + [{"taxonomy": [["x"]]}], {"taxonomy": [["x", "y"]]}),
    "pairwise": ([{"selected": "left"}, {"selected": "right"}, {"selected": "right"}], {"selected": "right"}),
    "rating": ([{"rating": 2}, {"rating": 5}, {"rating": 3}], {"rating": 3}),
    "number": ([{"number": 0.5}, {"number": 9}, {"number": 1.25}], {"number": 1.25}),
}
"""The answers of three annotators, and what one bribed reporter leaves of them."""


def task(number: int, kind: str, values: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a task of Label Studio with the answers of some annotators to one question."""
    shape = {"type": kind, "from_name": "q", "to_name": "text"}
    people = [
        {"id": who, "completed_by": who, "result": [{**shape, "id": f"r{who}", "value": value}]}
        for who, value in enumerate(values, start=1)
    ]
    return {"id": number, "data": {"text": "x", "size": 1.0}, "annotations": people, "meta": {}}


def written(folder: Path, tasks: list[dict[str, Any]], **options: Any) -> list[dict[str, Any]]:
    """Aggregate tasks, and return them with predictions."""
    path = folder / "project.json"
    path.write_text(json.dumps(tasks))
    result = bp.aggregate(path, k=1, **options)
    assert bp.label_studio_predictions(result, path) == bp.label_studio_predictions(result, tasks)
    return bp.label_studio_predictions(result, tasks)


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_decision_has_the_form_of_the_answers(tmp_path: Path, kind: str) -> None:
    values, right = ANSWERS[kind]
    [found] = written(tmp_path, [task(7, kind, values)])
    [prediction] = found["predictions"]
    [result] = prediction["result"]
    assert {name: result[name] for name in ("type", "from_name", "to_name")} == {
        "type": kind,
        "from_name": "q",
        "to_name": "text",
    }
    assert result["value"] == right
    assert found["id"] == 7
    assert found["data"] == {"text": "x", "size": 1.0}
    assert prediction["model_version"] == "bribeproof k=1"


def test_worth_is_beside_it(tmp_path: Path) -> None:
    values = [{"choices": [one]} for one in "aaaab"]
    [found] = written(tmp_path, [task(1, "choices", values)])
    [prediction] = found["predictions"]
    meta = prediction["result"][0]["meta"]
    assert (meta["flips_needed"], meta["status"], meta["n"], meta["m"], meta["k"]) == (2, "ok", 5, 5, 1)
    assert meta["text"] == ["5 reports, of which 1 may be bribed; 2 to rewrite for another decision; status: ok"]
    assert prediction["score"] == 1.0  # three a and no b are left


def test_a_tie_has_no_prediction(tmp_path: Path) -> None:
    tie = task(1, "choices", [{"choices": ["a"]}, {"choices": ["b"]}])
    clear = task(2, "choices", [{"choices": ["a"]}] * 3)
    silent = task(3, "choices", [])
    assert [len(one["predictions"]) for one in written(tmp_path, [tie, clear, silent])] == [0, 1, 0]


def test_sets_are_written_whole(tmp_path: Path) -> None:
    values = [{"choices": ["b", "a"]}, {"choices": ["a", "b"]}, {"choices": ["a"]}]
    [found] = written(tmp_path, [task(1, "choices", values)], label_sets="whole")
    assert set(found["predictions"][0]["result"][0]["value"]["choices"]) == {"a", "b"}
    result = bp.aggregate(tmp_path / "project.json", k=1, label_sets="each")
    with pytest.raises(bp.ParameterError, match="several labels as sets"):
        bp.label_studio_predictions(result, tmp_path / "project.json")


def test_votes_have_the_share_of_their_decision(tmp_path: Path) -> None:
    values = [{"choices": [one]} for one in "00001"]
    [found] = written(tmp_path, [task(1, "choices", values)])
    assert found["predictions"][0]["score"] == 1.0
    assert found["predictions"][0]["result"][0]["value"] == {"choices": ["0"]}


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "project.json"
    path.write_text(json.dumps([task(1, "choices", [{"choices": ["a"]}] * 3)]))
    result = bp.aggregate(path, k=1)
    other = [task(1, "choices", [{"choices": ["b"]}] * 3)]
    with pytest.raises(bp.DataError, match="'a' on task '1' is none of the answers"):
        bp.label_studio_predictions(result, other)
    with pytest.raises(bp.DataError, match="no task of the export has an answer to 'q'"):
        bp.label_studio_predictions(result, [task(1, "choices", [])])
    with pytest.raises(bp.FileError, match="no JSON export"):
        bp.label_studio_predictions(result, [{"data": {}}])
    with pytest.raises(bp.FileError, match="cannot be read"):
        bp.label_studio_predictions(result, tmp_path / "absent.json")
