"""The search of the built site finds the page that answers a newcomer's question in its first three hits."""

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.paths import ROOT

QUESTIONS = tomllib.loads((ROOT / "tests" / "documentation" / "questions.toml").read_text(encoding="utf-8"))["question"]
MOST = 3


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """A page of a browser."""
    sync_api = pytest.importorskip("playwright.sync_api")
    if "SITE" not in os.environ:
        pytest.skip("SITE does not name the folder of the built site; ./check site builds it and runs this")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page()
        page.set_default_timeout(120_000)  # a busy machine answers late, which is no failure
        yield page
        browser.close()


def hits(page: Any, question: str) -> list[str]:
    """Return the pages that the search finds first, from a folder on disk and without a network."""
    site = Path(os.environ["SITE"]).resolve()
    page.goto(f"{site.as_uri()}/search.html?q={quote(question)}")
    page.wait_for_function(
        "document.querySelector('#search-results p, #search-results .search-summary')?.innerText.match(/found|match/)"
    )
    links = page.locator("#search-results ul.search > li > a").evaluate_all(
        "all => all.map(one => one.getAttribute('href'))"
    )
    return [str(link).partition("?")[0].partition("#")[0].removesuffix(".html") for link in links]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS, ids=[question["ask"] for question in QUESTIONS])
def test_a_question_is_answered_in_the_first_hits(page: Any, question: dict[str, Any]) -> None:
    found = list(dict.fromkeys(hits(page, question["ask"])))[:MOST]
    assert set(found) & set(question["pages"]), found


def test_there_are_twenty_questions_and_their_pages_exist() -> None:
    assert len(QUESTIONS) >= 20
    generated = ("gallery/",)
    for question in QUESTIONS:
        for name in question["pages"]:
            assert name.startswith(generated) or (ROOT / "docs" / f"{name}.md").exists(), name
