"""Read the pickle files of CIFAR-10 without running any code that they may contain."""

import pickle
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bribeproof.errors import DataError, FileError

_SHAPE = (3, 32, 32)
"""Channels, height and width: the layout of the pixels in a row of a batch."""
_BROKEN = (
    pickle.UnpicklingError,
    EOFError,
    ArithmeticError,
    AttributeError,
    ImportError,
    LookupError,
    TypeError,
    ValueError,
    MemoryError,
)
"""Errors that the unpickler raises for a file that is not a complete pickle."""


def read_batch(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Read one batch of images, such as ``data_batch_1``.

    Parameters
    ----------
    path : Path
        A pickled dictionary with ``data``, a uint8 array of 3072 values for each image, red before green before blue,
        and ``labels``, a list of whole numbers.

    Returns
    -------
    tuple of (uint8 array, int64 array)
        The images (n, 32, 32, 3) and their labels (n).

    Raises
    ------
    FileError
        The file cannot be read, is not such a dictionary, or uses anything but arrays and plain values.
    DataError
        Labels that are not one integer for each image.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "data_batch_1")
    ...     _ = path.write_bytes(pickle.dumps({"data": np.full((2, 3072), 7, np.uint8), "labels": [3, 5]}))
    ...     pixels, labels = read_batch(path)
    >>> pixels.shape, labels
    ((2, 32, 32, 3), array([3, 5]))
    """
    batch = _load(path)
    labels = batch.get("labels")
    pixels = _pixels(batch.get("data"), path)
    if not isinstance(labels, list) or not all(type(label) is int and abs(label) < 2**63 for label in labels):
        raise DataError(f"{path}: 'labels' must be a list of whole numbers; use a batch of CIFAR-10")
    if len(labels) != len(pixels):
        raise DataError(f"{path}: {len(labels)} labels for {len(pixels)} images; fetch the file again")
    return pixels, np.array(labels, np.int64)


def read_names(path: Path) -> tuple[str, ...]:
    """Read the names of the classes from ``batches.meta``.

    Parameters
    ----------
    path : Path
        A pickled dictionary with ``label_names``, a list of texts.

    Returns
    -------
    tuple of str
        The names in the order of the labels.

    Raises
    ------
    FileError
        As `read_batch`, or no names.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "batches.meta")
    ...     _ = path.write_bytes(pickle.dumps({"label_names": [b"cat", b"dog"]}))
    ...     read_names(path)
    ('cat', 'dog')
    """
    names = _load(path).get("label_names")
    if isinstance(names, list):
        texts = [name.decode("utf-8", "replace") if isinstance(name, bytes) else name for name in names]
        if all(isinstance(text, str) for text in texts):
            return tuple(texts)
    raise FileError(f"{path}: 'label_names' must be a list of names; use batches.meta of CIFAR-10")


class _Array:
    """Placeholder for a pickled array, which holds its parts until they are checked."""

    parts: tuple[object, ...] = ()

    def __init__(self, *made_with: object) -> None:
        self.made_with = made_with

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self.parts = tuple(state)


class _Unpickler(pickle.Unpickler):
    """Unpickler that reads plain values, and arrays as `_Array`, and calls no other function or class."""

    def find_class(self, module: str, name: str) -> object:
        """Return a placeholder for the names that pickled arrays use; raise FileError for any other name."""
        if (module, name) == ("_codecs", "encode"):  # how protocol 2 of Python 3 writes bytes
            return lambda text, _: text.encode("latin-1")
        if (module, name) in {
            ("numpy", "ndarray"),
            ("numpy", "dtype"),
            ("numpy.core.multiarray", "_reconstruct"),
            ("numpy._core.multiarray", "_reconstruct"),
            ("numpy.core.numeric", "_frombuffer"),
            ("numpy._core.numeric", "_frombuffer"),
        }:
            return _Array
        raise FileError(
            f"asks for {f'{module}.{name}'[:80]!r}, which no batch of CIFAR-10 needs and which could run code; "
            "nothing was run: get the file from the site that publishes CIFAR-10"
        )


def _load(path: Path) -> dict[str, object]:
    """Read a pickled dictionary, with its keys as text."""
    try:
        with path.open("rb") as file:
            content = _Unpickler(file, encoding="bytes").load()
    except FileError as error:
        raise FileError(f"{path}: {error}") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read ({error.strerror or error})") from None
    except _BROKEN:
        raise FileError(f"{path}: not a whole pickle; fetch the file again") from None
    if not isinstance(content, dict):
        raise FileError(f"{path}: is not a dictionary; use a file of CIFAR-10's Python version")
    return {key.decode("latin-1") if isinstance(key, bytes) else str(key): value for key, value in content.items()}


def _pixels(array: object, path: Path) -> NDArray[np.uint8]:
    """Convert the pickled array of a batch into images."""
    match array:
        case _Array(made_with=(raw, _Array(made_with=(kind, *_)), shape, order, *_)):  # protocol 5
            pass
        case _Array(parts=(_, shape, _Array(made_with=(kind, *_)), fortran, raw)):
            order = "F" if fortran else "C"
        case _:
            raise FileError(f"{path}: 'data' must be an array of bytes; use a batch of CIFAR-10")
    width = np.prod(_SHAPE)
    match shape:
        case (int(count), columns) if count > 0 and columns == width and isinstance(raw, bytes | bytearray):
            if kind in ("u1", b"u1") and len(raw) == count * width and order in ("C", "F"):
                rows = np.frombuffer(raw, np.uint8).reshape(count, width, order="F" if order == "F" else "C")
                return np.ascontiguousarray(rows.reshape(-1, *_SHAPE).transpose(0, 2, 3, 1))
    raise FileError(f"{path}: 'data' must hold {width} bytes for each image; use a batch of CIFAR-10")
