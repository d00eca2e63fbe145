"""Every sheet of tests/sheets on the page and by the JSON API: its right table, or its question and right button."""

import io
import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import polars as pl
import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.explorer.data.query import field_of
from bribeproof.plots.names import shown
from bribeproof.questions import Choice, QuestionError
from tests.explorer.api.api_client import parsed
from tests.explorer.data.sample_files import Read, hand_over
from tests.sheets.corpus import Sheet, sheets
from tests.sheets.test_sheets import check_rows

SHEETS = sheets()
QUICK = {"criteria", "missing_codes", "ranks"}
"""Sheets of every way to an answer; the others are slow tests."""
SAMPLE = [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in SHEETS]


def fields_of(sheet: Sheet) -> dict[str, str]:
    """Return how a sheet is read as fields of the form."""
    choice = Choice("", sheet.options)
    given = dict(sheet.file_options) | dict(zip(choice.options, choice.flag_values, strict=True))
    return {field_of(name): value for name, value in given.items()}


def buttons(page: str) -> list[str]:
    """Return where the answers to a question lead."""
    return [unescape(link) for link in re.findall(r'<a class="button" href="(/data\?[^"]*)"', page)]


@pytest.mark.parametrize("name", SAMPLE)
def test_the_page_reads_a_sheet_rightly_or_asks(client: TestClient, name: str) -> None:
    sheet = SHEETS[name]
    query = urlencode({"k": sheet.k} | fields_of(sheet))
    address = f"{hand_over(client, sheet.path.read_bytes(), sheet.path.name)}&{query}"
    response = client.get(address)
    if sheet.refused:
        assert response.status_code == 422
        assert sheet.refused in unescape(response.text)
        return
    if sheet.question is not None:
        assert response.status_code == 422
        (error,) = Read(response.text).texts["error"]
        assert sheet.question in error
        links = [
            link for link in buttons(response.text) if "kind=rankings" not in link
        ]  # which has a report of its own
        with pytest.raises(QuestionError) as asked:
            bp.recognise(bp.read_table(sheet.path, **sheet.file_options), **sheet.options)
        assert len(links) == len(asked.value.choices)
        for number, link in enumerate(links, 1):
            if number == sheet.answer:
                address, response = link, client.get(link)
            else:  # the file of answers, as no picture is drawn for it
                other = client.get(link.replace("/data?", "/data/result.csv?"))
                assert other.status_code in (200, 422)
                assert error.partition("?")[0].removesuffix(". Which is meant") not in unescape(other.text)
    if sheet.better:
        assert response.status_code == 422
        assert "the lowest is the best" in response.text
        (address,) = [link for link in buttons(response.text) if link.endswith(f"better={sheet.better}")]
        response = client.get(address)
    assert response.status_code == 200, Read(response.text).texts["error"]
    page = Read(response.text)
    result = client.get(address.replace("/data?", "/data/result.parquet?"))
    check_rows(sheet, pl.read_parquet(io.BytesIO(result.content)).to_dicts())
    (read_as,) = page.texts["read"]
    assert sheet.kind in read_as
    for left_out in sheet.left_out:
        assert shown(repr(left_out), 400) in read_as
    if sheet.warning:
        assert any(re.search(sheet.warning, note) for note in page.texts["note"])


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_the_api_reads_a_sheet_rightly_or_says_which_fields_decide(client: TestClient, name: str) -> None:
    sheet = SHEETS[name]
    options: dict[str, Any] = dict(sheet.options)

    def ask() -> Any:
        fields = {**sheet.file_options, "k": str(sheet.k), **options}
        return client.post(
            "/api/aggregate/file", data=fields, files={"file": (sheet.path.name, sheet.path.read_bytes())}
        )

    if sheet.refused:
        assert sheet.refused in ask().json()["error"]
        return
    if sheet.question is not None:
        said = ask().json()["error"]
        with pytest.raises(QuestionError) as asked:
            bp.recognise(bp.read_table(sheet.path, **sheet.file_options), **options)
        assert sheet.question in said
        assert all(str(choice) in said for choice in asked.value.choices)
        options |= asked.value.choices[sheet.answer - 1].options
    if sheet.better:
        assert "the lowest is the best" in ask().json()["error"]
        options["better"] = sheet.better
    answered = ask()
    assert answered.status_code == 200, answered.text
    check_rows(sheet, parsed(answered.content)["items"])
