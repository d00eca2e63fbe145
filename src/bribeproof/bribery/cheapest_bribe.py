"""Find the fewest reporters, or the cheapest, who could change so many decisions of a table, or named ones."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bribeproof._text import count, format_amount, format_name, shorten
from bribeproof._typing import FloatArray
from bribeproof._validation import exact_fraction
from bribeproof.bribery.cheapest_result import CheapestBribe
from bribeproof.bribery.question import Question
from bribeproof.errors import ParameterError
from bribeproof.frames.schema import ReportSchema
from bribeproof.theory.bribery.cheapest_list import cheapest_list
from bribeproof.theory.bribery.units import in_units


def cheapest_bribe(
    frame: Any,
    change: float | None = None,
    *,
    items: object = None,
    group: Mapping[Any, Any] | str | None = None,
    price: Mapping[Any, Any] | str | None = None,
    values: Mapping[Any, float] | str | None = None,
    weights: Mapping[Any, float] | str | None = None,
    time_limit: float = 60.0,
    progress: Callable[[Fraction, Fraction], None] | None = None,
    item: object = "task",
    reporter: object = "worker",
    label: object = "label",
    judges: Sequence[object] | None = None,
    classes: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
) -> CheapestBribe:
    """Find the fewest reporters, or the cheapest, who could change so many decisions of a table, or named ones.

    Parameters
    ----------
    frame
        As in `worst_bribe`.
    change
        How many decisions are to be changed, whichever they are; with values, of items worth how much.
    items
        The name of an item that is to be changed, or a list of names, of which all are; instead of `change`.
    group
        What one bribe buys together: as in `worst_bribe`. Then groups are counted.
    price
        What a group costs, or a reporter without groups: as in `worst_bribe`. Then the least money is searched.
    values, weights
        As in `worst_bribe`.
    time_limit
        Seconds to search. What was found until then comes with a bound that holds.
    progress
        Function that is called now and then with the least that has to be spent, and what the best list costs.
    item, reporter, label, judges, classes, missing, repeats, order
        As in `aggregate_labels`.

    Returns
    -------
    CheapestBribe
        The reporters, what they cost, the items that they could change, and how much is proven not to be enough.

    Raises
    ------
    DataError
        If the reports cannot be read, a reporter is in two groups, or one name has two prices.
    ParameterError
        If not exactly one of `change` and `items` is given, so much cannot be changed, an item does not exist or is not
        decided, a number is missing or below 0, or the time limit is not positive.

    Notes
    -----
    docs/theory.md §14. A decision is changed if its label no longer has more reports, or weight, than any other.

    Examples
    --------
    >>> import polars as pl
    >>> rows = [(t, w, "yes" if w != "c" else "no") for t in range(6) for w in ("abc" if t < 4 else "abcde")]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = cheapest_bribe(votes, 5)
    >>> found.reporters["reporter"].to_list(), int(found.cost), int(found.least), found.recheck().ok
    (['a', 'b'], 2, 2, True)
    >>> print(cheapest_bribe(votes, items=5, price={"a": 5, "b": 3, "c": 1, "d": 4, "e": 3}).summary())
    If b and e had been bribed, 5 could have been changed.
    That costs 6; no reporters for less could have changed 5 (proven).
    """
    if (change is None) == (items is None):
        raise ParameterError("say what is to be changed: either how many decisions, such as change=10, or items=")
    schema = ReportSchema(item, reporter, label, judges, missing, repeats, classes=classes, order=order)
    k, budget = (0, None) if price is None else (None, 0)
    question, reports = Question.read(
        frame, schema, k=k, group=group, price=price, budget=budget, values=values, weights=weights
    )  # fmt: skip
    worth, enough, chosen = _asked(question, change, items)
    found = cheapest_list(
        question.named.ballots,
        question.bought.bribes,
        values=worth,
        enough=enough,
        time_limit=time_limit,
        progress=progress,
    )
    named = question.named.items.gather(chosen).to_list()
    return CheapestBribe.of(question, found, named).in_kind_of(reports)


def _asked(question: Question, change: object, items: object) -> tuple[FloatArray | None, Fraction, list[int]]:
    """Return what each item counts, how much of that is enough, and the numbers of the items that are named."""
    decided, names = question.decided, question.named.items
    if items is None:
        enough = exact_fraction("change", change, "(0, …)")
        worth = question.values
        whole = in_units("values", np.ones(len(names), np.int64) if worth is None else worth)
        most = int(whole.low[decided].sum()) * whole.unit
        if not 0 < enough <= most or (worth is None and enough.denominator > 1):
            possible = _possible(int(decided.sum()), None if worth is None else most)
            raise ParameterError(f"change={format_amount(enough)}: {possible}")
        return worth, enough, []
    known = {str(name): place for place, name in enumerate(names.to_list())}
    counted = "reports" if question.named.ballots.weights is None else "weight"
    several = isinstance(items, Sequence) and not isinstance(items, str)
    chosen = []
    for name in dict.fromkeys(map(str, items if several else [items])):  # type: ignore[call-overload]
        if name not in known:
            raise ParameterError(f"there is no item {shorten(name)}; one is {shorten(names[0])}")
        if not decided[known[name]]:
            raise ParameterError(
                f"{format_name(name)} is not decided, as no label has more {counted} than any other: there is "
                f"nothing to change; name another"
            )
        chosen.append(known[name])
    if not chosen:
        raise ParameterError("items is empty: give the name of an item, or a list of names")
    named = np.zeros(len(names))
    named[chosen] = 1
    return named, Fraction(len(chosen)), chosen


def _possible(decided: int, worth: Fraction | None) -> str:
    """Return how many decisions can be asked for, or what value, as the end of an error."""
    if not decided:
        return "no item is decided, so that there is nothing to change"
    items = f"there {'is' if decided == 1 else 'are'} {count(decided, 'decided item')}"
    if worth is None:
        return f"{items}; give {'1' if decided == 1 else 'a whole number above 0 and up to that'}"
    if not worth:
        return f"{items}, worth 0: there is nothing of value to change"
    return f"{items}, worth {format_amount(worth)}; give a number above 0 and up to that"
