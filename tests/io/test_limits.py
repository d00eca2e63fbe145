"""Files that are small and claim much: each is read in proportion to its size, or refused before it is."""

import json
import time
from pathlib import Path

import polars as pl
import pytest

from bribeproof.errors import FileError
from bribeproof.io.chunks import SIZE, Chunks
from bribeproof.io.limits import Limits
from bribeproof.io.read import read_table


def refused(path: Path, limits: Limits, size: int = SIZE) -> str:
    """Return why a file is not read."""
    with pytest.raises(FileError) as error:
        list(Chunks(path, limits=limits, size=size))
    return str(error.value)


def test_equal_rows_are_counted_before_they_are_read(tmp_path: Path) -> None:
    rows = 30_000_000
    path = tmp_path / "equal.parquet"
    pl.select(pl.repeat(1, rows, dtype=pl.Int8).alias(name) for name in ("task", "label")).write_parquet(path)
    assert path.stat().st_size < 200_000
    begun = time.process_time()
    assert "equal.parquet: 30,000,000 rows of 2 columns, more than" in refused(path, Limits(cells=1_000_000))
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "ndjson", "parquet"])
def test_the_largest_table_is_read_and_no_larger_one(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame({"task": map(str, range(500)), "label": ["a"] * 500})
    path = tmp_path / f"votes.{ending}"
    if ending == "parquet":
        frame.write_parquet(path)
    elif ending.endswith("json"):
        path.write_text(frame.write_json() if ending == "json" else frame.write_ndjson())
    else:
        frame.write_csv(path, separator="\t" if ending == "tsv" else ",")
    pieces = list(Chunks(path, limits=Limits(columns=2, cells=1000), size=64))
    assert sum(piece.frame.height for piece in pieces) == 500
    assert "more than the 999 cells" in refused(path, Limits(cells=999), size=64)
    assert "2 columns, more than the 1 that" in refused(path, Limits(columns=1), size=64)


def test_keys_of_each_record_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps([{f"k{row}": row} for row in range(12_000)]))
    begun = time.process_time()
    with pytest.raises(FileError, match=r"more than the 134,217,728 cells that can be read"):
        read_table(path)
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("ending", ["csv", "ndjson"])
def test_a_record_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    monkeypatch.setattr("bribeproof.io.encoding.LONGEST_RECORD", 1000)
    path = tmp_path / f"endless.{ending}"
    path.write_text('task,label\n"' + 3000 * "a\n" if ending == "csv" else '{"task": "' + 3000 * "a")
    with pytest.raises(FileError, match=r"line [12]: a record of more than 1,000 bytes begins here"):
        list(Chunks(path, size=100))


@pytest.mark.parametrize("start", ["x^2", "x\x01", "xڀ"])
def test_text_is_never_taken_for_compressed_data(tmp_path: Path, start: str) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(f"task,label\n{start},a\nt2,b\n")
    assert read_table(path).frame.rows() == [(start, "a"), ("t2", "b")]
    path = tmp_path / "votes.ndjson"
    path.write_text(f"{start}\n" * 2)
    with pytest.raises(FileError, match=r"line 1: not valid JSON"):
        read_table(path)


def test_many_keys_are_checked_once(tmp_path: Path) -> None:
    path = tmp_path / "votes.ndjson"
    path.write_text('{"task": 1}\n{" task ": 2}\n')
    with pytest.raises(FileError, match=r"more than one column is named 'task'"):
        read_table(path)
    path.write_text('{"task": 1}\n{" ": 2}\n')
    with pytest.raises(FileError, match=r"column 2 has no name"):
        read_table(path)
