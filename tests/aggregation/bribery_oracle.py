"""What bribed groups can do to one item, by trying every affordable union of groups and every way to rewrite it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

Sheet = tuple[tuple[str, object], ...]
"""The reporters of an item and their reports."""


class Bribery:
    """Groups of reporters, their prices and the budget.

    Parameters
    ----------
    group
        The group of each reporter.
    price
        The price of each group; None if each costs 1.
    budget
        The most that is spent.
    """

    def __init__(self, group: Mapping[str, str], price: Mapping[str, Fraction] | None, budget: Fraction) -> None:
        self.group = dict(group)
        names = sorted(set(self.group.values()))
        self.price = {name: Fraction(1) if price is None else Fraction(price[name]) for name in names}
        self.budget = budget
        self.unions = [union for size in range(len(names) + 1) for union in combinations(names, size)]
        self.rewritten = cache(self._rewritten)

    def cost(self, union: Sequence[str]) -> Fraction:
        """Return the price of some groups."""
        return sum((self.price[name] for name in union), Fraction(0))

    def affordable(self) -> list[tuple[str, ...]]:
        """Return the unions of groups that the budget buys."""
        return [union for union in self.unions if self.cost(union) <= self.budget]

    def most(self, sheet: Sheet) -> int:
        """Return the largest number of reporters of an item that the budget buys."""
        return max(sum(self.group[who] in union for who, _ in sheet) for union in self.affordable())

    def _rewritten(
        self, sheet: Sheet, union: tuple[str, ...], values: tuple[object, ...], *, silence: bool
    ) -> list[Sheet]:
        """Return every sheet that the members of some groups can make of it."""
        own = [who for who, _ in sheet if self.group[who] in union]
        choices = (*values, None) if silence else values
        sheets = []
        for said in product(choices, repeat=len(own)):
            new = dict(zip(own, said, strict=True))
            kept = ((who, new.get(who, report)) for who, report in sheet)
            sheets.append(tuple((who, report) for who, report in kept if report is not None))
        return sheets

    def least_price(
        self, sheet: Sheet, values: tuple[object, ...], ties: str, order: Sequence[object]
    ) -> Fraction | None:
        """Return the price of the cheapest union that takes the win away; None if none does; 0 at a tie."""
        winner = wins(sheet, ties, order)
        if winner is None or leaders(sheet) > 1:
            return Fraction(0)
        for union in sorted(self.unions, key=self.cost):
            if any(wins(one, ties, order) != winner for one in self.rewritten(sheet, union, values, silence=True)):
                return self.cost(union)
        return None

    def trimmed_means(self, sheet: Sheet, values: tuple[object, ...], *, silence: bool) -> Iterator[Fraction | None]:
        """Yield every trimmed mean that the budget can cause; None where too few reports are left."""
        for union in self.affordable():
            for one in self.rewritten(sheet, union, values, silence=silence):
                yield trimmed_mean([Fraction(str(score)) for _, score in one], self.most(one))


def leaders(sheet: Sheet) -> int:
    """Return how many labels have the most reports."""
    counts = Counter(label for _, label in sheet)
    return sum(count == max(counts.values()) for count in counts.values())


def wins(sheet: Sheet, ties: str, order: Sequence[object]) -> object:
    """Return the label with the most reports; at a tie None, or the first or last of them in an order."""
    counts = Counter(label for _, label in sheet)
    best = [label for label in order if counts[label] and counts[label] == max(counts.values())]
    if not best or (ties == "none" and len(best) > 1):
        return None
    return best[-1 if ties == "last" else 0]


def trimmed_mean(scores: list[Fraction], k: int) -> Fraction | None:
    """Return the mean without the k lowest and the k highest scores; None if nothing is left."""
    kept = sorted(scores)[k : len(scores) - k]
    return sum(kept, Fraction(0)) / len(kept) if len(scores) > 2 * k else None
