"""Read who is bribed together, and at what price, from columns of the reports or from mappings."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from bribeproof._text import count, list_names
from bribeproof._validation import validate_k
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.statements import look_up
from bribeproof.theory.bribery.bribes import Bribes, amount


class NamedBribes(NamedTuple):
    """Bribes, and the name of each group: a reporter without a group is one by itself, under its own name."""

    bribes: Bribes
    names: tuple[Any, ...]


def read_bribes(
    frame: Any,
    reporter: str,
    reporters: Sequence[Any],
    *,
    k: object = None,
    group: object = None,
    price: object = None,
    budget: object = None,
) -> NamedBribes:
    """Return which groups of reporters can be bribed.

    Parameters
    ----------
    frame
        The reports.
    reporter
        The column of the reporters, where ``group`` or ``price`` is a column.
    reporters
        The names of the reporters, which are numbered in this order.
    k
        How many groups can be bribed, at least 0; of reporters where no groups are given. None with a budget.
    group
        What one bribe buys together: a column of the reports, or a mapping from reporters to groups, which may name
        others as well, but not only others. A reporter without a group, such as one with an empty cell, is bought
        alone.
    price
        What a group costs, or a reporter where no groups are given: a column of the reports, or a mapping from names.
    budget
        The most that is spent; instead of k.

    Raises
    ------
    ColumnError
        If a column does not exist.
    DataError
        If a reporter is in two groups, or a group has two prices.
    ParameterError
        If not exactly one of k and budget is given, a price is without a budget or the other way round, a mapping of
        groups names no reporter, a group has no price, or an amount is no number of at least 0.

    Examples
    --------
    >>> found = read_bribes(None, "", ["ann", "bob", "cy"], group={"ann": "GBR", "bob": "GBR"}, k=1)
    >>> found.names, found.bribes.groups.tolist()
    (('GBR', 'cy'), [0, 0, 1])
    """
    if (k is None) == (budget is None):
        raise ParameterError("say how much can be bribed: either k, such as k=2, or a budget with a price of each")
    if (budget is None) != (price is None):
        needed = "a budget needs prices: give price, a column or a mapping, or k=" if price is None else (
            "prices need a budget: give budget, the most that is spent, instead of k"
        )  # fmt: skip
        raise ParameterError(needed)
    groups = {} if group is None else look_up(frame, reporter, group, "group")
    placed = [groups.get(str(name)) for name in reporters]
    if isinstance(group, Mapping) and groups and not any(str(name) in groups for name in reporters):
        who = list_names([str(name) for name in reporters], 5)
        raise ParameterError(
            f"group names none of the reporters, who are {who}, but {list_names([*groups], 5)}: correct the names, or "
            f"leave group out"
        )
    own = [name if found is None else found for name, found in zip(reporters, placed, strict=True)]
    _check_names(reporters, placed)
    names = tuple(dict.fromkeys(own))
    number = {name: index for index, name in enumerate(names)}
    of_reporter = np.array([number[name] for name in own], dtype=np.int64)
    if price is None:
        return NamedBribes(Bribes(of_reporter, (Fraction(1),) * len(names), Fraction(validate_k(k))), names)
    known = look_up(frame, reporter, price, "price")
    if not isinstance(price, Mapping):
        known = _of_groups(known, reporters, own)
    absent = [name for name in names if str(name) not in known]
    if absent:
        raise ParameterError(
            f"price has no amount for {absent[0]!r}: give one for each of the {count(len(names), 'name')}"
        )
    amounts = tuple(amount(f"price of {name!r}", known[str(name)]) for name in names)
    return NamedBribes(Bribes(of_reporter, amounts, amount("budget", budget)), names)


def _check_names(reporters: Sequence[Any], groups: Sequence[Any]) -> None:
    """Raise an error if a reporter without a group has the name of a group."""
    named = {str(group) for group in groups if group is not None}
    for name, group in zip(reporters, groups, strict=True):
        if group is None and str(name) in named:
            raise DataError(f"{name!r} has no group, and a group has this name: rename one")


def _of_groups(prices: dict[str, Any], reporters: Sequence[Any], groups: Sequence[Any]) -> dict[str, Any]:
    """Return the price of each group from those of its reporters, which are the same."""
    found: dict[str, Any] = {}
    for name, group in zip(reporters, groups, strict=True):
        own = prices.get(str(name))
        if own is not None and found.setdefault(str(group), own) != own:
            raise DataError(
                f"group {group!r} has two prices, {found[str(group)]!r} and {own!r}: a bribe buys the whole group, "
                f"so give one price of each group, or no groups if each reporter is bribed alone"
            )
    return found
