"""Reading files of reports: what is read, where each row stood, and what is refused."""

import csv
import io
import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from bribeproof.errors import BribeproofError, FileError, ParameterError
from bribeproof.io.csv.cell_grid import Widths, plain_grid, record_grid
from bribeproof.io.csv.dialect import Delimited
from bribeproof.io.csv.reader import CsvReader, blank_to_null
from bribeproof.io.csv.records import Records
from bribeproof.io.formats import FORMATS, file_format
from bribeproof.io.read import Table, read_table
from bribeproof.questions import QuestionError
from tests.budgets import examples
from tests.io.csv_text import unquoted
from tests.paths import FIXTURES, SHARED

Read = Callable[..., Table]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Writes a file and reads it."""

    def write_and_read(content: bytes | str, name: str = "f.csv", **options: Any) -> Table:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_table(path, **options)

    return write_and_read


def refused(content: bytes | str, tmp_path: Path, name: str = "f.csv") -> str:
    """Give the message with which a file is refused."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises((FileError, QuestionError)) as caught:
        read_table(path)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), name)


# Delimited text


def columns_or_error(text: str) -> object:
    try:
        parts = list(CsvReader(Delimited(iter([text.encode()]), ",", "f.csv"), header_line=1))
    except FileError as error:
        return str(error)
    return [(frame.columns, frame.rows(), list(lines)) for frame, lines in parts]


def below_header(text: str) -> tuple[Records, Widths]:
    """Give the records below the header, and how wide that is."""
    records = Records(text.encode(), ",", "f.csv")
    header, *_ = records.first_rows(99)
    return records.after(header), Widths(len(header.cells))


@settings(max_examples=examples(4))
@given(unquoted(), st.sampled_from(["", "", '"a,b","c\x1f"', '"",x', '"a","b"']))
@example("h,i\na,b\n\nc,d\n", "")
@example("h,i\n,\n , \n", "")
@example("h,i\n,,\n", "")
@example("h,i\n#a,b\nNA,null\n", "")
@example("h,i\n", '"a,b",c\n"""",d')
@example("h,i\n", '""\na,b\n')
@example("h,i\n", 'a,b\n""')
@example("h,i\n", "\ufeff,b\n")
def test_the_fast_path_reads_what_the_csv_module_reads(text: str, quoted: str) -> None:
    records, widths = below_header(text + quoted)
    fast = plain_grid(records, widths)
    event(("quoted, " if quoted else "") + ("fast" if fast else "left to the csv module"))
    if fast is None:
        return
    slow = record_grid(records, widths)
    assert slow.error is None
    assert list(fast.lines) == list(slow.lines)
    cells = blank_to_null(fast.cells)
    if cells.null_count().row(0) != (cells.height,) * cells.width:  # rows of delimiters alone have no width
        assert cells.equals(blank_to_null(slow.cells))


@pytest.mark.parametrize(
    "text",
    [
        "h,i\na,b\n",
        "h,i\r\na,b\r\nc,d",
        "h,i\ra,b\r\r",
        "\n\nh,i\na,b\n\n\n",
        "h,i,\na,b,\n",
        "h,i\na,b,\nc,d,\n",
        '"h","i"\r\n"a,b",""\r\nc,"d"',
    ],
)
def test_regular_text_takes_the_fast_path(text: str) -> None:
    assert plain_grid(*below_header(text))


@settings(max_examples=examples(4))
@given(unquoted())
@example("h,i\na,b\n" + "x" * 140_000 + ",c\n")
def test_both_paths_give_the_same_columns_or_the_same_error(text: str) -> None:
    fast = columns_or_error(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bribeproof.io.csv.reader.plain_grid", lambda *_: None)
        slow = columns_or_error(text)
    assert fast == slow


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoted", [False, True])
def test_a_large_file_is_read_cell_for_cell(
    read: Read, end: str, quoted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bribeproof.io.csv.cell_grid._CHUNK", 20_000)
    draw = random.Random(7)  # noqa: S311
    cells = ["", "x", "7.50", "007", "é", " a ", "9007199254740993", "longer text " * 5]
    rows = [["i", draw.choice(cells), draw.choice(cells)] for _ in range(24_000)]
    if quoted:
        rows[12_000][1] = f'a "quoted"{end}line, and more'
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator=end).writerows([["a", "b", "c"], *rows])
    table = read(buffer.getvalue())
    assert table.frame.rows() == [tuple(cell if cell.strip() else None for cell in row) for row in rows]
    assert table.locate(12_000) == "line 12002"
    assert table.locate(12_001) == ("line 12004" if quoted else "line 12003")
    assert table.locate(23_999) == ("line 24002" if quoted else "line 24001")


def test_the_line_of_each_row_is_exact(read: Read) -> None:
    table = read('\n a , b \r\n1,"x\r\ny\n\nz"\r\n\r\n  \n2,\r3,"q"\n')
    assert table.frame.rows() == [("1", "x\r\ny\n\nz"), ("2", None), ("3", "q")]
    assert [table.locate(row) for row in range(3)] == ["line 3", "line 9", "line 10"]


@pytest.mark.parametrize(
    ("text", "columns", "first", "notes"),
    [
        ("skater;j1;j2\nS1;7,25;7,50\n", ["skater", "j1", "j2"], ("S1", "7,25", "7,50"), ("delimiter ';'",)),
        ("entry,anna,boris\nE1,7,8,\nE2,5,6,\n", ["entry", "anna", "boris"], ("E1", "7", "8"), ()),
        ("entry,anna,\nE1,7,\nE2,5, \n", ["entry", "anna"], ("E1", "7"), ()),
        ('entry,anna,"",\nE1,7,,\n', ["entry", "anna"], ("E1", "7"), ()),
        ("task,label\rt1,cat\rt2,dog\r", ["task", "label"], ("t1", "cat"), ()),
        (b'\xef\xbb\xbf"task", label \nt1, cat\n', ["task", "label"], ("t1", " cat"), ()),
        ('task, label\nt1, "a, b" \n', ["task", "label"], ("t1", "a, b"), ()),
        ("sep=;\na;b\n1;2\n", ["a", "b"], ("1", "2"), ("delimiter ';'",)),
        ("a\tb\n1\t2\n".encode("utf-16"), ["a", "b"], ("1", "2"), ("UTF-16", "delimiter tab")),
        ("a\n\u3000\nx\n", ["a"], (None,), ()),
        ("a,b\nNA,null\n", ["a", "b"], ("NA", "null"), ()),
    ],
)
def test_what_is_read(
    read: Read, text: bytes | str, columns: list[str], first: tuple[str | None, ...], notes: tuple[str, ...]
) -> None:
    table = read(text)
    assert table.frame.columns == columns
    assert table.frame.row(0) == first
    assert table.notes == notes
    assert set(table.frame.dtypes) == {pl.String}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.csv: the file is empty"),
        ("task,worker,label\n", "f.csv: there are columns but no rows"),
        ("a,b\n1,2\n3\n", "f.csv, line 3: 1 field where the header has 2"),
        ("a,b\n1,2\n3,4,5\n", "f.csv, line 3: 3 fields where the header has 2"),
        ('a,b\n"1\n1",2\n3,4,5\n', "f.csv, line 4: 3 fields where the header has 2"),
        ("a,b\n1,2,\n3,4\n", "f.csv, line 2: 3 fields where the header has 2"),
        ("a,b\n1,2,\n3,4,5\n", "f.csv, line 3: 3 fields where the header has 2"),
        ("a,b\n1,2,3\n4,5,6\n", "f.csv, line 2: 3 fields where the header has 2"),
        ("a,b\n1,2,,\n", "f.csv, line 2: 4 fields where the header has 2"),
        ("a,b,\n1,2\n", "f.csv, line 2: 2 fields where the header has 3"),
        ("a,b,\n1,2,\n3,4,x\n", "f.csv, line 3: 'x' stands in a column without a name"),
        (
            "Results\na;b\nc;d\n",
            "f.csv: the header is not certain: line 1 ('Results') may be a title: use header_line='2'",
        ),
        ("a,,b\n1,2,3\n", "f.csv, line 1: column 2 has no name"),
        ("\n\na,b, a\n1,2,3\n", "f.csv, line 3: more than one column is named 'a'"),
        (",\n1,2\n", "f.csv, line 1: column 1 has no name"),
        ("a,\n1,2\n", "f.csv, line 2: '2' stands in a column without a name"),
        ("a,a\n1,2\n3\n", "f.csv, line 1: more than one column is named 'a'"),
        (b"a,b\n1\n2,\xe9\n", "f.csv, line 3: byte 0xE9 is not UTF-8 text"),
        (b"a,b\n1\n" + b"2,3\n" * 50 + b"\xe9\n", "f.csv, line 2: 1 field where the header has 2"),
        ("a,b\n1,2,\n3,4,5\n6,7\n", "f.csv, line 3: 3 fields where the header has 2"),
        ("a,b\n1," + "x" * 140_000 + "\n", "f.csv, line 2: a cell of more than 131072 characters"),
        ('a,b\n1,"2\n', 'f.csv, line 2: a quote (") opens a cell here and is never closed'),
        (b"a,b\n1,\xe9\n", "f.csv, line 2: byte 0xE9 is not UTF-8 text"),
        (b"PK\x03\x04", "f.csv: this does not look like CSV: use format='xlsx'"),
        (b"\x1f\x8b\x08", "f.csv: this looks like a file compressed with gzip"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: bytes | str, message: str) -> None:
    assert refused(text, tmp_path).startswith(message)


def test_halfpipe_as_published() -> None:
    with pytest.raises(FileError, match=r"raw\.csv, line 9: 23 fields where the header has 24 "):
        read_table(FIXTURES / "halfpipe" / "raw.csv")


@pytest.mark.slow
def test_skating_marks() -> None:
    path = SHARED / "data" / "skating" / "judge_scores.csv"
    if not path.exists():
        pytest.skip("the shared data are not here")
    table = read_table(path)
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    assert table.frame.columns == header
    assert table.frame.rows() == [tuple(row) for row in rows]
    assert table.locate(len(rows) - 1) == f"line {len(rows) + 1}"


# JSON and NDJSON


def test_json_numbers_keep_their_digits(read: Read) -> None:
    text = '[{"task": 9007199254740993, "s": 7.50, "ok": true},\n{"z": NaN, "s": null, "task": "  ", "ok": 1E+2}]'
    table = read(text, "f.json")
    assert table.frame.columns == ["task", "s", "ok", "z"]
    assert table.frame.rows() == [("9007199254740993", "7.50", "true", None), (None, None, "1E+2", None)]
    assert table.locate(1) == "record 2"


def test_ndjson_lines(read: Read) -> None:
    table = read('\n{"a": "x\\u2028\u2028"}\r\n\n {"b": -0}', "f.jsonl")
    assert table.frame.rows() == [("x\u2028\u2028", None), (None, "-0")]
    assert [table.locate(row) for row in (0, 1)] == ["line 2", "line 4"]


KEYS = st.text(st.sampled_from("abcé"), min_size=1, max_size=2)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)


@given(st.lists(st.dictionaries(KEYS, SCALARS, min_size=1), min_size=1), st.booleans())
def test_json_values_become_the_text_of_their_json(
    tmp_path: Path, records: list[dict[str, object]], by_line: bool
) -> None:
    path = tmp_path / ("f.ndjson" if by_line else "f.json")
    path.write_text("\n".join(map(json.dumps, records)) if by_line else json.dumps(records, indent=1))
    table = read_table(path)
    assert table.frame.columns == list(dict.fromkeys(key for record in records for key in record))
    for row, record in zip(table.frame.rows(named=True), records, strict=True):
        for key, cell in row.items():
            value = record.get(key)
            written = value if value is None or isinstance(value, str) else json.dumps(value)
            assert cell == written or (cell is None and str(written).isspace()) or (cell, written) == (None, "")


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ('[{"a": 1},\n{"a": }]', "f.json", "f.json, line 2: not valid JSON (Expecting value, column 7)"),
        ('{"a": 1}\n\n{"a":', "f.ndjson", "f.ndjson, line 3: not valid JSON (Expecting value, column 6)"),
        ('{"a": 1}\n{"a": 2}', "f.json", "f.json: this does not look like JSON: use format='ndjson'"),
        ('{"a": 1} {"a": 2}\n', "f.ndjson", "f.ndjson, line 1: not valid JSON (Extra data, column 10)"),
        ('{"a": 1}', "f.json", "f.json: this is not a list of objects"),
        ("[1]", "f.json", "f.json, record 1: a single value, not an object"),
        ('[{"a": 1}]', "f.ndjson", "f.ndjson: this does not look like NDJSON: use format='json'"),
        ('[{"a": 1, "a": 1}]', "f.json", "f.json, record 1: the key 'a' appears twice"),
        ('[{"a": 1, " a": 2}]', "f.json", "f.json: more than one column is named 'a'"),
        ('[{"": 1}]', "f.json", "f.json: column 1 has no name"),
        ("[]", "f.json", "f.json: there are no records"),
        ("[{},{}]", "f.json", "f.json: all records in it are empty objects"),
        ("[" * 100_000, "f.json", "f.json, line 1: nested too deeply"),
        ('[{"a": "\\ud800"}]', "f.json", "f.json, record 1: 'a' holds half a surrogate pair"),
        ('[{"\\ud800": null}]', "f.json", "f.json, record 1: '\\ud800' holds half a surrogate pair"),
        (b'[{"a": "\xe9"}]', "f.json", "f.json, line 1: byte 0xE9 is not UTF-8"),
    ],
)
def test_json_that_is_refused(tmp_path: Path, text: bytes | str, name: str, message: str) -> None:
    assert refused(text, tmp_path, name).startswith(message)


# Parquet


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    frame = pl.DataFrame(
        {"task": ["a", ""], "score": [1.5, None], "label": pl.Series(["hi", "lo"], dtype=pl.Enum(["lo", "hi"]))}
    )
    frame.write_parquet(path)
    table = read_table(path)
    assert table.frame.equals(frame)
    assert table.frame.schema == frame.schema
    assert table.locate(1) == "row 2"
    whole = path.read_bytes()
    for cut in range(0, len(whole), 7):
        path.write_bytes(whole[:cut])
        with pytest.raises(FileError, match="not a whole Parquet file" if cut else "empty"):
            read_table(path)


def test_parquet_without_rows_is_refused(tmp_path: Path) -> None:
    pl.DataFrame({"a": []}).write_parquet(tmp_path / "f.parquet")
    with pytest.raises(FileError, match="no rows"):
        read_table(tmp_path / "f.parquet")


def test_parquet_with_two_columns_of_one_name_is_refused(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table([[1], [2]], names=["label", "label"]), tmp_path / "f.parquet")
    with pytest.raises(FileError, match="name 'label' has more than one occurrence; rename or remove one"):
        read_table(tmp_path / "f.parquet")


# Any file


@settings(max_examples=examples(4))
@given(
    st.binary(max_size=60)
    | st.text(st.sampled_from('a1,;\t|"\n\r {}[]:\\é\0\ufeff'), max_size=40).map(str.encode)
    | st.text(max_size=20).map(lambda text: text.encode("utf-16", "surrogatepass")),
    st.sampled_from([*FORMATS, ".doc", ""]),
)
def test_no_file_raises_anything_else(tmp_path: Path, raw: bytes, ending: str) -> None:
    path = tmp_path / f"f{ending}"
    path.write_bytes(raw)
    try:
        table = read_table(path)
    except BribeproofError:
        event("refused")
    else:
        event("read")
        assert table.frame.height
        assert table.locate(table.frame.height - 1)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def feed(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    feed(b"a;b\n1;2\n")
    table = read_table("-")
    assert (table.frame.row(0), table.source, table.locate(0)) == (("1", "2"), "standard input", "line 2")
    feed(b'{"a": 1}\n')
    assert read_table(Path("-"), format="ndjson").frame.rows() == [("1",)]
    feed(b"a,b\n1\n")
    with pytest.raises(FileError, match=r"^standard input, line 2: 1 field where"):
        read_table("-")


def test_formats() -> None:
    assert {ending: file_format(f"x{ending.upper()}") for ending in FORMATS} == FORMATS
    assert file_format("x.dat", "tsv") == "tsv"
    with pytest.raises(FileError, match=r"x\.dat: the ending '\.dat' is unknown; use one of \.csv, \.txt"):
        file_format("x.dat")
    with pytest.raises(ParameterError, match="format='doc' is unknown; choose one of csv, tsv, parquet"):
        file_format("x.csv", "doc")


def test_format_and_delimiter_can_be_named(read: Read) -> None:
    assert read("a|b\n1|2\n", "f.dat", format="csv").frame.columns == ["a", "b"]
    assert read("a,b\n1,2\n", "f.tsv", sep=",").frame.columns == ["a", "b"]
    assert read("a\tb,c\n1\t2,3\n", "f.tsv").frame.columns == ["a", "b,c"]
    assert read("a:b\n1:2\n", sep=":").frame.columns == ["a", "b"]
    assert read("a,Zoë\n1,2\n".encode("cp1252"), encoding="cp1252").frame.columns == ["a", "Zoë"]


def test_missing_files_folders_and_closed_doors(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"none\.csv: there is no such file$"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(FileError, match="this is a folder"):
        read_table(tmp_path)
    with pytest.raises(FileError, match="cannot be read"):
        read_table("a\0.csv")
    path = tmp_path / "closed.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # an administrator may read everything
    try:
        with pytest.raises(FileError, match=r"cannot be read \(Permission denied\)"):
            read_table(path)
    finally:
        os.seteuid(user)
