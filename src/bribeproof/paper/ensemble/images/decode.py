"""JPEG and PNG pictures as one array of pixels."""

import struct
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bribeproof._optional import require
from bribeproof.errors import DataError, FileError

_MODES = ("1", "L", "P", "RGB")
"""What pillow calls black and white, grey, a palette, and colours, of 8 bits and without transparency."""
_BATCH = 500


def decode(pictures: Sequence[tuple[str, bytes | Path]]) -> NDArray[np.uint8]:
    """Decode pictures, which must all be of one size.

    Parameters
    ----------
    pictures : sequence of (str, bytes or Path)
        For each picture, at least one, what messages call it, and the bytes of its JPEG or PNG file, or the path.

    Returns
    -------
    uint8 array
        The pixels (pictures, height, width, 3), red, green and blue in 0..255; grey ones have three equal channels.

    Raises
    ------
    FileError
        If one cannot be read or is no whole picture. Of several bad pictures the first is named.
    DataError
        If one has another size than the first, more than 8 bits for a channel, or transparency.
    MissingPackageError
        If pillow is not installed.

    Examples
    --------
    >>> from PIL import Image
    >>> file = BytesIO()
    >>> Image.new("RGB", (2, 1), (9, 8, 7)).save(file, "PNG")
    >>> decode([("nearly black", file.getvalue())])
    array([[[[9, 8, 7], [9, 8, 7]]]], dtype=uint8)
    """
    first = _pixels(*pictures[0], None)
    found = np.empty((len(pictures), *first.shape), np.uint8)

    def fill(start: int) -> None:
        for number, picture in enumerate(pictures[start : start + _BATCH], start):
            found[number] = _pixels(*picture, first.shape)

    with ThreadPoolExecutor() as pool:
        for _ in pool.map(fill, range(0, len(pictures), _BATCH)):
            pass
    return found


def _pixels(name: str, picture: bytes | Path, shape: tuple[int, ...] | None) -> NDArray[np.uint8]:
    """Decode one picture; its size is looked at before its pixels are."""
    require("a picture", "PIL")
    from PIL import Image

    try:
        data = picture.read_bytes() if isinstance(picture, Path) else picture
    except OSError as error:
        raise FileError(f"{name}: cannot be read ({error.strerror or error})") from None
    try:
        with Image.open(BytesIO(data), formats=("JPEG", "PNG")) as image:
            size, mode = (image.height, image.width, 3), image.mode
            plain = mode in _MODES and "transparency" not in image.info
            if plain and shape in (None, size):
                return np.asarray(image.convert("RGB"))
    except (OSError, SyntaxError, ValueError, struct.error, Image.DecompressionBombError):
        raise FileError(f"{name}: not a whole JPEG or PNG picture; replace it") from None
    if not plain:
        raise DataError(f"{name}: a picture of mode {mode}; use colours or grey of 8 bits without transparency")
    tall, wide = (shape or size)[:2]
    raise DataError(f"{name}: {size[1]} x {size[0]} pixels, the first is {wide} x {tall}; bring all to one size")
