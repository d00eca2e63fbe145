"""Read the idx format of MNIST and similar sets: a magic number, the sizes, the bytes."""

import gzip
import math
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bribeproof.errors import FileError

_BYTES = 8
"""The type code of unsigned bytes."""


def read_idx(path: Path, dimensions: int) -> NDArray[np.uint8]:
    r"""Read an array of unsigned bytes, compressed with gzip or not.

    Parameters
    ----------
    path : Path
        The file; one that ends in ``.gz`` is decompressed.
    dimensions : int
        Number of dimensions that the array must have.

    Returns
    -------
    uint8 array
        The array.

    Raises
    ------
    FileError
        The file cannot be read, has another magic number, is empty, or is shorter or longer than its sizes.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "labels-idx1-ubyte")
    ...     _ = path.write_bytes(b"\0\0\x08\x01" + b"\0\0\0\x03" + b"\x07\x01\x02")
    ...     read_idx(path, 1)
    array([7, 1, 2], dtype=uint8)
    """
    header = struct.Struct(f">I{dimensions}I")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            start = file.read(header.size)
            if len(start) < header.size:
                raise EOFError
            magic, *shape = header.unpack(start)
            expected = _BYTES << 8 | dimensions
            if magic != expected:
                raise FileError(
                    f"{path}: magic number {magic}, not the {expected} of bytes in {dimensions} dimensions; "
                    "use the right idx file"
                )
            size = math.prod(shape)
            if size == 0:
                raise FileError(f"{path}: is empty (sizes {shape}); fetch the file again")
            data = file.read(size)
            if len(data) < size:
                raise EOFError
            if file.read(1):
                raise FileError(f"{path}: is longer than the {size} bytes of its sizes {shape}; fetch it again")
    except FileError:
        raise
    except (EOFError, OverflowError, MemoryError):
        raise FileError(f"{path}: ends too early; fetch the file again") from None
    except (gzip.BadGzipFile, zlib.error):
        raise FileError(f"{path}: not a whole gzip file; fetch the file again") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read ({error.strerror or error})") from None
    return np.frombuffer(data, np.uint8).reshape(shape)
