"""Exports of labelling tools on the command line: no option is needed, and questions are asked with options."""

import json
from pathlib import Path

import pytest

from tests.cli.command import call, document
from tests.io.labelling.exports import WRITTEN, choices, label_studio_tasks

CROWD = {(str(item), f"w{who}"): "good" if (item + who) % 4 else "bad" for item in (1, 2, 3) for who in (1, 2, 3, 4)}


@pytest.mark.parametrize("form", WRITTEN)
def test_an_export_needs_no_option(tmp_path: Path, form: str) -> None:
    paths = WRITTEN[form].save(tmp_path, CROWD)
    found = document("aggregate", *paths, "--k", 1)
    assert [item["m"] for item in found["items"]] == [4, 4, 4]
    assert any(note.partition(": ")[2].startswith("read as an export of") or note.startswith("read as an export of")
               for note in found["notes"])  # fmt: skip


def test_gold_in_the_file_certifies_and_calibrates(tmp_path: Path) -> None:
    [path] = WRITTEN["label studio"].save(tmp_path, CROWD, {"1": "good", "2": "bad"})
    named = call("certify", path, "--gold", "gold:mood")
    assert named.out.startswith("2 gold items")
    alone = call("certify", path)
    assert alone.out == named.out
    assert alone.err == named.err + "note: the truth is that of the export, in 'gold:mood'\n"
    done = call("calibrate", path, "--gold", "gold:mood", "--positive", "good", "--classes", "bad,good", "--k", 0)
    assert done.status == 0, done


def test_predictions_are_written(tmp_path: Path) -> None:
    [path] = WRITTEN["label studio"].save(tmp_path, CROWD)
    target = tmp_path / "predictions.json"
    done = call("aggregate", path, "--k", 1, "-o", target, "--as", "label-studio")
    assert "note: wrote predictions for 3 tasks to" in done.err
    tasks = json.loads(target.read_text())
    assert [task["predictions"][0]["result"][0]["value"] for task in tasks] == [{"choices": ["good"]}] * 3
    for wrong in (("-o", tmp_path / "p.csv"), ("-o", target, path), ()):
        assert call("aggregate", path, "--k", 1, *wrong, "--as", "label-studio").status == 2


def test_predictions_are_read_if_asked(tmp_path: Path) -> None:
    tasks = label_studio_tasks(CROWD, {})
    for task in tasks:
        task["predictions"] = [{"model_version": "m", "result": [choices("good")]}]
    path = tmp_path / "project.json"
    path.write_text(json.dumps(tasks))
    assert [item["m"] for item in document("aggregate", path, "--k", 1)["items"]] == [4, 4, 4]
    assert [item["m"] for item in document("aggregate", path, "--k", 1, "--predictions")["items"]] == [5, 5, 5]


def test_questions_are_asked_with_the_option(tmp_path: Path) -> None:
    tasks = label_studio_tasks(CROWD, {})
    for task in tasks:
        for one in task["annotations"]:
            one["result"].append({"type": "rating", "from_name": "stars", "to_name": "text", "value": {"rating": 4}})
    path = tmp_path / "project.json"
    path.write_text(json.dumps(tasks))
    asked = call("aggregate", path, "--k", 1)
    assert asked.status == 2
    assert "has 2 questions" in asked.err
    assert "--value mood" in asked.err
    assert "--value stars" in asked.err
    assert [item["estimate"] for item in document("aggregate", path, "--k", 1, "--value", "stars")["items"]] == [
        4.0
    ] * 3
