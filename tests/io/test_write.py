"""Writing tables: whole or not at all, back as they were, and harmless in a spreadsheet."""

import datetime
import json
import math
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bribeproof.errors import FileError, ParameterError
from bribeproof.io.formats import FORMATS, is_read_only
from bribeproof.io.read import read_table
from bribeproof.io.write import neutralise, to_records, write_table
from tests.budgets import examples

ENDINGS = [ending for ending, kind in FORMATS.items() if not is_read_only(f"f{ending}", kind)]
FRAME = pl.DataFrame({"task": ["t1", "t2"], "share": [0.5, None]})
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6) | st.text(
    st.sampled_from("=+-@1.,;'\"\t\r\n \xa0\uff1d\uff0b\uff0d\uff20eé|"), max_size=6
)


def left_behind(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_is_read_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"f{ending}"
    write_table(FRAME, path)
    found = read_table(path).frame
    assert found.select("task", pl.col("share").cast(pl.Float64)).equals(FRAME)
    assert left_behind(tmp_path) == [path.name]


@settings(max_examples=examples(4))
@given(
    st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[st.none() | TEXT] * width), min_size=1, max_size=5)),
    st.sampled_from([".csv", ".tsv", ".ndjson", ".json"]),
)
@example([("a\rb", None), ("\n", '"')], ".csv")
@example([(None,), ("",), (" ",), ("x",)], ".csv")
def test_text_is_read_back(tmp_path: Path, rows: list[tuple[str | None, ...]], ending: str) -> None:
    path = tmp_path / f"f{ending}"
    names = ["a;b", "c\td", 'e"f'][: len(rows[0])]
    if len(names) > 2:  # a row with a single cell at the end of a sheet may be a note
        rows = [row for row in rows if sum(bool(neutralise(text or "").strip()) for text in row) != 1]
    write_table(pl.DataFrame(rows, dict.fromkeys(names, pl.String), orient="row"), path)
    if ending in (".csv", ".tsv") and len(names) > 1:
        rows = [row for row in rows if any(neutralise(text or "").strip() for text in row)]  # blank rows are skipped
    if not rows:
        return
    options: dict[str, dict[str, Any]] = {".csv": {"sep": ",", "header_line": "1"}, ".tsv": {"header_line": "1"}}
    table = read_table(path, **options.get(ending, {}))
    assert table.frame.columns == names
    for found, row in zip(table.frame.rows(), rows, strict=True):
        for cell, text in zip(found, row, strict=True):
            written = neutralise(text) if text and ending in (".csv", ".tsv") else text
            assert cell == written or (cell is None and not (text or "").strip())


def test_bytes_of_a_csv(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "=name": ["=1+1", None, "-3.5", "Zoë"],
            "^.*$": pl.Series(["@x", "lo", None, "lo"], dtype=pl.Enum(["lo", "@x"])),
            "n": [-1, 2, None, 9007199254740993],
            "x": [-0.5, math.nan, math.inf, None],
            "ok": [True, False, None, True],
            "-1": pl.Series(["+a", "+2", "a,b", "\ta"], dtype=pl.Categorical),
        }
    )
    write_table(frame, tmp_path / "f.csv")
    assert (tmp_path / "f.csv").read_bytes().decode() == (
        "'=name,^.*$,n,x,ok,-1\n"
        "'=1+1,'@x,-1,-0.5,true,'+a\n"
        ",lo,2,,false,+2\n"
        '-3.5,,,inf,,"a,b"\n'
        "Zoë,lo,9007199254740993,,true,'\ta\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\t=1"),
        ("\rx", "'\rx"),
        ("\nx", "'\nx"),
        (" =1", "' =1"),
        ("\xa0=1", "'\xa0=1"),
        ("\uff1d1", "'\uff1d1"),
        ("\uff0d1", "'\uff0d1"),
        ("-1\n=1", "'-1\n=1"),
        ("-1\n", "'-1\n"),
        ("-", "'-"),
        *((text, text) for text in ["", "-1", "-3.5", "+2", "-.5", "-3,5", "+1e-5", "cat", "a=b", "7-", "'=1"]),
    ],
)
def test_neutralise(text: str, expected: str) -> None:
    assert neutralise(text) == expected


@settings(max_examples=examples(4))
@given(st.lists(TEXT, min_size=1))
@example(["\x1c=", "\x85=", "\u2028=", "\u0661", "-\u0661", "-1\n", "\v=1", "\uff0b"])
def test_columns_are_neutralised_as_single_texts_are(tmp_path: Path, texts: list[str]) -> None:
    path = tmp_path / "f.csv"
    write_table(pl.DataFrame({"a": texts, "b": "x"}), path)
    for cell, text in zip(read_table(path, sep=",").frame["a"], texts, strict=True):
        assert (cell or "").strip() == neutralise(text).strip()


@given(TEXT)
def test_what_a_spreadsheet_runs_is_a_number_at_most(text: str) -> None:
    safe = neutralise(text)
    assert safe in (text, "'" + text)
    assert neutralise(safe) == safe
    if safe.strip()[:1] in tuple("=+-@\uff1d\uff0b\uff0d\uff20") or safe[:1] in tuple("\t\r\n"):
        assert math.isfinite(float(safe.replace(",", "."))) or "e" in safe.lower()


@given(st.lists(st.floats() | st.none()))
@example([math.nan, math.inf, -math.inf, -0.0, 5e-324])
def test_records_are_valid_json(values: list[float | None]) -> None:
    records = to_records(pl.DataFrame({"x": pl.Series(values, dtype=pl.Float64)}))
    finite = [{"x": value if value is not None and math.isfinite(value) else None} for value in values]
    assert json.loads(json.dumps(records, allow_nan=False)) == finite


def test_records_within_lists_and_structures() -> None:
    frame = pl.DataFrame({"a": [[1.0, math.nan]], "b": [{"c": math.inf, "d": "x"}], "e": [7]})
    assert to_records(frame) == [{"a": [1.0, None], "b": {"c": None, "d": "x"}, "e": 7}]


@pytest.mark.parametrize("ending", [".json", ".ndjson"])
def test_json_has_null_for_what_it_cannot_say(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"f{ending}"
    write_table(pl.DataFrame({"x": [math.nan, math.inf, None, 0.1], "y": ["=1", None, "NaN", "é"]}), path)

    def refuse(word: str) -> NoReturn:
        raise AssertionError(word)

    text = path.read_text(encoding="utf-8")
    lines = [text] if ending == ".json" else text.splitlines()
    parsed = [json.loads(line, parse_constant=refuse) for line in lines]
    records = parsed[0] if ending == ".json" else parsed
    assert [record["x"] for record in records] == [None, None, None, 0.1]
    assert [record["y"] for record in records] == ["=1", None, "NaN", "é"]


def test_parquet_keeps_types_and_categories(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "label": pl.Series(["hi", None, "lo"], dtype=pl.Enum(["lo", "mid", "hi"])),
            "n": pl.Series([1, None, 255], dtype=pl.UInt8),
            "x": [math.nan, None, 1.5],
            "day": [datetime.date(2026, 2, 13)] * 3,
            "=a": ["=1", "", None],
        }
    )
    write_table(frame, tmp_path / "f.parquet")
    found = pl.read_parquet(tmp_path / "f.parquet")
    assert found.schema == frame.schema
    assert found.equals(frame)
    assert found["label"].to_physical().to_list() == [2, None, 0]


# Whole or not at all


@pytest.mark.parametrize("error", [RuntimeError("broken"), OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("before", [None, "old"])
@pytest.mark.parametrize("ending", [".csv", ".parquet", ".json"])
def test_a_failing_writer_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, before: str | None, ending: str
) -> None:
    path = tmp_path / f"f{ending}"
    if before:
        path.write_text(before)

    def half(_frame: object, file: object, **_: object) -> NoReturn:
        file.write(b"half")  # type: ignore[attr-defined]
        raise error

    for kind, name in ((pl.LazyFrame, "sink_csv"), (pl.LazyFrame, "sink_parquet"), (pl.DataFrame, "write_json")):
        monkeypatch.setattr(kind, name, half)
    with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else FileError) as caught:
        write_table(FRAME, path)
    if isinstance(error, Exception):
        assert str(caught.value).endswith("; nothing was changed")
        assert str(path) in str(caught.value)
    assert left_behind(tmp_path) == ([path.name] if before else [])
    assert not before or path.read_text() == before


STALLED = """
import os, signal, sys, time
import polars as pl
from bribeproof.io.write import write_table

def stall(_):
    print("written", flush=True)
    for _ in range(600):
        time.sleep(0.1)  # a signal between two of Python's looks for one and a system call does not end that call

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has its background jobs ignore it
os.fsync = stall
write_table(pl.DataFrame({"task": ["t1"] * 1000}), sys.argv[1])
"""


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("before", [None, "old"])
def test_a_killed_writer_changes_nothing(tmp_path: Path, kind: signal.Signals, before: str | None) -> None:
    path = tmp_path / "f.csv"
    if before:
        path.write_text(before)
    with subprocess.Popen(
        [sys.executable, "-c", STALLED, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout
        assert child.stdout.readline() == b"written\n"
        child.send_signal(kind)
        assert child.wait() != 0
    assert (path.read_text() if path.exists() else None) == before
    if kind == signal.SIGINT:
        assert left_behind(tmp_path) == ([path.name] if before else [])


BUSY = """
import sys
import polars as pl
from bribeproof.io.write import write_table

frames = [pl.DataFrame({"task": [word * 9] * 50_000}) for word in "ab"]
write_table(frames[0], sys.argv[1])
print("started", flush=True)
while True:
    for frame in frames:
        write_table(frame, sys.argv[1])
"""


@pytest.mark.slow
def test_a_file_that_is_written_over_and_over_is_whole_whenever_the_writer_dies(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    with subprocess.Popen([sys.executable, "-c", BUSY, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout
        assert child.stdout.readline() == b"started\n"
        for _ in range(10):
            frame = read_table(path).frame
            assert frame["task"].unique().to_list() in (["a" * 9], ["b" * 9])
            assert frame.height == 50_000
            time.sleep(0.02)
        child.kill()
    assert read_table(path).frame.height == 50_000


FULL = """
import resource, sys
import polars as pl
from bribeproof.io.write import write_table
from bribeproof.errors import FileError

resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
for path in sys.argv[1:]:
    try:
        write_table(pl.DataFrame({"x": pl.Series(range(100_000)).shuffle(1)}), path)
    except FileError as error:
        print(error)
"""


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    paths = [tmp_path / f"f{ending}" for ending in ENDINGS]
    done = subprocess.run(
        [sys.executable, "-c", FULL, *map(str, paths)], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stderr == ""
    sentences = done.stdout.splitlines()
    assert len(sentences) == len(paths)
    for path, sentence in zip(paths, sentences, strict=True):
        assert sentence.startswith(f"{path}: cannot be written")
        assert "File too large" in sentence
    assert left_behind(tmp_path) == []


def as_nobody(action: Callable[[], None]) -> None:
    """Run without the rights of an administrator."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        action()
    finally:
        os.seteuid(user)


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "file").write_text("")

    def refuse(path: Path | str, words: str) -> None:
        with pytest.raises(FileError, match=words):
            write_table(FRAME, path)

    as_nobody(lambda: refuse(closed / "f.csv", r"cannot be written \(Permission denied\)"))
    refuse(tmp_path / "none" / "f.csv", "No such file or directory")
    refuse(tmp_path / "file" / "f.csv", "Not a directory")
    refuse(tmp_path / "folder.csv", "it is no ordinary file")
    refuse("a\0.csv", "cannot be written as csv")
    refuse("f.docx", "the ending '.docx' is unknown")
    with pytest.raises(FileError, match="it is no ordinary file"):
        write_table(FRAME, "/dev/null", format="csv")
    with pytest.raises(ParameterError, match="format='docx' is unknown"):
        write_table(FRAME, "f.csv", format="docx")


@pytest.mark.parametrize(
    ("column", "name", "words"),
    [
        ([[1]], "f.csv", r"csv cannot hold column 'x' of type List\(Int64\); drop it or write Parquet"),
        ([{"a": 1}], "f.tsv", "tsv cannot hold column 'x' of type Struct"),
        ([b"1"], "f.json", "json cannot hold column 'x' of type Binary"),
        ([datetime.timedelta(1)], "f.csv", "cannot be written as csv"),
    ],
)
def test_types_that_a_format_cannot_hold(tmp_path: Path, column: list[object], name: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        write_table(pl.DataFrame({"x": column}), tmp_path / name)
    assert left_behind(tmp_path) == []


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    fresh, target, link = tmp_path / "fresh.csv", tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    plain = stat.S_IMODE(target.stat().st_mode)
    target.chmod(0o640)
    link.symlink_to(target)
    write_table(FRAME, link)
    write_table(FRAME, fresh)
    assert link.is_symlink()
    assert target.read_text() == fresh.read_text() == "task,share\nt1,0.5\nt2,\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert stat.S_IMODE(fresh.stat().st_mode) == plain


def test_a_file_that_somebody_removes_meanwhile_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (target := tmp_path / "f.csv").write_text("old")
    copymode = shutil.copymode

    def removed(source: Path, to: Path) -> None:
        source.unlink()
        copymode(source, to)

    monkeypatch.setattr(shutil, "copymode", removed)
    write_table(FRAME, target)
    assert target.read_text() == "task,share\nt1,0.5\nt2,\n"
    assert left_behind(tmp_path) == [target.name]
