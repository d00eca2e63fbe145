"""The section on the same k reporters: what the library and the command find, on the page, in files and to repeat."""

import html
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.bribery.result import WorstBribe
from bribeproof.explorer.data import worst_bribe
from bribeproof.explorer.data.analysis import analyse, analyse_without_protection
from bribeproof.explorer.data.bribe_section import bribe_section
from bribeproof.explorer.data.query import DataQuery
from bribeproof.io.read import Table
from tests.cli.command import call, document
from tests.explorer.data.sample_files import LABELS, SCORES, VOTES, Read, hand_over, read
from tests.explorer.pasted import run_commands, run_python

MORE = b"t7,w0,cat\n"
FEW_MARKS = b"entry,j1,j2,j3,j4,j5\nA,1,2,,,\nB,,,3,4,5\n"
SETS = b"task,worker,label\n" + b"".join(
    f"t{task},w{who},{'cat;dog' if who < task else 'dog;cow'}\n".encode() for task in range(4) for who in range(5)
)


@pytest.mark.parametrize(
    ("content", "k"),
    [(VOTES, 1), (LABELS, 2), pytest.param(LABELS, 1, marks=pytest.mark.slow)],
    ids=["votes", "labels", "one"],
)
def test_the_section_says_what_the_library_finds(client: TestClient, tmp_path: Path, content: bytes, k: int) -> None:
    (tmp_path / "sheet.csv").write_bytes(content)
    value = "vote" if content == VOTES else "label"
    found = bp.worst_bribe(bp.read_table(tmp_path / "sheet.csv"), k, label=value)
    page = read(client, f"{hand_over(client, content)}&k={k}&step=same")
    assert set(found.summary().splitlines()) <= set(page.said)
    assert page.texts["verdict"] == found.summary().splitlines()[:1]
    assert page.tables["bribed"][1:] == [
        [name, str(together[0]), str(together[1]), str(reports)]
        for name, reports, *together in found.reporters.iter_rows()
    ]
    assert page.column("turned", "task") == found.items["task"].to_list()
    assert page.column("turned", "Ahead by") == [str(margin) for margin in found.items["margin"]]
    asked = (
        "Above, it may be another reporter on each item. Here it is one and the same on all of them."
        if k == 1
        else "Above, they may be other reporters on each item. Here they are the same 2 on all of them."
    )
    assert asked in page.texts["p"]
    heading = "One and the same reporter" if k == 1 else "The same 2 reporters"
    assert f"<h3>{heading}</h3>" in page.html
    assert (page.html.count("<svg "), page.html.count("<img ")) == (1, 1)
    links = [html.unescape(link) for link in page.links if "/data/bribe." in link]
    csv, everything = (client.get(link) for link in links)
    assert call("bribe", tmp_path / "sheet.csv", "--k", k, "-o", tmp_path / "bribe.csv").status == 0
    assert csv.content == (tmp_path / "bribe.csv").read_bytes()
    assert csv.headers["content-disposition"].endswith(f"''sheet-k{k}-bribe.csv")
    printed = document("bribe", tmp_path / "sheet.csv", "--k", k)
    assert everything.json() == printed


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "k=1&positive=cat&kind=votes",
        "k=2&item=task&missing=dog",
        "k=1&repeats=first",
    ],
)
def test_what_is_to_repeat_gives_the_same(client: TestClient, tmp_path: Path, query: str) -> None:
    address = f"{hand_over(client, LABELS, 'my labels.csv')}&{query}"
    page = read(client, f"{address}&step=same")
    (tmp_path / "my labels.csv").write_bytes(LABELS)
    run_commands(page.texts["same-command"][0], tmp_path)
    download = client.get(address.replace("/data?", "/data/bribe.csv?")).content
    assert (tmp_path / "bribe.csv").read_bytes() == download
    lines = f"{page.texts['same-python'][0]}\nbp.write_table(found.items, 'python.csv')\n"
    run_python(lines, tmp_path)
    assert (tmp_path / "python.csv").read_bytes() == download


@pytest.mark.parametrize(
    ("content", "query", "why"),
    [
        (LABELS, "k=1&asked=6", "bribed reporters may be silent, too"),
        (LABELS, "k=1&faulty=set-aside", "bribed reporters may be silent, too"),
        (SETS, "k=1&label_sets=each", "it takes one label at a time"),
        (SCORES, "k=1&asked=5", "bribed reporters may be silent, too"),
        (FEW_MARKS, "k=2", "no entry has a total: too few marks are left when so many are dropped."),
    ],
    ids=["asked", "set aside", "each label", "asked of scores", "too many of scores"],
)
def test_why_it_is_not_searched(client: TestClient, content: bytes, query: str, why: str) -> None:
    address = f"{hand_over(client, content)}&{query}"
    page = read(client, f"{address}&step=same")
    assert any(why in text for text in page.said)
    assert not {"bribed", "places"} & set(page.tables)
    assert "bribeproof bribe" not in page.html
    assert client.get(address.replace("/data?", "/data/bribe.csv?")).status_code == 422


@pytest.mark.parametrize("content", [SCORES, LABELS], ids=["scores", "labels"])
def test_there_is_no_section_where_nobody_is_bribed(client: TestClient, content: bytes) -> None:
    address = f"{hand_over(client, content)}&k=0"
    page = read(client, f"{address}&step=same")
    assert "With k = 0 nobody is bribed." in page.texts["note"]
    response = client.get(address.replace("/data?", "/data/bribe.json?"))
    assert response.status_code == 422
    assert "with k = 0 nobody is bribed" in response.text


def test_sets_as_a_whole_and_one_label_are_searched(client: TestClient) -> None:
    for options in ("label_sets=whole", "label_sets=each&labels=cat", "label_sets=none"):
        page = read(client, f"{hand_over(client, SETS)}&k=1&{options}&step=same")
        assert "bribed" in page.tables, options


def test_other_files_are_not_made(client: TestClient) -> None:
    response = client.get(hand_over(client, LABELS).replace("/data?", "/data/bribe.parquet?"))
    assert response.status_code == 422
    assert "bribe.csv and bribe.json" in response.text


def test_a_large_table_is_left_to_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(pl.read_csv(LABELS, infer_schema=False), "sheet.csv")
    first = analyse_without_protection(table, {"kind": "labels"})
    assert first.recompute.same_reporters(1).found is not None
    assert first.recompute.same_reporters(1, searched=False).found is None
    for limit in ("_MOST_REPORTS", "_MOST_CELLS"):
        with monkeypatch.context() as patch:
            patch.setattr(worst_bribe, limit, 1)
            other = first.recompute.same_reporters(1)
            assert other.found is None
            assert other.by_command
            assert "the command below" in other.why_not


def test_a_search_that_ends_early_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both bounds hold, and the command is named."""
    draw = np.random.default_rng(5)
    rows = [
        (f"t{task}", f"w{who}", "xy"[draw.integers(2)]) for task in range(150) for who in range(40) if draw.integers(2)
    ]
    table = Table(pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"), "sheet.csv")
    first = analyse_without_protection(table, {"kind": "labels"})
    monkeypatch.setattr(worst_bribe, "_SECONDS", 1e-6)
    same = first.recompute.same_reporters(6)
    assert isinstance(same.found, WorstBribe)
    assert same.found.lower < same.found.upper
    section = bribe_section(analyse(first, 6, rounded=False), same, DataQuery("sheet"), "sheet.csv")
    assert section is not None
    assert section["sentences"][-1] == (
        "The search on this page ends after about two seconds; the command below searches longer."
    )


def test_a_slider_does_not_wait_for_a_search(client: TestClient) -> None:
    """The result that a script puts into the page names the part, which it asks for when the slider rests."""
    address = f"{hand_over(client, LABELS + MORE)}&k=2"
    for fragment in (client.get(f"{address}&step=same", headers={"X-Fragment": "1"}).text, client.get(address).text):
        later = html.unescape(fragment.split('data-part="')[1].split('"')[0])
        assert later.startswith("/data/step/same?")
        assert 'class="bribed"' not in fragment
    section = client.get(later, headers={"X-Fragment": "1"}).text
    assert "bribed" in Read(section).tables
    assert Read(section).tables["bribed"] == read(client, f"{address}&step=same").tables["bribed"]
    assert client.get(later.replace("k=2", "k=x")).status_code == 422


def test_a_report_has_the_section(client: TestClient) -> None:
    address = f"{hand_over(client, LABELS)}&k=2"
    page, report = (
        read(client, f"{address}&step=same"),
        Read(client.get(address.replace("/data?", "/data/report.html?")).text),
    )
    assert {row[0] for row in report.tables["same-people"][1:]} == {row[0] for row in page.tables["bribed"][1:]}
    assert [row[0] for row in report.tables["what-they-change"][1:]] == [row[0] for row in page.tables["turned"][1:]][
        :10
    ]


def test_names_from_the_file_are_text(client: TestClient) -> None:
    evil = "<script>alert(1)</script>"
    rows = "task,worker,label\n" + "".join(
        f"{evil}{task},{evil}{who},{int(who in 'abc')}\n" for task in range(3) for who in "abcde"
    )
    page = read(client, f"{hand_over(client, rows.encode())}&k=1&step=same")
    assert page.tables["bribed"][1][0] == f"{evil}a"
    assert "<script>alert" not in page.html
    assert (
        json.dumps(evil)[1:-1]
        in client.get(next(html.unescape(link) for link in page.links if "bribe.json" in link)).text
    )
