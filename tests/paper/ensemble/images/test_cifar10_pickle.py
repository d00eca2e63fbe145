"""CIFAR-10's pickles: read to the byte, and nothing in them is run."""

import os
import pickle
import pickletools
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy._core.numeric import _frombuffer  # type: ignore[attr-defined]

from bribeproof.errors import DataError, FileError
from bribeproof.paper.ensemble.images.cifar10_pickle import read_batch
from bribeproof.paper.ensemble.images.load import load_images
from tests.paper.ensemble.image_files import ANIMALS, Pixels, noise, refused

BATCHES = [f"data_batch_{number}" for number in range(1, 6)]


def flat(images: Pixels) -> Pixels:
    """Rows as a batch has them: all red values, all green ones, all blue ones."""
    return np.array([[image[i, j, c] for c in range(3) for i in range(32) for j in range(32)] for image in images])


def batches(folder: Path, **changed: Any) -> tuple[list[Pixels], list[list[int]]]:
    """Write the seven files, two images in each batch; return images and labels of the six batches."""
    pixels = [noise(2, 32, 32, 3) for _ in range(6)]
    labels = [[number % 3, (number + 1) % 3] for number in range(6)]
    files: dict[str, Any] = {
        name: {b"batch_label": b"some", b"labels": some, b"data": flat(images), b"filenames": [b"a.png", b"b.png"]}
        for name, images, some in zip([*BATCHES, "test_batch"], pixels, labels, strict=True)
    }
    files |= {"batches.meta": {b"label_names": [name.encode() for name in ANIMALS], b"num_vis": 3072}} | changed
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, 2))
    return pixels, labels


def test_batches_are_read_to_the_byte_and_in_their_order(tmp_path: Path) -> None:
    pixels, labels = batches(tmp_path)
    found = load_images("cifar10", tmp_path)
    np.testing.assert_array_equal(found.train, np.concatenate(pixels[:5]))
    np.testing.assert_array_equal(found.test, pixels[5])
    assert found.train_labels.tolist() == [label for some in labels[:5] for label in some]
    assert found.test_labels.tolist() == labels[5]
    assert (found.classes, found.name) == (tuple(ANIMALS), "cifar10")
    assert found.train.flags.c_contiguous


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("text", [True, False])
def test_every_way_to_write_a_batch_is_read(tmp_path: Path, protocol: int, order: Any, *, text: bool) -> None:
    images = noise(3, 32, 32, 3)
    data, labels = np.array(flat(images), order=order), [2, 0, 1]
    content = {"data": data, "labels": labels} if text else {b"data": data, b"labels": labels}
    path = tmp_path / "batch"
    path.write_bytes(pickle.dumps(content, protocol))
    found, read = read_batch(path)
    np.testing.assert_array_equal(found, images)
    assert read.tolist() == labels
    data.setflags(write=False)
    path.write_bytes(pickle.dumps(content, protocol))
    np.testing.assert_array_equal(read_batch(path)[0], images)


def python2(data: bytes, count: int, labels: bytes = b"K\x04K\x07", kind: bytes = b"u1") -> bytes:
    """Batch as Python 2 wrote the published ones, opcode by opcode."""
    array = (
        b"cnumpy.core.multiarray\n_reconstruct\nq\x03cnumpy\nndarray\nq\x04K\x00\x85U\x01b\x87Rq\x05"
        b"(K\x01K" + bytes([count]) + b"M\x00\x0c\x86cnumpy\ndtype\nq\x06U" + bytes([len(kind)]) + kind + b"K\x00K\x01"
        b"\x87Rq\x07(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89"
        b"T" + struct.pack("<I", len(data)) + data + b"tb"
    )
    return b"\x80\x02}q\x01(U\x04dataq\x02" + array + b"U\x06labels](" + labels + b"eu."


def test_a_batch_of_python_2_is_read(tmp_path: Path) -> None:
    images = noise(2, 32, 32, 3)
    content = python2(flat(images).tobytes(), 2)
    assert pickle.loads(content, encoding="bytes")[b"labels"] == [4, 7]  # noqa: S301
    (tmp_path / "batch").write_bytes(content)
    found, labels = read_batch(tmp_path / "batch")
    np.testing.assert_array_equal(found, images)
    assert labels.tolist() == [4, 7]


class Runs:
    """Calls a function when it is unpickled."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> Any:
        return self.call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("place", ["data_batch_3", "batches.meta"])
def test_a_pickle_that_runs_something_is_refused_and_does_nothing(tmp_path: Path, protocol: int, place: str) -> None:
    mark = tmp_path / "mark"
    for evil, asked in (
        (Runs(os.mkdir, str(mark)), "mkdir"),
        (Runs(eval, f"__import__('os').mkdir({str(mark)!r})"), "eval"),
        (Runs(np.save, str(mark), 1), "save"),
        (Runs(np.memmap, str(mark), "u1", "w+", 0, (3,)), "memmap"),
    ):
        content = pickle.dumps({b"labels": [0], b"data": evil, b"label_names": ANIMALS}, protocol)
        batches(tmp_path, **{place: content})
        said = refused(FileError, "which could run code; nothing was run", "cifar10", tmp_path)
        assert said.startswith(f"{tmp_path / place}: asks for ")
        assert asked in said
        assert not [*tmp_path.glob("mark*")]
        pickle.loads(content)  # noqa: S301
        assert [*tmp_path.glob("mark*")], "the pickle would not have done anything"
        for left in tmp_path.glob("mark*"):
            left.rmdir() if left.is_dir() else left.unlink()


@pytest.mark.parametrize(
    "named",
    [
        b"cnumpy\nndarray.tofile\n",
        b"\x8c\x05numpy\x8c\x0endarray.tofile\x93",
        b"cnumpy.core.multiarray\nfromfile\n",
        b"c_codecs\ndecode\n",
        b"c_codecs\nencode.__globals__\n",
        b"cbuiltins\ngetattr\n",
        b"c__builtin__\neval\n",
        b"(inumpy\nload\n",
        b"\x8c\x02o\n\x8c\x03\x1b[m\x93",
    ],
)
def test_no_other_name_is_given_out(tmp_path: Path, named: bytes) -> None:
    (tmp_path / "batch").write_bytes(b"\x80\x04" + named + b".")
    with pytest.raises(FileError, match=r"asks for '.*', which .* nothing was run") as caught:
        read_batch(tmp_path / "batch")
    assert str(caught.value).isprintable()


def test_a_pickle_cannot_spoil_the_reader_for_the_next(tmp_path: Path) -> None:
    images = noise(2, 32, 32, 3)
    path = tmp_path / "batch"
    for named in (b"cnumpy\nndarray\n", b"cnumpy.core.multiarray\n_reconstruct\n", b"c_codecs\nencode\n"):
        for state in ({"__init__": None, "parts": 1}, (None, {"__init__": None, "made_with": 2, "__code__": 3})):
            path.write_bytes(named + pickle.dumps(state, 2)[2:-1] + b"b.")
            with pytest.raises(FileError, match="batch: "):
                read_batch(path)
    path.write_bytes(pickle.dumps({"data": flat(images), "labels": [0, 1]}, 2))
    np.testing.assert_array_equal(read_batch(path)[0], images)


def test_addresses_passed_off_as_objects_are_never_followed(tmp_path: Path) -> None:
    (tmp_path / "batch").write_bytes(python2(b"\x01" * 8 * 3072, 1, b"K\x04", kind=b"O8"))
    with pytest.raises(FileError, match="'data' must hold 3072 bytes for each image"):
        read_batch(tmp_path / "batch")


ROWS = noise(2, 3072)
SIDEWAYS = Runs(_frombuffer, ROWS.tobytes(), ROWS.dtype, ROWS.shape, "K", (1, 0))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a whole pickle"),
        (b"these are words", "not a whole pickle"),
        (b"\x80\x63.", "not a whole pickle"),
        (b"\x8e" + b"\xff" * 8, "not a whole pickle"),
        ([1, 2], "is not a dictionary"),
        ({}, "'data' must be an array of bytes"),
        ({"data": [1, 2], "labels": [0, 1]}, "'data' must be an array of bytes"),
        ({"data": ROWS[:, :-1], "labels": [0, 1]}, "'data' must hold 3072 bytes for each image"),
        ({"data": ROWS.reshape(2, 3, 1024), "labels": [0, 1]}, "'data' must hold 3072 bytes for each image"),
        (python2(b"", 0, b""), "'data' must hold 3072 bytes for each image"),
        ({"data": ROWS.view(np.int8), "labels": [0, 1]}, "'data' must hold 3072 bytes for each image"),
        ({"data": ROWS.astype(np.uint16), "labels": [0, 1]}, "'data' must hold 3072 bytes for each image"),
        (python2(ROWS.tobytes()[:-1], 2), "'data' must hold 3072 bytes for each image"),
        (python2(ROWS.tobytes(), 2).replace(b"M\x00\x0c", b"M\x01\x0c"), "'data' must hold 3072 bytes for each image"),
        ({"data": SIDEWAYS, "labels": [0, 1]}, "'data' must hold 3072 bytes for each image"),
        (python2(ROWS.tobytes(), 3), "'data' must hold 3072 bytes for each image"),
    ],
)
@pytest.mark.parametrize("protocol", [2, 5])
def test_what_is_no_batch_is_refused(tmp_path: Path, content: Any, said: str, protocol: int) -> None:
    path = tmp_path / "batch"
    path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, protocol))
    with pytest.raises(FileError, match=re.escape(f"{path}: {said}")):
        read_batch(path)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (None, "'labels' must be a list of whole numbers"),
        ((0, 1), "'labels' must be a list of whole numbers"),
        ([0, 1.5], "'labels' must be a list of whole numbers"),
        ([0, 2**63], "'labels' must be a list of whole numbers"),
        ([0, True], "'labels' must be a list of whole numbers"),
        ([0], "1 labels for 2 images"),
    ],
)
def test_labels_that_do_not_fit_a_batch_are_refused(tmp_path: Path, labels: Any, said: str) -> None:
    (tmp_path / "batch").write_bytes(pickle.dumps({"data": ROWS, "labels": labels}))
    with pytest.raises(DataError, match=re.escape(f"{tmp_path / 'batch'}: {said}")):
        read_batch(tmp_path / "batch")


def test_no_part_of_a_batch_is_read(tmp_path: Path) -> None:
    whole = python2(ROWS.tobytes(), 2)
    ends = [place for _, _, place in pickletools.genops(whole) if place is not None]
    for end in {*ends, *range(0, len(whole), 211), len(whole) - 1}:
        (tmp_path / "batch").write_bytes(whole[:end])
        with pytest.raises(FileError, match="not a whole pickle"):
            read_batch(tmp_path / "batch")


@pytest.mark.parametrize("name", [*BATCHES, "test_batch", "batches.meta"])
def test_a_missing_batch_is_named(tmp_path: Path, name: str) -> None:
    batches(tmp_path)
    (tmp_path / name).unlink()
    refused(FileError, f"{tmp_path}: {name} missing beside ", "cifar10", tmp_path)


def test_a_batch_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    batches(tmp_path)
    (tmp_path / "data_batch_2").unlink()
    (tmp_path / "data_batch_2").mkdir()
    refused(FileError, f"{tmp_path / 'data_batch_2'}: cannot be read", "cifar10", tmp_path)


def test_names_and_labels_of_batches_must_fit(tmp_path: Path) -> None:
    for names in (None, "cat", [1, 2, 3]):
        batches(tmp_path, **{"batches.meta": {"label_names": names}})
        refused(FileError, f"{tmp_path / 'batches.meta'}: 'label_names' must be a list", "cifar10", tmp_path)
    batches(tmp_path, **{"batches.meta": {"label_names": ["cat", "dog"]}})
    refused(DataError, "cifar10: training image 4 has the label 2; use 0 to 1", "cifar10", tmp_path)
