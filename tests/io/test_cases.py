"""Small files that naive tools get wrong (S01 to S33): the cases that hang on the bytes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.frames.inputs import check, rows

ReadBytes = Callable[..., Any]


@pytest.fixture
def read_bytes(tmp_path: Path) -> ReadBytes:
    """Writes the bytes to a file and reads it."""

    def read(content: bytes | str, **options: Any) -> Any:
        path = tmp_path / "reports.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return bp.read_table(path, **options)

    return read


LABELS = {
    "S01": ("task,worker,label\nq1,j1,pass\nq1,j2,\nq1,j3,fail\n", {"n": 3, "m": 2, "decision": None}),
    "S09": (b'\xef\xbb\xbf"task", worker , label\nt1, w1, cat\n', {"n": 1, "m": 1, "share_cat": 1.0}),
    "S12": (
        "task,worker,label\r\nt1,w1,cat\r\nt1,w2, cat\r\nt1,w3,cat \r\nt1,w4,dog\r\nt1,w5,dog",
        {"n": 5, "m": 5, "decision": "cat", "share_cat": 3 / 5, "share_dog": 2 / 5, "flips_needed": 1},
    ),
    "S25": ("task,worker,label\rt1,w1,cat\rt1,w2,cat\rt1,w3,dog\r", {"n": 3, "m": 3, "decision": "cat"}),
    "quotes": ('task,worker,label\nt1,w1,"a, b"\nt1,"w,2","a, b"\n', {"n": 2, "m": 2, "decision": "a, b"}),
    "doubled quotes": ('task,worker,label\nt1,w1,"""a"""\nt1,w2,"""a"""\n', {"m": 2, "decision": '"a"'}),
    "lines in a cell": ('task,worker,label\nt1,w1,"a\nb"\nt1,w2,"a\nb"\n', {"m": 2, "decision": "a\nb"}),
    "semicolons": ("task;worker;label\nt1;w1;a,1\nt1;w2;a,1\n", {"n": 2, "decision": "a,1"}),
    "tabs": ("task\tworker\tlabel\nt1\tw1\ta\nt1\tw2\ta\n", {"n": 2, "decision": "a"}),
    "named utf-16": ("task,worker,label\nt1,é,è\n".encode("utf-16"), {"n": 1, "decision": "è"}),
    "blank last lines": ("task,worker,label\nt1,w1,a\n\n\n", {"n": 1, "m": 1, "decision": "a"}),
}  # fmt: skip


@pytest.mark.parametrize(("content", "expected"), LABELS.values(), ids=LABELS)
def test_labels(read_bytes: ReadBytes, content: bytes | str, expected: dict[str, Any]) -> None:
    found = bp.aggregate_labels(read_bytes(content), k=0)
    assert isinstance(found, pl.DataFrame)
    check(found, [{"task": "q1" if "q1" in str(content) else "t1", **expected}])


SHEETS = {
    "S23": ("skater;j1;j2;j3\nS1;7,25;7,50;9,75\nS2;6,00;6,25;6,50\n", {"S1": 7.5, "S2": 6.25}),
    "S24": ("entry,anna,boris,chen\nE1,7,8,9,\nE2,5,6,7,\n", {"E1": 8.0, "E2": 6.0}),
    "S26": ("entry,j1,j2,j3,average\n101,7,8,9,8\n102,4,5,9,6\n", {"101": 8.0, "102": 5.0}),
    "one blank": ("entry,j1,j2,j3\nE1,7,8,9\nE2,5, ,7\n", {"E1": 8.0, "E2": None}),
}


@pytest.mark.parametrize(("content", "expected"), SHEETS.values(), ids=SHEETS)
def test_scores(read_bytes: ReadBytes, content: str, expected: dict[str, float | None]) -> None:
    item, *judges = content.splitlines()[0].replace(";", ",").split(",")[:4]
    found = bp.aggregate_scores(read_bytes(content), k=1, item=item, judges=judges)
    check(found, [{item: name, "n": 3, "estimate": estimate} for name, estimate in expected.items()])


@pytest.mark.filterwarnings("ignore:.*alike")
def test_item_ids_are_never_read_as_numbers(read_bytes: ReadBytes) -> None:
    table = read_bytes("entry,j1\n007,8\n7,6\n12E4,2\n120000,3\n")
    found = rows(bp.aggregate_scores(table, k=0, item="entry", judges=["j1"]))
    assert [(row["entry"], row["estimate"]) for row in found] == [("007", 8), ("7", 6), ("12E4", 2), ("120000", 3)]


def test_s08_a_missing_item_id_names_its_line(read_bytes: ReadBytes) -> None:
    long_ids = "".join(f"9007199254740993,w{i},1\n" for i in (1, 2))
    near_ids = "".join(f"9007199254740992,w{i},0\n" for i in (3, 4, 5))
    complete = f"task,worker,label\n{long_ids}{near_ids}"
    for aggregate in (bp.aggregate_labels, bp.aggregate_votes):
        check(aggregate(read_bytes(complete), k=0), [
            {"task": "9007199254740993", "n": 5, "m": 2, "decision": "1"},
            {"task": "9007199254740992", "n": 5, "m": 3, "decision": "0"},
        ])  # fmt: skip
        with pytest.raises(bp.BribeproofError, match="line 7"):
            aggregate(read_bytes(f"{complete},w6,1\n"), k=0)


def test_lines_are_counted_through_quoted_line_breaks(read_bytes: ReadBytes) -> None:
    with pytest.raises(bp.BribeproofError, match="line 4"):
        bp.aggregate_labels(read_bytes('task,worker,label\nt1,w1,"a\nb"\n,w2,c\n'), k=0)


def test_s27_words_in_score_cells(read_bytes: ReadBytes) -> None:
    table = read_bytes("entry,j1,j2,j3\nE1,85%,90%,absent\nE2,80%,70%,75%\n")
    judges = ["j1", "j2", "j3"]
    with pytest.raises(bp.BribeproofError, match=r"(?s)(?=.*E1)(?=.*j3)(?=.*absent)"):
        bp.aggregate_scores(table, k=1, item="entry", judges=judges)
    found = rows(bp.aggregate_scores(table, k=1, item="entry", judges=judges, missing=("absent",)))
    assert [row["status"] for row in found] == ["not certified", "ok"]
    assert any(found[1]["estimate"] == pytest.approx(one) for one in (75, 0.75))


EMPTY = {
    "no bytes": ("", "empty|nothing|no "),
    "a byte order mark": (b"\xef\xbb\xbf", "empty|nothing|no "),
    "header only": ("task,worker,label\n", "report|row|nothing"),
    "no score column": ("entry,worker\nE1,w1\n", r"(?s)(?=.*entry)(?=.*worker)"),
}


@pytest.mark.parametrize(("content", "words"), EMPTY.values(), ids=EMPTY)
def test_s31_nothing_to_aggregate(read_bytes: ReadBytes, content: bytes | str, words: str) -> None:
    for aggregate in (bp.aggregate_labels, bp.aggregate_votes, bp.aggregate_scores):
        with pytest.raises(bp.BribeproofError, match=words) as caught:
            aggregate(read_bytes(content), k=0)
        assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_of_our_errors(tmp_path: Path) -> None:
    with pytest.raises(bp.FileError, match=r"nowhere\.csv"):
        bp.read_table(tmp_path / "nowhere.csv")
    with pytest.raises(bp.FileError):
        bp.read_table(tmp_path)


RAGGED = {
    "too many": "task,worker,label\nt1,w1,a\nt1,w2,a,b\n",
    "too few": "task,worker,label\nt1,w1,a\nt1,w2\n",
}


@pytest.mark.parametrize("content", RAGGED.values(), ids=RAGGED)
def test_a_ragged_row_names_its_line(read_bytes: ReadBytes, content: str) -> None:
    with pytest.raises(bp.FileError, match="line 3"):
        bp.aggregate_labels(read_bytes(content), k=0)


def test_a_file_that_is_not_utf8_asks_for_its_encoding(read_bytes: ReadBytes) -> None:
    content = "task,worker,label\nt1,José,é\n".encode("cp1252")
    with pytest.raises(bp.QuestionError, match="line 2: byte 0xE9 is not UTF-8 text") as asked:
        read_bytes(content)
    assert asked.value.choices[0].meaning == "Western European (cp1252): 'José'"
    table = read_bytes(content, **asked.value.choices[0].options)
    check(bp.aggregate_labels(table, k=0), [{"task": "t1", "decision": "é"}])
    with pytest.raises(bp.BribeproofError, match="klingon"):
        read_bytes(content, encoding="klingon")


def test_a_named_separator(read_bytes: ReadBytes) -> None:
    table = read_bytes("task|worker|label\nt1|w1|a;b,c\n", sep="|")
    check(bp.aggregate_labels(table, k=0), [{"task": "t1", "decision": "a;b,c"}])


def test_two_columns_of_one_name_are_never_merged_in_silence(read_bytes: ReadBytes) -> None:
    with pytest.raises(bp.FileError, match="j1"):
        read_bytes("entry,j1,j1\nE1,7,8\n")
