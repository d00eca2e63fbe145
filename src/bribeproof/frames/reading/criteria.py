"""Several criteria per reporter: which column holds which, and one score per reporter and item of them."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from bribeproof._text import list_names
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.reading.criterion_names import criterion_side, split_names

How: TypeAlias = Literal["judge first", "each"]
HOW: tuple[How, ...] = ("judge first", "each")
JOINER = " · "
"""Stands between the parts of an item that several columns name, and between a reporter and a criterion."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """How the criteria of a table are combined, and where they are.

    Attributes
    ----------
    how
        ``"judge first"``: a reporter's criteria become one score per item, which are aggregated. ``"each"``: every
        criterion is aggregated, and then the criteria are combined.
    weights
        The weight of each criterion, in order: the combined score is the weighted sum.
    reporters, columns
        Wide form: the reporters, and of each columns, one for each criterion; empty in long form.
    column
        Long form: the column of the criteria.
    values
        Long form with a column of scores for each criterion: these columns, which are brought below each other.
    """

    how: How
    weights: tuple[tuple[str, Fraction], ...]
    reporters: tuple[str, ...] = ()
    columns: tuple[tuple[str, ...], ...] = ()
    column: str = ""
    values: tuple[str, ...] = ()

    @property
    def option(self) -> str | list[str]:
        """The option `criterion` in long form: the column of the criteria, or those of their scores."""
        return list(self.values) or self.column

    @property
    def listed(self) -> list[str]:
        """The weights as they are given in an option, such as ``["tech=2", "art=1/3"]``."""
        return [f"{name}={weight}" for name, weight in self.weights]

    def describe(self) -> str:
        """Return in some words how the criteria are combined."""
        way = (
            "combined for each reporter first" if self.how == "judge first" else "each aggregated first, then combined"
        )
        return f"{len(self.weights):,} criteria, {way}, with the weights {', '.join(self.listed)}"

    @property
    def names(self) -> dict[str, tuple[str, str]]:
        """The reporter and the criterion of each column in wide form; empty in long form."""
        criteria = [name for name, _ in self.weights]
        return {
            column: (reporter, criterion)
            for reporter, columns in zip(self.reporters, self.columns, strict=True)
            for column, criterion in zip(columns, criteria, strict=True)
        }

    def split(self, name: str) -> tuple[str, str]:
        """Return the reporter and the criterion in a name of long form.

        Raises
        ------
        ParameterError
            If the criterion has no weight.
        """
        reporter, _, criterion = name.rpartition(JOINER)
        if criterion not in dict(self.weights):
            raise ParameterError(f"criterion {criterion!r} has no weight; the weights are: {', '.join(self.listed)}")
        return reporter, criterion


def check_how(how: str | None) -> How | None:
    """Return the way in which criteria are combined, if it is one."""
    for known in HOW:
        if how == known or how == known.replace(" ", "-"):
            return known
    if how is None:
        return None
    raise ParameterError(f"criteria={how!r}: use one of {', '.join(map(repr, HOW))}")


def read_weights(weights: Mapping[str, object] | Sequence[str] | None) -> dict[str, Fraction]:
    """Return the weights of criteria, which may be a mapping or texts such as ``tech=2``.

    Examples
    --------
    >>> read_weights(["tech=2", "art=1/3"]), read_weights({"tech": 0.7})
    ({'tech': Fraction(2, 1), 'art': Fraction(1, 3)}, {'tech': Fraction(7, 10)})
    """
    if weights is None:
        return {}
    if isinstance(weights, str):
        raise ParameterError(f"criterion_weights={weights!r} is one text; give a mapping, such as {{'tech': 2}}")
    pairs = weights.items() if isinstance(weights, Mapping) else [text.rpartition("=")[::2] for text in weights]
    found: dict[str, Fraction] = {}
    for name, weight in pairs:
        try:
            found[name.strip()] = Fraction(str(weight).strip())
        except (ValueError, ZeroDivisionError):
            found[name.strip()] = Fraction(0)
        if not name.strip() or found[name.strip()] <= 0:
            raise ParameterError(
                f"criterion_weights: {name!r} has the weight {str(weight)!r}; give each criterion a number above 0, "
                f"such as tech=2,art=1/2"
            )
    return found


def find_criteria(columns: Sequence[str], how: How, weights: Mapping[str, Fraction]) -> Criteria:
    """Return the reporters and the criteria in the names of some columns.

    Parameters
    ----------
    columns
        Columns such as ``J1_tech``, ``J1_art``, ``J2_tech``, ``J2_art``.
    how
        How the criteria are combined.
    weights
        The weights of the criteria; empty for the mean. Their names say which part of a name is the criterion.

    Raises
    ------
    DataError
        If the columns are not one for each reporter and criterion.
    QuestionError
        If either part of the names may be the reporter.

    Examples
    --------
    >>> criteria = find_criteria(["J1_tech", "J1_art", "J2_tech", "J2_art"], "judge first", {})
    >>> criteria.reporters, criteria.listed, criteria.columns[1]
    (('J1', 'J2'), ['tech=1/2', 'art=1/2'], ('J2_tech', 'J2_art'))
    """
    grid = split_names(columns)
    if grid is None:
        raise DataError(
            f"the columns {list_names(columns)} are not one for each reporter and criterion, such as J1_tech, J1_art, "
            f"J2_tech, J2_art: name those that are (--judges)"
        )
    sides = [list(dict.fromkeys(part[side] for part in grid.values())) for side in (0, 1)]
    side = criterion_side(sides, weights)
    criteria, reporters = sides[side], sides[1 - side]
    by_name = {name.casefold(): weight for name, weight in weights.items()}
    if weights and set(by_name) != {name.casefold() for name in criteria}:
        raise ParameterError(
            f"criterion_weights has {list_names(list(weights))}, and the criteria are {list_names(criteria)}"
        )
    shares = tuple((name, by_name.get(name.casefold(), Fraction(1, len(criteria)))) for name in criteria)
    at = {(part[1 - side], part[side]): name for name, part in grid.items()}
    where = tuple(tuple(at[reporter, criterion] for criterion in criteria) for reporter in reporters)
    return Criteria(how, shares, tuple(reporters), where)


def criteria_in(column: str, cells: Sequence[object], how: How, weights: Mapping[str, Fraction]) -> Criteria:
    """Return the criteria of a long table with a column of them, whose different values are given.

    Raises
    ------
    DataError
        If a row has no criterion.
    ParameterError
        If a criterion has no weight.
    """
    found = [str(cell).strip() for cell in cells if cell is not None]
    if len(found) < len(cells) or "" in found:
        raise DataError(
            f"the criterion is missing (column {column!r} has an empty cell); fill it in, or remove the row"
        )
    names = sorted(set(found))
    if weights and set(weights) != set(names):
        raise ParameterError(
            f"criterion_weights has {list_names(list(weights))}, and the criteria are {list_names(names)}"
        )
    return Criteria(
        how, tuple(weights.items()) or tuple((name, Fraction(1, len(names))) for name in names), column=column
    )


def criteria_of(
    values: Sequence[str], existing: Sequence[str], how: How, weights: Mapping[str, Fraction]
) -> tuple[Criteria, str]:
    """Return the criteria of a long table with a column of scores for each, and the column that all scores get.

    Parameters
    ----------
    values
        The columns of the scores.
    existing
        All columns, whose names are taken.
    how, weights
        As in `find_criteria`.

    Raises
    ------
    ParameterError
        If a criterion has no weight.

    Examples
    --------
    >>> criteria, score = criteria_of(["taste", "look"], ["cake", "judge", "taste", "look"], "each", {})
    >>> criteria.column, score, criteria.listed
    ('criterion', 'score', ['taste=1/2', 'look=1/2'])
    """
    if weights and set(weights) != set(values):
        raise ParameterError(
            f"criterion_weights has {list_names(list(weights))}, and the criteria are {list_names(values)}"
        )
    column, score = (next(name for name in _free(word) if name not in existing) for word in ("criterion", "score"))
    shares = tuple((name, weights.get(name, Fraction(1, len(values)))) for name in values)
    return Criteria(how, shares, column=column, values=tuple(values)), score


def _free(word: str) -> Iterator[str]:
    """Yield names for a new column."""
    return itertools.chain([word], (f"{word} ({number})" for number in itertools.count(2)))
