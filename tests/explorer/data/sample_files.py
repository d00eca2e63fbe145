"""Files for the tests of the page "Your data", and a parser of the page."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.cli.command import call
from tests.paths import FIXTURES

HALFPIPE = FIXTURES / "halfpipe" / "clean.csv"
"""The real sheet of a halfpipe final."""

SCORES = b"entry,j1,j2,j3,j4,j5\nA,9.1,9.0,9.3,8.8,9.2\nB,9.0,9.1,9.2,9.1,5.5\nC,7.5,,7.7,7.4,7.5\nD,1,2,,,\n"
VOTES = b"task,worker,vote\n" + b"".join(
    f"t{task},w{voter},{int(voter < positive)}\n".encode()
    for task, positive in enumerate((0, 1, 2, 3, 4, 5, 6))
    for voter in range(6)
)
LABELS = VOTES.replace(b",1\n", b",cat\n").replace(b",0\n", b",dog\n").replace(b"vote", b"label")


def hand_over(client: TestClient, content: bytes, name: str = "sheet.csv") -> str:
    """Upload a file; return the address that it is shown at."""
    response = client.post("/data", files={"file": (name, content)}, follow_redirects=False)
    assert response.status_code == 303, response.text
    location: str = response.headers["location"]
    return location


def aggregated(folder: Path, content: bytes, *options: str, name: str = "sheet.csv", ending: str = "csv") -> bytes:
    """Return what the command writes."""
    (folder / name).write_bytes(content)
    output = folder / f"result.{ending}"
    done = call("aggregate", folder / name, *options, "-o", output)
    assert done.status == 0, done
    return output.read_bytes()


@dataclass
class Read(HTMLParser):
    """A page as text: its tables, its paragraphs of errors and notes, its links and the values of its form."""

    html: str
    tables: dict[str, list[list[str]]] = field(default_factory=dict)
    struck: list[list[bool]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    values: dict[str, str | None] = field(default_factory=dict)
    chosen: dict[str, str | None] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self._table: list[list[str]] | None = None
        self._cell: list[str] | None = None
        self._text: list[str] | None = None
        self._select: str | None = None
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        if tag == "table":
            self._table = self.tables[given.get("class") or ""] = []
        elif tag == "tr" and self._table is not None:
            self._table.append([])
            self.struck.append([])
        elif tag in ("td", "th"):
            self._cell = []
            self.struck[-1].append(False)
        elif tag == "s" and self._cell is not None:
            self.struck[-1][-1] = True
        elif tag in ("p", "pre", "h1"):
            self._text = []
            self.texts.setdefault(given.get("id") or given.get("class") or tag, []).append("")
            self._kind = given.get("id") or given.get("class") or tag
        elif tag == "a":
            self.links.append(given.get("href") or "")
        elif tag == "input":
            self.values[given.get("name") or ""] = given.get("value")
        elif tag == "select":
            self._select = given.get("name")
        elif tag == "option" and "selected" in given:
            self.chosen[self._select or ""] = given.get("value")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None and self._table is not None:
            self._table[-1].append("".join(self._cell).strip())
            self._cell = None
        elif tag == "table":
            self._table = None
        elif tag in ("p", "pre", "h1") and self._text is not None:
            self.texts[self._kind][-1] = "".join(self._text).strip()
            self._text = None

    def handle_data(self, data: str) -> None:
        for kept in (self._cell, self._text):
            if kept is not None:
                kept.append(data)

    def column(self, table: str, heading: str) -> list[str]:
        """Return the cells below the first heading of that name."""
        rows = self.tables[table]
        place = rows[0].index(heading)
        return [row[place] for row in rows[1:]]

    @property
    def said(self) -> list[str]:
        """All paragraphs, the verdicts first."""
        return [*self.texts.get("verdict", []), *self.texts["p"]]


def read(client: TestClient, address: str, status: int = 200) -> Read:
    """Ask for a page."""
    response = client.get(address)
    assert response.status_code == status, response.text
    return Read(response.text)


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8)
marks = st.one_of(st.none(), st.integers(0, 40).map(lambda quarter: quarter / 4))


@st.composite
def wide_scores(draw: st.DrawFn) -> bytes:
    """Draw a score sheet in wide form; some marks are missing."""
    judges = draw(st.integers(1, 7))
    rows = draw(st.lists(st.lists(marks, min_size=judges, max_size=judges), min_size=1, max_size=8))
    lines = [",".join(["entry", *(f"judge_{judge}" for judge in range(judges))])]
    lines += [
        ",".join([f"E{row}", *("" if mark is None else f"{mark:g}" for mark in cells)])
        for row, cells in enumerate(rows)
    ]
    return "\n".join(lines).encode() + b"\n"
