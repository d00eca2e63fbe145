"""The built site needs no network, and every link in it leads somewhere; ``./check site`` builds it and runs this."""

import os
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

LOADING = {"script", "link", "img", "iframe", "source", "object"}
"""Elements whose address the browser loads by itself."""


class Page(HTMLParser):
    """The addresses and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src", "data") and value and not (tag == "link" and ("rel", "canonical") in attrs):
                self.links.append((tag, value))
            if name in ("id", "name") and value:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def pages() -> dict[Path, Page]:
    """All pages of the built site."""
    if "SITE" not in os.environ:
        pytest.skip("SITE does not name the folder of the built site; ./check site builds it and runs this")
    site = Path(os.environ["SITE"]).resolve()
    found = {
        path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if "_static" not in path.parts
    }
    assert len(found) > 100
    return found


def addresses(pages: dict[Path, Page]) -> Iterator[tuple[Path, str, str]]:
    for path, page in pages.items():
        for tag, link in page.links:
            yield path, tag, link


def test_no_page_loads_anything_from_the_network(pages: dict[Path, Page]) -> None:
    loaded = {
        f"{path.name}: {link}"
        for path, tag, link in addresses(pages)
        if tag in LOADING and urlsplit(link).scheme in ("http", "https")
    }
    assert sorted(loaded) == []


def test_every_link_leads_to_a_file_and_an_anchor(pages: dict[Path, Page]) -> None:
    broken = set()
    for path, _, link in addresses(pages):
        parts = urlsplit(link)
        if parts.scheme or link.startswith("//"):
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        anchor = unquote(parts.fragment)
        if not target.exists() or (anchor and target in pages and anchor not in pages[target].anchors):
            broken.add(f"{path.name}: {link}")
    assert sorted(broken) == []
