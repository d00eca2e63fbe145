"""Files with very many columns are answered or refused soon, while others are answered at once."""

import string
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from starlette.testclient import TestClient

from tests.explorer.data.sample_files import Read, hand_over
from tests.explorer.data.test_sheets import buttons

pytestmark = pytest.mark.slow
SECONDS, OTHERS = 60, 10
"""The most for a wide file, and for another request meanwhile, on a busy machine; it takes about 4 and 1."""
NAMES = ["Ab" + "".join(letters) for letters in product(string.ascii_lowercase, repeat=3)]


def wide(columns: list[str], rows: int) -> bytes:
    """Return a score sheet."""
    lines = [",".join(["entry", *columns])]
    lines += [
        f"E{row}," + ",".join(str((row * place) % 21 / 2) for place in range(len(columns))) for row in range(rows)
    ]
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (wide([f"j{number}" for number in range(100_000)], 5), 422, "more than the 20,000 that can be read"),
        (wide(NAMES[:2_000], 50), 200, "places could have been changed"),
        (wide([*NAMES[:2_000], "Mark"], 5), 422, "'Mark' may be a reporter or not"),
    ],
    ids=["100,000 numbered", "2,000 named", "2,000 named, and a question"],
)
def test_a_wide_file_is_answered_or_refused_soon(client: TestClient, content: bytes, status: int, said: str) -> None:
    for _ in range(2):  # two worker processes have started
        with ThreadPoolExecutor() as pool:
            assert all(one.status_code == 200 for one in pool.map(client.get, ["/data?sheet=judges", "/panel"]))
    address, began = hand_over(client, content), time.monotonic()
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(client.get, address)
        meanwhile: list[float] = []
        while not meanwhile or not waiting.done():
            asked = time.monotonic()
            assert client.get("/data?sheet=models&k=2").status_code == 200
            meanwhile.append(time.monotonic() - asked)
        response = waiting.result()
    assert time.monotonic() - began < SECONDS
    assert max(meanwhile) < OTHERS
    assert response.status_code == status
    page = Read(response.text)
    assert said in [*page.texts.get("error", ()), *page.texts.get("headline", ())][0]
    for link in buttons(response.text):
        assert client.get(link).status_code == 200


def test_wide_rows_are_refused_by_the_api_as_a_wide_file_is(client: TestClient) -> None:
    rows = [{"entry": f"E{row}", **{f"j{number}": row for number in range(100_000)}} for row in range(2)]
    began = time.monotonic()
    assert (
        "100,001 columns, more than the 20,000"
        in client.post("/api/aggregate", json={"rows": rows, "k": 1}).json()["error"]
    )
    assert time.monotonic() - began < SECONDS
