"""A question about a file is asked on the page with a link for each answer, and the first rows of the file."""

import io
import re
from collections.abc import Callable
from html import unescape

import pytest
from starlette.testclient import TestClient

ASKED = {
    "a name that is a word, too": (b"entry,Anna,Boris,Mark\nE1,7,8.5,7\nE2,6,7,9\n", ["2 judges", "3 judges"]),
    "participants": (b"participant,alpha,beta\np1,3.5,4\np2,2,1.5\np3,1,2.5\n", ["3 judges", "2 judges"]),
    "two columns of items": (b"task,round,image,judge,score\nt,1,i,w,7.5\nt,1,i,v,6.5\n", ["2 judges"] * 3),
    "a row named like a total": (b"entry,J1,J2\nAurora,8,7.5\nTotal,2.5,9\nShell,5,6\n", ["2 items", "3 items"]),
    "no column of items": (b"J1,J2,J3\n7.5,8,9\n6,7,7.5\n", ["3 judges"]),
}


@pytest.mark.parametrize(("file", "numbers"), ASKED.values(), ids=ASKED)
def test_each_answer_is_a_link_that_reads_the_file(client: TestClient, file: bytes, numbers: list[str]) -> None:
    sent = client.post("/data", files={"file": ("sheet.csv", file)}, follow_redirects=True)
    assert sent.status_code == 422
    for cell in re.findall(r"[^,\n]+", file.decode()):
        assert f">{cell}</" in sent.text
    links = [unescape(link) for link in re.findall(r'<a class="button" href="([^"]*)"', sent.text)]
    assert len(links) == len(numbers)
    for link, number in zip(links, numbers, strict=True):
        answered = client.get(link)
        assert answered.status_code == 200
        value, name = number.split()
        assert re.search(rf"<dd>{value}</dd>\s*<dt>{name}|<dt>{name}</dt>\s*<dd>{value}</dd>", answered.text), number


def workbook() -> bytes:
    """Return a workbook of two sheets that hold the same."""
    file = io.BytesIO()
    book = pytest.importorskip("xlsxwriter").Workbook(file)
    for name in ("Day 1", "Day 2"):
        sheet = book.add_worksheet(name)
        for row, cells in enumerate((["entry", "J1", "J2", "J3"], ["A", 7.5, 8, 9], ["B", 6, 7, 7.5])):
            sheet.write_row(row, 0, cells)
    book.close()
    return file.getvalue()


SCORES = "entry,J1,J2,J3\nCafé,7.5,8,9\nB,6,7,7.5\n"
OF_FILES = {
    "two sheets": ("book.xlsx", workbook, 2),
    "a workbook called CSV": ("book.csv", workbook, 2),
    "Latin letters": ("latin.csv", lambda: SCORES.encode("latin-1"), 3),
    "no byte order mark": ("wide.csv", lambda: SCORES.encode("utf-16-le"), 1),
    "text called JSON": ("text.json", SCORES.encode, 1),
    "criteria without items": ("two.csv", lambda: b"Judge 1,,Judge 2,\ntech,art,tech,art\n1.5,2,3,4\n", 4),
    "two delimiters": ("two.csv", lambda: b"a;b,c;d\n1;2,3;4\n5;6,7;8\n", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "content", "readings"), OF_FILES.values(), ids=OF_FILES)
@pytest.mark.parametrize("path", ["/data", "/attack"])
def test_questions_about_the_file_itself_lead_to_readings(
    client: TestClient, path: str, name: str, content: Callable[[], bytes], readings: int
) -> None:
    sent = client.post("/data", files={"file": (name, content())}, follow_redirects=False)
    waiting, answered = [sent.headers["location"].replace("/data", path)], 0
    while waiting:
        page = client.get(waiting.pop())
        links = [unescape(link) for link in re.findall(rf'<a class="button" href="({path}\?[^"]*)"', page.text)]
        assert page.status_code == (422 if links or 'class="error"' in page.text else 200)
        answered += page.status_code == 200
        waiting += links if page.status_code == 422 else []
    # An attack takes one report of each reporter on an item, and no criteria.
    assert answered == (2 if path == "/attack" and name == "two.csv" and readings == 4 else readings)


REMEDIES = {
    "two different reports": (b"task,worker,label\nt1,w1,x\nt1,w1,y\nt1,w2,x\nt1,w3,x\n", 4),
    "words among scores": (b'e,j1,j2,j3\nA,7,"x, y",8\nB,7,DNS,9\nC,1.5,2,3\n', 2),
    "two decimal marks": (b'e,j1,j2,j3\nA,"1,234","2,345","1,111"\n', 2),
}


@pytest.mark.parametrize(("file", "number"), REMEDIES.values(), ids=REMEDIES)
def test_what_an_error_offers_is_a_button_that_does_it(client: TestClient, file: bytes, number: int) -> None:
    sent = client.post("/data", files={"file": ("sheet.csv", file)}, follow_redirects=True)
    assert sent.status_code == 422
    links = [unescape(link) for link in re.findall(r'<a class="button" href="([^"]*)"', sent.text)]
    assert len(links) == number
    assert all(client.get(link).status_code == 200 for link in links)
