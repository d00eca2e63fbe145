"""Uploaded files: the same file is the same key, the oldest go, and no name becomes a path."""

from io import BytesIO
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import FileError
from bribeproof.explorer.tables.uploads import Uploads


def test_the_same_file_is_the_same_key_by_content_and_ending(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, 100)
    first = uploads.add("marks.csv", BytesIO(b"abc"))
    assert first.path.read_bytes() == b"abc"
    assert (first.name, first.path.suffix) == ("marks.csv", ".csv")
    again = uploads.add("other name.CSV", BytesIO(b"abc"))
    assert again.key == first.key
    assert uploads.get(first.key).name == "other name.CSV"
    keys = {
        uploads.add(name, BytesIO(text)).key for name, text in (("a.csv", b"abd"), ("a.tsv", b"abc"), ("a", b"abc"))
    }
    assert len(keys | {first.key}) == 4


@given(st.text(max_size=60), st.binary(max_size=50))
def test_no_name_leads_out_of_the_folder(tmp_path_factory: pytest.TempPathFactory, name: str, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("uploads")
    sheet = Uploads(folder, 1000).add(name, BytesIO(content))
    assert sheet.path.resolve().parent == folder.resolve()
    assert sheet.path.name.isascii()
    assert [path.name for path in folder.iterdir()] == [sheet.path.name]
    assert sheet.path.read_bytes() == content


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/../b.csv", "C:\\x.csv", "x.csv\0.exe", ".csv", "a.c/sv", "con.ü"]
)
def test_names_of_other_places(tmp_path: Path, name: str) -> None:
    sheet = Uploads(tmp_path, 100).add(name, BytesIO(b"1"))
    assert sheet.path.parent == tmp_path
    assert sheet.name == name


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, 10)
    first, second = (uploads.add(f"{name}.csv", BytesIO(name.encode() * 4)) for name in "ab")
    uploads.get(first.key)
    third = uploads.add("c.csv", BytesIO(b"cccc"))
    assert uploads.get(first.key) == first
    assert uploads.get(third.key) == third
    with pytest.raises(FileError, match="upload it again"):
        uploads.get(second.key)
    assert {path.name for path in tmp_path.iterdir()} == {first.path.name, third.path.name}


def test_the_last_one_stays_however_large(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, 10)
    small = uploads.add("a.csv", BytesIO(b"a"))
    large = uploads.add("b.csv", BytesIO(b"b" * 3_000_000))
    assert uploads.get(large.key).path.stat().st_size == 3_000_000
    with pytest.raises(FileError):
        uploads.get(small.key)


@given(st.text(max_size=30))
def test_an_unknown_key_is_one_sentence(tmp_path_factory: pytest.TempPathFactory, key: str) -> None:
    with pytest.raises(FileError, match="no longer stored"):
        Uploads(tmp_path_factory.getbasetemp(), 10).get(key)


def test_the_file_of_the_start_is_read_where_it_lies(tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("a" * 100)
    (folder := tmp_path / "kept").mkdir()
    uploads = Uploads(folder, 10, own)
    assert uploads.initial is not None
    assert uploads.initial.path == own
    for text in (b"x" * 20, b"y" * 20):
        uploads.add("other.csv", BytesIO(text))
    assert uploads.get("file") == uploads.initial
    assert own.exists()
    assert Uploads(folder, 10).initial is None


def test_a_broken_upload_leaves_nothing(tmp_path: Path) -> None:
    class Broken(BytesIO):
        def read(self, _: int | None = -1, /) -> bytes:
            raise OSError(28, "No space left on device")

    with pytest.raises(FileError, match="No space left on device"):
        Uploads(tmp_path, 10).add("a.csv", Broken())
    assert list(tmp_path.iterdir()) == []


def test_many_at_once_are_all_there(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, 10**9)
    threads = [Thread(target=uploads.add, args=(f"{i % 5}.csv", BytesIO(bytes([i % 5]) * 100_000))) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(tmp_path.iterdir())) == 5
    assert all(path.stat().st_size == 100_000 for path in tmp_path.iterdir())
