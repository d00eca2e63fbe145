"""Text of the user's in a picture: shown as it was typed, on one line, not too long, and obeyed by nothing."""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from matplotlib.text import Text

LONGEST = 24
"""Names are cut to about so many letters; letters as wide as those of Chinese count twice."""
_JOINERS = "\u200c\u200d"
"""What Persian and Indian scripts and joined emoji need, though it is not seen."""
_FALLBACK = "Last Resort High-Efficiency"
"""Has a sign for every letter: matplotlib brings it along, and warns of letters that no font of a text has."""


def shown(value: object, longest: int = LONGEST) -> str:
    r"""Return a name as a picture shows it: on one line, the unprintable as its code, the end cut off.

    Parameters
    ----------
    value
        The name, of any type.
    longest
        How many letters it may have at most, at least 2.

    Returns
    -------
    str
        Printable text.

    Examples
    --------
    >>> shown("a\tb\x00"), shown("Supercalifragilistic", 8)
    ('a b\\x00', 'Superca…')
    """
    text = "".join(
        letter if letter.isprintable() or letter in _JOINERS else ascii(letter)[1:-1]
        for letter in " ".join(str(value)[: 8 * longest].split())
    )
    widths = [1 + (east_asian_width(letter) in "WF") for letter in text]
    if sum(widths) <= longest:
        return text
    kept, width = 0, 0
    while width + widths[kept] < longest:
        width += widths[kept]
        kept += 1
    return f"{text[:kept]}…"


def as_typed(texts: Iterable["Text"]) -> None:
    """Have texts drawn as they are: no formulas, and a sign for a letter that the font does not have."""
    from matplotlib.font_manager import fontManager

    known = _FALLBACK in fontManager.get_font_names()
    for text in texts:
        text.set_parse_math(False)
        text.set_usetex(False)
        if known:
            text.set_fontfamily([*text.get_fontfamily(), _FALLBACK])
