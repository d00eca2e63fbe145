"""Where the bytes come from: Parquet, files that change, pipes and standard input, read in pieces."""

import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

from bribeproof.errors import FileError, ParameterError
from bribeproof.io import chunks as module
from bribeproof.io.chunks import Chunk, Chunks
from bribeproof.io.encoding import first_bytes
from bribeproof.io.read import read_table
from tests.io.outcomes import together, whole

CHANGED = "changed while it was read; read it again when it is complete$"

# Parquet


@pytest.mark.parametrize("group", [1, 7, 100])
@pytest.mark.parametrize("size", [1, 100, 10_000])
def test_parquet_in_slices_is_the_table(tmp_path: Path, group: int, size: int) -> None:
    path = tmp_path / "a[b]*.parquet"
    frame = pl.DataFrame(
        {
            " task": range(50),
            "label": pl.Series(["lo", "hi"] * 25, dtype=pl.Enum(["lo", "hi"])),
            "kind": pl.Series([None, *map(str, range(49))], dtype=pl.Categorical),
            "scores": [[1.5, None]] * 50,
        }
    )
    frame.write_parquet(path, row_group_size=group)
    found = list(pieces := Chunks(path, size=size))
    expected = frame.rename({" task": "task"})
    assert {tuple(piece.frame.schema.items()) for piece in found} == {tuple(expected.schema.items())}
    assert pl.concat(piece.frame for piece in found).equals(expected)
    assert [piece.done for piece in found] == [(piece.first_row + piece.frame.height) / 50 for piece in found]
    assert (pieces.places.locate(49), len(found) > 1) == ("row 50", size < 1000)
    some = [piece.frame for piece in Chunks(path, size=size, columns={"label", "task", "none"})]
    assert pl.concat(some).equals(expected.select("task", "label"))
    with pytest.raises(FileError, match=r"has none of the columns 'x', 'y'$"):
        next(Chunks(path, size=size, columns=["x", "y"]))


def test_parquet_that_is_cut_or_spoilt_is_refused_alike(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    pl.DataFrame({"a": [f"text {n}" for n in range(300)]}).write_parquet(path, row_group_size=100)
    content = path.read_bytes()
    spoilt = [content[:cut] for cut in range(1, len(content), 97)]
    spoilt += [content[:at] + b"\xff" * 9 + content[at + 9 :] for at in range(4, len(content) - 9, 211)]
    for bad in spoilt:
        path.write_bytes(bad)
        expected = whole(path)
        assert together(Chunks(path, size=400)) == expected or not isinstance(expected, str)
        if isinstance(expected, str):
            assert f"{path}: not a whole Parquet file (" in expected


# Files that change, pipes and standard input


CONTENTS = {
    "f.csv": b"a,b\n" + b"1,2\n" * 2000,
    "f.ndjson": b'{"a": 1}\n' * 2000,
}


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n")


def shrink(path: Path) -> None:
    os.truncate(path, 6)


def touch(path: Path) -> None:
    os.utime(path, ns=(0, 0))


@pytest.mark.parametrize("change", [grow, shrink, touch])
@pytest.mark.parametrize("name", CONTENTS)
def test_a_file_that_changes_is_refused(tmp_path: Path, name: str, change: Callable[[Path], None]) -> None:
    path = tmp_path / name
    path.write_bytes(CONTENTS[name])
    pieces = Chunks(path, size=2000)
    assert next(pieces).frame.height
    change(path)
    with pytest.raises(FileError, match=f"{name}: {CHANGED}"):
        list(pieces)


@pytest.mark.parametrize("change", [grow, shrink, touch, Path.unlink, lambda path: path.write_bytes(b"x")])
def test_parquet_that_changes_is_refused(tmp_path: Path, change: Callable[[Path], None]) -> None:
    path = tmp_path / "f.parquet"
    pl.DataFrame({"a": range(1000)}).write_parquet(path, row_group_size=100)
    pieces = Chunks(path, size=400)
    assert next(pieces).frame.height == 100
    change(path)
    with pytest.raises(FileError, match=f"f.parquet: {CHANGED}"):
        list(pieces)


@pytest.mark.parametrize("name", [*CONTENTS, "f.parquet"])
def test_a_table_of_a_file_that_changes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = tmp_path / name
    pl.DataFrame({"a": [1]}).write_parquet(path)
    path.write_bytes(CONTENTS.get(name) or path.read_bytes())

    def change(blocks: Iterator[bytes], source: str) -> object:
        seen = first_bytes(blocks, source)
        grow(path)
        return seen

    monkeypatch.setattr(module, "first_bytes", change)
    with pytest.raises(FileError, match=f"{name}: {CHANGED}"):
        read_table(path)


def feed(descriptor: int, content: bytes) -> threading.Thread:
    """Write to a pipe from another thread, then close it."""

    def write() -> None:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)

    thread = threading.Thread(target=write)
    thread.start()
    return thread


@pytest.mark.parametrize("kind", ["csv", "ndjson", "parquet"])
def test_a_pipe_is_read_like_a_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"f.{kind}"
    pl.DataFrame({"a": range(3000)}).write_parquet(tmp_path / "f.parquet")
    path.write_bytes(CONTENTS.get(path.name) or path.read_bytes())
    expected = whole(path)
    for named in (False, True):
        if named:
            os.mkfifo(pipe := tmp_path / "pipe")
            thread = threading.Thread(target=pipe.write_bytes, args=[path.read_bytes()])
            thread.start()
            found = list(pieces := Chunks(pipe, format=kind, size=1000))
        else:
            reading, writing = os.pipe()
            thread = feed(writing, path.read_bytes())
            found = list(pieces := Chunks(f"/dev/fd/{reading}", format=kind, size=1000))
            os.close(reading)
        thread.join()
        frame = pl.concat(piece.frame for piece in found)
        height = frame.height
        assert (frame.columns, frame.rows(), pieces.notes, [*map(pieces.places.locate, range(height))]) == expected
        assert kind == "parquet" or {piece.done for piece in found} == {None}
        assert len(found) > 1


def test_standard_input_is_read_while_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(os.fdopen(reading, "rb")))
    os.write(writing, b"a,b\n" + b"1,2\n" * 600)
    pieces = Chunks("-", size=1200)
    first: Chunk = next(pieces)
    assert (first.first_row, first.frame.height, first.done) == (0, 299, None)
    thread = feed(writing, b"3,4\n5\n")
    with pytest.raises(FileError, match=r"^standard input, line 603: 1 field where"):
        list(pieces)
    thread.join()
    assert not sys.stdin.buffer.closed
    sys.stdin.close()


def test_a_file_is_closed_before_its_end(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes(CONTENTS["f.csv"])
    opened = set(Path("/dev/fd").iterdir())
    pieces = Chunks(path, size=2000)
    next(pieces)
    assert set(Path("/dev/fd").iterdir()) > opened
    pieces.close()
    assert list(pieces) == []


def test_the_size_is_at_least_one_byte(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="size=0 is not a number of bytes"):
        Chunks(tmp_path / "f.csv", size=0)
