"""Every doubt about a file itself is a question: each choice reads the file, in Python and pasted into the command."""

import pickle
import random
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bribeproof.io.grid.header import find_header
from bribeproof.io.grid.sheet_row import SheetRow
from bribeproof.io.read import read_table
from bribeproof.questions import Choice, QuestionError
from tests.cli.command import call

SHEET = "entry,J1,J2,J3\nE1,7.5,8,9\nE2,5,6,7.5\n"
LABELS = "task,worker,label\nt1,w1,cat\nt1,w2,cat\nt1,w3,dog\nt2,w1,dog\nt2,w2,dog\nt2,w3,cat\n"
JSON = '[{"task": "t1", "worker": "w1", "label": "a"}, {"task": "t1", "worker": "w2", "label": "b"}]'
WIDE_TITLES = {
    "a title": ("Finals,Ladies,Zurich,2024\n" + SHEET, ["2", "1"]),
    "two titles": ("Finals,Ladies,Zurich,2024\nPanel,E1,final,v2\n" + SHEET, ["3", "1"]),
    "keys and values": ("Event,Cup,Date,2024-05-05\nVenue,Oslo,Referee,Kim\n" + SHEET, ["3", "1"]),
    "a date and a time": ("2024-05-05,10:00,Zurich,v2\n" + SHEET, ["2", "1"]),
    "above numbered judges": ("Finals,Ladies,Zurich,Men\nskater,1,2,3\nA,7,8,9\nB,6,7,8\n", ["2", "1"]),
    "above labels": ("Votes,Export,May\n" + LABELS, ["2", "1"]),
    "above columns of labels": ("B,M,T,2\nitem,ann,ben,cem\ni1,a,b,a\ni2,b,b,a\ni3,a,a,a\n", ["2", "1"]),
    "all but one column": ("Finals,Ladies,Zurich\n" + SHEET, ["1-2", "2"]),
    "codes above questions": ("Q1,Q2,Q3\nWho are you?,How is A?,How is B?\nr1,7,8\nr2,5,6\n", ["2", "1", "1-2"]),
    "names above nations": (",Anna,Boris,Chen\nentry,SUI,GER,FRA\nE1,7.5,8,9\nE2,5,6,7\n", ["2", "1-2"]),
    "a list of a protocol": ("CUP 2024\nDETAILS PER SKATER\nRank Name,Start,Number\n" + SHEET, ["3-4", "4"]),
    "a wide row below titles": ("Cup,Day 1\nOslo\n" + LABELS, ["3"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), WIDE_TITLES.values(), ids=WIDE_TITLES)
def test_a_title_as_wide_as_the_header_is_asked_about(tmp_path: Path, text: str, lines: list[str]) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(text)
    with pytest.raises(QuestionError) as asked:
        read_table(path)
    assert [choice.options for choice in asked.value.choices] == [{"header_line": line} for line in lines]
    for choice in asked.value.choices:
        last = int(str(choice.options["header_line"]).rpartition("-")[2])
        table = read_table(path, **choice.options)  # type: ignore[arg-type]
        assert table.frame.height == text.count("\n") - last
        assert all(name in choice.meaning for name in table.frame.columns[:3])


@pytest.mark.parametrize("above", ["Finals 2024", "Spring Cup"])
@pytest.mark.parametrize("rows", [1, 2])
def test_a_merged_title_that_is_repeated_in_each_cell_is_skipped(tmp_path: Path, above: str, rows: int) -> None:
    path = tmp_path / "sheet.csv"
    titles = [",".join([text] * 4) for text in (above, "Judges")[:rows]]
    path.write_text("\n".join([*titles, SHEET]))
    table = read_table(path)
    assert table.frame.columns == ["entry", "J1", "J2", "J3"]
    assert table.frame.height == 2
    assert above in table.notes[0]


def workbook(path: Path) -> None:
    """Write a workbook of two sheets."""
    book = pytest.importorskip("xlsxwriter").Workbook(path)
    for name in ("Day 1", "-2"):
        for row, line in enumerate(SHEET.splitlines()):
            book.add_worksheet(name) if row == 0 else None
            book.get_worksheet_by_name(name).write_row(row, 0, line.split(","), None)
    book.close()


def put(content: bytes | str) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content if isinstance(content, bytes) else content.encode())


DOUBTS: dict[str, tuple[str, Callable[[Path], object], list[dict[str, str]]]] = {
    "header": ("f.csv", put("Finals,Ladies,Zurich,2024\n" + SHEET), [{"header_line": "2"}, {"header_line": "1"}]),
    "delimiter": ("f.csv", put("a,b;c\n1,2;3\n4,5;6\n"), [{"sep": ","}, {"sep": ";"}]),
    "western": ("f.csv", put(SHEET.replace("E1", "José").encode("cp1252")), [{"encoding": "cp1252"}]),
    "cyrillic": ("f.csv", put(SHEET.replace("E1", "Борис").encode("cp1251")), [{"encoding": "cp1251"}]),
    "japanese": ("f.csv", put(SHEET.replace("E1", "東京タワー").encode("cp932")), [{"encoding": "cp932"}]),
    "korean": ("f.csv", put(SHEET.replace("E1", "심사위원").encode("cp949")), [{"encoding": "cp949"}]),
    "greek": ("f.csv", put(SHEET.replace("E1", "Ελένη").encode("cp1253")), [{"encoding": "cp1253"}]),
    "taiwan": ("f.csv", put(SHEET.replace("E1", "評審委員").encode("big5")), [{"encoding": "big5"}]),
    "chinese": ("f.csv", put(SHEET.replace("E1", "裁判员").encode("gb18030")), [{"encoding": "gb18030"}]),
    "no mark": ("f.csv", put(SHEET.encode("utf-16-le")), [{"encoding": "utf-16-le"}]),
    "JSON called CSV": ("f.csv", put(JSON), [{"format": "json"}]),
    "NDJSON called JSON": ("f.json", put(JSON[1:-1].replace("}, {", "}\n{")), [{"format": "ndjson"}]),
    "JSON called NDJSON": ("f.ndjson", put(JSON), [{"format": "json"}]),
    "text called Parquet": ("f.parquet", put(SHEET), [{"format": "csv"}]),
    "text called a workbook": ("f.xlsx", put(SHEET), [{"format": "csv"}]),
    "a workbook called CSV": ("f.csv", workbook, [{"format": "xlsx"}]),
    "sheets": ("f.xlsx", workbook, [{"sheet": "Day 1"}, {"sheet": "-2"}]),
}


@pytest.mark.parametrize(("name", "write", "options"), DOUBTS.values(), ids=DOUBTS)
def test_each_doubt_offers_the_right_option(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    write: Callable[[Path], object],
    options: Sequence[dict[str, str]],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path(name))
    with pytest.raises(QuestionError) as asked:
        read_table(name)
    offered: list[object] = [dict(choice.options) for choice in asked.value.choices]
    assert all(one in offered for one in options)
    sent = pickle.loads(pickle.dumps(asked.value))  # noqa: S301
    assert (sent.question, sent.choices, sent.rows) == (asked.value.question, asked.value.choices, asked.value.rows)
    said = call("read", name).refused()
    commands = [shlex.split(line) for line in said.splitlines() if line.startswith("     bribeproof ")]
    assert len(commands) == len(offered)
    command = commands[offered.index(options[0])]
    answered = call(*command[1:])
    assert "byte 0x" not in answered.err
    assert options[0] not in [dict(choice.options) for choice in asked_again(name, options[0])]


def asked_again(name: str, options: Mapping[str, Any]) -> Iterator[Choice]:
    """Yield the choices of a question that remains."""
    try:
        read_table(name, **options)
    except QuestionError as error:
        yield from error.choices


def random_sheets(draw: random.Random, count: int) -> Iterator[list[list[str]]]:
    """Yield honest sheets: votes in long and in wide form, scores with absences, gold items."""
    for _ in range(count):
        items, people, classes = draw.randint(2, 12), draw.randint(2, 8), draw.randint(2, 6)
        label = partial(draw.choice, [f"c{one}" for one in range(classes)])
        long = [[f"t{t}", f"w{w}", label()] for t in range(items) for w in range(people) if draw.random() < 0.8]
        yield [["task", "worker", "label"], *long]
        yield [["task", "worker", "label"], *draw.sample(long, len(long))]
        judges = ["entry", *(f"j{w}" for w in range(people))]
        yield [judges, *([f"t{t}", *(label() for _ in range(people))] for t in range(items))]
        marks = partial(draw.choice, [*map(str, range(11)), *map(str, range(11)), "", "DNS", "n/a"])
        yield [judges, *([f"t{t}", *(marks() for _ in range(people))] for t in range(items))]
        yield [["task", "truth"], *([f"t{t}", label()] for t in range(items))]


def test_honest_sheets_are_read_from_their_first_line() -> None:
    asked = 0
    for cells in random_sheets(random.Random(7), 400):  # noqa: S311
        try:
            header = find_header([SheetRow(line, row) for line, row in enumerate(cells, start=1)], "sheet.csv")
        except QuestionError:
            asked += 1
        else:
            assert header.names == cells[0]
    assert asked <= 4  # of 2,000
