"""A question about a file is asked on the page with a link for each answer, and the first rows of the file."""

import re
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
