"""CIFAR-10 as pictures in folders and as Parquet: pixels to the byte, and every refusal."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from bribeproof.errors import DataError, FileError
from bribeproof.paper.ensemble.images.decode import decode
from bribeproof.paper.ensemble.images.load import load_images
from tests.paper.ensemble.image_files import ANIMALS, PAIR, SMALL, Pixels, folders, noise, png, refused, saved
from tests.paths import SHARED

CIFAR10 = SHARED / "data" / "cifar10"


# Pictures


@pytest.mark.parametrize("mode", ["RGBA", "LA", "CMYK", "I;16"])
def test_transparent_or_deep_pictures_are_refused(mode: str) -> None:
    picture = saved(Image.new(mode, (4, 4)), "JPEG" if mode == "CMYK" else "PNG")
    with pytest.raises(DataError, match=f"this one: a picture of mode {mode}; use colours or grey of 8 bits"):
        decode([("first", png(noise(4, 4, 3))), ("this one", picture)])


@pytest.mark.parametrize("clear", [1, b"\xff\x00"])
def test_a_palette_with_transparency_is_refused(clear: Any) -> None:
    picture = Image.new("P", (2, 1))
    picture.putpalette([9, 8, 7, 60, 50, 40])
    buffer = BytesIO()
    picture.save(buffer, "PNG", transparency=clear)
    with pytest.raises(DataError, match="one: a picture of mode P; use colours or grey of 8 bits without transparency"):
        decode([("one", buffer.getvalue())])


def test_a_palette_and_black_and_white_become_colours() -> None:
    palette = Image.new("P", (2, 1))
    palette.putpalette([9, 8, 7, 60, 50, 40])
    palette.putpixel((1, 0), 1)
    two = Image.new("1", (2, 1))
    two.putpixel((0, 0), 1)
    found = decode([("palette", saved(palette)), ("two", saved(two))])
    assert found.tolist() == [[[[9, 8, 7], [60, 50, 40]]], [[[255] * 3, [0] * 3]]]


def test_many_pictures_keep_their_order_and_the_first_bad_one_is_named(tmp_path: Path) -> None:
    pixels = noise(1203, 2, 1, 3)
    pictures: list[tuple[str, bytes | Path]] = [(f"p{number}", png(image)) for number, image in enumerate(pixels)]
    (tmp_path / "one").write_bytes(png(pixels[700]))
    pictures[700] = ("p700", tmp_path / "one")
    np.testing.assert_array_equal(decode(pictures), pixels)
    pictures[1100] = ("p1100", b"words")
    pictures[700] = ("p700", tmp_path / "none")
    with pytest.raises(FileError, match="p700: cannot be read"):
        decode(pictures)


def test_a_picture_of_another_kind_is_refused() -> None:
    with pytest.raises(FileError, match="one: not a whole JPEG or PNG picture"):
        decode([("one", saved(Image.new("RGB", (2, 2)), "GIF"))])


@given(arrays(np.uint8, st.tuples(st.integers(1, 4), st.integers(1, 6), st.integers(1, 6), st.just(3))))
def test_png_pictures_of_any_size_are_decoded_to_the_byte(pixels: Pixels) -> None:
    np.testing.assert_array_equal(decode([("one", png(image)) for image in pixels]), pixels)


@given(place=st.integers(0, 10_000), value=st.integers(0, 255), end=st.integers(1, 10_000))
def test_a_spoilt_picture_is_decoded_or_refused(place: int, value: int, end: int) -> None:
    whole = bytearray(saved(Image.fromarray(np.arange(192, dtype=np.uint8).reshape(8, 8, 3)), "JPEG"))
    whole[place % len(whole)] = value
    try:
        found = decode([("one", bytes(whole[: 1 + end % len(whole)]))])
    except (FileError, DataError) as error:
        assert str(error).startswith("one: ")
    else:
        assert found.shape[3] == 3


# CIFAR-10 as pictures in folders


def test_folders_are_read_to_the_byte_in_sorted_order(tmp_path: Path) -> None:
    train, test = noise(4, 5, 6, 3), noise(2, 5, 6, 3)
    grey = noise(5, 6)
    folders(
        tmp_path,
        train={
            "eel": {"9.png": png(train[3]), "10.PNG": png(train[2])},
            "cat": {"b.png": png(train[1]), "a.png": png(train[0]), ".hidden": b"ignored"},
            "dog": {"grey.png": png(grey)},
        },
        test={"eel": {"x.png": png(test[1])}, "cat": {"x.png": png(test[0])}},
    )
    found = load_images("cifar10", tmp_path)
    assert found.classes == ("cat", "dog", "eel")
    assert found.train_labels.tolist() == [0, 0, 1, 2, 2]
    assert found.test_labels.tolist() == [0, 2]
    np.testing.assert_array_equal(found.train[[0, 1, 3, 4]], train)
    np.testing.assert_array_equal(found.train[2], np.stack([grey] * 3, axis=-1))
    np.testing.assert_array_equal(found.test, test)


def test_jpeg_pictures_are_read(tmp_path: Path) -> None:
    red, blue = (saved(Image.new("RGB", (16, 16), colour), "JPEG") for colour in ((250, 10, 20), (10, 20, 250)))
    folders(tmp_path, train={"r": {"1.jpg": red}, "b": {"1.jpeg": blue}}, test={"r": {"2.JPG": red}})
    found = load_images("cifar10", tmp_path)
    np.testing.assert_allclose(found.train.mean(axis=(1, 2)), [[10, 20, 250], [250, 10, 20]], atol=3)
    assert found.test_labels.tolist() == [1]


@pytest.mark.parametrize(
    ("train", "test", "error", "said"),
    [
        (PAIR, {"fox": {"1.png": SMALL}}, DataError, "test/fox: no class of this name among the training images"),
        (PAIR, {"cat": {"1.txt": SMALL}}, FileError, "test/cat/1.txt: does not end in .jpg, .jpeg, .png"),
        (PAIR, {"cat": {"1.png": b"words"}}, FileError, "test/cat/1.png: not a whole JPEG or PNG picture"),
        (PAIR, {"cat": {"1.png": SMALL[:45]}}, FileError, "test/cat/1.png: not a whole JPEG or PNG picture"),
        (PAIR, {"cat": {}}, FileError, "test/cat: holds nothing"),
        (PAIR, {"cat": {"1.png": png(noise(2, 3, 3))}}, DataError, "training images are (2, 2, 3), test images (2, 3"),
        (PAIR | {"eel": {"1.png": png(noise(2, 3, 3))}}, PAIR, DataError, "train/eel/1.png: 3 x 2 pixels, the first"),
        ({"cat": {"1.png": SMALL}}, {"cat": {"1.png": SMALL}}, DataError, "the classes are ('cat',)"),
    ],
)
def test_folders_that_do_not_fit_are_refused(
    tmp_path: Path, train: Any, test: Any, error: type[Exception], said: str
) -> None:
    refused(error, said, "cifar10", folders(tmp_path, train=train, test=test))


def test_files_where_folders_belong_are_refused(tmp_path: Path) -> None:
    (folders(tmp_path, train=PAIR, test=PAIR) / "train" / "list.txt").write_text("cat dog")
    refused(FileError, "train/list.txt: a file where the folders of the classes are", "cifar10", tmp_path)
    (tmp_path / "train" / "list.txt").unlink()
    (tmp_path / "test").rename(tmp_path / "away")
    refused(FileError, f"{tmp_path}: test missing beside train", "cifar10", tmp_path)
    (tmp_path / "test").write_text("cat dog")
    refused(FileError, f"{tmp_path / 'test'}: cannot be read", "cifar10", tmp_path)


def test_a_folder_without_images_is_refused(tmp_path: Path) -> None:
    refused(FileError, f"{tmp_path}: holds neither data_batch_1", "cifar10", tmp_path)
    refused(FileError, f"{tmp_path / 'none'}: no such folder", "cifar10", tmp_path / "none")
    (tmp_path / "cifar-10-python.tar.gz").write_bytes(b"")
    refused(FileError, "no such folder; give the one that CIFAR-10", "cifar10", tmp_path / "cifar-10-python.tar.gz")


# CIFAR-10 as Parquet


def table(path: Path, images: Any, labels: Any, classes: Any = ANIMALS, **types: Any) -> None:
    frame = pl.DataFrame({"image": images, "label": labels}, schema_overrides=types, strict=False)
    metadata = None if classes is None else {"classes": classes if isinstance(classes, str) else json.dumps(classes)}
    frame.write_parquet(path, metadata=metadata)


def tables(folder: Path, classes: Any = ANIMALS) -> tuple[Pixels, Pixels]:
    train, test = noise(5, 3, 4, 3), noise(2, 3, 4, 3)
    table(folder / "train.parquet", [png(image) for image in train], [2, 0, 1, 1, 0], classes, label=pl.Int8)
    table(folder / "test.parquet", [png(image) for image in test], [1, 2], classes, label=pl.UInt64)
    return train, test


@pytest.mark.parametrize(("classes", "names"), [(ANIMALS, tuple(ANIMALS)), (None, ("0", "1", "2"))])
def test_parquet_is_read_to_the_byte(tmp_path: Path, classes: Any, names: tuple[str, ...]) -> None:
    train, test = tables(tmp_path, classes)
    found = load_images("cifar10", tmp_path)
    np.testing.assert_array_equal(found.train, train)
    np.testing.assert_array_equal(found.test, test)
    assert found.train_labels.tolist() == [2, 0, 1, 1, 0]
    assert found.test_labels.tolist() == [1, 2]
    assert found.train_labels.dtype == found.test_labels.dtype == np.int64
    assert found.classes == names


@pytest.mark.parametrize(
    ("images", "labels", "classes", "types", "error", "said"),
    [
        ([SMALL], [3], ANIMALS, {}, DataError, "cifar10: training image 1 has the label 3; use 0 to 2"),
        ([SMALL], [-1], ANIMALS, {}, DataError, "cifar10: training image 1 has the label -1; use 0 to 2"),
        (
            [SMALL],
            [0],
            ["cat", "dog"],
            {},
            DataError,
            "train.parquet and test.parquet differ in the metadata key 'classes'",
        ),
        ([SMALL], [0], None, {}, DataError, "train.parquet and test.parquet differ in the metadata key 'classes'"),
        ([SMALL], [0], "cat", {}, FileError, "'classes' must be a JSON list of names, not 'cat'"),
        ([SMALL], [0], [1, 2], {}, FileError, "'classes' must be a JSON list of names, not '[1, 2]'"),
        ([SMALL], [0], {"cat": 0}, {}, FileError, "'classes' must be a JSON list of names"),
        ([SMALL, None], [0, 1], ANIMALS, {}, DataError, "train.parquet: row 2 has no usable image"),
        ([SMALL, SMALL], [None, 1], ANIMALS, {}, DataError, "train.parquet: row 1 has no usable label"),
        ([SMALL], [2**63], ANIMALS, {"label": pl.UInt64}, DataError, "train.parquet: row 1 has no usable label"),
        ([SMALL, b"words"], [0, 1], ANIMALS, {}, FileError, "train.parquet: row 2: not a whole JPEG or PNG picture"),
        ([SMALL, png(noise(3, 2, 3))], [0, 1], ANIMALS, {}, DataError, "train.parquet: row 2: 2 x 3 pixels, the first"),
        (["words"], [0], ANIMALS, {}, FileError, "train.parquet: needs a column 'image' of binary cells"),
        ([SMALL], [0.0], ANIMALS, {}, FileError, "a column 'label' of whole numbers"),
        ([SMALL], ["0"], ANIMALS, {}, FileError, "a column 'label' of whole numbers"),
        ([], [], ANIMALS, {"image": pl.Binary, "label": pl.Int8}, FileError, "train.parquet: holds no images"),
    ],
)
def test_parquet_that_does_not_fit_is_refused(
    tmp_path: Path, images: Any, labels: Any, classes: Any, types: Any, error: type[Exception], said: str
) -> None:
    tables(tmp_path)
    table(tmp_path / "train.parquet", images, labels, classes, **types)
    table(tmp_path / "test.parquet", [SMALL], [0])
    refused(error, said, "cifar10", tmp_path)


def test_parquet_files_that_are_missing_or_broken_are_refused(tmp_path: Path) -> None:
    tables(tmp_path)
    whole = (tmp_path / "test.parquet").read_bytes()
    for broken in (b"", b"words", whole[:-5], whole[40:]):
        (tmp_path / "test.parquet").write_bytes(broken)
        refused(FileError, f"{tmp_path / 'test.parquet'}: not a whole Parquet file", "cifar10", tmp_path)
    (tmp_path / "test.parquet").unlink()
    refused(FileError, f"{tmp_path}: test.parquet missing beside train.parquet", "cifar10", tmp_path)
    pl.DataFrame({"picture": [SMALL], "label": [0]}).write_parquet(tmp_path / "test.parquet")
    refused(FileError, f"{tmp_path / 'test.parquet'}: needs a column 'image'", "cifar10", tmp_path)
    pl.DataFrame({"image": [SMALL]}).write_parquet(tmp_path / "test.parquet")
    refused(FileError, "and a column 'label' of whole numbers", "cifar10", tmp_path)


def test_a_sample_of_cifar_10_is_read(tmp_path: Path) -> None:
    if not CIFAR10.exists():
        pytest.skip("CIFAR-10 is not beside the project")
    metadata = pl.read_parquet_metadata(CIFAR10 / "train.parquet")
    chosen = {}
    for name, step in (("train.parquet", 125), ("test.parquet", 500)):
        chosen[name] = pl.scan_parquet(CIFAR10 / name).gather_every(step).collect()
        chosen[name].write_parquet(tmp_path / name, metadata={"classes": metadata["classes"]})
    found = load_images("cifar10", tmp_path)
    assert found.train.shape == (400, 32, 32, 3)
    assert found.test.shape == (20, 32, 32, 3)
    for frame, labels in ((chosen["train.parquet"], found.train_labels), (chosen["test.parquet"], found.test_labels)):
        assert [found.classes[label] for label in labels] == [file.split("/")[1] for file in frame["file"]]
    np.testing.assert_allclose(found.train.mean(axis=(0, 1, 2)) / 255, [0.4913, 0.4821, 0.4465], atol=0.03)
    for row in (0, 1, 399):
        with Image.open(BytesIO(chosen["train.parquet"]["image"][row])) as image:
            assert image.tobytes() == found.train[row].tobytes()
