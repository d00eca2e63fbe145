"""Files of images that the tests write, and how they see a refusal."""

import re
import struct
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from bribeproof.paper.ensemble.images.load import load_images

RNG = np.random.default_rng(7)
ANIMALS = ["cat", "dog", "eel"]

Pixels = NDArray[np.uint8]


def noise(*shape: int) -> Pixels:
    return RNG.integers(0, 256, shape, dtype=np.uint8)


def png(pixels: Pixels) -> bytes:
    """PNG file of uint8 (height, width, 3) or (height, width), written without any library for pictures."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = pixels.shape[:2]
    colour = 2 if pixels.ndim == 3 else 0
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def saved(image: Image.Image, kind: str = "PNG") -> bytes:
    """File of a picture, written by pillow."""
    buffer = BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


def folders(root: Path, **parts: dict[str, dict[str, bytes]]) -> Path:
    for part, classes in parts.items():
        for name, files in classes.items():
            (root / part / name).mkdir(parents=True)
            for file, content in files.items():
                (root / part / name / file).write_bytes(content)
    return root


def refused(error: type[Exception], said: str, data: str, path: Path | None) -> str:
    """Message, on one line, of the refusal."""
    with pytest.raises(error, match=re.escape(said)) as caught:
        load_images(data, path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).count("cannot be read") == said.count("cannot be read"), "one error inside another"
    return str(caught.value)


SMALL = png(noise(2, 2, 3))
PAIR = {"cat": {"1.png": SMALL}, "dog": {"1.png": SMALL}}
