"""Names of columns such as J1_tech: which part names the reporter, and which the criterion."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from bribeproof._text import list_names
from bribeproof.frames.reading.words import role_of
from bribeproof.questions import Choice, QuestionError

_MOST_WORDS = 6
"""The names of reporters and of criteria have fewer words than this."""


def split_names(columns: Sequence[str]) -> dict[str, tuple[str, str]] | None:
    """Split names into two parts, so that every first part occurs with every second part; None if they do not.

    Examples
    --------
    >>> split_names(["Taste Anna", "Look Anna", "Taste Boris", "Look Boris"])["Look Boris"]
    ('Look', 'Boris')
    >>> split_names(["Anna", "Boris"])
    """
    tokens = [list(re.finditer(r"\d+|[^\W\d_]+", name)) for name in columns]
    for place in (*range(1, _MOST_WORDS), *range(-1, -_MOST_WORDS, -1)):
        cuts = [place if place > 0 else len(found) + place for found in tokens]
        if not all(0 < cut < len(found) for cut, found in zip(cuts, tokens, strict=True)):
            continue
        parts = {
            name: (name[: found[cut - 1].end()].strip(), _without_bracket(name[found[cut].start() :].strip()))
            for name, found, cut in zip(columns, tokens, cuts, strict=True)
        }
        first, second = ({part[side] for part in parts.values()} for side in (0, 1))
        full = len(set(parts.values())) == len(columns) == len(first) * len(second)
        if full and min(len(first), len(second)) > 1:
            return parts
    return None


def names_criteria_first(columns: Sequence[str]) -> bool:
    """Return whether names are words of criteria before those of reporters.

    Examples
    --------
    >>> names_criteria_first(["Nose (J1)", "Palate (J1)", "Nose (J2)", "Palate (J2)"])
    True
    >>> names_criteria_first(["Judge A1", "Judge A2", "Judge B1", "Judge B2"])
    False
    """
    parts = split_names(columns) or {}
    return bool(parts) and all(
        _named(person) and not (_named(criterion) or _numbered(criterion)) for criterion, person in parts.values()
    )


def ask_criteria(columns: Sequence[str], others: Sequence[Choice]) -> QuestionError | None:
    """Return the question how several criteria of each reporter are read; None if the columns are no criteria."""
    parts = split_names(columns)
    if parts is None:
        return None
    sides = [list(dict.fromkeys(pair[side] for pair in parts.values())) for side in (0, 1)]
    side = _known_side(sides, {})
    options: dict[str, list[str]] = {"judges": list(columns)}
    if side is None:  # criteria are fewer than people
        side = min((0, 1), key=lambda one: len(sides[one]))
        options["criterion_weights"] = [f"{name}={Fraction(1, len(sides[side]))}" for name in sides[side]]
    named = list_names(sides[side], most=3)
    ways = {"judge first": f"the mean of each reporter's {named} is one score",
            "each": f"{named} are aggregated by themselves, and then their mean is taken"}  # fmt: skip
    choices = [Choice(meaning, {"criteria": how, **options}) for how, meaning in ways.items()]
    return QuestionError(f"the columns {list_names(columns)} seem to be several of each reporter", [*choices, *others])


def _without_bracket(part: str) -> str:
    """Return the end of a name without a bracket that its beginning has opened, as in *Nose (J1)*."""
    for opening, closing in ("()", "[]"):
        if part.endswith(closing) and opening not in part:
            return part[:-1].rstrip()
    return part


def _known_side(sides: Sequence[Sequence[str]], weights: Mapping[str, Fraction]) -> int | None:
    """Return which parts of the names are the criteria, the first (0) or the second (1); None if nothing says so."""
    known = {name.casefold() for name in weights}
    matching = [side for side in (0, 1) if {name.casefold() for name in sides[side]} == known]
    if len(matching) == 1:
        return matching[0]
    for is_reporter in (_named, _numbered):
        people = [side for side in (0, 1) if all(map(is_reporter, sides[side]))]
        if len(people) == 1:
            return 1 - people[0]
    return None


def criterion_side(sides: Sequence[Sequence[str]], weights: Mapping[str, Fraction]) -> int:
    """Return which parts of the names are the criteria, or ask."""
    side = _known_side(sides, weights)
    if side is not None:
        return side
    raise QuestionError(
        f"which are the criteria, {list_names(sides[0])} or {list_names(sides[1])}",
        [
            Choice(f"{list_names(side)} are the criteria", {
                "criterion_weights": [f"{name}={Fraction(1, len(side))}" for name in side]
            })
            for side in sides
        ],
    )  # fmt: skip


def _named(part: str) -> bool:
    """Return whether a part of a name is that of one reporter, such as judge 1 or chair."""
    return role_of(part).role in ("reporter", "one reporter")


def _numbered(part: str) -> bool:
    """Return whether a part of a name has a number."""
    return any(letter.isdigit() for letter in part)
