"""Warn about names that a reader takes for one: they differ in case, spaces, invisible or similar characters."""

import unicodedata
from collections.abc import Mapping, Sequence

import polars as pl

from bribeproof._text import shorten
from bribeproof._warnings import warn
from bribeproof.frames.values.number_format import read_number
from bribeproof.frames.values.text import visible

_SIMILAR = {
    '"': "\u00ab\u00bb\u201c\u201d\u201e", "'": "\u0060\u00b4\u02bc\u2018\u2019\u2032",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "3": "\u0417", "A": "\u0391\u0410", "B": "\u0392\u0412",
    "C": "\u03f9\u0421", "D": "\u03ff", "E": "\u0395\u0415", "H": "\u0397\u041d", "I": "\u0399\u0406", "J": "\u0408",
    "K": "\u039a\u041a", "M": "\u039c\u041c", "N": "\u039d", "O": "\u039f\u041e\u0555", "P": "\u03a1\u0420",
    "Q": "\u051a", "S": "\u0405\u054f", "T": "\u03a4\u0422", "U": "\u054d", "W": "\u051c", "X": "\u03a7\u0425",
    "Y": "\u03a5\u0423\u04ae", "Z": "\u0396", "a": "\u0251\u03b1\u0430", "b": "\u042c\u0432\u044c",
    "c": "\u03f2\u0441", "d": "\u0501", "e": "\u03b5\u0435", "g": "\u0261\u0581", "h": "\u043d\u04bb\u0570",
    "i": "\u0131\u0269\u03b9\u0456", "j": "\u03f3\u0458\u0575", "k": "\u03ba\u043a", "l": "\u04cf", "m": "\u043c",
    "n": "\u0578", "o": "\u03bf\u043e\u0585", "p": "\u03c1\u0440", "q": "\u051b", "s": "\u0455", "t": "\u03c4\u0442",
    "u": "\u03c5\u057d", "v": "\u03bd", "w": "\u051d", "x": "\u03c7\u0445", "y": "\u03b3\u0443", "\u00cb": "\u0401",
    "\u00cf": "\u0407", "\u00eb": "\u0451", "\u00ef": "\u0457",
}  # fmt: skip
"""The Greek, Cyrillic, Armenian and other characters that look most like a plain one, which depends on their case."""
_PLAIN = str.maketrans({letter: plain for plain, letters in _SIMILAR.items() for letter in letters})
_ONE_STROKE = str.maketrans("1I|0", "lllO")
_DRAWN_ALIKE = ("1I|l", "0O")
"""Letters and digits that many fonts draw alike."""
_NUMBER_STARTS = frozenset("+-.0123456789")
"""The characters that a number begins with."""
_SHOWN = 3
"""The most groups of names, and characters of a name, that a warning shows."""


def warn_lookalikes(what: str, names: Sequence[str]) -> None:
    """Warn about names that a reader takes for one; those that look the same are told apart by their code points.

    Parameters
    ----------
    what
        What the names are, in the plural.
    names
        Different names.
    """
    seen = {name: _seen(name) for name in names}
    keys = {name: _key(text) for name, text in seen.items()}
    shapes = {name: text.translate(_ONE_STROKE) for name, text in seen.items()}
    groups = _groups(keys)
    groups += [group for group in _groups(shapes) if len({keys[name] for name in group}) > 1]
    if groups:
        shown = "; ".join(_told_apart(group) for group in sorted(groups)[:_SHOWN])
        more = f" and {len(groups) - _SHOWN:,} more" * (len(groups) > _SHOWN)
        warn(f"{what} that look alike are kept apart: {shown}{more}")


def surely_apart(names: pl.Series) -> bool:
    """Return whether names of visible ASCII characters look different; found for all of them together, which is fast.

    Parameters
    ----------
    names
        Different names, without null.

    Returns
    -------
    Whether `warn_lookalikes` has nothing to warn about; False if that is not known.

    Examples
    --------
    >>> [surely_apart(pl.Series(names)) for names in (["t1", "t10"], ["anna", "Anna"], ["10", "10.0"])]
    [True, False, False]
    """
    text = str(names.str.join(" ").item() or "")
    if not (text.isascii() and text.isprintable() and text.count(" ") == max(0, len(names) - 1)):
        return False
    folded, shapes = text.casefold(), text.translate(_ONE_STROKE)
    if any(sum(letter in text for letter in alike) > 1 for alike in _DRAWN_ALIKE) and not _differ(shapes, names):
        return False
    if folded != text and not _differ(folded, names):
        return False
    if _NUMBER_STARTS.isdisjoint(names.str.head(1).unique()):
        return True
    numbers = (name for name in folded.split(" ") if read_number(name) is not None)
    return all(name.isdigit() and name[0] != "0" for name in numbers)


def _differ(text: str, names: pl.Series) -> bool:
    """Return whether all words of a text differ, one for each name."""
    return len(set(text.split(" "))) == len(names)


def _seen(name: str) -> str:
    """Return a name as it is seen, similar letters as the Latin ones, without spaces."""
    if not name.isascii():
        name = unicodedata.normalize("NFKC", visible(name).translate(_PLAIN)).translate(_PLAIN)
    return "".join(visible(name).split())


def _key(seen: str) -> str:
    """Return what names have in common that differ in case or in the notation of a number."""
    folded = seen.casefold()
    number = read_number(folded)
    return repr(number) if number is not None and len(folded) < 16 else folded


def _groups(keys: Mapping[str, str]) -> list[list[str]]:
    """Return the names that have a key in common, sorted."""
    names: dict[str, list[str]] = {}
    for name, key in keys.items():
        names.setdefault(key, []).append(name)
    return [sorted(group) for group in names.values() if len(group) > 1]


def _told_apart(group: Sequence[str]) -> str:
    """Return names that look alike, with the code points of what some of them have in place of a plain letter."""
    common = set.intersection(*map(set, group))
    parts = []
    for name in group:
        odd = [letter for letter in dict.fromkeys(name) if not letter.isascii() and _seen(letter) != letter]
        odd += [letter for letter in dict.fromkeys(name) if letter.isascii() and visible(letter) != letter]
        points = [f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".rstrip() for letter in odd]
        points = [point for point, letter in zip(points, odd, strict=True) if letter not in common]
        parts.append(f"{shorten(name)} ({', '.join(points[:_SHOWN])})" if points else shorten(name))
    return " and ".join(parts)
