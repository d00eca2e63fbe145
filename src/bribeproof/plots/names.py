"""Show names from the data in pictures: literally, on one line, and cut where they are long."""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from bribeproof._text import printable

if TYPE_CHECKING:
    from matplotlib.text import Text

LONGEST = 24
"""Longest name, in letters; wide letters, such as Chinese ones, count twice."""
_FALLBACK = "Last Resort High-Efficiency"
"""A font of matplotlib with a sign for every letter; without it matplotlib warns of missing letters."""


def shown(value: object, longest: int = LONGEST) -> str:
    r"""Return a name as one short line of printable text.

    Parameters
    ----------
    value : object
        The name, of any type.
    longest : int, default 24
        Largest number of letters, at least 2; a longer name is cut.

    Returns
    -------
    str
        Printable text, with escape codes in place of control characters.

    Examples
    --------
    >>> shown("a\tb\x00"), shown("Supercalifragilistic", 8)
    ('a b\\x00', 'Superca…')
    """
    text = printable(str(value)[: 8 * longest])
    widths = [1 + (east_asian_width(letter) in "WF") for letter in text]
    if sum(widths) <= longest:
        return text
    kept, width = 0, 0
    while width + widths[kept] < longest:
        width += widths[kept]
        kept += 1
    return f"{text[:kept]}…"


def set_literal(texts: Iterable["Text"]) -> None:
    """Render texts literally: without formulas, and with a sign for each letter that their font lacks."""
    from matplotlib.font_manager import fontManager

    has_fallback = _FALLBACK in fontManager.get_font_names()
    for text in texts:
        text.set_parse_math(False)
        text.set_usetex(False)
        if has_fallback:
            text.set_fontfamily([*text.get_fontfamily(), _FALLBACK])
