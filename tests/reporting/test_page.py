"""The page: whole, harmless, the same each time."""

import re
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import FileError, ParameterError, ParameterTypeError
from tests.paths import ROOT
from tests.reporting.helpers import DATE, made

EXAMPLES = ROOT / "examples"
VOID = {"meta", "br", "hr", "img", "input", "link", "col"}
FILES = [
    pytest.param("judges.csv", {}, id="judges"),
    pytest.param("labels.csv", {"cost_per_report": 0.1}, id="labels"),
    pytest.param("screening.csv", {"truth": "truth"}, id="screening", marks=pytest.mark.slow),
]


class Tags(HTMLParser):
    """Checks that every element is closed in its order, and keeps the tags and the attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.ids: list[str] = []
        self.attributes: dict[str, set[str | None]] = {}
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.seen.add(tag)
        assert not (tag == "p" and "p" in self.open[:-1])
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value)
            if name == "id":
                self.ids.append(str(value))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(("name", "options"), FILES)
def test_a_page_is_whole_and_asks_for_nothing(name: str, options: dict[str, object]) -> None:
    page = made(EXAMPLES / name, 1, **options).to_html()
    tags = Tags(page)
    assert not tags.seen & {"script", "link", "img", "iframe", "form", "object", "embed", "base", "a"}
    assert not any(name.startswith("on") or name in ("src", "style") for name in tags.attributes)
    assert all(str(link).startswith("#") for link in tags.attributes.get("href", ()))
    assert not re.search(r"url\((?!#)|@import", page)
    assert {str(one) for one in tags.attributes["content"]} >= {
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    }
    assert len(tags.ids) == len(set(tags.ids))
    for one in tags.attributes.get("aria-labelledby", ()):
        assert one in tags.ids
    assert page.count("<h1") == 1
    assert "svg" in tags.seen


def test_a_page_is_the_same_each_time(tmp_path: Path) -> None:
    pages = [made(EXAMPLES / "votes.csv", 1) for _ in range(2)]
    assert pages[0].to_html() == pages[1].to_html()
    pages[0].save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == pages[1].to_html()
    assert pages[0].to_xlsx() == pages[1].to_xlsx()
    assert DATE.strftime("%-d %B %Y") in pages[0].to_html()


def test_names_from_the_data_are_text() -> None:
    evil = [
        "<script>alert(1)</script>",
        "</style><img src=x onerror=alert(1)>",
        "=1+1",
        "\u202eabc",
        "a\x07b",
        "& &amp;",
    ]
    rows = [
        (task, worker, evil[(place + number) % 2])
        for place, task in enumerate(evil)
        for number, worker in enumerate(evil)
    ]
    frame = pl.DataFrame(rows, schema=["<i>task</i>", "who", "what"], orient="row")
    page = made(
        frame, 1, kind="labels", item="<i>task</i>", reporter="who", value="what", title="<b>title</b>"
    ).to_html()
    tags = Tags(page)
    assert not tags.seen & {"script", "img", "i", "b"}
    assert "\u202e" not in page
    assert "\x07" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    sheet = pl.DataFrame({"entry": evil, **{f"<u>{judge}</u>": [1.0, 2, 3, 4, 5, 6 + judge] for judge in range(4)}})
    tags = Tags(made(sheet, 1, kind="scores").to_html())
    assert not tags.seen & {"script", "img", "u"}


def test_long_tables_say_how_much_is_left_out() -> None:
    rows = [(item, worker, "ab"[(item + worker) % 2]) for item in range(300) for worker in range(5)]
    page = made(pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"), 1).to_html()
    assert "and 280 more rows, which the workbook" in page
    assert page.count("<tr") < 150


def test_a_notebook_shows_it_in_a_frame_of_its_own() -> None:
    report = made(EXAMPLES / "judges.csv", 1)
    shown = report._repr_html_()
    assert shown.startswith("<iframe")
    assert 'sandbox=""' in shown
    assert "<script" not in shown
    assert "Ember is first" in shown


def test_without_matplotlib_there_are_no_pictures_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bribeproof._optional._can_import", lambda name: name != "matplotlib")
    page = made(EXAMPLES / "judges.csv", 1).to_html()
    assert "svg" not in Tags(page).seen
    assert page.count("It has no pictures: a picture needs matplotlib") == 1


def test_the_bytes_of_the_file_are_named() -> None:
    import hashlib

    path = EXAMPLES / "votes.csv"
    page = made(path, 1).to_html()
    assert hashlib.sha256(path.read_bytes()).hexdigest() in page
    assert bp.__version__ in page


def test_wrong_questions_are_refused(tmp_path: Path) -> None:
    votes, judges = EXAMPLES / "votes.csv", EXAMPLES / "judges.csv"
    with pytest.raises(ParameterError, match=r"k=3: 7 reporters are needed .* here are 5: give k=2 or less"):
        made(votes, 3)
    with pytest.raises(ParameterTypeError, match="option 'colour'"):
        made(votes, 1, colour="red")
    with pytest.raises(ParameterError, match="these are scores"):
        made(judges, 1, truth={"Aurora": 1})
    with pytest.raises(ParameterError, match="cost_per_report=-1"):
        made(votes, 1, cost_per_report=-1)
    with pytest.raises(ParameterError, match="time_limit=0"):
        made(votes, 1, time_limit=0)
    with pytest.raises(ParameterTypeError, match="date"):
        bp.report(votes, 1, date="today")  # type: ignore[arg-type]
    with pytest.raises(FileError, match=r"saved as \.html"):
        made(votes, 1).save(tmp_path / "report.pdf")
    with pytest.raises(ParameterTypeError, match="path"):
        made(votes, 1).save(3)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_one_is_taken_where_nobody_says_how_many() -> None:
    report = bp.report(EXAMPLES / "votes.csv", date=DATE)
    assert "Nobody said how many" in report.to_html()
    assert report.summary() == made(EXAMPLES / "votes.csv", 1).summary()
