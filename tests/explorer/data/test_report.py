"""The report: one file with everything in it."""

import re

import pytest
from starlette.testclient import TestClient

from tests.explorer.data.sample_files import SCORES, VOTES, Read, hand_over, read


@pytest.mark.parametrize("content", [SCORES, VOTES], ids=["scores", "votes"])
def test_a_report_needs_nothing_else(client: TestClient, content: bytes) -> None:
    address = hand_over(client, content)
    response = client.get(address.replace("/data?", "/data/report.html?"))
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''sheet-k1.html"
    found = Read(response.text)
    assert not {"script", "link", "img", "iframe", "form", "a"} & found.tags
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", response.text)
    assert "svg" in found.tags
    assert response.content == client.get(address.replace("/data?", "/data/report.html?")).content


def test_a_report_says_what_the_page_says(client: TestClient) -> None:
    address = f"{hand_over(client, SCORES)}&k=2&find=a"
    page = read(client, address)
    report = Read(client.get(address.replace("/data?", "/data/report.html?")).text)
    assert report.tables["answers"] == page.tables["answers"]
    assert report.tables["marks"] == page.tables["marks"]
    assert report.texts["headline"] == page.texts["headline"]
    assert any("“a” in the name" in text for text in report.texts["p"])


def test_a_report_has_all_pages_in_one(client: TestClient) -> None:
    votes = "".join(f"t{item},w{voter},{voter % 2}\n" for item in range(600) for voter in range(3))
    address = hand_over(client, f"task,worker,vote\n{votes}".encode())
    report = Read(client.get(address.replace("/data?", "/data/report.html?") + "&page=3").text)
    assert len(report.tables["answers"]) == 501


def test_a_sheet_that_cannot_be_read_has_no_report(client: TestClient) -> None:
    address = hand_over(client, b"task,worker,label\n").replace("/data?", "/data/report.html?")
    response = client.get(address)
    assert response.status_code == 422
    assert "content-disposition" not in response.headers
