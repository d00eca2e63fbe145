"""The page of a panel as a reader finds it."""

from collections.abc import Mapping
from html.parser import HTMLParser

from starlette.testclient import TestClient

import bribeproof as bp

FRAGMENT = {"X-Fragment": "1"}
VOID = {"meta", "link", "input", "img", "br"}
LOSSES: dict[str, str | bp.theory.Loss] = {
    "squared": "squared",
    "absolute": "absolute",
    "log": "log",
    "cost": bp.theory.cost(false_positive=1, false_negative=5),
}


class PageReader(HTMLParser):
    """Reads a page strictly: what is opened is closed, in order; keeps text by id, and every id once."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, str | None]] = []
        self.texts: dict[str, str] = {}
        self.whole = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = dict(attrs).get("id")
        if name is not None:
            assert name not in self.texts, f"two elements of id {name}"
            self.texts[name] = ""
        if tag not in VOID:
            self.open.append((tag, name))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        opened, _ = self.open.pop()
        assert opened == tag, f"<{opened}> is closed by </{tag}>"

    def handle_data(self, data: str) -> None:
        self.whole += data
        for _, name in self.open:
            if name is not None:
                self.texts[name] += data


def read_page(page: str) -> PageReader:
    reader = PageReader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


SCORED = {"loss": "squared", "cost_fp": "1", "cost_fn": "5"}
"""What most tests ask for beside a panel."""


def form_of(query: Mapping[str, object]) -> dict[str, str]:
    """Return the fields of a design."""
    return SCORED | {name: str(value) for name, value in query.items()}


def ask_page(client: TestClient, **query: object) -> PageReader:
    """Return the whole page of a design that can be."""
    answer = client.get("/panel", params=form_of(query))
    assert answer.status_code == 200, answer.text
    return read_page(answer.text)


def share_of(text: str) -> float:
    """Read a share; one under 0.01 % counts as nothing."""
    figure = text.removesuffix("\N{NO-BREAK SPACE}%")
    return {"u": 0.0, "o": 1.0}.get(figure[0]) if not figure[0].isdigit() else float(figure) / 100  # type: ignore[return-value]
