"""Through what a sweep goes: numbers of bribed reporters, numbers of bribed groups, or budgets."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from bribeproof._validation import validate_k
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.bribe_unit import BribeUnit
from bribeproof.frames.bribed_groups import BribedGroups, GivenBribes, bribed_in_all
from bribeproof.frames.reports import Reports
from bribeproof.theory.bribery.bribes import amount


@dataclass(frozen=True, slots=True, eq=False)
class SweptBribes:
    """What a bribe buys in a sweep, and what it costs.

    Attributes
    ----------
    given
        The groups and the prices, without a budget; None where reporters are bribed one by one.
    """

    given: GivenBribes | None = None

    @classmethod
    def of(cls, frame: Any, reporter: str, group: object, price: object) -> "SweptBribes":
        """Return what is given for a table, with its column of reporters."""
        return cls(GivenBribes.of(frame, reporter, group, price, None))

    @property
    def unit(self) -> BribeUnit:
        """What is counted."""
        given = self.given
        return BribeUnit() if given is None else BribeUnit(given.what, priced=self._priced, counted=True)

    def numbers(self, ks: object, budget: object) -> list[Any] | None:
        """Return the numbers of bribed reporters or groups, or the exact budgets; None for all numbers from 0.

        Parameters
        ----------
        ks
            The numbers; None for all.
        budget
            With prices: several budgets, or one, which stands for 0 and itself.

        Raises
        ------
        ParameterError
            If a budget is given without prices or the other way round, or if the numbers do not ascend.

        Examples
        --------
        >>> SweptBribes().numbers([0, 2], None)
        [0, 2]
        >>> prices = SweptBribes.of(None, "", None, {"ann": 5, "bob": 7})
        >>> prices.numbers(None, ["1/3", 7.5]), prices.numbers(None, 0.3)
        ([Fraction(1, 3), Fraction(15, 2)], [Fraction(0, 1), Fraction(3, 10)])
        """
        if budget is not None and not self._priced:
            raise ParameterError("a budget needs prices: give price, a column or a mapping, or leave the budget out")
        if self._priced:
            if budget is None or ks is not None:
                raise ParameterError("with prices give budgets, such as budget=[0, 10, 20], and no number of bribes")
            if isinstance(budget, str) or not isinstance(budget, Iterable):
                return sorted({Fraction(0), amount("budget", budget)})
            return _ascending("budget", budget, partial(amount, "budget"))
        return None if ks is None else _ascending("ks", ks, validate_k)

    def at(self, number: Any) -> dict[str, Any]:
        """Return the arguments of a combine function for one of the numbers."""
        if self.given is None:
            return {"k": number}
        if self._priced:
            return {"k": None, "bribes": replace(self.given, budget=number)}
        return {"k": number, "bribes": self.given}

    def groups(self, reports: Reports) -> BribedGroups:
        """Return the groups of reports in memory, of which nothing is bribed yet."""
        arguments = self.at(0)
        groups: BribedGroups = arguments["bribes"].read(reports, arguments["k"])
        return groups

    def in_all(self, reports: Reports, number: Any) -> int:
        """Return how many reporters of the whole table may be bribed, for one of the numbers."""
        arguments = self.at(number)
        return int(bribed_in_all(arguments.get("bribes"), reports, arguments["k"]) or 0)

    @property
    def _priced(self) -> bool:
        """Whether bribes have prices."""
        return self.given is not None and self.given.price is not None


def _ascending(name: str, given: object, read: Callable[[Any], Any]) -> list[Any]:
    """Return numbers that ascend; raise an error if they do not."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterTypeError(f"{name}={given!r}: give numbers in ascending order, such as [0, 1, 2]")
    numbers = [read(one) for one in given]
    if not numbers or numbers != sorted(set(numbers)):
        raise ParameterError(f"{name}=[{', '.join(map(str, numbers))}]: give numbers in ascending order, at least one")
    return numbers
