"""Encoding, delimiter, quotes and header of delimited text."""

import codecs
import unicodedata

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from bribeproof.errors import FileError, ParameterError
from bribeproof.io.csv.dialect import DELIMITERS, read_dialect
from bribeproof.io.csv.records import Records
from bribeproof.io.encoding import count_line_ends, decode
from bribeproof.io.grid.column_names import clean_header
from bribeproof.questions import QuestionError
from tests.budgets import examples
from tests.io.csv_text import DIRTY, walk


@settings(max_examples=examples(4))
@given(DIRTY)
@example('a, "b')
@example('a,"x\ny","z')
@example('a, "b, "" ", c')
@example('"a" b')
def test_records_are_those_of_a_walk_letter_by_letter(text: str) -> None:
    expected = walk(text, ",")
    event("broken quote" if expected is None else "read")
    if expected is None:
        with pytest.raises(FileError, match=r"^f\.csv, line \d+: a quote"):
            list(Records(text.encode(), ",", "f.csv").walk())
    else:
        assert list(Records(text.encode(), ",", "f.csv").walk()) == expected


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('a,b\n1,"x\ny",\n2,"z\n3,4\n', 4, "never closed"),
        ('a,b\n1,"x\r\ny"\r\n2, "z\r3,4\r', 4, "never closed"),
        ('a,b\n1,"p\nq","z\n', 3, "never closed"),
        ('a,b\n1,2\n3,"z\n5,"w",\n', 3, "closing quote on line 4"),
        ('a,b\n1, "x"y\n', 2, "closing quote on line 2"),
        ('a,b\n1,"' + "x\n" * 70_000 + '"\n', 2, "131072"),
        ("a,b\n1," + "x" * 140_000 + "\n", 2, "131072"),
    ],
)
def test_a_broken_quote_is_named_by_the_line_where_it_opens(text: str, line: int, words: str) -> None:
    with pytest.raises(FileError, match=words) as caught:
        list(Records(text.encode(), ",", "f.csv").walk())
    assert str(caught.value).startswith(f"f.csv, line {line}: ")


def test_an_inch_mark_within_a_cell_is_text() -> None:
    assert list(Records(b'a,b\n5" nail,x"y"\n', ",", "f").walk())[1] == (2, ['5" nail', 'x"y"'])


def test_a_space_may_be_the_delimiter() -> None:
    assert list(Records(b'a "b c"\n', " ", "f").walk()) == [(1, ["a", "b c"])]


@pytest.mark.parametrize("sep", DELIMITERS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_each_delimiter_is_found_with_decimal_commas_or_points(sep: str, end: str, quote: str) -> None:
    decimal = "." if sep == "," else ","
    rows = [["skater", "j1", "j2"], ["S1", f"7{decimal}25", "6"], ["S2", "", f"6{decimal}00"]]
    text = "".join(sep.join(f"{quote}{cell}{quote}" for cell in row) + end for row in rows)
    found = read_dialect([text.encode()], "f.csv")
    assert found.sep == sep
    assert len(found.notes) == (sep != ",")


@pytest.mark.parametrize(
    ("text", "sep"),
    [
        ("comment\ngood\nbad\n", ","),  # one column
        ("Results 2024\na;b;c\n1;2;3\n", ";"),  # a title: the rows tell the delimiter
        ("a;b,c;d\n1;2;3\n", ";"),
        ("a,b,c\n1,2\n3,4,5;6\n", ","),  # ragged: the header tells it
        ("a;b;c\n1;2;3;\n4;5;6;\n", ";"),  # a delimiter at the end of the rows
        ('"a;b",c\n"1;2",3\n', ","),
        ('a, "b"\n1, "2;3"\n', ","),
        ("sep=;\na,b;c\n1,2;3\n", ";"),
        ('"sep=|"\r\na,b\r\n', "|"),
        ("a,b;c\n" + "1,2\n" * 48 + '"x\ny",3\n', ","),  # the sample ends within a quoted cell
    ],
)
def test_guess(text: str, sep: str) -> None:
    assert read_dialect([text.encode()], "f.csv").sep == sep


@pytest.mark.parametrize("text", ["a,b;c\n1,2;3\n", "a,b;c\n1,2,3;4;5\n"])
def test_two_delimiters_that_fit_are_asked_about(text: str) -> None:
    with pytest.raises(QuestionError, match=r"may be any of ',', ';'") as asked:
        read_dialect([text.encode()], "f.csv")
    assert [choice.options for choice in asked.value.choices] == [{"sep": ","}, {"sep": ";"}]
    assert read_dialect([text.encode()], "f.csv", sep=";").sep == ";"


@given(st.text(max_size=3))
@example("tab")
@example("\\t")
@example('"')
@example("é")
@example("\n")
def test_sep_is_one_ascii_character_or_the_word_tab(sep: str) -> None:
    if sep == "tab" or (len(sep) == 1 and sep.isascii() and sep not in '"\r\n\0'):
        assert read_dialect([b"a,b\n"], "f.csv", sep=sep).sep == ("\t" if sep == "tab" else sep)
    else:
        with pytest.raises(ParameterError, match="one ASCII character or the word"):
            read_dialect([b"a,b\n"], "f.csv", sep=sep)


def test_the_sep_line_still_counts() -> None:
    [part] = read_dialect([b"sep=;\r\na;b\r\n"], "f.csv").parts()
    assert next(part.walk()) == (2, ["a", "b"])


def decoded(raw: bytes, encoding: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Decode bytes that come in one block."""
    text, notes = decode([raw], "f", encoding)
    return b"".join(text).decode(), notes


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
@example("\ufeffa")
def test_text_survives_each_encoding(text: str) -> None:
    marked = {
        "utf-8": b"",
        "utf-8-sig": b"",
        "utf-16-le": codecs.BOM_UTF16_LE,
        "utf-16-be": codecs.BOM_UTF16_BE,
        "utf-32-le": codecs.BOM_UTF32_LE,
        "utf-32-be": codecs.BOM_UTF32_BE,
    }
    text = "a" + text
    for codec, mark in marked.items():
        assert decoded(mark + text.encode(codec)) == (text, (codec[:6].upper(),) if mark else ())
        assert decoded(text.encode(codec), codec) == (text, ())


@given(st.binary(max_size=40), st.sampled_from([None, "cp1252", "utf-16", "utf-7", "shift_jis"]))
def test_no_bytes_raise_anything_else(raw: bytes, encoding: str | None) -> None:
    try:
        text, _ = decoded(raw, encoding)
    except (FileError, QuestionError):
        event("refused")
    else:
        assert text.strip("\ufeff") == raw.decode(encoding or "utf-8").strip("\ufeff")


@pytest.mark.parametrize(
    ("raw", "encoding", "message"),
    [
        (b"a,b\r\n1,2\r\n3,Zo\xeb\n", None, "f, line 3: byte 0xEB is not UTF-8 text: use encoding=.cp1252. .*Zoë"),
        (b"a,b\r1,2\r3,\x81\n", "cp1252", "f, line 3: byte 0x81 is not cp1252 text"),
        ("a\u0a0a\n\U0001d11e".encode("utf-16")[:-2], None, "f, line 2: byte .* is not utf-16 text"),
        ("a,b\n1,2\n".encode("utf-16-le"), None, "encoding='utf-16-le'"),
        ("a,b\n1,2\n".encode("utf-16-be"), None, "encoding='utf-16-be'"),
        (b"a,b\n1,\0\n", None, "f, line 2: a zero byte"),
        (b"", None, "the file is empty"),
        (codecs.BOM_UTF8, None, "the file is empty"),
        (codecs.BOM_UTF16_LE, None, "the file is empty"),
        (b" \r\n\t\n", None, "the file is empty"),
    ],
)
def test_what_is_no_text_is_refused(raw: bytes, encoding: str | None, message: str) -> None:
    with pytest.raises((FileError, QuestionError), match=message):
        decoded(raw, encoding)


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "base64", "idna", "", "a\0b"])
def test_unknown_encodings_are_refused(encoding: str | None) -> None:
    if encoding:
        with pytest.raises(ParameterError, match="not a text encoding that Python knows"):
            decoded(b"a", encoding)
    else:
        assert decoded(b"a", encoding) == ("a", ())


@given(st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "é"])).map("".join))
def test_line_ends_are_counted_as_python_does(text: str) -> None:
    assert count_line_ends(text.encode()) == len((text + "x").encode().splitlines()) - 1


@given(st.lists(st.text(st.sampled_from('aeé\u0301 \xa0"\ufeff'), max_size=4)))
def test_header_names_are_trimmed_unique_and_composed(cells: list[str]) -> None:
    try:
        names = clean_header(cells, "f.csv, line 1")
    except FileError:
        bare = [unicodedata.normalize("NFC", cell.strip(' \xa0"\ufeff')) for cell in cells]
        assert not all(bare) or len(set(bare)) < len(bare)
    else:
        assert len(set(names)) == len(cells)
        for name, cell in zip(names, cells, strict=True):
            assert name
            assert name in unicodedata.normalize("NFC", cell)
            assert clean_header([name], "again") == [name]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["", "a", " "], "column 1, 3 has no name"),
        (["a", "b", ' "a"'], "more than one column is named 'a'"),
        (["caf\u00e9", "cafe\u0301"], "more than one column is named 'caf\u00e9'"),
        ([*"abcdefgh"] * 2, "'a', 'b', 'c', 'd', 'e' and 3 more"),
    ],
)
def test_header_names_that_are_empty_or_twice_are_refused(cells: list[str], message: str) -> None:
    with pytest.raises(FileError, match=message):
        clean_header(cells, "f.csv, line 1")
