"""Clean names and labels: white space, Unicode forms, near-duplicates and codes for missing values."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof._warnings import warn
from bribeproof.frames.native.backends import nfc
from bribeproof.frames.number_format import read_number
from bribeproof.frames.schema import CLEANED

WHITE_SPACE = (
    " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The characters that are trimmed around a name, incl. no-break spaces and the byte order mark."""

_MISSING_CODES = frozenset(
    {"na", "n/a", "nan", "none", "null", "nil", "missing", "-", "--", "?", ".", "#n/a", "absent"}
)


def clean(frame: nw.LazyFrame[Any], columns: Iterable[str]) -> nw.LazyFrame[Any]:
    """Trim text columns, convert them to Unicode normal form C, and replace empty cells by null.

    The column ``CLEANED`` says how many cells of a row were written otherwise.
    """
    names = list(columns)
    if not names:
        return frame
    written = {name: f"{name}_written" for name in names}
    trimmed = frame.with_columns(
        *(nw.col(name).alias(kept) for name, kept in written.items()),
        *(nw.col(name).str.strip_chars(WHITE_SPACE) for name in names),
    )
    trimmed = nfc(trimmed, names)
    changed = nw.sum_horizontal(
        *(
            ((nw.col(name) != nw.col(kept)) & (nw.col(name) != "")).cast(nw.Int64).fill_null(0)
            for name, kept in written.items()
        )
    )
    trimmed = trimmed.with_columns(changed.alias(CLEANED)).drop(*written.values())
    return trimmed.with_columns(nw.when(nw.col(name) != "").then(nw.col(name)).alias(name) for name in names)


def clean_value(value: Any) -> Any:
    """Clean a value that the user passed in the way in which `clean` does the cells of a table.

    Examples
    --------
    >>> clean_value(" cat ")
    'cat'
    """
    return unicodedata.normalize("NFC", value.strip(WHITE_SPACE)) if isinstance(value, str) else value


def warn_near_duplicates(what: str, names: Sequence[str]) -> None:
    """Warn about names that differ only in case, inner spaces or the notation of a number."""
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(_folded(name), []).append(name)
    groups = [sorted(group) for group in alike.values() if len(group) > 1]
    if groups:
        shown = "; ".join(" and ".join(repr(name) for name in group) for group in sorted(groups)[:3])
        more = f" and {len(groups) - 3} more" if len(groups) > 3 else ""
        warn(f"{what} that look alike are kept apart: {shown}{more}")


def warn_missing_codes(labels: Iterable[str]) -> None:
    """Warn about labels that look like codes for missing values."""
    codes = sorted(label for label in labels if label.casefold() in _MISSING_CODES)
    if codes:
        shown = ", ".join(repr(code) for code in codes)
        warn(f"{shown} looks like a missing code but is counted as a label; list it as missing if it is one")


def _folded(name: str) -> str:
    """Return a key that near-duplicates have in common."""
    folded = "".join(unicodedata.normalize("NFKC", name).casefold().split())
    number = read_number(folded)
    return repr(number) if number is not None and len(folded) < 16 else folded
