"""Files that do not fit in memory: the same answers, warnings and errors as of the same rows in memory."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.frames.out_of_core import large_table as large_files
from bribeproof.frames.out_of_core import spill
from tests.aggregation.sample_tables import CONFLICT, S06, S07
from tests.budgets import examples
from tests.frames.inputs import lengthen, rows

FORMATS = ("csv", "ndjson", "parquet")
TINY: dict[str, Any] = {"in_memory": 1, "size": 64}
ITEMS = st.sampled_from([f"t{i}" for i in range(12)])
PEOPLE = st.sampled_from("abcdef")


@pytest.fixture(autouse=True)
def _many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide even small tables into many parts, files and buckets."""
    monkeypatch.setattr(large_files, "_PART", 8)
    monkeypatch.setattr(spill, "_BUFFER", 16)
    monkeypatch.setattr(spill, "_BUCKET", 3)


def write(columns: dict[str, list[Any]], path: Path) -> Path:
    frame = pl.DataFrame(columns)
    if path.suffix == ".parquet":
        frame.write_parquet(path, row_group_size=7)
    else:
        getattr(frame, f"write_{path.suffix[1:]}")(path)
    return path


def table(reports: dict[tuple[str, str], Any], name: str) -> dict[str, list[Any]]:
    return {
        "task": [item for item, _ in reports],
        "worker": [who for _, who in reports],
        name: list(reports.values()),
    }


def reports(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[tuple[str, str], Any]]:
    return st.dictionaries(st.tuples(ITEMS, PEOPLE), values, min_size=1, max_size=60)


@settings(max_examples=examples(0.25))
@given(
    reports(st.none() | st.integers(0, 40).map(lambda quarter: quarter / 4)),
    reports(st.floats(-1e6, 1e6)),
    reports(st.none() | st.integers(0, 1)),
    reports(st.none() | st.sampled_from(["cat", "dog", "eel"])),
    st.sampled_from(FORMATS),
)
def test_a_large_file_is_answered_like_a_frame(
    marks: dict[Any, Any], floats: dict[Any, Any], votes: dict[Any, Any], labels: dict[Any, Any], ending: str
) -> None:
    expert = bp.Expert(0.5, 0.8, 0.1)
    calls: list[tuple[Any, dict[str, list[Any]], dict[str, Any]]] = [
        (bp.aggregate_scores, table(marks, "score"), {"share": 0.2, "share_of": "item"}),
        (bp.aggregate_scores, table(floats, "score"), {"k": 1}),
        (bp.aggregate_votes, table(votes, "label"), {"k": 1, "expert": expert, "classes": (0, 1)}),
        (bp.aggregate_labels, table(labels, "label"), {"k": 1, "seed": 5, "ties": "random"}),
    ]
    reading: Any = {"header_line": 1} if ending == "csv" else {}  # above few reports it is a question
    with tempfile.TemporaryDirectory() as folder:
        for aggregate, columns, options in calls:
            path = write(columns, Path(folder) / f"table.{ending}")
            once = rows(aggregate(bp.read_table(path, **reading), **options))
            with bp.scan_table(path, **TINY, **reading) as large:
                assert isinstance(large, large_files.LargeTable)
                assert rows(aggregate(large, **options)) == once


WIDE = {"entry": [f"e{i}" for i in range(30)]} | {f"j{j}": [(i * j) % 7 / 2 for i in range(30)] for j in range(1, 5)}


@pytest.mark.parametrize("ending", FORMATS)
def test_wide_form(tmp_path: Path, ending: str) -> None:
    options: dict[str, Any] = {"k": 1, "item": "entry", "judges": ["j1", "j2", "j3", "j4"]}
    once = bp.aggregate_scores(pl.DataFrame(WIDE), **options)
    with bp.scan_table(write(WIDE, tmp_path / f"wide.{ending}"), **TINY) as large:
        assert rows(bp.aggregate_scores(large, **options)) == once.rows(named=True)
    assert once["estimate"].n_unique() > 4


@pytest.mark.parametrize(("reports", "rule"), [(S06, "error"), (CONFLICT, "drop"), (CONFLICT, "first"),
                                               (CONFLICT, "last"), (S07, "error")])  # fmt: skip
def test_repeats_and_lookalikes(tmp_path: Path, reports: dict[str, list[Any]], rule: str) -> None:
    many = {name: [*column, *(f"more {name} {i}" if name == "task" else "x" for i in range(40))]
            for name, column in reports.items()}  # fmt: skip
    path = write(many, tmp_path / "t.csv")
    said = []
    for source in (bp.scan_table(path), bp.scan_table(path, **TINY)):
        with source as opened:
            with pytest.warns(bp.BribeproofWarning) as caught:
                result = bp.aggregate_labels(opened, k=0, repeats=rule)
            said.append((rows(result), sorted(str(one.message) for one in caught)))
    assert said[0] == said[1]


def lines(*bad: str) -> str:
    good = [f"t{i % 20},w{i // 20},{i % 3}.5" for i in range(100)]
    for place, line in zip((90, 30), bad, strict=False):
        good[place] = line
    return "task,worker,score\n" + "\n".join(good) + "\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (lines(",w,1", ",v,2"), "line 32: the item is missing"),
        (lines("t1,,1"), "line 92: the reporter is missing"),
        (lines("t1,w,inf", "t1,v,x"), "line 32: score 'x' of reporter 'v' on item 't1' is not a number"),
        (lines("t10,w0,9"), "line 12: reporter 'w0' reports on item 't10' more than once, and not the same"),
        (lines("t10,w0"), "line 92: 2 fields where the header has 3"),
    ],
)
def test_errors_name_the_first_place_in_the_file(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "marks.csv"
    path.write_text(text)
    said = []
    for options in ({}, TINY):
        with pytest.raises(bp.BribeproofError) as caught, bp.scan_table(path, **options) as table:
            rows(bp.aggregate_scores(table, k=1))
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert words in said[0]


@pytest.mark.slow
def test_it_tells_how_far_it_is(tmp_path: Path) -> None:
    columns = {"task": [i % 200 for i in range(2000)], "worker": [i // 200 for i in range(2000)], "label": [1] * 2000}
    path = write(columns, tmp_path / "votes.csv")
    told: list[tuple[str, float | None]] = []
    with bp.scan_table(path, report=lambda *stage: told.append(stage), in_memory=1, size=4096) as large:
        bp.aggregate_votes(large, k=1)
    for stage in (f"Reading {path}", "Aggregating"):
        shares = [done or 0.0 for said, done in told if said == stage]
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
        assert len(shares) > 3


def test_a_file_can_be_aggregated_again_and_a_stream_cannot(tmp_path: Path) -> None:
    path = write(WIDE, tmp_path / "wide.csv")
    options: dict[str, Any] = {"k": 1, "item": "entry", "judges": ["j1", "j2", "j3", "j4"]}
    with bp.scan_table(path, **TINY) as large:
        assert rows(bp.aggregate_scores(large, **options)) == rows(bp.aggregate_scores(large, **options))
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    with _fed(pipe, path.read_bytes()), bp.scan_table(pipe, **TINY) as large:
        assert len(rows(bp.aggregate_scores(large, **options))) == 30
        with pytest.raises(bp.FileError, match="can be read only once"):
            bp.aggregate_scores(large, **options)


@contextmanager
def _fed(pipe: Path, content: bytes) -> Iterator[None]:
    """Write into a pipe while it is read."""
    writer = Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    yield
    writer.join()


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(WIDE, tmp_path / "wide.csv")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with bp.scan_table(path, **TINY) as large:
        bp.aggregate_scores(large, k=1, item="entry", judges=["j1", "j2", "j3", "j4"])
        assert list(temporary.iterdir())
    assert not list(temporary.iterdir())


def test_no_room_for_what_waits_is_said_plainly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(WIDE, tmp_path / "wide.csv")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_ipc", full)
    with bp.scan_table(path, **TINY) as large, pytest.raises(bp.FileError, match=r"No space left on device.*TMPDIR"):
        bp.aggregate_scores(large, k=1, item="entry", judges=["j1", "j2", "j3", "j4"])


def test_more_columns_that_are_not_asked_for_change_nothing(tmp_path: Path) -> None:
    long = lengthen({name: [None if v == 0 else v for v in column] for name, column in WIDE.items()}, "score")
    more = {"note": ["x" * 99] * len(long["worker"]), **long, "n": list(range(len(long["worker"])))}
    once = rows(bp.aggregate_scores(pl.DataFrame(long), k=1, item="entry"))
    for ending in FORMATS:
        with bp.scan_table(write(more, tmp_path / f"t.{ending}"), **TINY) as large:
            assert rows(bp.aggregate_scores(large, k=1, item="entry")) == once


@pytest.mark.slow
def test_scores_of_many_digits_far_down_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "_PART", 4096)
    monkeypatch.setattr(spill, "_BUFFER", 1 << 20)
    rng = np.random.default_rng(0)
    items = rng.permutation(np.repeat(np.arange(10_000), 3))
    marks = pl.DataFrame({"task": items, "score": np.round(rng.random(len(items)) * 90, 12)}).with_columns(
        worker=pl.int_range(pl.len()).over("task")
    )
    path = tmp_path / "marks.parquet"
    marks.write_parquet(path)
    with bp.scan_table(path, in_memory=1, size=1 << 14) as large:
        assert rows(bp.aggregate_scores(large, k=1)) == bp.aggregate_scores(marks, k=1).rows(named=True)


def test_truths_in_the_last_rows_of_a_large_file_are_read(tmp_path: Path) -> None:
    votes = {"task": [f"t{i // 3}" for i in range(30)], "worker": list("abc") * 10, "label": ["x", "x", "y"] * 10}
    path = write(votes | {"truth": [None] * 24 + ["x"] * 6}, tmp_path / "votes.csv")
    with bp.scan_table(path, **TINY) as large:
        found = bp.weigh(large, 1, truth="truth").reporters
    assert found["gold"].to_list() == [2, 2, 2]
