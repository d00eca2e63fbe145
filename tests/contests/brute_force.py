"""Places in a contest by brute force: marks of every set of judges are rewritten, and totals computed in fractions."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Marks = Mapping[Any, Mapping[Any, Mapping[str, Fraction]]]
"""The marks of each judge on each part of each entry."""
Rule = Callable[[Any, Mapping[Any, Fraction]], Fraction]
"""The total of an entry from the scores of its parts."""


def trimmed(marks: Sequence[Fraction], trim: int) -> Fraction:
    """Return the mean of marks without the lowest and the highest ones."""
    kept = sorted(marks)[trim : len(marks) - trim]
    return sum(kept, Fraction(0)) / len(kept)


def total(marks: Marks, rule: Rule, entry: Any, bribed: Sequence[str], mark: Fraction | None, trim: int) -> Fraction:
    """Return the total of an entry, its bribed judges writing one mark on every part."""
    parts = {
        part: trimmed([mark if mark is not None and judge in bribed else own for judge, own in row.items()], trim)
        for part, row in marks[entry].items()
    }
    return rule(entry, parts)


def places(
    marks: Marks, rule: Rule, bribed: Sequence[str], scale: tuple[Fraction, Fraction], trim: int
) -> dict[Any, tuple[int, int, int]]:
    """Return the place of each entry, its best one and its worst one, if some judges are bribed throughout."""
    now, low, high = (
        {entry: total(marks, rule, entry, bribed, end, trim) for entry in marks} for end in (None, *scale)
    )
    return {
        entry: (
            1 + sum(now[other] > now[entry] for other in marks),
            1 + sum(low[other] > high[entry] for other in marks if other != entry),
            1 + sum(high[other] > low[entry] for other in marks if other != entry),
        )
        for entry in marks
    }


def places_over_all(
    marks: Marks, rule: Rule, judges: Sequence[str], k: int, scale: tuple[Fraction, Fraction], trim: int
) -> dict[Any, tuple[int, int, int]]:
    """Return the place of each entry, and its best and its worst one over all sets of k judges."""
    found = [places(marks, rule, bribed, scale, trim) for bribed in combinations(judges, k)]
    return {
        entry: (found[0][entry][0], min(one[entry][1] for one in found), max(one[entry][2] for one in found))
        for entry in marks
    }


def places_if_others(
    marks: Marks, rule: Rule, judges: Sequence[str], k: int, scale: tuple[Fraction, Fraction], trim: int
) -> dict[Any, tuple[int, int, int]]:
    """Return the places of each entry if other k judges may be bribed on each part."""
    sets = list(combinations(judges, k))

    def ends(entry: Any, pick: Callable[..., Fraction], mark: Fraction) -> Fraction:
        parts = {
            part: pick(trimmed([mark if j in bribed else own for j, own in row.items()], trim) for bribed in sets)
            for part, row in marks[entry].items()
        }
        return rule(entry, parts)

    picks: tuple[Any, Any] = (min, max) if scale[0] < scale[1] else (max, min)
    low, high = ({entry: ends(entry, pick, end) for entry in marks} for pick, end in zip(picks, scale, strict=True))
    now = places(marks, rule, (), scale, trim)
    return {
        entry: (
            now[entry][0],
            1 + sum(low[other] > high[entry] for other in marks if other != entry),
            1 + sum(high[other] > low[entry] for other in marks if other != entry),
        )
        for entry in marks
    }
