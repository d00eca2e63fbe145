"""Recognise columns that are named as places of a ballot: 1st, 2nd, 3rd, or first choice, second choice."""

import re
from collections.abc import Sequence

from bribeproof.frames.reading.words import words_of

_NAMED = ("first", "second", "third", "fourth", "fifth")
_WORDS = frozenset(_NAMED) | {
    "rank", "place", "choice", "preference", "pick", "position", "st", "nd", "rd", "th", "rang", "platz", "wahl",
    "choix", "puesto", "eleccion", "preferencia", "posto", "scelta", "lugar", "escolha", "plaats", "keuze",
}  # fmt: skip
_FEWEST = 2
"""The fewest places of a ballot."""


def places_in(names: Sequence[str]) -> dict[str, int]:
    """Return the columns that are named as places, and the place of each; empty unless these are 1, 2, 3 and so on.

    Examples
    --------
    >>> places_in(["Juror", "1st", "2nd", "3rd"]), places_in(["First choice", "Second choice"])
    ({'1st': 1, '2nd': 2, '3rd': 3}, {'First choice': 1, 'Second choice': 2})
    >>> places_in(["entry", "J1", "J2"]), places_in(["Place", "1"])
    ({}, {})
    """
    found = {name: place for name in names if (place := _place(name))}
    complete = sorted(found.values()) == list(range(1, len(found) + 1))
    return found if complete and len(found) >= _FEWEST else {}


def _place(name: str) -> int:
    """Return the place that a column is named as; 0 for any other name."""
    words = words_of(re.sub(r"(?<=\d)(?=[^\W\d])", " ", name))
    numbers = re.findall(r"\d{1,3}", name)
    named = [_NAMED.index(word) + 1 for word in words if word in _NAMED]
    if not words or not _WORDS.issuperset(words) or len(numbers) + len(named) != 1:
        return 0
    return int(numbers[0]) if numbers else named[0]
