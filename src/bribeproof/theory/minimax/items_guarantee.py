"""The guarantee of a table: the average over its items, each with the reports that it really has."""

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bribeproof.theory.minimax.optimal import least_loss_rule
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.piecewise import PiecewiseLinear

RuleOf: TypeAlias = Callable[[Panel, Expert | ExpertInterval, Loss | str], PiecewiseLinear]
"""A function that returns the rule of a panel."""


_MOST_SOLVED = 12
"""With a bound of joint errors, so many numbers of reports are solved."""


@dataclass(frozen=True, slots=True)
class ItemsGuarantee(Guarantee):
    """Proven bounds on average over the certified items of a table; the other items have no guarantee.

    Parameters
    ----------
    expected_loss, regret, exact, basis
        As in `Guarantee`, on average over the certified items. `exact` where it is exact for each of them; `basis`
        where all have the same, else the effective expert, whose bound holds for all.
    certified : int
        Number of items that it speaks for: those with more than 2k reports.
    items : int
        Number of items in all.
    reports : tuple of int
        The fewest and the most reports on a certified item.

    Notes
    -----
    docs/theory.md §15: an item with m reports has the guarantee of the panel (m, k), not that of all n reporters.
    """

    certified: int
    items: int
    reports: tuple[int, int]


def items_guarantee(
    sizes: Mapping[int, int],
    k: int,
    expert: Expert | ExpertInterval,
    loss: Loss | str = "squared",
    *,
    rule_of: RuleOf = least_loss_rule,
) -> ItemsGuarantee | None:
    """Return the guarantee of the optimal rule on average over the certified items of a table.

    Parameters
    ----------
    sizes : mapping from int to int
        The number of items by their number of reports.
    k : int
        Largest number of bribed reporters.
    expert : Expert or ExpertInterval
        The rates of a truthful reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast.
    rule_of : callable
        Returns the rule of a panel; by default that with the least expected loss.

    Returns
    -------
    ItemsGuarantee or None
        None if no item has more than 2k reports, or no guarantee is known for the loss.

    Raises
    ------
    ParameterError
        An unknown loss.

    Notes
    -----
    With a bound of joint errors each number of reports takes a convex program. Of more than 12 of them, 12 are solved,
    and the guarantee of an item is that of the next smaller one: more reports, with as many bribed, never guarantee
    less (docs/theory.md, Proposition 12.7).

    Examples
    --------
    >>> found = items_guarantee({10: 3, 5: 1, 4: 2}, 2, Expert(0.5, 0.9, 0.1))
    >>> round(found.expected_loss, 4), found.certified, found.items, found.reports
    (0.1392, 4, 6, (5, 10))
    """
    certified = {m: count for m, count in sorted(sizes.items()) if count and m > 2 * k}
    solved = list(certified) if expert.may_err_together else some_sizes(certified)
    found = {m: rule_of(Panel(m, k), expert, loss).guarantee for m in solved}
    given = {m: found[solved[bisect_right(solved, m) - 1]] for m in certified}
    guarantees = {m: guarantee for m, guarantee in given.items() if guarantee is not None}
    if not certified or len(guarantees) < len(certified):
        return None
    bases = {guarantee.basis for guarantee in guarantees.values()}
    return ItemsGuarantee(
        mean_of_groups([(guarantees[m].expected_loss, count) for m, count in certified.items()]),
        mean_of_groups([(guarantees[m].regret, count) for m, count in certified.items()]),
        all(guarantee.exact for guarantee in guarantees.values()),
        bases.pop() if len(bases) == 1 else Basis.EFFECTIVE_EXPERT,
        sum(certified.values()),
        sum(sizes.values()),
        (min(certified), max(certified)),
    )


def some_sizes(sizes: Mapping[int, int]) -> list[int]:
    """Return at most 12 of some numbers of reports, ascending, with about as many items from each to the next."""
    ordered = list(sizes)
    if len(ordered) <= _MOST_SOLVED:
        return ordered
    reached = list(itertools.accumulate(sizes.values()))
    starts = [bisect_right(reached, part * reached[-1] / _MOST_SOLVED) for part in range(_MOST_SOLVED)]
    return [ordered[place] for place in sorted({0, *starts})]


def mean_of_groups(groups: list[tuple[float, int]]) -> float:
    """Return the mean of values that occur so many times each; the value itself, unrounded, if there is one.

    Examples
    --------
    >>> mean_of_groups([(0.1, 3)]), mean_of_groups([(0.25, 1), (0.5, 3)])
    (0.1, 0.4375)
    """
    if len({value for value, _ in groups}) == 1:
        return groups[0][0]
    return math.fsum(value * count for value, count in groups) / sum(count for _, count in groups)
