"""Files that the tools' own packages write are read like the others, and they accept what is written back."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

pytest.importorskip("label_studio_sdk")
pytest.importorskip("argilla")

from argilla import Record, Response, Suggestion
from argilla.records._io import GenericIO, JsonIO
from label_studio_sdk.converter import Converter
from label_studio_sdk.label_interface import LabelInterface

import bribeproof as bp
from tests.io.labelling.crowds import crowd_of, reports_of
from tests.io.labelling.exports import choices, label_studio_tasks

CONFIG = """<View><Text name="text" value="$text"/>
<Choices name="mood" toName="text"><Choice value="good"/><Choice value="bad"/></Choices>
<Choices name="topics" toName="text" choice="multiple"><Choice value="a"/><Choice value="b"/></Choices>
<Rating name="stars" toName="text" maxRating="5"/><Number name="size" toName="text"/>
<Taxonomy name="kind" toName="text"><Choice value="animal"><Choice value="cat"/></Choice></Taxonomy></View>"""
ANSWERS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "topics": ("choices", [{"choices": ["a", "b"]}, {"choices": ["b", "a"]}, {"choices": ["a"]}]),
    "stars": ("rating", [{"rating": 1}, {"rating": 4}, {"rating": 5}]),
    "size": ("number", [{"number": 1.5}, {"number": 4}, {"number": 5}]),
    "kind": ("taxonomy", [{"taxonomy": [["animal", "cat"]]}] * 2 + [{"taxonomy": [["animal"]]}]),
}


def label_studio(folder: Path) -> tuple[Path, dict[tuple[str, str], str | None]]:
    """Write a project of Label Studio, and return its answers that were not skipped."""
    crowd, path = crowd_of(11), folder / "project.json"
    tasks = label_studio_tasks(crowd, {})
    for task in tasks:
        task["data"] = {"text": "A sentence"}
    path.write_text(json.dumps(tasks))
    return path, {(item, f"{who}@example.org"): answer for (item, who), answer in crowd.items() if answer}


@pytest.mark.parametrize("form", ["csv", "tsv", "json min"])
def test_label_studio_converts_its_json(tmp_path: Path, form: str) -> None:
    path, given = label_studio(tmp_path)
    converter = Converter(CONFIG, project_dir=None)
    if form == "json min":
        converter.convert_to_json_min(str(path), str(tmp_path / "out"), is_dir=False)
        written = tmp_path / "out" / "result.json"
    else:
        written = tmp_path / f"result.{form}"
        comma = "," if form == "csv" else "\t"
        Converter(CONFIG, project_dir=None).convert_to_csv(str(path), str(tmp_path / "out"), is_dir=False, sep=comma)
        (tmp_path / "out" / "result.csv").rename(written)
    assert reports_of(bp.read_table(written)) == given
    whole = reports_of(bp.read_table(path))
    assert {pair: answer for pair, answer in whole.items() if answer} == given


@pytest.mark.parametrize("question", ["mood", *ANSWERS])
def test_label_studio_accepts_predictions(tmp_path: Path, question: str) -> None:
    path, _ = label_studio(tmp_path)
    tasks = json.loads(path.read_text())
    if question != "mood":
        kind, values = ANSWERS[question]
        for task in tasks:
            shape = {"id": "r", "type": kind, "from_name": question, "to_name": "text"}
            task["annotations"] = [
                {"id": who, "completed_by": who, "result": [choices("good"), {**shape, "value": value}]}
                for who, value in enumerate(values)
            ]
        path.write_text(json.dumps(tasks))
    sets: dict[str, Any] = {"label_sets": "whole"} if question == "topics" else {}
    found = bp.label_studio_predictions(bp.aggregate(path, k=1, value=question, **sets), path)
    predictions = [one for task in found for one in task["predictions"]]
    assert predictions
    interface = LabelInterface(CONFIG)
    for prediction in predictions:
        assert interface.validate_prediction(prediction, return_errors=True) == []
        json.dumps(prediction, allow_nan=False)


def argilla_records() -> tuple[list[Record], dict[tuple[str, str], str | None]]:
    """Return records of Argilla, and the answers in them."""
    given: dict[tuple[str, str], str | None] = {}
    records = []
    for number in range(1, 5):
        responses = []
        for who in range(1, 5):
            user = UUID(int=who)
            answer = "good" if (number + who) % 3 else None
            status = "submitted" if answer else "discarded"
            responses.append(Response("mood", answer, user_id=user, status=status))
            given[str(number), str(user)] = answer
        suggestions = [Suggestion("mood", "bad", agent="m1")]
        records.append(Record(id=number, fields={"text": "x"}, responses=responses, suggestions=suggestions))
    return records, given


@pytest.mark.parametrize("form", ["nested", "flat"])
def test_argilla_writes_records(tmp_path: Path, form: str) -> None:
    records, given = argilla_records()
    path = tmp_path / "records.json"
    if form == "nested":
        JsonIO.to_json(records, path)
    else:
        path.write_text(json.dumps(GenericIO.to_list(records, flatten=True), default=str))
    table = bp.read_table(path)
    assert reports_of(table) == given
    models = bp.read_table(path, predictions=True).frame.filter(user="model:m1")
    assert models.height == 4
