"""Exports of labelling tools on the page: read without a field, and a question for one of several questions."""

import io
import json
import re
from pathlib import Path

import polars as pl
import pytest
from starlette.testclient import TestClient

from tests.explorer.data.sample_files import Read, hand_over
from tests.explorer.data.test_sheets import buttons
from tests.io.labelling.exports import WRITTEN, choices, label_studio_tasks

CROWD = {(str(item), f"w{who}"): "good" if (item + who) % 4 else "bad" for item in (1, 2, 3) for who in (1, 2, 3, 4)}
QUICK = {"label studio", "mturk"}
FORMS = [form for form in WRITTEN if form not in ("doccano", "cvat")]  # which are a file for each annotator


@pytest.mark.parametrize(
    "form", [pytest.param(form, marks=[] if form in QUICK else pytest.mark.slow) for form in FORMS]
)
def test_the_page_reads_an_export(tmp_path: Path, client: TestClient, form: str) -> None:
    [path] = WRITTEN[form].save(tmp_path, CROWD)
    address = f"{hand_over(client, path.read_bytes(), path.name)}&k=1"
    response = client.get(address)
    assert response.status_code == 200, Read(response.text).texts["error"]
    result = client.get(address.replace("/data?", "/data/result.parquet?"))
    assert pl.read_parquet(io.BytesIO(result.content))["m"].to_list() == [4, 4, 4]


def test_the_page_asks_for_the_question(client: TestClient) -> None:
    tasks = label_studio_tasks(CROWD, {})
    for task in tasks:
        for one in task["annotations"]:
            one["result"].append(choices("yes", "spam"))
    response = client.get(f"{hand_over(client, json.dumps(tasks).encode(), 'project.json')}&k=1")
    assert response.status_code == 422
    assert "has 2 questions" in Read(response.text).texts["error"][0]
    answers = buttons(response.text)
    assert [re.findall(r"value=(\w+)", link)[-1] for link in answers] == ["mood", "spam"]
    assert client.get(answers[0]).status_code == 200


def test_the_json_api_reads_the_rows_of_an_export(tmp_path: Path, client: TestClient) -> None:
    crowd = {**CROWD, ("1", "w1"): None}
    [path] = WRITTEN["mturk"].save(tmp_path, crowd)
    rows = pl.read_csv(path, infer_schema=False).to_dicts()
    answer = client.post("/api/aggregate", json={"rows": rows, "k": 1}).json()
    assert [item["m"] for item in answer["items"]] == [3, 4, 4]
    assert any("1 rejected: missing reports" in note for note in answer["notes"])


def test_models_are_reporters_if_the_page_is_told_so(client: TestClient) -> None:
    tasks = label_studio_tasks(CROWD, {})
    for task in tasks:
        task["predictions"] = [{"model_version": "m1", "result": [choices("bad")]}]
    address = f"{hand_over(client, json.dumps(tasks).encode(), 'project.json')}&k=1"
    reports = [
        pl.read_parquet(io.BytesIO(client.get(one.replace("/data?", "/data/result.parquet?")).content))["m"].to_list()
        for one in (address, f"{address}&predictions=yes")
    ]
    assert reports == [[4, 4, 4], [5, 5, 5]]
    page = client.get(f"{address}&predictions=yes").text
    assert "--predictions" in page
    assert "predictions=True" in page
    assert "Predictions of models" in client.get(address).text


def test_the_page_offers_xml_and_says_what_to_do_with_several_files(tmp_path: Path, client: TestClient) -> None:
    page = client.get("/data").text
    assert ".xml" in re.findall(r'accept="([^"]*)"', page)[0]
    assert "bribeproof aggregate alice.jsonl bob.jsonl" in page
    path = WRITTEN["cvat"].save(tmp_path, CROWD)[0]
    assert client.get(f"{hand_over(client, path.read_bytes(), path.name)}&k=0").status_code == 200
