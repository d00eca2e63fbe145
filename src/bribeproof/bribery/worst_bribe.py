"""Find the reporters who, bribed together on all items, could change most decisions of a table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bribeproof.bribery.question import Question
from bribeproof.bribery.result import WorstBribe
from bribeproof.frames.schema import ReportSchema
from bribeproof.theory.bribery.worst_list import worst_list


def worst_bribe(
    frame: Any,
    k: int | None = None,
    *,
    group: Mapping[Any, Any] | str | None = None,
    price: Mapping[Any, Any] | str | None = None,
    budget: object = None,
    values: Mapping[Any, float] | str | None = None,
    weights: Mapping[Any, float] | str | None = None,
    time_limit: float = 60.0,
    progress: Callable[[float, float], None] | None = None,
    item: object = "task",
    reporter: object = "worker",
    label: object = "label",
    judges: Sequence[object] | None = None,
    classes: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
) -> WorstBribe:
    """Find the reporters who, bribed together on all items, could change most decisions of a table.

    Parameters
    ----------
    frame
        Votes or labels: pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table`
        or `scan_table`.
    k, group, price, budget
        Who can be bribed, as in `bribeproof.worst_bribe`.
    values
        What each item counts, a number of at least 0: a column of the frame, or a mapping from items; by default 1.
    weights
        What the reports of each reporter count, as `weigh` takes them: a column of the frame, or a mapping from
        reporters to numbers of at least 0; by default 1.
    time_limit
        Seconds to search. What was found until then comes with a bound that holds.
    progress
        Function that is called now and then with the value of the best list so far and the upper bound.
    item, reporter, label, judges, classes, missing, repeats, order
        As in `aggregate_labels`.

    Returns
    -------
    WorstBribe
        The reporters, the items whose decision they could change, and an upper bound of what any others could change.

    Raises
    ------
    DataError
        If the reports cannot be read, a reporter is in two groups, or one name has two prices.
    ParameterError
        If k and a budget are both given or both missing, a number is missing or below 0, or the time limit is not
        positive.

    Notes
    -----
    docs/theory.md §14. A decision is the label with the most reports, or the most weight; it is changed if it no longer
    has more than any other. Items that are tied, or without a report, are not decided and count for nothing.

    Examples
    --------
    >>> import polars as pl
    >>> rows = [(t, w, "yes" if w != "c" else "no") for t in range(6) for w in ("abc" if t < 4 else "abcde")]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = worst_bribe(votes, k=1)
    >>> found.reporters["reporter"].to_list(), found.changed, found.upper, found.decided
    (['a'], 4, 4.0, 6)
    >>> worst_bribe(votes, k=1, group={"b": "us", "c": "us", "d": "us"}).summary().splitlines()[0]
    'If us (3 reporters) had been bribed, 6 of 6 decided items could have been changed.'
    """
    schema = ReportSchema(item, reporter, label, judges, missing, repeats, classes=classes, order=order)
    question, reports = Question.read(
        frame, schema, k=k, group=group, price=price, budget=budget, values=values, weights=weights
    )  # fmt: skip
    found = worst_list(
        question.named.ballots, question.bought.bribes, values=question.values, time_limit=time_limit, progress=progress
    )
    return WorstBribe.of(question, found).in_kind_of(reports)
