"""The page "Design a panel" in a real browser."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.explorer.browser import MakePage, settle

pytestmark = pytest.mark.browser
PICTURES = ("rule", "bribes", "reporters", "worst-case")


def _slide(page: Page, name: str, value: object) -> None:
    """Move a slider as a hand does: its value changes, and it says so."""
    slider = page.locator(f"input[data-for={name}]")
    slider.evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})); }",
        str(value),
    )


def _picture(page: Page, name: str) -> str:
    """Return what a picture of its own address shows, once it is there."""
    image = page.locator(f"img[src*='/{name}.svg']")
    image.scroll_into_view_if_needed()
    page.wait_for_function("image => image.complete && image.naturalWidth", arg=image.element_handle())
    return image.get_attribute("src") or ""


def test_a_slider_changes_numbers_pictures_and_address(
    page: Page, site: str, shot: Callable[[Page, str], Path]
) -> None:
    page.goto(f"{site}/panel")
    expect(page.locator("#bound")).to_have_text("20 of 100")
    page.get_by_text("The worst case, step by step").click()
    images = [_picture(page, name) for name in PICTURES]
    shot(page, "panel")
    _slide(page, "k", 3)
    expect(page.locator("#bound")).to_have_text("26.3 of 100")
    expect(page.locator("#summary")).to_have_text("At worst 26.3 of 100 wrong; all costs at most 975 per 100")
    assert page.locator("#k").input_value() == "3"
    expect(page.locator("#worst")).to_have_attribute("open", "")
    settle(page)  # pictures follow when the slider rests
    assert all(_picture(page, name) not in images for name in PICTURES)
    expect(page).to_have_url(re.compile("k=3"))
    shown = page.locator("#result").text_content()
    page.reload()
    assert page.locator("#result").text_content() == shown
    assert page.locator("#k").input_value() == "3"


def test_a_slider_is_answered_while_it_moves_and_pictures_when_it_rests(page: Page, site: str) -> None:
    page.clock.install()
    page.goto(f"{site}/panel?n=50&k=4")
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # a page without time does not see the slider rest
    asked: list[tuple[str, int]] = []
    held: list[Route] = []

    def note(request: Request) -> None:
        url = urlsplit(request.url)
        if (k := int(parse_qs(url.query).get("k", ["0"])[0])) > 4:
            asked.append((url.path, k))

    page.on("request", note)
    for k, word in ((5, "five"), (6, "six"), (7, "seven")):
        _slide(page, "k", k)
        expect(page.locator("#headline")).to_contain_text(f"50 judges, {word} of them bribed")
        expect(page).to_have_url(re.compile(rf"\bk={k}\b"))
    page.route("**/panel?*k=8&*", lambda route: held.append(route))  # this answer is late
    for k in range(8, 21):
        _slide(page, "k", k)
    page.clock.run_for(1000)
    expect(page).to_have_url(re.compile(r"\bk=20\b"))
    assert asked == [("/panel", k) for k in (5, 6, 7, 8, 20)]
    page.clock.run_for(1000)
    settle(page)
    assert all("k=20&" in _picture(page, name) for name in ("rule", "bribes", "reporters"))
    assert {k for _, k in asked[5:]} == {20}


@pytest.mark.slow
def test_the_slider_of_the_correlation_stops_where_it_matters(page: Page, site: str) -> None:
    page.goto(f"{site}/panel?n=39&k=4&tpr=0.7&fpr=0.3&loss=squared")
    slider, note = page.locator("input[data-for=correlation]"), page.locator("#correlation-note")
    expect(page.locator("#guarantee")).to_have_text("0.223985")
    expect(note).to_have_text("39 judges average errors out like one.")
    assert slider.get_attribute("aria-valuetext") == "1, like one person"
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#correlation")).to_have_value("0.8")
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile("correlation=0&"))
    assert slider.get_attribute("aria-valuetext") == "0, independent"
    expect(note).to_have_text("39 judges average errors out like 39.0 independent ones.")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#correlation")).to_have_value("0.05")
    assert slider.get_attribute("aria-valuetext") == "0.05"
    expect(page.locator("#guarantee")).to_have_text("0.110631")
    expect(note).to_have_text("39 judges average errors out like 13.4 independent ones.")
    expect(page.locator("#change")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#full")).to_contain_text("39 with 5 bribed")
    page.get_by_text("The worst case, step by step").click()
    assert all(_picture(page, name) for name in PICTURES)
    page.locator("#correlation").fill("0.06")
    expect(page.locator("#command")).to_contain_text("--correlation 0.06")
    assert slider.get_attribute("aria-valuetext") == "0.06"
    assert slider.input_value() == "4"  # the nearest stop, 0.05
    page.reload()
    assert (slider.input_value(), slider.get_attribute("aria-valuetext")) == ("4", "0.06")


@pytest.mark.slow
def test_the_slider_of_bribes_ends_where_the_majority_does(page: Page, site: str) -> None:
    page.goto(f"{site}/panel")
    bribes = page.locator("input[data-for=k]")
    assert bribes.get_attribute("max") == "4"
    _slide(page, "n", 25)
    expect(bribes).to_have_attribute("max", "12")
    page.locator("#k").fill("13")
    expect(page.get_by_role("alert")).to_contain_text(
        "Bribed at most: 13 of 25; the honest must be the majority, so give 0 to 12"
    )
    _slide(page, "n", 2)
    expect(page.get_by_role("alert")).to_contain_text("give 0")
    expect(page.get_by_role("alert")).not_to_contain_text("0 to")
    _slide(page, "n", 25)
    page.locator("#k").fill("12")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("#bound")).to_be_visible()


@pytest.mark.slow
def test_the_keyboard_alone_is_enough(page: Page, site: str) -> None:
    page.goto(f"{site}/panel")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.for") == "n":
            break
    page.keyboard.press("ArrowRight")
    expect(page.locator("#n")).to_have_value("11")
    expect(page.locator("#guarantee")).to_have_text("0.192857")
    page.locator("#loss").focus()
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("loss=cost"))
    labels = page.locator("input:visible, select:visible, button:visible").evaluate_all(
        "all => all.map(one => one.ariaLabel || one.labels?.[0]?.textContent || one.textContent)"
    )
    assert all(label.strip() for label in labels)


@pytest.mark.slow
def test_prices_change_the_costs_and_may_be_what_is_kept_low(page: Page, site: str) -> None:
    page.goto(f"{site}/panel")
    expect(page.locator("#total")).to_have_text("767 per 100")
    page.locator("#cost_judge").fill("0")
    expect(page.locator("#total")).to_have_text("667 per 100")
    page.locator("#loss").select_option("cost")
    page.locator("#cost_fn").fill("30")
    expect(page.locator("#command")).to_contain_text("cost:20.0,30.0")
    expect(page.locator("#headline")).to_contain_text("at worst wrong answers cost 534 per 100 answers on average")


def test_what_is_no_number_is_said_in_place(page: Page, site: str) -> None:
    page.goto(f"{site}/panel")
    page.locator("#n").fill("")
    expect(page.get_by_role("alert")).to_contain_text("Judges: '' is not a whole number")
    page.locator("#n").fill("100000")
    expect(page.get_by_role("alert")).to_contain_text("give 1 to 1,000")
    page.locator("#n").fill("12")
    expect(page.locator("#bound")).to_be_visible()


@pytest.mark.slow
def test_the_link_is_copied_and_leads_to_the_same(new_page: MakePage, site: str) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{site}/panel?n=15&k=3&loss=log")
    shown = page.locator("#guarantee").text_content() or ""
    page.get_by_text("Reproduce this").click()
    page.locator("button[data-copy=link]").click()
    expect(page.locator("button[data-copy=link]")).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(site)
    page.goto(link)
    expect(page.locator("#guarantee")).to_have_text(shown)


@pytest.mark.slow
def test_without_scripts_the_button_does_it(new_page: MakePage, site: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{site}/panel")
    page.get_by_label("Judges", exact=True).first.fill("12")
    page.get_by_role("button", name="Compute").click()
    expect(page).to_have_url(re.compile("n=12"))
    expect(page.locator("#result")).to_contain_text("Twelve judges")
    assert page.locator("#n").input_value() == "12"
    page.locator("#k").fill("9")
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_role("alert")).to_contain_text("give 0 to 5")
    assert page.locator("#k").input_value() == "9"
    page.locator("#k").fill("2")
    page.get_by_label("Honest errors go together", exact=True).first.fill("0.05")
    page.get_by_role("button", name="Compute").click()
    expect(page).to_have_url(re.compile(r"correlation=0\.05"))
    expect(page.locator("#correlation-note")).to_have_text("12 judges average errors out like 7.7 independent ones.")
    expect(page.locator("#result")).to_contain_text("if the errors of any two honest judges correlate by at most 0.05")


@pytest.mark.slow
@pytest.mark.parametrize(
    "query", ["", "?n=200&k=40&loss=cost", "?k=9", "?k=0&tpr=0.123456789", "?n=200&correlation=0.01"]
)
def test_a_phone_shows_all_of_it_without_sideways_scrolling(new_page: MakePage, site: str, query: str) -> None:
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(f"{site}/panel{query}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_an_error_on_the_way_to_a_number_is_in_sight_on_a_phone_and_moves_nothing(
    new_page: MakePage, site: str
) -> None:
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(f"{site}/panel?n=15&k=3")
    field, summary = page.locator("#tpr"), page.locator("#summary")
    field.scroll_into_view_if_needed()
    place = field.bounding_box()
    told = summary.inner_text()
    field.fill("")
    expect(summary).to_have_text("Hits: '' is not a number; give one such as 0.8")
    expect(summary).to_be_in_viewport()
    moved = field.bounding_box()
    assert place is not None
    assert moved is not None
    assert moved["y"] == pytest.approx(place["y"], abs=1)
    field.fill("0.8")
    expect(summary).to_have_text(told)
