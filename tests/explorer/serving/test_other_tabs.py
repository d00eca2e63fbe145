"""Slow work in one tab delays no other tab, and ends at its limit in the page's words."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from bribeproof.explorer.app import create_app
from bribeproof.explorer.settings import Settings
from bribeproof.explorer.workers.pool import Workers
from tests.explorer.browser import SECONDS

SLOW = "/attack?n=200&items=1000&draws=20&weighed=yes&adversaries={}"
"""Attacks that take a minute or more each."""


@pytest.mark.slow
def test_slow_attacks_delay_no_other_page() -> None:
    app = create_app(settings := Settings(page_seconds=SECONDS))
    with (
        TestClient(app, base_url="http://127.0.0.1") as tab,
        ThreadPoolExecutor(4) as others,
    ):
        loaded = [
            others.submit(tab.get, page) for page in ("/attack", "/attack?k=4", "/data?sheet=judges&k=1", "/panel")
        ]
        assert all(one.result().status_code == 200 for one in loaded)  # each in a process of its own
        app.state.attack_workers = Workers(30, settings.memory_bytes)
        slow = [others.submit(tab.get, SLOW.format(count)) for count in (40, 41, 42)]
        time.sleep(1)
        for page in ("/panel?n=11", "/data?sheet=judges&k=2", "/data?sheet=moderation&k=1"):
            answer = tab.get(page)
            assert answer.status_code == 200, answer.text
        assert not any(one.done() for one in slow)
        assert {one.result().status_code for one in slow} <= {200, 422}  # 422: their time was over


@pytest.mark.parametrize(
    ("page", "advice"),
    [
        ("/attack", "choose fewer random draws, items or reporters, or open a smaller file"),
        ("/data?sheet=judges&k=1", "open a smaller file, or a part of it"),
        ("/panel?correlation=0.1", "choose fewer judges, or let honest errors go together in any way"),
    ],
)
def test_what_takes_too_long_says_what_to_do_in_words_of_the_page(page: str, advice: str) -> None:
    with TestClient(create_app(Settings(page_seconds=0.01)), base_url="http://127.0.0.1") as client:
        answer = client.get(page)
    assert answer.status_code == 422
    told = f"this took longer than 0.01 s; {advice}; the command has no such limit"
    assert f'<p class="error" role="alert">{told}</p>' in answer.text


def test_a_part_of_a_panel_that_takes_too_long_says_so_in_its_place() -> None:
    with TestClient(create_app(Settings(page_seconds=0.01)), base_url="http://127.0.0.1") as client:
        part, picture = (client.get(f"/panel/{name}?correlation=0.1") for name in ("changes", "bribes.svg"))
    told = '<p class="error" role="alert">this took longer than 0.01 s; choose fewer judges, or let honest errors'
    assert (part.status_code, picture.status_code) == (
        200,
        422,
    )  # a script shows what it asked for later if it is there
    assert part.text.startswith(told)
