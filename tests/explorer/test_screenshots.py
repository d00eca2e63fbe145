"""A picture of each page, as the README shows it.

The variable SCREENSHOTS names the folder that they are written to.
"""

import os
import struct
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

PAGES = {
    "start": "/data",
    "panel": "/panel",
    "data": "/data?sheet=judges",
    "same": "/data?sheet=models&k=2#same",
    "certify": "/data?sheet=moderation&gold=truth&k=2#certify",
    "attack": "/attack",
}
OPENED_ELSEWHERE = ("start", "panel", "data", "certify")
"""Quicker tests move the sliders of these pages."""
MOST_BYTES = 250_000
FEWEST_ROWS = 200
"""Of 900 rows of dots, a page with text and pictures has more that differ; a blank one has one or two."""


def rows_that_differ(png: bytes) -> int:
    """Count the different rows of a picture, which are few where it is blank."""
    place, packed = 8, b""
    while place < len(png):
        size, kind = struct.unpack(">I4s", png[place : place + 8])
        packed += png[place + 8 : place + 8 + size] if kind == b"IDAT" else b""
        place += 12 + size
    width, height = struct.unpack(">II", png[16:24])
    rows = zlib.decompress(packed)
    length = len(rows) // height
    assert length >= width
    return len({rows[row * length : (row + 1) * length] for row in range(height)})


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in OPENED_ELSEWHERE else []) for name in PAGES]
)
def test_a_page_is_seen(name: str, site: str, page: Page, tmp_path: Path) -> None:
    page.goto(site + PAGES[name])
    step = page.locator(f"#{PAGES[name].partition('#')[2] or 'main'}")
    expect(step.locator("figure :is(svg, img), table.measured").first).to_be_visible()
    step.evaluate("step => step.id === 'main' || step.scrollIntoView()")
    path = Path(os.environ.get("SCREENSHOTS", tmp_path)) / f"explorer-{name}.png"
    page.screenshot(path=path)
    png = path.read_bytes()
    assert struct.unpack(">II", png[16:24]) == (1280, 900)
    assert len(png) < MOST_BYTES
    assert rows_that_differ(png) > FEWEST_ROWS
