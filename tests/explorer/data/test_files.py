"""Files that the page takes and keeps, and those it refuses in the sentence of the library."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.errors import BribeproofError
from bribeproof.explorer.app import create_app
from bribeproof.explorer.data.page_words import in_page_words
from bribeproof.explorer.settings import Settings
from bribeproof.explorer.tables.aggregated import aggregate_table
from tests.explorer.data.sample_files import SCORES, Read, hand_over, read


def test_the_page_asks_for_a_file_and_says_how_large_it_may_be(client: TestClient) -> None:
    page = client.get("/data").text
    assert "up to 200 MB" in page
    assert {"/data?sheet=judges", "/data?sheet=moderation&gold=truth", "/data?sheet=models&gold=truth"} <= set(
        Read(page).links
    )


def test_a_file_is_kept_by_what_is_in_it(client: TestClient) -> None:
    address = hand_over(client, SCORES, "a.csv")
    assert hand_over(client, SCORES, "b.csv") == address
    assert hand_over(client, SCORES, "b.tsv") != address
    assert read(client, address).texts["sheet"] == ["b.csv"]


def test_a_name_is_no_path(client: TestClient, tmp_path: Path) -> None:
    address = hand_over(client, SCORES, "../../../tmp/evil.csv")
    assert "evil.csv" in read(client, address).texts["sheet"][0]
    assert not list(tmp_path.parent.rglob("evil.csv"))
    assert (
        client.get(address.replace("/data?", "/data/result.csv?"))
        .headers["content-disposition"]
        .endswith("''evil-k1.csv")
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.parquet", b"PAR1 and then nothing"),
        ("junk.csv", bytes(range(256)) * 8),
        ("junk.json", bytes(range(256)) * 8),
        ("empty.csv", b""),
        ("header.csv", b"task,worker,label\n"),
        ("cut.csv", b'task,worker,label\nt1,w1,"ca'),
        ("cut.json", b'[{"task": "t1", "work'),
        ("ragged.csv", b"task,worker,label\nt1,w1\n"),
        ("what.xlsx", b"PK\x03\x04"),
        ("nothing", b"task,worker,label\nt1,w1,x\n"),
        ("one.csv", b"task\nt1\n"),
        ("repeated.csv", b"task,worker,label\nt1,w1,x\nt1,w1,y\n"),
    ],
)
def test_a_bad_file_is_refused_in_the_sentence_of_the_library(
    client: TestClient, tmp_path: Path, name: str, content: bytes
) -> None:
    page = read(client, hand_over(client, content, name), status=422)
    (tmp_path / name).write_bytes(content)
    try:
        aggregate_table(bp.read_table(tmp_path / name), k=0)
    except BribeproofError as error:
        assert page.texts["error"] == [in_page_words(str(error).replace(str(tmp_path / name), name))]
    else:
        pytest.fail("the library reads it")
    assert "format" in page.chosen


def test_no_file_and_too_much_are_refused(client: TestClient) -> None:
    for body in ({"files": {"other": ("a.csv", b"x")}}, {"data": {"file": "text"}}, {"files": {"file": ("", b"")}}):
        response = client.post("/data", **body)
        assert response.status_code == 422
        assert "no file arrived" in response.text
    broken = client.post("/data", content=b"--x\r\nnothing", headers={"Content-Type": "multipart/form-data"})
    assert broken.status_code == 400
    with TestClient(create_app(Settings(upload_bytes=100)), base_url="http://127.0.0.1") as small:
        response = small.post("/data", files={"file": ("a.csv", b"x" * 500)})
        assert response.status_code == 413
        assert "larger than" in response.text


def test_an_unknown_key_is_asked_for_again(client: TestClient) -> None:
    for address in ("/data?sheet=nobody", "/data/result.csv?sheet=file", "/data/report.html?sheet=..%2F..%2Fetc"):
        response = client.get(address)
        assert response.status_code == 422
        assert "upload it again" in response.text
    assert client.get("/data/result.exe?sheet=judges").status_code == 422


def test_a_file_of_the_user_s_own_is_read_where_it_lies_and_again_when_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_bytes(SCORES)
    with TestClient(create_app(Settings(file=file)), base_url="http://127.0.0.1") as client:
        assert client.get("/").url.query == b"sheet=file"
        assert read(client, "/data?sheet=file").column("answers", "entry")[1] == "B"
        file.write_bytes(SCORES.replace(b"B,", b"Bee,"))
        assert read(client, "/data?sheet=file").column("answers", "entry")[1] == "Bee"
        file.unlink()
        assert "own.csv" in read(client, "/data?sheet=file", status=422).texts["error"][0]
    file.write_bytes(SCORES)
    with TestClient(create_app(Settings(file=file, upload_bytes=50)), base_url="http://127.0.0.1") as client:
        assert "too large" in read(client, "/data?sheet=file", status=422).texts["error"][0]
