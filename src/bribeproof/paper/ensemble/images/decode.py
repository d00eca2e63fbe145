"""Decode JPEG and PNG pictures into one array of pixels."""

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
"""Pillow's modes for black and white, grey, palette and colour pictures of 8 bits without transparency."""
_BATCH = 500


def decode(pictures: Sequence[tuple[str, bytes | Path]]) -> NDArray[np.uint8]:
    """Decode pictures, which must all be of one size.

    Parameters
    ----------
    pictures : sequence of (str, bytes or Path)
        For each picture its name in messages, and the bytes or the path of its JPEG or PNG file; at least one.

    Returns
    -------
    uint8 array
        The pixels (pictures, height, width, 3), red, green and blue in 0..255; grey ones have three equal channels.

    Raises
    ------
    FileError
        A picture that cannot be read or is incomplete; the message names the first one.
    DataError
        A picture that differs in size from the first, or has more than 8 bits per channel or transparency.
    MissingPackageError
        pillow is not installed.

    Examples
    --------
    >>> from PIL import Image
    >>> file = BytesIO()
    >>> Image.new("RGB", (2, 1), (9, 8, 7)).save(file, "PNG")
    >>> decode([("nearly black", file.getvalue())])
    array([[[[9, 8, 7], [9, 8, 7]]]], dtype=uint8)
    """
    first = _pixels(*pictures[0], None)
    pixels = np.empty((len(pictures), *first.shape), np.uint8)

    def fill(start: int) -> None:
        for number, picture in enumerate(pictures[start : start + _BATCH], start):
            pixels[number] = _pixels(*picture, first.shape)

    with ThreadPoolExecutor() as pool:
        for _ in pool.map(fill, range(0, len(pictures), _BATCH)):
            pass
    return pixels


def _pixels(name: str, picture: bytes | Path, shape: tuple[int, ...] | None) -> NDArray[np.uint8]:
    """Decode one picture, and check its size before its pixels are decoded."""
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
