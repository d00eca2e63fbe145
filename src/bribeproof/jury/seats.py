"""Who sits on a jury, who answered about one item, and how many of the answers k bribed judges or families hold."""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Self, TypeAlias

from bribeproof._text import count, format_name, shorten, with_and
from bribeproof._validation import validate_k
from bribeproof.aggregation.kernels.status import NO_REPORTS, NOT_CERTIFIED, OK
from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.frames.values.text import clean_value
from bribeproof.jury.words import plural

Answers: TypeAlias = Mapping[Any, Any] | Sequence[Any]
"""What each judge says about one item: by judge, or in the order of the judges; None for a judge who says nothing."""
Families: TypeAlias = Mapping[Any, Any] | Sequence[Any]
"""The family of each judge: by judge, or in the order of the judges; None, or no entry, for a judge of no family."""
_NAMED = 5
"""The largest number of judges who are named in a sentence."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The judges who were asked about one item.

    Attributes
    ----------
    judges
        Their names, in the order in which they came; 1, 2, … where they came without names.
    silent
        The names of those who gave no answer. They count in `n`, and `k` does not shrink for them.
    k
        How many judges, or families, may be bribed.
    families
        The family of each judge; None where judges are bribed one by one.
    """

    judges: tuple[Any, ...]
    silent: tuple[Any, ...]
    k: int
    families: tuple[Any, ...] | None = None

    @classmethod
    def read(cls, answers: Answers, k: int, families: Families | None = None) -> tuple[Self, dict[Any, Any]]:
        """Return the seats, and the answer of each judge who gave one."""
        named = by_judge(answers)
        given = {judge: value for judge, value in named.items() if not is_missing(value)}
        silent = tuple(judge for judge in named if judge not in given)
        return cls(tuple(named), silent, validate_k(k), _read_families(tuple(named), families)), given

    @property
    def n(self) -> int:
        """How many judges were asked."""
        return len(self.judges)

    @property
    def m(self) -> int:
        """How many of them gave an answer."""
        return self.n - len(self.silent)

    @property
    def held(self) -> int:
        """How many of the answers that were given k judges, or families, hold at most."""
        silent = {*self.silent}
        return self.most(lambda judge: int(judge not in silent))

    @property
    def status(self) -> str:
        """``"ok"``; ``"not certified"``, where k hold half of the answers or more; ``"no reports"``."""
        if not self.m:
            return NO_REPORTS
        return OK if self.m > 2 * self.held else NOT_CERTIFIED

    def most(self, worth: Callable[[Any], int]) -> int:
        """Return how much of something k judges, or families, hold at most, by its amount with each judge."""
        return sum(self._holdings(worth)[: self.k])

    def fewest(self, worth: Callable[[Any], int], needed: int) -> int:
        """Return how few judges, or families, hold so much of something; they hold enough together."""
        sums = accumulate(self._holdings(worth), initial=0)
        return next(number for number, held in enumerate(sums) if held >= needed)

    def units(self) -> dict[Any, int]:
        """Return for each judge the number of who is bribed together: of the family, or of the judge alone."""
        alone = [None] * self.n if self.families is None else self.families
        first: dict[Any, int] = {}
        numbers = {}
        for place, (judge, family) in enumerate(zip(self.judges, alone, strict=True)):
            numbers[judge] = place if family is None else first.setdefault(family, place)
        return numbers

    def _holdings(self, worth: Callable[[Any], int]) -> list[int]:
        """Return how much each judge, or each family, holds, the largest first."""
        held: Counter[int] = Counter()
        for judge, unit in self.units().items():
            held[unit] += worth(judge)
        return sorted(held.values(), reverse=True)

    @property
    def unit(self) -> str:
        """What a bribe buys: a ``"judge"``, or a ``"family"``."""
        return "judge" if self.families is None else "family"

    @property
    def bribed(self) -> str:
        """The k bribed judges or families, as the subject of a sentence."""
        return f"one bribed {self.unit}" if self.k == 1 else f"{self.k:,} bribed {plural(self.unit)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the size of the jury as plain data of JSON types."""
        return {
            "n": self.n, "m": self.m, "k": self.k, "of": plural(self.unit), "held": self.held,
            "silent": [judge if isinstance(judge, str | int) else str(judge) for judge in self.silent],
        }  # fmt: skip

    def describe(self) -> str:
        """Return how many judges gave an answer, and who is silent, as a sentence."""
        text = f"{self.m:,} of {count(self.n, 'judge')} gave an answer"
        if not self.silent:
            return f"{text}."
        names = with_and([format_name(judge) for judge in self.silent], most=_NAMED)
        return f"{text}; silent: {names}."

    def why(self) -> str:
        """Return why there is no answer, as a sentence, where the status is not ``"ok"``."""
        if not self.m:
            return "No judge gave an answer."
        return f"No answer: {self.bribed} may hold {self.held:,} of {self.m:,}, half or more."


def is_missing(value: object) -> bool:
    """Return whether a value stands for no answer: None, NaN, or blank text.

    Examples
    --------
    >>> [is_missing(value) for value in (None, float("nan"), " ", 0, False)]
    [True, True, True, False, False]
    """
    if isinstance(value, str):
        return not clean_value(value)
    unknown = type(value).__name__ in ("NAType", "NaTType")  # of pandas
    return value is None or unknown or (isinstance(value, float) and math.isnan(value))


def by_judge(answers: Answers) -> dict[Any, Any]:
    """Return the answers by judge; raise an error if there are no judges."""
    if isinstance(answers, str | bytes) or not isinstance(answers, Mapping | Sequence):
        raise ParameterTypeError(
            f"{shorten(answers)} is no jury's answers: give a mapping from judges to answers, or a list of answers, "
            f"None for a judge who gave none"
        )
    named = dict(answers) if isinstance(answers, Mapping) else dict(enumerate(answers, 1))
    if not named:
        raise DataError("there are no judges: give the answer of every judge who was asked, None for none")
    return {judge: _plain(value) for judge, value in named.items()}


def _plain(value: Any) -> Any:
    """Return numpy's scalars as Python's, and text without the blanks around it."""
    return clean_value(value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value)


def _read_families(judges: tuple[Any, ...], families: Families | None) -> tuple[Any, ...] | None:
    """Return the family of each judge; raise an error if a family is given to nobody, or a list is too short."""
    if families is None:
        return None
    listed = _list_families(judges, families)
    for family in listed:
        if not isinstance(family, Hashable):
            raise ParameterTypeError(f"families has {shorten(family)}, which is no name of a family: give text")
    return tuple(None if is_missing(family) else _plain(family) for family in listed)


def _list_families(judges: tuple[Any, ...], families: Families) -> tuple[Any, ...]:
    """Return what was given as the family of each judge."""
    if isinstance(families, Mapping):
        if families and not any(judge in families for judge in judges):
            who = with_and([format_name(judge) for judge in judges], most=_NAMED)
            raise ParameterError(
                f"families names none of the judges, who are {who}: correct the names, or leave it out"
            )
        return tuple(families.get(judge) for judge in judges)
    if isinstance(families, str | bytes) or not isinstance(families, Sequence):
        raise ParameterTypeError(f"families={shorten(families)}: give a mapping from judges to families, or a list")
    if len(families) != len(judges):
        raise ParameterError(
            f"families has {count(len(families), 'entry', 'entries')} for {count(len(judges), 'judge')}: give one for "
            f"each, None for a judge of no family"
        )
    return tuple(families)
