"""Read places as people write them: 3, 2.5 for a shared one, 3=, T3, 1st."""

import re
import shlex

from bribeproof._text import shorten
from bribeproof.errors import DataError

PLACE = re.compile(r"^(?:=|T)?([0-9]{1,6})(?:[.,](0+|50*))?(?:=|\.|st|nd|rd|th)?$")
"""A place: a whole number, or a half where an even number of entries share a mean place."""
NO_PLACE = frozenset(
    (
        "-", "--", "–", "—", "/", ".", "?", "n/a", "na", "nan", "none", "null", "nil", "dns", "dnf", "dnq", "dsq", "dq",
        "wd", "w/d", "wdr", "withdrawn", "withdrew", "absent", "disqualified",
    )
)  # fmt: skip
"""What stands for no place, in lower case."""


def read_place(text: str, where: str) -> float | None:
    """Return the place that is written in a cell; None if there is none.

    Raises
    ------
    DataError
        If the text is neither a place nor a usual word for none.

    Examples
    --------
    >>> [read_place(text, "line 2") for text in ("3", "2,5", "T4", "1st", "DNS", "")]
    [3.0, 2.5, 4.0, 1.0, None, None]
    """
    text = text.strip()
    if not text or text.casefold() in NO_PLACE:
        return None
    found = PLACE.match(text)
    if found is None or int(found[1]) == 0:
        raise DataError(
            f"{where}: {shorten(text)} is not a place: write 1 for the best, whole numbers, or halves where two share "
            f"a mean place; if it means that there is none: missing=[{text!r}] (--missing {shlex.quote(text)}); marks "
            f"and points are for aggregate"
        )
    return int(found[1]) + (0.5 if (found[2] or "").startswith("5") else 0.0)


def is_plain(text: str) -> bool:
    """Return whether a place is written as a plain number.

    Examples
    --------
    >>> is_plain("2.5"), is_plain("T2")
    (True, False)
    """
    return re.fullmatch(r"[0-9]+(?:[.,][0-9]+)?", text.strip()) is not None
