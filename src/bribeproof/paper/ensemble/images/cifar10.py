"""Read CIFAR-10, or similar images, from any of three folder layouts."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from bribeproof._typing import ByteArray, IntArray
from bribeproof.errors import DataError, FileError
from bribeproof.io.formats import POLARS_ERRORS, reason
from bribeproof.paper.ensemble.images.cifar10_pickle import read_batch, read_names
from bribeproof.paper.ensemble.images.decode import decode

if TYPE_CHECKING:
    from collections.abc import Callable

Parts = tuple[ByteArray, IntArray, ByteArray, IntArray, tuple[str, ...]]
"""Training images and labels, test images and labels, names of the classes."""

_BATCHES = tuple(f"data_batch_{number}" for number in range(1, 6))
_FILES = (*_BATCHES, "test_batch", "batches.meta")
_TABLES = ("train.parquet", "test.parquet")
_FOLDERS = ("train", "test")
_ENDINGS = (".jpg", ".jpeg", ".png")


def read_cifar10(folder: Path) -> Parts:
    """Read training and test images from a folder.

    Parameters
    ----------
    folder : Path
        The published Python version, ``data_batch_1`` to ``data_batch_5``, ``test_batch`` and ``batches.meta``; or
        ``train.parquet`` and ``test.parquet`` with a JPEG or PNG file in each cell of ``image`` and a whole number from
        0 in ``label``, the names of the classes a JSON list under the key ``classes`` of the metadata, else "0", "1",
        and so on; or pictures ``train/CLASS/*`` and ``test/CLASS/*``, JPEG or PNG, the classes in sorted order.

    Returns
    -------
    tuple
        Training images and labels, test images and labels, names of the classes; the images in the order of the files,
        the rows, or the sorted names of class and picture.

    Raises
    ------
    FileError
        A missing or broken file, or a pickle that could run code.
    DataError
        Images of different sizes, or labels that do not fit the classes.
    MissingPackageError
        pillow is needed to decode pictures and is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from PIL import Image
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("train/cat", "train/dog", "test/dog"):
    ...         Path(folder, name).mkdir(parents=True)
    ...         Image.new("RGB", (8, 8)).save(Path(folder, name, "1.png"))
    ...     train, train_labels, test, test_labels, classes = read_cifar10(Path(folder))
    >>> train.shape, train_labels, test_labels, classes
    ((2, 8, 8, 3), array([0, 1]), array([1]), ('cat', 'dog'))
    """
    if not folder.is_dir():
        raise FileError(f"{folder}: no such folder; give the one that CIFAR-10 was unpacked into")
    layouts: tuple[tuple[tuple[str, ...], Callable[[Path], Parts]], ...] = (
        (_FILES, _read_batches),
        (_TABLES, _read_tables),
        (_FOLDERS, _read_folders),
    )
    for names, read in layouts:
        missing = [name for name in names if not (folder / name).exists()]
        if not missing:
            return read(folder)
        if len(missing) < len(names):
            present = next(name for name in names if name not in missing)
            raise FileError(f"{folder}: {' and '.join(missing)} missing beside {present}; fetch what is missing")
    raise FileError(
        f"{folder}: holds neither data_batch_1 and the other batches, nor train.parquet and test.parquet, nor the "
        "folders train and test; give the folder that does"
    )


def _read_batches(folder: Path) -> Parts:
    """Read the batches of the published Python version."""
    pixels, labels = zip(*(read_batch(folder / name) for name in _BATCHES), strict=True)
    test = read_batch(folder / "test_batch")
    return np.concatenate(pixels), np.concatenate(labels), *test, read_names(folder / "batches.meta")


def _read_tables(folder: Path) -> Parts:
    """Read the training and test images from two Parquet files."""
    (train, train_labels, names), (test, test_labels, others) = (_read_table(folder / name) for name in _TABLES)
    if names != others:
        raise DataError(
            f"{folder}: {' and '.join(_TABLES)} differ in the metadata key 'classes'; write the same in both"
        )
    classes = tuple(map(str, range(len(np.unique(train_labels))))) if names is None else names
    return train, train_labels, test, test_labels, classes


def _read_table(path: Path) -> tuple[ByteArray, IntArray, tuple[str, ...] | None]:
    """Read one Parquet file, and the names of the classes if it has them."""
    try:
        table = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        schema = table.collect_schema()
        if schema.get("image") != pl.Binary or not schema.get("label", pl.Null()).is_integer():
            raise FileError(f"{path}: needs a column 'image' of binary cells and a column 'label' of whole numbers")
        frame = table.select("image", pl.col("label").cast(pl.Int64, strict=False)).collect()
        metadata = pl.read_parquet_metadata(path)
    except FileError:
        raise
    except (*POLARS_ERRORS, OSError) as error:
        raise FileError(f"{path}: not a whole Parquet file ({reason(error)}); fetch it again") from None
    if frame.is_empty():
        raise FileError(f"{path}: holds no images; fetch the file again")
    for name in frame.columns:
        if frame[name].has_nulls():
            row = int(frame[name].is_null().arg_true()[0])
            raise DataError(f"{path}: row {row + 1} has no usable {name}; fill it in or remove the row")
    pictures = [(f"{path}: row {row}", image) for row, image in enumerate(frame["image"], start=1)]
    return decode(pictures), frame["label"].to_numpy(), _names(metadata.get("classes"), path)


def _names(text: str | None, path: Path) -> tuple[str, ...] | None:
    """Parse the names of the classes from JSON."""
    if text is None:
        return None
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        names = None
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return tuple(names)
    raise FileError(f"{path}: the metadata key 'classes' must be a JSON list of names, not {text[:60]!r}")


def _read_folders(folder: Path) -> Parts:
    """Read pictures from folders; the classes are the folders of the training pictures."""
    classes = tuple(entry.name for entry in _entries(folder / "train"))
    train, test = (_read_folder(folder / name, classes) for name in _FOLDERS)
    return *train, *test, classes


def _read_folder(folder: Path, classes: tuple[str, ...]) -> tuple[ByteArray, IntArray]:
    """Read the training or the test pictures."""
    pictures: list[tuple[str, bytes | Path]] = []
    labels: list[int] = []
    for entry in _entries(folder):
        if entry.name not in classes:
            raise DataError(f"{entry}: no class of this name among the training images; rename or remove it")
        if not entry.is_dir():
            raise FileError(f"{entry}: a file where the folders of the classes are; move it into one, or away")
        for picture in _entries(entry):
            if picture.suffix.lower() not in _ENDINGS:
                raise FileError(f"{picture}: does not end in {', '.join(_ENDINGS)}; convert it, or move it away")
            pictures.append((str(picture), picture))
            labels.append(classes.index(entry.name))
    return decode(pictures), np.array(labels, np.int64)


def _entries(folder: Path) -> list[Path]:
    """List the entries of a folder, sorted, without hidden files."""
    try:
        entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        raise FileError(f"{folder}: cannot be read ({error.strerror or error})") from None
    if not entries:
        raise FileError(f"{folder}: holds nothing; put its pictures there, or remove it")
    return entries
