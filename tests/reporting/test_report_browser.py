"""The page as a person opens it from disk, at two widths, in the light and in the dark, and on paper."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from tests.paths import ROOT
from tests.reporting.helpers import made

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXAMPLES = ROOT / "examples"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
A4 = (794, 1123)
"""Width and height of a page in CSS pixels."""
_WIDE = pl.DataFrame({"entry": [f"Entry with a name of some length {row}" for row in range(12)]}).with_columns(
    pl.Series(f"Judge_{judge:02}", [5.0 + (row * 7 + judge * 3) % 11 / 4 for row in range(12)]) for judge in range(16)
)
FILES: list[Any] = [
    pytest.param(EXAMPLES / "judges.csv", {"title": "Final of the northern cup"}, id="judges"),
    pytest.param(EXAMPLES / "labels.csv", {"cost_per_report": 0.05}, id="labels"),
    pytest.param(EXAMPLES / "screening.csv", {"truth": "truth"}, id="screening"),
    pytest.param(_WIDE, {"kind": "scores", "title": "Sixteen judges"}, id="wide"),
]


@pytest.mark.parametrize(("source", "options"), FILES)
def test_a_report_opens_from_disk_and_prints(
    source: object, options: dict[str, object], browser: "Browser", tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = tmp_path / "report.html"
    made(source, 1, **options).save(path)
    folder = Path(os.environ.get("SCREENSHOTS", tmp_path))
    name = request.node.callspec.id
    asked: list[str] = []
    wrong: list[str] = []
    for width in (1280, 360):
        for scheme in ("light", "dark"):
            with browser.new_context(
                offline=True,
                viewport={"width": width, "height": 900},
                color_scheme=scheme,
            ) as context:
                page = context.new_page()
                page.on("request", lambda one: asked.append(one.url))
                page.on("console", lambda one: wrong.append(one.text))
                page.goto(path.as_uri())
                assert overflow(page) == 0
                assert page.locator("figure svg").first.bounding_box()["height"] > 50  # type: ignore[index]
                assert is_dark(page) == (scheme == "dark")
                assert violations(page) == []
                page.screenshot(path=folder / f"report-{name}-{width}-{scheme}.png", full_page=True)
    assert set(asked) == {path.as_uri()}
    assert wrong == []
    with browser.new_context(offline=True, viewport={"width": A4[0] - 113, "height": A4[1]}) as context:
        page = context.new_page()  # as wide as the paper between its margins
        page.goto(path.as_uri())
        page.emulate_media(media="print", color_scheme="dark")
        assert overflow(page) == 0
        assert not is_dark(page)
        for box in page.locator("table, figure, pre").evaluate_all("all => all.map(one => one.scrollWidth)"):
            assert box <= A4[0] - 113
        pdf = page.pdf(path=folder / f"report-{name}.pdf", format="A4", prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    sizes = set(re.findall(rb"/MediaBox \[([^\]]+)\]", pdf))
    assert len(sizes) == 1
    assert [round(float(end)) for end in sizes.pop().split()] == [0, 0, 595, 842]


def test_a_browser_reads_what_is_written(browser: "Browser", tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    made(EXAMPLES / "labels.csv", 1).save(path)
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        read = page.content()
    # Nothing that a parser repairs: every element stands where it was written.
    tags = re.compile(r"</?[a-z][a-z0-9]*")
    written = path.read_text()
    assert tags.findall(read) == tags.findall(written)


def violations(page: "Page") -> list[tuple[str, str]]:
    """Return the rules of WCAG 2.2 AA that the page breaks, each with an element."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    options = {"runOnly": RULES, "resultTypes": ["violations"]}
    found = axe.Axe().run(page, options=options).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in found]


def overflow(page: "Page") -> int:
    """Return by how much the page is wider than the window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return found


def is_dark(page: "Page") -> bool:
    """Return whether the background is dark."""
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3])) < 384


@pytest.mark.parametrize(
    ("name", "file", "options"), [("scores", "judges.csv", {}), ("labels", "labels.csv", {"cost_per_report": 0.05})]
)
def test_the_pictures_of_the_docs(
    name: str, file: str, options: dict[str, Any], browser: "Browser", tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    made(EXAMPLES / file, None, **options).save(path)
    with browser.new_context(offline=True, viewport={"width": 960, "height": 1120}) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        picture = Path(os.environ.get("SCREENSHOTS", tmp_path)) / f"report-{name}.png"
        page.screenshot(path=picture)
    assert picture.stat().st_size < 250_000
