"""The report: one file with everything in it."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.cli.command import call
from tests.explorer.data.sample_files import SCORES, VOTES, Read, hand_over, read
from tests.reporting.helpers import undated

calamine = pytest.importorskip("python_calamine")


@pytest.mark.parametrize("content", [SCORES, VOTES], ids=["scores", "votes"])
def test_a_report_needs_nothing_else(client: TestClient, content: bytes) -> None:
    address = hand_over(client, content)
    response = client.get(address.replace("/data?", "/data/report.html?"))
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''sheet-k1.html"
    found = Read(response.text)
    assert not {"script", "link", "img", "iframe", "form", "a"} & found.tags
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", response.text)
    assert "svg" in found.tags
    assert undated(response.text) == undated(client.get(address.replace("/data?", "/data/report.html?")).text)


def test_a_report_says_what_the_page_says(client: TestClient) -> None:
    address = f"{hand_over(client, SCORES)}&k=2"
    page = read(client, address)
    report = Read(client.get(address.replace("/data?", "/data/report.html?")).text)
    places = dict(zip(page.column("answers", "entry"), page.column("answers", "Place"), strict=True))
    assert {row[1]: row[0].replace("–", "") for row in report.tables["places"][1:]} == places
    assert marks_of(report) == marks_of(page)


def marks_of(page: Read) -> dict[str, list[float | None]]:
    """Return the marks of each entry, however they are written."""
    missing = ("missing", "–")
    return {
        row[0]: [None if mark in missing else float(mark) for mark in row[1:-1]] for row in page.tables["marks"][1:]
    }


def test_a_report_is_that_of_the_command(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_bytes(VOTES)
    page = client.get(f"{hand_over(client, VOTES)}&k=1".replace("/data?", "/data/report.html?")).text
    assert call("report", tmp_path / "sheet.csv", "--k", 1, "--time-limit", 2, "-o", tmp_path / "r.html").status == 0
    assert undated((tmp_path / "r.html").read_text().replace(f"{tmp_path}/", "")) == undated(page)


def test_a_report_is_a_workbook_too(client: TestClient) -> None:
    address = hand_over(client, SCORES).replace("/data?", "/data/report.xlsx?")
    response = client.get(address)
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''sheet-k1-report.xlsx"
    book = calamine.CalamineWorkbook.from_filelike(BytesIO(response.content))
    assert [row[1] for row in book.get_sheet_by_name("Places").to_python()[1:]] == ["A", "B", "C", "D"]
    assert client.get(address.replace("xlsx", "pdf")).status_code == 422


def test_a_sheet_that_cannot_be_read_has_no_report(client: TestClient) -> None:
    address = hand_over(client, b"task,worker,label\n").replace("/data?", "/data/report.html?")
    response = client.get(address)
    assert response.status_code == 422
    assert "content-disposition" not in response.headers
