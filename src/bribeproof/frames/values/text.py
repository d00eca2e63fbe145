"""Clean names and labels: white space, Unicode forms, invisible characters."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import clean_text, plain_columns
from bribeproof.frames.schema import CLEANED

WHITE_SPACE = (
    " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The characters that are trimmed around a name, incl. no-break spaces and the byte order mark."""

_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Control characters, characters that Unicode lets programs ignore, and the blank of Braille."""


def clean(frame: nw.LazyFrame[Any], columns: Iterable[str], *, in_memory: bool = False) -> nw.LazyFrame[Any]:
    """Trim text columns, convert them to Unicode normal form C, and replace empty cells by null.

    The column ``CLEANED`` says how many cells of a row were written otherwise. Rows that are in memory are looked at
    first, and most columns of these are clean.
    """
    names = list(columns)
    if not names:
        return frame
    if in_memory:
        frame = nw.from_native(collect(frame).lazy())
        clean_ones = plain_columns(frame, names)
        names = [name for name in names if name not in clean_ones]
    if not names:
        return frame.with_columns(nw.lit(0, nw.Int64).alias(CLEANED))
    written = {name: f"{name}_written" for name in names}
    cleaned = frame.with_columns(nw.col(name).alias(kept) for name, kept in written.items())
    cleaned = clean_text(cleaned, names, WHITE_SPACE)
    changed = ((nw.col(name) != nw.col(kept)).cast(nw.Int64).fill_null(0) for name, kept in written.items())
    return cleaned.with_columns(nw.sum_horizontal(*changed).alias(CLEANED)).drop(*written.values())


def clean_value(value: Any) -> Any:
    """Clean a value that the user passed in the way in which `clean` does the cells of a table.

    Examples
    --------
    >>> clean_value(" cat ")
    'cat'
    """
    return unicodedata.normalize("NFC", value.strip(WHITE_SPACE)) if isinstance(value, str) else value


def visible(text: str) -> str:
    r"""Return a text without the characters that nobody sees, such as zero-width spaces and marks of direction.

    Examples
    --------
    >>> visible("an\u00adna\u200b")
    'anna'
    """
    return text if text.isascii() and text.isprintable() else _UNSEEN.sub("", text)
