"""Workbooks: which sheet, which cells, what is refused, and what is written."""

import datetime
import io
import math
import random
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bribeproof.errors import BribeproofError, FileError, ParameterError
from bribeproof.io.chunks import Chunks
from bribeproof.io.limits import Limits
from bribeproof.io.read import read_table
from bribeproof.io.write import write_table
from tests.budgets import examples
from tests.io.outcomes import together, whole

xlsxwriter = pytest.importorskip("xlsxwriter")
pytest.importorskip("python_calamine")

OLD = Path(__file__).parent / "fixtures" / "old.xls"
Grid = list[list[Any]]
HEADER = ["entry", "Anna", "Boris"]


def workbook(path: Path, sheets: dict[str, Grid], hidden: tuple[str, ...] = ()) -> Path:
    """Write rows to the sheets of a workbook; a cell may be a function of the sheet, the row and the column."""
    book = xlsxwriter.Workbook(str(path), {"strings_to_formulas": False})
    book.percent = book.add_format({"num_format": "0.0%"})
    book.date = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                if callable(cell):
                    cell(book, sheet, row, column)
                elif cell is not None:
                    sheet.write(row, column, cell)
        if name in hidden:
            sheet.hide()
    book.close()
    return path


def percent(value: float) -> Callable[..., None]:
    return lambda book, sheet, row, column: sheet.write_number(row, column, value, book.percent)


def date(value: datetime.date | datetime.time) -> Callable[..., None]:
    return lambda book, sheet, row, column: sheet.write_datetime(row, column, value, book.date)


def formula(text: str, value: object) -> Callable[..., None]:
    return lambda _, sheet, row, column: sheet.write_formula(row, column, text, None, value)


def merged(down: int, right: int, value: object) -> Callable[..., None]:
    return lambda _, sheet, row, column: sheet.merge_range(row, column, row + down, column + right, value)


def ods(content: str) -> bytes:
    """Give an .ods workbook with these tables."""
    names = {"office": "office", "table": "table", "text": "text"}
    spaces = " ".join(f'xmlns:{key}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for key, name in names.items())
    calc = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("META-INF/manifest.xml", "<manifest/>")
        file.writestr(
            "content.xml",
            f"<office:document-content {spaces} {calc}><office:body><office:spreadsheet>{content}"
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return buffer.getvalue()


def ods_cell(kind: str, text: str, more: str = "") -> str:
    return f'<table:table-cell office:value-type="{kind}" {more}><text:p>{text}</text:p></table:table-cell>'


ODS = (
    '<table:table table:name="Marks"><table:table-row>'
    + "".join(ods_cell("string", name) for name in HEADER)
    + '</table:table-row><table:table-row table:number-rows-repeated="2">'
    + ods_cell("string", "E1")
    + ods_cell("percentage", "85%", 'office:value="0.85"')
    + ods_cell("string", "#N/A", 'office:string-value="" calcext:value-type="error"')
    + '</table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell '
    'table:number-columns-repeated="16384"/></table:table-row></table:table>'
)


def refused(path: Path, **options: Any) -> str:
    """Give the message with which a file is refused."""
    with pytest.raises(BribeproofError) as caught:
        read_table(path, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(path), path.name)


CELLS = {
    "whole": (7.0, "7"),
    "decimal": (7.25, "7.25"),
    "binary error": (0.1 + 0.2, "0.3"),
    "text": ("007", "007"),
    "text of an equation": ("=1+1", "=1+1"),
    "yes": (True, "TRUE"),
    "share": (percent(0.855), "85.5%"),
    "all": (percent(1), "100%"),
    "day": (date(datetime.date(2024, 5, 5)), "2024-05-05"),
    "moment": (date(datetime.datetime(2024, 5, 5, 12, 30)), "2024-05-05 12:30:00"),  # noqa: DTZ001
    "calculated": (formula("=3+4", 7), "7"),
    "not available": (formula("=NA()", "#N/A"), "#N/A"),
    "by zero": (formula("=1/0", "#DIV/0!"), "#DIV/0!"),
    "empty": (None, None),
    "blank": ("  ", None),
}


@pytest.mark.parametrize(("cell", "text"), CELLS.values(), ids=CELLS)
def test_a_cell_is_read_as_its_sheet_shows_it(tmp_path: Path, cell: Any, text: str | None) -> None:
    path = workbook(tmp_path / "m.xlsx", {"S": [HEADER, ["E1", 1, 2], ["E2", cell, 3]]})
    assert read_table(path).frame.rows() == [("E1", "1", "2"), ("E2", text, "3")]


def test_numbers_beside_texts_with_a_decimal_comma_are_numbers(tmp_path: Path) -> None:
    rows: Grid = [HEADER, ["Lark", "7,25", 7.5], ["Moth", 8, "6,5"], ["Newt", percent(0.125), "x"]]
    table = read_table(workbook(tmp_path / "a.xlsx", {"Day": rows}))
    assert table.frame.rows() == [("Lark", "7,25", "7,5"), ("Moth", "8", "6,5"), ("Newt", "12,5%", "x")]
    assert table.notes == ("numbers are read with a decimal comma, as it stands in texts such as '7,25'",)
    for cell in ("1,250", "a,5", "7.25"):
        plain = read_table(workbook(tmp_path / "b.xlsx", {"Day": [HEADER, ["Lark", cell, 7.5]]}))
        assert plain.frame.rows() == [("Lark", cell, "7.5")]


@pytest.mark.parametrize("value", [b"", b"<v/>", b"<v></v>", b"<v />"])
def test_a_formula_that_was_never_calculated_is_not_empty(tmp_path: Path, value: bytes) -> None:
    good = workbook(tmp_path / "g.xlsx", {"S": [HEADER, ["E1", 1, formula("=3+4", 99)]]})
    with zipfile.ZipFile(good) as old, zipfile.ZipFile(tmp_path / "m.xlsx", "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"<v>99</v>", value))
    assert read_table(tmp_path / "m.xlsx").frame.rows() == [("E1", "1", "=3+4")]


def test_old_and_open_workbooks(tmp_path: Path) -> None:
    table = read_table(OLD)
    assert table.frame.rows() == [("E1", "7", "8.5"), ("E2", "TRUE", None)]
    assert table.notes == ("in an .xls workbook an error such as #N/A reads as an empty cell",)
    path = tmp_path / "m.ods"
    path.write_bytes(ods(ODS))
    assert read_table(path).frame.rows() == [("E1", "85%", "#N/A")] * 2
    assert read_table(path, sheet="Marks").frame.height == 2


def test_the_place_of_a_row_is_its_number_in_the_sheet(tmp_path: Path) -> None:
    rows: Grid = [[], [None, "Spring Cup"], [], [None, *HEADER], [None, "E1", 7, 8], [], [None, "E2", 5, 6]]
    rows += [[], [None, "* Chen was absent"]]
    table = read_table(workbook(tmp_path / "m.xlsx", {"S": rows}))
    assert table.frame.rows() == [("E1", "7", "8"), ("E2", "5", "6")]
    assert [table.locate(row) for row in (0, 1)] == ["row 5", "row 7"]
    assert table.notes == (
        "skipped row 2 above the header: 'Spring Cup'",
        "skipped rows 6, 8 without any text",
        "skipped row 9, a note below the data: '* Chen was absent'",
    )


def test_merged_cells(tmp_path: Path) -> None:
    rows: Grid = [
        [merged(0, 4, "Spring Cup")],
        [merged(1, 0, "Skater"), merged(0, 1, "Judge 1"), None, merged(0, 1, "Judge 2")],
        [None, "tech", "art", "tech", "art"],
        ["S1", 7, 8, 6, 5],
        ["S2", 5, 6, 7, 8],
    ]
    table = read_table(workbook(tmp_path / "m.xlsx", {"S": rows}))
    assert table.frame.columns == ["Skater", "Judge 1 tech", "Judge 1 art", "Judge 2 tech", "Judge 2 art"]
    assert table.frame.row(0) == ("S1", "7", "8", "6", "5")
    rows = [["task", "worker", "label"], [merged(2, 0, "t1"), "w1", "a"], [None, "w2", "b"], [None, "w3", "a"]]
    table = read_table(workbook(tmp_path / "v.xlsx", {"S": [*rows, ["t2", "w1", "b"]]}))
    assert table.frame["task"].to_list() == ["t1", "t1", "t1", "t2"]
    assert "a cell merged over several rows counts in each of them" in table.notes


def test_the_sheet_is_chosen_or_asked_for(tmp_path: Path) -> None:
    good: Grid = [HEADER, ["E1", 7, 8]]
    path = workbook(tmp_path / "m.xlsx", {"Notes": [], "Day 1": good, "Old": good}, hidden=("Old",))
    table = read_table(path)
    assert table.frame.height == 1
    assert table.notes == ("sheet 'Day 1', the only visible one of 3 that holds data",)
    path = workbook(tmp_path / "m.xlsx", {"Day 1": good, "2": [*good, ["E2", 5, 6]], "Judge's": [*good, *good, *good]})
    message = refused(path)
    assert message == (
        "m.xlsx: 3 sheets hold data: use sheet='Day 1' (the sheet 'Day 1': 2 rows), sheet='2' (the sheet '2': 3 rows) "
        'or sheet="Judge\'s" (the sheet "Judge\'s": 6 rows)'
    )
    assert read_table(path, sheet="Day 1").frame.height == 1
    assert read_table(path, sheet="2").frame.height == 2  # a name comes before a number
    assert read_table(path, sheet=1).frame.height == 1
    assert read_table(path, sheet="3").frame.height == 3
    for wrong in (0, 4, -1, "day 1", True, ""):
        assert "no such sheet; choose one of 'Day 1', '2'" in refused(path, sheet=wrong)
    assert "sheet 'Notes' is empty" in refused(
        workbook(tmp_path / "n.xlsx", {"Notes": [], "Day 1": good}), sheet="Notes"
    )
    assert "no visible sheet holds any data" in refused(workbook(tmp_path / "e.xlsx", {"A": [], "B": []}))
    (tmp_path / "m.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ParameterError, match="sheet does not apply to csv"):
        read_table(tmp_path / "m.csv", sheet=1)


def test_numbers_of_which_digits_are_lost_are_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "m.xlsx", {"S": [["task", "worker", "label"], ["t1", 123456789012345678, "a"]]})
    assert "sheet 'S', row 2: 1.23457e+17 is a number of which a workbook does not store all digits" in refused(path)


def test_what_is_no_whole_workbook_is_refused_in_a_sentence(tmp_path: Path) -> None:
    good = workbook(tmp_path / "good.xlsx", {"S": [HEADER, ["E1", 7, 8]]}).read_bytes()
    protected = b"\xd0\xcf\x11\xe0" + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    cases = {
        b"": "the file is empty",
        b"a,b\n1,2\n": "this does not look like XLSX: use format='csv' (it is delimited text)",
        b"<html><table>": "is no workbook",
        good[:2000]: "not a whole workbook",
        good.replace(b"xl/workbook.xml", b"xl/workbock.xml"): "no visible sheet holds any data",
        protected: "is protected with a password; save it without one",
        b"\xd0\xcf\x11\xe0" + bytes(600): "this does not look like XLSX: use format='xls' (it is an old",
    }
    path = tmp_path / "m.xlsx"
    for content, message in cases.items():
        path.write_bytes(content)
        assert refused(path).startswith(f"m.xlsx: {message}")
    path = tmp_path / "m.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600))
    assert "not a whole workbook" in refused(path)


@settings(max_examples=examples(1))
@given(st.integers(0, 10_000), st.integers(1, 30), st.sampled_from(["xlsx", "ods"]))
def test_a_damaged_workbook_is_read_or_refused(tmp_path: Path, seed: int, faults: int, kind: str) -> None:
    draw = random.Random(seed)  # noqa: S311
    if kind == "xlsx":
        content = bytearray(workbook(tmp_path / "g.xlsx", {"S": [HEADER, ["E1", 7, 8]]}).read_bytes())
    else:
        content = bytearray(
            ods(ODS)
        )  # a damaged .xls may end the process, which the command and the page guard against
    for _ in range(faults):
        content[draw.randrange(len(content))] = draw.randrange(256)
    path = tmp_path / f"m.{kind}"
    path.write_bytes(content)
    try:
        assert read_table(path).frame.height
    except BribeproofError as error:
        assert "\n" not in str(error)


def test_a_small_file_that_claims_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = workbook(tmp_path / "far.xlsx", {"S": [HEADER, ["E1", 7, 8]]})
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    sheet.write(0, 0, "a")
    sheet.write(1_048_575, 16_383, "b")
    book.close()
    begun = time.process_time()
    assert refused(path) == (
        "far.xlsx: 1,048,576 rows of 16,384 columns, more than the 134,217,728 cells that can be read; give the "
        "reports in long form, a row for each one, as CSV or Parquet"
    )
    path = tmp_path / "far.ods"
    cell = ods_cell("float", "1", 'office:value="1" table:number-columns-repeated="16384"')
    path.write_bytes(
        ods(
            '<table:table table:name="A"><table:table-row table:number-rows-repeated="1048576">'
            f"{cell}</table:table-row></table:table>"
        )
    )
    assert "1,048,576 rows of 16,384 columns, more than" in refused(path)
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/workbook.xml", b"")
    raw = path.read_bytes()
    at = raw.index(b"PK\x01\x02") + 24
    path.write_bytes(raw[:at] + b"\xff\xff\xff\xff" + raw[at + 4 :])
    assert "bomb.xlsx: " in refused(path)
    assert time.process_time() - begun < 2
    many = workbook(tmp_path / "m.xlsx", {"S": [HEADER, *[["E", 1, 2]] * 99]})
    with pytest.raises(FileError, match="100 rows of 3 columns, more than the 299 cells"):
        list(Chunks(many, limits=Limits(cells=299)))


def test_pieces_of_a_workbook_are_the_workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bribeproof.io.excel.reader._BATCH", 100)
    rows: Grid = [HEADER, *[[f"E{row}", row % 11, (row % 7) / 2] for row in range(250)]]
    path = workbook(tmp_path / "m.xlsx", {"S": rows})
    expected = whole(path)
    assert isinstance(expected, tuple)
    assert expected[1][-1] == ("E249", "7", "2")
    assert len(list(Chunks(path))) == 3
    assert together(Chunks(path)) == expected


FRAME = pl.DataFrame(
    {
        "=name": ["=1+1", "http://example.org", "7", None],
        "n": [1, 2, 9007199254740993, None],
        "x": [0.5, math.nan, math.inf, None],
        "ok": [True, False, None, True],
        "kind": pl.Series(["a", "b", "a", None], dtype=pl.Enum(["b", "a"])),
    }
)


def test_a_workbook_is_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "result.xlsx"
    write_table(FRAME, path)
    with zipfile.ZipFile(path) as file:
        sheet = file.read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert read_table(path).frame.columns == FRAME.columns
    assert read_table(path).frame.rows() == [
        ("=1+1", "1", "0.5", "TRUE", "a"),
        ("http://example.org", "2", None, "FALSE", "b"),
        ("7", "9007199254740993", "inf", None, "a"),
        (None, None, None, "TRUE", None),
    ]
    first = path.read_bytes()
    write_table(FRAME.lazy(), path, format="xlsx")
    assert path.read_bytes() == first


def test_what_no_workbook_can_hold_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "result.xlsx"
    path.write_text("old")
    cases = {
        "1,048,576 rows of 1 columns, more than the 1,048,575": pl.select(pl.repeat(1, 1_048_576).alias("n")),
        "a text of 32,768 characters": pl.DataFrame({"a": ["x" * 32_768]}),
        "xlsx cannot hold column 'a' of type List": pl.DataFrame({"a": [[1]]}),
    }
    for message, frame in cases.items():
        with pytest.raises(FileError, match=message):
            write_table(frame, path)
        assert [file.name for file in tmp_path.iterdir()] == ["result.xlsx"]
        assert path.read_text() == "old"
    for ending in ("ods", "xlsm"):
        with pytest.raises(
            FileError, match=rf"result\.{ending}: such a file can be read but not written; write \.xlsx"
        ):
            write_table(FRAME, tmp_path / f"result.{ending}")


def test_an_absent_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "python_calamine", None)
    with pytest.raises(BribeproofError, match=r"a workbook needs python-calamine 0\.9 or newer \(pip install"):
        read_table(OLD)
