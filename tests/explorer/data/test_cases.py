"""Small sheets that are easily misread, on the page and by the JSON API: who reports, values, names and silence."""

import io
from typing import Any
from urllib.parse import urlencode

import polars as pl
import pytest
from starlette.testclient import TestClient

from bribeproof.explorer.data.page_words import in_page_words
from tests.explorer.api.api_client import ask
from tests.explorer.data.sample_files import Read, hand_over, read
from tests.explorer.data.test_sheets import buttons

Found = dict[str, Any]
GOLD = "image,ann,ben,cem,dot,eve,truth\n" + "".join(
    f"i{i},{','.join(str(i // 5 % 2 ^ (i % 5 == j)) for j in range(5))},{i // 5 % 2}\n" for i in range(200)
)
MIXED = (
    "id,text,ann,ben,cem,final,comment\ns1,the shop was open,pos,neg,neg,pos,ann is senior\n"
    "s2,it rained,neg,neg,pos,neg,\ns3,fine,pos,pos,neg,pos,ok\n"
)
LOOK_ALIKE = "task,worker,label\nt,{},cat\nt,{},cat\nt,bob,dog\n"
ABSENT = "task,w1,w2,w3,w4,w5,w6,w7\nt,A,A,A,B,B,,\nu,A,A,A,A,A,A,A\n"

ANSWERED: dict[str, tuple[str, dict[str, str], Found, str]] = {
    "unanimous judges": (
        "entry,Anna,Boris,Chen,Dora,Emil\nE1,7.5,7.5,7.5,7.5,7.5\nE2,8,8,8,8,8\n",
        {},
        {"E1": (5, 7.5), "E2": (5, 8)},
        "",
    ),
    "one judge like the mean": (
        "entry,Anna,Boris,Chen,Dora,Emil\nE1,2.5,0,0,10,0\nE2,7,6.5,7.5,7,7.0\n",
        {},
        {"E1": (5, 2.5 / 3), "E2": (5, 7)},
        "",
    ),
    "gold": (GOLD, {}, {f"i{i}": (5, str(i // 5 % 2)) for i in range(200)}, "left out: 'truth' (the truth)"),
    "text and comment": (MIXED, {}, {"s1": (3, "neg"), "s2": (3, "neg"), "s3": (3, "pos")}, "'comment' (a note)"),
    "start numbers": (
        "Bib,Skier,Anna,Boris,Chen,Dora,Emil,Std Dev\n31,Aurora,82,85,80,84,83,1.9\n12,Borealis,88,84,86,85,87,1.6\n"
        "44,Cascade,75,79,78,74,77,2.1\n",
        {},
        {"Aurora": (5, 83), "Borealis": (5, 86), "Cascade": (5, 230 / 3)},
        "'Std Dev'",
    ),
    "totals below": (
        "entry,J1,J2,J3,J4,J5\nAurora,8,7.5,9,8.5,6\nBorealis,6,7,9.5,6.5,7\nCascade,5,6,5.5,7,4\n"
        "Average,6.33,6.83,8,7.33,5.67\nTotal,19,20.5,24,22,17\n",
        {},
        {"Aurora": (5, 8), "Borealis": (5, 20.5 / 3), "Cascade": (5, 5.5)},
        "rows that are no items: 'Average', 'Total'",
    ),
    "the header again": (
        "task,worker,label\nt1,w1,cat\nt1,w2,cat\nt1,w3,dog\ntask,worker,label\nt2,w1,cat\nt2,w2,dog\nt2,w3,dog\n",
        {"k": "0"},
        {"t1": (3, "cat"), "t2": (3, "dog")},
        "skipped line 5",
    ),
    "commas below": ("task,worker,label\r\nt,a,x\r\nt,b,x\r\nt,c,y\r\n,,\r\n,,\r\n", {}, {"t": (3, "x")}, "lines 5-6"),
    "fractions": (
        "entry,judge,score\nq,a,8/10\nq,b,7/10\nq,c,2/10\nq,d,2/10\nq,e,9/10\n",
        {},
        {"q": (5, 17 / 3)},
        "fractions of 10",
    ),
    "missing by value": (
        "task,worker,label\nt,a,-1.0\nt,b,-1\nt,c,1\n",
        {"missing": "-1", "k": "0"},
        {"t": (1, "1")},
        "'-1.0' (1 report)",
    ),
    "spellings of true": (
        "task,worker,answer\nt,a,True\nt,b,TRUE\nt,c,true\nt,d,False\nt,e,False\n",
        {},
        {"t": (5, "True")},
        "one label",
    ),
    "zero width": (LOOK_ALIKE.format("anna", "an\u200bna"), {"k": "0"}, {"t": (3, "cat")}, "ZERO WIDTH SPACE"),
    "Cyrillic": (LOOK_ALIKE.format("anna", "\u0430nna"), {"k": "0"}, {"t": (3, "cat")}, "CYRILLIC SMALL LETTER A"),
    "missing said": (
        "entry,J1,J2,J3,J4\nA,7.5,8,DNS,9\nB,6,DNS,7,7.5\n",
        {"missing": "DNS"},
        {"A": (3, 8), "B": (3, 7)},
        "'DNS' (2 reports)",
    ),
    "case of labels": (
        "task,worker,label\nt,a,A\nt,b,a\nt,c,a\nt,d,b\nt,e,B\n",
        {"k": "0"},
        {"t": (5, "a")},
        "'B' and 'b'",
    ),
    "blanks": ("task,worker,label\nt,a,cat\nt,b, cat\nt,c,cat \n", {}, {"t": (3, "cat")}, "trimmed"),
    "beyond floats": (
        "feed,o1,o2,o3\nF,1000000000000000003,1000000000000000001,1000000000000000002\n",
        {"kind": "scores"},
        {"F": (3, 1e18)},
        "less 1,000,000,000,000,000,000 each",
    ),
    "absent": (ABSENT, {}, {"t": (5, "A"), "u": (7, "A")}, ""),
}

REFUSED = {
    "beyond floats": ("feed,o1,o2,o3\nF,1000000000000000003,1,1000000000000000002\n", "2**53"),
    "eighteen ways": ("entry,J1,J2,J3,J4\nA,7.5,8,DNS,9\nB,6,DNS,7,7.5\n", "missing=['DNS'] (--missing DNS)"),
    "infinity": ("entry,J1,J2,J3\nA,-inf,3,4\n", "'-inf' of reporter 'J1' on item 'A' is not a number"),
    "a name of the result": ("Status,worker,label\nt,a,A\nt,b,a\n", "named 'Status' like a column of the result"),
    "columns of one name": ("task,worker,label,label\nt,a,A,B\n", "more than one column is named 'label'"),
}

ASKED: dict[str, tuple[str, dict[str, str], Found]] = {
    "ranks": (
        "entry,J1,J2,J3,J4,J5\nAurora,1,1,2,4,1\nBorealis,2,3,1,1,2\nCascade,3,2,4,2,3\nDelta,4,4,3,3,4\n",
        {"better": "low"}, {"Aurora": 4 / 3, "Borealis": 5 / 3, "Cascade": 8 / 3, "Delta": 11 / 3},
    ),
    "the last edit first": (
        "task,worker,label,updated_at\nt,w1,dog,2024-03-02\nt,w1,cat,2024-03-01\nt,w2,dog,2024-03-01\nt,w3,cat,2024-03-01\n",
        {"repeats": "last", "order": "updated_at"}, {"t": "dog"},
    ),
}  # fmt: skip


def by_api(client: TestClient, text: str, fields: dict[str, str]) -> Any:
    """Return what the API answers to a file."""
    return client.post("/api/aggregate/file", data={"k": "1"} | fields, files={"file": ("s.csv", text.encode())}).json()


def on_page(client: TestClient, address: str) -> list[Found]:
    """Return the items of a page."""
    content = client.get(address.replace("/data?", "/data/result.parquet?")).content
    return pl.read_parquet(io.BytesIO(content)).to_dicts()


def combined(rows: list[Found], kind: str) -> Found:
    """Return the decision or estimate of each item."""
    return {next(iter(row.values())): row["estimate" if kind == "scores" else "decision"] for row in rows}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "gold" else pytest.mark.slow) for name in ANSWERED]
)
def test_a_case_is_answered(client: TestClient, name: str) -> None:
    text, fields, right, said = ANSWERED[name]
    address = f"{hand_over(client, text.encode())}&{urlencode({'k': 1} | fields)}"
    page, answered = read(client, address), by_api(client, text, fields)
    for rows in (on_page(client, address), answered["items"]):
        found = combined(rows, answered["kind"])
        assert {item: (row["m"], found[item]) for row, item in zip(rows, found, strict=True)} == {
            item: (m, pytest.approx(value) if isinstance(value, int | float) else value)
            for item, (m, value) in right.items()
        }
    assert said in " ".join([*page.texts["read"], *page.texts.get("note", ())])
    assert said in " ".join(answered["notes"])


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) for name in REFUSED])
def test_a_case_is_refused_with_what_to_do(client: TestClient, name: str) -> None:
    text, said = REFUSED[name]
    address = f"{hand_over(client, text.encode())}&k=1{'&kind=scores' * (name == 'beyond floats')}"
    page = read(client, address, 422)
    assert in_page_words(said) in page.texts["error"][0]
    assert said in by_api(client, text, {"kind": "scores"} if name == "beyond floats" else {})["error"]
    if name == "eighteen ways":
        assert '<details class="group" open>\n  <summary>Missing, repeated and faulty reports' in page.html


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_a_case_is_asked_about(client: TestClient, name: str) -> None:
    text, fields, right = ASKED[name]
    if name == "the last edit first":
        assert "order='updated_at'" in by_api(client, text, {})["error"]
    asked = client.get(f"{hand_over(client, text.encode())}&k=1")
    assert asked.status_code == 422
    (link,) = [link for link in buttons(asked.text) if link.endswith(urlencode(fields))]
    found = combined(on_page(client, link), "scores" if "better" in fields else "labels")
    assert found == {item: pytest.approx(value) if isinstance(value, float) else value for item, value in right.items()}
    assert Read(client.get(link).text).texts["headline"]


def test_a_file_that_cannot_be_read_opens_the_settings_of_its_format(client: TestClient) -> None:
    page = read(client, f"{hand_over(client, b'PAR1', 'bad.parquet')}&k=1", 422)
    assert '<details class="group" open>\n  <summary>Format of the file' in page.html
    assert page.html.count('<details class="group" open>') == 1


@pytest.mark.slow
def test_calibration_takes_the_gold_column_for_no_reporter(client: TestClient) -> None:
    header, *lines = (line.split(",") for line in GOLD.split())
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    found = ask(client, "calibrate", {"rows": rows, "k": 1, "gold": "truth"})
    assert (found["n"], round(found["tpr"], 3), round(found["fpr"], 3)) == (5, 0.75, 0.25)


def test_who_said_nothing_is_said(client: TestClient) -> None:
    page = read(client, f"{hand_over(client, ABSENT.encode())}&k=1")
    assert page.column("answers", "Additions needed") == ["1", "7"]
    assert "On 1 item reporters who said nothing could have overturned the decision." in page.texts["note"]
    full = read(client, f"{hand_over(client, ABSENT.replace('B,,', 'B,A,A').encode())}&k=1")
    assert not any("said nothing" in note for note in full.texts.get("note", ()))
