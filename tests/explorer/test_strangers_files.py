"""What strangers send is read in worker processes: this process parses none of it, and stays free for others."""

import io
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2 as httpx
import polars as pl
import pytest
from starlette.testclient import TestClient

from bribeproof.explorer.api import json_body
from bribeproof.explorer.settings import Settings
from bribeproof.explorer.tables import reading
from tests.explorer.api.api_client import VOTES, ask, refused
from tests.explorer.browser import SECONDS
from tests.explorer.serving.test_connections import running

SHEET = b"entry,j1,j2,j3\nA,7,8,9\nB,5,6,5\n"


@pytest.fixture
def reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the readers of this process."""
    monkeypatch.setattr(reading, "Chunks", None)
    monkeypatch.setattr(json_body, "parse", None)


def equal_rows(rows: int) -> bytes:
    """Return a small Parquet file of many rows."""
    columns = [pl.repeat(1, rows, dtype=pl.Int64).alias(name) for name in ("task", "worker", "label")]
    pl.select(columns).write_parquet(file := io.BytesIO())
    assert len(file.getvalue()) < 200_000
    return file.getvalue()


def handed(client: TestClient, name: str, content: bytes) -> str:
    """Hand a file to the page and return its address."""
    answer = client.post("/data", files={"file": (name, content)}, follow_redirects=False)
    return answer.headers["location"]


@pytest.mark.usefixtures("reads_nothing")
def test_this_process_reads_nothing(client: TestClient) -> None:
    assert ask(client, "aggregate", {"rows": VOTES, "k": 1})["kind"] == "votes"
    assert refused(client, "aggregate", content=b"[", headers={"Content-Type": "application/json"})
    sent = client.post("/api/aggregate/file", files={"file": ("s.csv", SHEET)}, data={"k": "1"})
    assert sent.json()["summary"]["items"] == 2
    address = handed(client, "s.csv", SHEET)
    assert client.get(address).status_code == 200
    assert client.get(address.replace("/data", "/attack")).status_code == 200


def test_two_columns_of_one_name_are_refused_in_words(client: TestClient) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table([["a"], [1], [2]], names=["task", "label", "label"]), file := io.BytesIO())
    said = "has more than one occurrence; rename or remove one of these columns"
    answer = client.get(handed(client, "twice.parquet", file.getvalue()))
    assert answer.status_code == 422
    assert said in answer.text
    assert said in refused(client, "aggregate/file", files={"file": ("t.parquet", file.getvalue())}, data={"k": "1"})


def test_a_small_file_of_very_many_rows_is_refused_before_it_is_read(client: TestClient) -> None:
    bomb = equal_rows(10_000_000)
    said = "10,000,000 rows of 3 columns, more than the 20,000,000 cells that can be read"
    answer = client.get(handed(client, "bomb.parquet", bomb))
    assert answer.status_code == 422
    assert f"bomb.parquet: {said}" in answer.text
    assert said in refused(client, "aggregate/file", files={"file": ("bomb.parquet", bomb)}, data={"k": "1"})


def test_very_many_rows_of_json_are_refused(client: TestClient) -> None:
    body = b'{"k": 1, "rows": [' + b"{}," * 1_000_000 + b"{}]}"
    said = refused(client, "aggregate", content=body, headers={"Content-Type": "application/json"})
    assert said.endswith("arrived; give at most 1,000,000")


@pytest.mark.slow
def test_others_are_answered_while_a_large_request_is_parsed() -> None:
    body = b'{"k": 1, "rows": [' + b"{}," * 6_900_000 + b"{}]}"
    waits = []
    with running(Settings(seconds=SECONDS)) as site, ThreadPoolExecutor() as pool:
        address = f"http://127.0.0.1:{site.port}"
        sent = pool.submit(
            httpx.post,
            f"{address}/api/aggregate",
            content=body,
            headers={"Content-Type": "application/json"},
            timeout=SECONDS,
        )
        started = time.monotonic()
        while not sent.done():
            begun = time.monotonic()
            assert httpx.get(f"{address}/static/explorer.css", timeout=SECONDS).status_code == 200
            waits.append(time.monotonic() - begun)
            time.sleep(0.02)
        answer = sent.result()
        took = time.monotonic() - started
    assert answer.status_code == 422
    assert answer.json()["error"].endswith("give at most 1,000,000")
    # About 0.1 s, and longer on a busy machine, where all takes longer; 19 s when the server itself parsed the body.
    assert max(waits) < max(2, took / 2)


def test_many_named_columns_are_one_page(client: TestClient) -> None:
    names = ["".join(chr(97 + column // 26**place % 26) for place in range(4)) for column in range(2000)]
    rows = "\n".join(f"E{row},{','.join(str((row * column) % 7 / 2) for column in range(2000))}" for row in range(20))
    answer = client.get(handed(client, "wide.csv", f"entry,{','.join(names)}\n{rows}\n".encode()))
    assert answer.status_code == 200
    assert "2,000" in answer.text
