"""A file in pieces is the file: the same cells, notes, places and errors, wherever it is cut."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from bribeproof.errors import FileError
from bribeproof.io import chunks as module
from bribeproof.io.chunks import Chunks
from bribeproof.io.encoding import decode
from bribeproof.io.line_index import LineIndex
from bribeproof.questions import QuestionError
from tests.budgets import examples
from tests.io.csv_text import DIRTY, quoted, unquoted, walk
from tests.io.outcomes import together, whole

SIZES = st.integers(1, 40)


# Delimited text


ENCODINGS = st.sampled_from([None, None, None, "utf-16", "utf-16-le", "utf-8-sig", "utf-7", "gb18030", "cp1252"])


@settings(max_examples=examples(4))
@given(unquoted() | quoted() | DIRTY, ENCODINGS, SIZES)
@example("h,i\n\ufeffa,b\n\ufeffc,d\n", None, 1)
@example("h,i\n1,2,\n3,4,\n5,6,x\n", None, 4)
@example("h,i\n1,2,\n3,4\n", None, 1)
@example('h,i\n1,"2\n3"x\n', None, 1)
@example("\n" * 60 + "\t\n" * 60, None, 7)
@example("a;b,c\n" + "1;2\n" * 60 + "1;2;3\n", None, 3)
def test_text_is_read_as_the_whole_file_is(tmp_path: Path, text: str, encoding: str | None, size: int) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes(text.encode(encoding or "utf-8", "ignore"))
    named = None if encoding == "utf-16" else encoding
    expected = whole(path, **({"encoding": named} if named else {}))
    event("refused" if isinstance(expected, str) else "read")
    for bytes_ in {1, 2, size}:
        assert together(Chunks(path, size=bytes_, encoding=named)) == expected


@given(st.integers(2, 3), DIRTY | quoted(), SIZES)
@example(2, '1,"x\r\ny"\n\n2,3', 1)
def test_rows_are_those_of_a_walk_letter_by_letter(tmp_path: Path, width: int, below: str, size: int) -> None:
    path = tmp_path / "f.csv"
    text = ",".join("hij"[:width]) + "\n" + below.replace("\ufeff", "")
    path.write_text(text, newline="")
    records = walk(text, ",")
    found = together(Chunks(path, sep=",", size=size, header_line=1))
    event("refused" if isinstance(found, str) else "read")
    if records is None:
        assert isinstance(found, str)
        return
    if isinstance(found, tuple) and "a note below the data" in str(found[2]):
        return
    header = list("hij"[:width])
    filled = records[:1]  # and neither blank nor the header again
    filled += [one for one in records[1:] if any(map(str.strip, one[1])) and one[1] != header]
    if any(len(cells) not in (width, width + 1) for _, cells in filled):
        assert isinstance(found, str)
    elif len(filled) > 1 and all(len(cells) == width for _, cells in filled):
        assert isinstance(found, tuple)
        columns, found_rows, notes, places = found
        rows = [tuple(cell if cell.strip(" \xa0\r\n") else None for cell in cells) for _, cells in filled[1:]]
        assert (columns, found_rows) == (header, rows)
        assert places == [f"line {line}" for line, _ in filled[1:]]
        assert bool(notes) == (len(filled) < len(records))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11, 64])
@pytest.mark.parametrize(
    ("content", "rows", "places"),
    [
        ('\n a ;b\r\n1;"x\r\ny\n\nz"\r\n\r\n  \n2;\r3;4', [("1", "x\r\ny\n\nz"), ("2", None), ("3", "4")], [3, 9, 10]),
        ("a;b\r\n" + "é" * 200 + ";𝄞\r\n3;4", [("é" * 200, "𝄞"), ("3", "4")], [2, 3]),
        ('a;b\n"' + "long; " * 50 + '";2\n3;4\n', [("long; " * 50, "2"), ("3", "4")], [2, 3]),
        ("sep=;\r\na;b\r\n1;2\r\n", [("1", "2")], [3]),
        ("\ufeffa;b\r1;2\r\r\r3;4\r", [("1", "2"), ("3", "4")], [2, 5]),
        ("a;b;\n1;2;\n\n3; ;\n", [("1", "2"), ("3", None)], [2, 4]),
    ],
)  # fmt: skip
def test_worked_texts(
    tmp_path: Path, content: str, rows: list[tuple[str | None, ...]], places: list[int], size: int
) -> None:
    path = tmp_path / "f.csv"
    for encoding in ("utf-8", "utf-16"):
        path.write_bytes(content.removeprefix("\ufeff" if encoding == "utf-16" else "").encode(encoding))
        found = together(Chunks(path, size=size))
        notes = (*(["UTF-16"] if encoding == "utf-16" else []), "delimiter ';'")
        assert found == (["a", "b"], rows, notes, [f"line {line}" for line in places])


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"", "f.csv", "the file is empty"),
        (b" \r\n\t\n", "f.csv", "the file is empty"),
        (b"a,b\n", "f.csv", "there are columns but no rows"),
        (b"a,b\n1,2\n3\n" + b"1,2\n" * 50 + b"\xff", "f.csv", "line 3: 1 field where the header has 2"),
        (b"a,b\n" + b"1,2\r\n" * 300 + b"3,\xe9\n4\n", "f.csv", "line 302: byte 0xE9 is not UTF-8 text"),
        (b"a,b\n" + b"1,2\r" * 300 + b"3,\0\n4\n", "f.csv", "line 302: a zero byte"),
        ("a,b\n1,2\n".encode("utf-16-le") * 99, "f.csv", "looks like UTF-16 without a byte order mark"),
        (b'a,b\n1,2\n1,"' + b"x\n" * 300, "f.csv", 'line 3: a quote (") opens a cell here and is never closed'),
        (b"PK\x03\x04" + b"x" * 99, "f.csv", "this does not look like CSV"),
        (b'{"a": 1}\n{"a": [1]}\n{', "f.ndjson", "line 3: not valid JSON"),
        (b'{"a": 1}\n\n{"a": 1, " a": 2}\n', "f.ndjson", "more than one column is named 'a'"),
        (b"{}\n\n{}", "f.ndjson", "all records in it are empty objects"),
        (b'[{"a": 1}, 2]', "f.json", "record 2: a single value, not an object"),
        (b"PAR1PAR1", "f.parquet", "not a whole Parquet file"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: bytes, name: str, message: str, size: int) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    found = together(Chunks(path, size=size))
    assert isinstance(found, str)
    assert message in found
    assert found == whole(path)


def test_a_quote_that_is_never_closed_is_refused_before_the_end_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text('a,b\n1,"2\n' + "3,4\n" * 200_000)
    pieces = Chunks(path, size=50_000)
    read = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "first_bytes", lambda blocks, _: (b"", (read.append(1) or block for block in blocks)))  # type: ignore[func-returns-value]
        with pytest.raises(FileError, match="line 2: a cell of more than 131072 characters"):
            next(pieces)
    assert len(read) < 6


@settings(max_examples=examples(4))
@given(
    st.text(st.sampled_from("aé\r\n\u3042𝄞+-~{\\\ufeff"), min_size=1),
    st.sampled_from(["utf-8", "utf-16", "utf-32-be", "utf-7", "gb18030", "shift_jis", "iso2022_jp", "hz", "euc_kr"]),
    st.none() | st.tuples(st.integers(0, 30), st.sampled_from([0, 0x81, 0xE9, 0xFF, 0x1B, 0xD8])),
    st.integers(1, 5),
)
@example("\\あ\\\\\\\\あ", "iso2022_jp", (8, 0), 1)
def test_text_is_decoded_alike_wherever_it_is_cut(
    text: str, codec: str, spoilt: tuple[int, int] | None, size: int
) -> None:
    raw = bytearray(text.encode(codec, "ignore"))
    if spoilt and raw:
        raw[spoilt[0] % len(raw)] = spoilt[1]
    results: list[tuple[bytes, object]] = []
    for step in (size, 1000):
        blocks = [bytes(raw[at : at + step]) for at in range(0, len(raw), step)]
        taken: list[bytes] = []
        try:
            decoded, notes = decode(blocks, "f", codec)
            taken.extend(decoded)
            results.append((b"".join(taken), notes))
        except (FileError, QuestionError) as error:
            results.append((b"", str(error)))
        assert not any(block.endswith(b"\r") and later.startswith(b"\n") for block, later in zip(taken, taken[1:]))  # noqa: B905, RUF007
        assert all(block.decode() for block in taken)
    assert results[0] == results[1]
    event("refused" if isinstance(results[0][1], str) else "read")
    if not isinstance(results[0][1], str):
        assert results[0][0].decode().strip("\ufeff") == bytes(raw).decode(codec).strip("\ufeff")


# NDJSON and JSON


VALUES = st.sampled_from(['"x"', '""', '" "', '"é"', '"\\u00e9\\""', "1", "-0", "1.50", "1E+5", "null", "NaN", "true"])


@st.composite
def ndjson(draw: st.DrawFn) -> str:
    """Lines of objects, mostly alike, with the odd blank, broken or different one."""
    keys = draw(st.lists(st.sampled_from(['"a"', '"b"', '"é.("', '"\\u00e9"', '"c d"']), min_size=1, unique=True))
    lines = []
    for _ in range(draw(st.integers(1, 8))):
        some = draw(st.sampled_from([keys, keys, keys, keys[1:], ['"new"', *keys]]))
        colon, comma = draw(st.sampled_from([(":", ","), (": ", ", "), ("\t:", " ,")]))
        lines.append("{" + comma.join(key + colon + draw(VALUES) for key in some) + "}")
    odd = st.sampled_from(["", " ", "\u3000", "{}", '{"z": 1}', '{"a": {}}', "[1]", '{"a": "\t"}', '{" a": 1}'])
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        lines.insert(draw(st.integers(0, len(lines))), draw(odd))
    return "".join(line + draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])) for line in lines)


@given(ndjson(), SIZES)
@example('{}\n{"a": 1}\n{"b": 2, "a": "x"}\n', 1)
@example('{"a": 1}\n{"a": 1, "a": 2}\n', 1)
def test_ndjson_is_read_as_the_json_module_reads_it(tmp_path: Path, text: str, size: int) -> None:
    path = tmp_path / "f.ndjson"
    path.write_text(text, newline="")
    expected = whole(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bribeproof.io.json_reader._FEW_LINES", 0)  # the lines that are alike at once
        assert whole(path) == expected
        assert together(Chunks(path, size=size)) == expected
    event("refused" if isinstance(expected, str) else "read")
    if isinstance(expected, str):
        return
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    records = {
        place: json.loads(line, parse_int=str, parse_float=str, parse_constant=lambda _: None)
        for place, line in enumerate(lines, start=1)
        if line.strip()
    }
    keys = list(dict.fromkeys(key for record in records.values() for key in record))
    objects = {key for record in records.values() for key in record if isinstance(record[key], dict)}

    def cell(key: str, value: Any) -> object:
        if key in objects:
            text = json.dumps(value) if isinstance(value, dict) else cell("", value)
            return None if text is None else {"json": text}
        return json.dumps(value) if isinstance(value, bool) else (value and value.strip() and value) or None

    assert expected == (
        [unicodedata.normalize("NFC", key.strip()) for key in keys],
        [tuple(cell(key, record.get(key)) for key in keys) for record in records.values()],
        (),
        [f"line {place}" for place in records],
    )


def test_a_later_piece_brings_a_new_column(tmp_path: Path) -> None:
    path = tmp_path / "f.ndjson"
    path.write_text('{}\n{"a": 1}\n{"b": 2}\n')
    found = [(piece.first_row, piece.frame.to_dict(as_series=False)) for piece in Chunks(path, size=1)]
    assert found == [(0, {"a": [None, "1"]}), (2, {"a": [None], "b": ["2"]})]


# Places


@given(st.lists(st.lists(st.integers(1, 3), max_size=5) | st.integers(0, 5)))
def test_places_are_those_that_were_given(parts: list[list[int] | int]) -> None:
    places, lines, line = LineIndex("record"), list[int](), 1
    for part in parts:
        added = range(line + 2, line + 2 + part) if isinstance(part, int) else [line := line + step for step in part]
        line = added[-1] if added else line
        places.extend(added)
        lines.extend(added)
    assert len(places) == len(lines)
    assert [places.locate(row) for row in range(len(lines))] == [f"record {line}" for line in lines]
    for row in (-1, len(lines)):
        with pytest.raises(IndexError, match="is not among"):
            places.locate(row)
