"""The page "Attack it" in a real browser."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.explorer.browser import MakePage

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)>" + "x" * 60


def query(page: Page) -> dict[str, list[str]]:
    """Return the query of the address."""
    return parse_qs(urlsplit(page.url).query)


def numbers(page: Page) -> str:
    """Return what the table says."""
    return page.locator("#table").inner_text()


def picture(page: Page) -> str:
    """Return the picture as it is drawn, which may follow the numbers."""
    expect(page.locator("#curves")).not_to_have_attribute("aria-busy", "true")
    return page.locator("figure svg").inner_html()


def scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


@pytest.mark.slow
def test_each_strategy_has_its_own_numbers_and_picture(site: str, page: Page) -> None:
    page.goto(f"{site}/attack?n=9&items=40&draws=2&adversaries=2&k=1")
    losses, seen = page.locator("#losses"), set()
    for strategy, words in [
        ("random", "answer at random"), ("high", "say the last class"), ("copy", "copy reporter 1"),
        ("close", "lie only where it turns"), ("worst", "most harm"), ("opposite", "say the opposite"),
    ]:  # fmt: skip
        page.get_by_label("What the bribed do").select_option(strategy)
        expect(losses).to_contain_text(words)
        assert query(page)["strategy"] == [strategy]
        assert page.get_by_label("Copied reporter").is_visible() == (strategy == "copy")
        seen.add((numbers(page), picture(page)))
    assert len(seen) >= 5


@pytest.mark.slow
def test_a_slider_is_followed_by_numbers_picture_and_address_and_a_reload_shows_the_same(site: str, page: Page) -> None:
    page.goto(f"{site}/attack?n=15")
    before = numbers(page), picture(page)
    slider = page.get_by_role("slider", name="Bribed reporters")
    slider.fill("5")
    expect(page.locator("#headline")).to_contain_text("With 5 of 15 bribed")
    assert query(page)["adversaries"] == ["5"]
    assert page.get_by_role("spinbutton", name="Bribed reporters").input_value() == "5"
    after = numbers(page), picture(page)
    assert after[0] != before[0]
    assert after[1] != before[1]
    page.reload()
    assert (numbers(page), picture(page)) == after
    page.get_by_role("spinbutton", name="Reporters", exact=True).fill("41")
    expect(page.locator("#headline")).to_contain_text("With 5 of 41 bribed")
    assert slider.get_attribute("max") == "20"


@pytest.mark.slow
def test_what_cannot_be_is_said_beside_what_was_typed(site: str, page: Page) -> None:
    page.goto(f"{site}/attack?n=15")
    page.get_by_role("spinbutton", name="Bribed reporters").fill("16")
    expect(page.get_by_role("alert")).to_contain_text("there are only 15 reporters")
    page.get_by_role("spinbutton", name="Bribed reporters").fill("1")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("#headline")).to_contain_text("With 1 of 15 bribed")


@pytest.mark.slow
def test_the_keyboard_is_enough(site: str, page: Page) -> None:
    page.goto(f"{site}/attack?n=15")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "strategy":
            break
    page.keyboard.press("ArrowDown")
    expect(page.locator("#losses")).to_contain_text("The bribed answer at random.")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#headline")).to_contain_text("With 4 of 15 bribed")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#headline")).to_contain_text("With 3 of 15 bribed")
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "weighed"
    page.keyboard.press("ArrowDown")
    expect(page.locator("#table")).to_contain_text("weighed, k = 3")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    page.keyboard.press("Enter")
    expect(page.get_by_text("Each of them answers at random, independently.").first).to_be_visible()


@pytest.mark.slow
def test_without_scripts_a_button_attacks(site: str, new_page: MakePage) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{site}/attack?n=15")
    page.locator("#strategy").select_option("collude")
    page.locator("#adversaries").fill("6")
    page.get_by_role("button", name="Attack").click()
    expect(page.locator("#headline")).to_contain_text("With 6 of 15 bribed, ")
    assert query(page)["adversaries"] == ["6"]
    expect(page.locator("#losses")).to_contain_text("The bribed agree on a wrong answer.")
    assert page.locator("#strategy").input_value() == "collude"


@pytest.mark.slow
@pytest.mark.parametrize(
    "address", ["/attack", "/attack?n=15", "/attack?n=100&adversaries=40&k=20", "/attack?sheet=judges", "/attack?n=x"]
)
def test_a_telephone_is_wide_enough(site: str, new_page: MakePage, address: str) -> None:
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(site + address)
    assert not scrolls_sideways(page)


@pytest.mark.slow
def test_hostile_names_are_text(site_with: Callable[[Path], str], new_page: MakePage, tmp_path: Path) -> None:
    rows = [f"t{i},{name},{(i + j) % 3 % 2},{i % 2}" for i in range(9) for j, name in enumerate((HOSTILE, "b", "c"))]
    file = tmp_path / f"{HOSTILE}.csv".replace("/", "")
    file.write_text("\n".join([f"item,reporter,vote,{HOSTILE}", *rows]))
    page = new_page(viewport={"width": 360, "height": 740})
    site = site_with(file)
    page.goto(f"{site}/attack?sheet=file")
    expect(page.locator("main")).to_contain_text("Which column holds the truth?")
    page.get_by_label("Column of the truth").select_option(HOSTILE)
    page.get_by_label("What the bribed do").select_option("copy")
    expect(page.locator("#losses")).to_contain_text(f"The bribed copy reporter {HOSTILE}")
    assert page.locator("img").count() == 0
    assert not scrolls_sideways(page)


@pytest.mark.slow
def test_files_can_be_taken(site: str, page: Page) -> None:
    page.goto(f"{site}/attack?strategy=sleeper&n=5&items=10&draws=1&adversaries=1&k=1")
    for name, first in [
        ("curves.csv", "strategy,adversaries,rule,k"),
        ("crowd.csv", "item,reporter,vote,truth"),
        ("gold.csv", "item"),
    ]:
        with page.expect_download() as taken:
            page.locator(f'a[download="{name}"]').click()
        assert taken.value.suggested_filename == name
        assert taken.value.path().read_text().startswith(first)
