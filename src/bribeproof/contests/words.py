"""Words for who is bribed in a contest."""

from collections.abc import Collection, Sequence
from typing import Any

from bribeproof._text import name_in_list, with_and

_NAMED = 5


def nouns_of(bought: str) -> tuple[str, str]:
    """Return what a bribe buys, in the singular and in the plural.

    Examples
    --------
    >>> nouns_of("judge"), nouns_of("nation")
    (('judge', 'judges'), ('group (nation)', 'groups (nation)'))
    """
    if bought in ("judge", "group"):
        return bought, f"{bought}s"
    return f"group ({bought})", f"groups ({bought})"


def any_of(names: Sequence[Any], most: int = _NAMED) -> str:
    """Return some names, any one of which it may be, and how many more there are.

    Examples
    --------
    >>> any_of(["A"]), any_of("ABCDEFG")
    ('A', 'any of A, B, C, D, E and 2 more')
    """
    return f"{'any of ' * (len(names) > 1)}{with_and([*map(name_in_list, names)], most)}"


def joined(names: Collection[Any]) -> str:
    """Return all of some names.

    Examples
    --------
    >>> joined(["J1"]), joined(["J1", "J2", "J3"])
    ('J1', 'J1, J2 and J3')
    """
    return with_and([*map(name_in_list, names)])


def dropped_marks(trim: int | None, part: str) -> str:
    """Return how many marks are dropped.

    Examples
    --------
    >>> dropped_marks(1, "dive"), dropped_marks(0, "dive")
    ('the lowest and the highest mark of each dive dropped', 'no marks dropped')
    """
    if trim is None:
        return f"as many of the lowest and of the highest marks of each {part} dropped as can be bribed on it"
    if trim == 0:
        return "no marks dropped"
    if trim == 1:
        return f"the lowest and the highest mark of each {part} dropped"
    return f"the {trim:,} lowest and the {trim:,} highest marks of each {part} dropped"
