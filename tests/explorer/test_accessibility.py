"""The pages for everybody: rules of WCAG 2.2 AA, the keyboard, colours in the dark, and nothing that jumps."""

import re
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from bribeproof.plots import palette
from tests.explorer.browser import MakePage, settle
from tests.explorer.loading import load

pytest.importorskip("playwright")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PAGES = {
    "no data": "/data",
    "data": "/data?sheet=judges",
    "panel": "/panel",
    "attack": "/attack",
    "API": "/api",
    "error": "/panel/bribes.svg?n=0",
    "refusal": "/attack?n=x",
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
REACHABLE = """[...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
  .filter((one) => one.type !== "hidden" && (one.checkVisibility() || one.className === "skip"))"""
FOCUSED = f"""() => {{
  const one = document.activeElement;
  if (one === document.body) return null;
  const {{ outlineStyle, outlineWidth }} = getComputedStyle(one);
  const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return {{ place: {REACHABLE}.indexOf(one), outlined, html: one.outerHTML.slice(0, 200) }};
}}"""
TOUCHED = ":is(button, .button, input, select, summary, header a):visible"
SMALL = """all => all.filter((one) => one.getBoundingClientRect().height < 44 || one.getBoundingClientRect().width < 24)
  .map((one) => one.outerHTML.slice(0, 150))"""


def open_folds(page: "Page") -> None:
    """Open every fold, so that what it hides is checked as well, and wait for what is computed then."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    settle(page)


LOOKS = [(name, scheme, width) for name in PAGES for scheme in ("light", "dark") for width in (1280, 360)]
QUICK = ("panel", "dark", 360)


@pytest.mark.parametrize(
    ("name", "scheme", "width"), [pytest.param(*one, marks=[] if one == QUICK else pytest.mark.slow) for one in LOOKS]
)
def test_no_rule_of_wcag_is_broken(site: str, new_page: MakePage, name: str, scheme: str, width: int) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.goto(site + PAGES[name])
    open_folds(page)
    results = axe.Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    found = results.response["violations"]
    assert not found, [(one["id"], one["help"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
    assert results.response["passes"]


def test_colours_of_pictures_are_seen_in_the_dark(site: str, new_page: MakePage) -> None:
    from matplotlib.image import imread

    colours = sorted({look.colour for look in palette.RULES.values()} | {palette.BLACK, palette.GREY})
    bars = "".join(f'<rect x="{10 * place}" width="10" height="9" fill="{one}"/>' for place, one in enumerate(colours))
    page = new_page(color_scheme="dark")
    page.goto(f"{site}/api")
    page.evaluate(
        "bars => { document.getElementById('main').innerHTML = `<figure style='width: 500px; border: 0; padding: 0'>"
        "<svg viewBox='0 0 500 10'><rect width='500' height='10' fill='#ffffff'/>${bars}</svg></figure>`; }",
        bars,
    )
    pixels = imread(BytesIO(page.locator("figure").screenshot()))[:, :, :3]
    seen = [pixels[4, 10 * place + 5] for place in range(len(colours) + 1)]
    for colour, pixel in zip(colours, seen, strict=False):
        assert contrast(pixel, seen[-1]) >= (4.5 if colour in (palette.BLACK, palette.GREY) else 3), colour
    card = page.evaluate("getComputedStyle(document.querySelector('figure')).backgroundColor")
    assert [round(255 * part) for part in seen[-1]] == pytest.approx([int(x) for x in re.findall(r"\d+", card)], abs=1)


def contrast(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the contrast of two colours, as WCAG 2.2 defines it."""
    lights = [
        np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722) for c in (one, other)
    ]
    return float((max(lights) + 0.05) / (min(lights) + 0.05))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_jumps_while_a_page_loads(site: str, new_page: MakePage, name: str, width: int) -> None:
    loaded = load(new_page(viewport={"width": width, "height": 800}), site + PAGES[name], "#main h1")
    assert loaded.shift < 0.02, loaded


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_the_keyboard_reaches_everything_in_the_order_in_which_it_stands(site: str, page: "Page", name: str) -> None:
    page.goto(site + PAGES[name])
    open_folds(page)
    reached: list[int] = []
    while len(reached) < 300:
        page.keyboard.press("Tab")
        where = page.evaluate(FOCUSED)
        if where is None:
            break
        assert where["outlined"], where
        reached.append(where["place"])
    assert reached[0] == 0
    assert reached == sorted(reached)
    missed = set(range(page.evaluate(f"{REACHABLE}.length"))) - set(reached)
    assert not missed, page.evaluate(
        f"missed => missed.map(place => {REACHABLE}[place].outerHTML.slice(0, 200))", list(missed)
    )
    page.goto(site + PAGES[name])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('header') && document.activeElement !== document.body")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 360])
def test_what_is_touched_is_large_enough(site: str, new_page: MakePage, width: int) -> None:
    for path in PAGES.values():
        page = new_page(viewport={"width": width, "height": 800}, has_touch=True, is_mobile=True)
        page.goto(site + path)
        open_folds(page)
        small = page.locator(TOUCHED).evaluate_all(SMALL)
        assert small == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_what_needs_them_is_not_shown_and_a_button_asks(
    site: str, new_page: MakePage, name: str
) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(site + PAGES[name])
    assert page.locator("input[type=range]:visible, button[data-copy]:visible, progress:visible").count() == 0
    assert page.locator("form:visible").count() == page.locator("form:has(button:visible)").count()
    assert page.locator("main h1").count() == 1
