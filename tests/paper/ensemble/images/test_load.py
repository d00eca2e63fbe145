"""The sets of images: digits and clothes to the byte, and every refusal."""

import gzip
import re
import struct
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bribeproof.errors import DataError, FileError, MissingPackageError, ParameterError
from bribeproof.paper.ensemble.images import load as module
from bribeproof.paper.ensemble.images.idx import read_idx
from bribeproof.paper.ensemble.images.load import DATA, Images, load_images
from tests.paper.ensemble.image_files import PAIR, Pixels, folders, noise, refused

# Images


def pets() -> Images:
    return Images(
        noise(4, 2, 3, 1), np.array([0, 1, 1, 0]), noise(2, 2, 3, 1), np.array([1, 0]), ("cat", "dog"), "pets"
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"train": noise(4, 2, 3)}, "pets: training images are uint8 (4, 2, 3)"),
        ({"train": noise(4, 2, 3, 1).astype(float)}, "pets: training images are float64 (4, 2, 3, 1)"),
        ({"test": noise(0, 2, 3, 1), "test_labels": np.zeros(0, np.int64)}, "pets: test images are uint8 (0, 2, 3, 1)"),
        ({"test": noise(2, 3, 3, 1)}, "training images are (2, 3, 1), test images (3, 3, 1)"),
        ({"train_labels": np.array([0, 1, 1])}, "pets: training labels are int64 (3,) for 4 images"),
        ({"test_labels": np.array([1.0, 0.0])}, "pets: test labels are float64 (2,)"),
        ({"train_labels": np.array([0, 1, 2, 5])}, "pets: training image 3 has the label 2; use 0 to 1"),
        ({"test_labels": np.array([1, -1])}, "pets: test image 2 has the label -1; use 0 to 1"),
        ({"classes": ("cat", "cat")}, "pets: the classes are ('cat', 'cat')"),
        ({"classes": ("cat",)}, "pets: the classes are ('cat',)"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=re.escape(said)):
        replace(pets(), **changed)


def test_images_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        pets().name = "others"  # type: ignore[misc]


# What is asked for


def test_an_unknown_set_is_refused_with_a_list() -> None:
    said = refused(ParameterError, "data='mnist'", "mnist", None)
    assert all(name in said for name in DATA)


def test_digits_take_no_path_and_cifar10_needs_one(tmp_path: Path) -> None:
    refused(ParameterError, "digits come with scikit-learn; leave the path out", "digits", tmp_path)
    refused(ParameterError, "path=None: cifar10 needs the folder", "cifar10", None)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, True, None])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(ParameterError, match=re.escape(f"seed={seed!r}")):
        load_images("digits", seed=seed)


# Packages that may be absent


@pytest.mark.parametrize(
    ("package", "requirement", "data"), [("sklearn", "scikit-learn>=1.6.1", "digits"), ("PIL", "pillow>=11", "cifar10")]
)
def test_an_absent_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, requirement: str, data: str
) -> None:
    folders(tmp_path, train=PAIR, test=PAIR)
    for loaded in [loaded for loaded in sys.modules if loaded.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, package, None)
    path = tmp_path if data == "cifar10" else None
    refused(MissingPackageError, f"pip install '{requirement}'", data, path)


# Digits


def rows(images: Pixels) -> list[bytes]:
    return [image.tobytes() for image in images]


def test_digits_are_those_of_scikit_learn_stretched_and_split() -> None:
    from sklearn.datasets import load_digits

    bunch = load_digits()
    digits = load_images("digits", seed=3)
    assert (digits.name, digits.classes) == ("digits", tuple("0123456789"))
    assert digits.train.shape[1:] == digits.test.shape[1:] == (8, 8, 1)
    assert digits.train.min() == 0
    assert digits.train.max() == 255
    # every image is there once, with its label, whichever part it is in
    ours = [*zip(rows(digits.train), digits.train_labels, strict=True)]
    ours += [*zip(rows(digits.test), digits.test_labels, strict=True)]
    levels = {level: round(level * 255 / 16) for level in range(17)}
    stretched = [bytes(levels[int(level)] for level in image) for image in bunch.data]
    assert sorted(ours) == sorted(zip(stretched, bunch.target, strict=True))
    assert not set(rows(digits.train)) & set(rows(digits.test))
    # 70 % of each class
    share = np.bincount(digits.train_labels) / np.bincount(bunch.target)
    np.testing.assert_allclose(share, 0.7, atol=0.005)
    assert not np.all(np.diff(digits.train_labels) >= 0), "the images are sorted by class"


def test_the_split_depends_on_the_seed_alone() -> None:
    first, again, other = (load_images("digits", seed=seed) for seed in (5, 5, 6))
    for part in ("train", "train_labels", "test", "test_labels"):
        np.testing.assert_array_equal(getattr(first, part), getattr(again, part))
    assert set(rows(first.test)) != set(rows(other.test))


# Fashion-MNIST


def idx(array: Pixels) -> bytes:
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.tobytes()


CLOTHES = {
    "train-images-idx3-ubyte": noise(6, 2, 3),
    "train-labels-idx1-ubyte": np.array([9, 0, 3, 3, 8, 1], np.uint8),
    "t10k-images-idx3-ubyte": noise(3, 2, 3),
    "t10k-labels-idx1-ubyte": np.array([5, 9, 0], np.uint8),
}


def clothes(folder: Path, *zipped: str, **changed: Pixels) -> Path:
    for name, array in (CLOTHES | {name.replace("_", "-"): array for name, array in changed.items()}).items():
        if name in zipped:
            (folder / f"{name}.gz").write_bytes(gzip.compress(idx(array)))
        else:
            (folder / name).write_bytes(idx(array))
    return folder


@pytest.mark.parametrize("zipped", [(), tuple(CLOTHES), ("t10k-labels-idx1-ubyte",)])
def test_fashion_mnist_is_read_to_the_byte(tmp_path: Path, zipped: tuple[str, ...]) -> None:
    found = load_images("fashion-mnist", clothes(tmp_path, *zipped))
    images, labels, test, test_labels = CLOTHES.values()
    np.testing.assert_array_equal(found.train[..., 0], images)
    np.testing.assert_array_equal(found.test[..., 0], test)
    assert found.train.shape == (6, 2, 3, 1)
    assert found.train_labels.tolist() == labels.tolist()
    assert found.test_labels.tolist() == test_labels.tolist()
    assert found.name == "fashion-mnist"
    assert (len(found.classes), found.classes[0], found.classes[9]) == (10, "T-shirt/top", "Ankle boot")


def test_without_a_path_the_packaged_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FASHION", clothes(tmp_path))
    assert load_images("fashion-mnist").train.shape == (6, 2, 3, 1)
    monkeypatch.setattr(module, "_FASHION", tmp_path / "none")
    refused(FileError, "install Debian's package dataset-fashion-mnist", "fashion-mnist", None)


@pytest.mark.parametrize("name", CLOTHES)
def test_a_missing_idx_file_is_named(tmp_path: Path, name: str) -> None:
    (clothes(tmp_path) / name).unlink()
    refused(FileError, f"{tmp_path}: {name} or {name}.gz is missing", "fashion-mnist", tmp_path)


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda whole: b"\0\0\x08\x01" + whole[4:], "magic number 2049, not the 2051"),
        (lambda whole: b"\0\0\x0d\x03" + whole[4:], "magic number 3331, not the 2051"),
        (lambda _: b"", "ends too early"),
        (lambda whole: whole[:9], "ends too early"),
        (lambda whole: whole[:-1], "ends too early"),
        (lambda whole: whole + b"\0", "is longer than the 36 bytes"),
        (lambda whole: whole[:4] + b"\xff" * 12 + whole[16:], "ends too early"),
        (lambda whole: whole[:12] + b"\0\0\0\0", "is empty (sizes [6, 2, 0])"),
    ],
)
def test_a_broken_idx_file_is_refused(
    tmp_path: Path, spoil: Callable[[bytes], bytes], said: str, *, zipped: bool
) -> None:
    name = "train-images-idx3-ubyte"
    clothes(tmp_path, *[name] * zipped)
    path, spoilt = tmp_path / name, spoil(idx(CLOTHES[name]))
    if zipped:
        path, spoilt = tmp_path / f"{name}.gz", gzip.compress(spoilt)
    path.write_bytes(spoilt)
    assert refused(FileError, said, "fashion-mnist", tmp_path).startswith(f"{path}: ")


@pytest.mark.parametrize("place", [0, 12, -6, -1])
def test_a_broken_gzip_file_is_refused(tmp_path: Path, place: int) -> None:
    path = clothes(tmp_path, "t10k-images-idx3-ubyte") / "t10k-images-idx3-ubyte.gz"
    whole = bytearray(path.read_bytes())
    whole[place] ^= 0xFF
    path.write_bytes(whole)
    refused(FileError, f"{path}: not a whole gzip file", "fashion-mnist", tmp_path)
    path.write_bytes(gzip.compress(idx(CLOTHES["t10k-images-idx3-ubyte"]))[:-9])
    refused(FileError, f"{path}: ends too early", "fashion-mnist", tmp_path)


def test_idx_files_must_agree(tmp_path: Path) -> None:
    clothes(tmp_path, **{"t10k-labels-idx1-ubyte": np.array([5, 9], np.uint8)})
    refused(DataError, f"{tmp_path}: 3 images but 2 labels in t10k-*", "fashion-mnist", tmp_path)
    clothes(tmp_path, **{"t10k-labels-idx1-ubyte": np.array([5, 10, 1], np.uint8)})
    refused(DataError, "fashion-mnist: test image 2 has the label 10; use 0 to 9", "fashion-mnist", tmp_path)
    clothes(tmp_path, **{"t10k-images-idx3-ubyte": noise(3, 3, 2)})
    refused(DataError, "training images are (2, 3, 1), test images (3, 2, 1)", "fashion-mnist", tmp_path)


def test_an_idx_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "labels").mkdir()
    with pytest.raises(FileError, match="labels: cannot be read"):
        read_idx(tmp_path / "labels", 1)


@given(array=st.integers(1, 3).flatmap(lambda n: arrays(np.uint8, st.tuples(*[st.integers(1, 5)] * n))), cut=st.data())
def test_idx_files_of_any_shape_are_read_and_no_part_of_one_is(tmp_path: Path, array: Pixels, cut: Any) -> None:
    path = tmp_path / "any"
    path.write_bytes(idx(array))
    np.testing.assert_array_equal(read_idx(path, array.ndim), array)
    path.write_bytes(idx(array)[: cut.draw(st.integers(0, array.size + 3 + 4 * array.ndim))])
    with pytest.raises(FileError, match="ends too early"):
        read_idx(path, array.ndim)
