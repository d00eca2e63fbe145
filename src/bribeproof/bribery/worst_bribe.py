"""Find the reporters who, bribed together on all items, could change most decisions of a table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from bribeproof.bribery.named_ballots import NamedBallots, read_ballots
from bribeproof.bribery.result import WorstBribe
from bribeproof.frames.bribes import NamedBribes, read_bribes
from bribeproof.frames.schema import ITEM, REPORTER, ReportSchema
from bribeproof.frames.statements import numbers_of
from bribeproof.frames.validation import validate_reports
from bribeproof.theory.bribery.worst_list import WorstList, worst_list


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

    `aggregate` says of each item whether some k reporters could have changed it, perhaps others on each item. This is
    the other question: what could the same k have done to all of them?

    Parameters
    ----------
    frame
        Votes or labels: pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table`
        or `scan_table`.
    k
        How many reporters are bribed, or groups, at least 0; None with a budget.
    group
        What one bribe buys together, such as a nation: a column of the frame, or a mapping from reporters. A reporter
        without a group is bought alone.
    price
        What a group costs, or a reporter without groups: a column of the frame, or a mapping from names.
    budget
        The most that is spent, instead of k.
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
    >>> rows = [(t, w, "yes" if w != "c" else "no") for t in range(6) for w in ("abc" if t < 4 else "abcde")]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = worst_bribe(votes, k=1)
    >>> found.reporters["reporter"].to_list(), found.changed, found.upper, found.decided
    (['a'], 4, 4.0, 6)
    >>> worst_bribe(votes, k=1, group={"b": "us", "c": "us", "d": "us"}).summary().splitlines()[0]
    'If us (3 reporters) had been bribed, 6 of 6 decided items could have been changed.'
    """
    schema = ReportSchema(item, reporter, label, judges, missing, repeats, classes=classes, order=order)
    reports = validate_reports(frame, schema, scores=False)
    who, rows = str(reporter), reports.columns.item
    of_reporters = None if weights is None else lambda names: numbers_of(frame, who, weights, "weights", names)
    named = read_ballots(reports, of_reporters)
    bought = read_bribes(frame, who, named.reporters.to_list(), k=k, group=group, price=price, budget=budget)
    worth = None if values is None else numbers_of(frame, rows, values, "values", named.items.to_list(), "items")
    found = worst_list(named.ballots, bought.bribes, values=worth, time_limit=time_limit, progress=progress)
    grouped = group is not None
    return WorstBribe(
        reports.to_native(_bribed(named, bought, found, grouped=grouped), {} if grouped else {"reporter": REPORTER}),
        reports.to_native(_changed(named, rows, found), {rows: ITEM}),
        k=None if k is None else int(k),
        budget=None if k is not None else bought.bribes.budget,
        cost=found.cost,
        grouped=grouped,
        changed=int(found.changed.sum()),
        lower=found.lower,
        upper=found.upper,
        exact=found.exact,
        valued=values is not None,
        decided=int((named.ballots.winner >= 0).sum()),
        each_alone=int(found.possible.sum()),
        n_reporters=len(named.reporters),
        found=found,
    )


def _bribed(named: NamedBallots, bought: NamedBribes, found: WorstList, *, grouped: bool) -> pl.DataFrame:
    """Return who is bribed, the one who could change most alone first."""
    ballots, bribes, names = named.ballots, bought.bribes, bought.names
    alone = {one: int(ballots.changed_by(bribes.members([one])).sum()) for one in found.groups}
    listed = sorted(found.groups, key=lambda one: -alone[one])
    who = {one: bribes.members([one]) for one in listed}
    if grouped:
        table = {"group": pl.Series([str(names[one]) for one in listed], dtype=pl.String)}
    else:
        table = {"reporter": pl.Series([names[one] for one in listed], dtype=named.reporters.dtype)}
    if grouped:
        table["reporters"] = pl.Series([len(who[one]) for one in listed], dtype=pl.Int64)
    if not bribes.counts_groups:
        table["price"] = pl.Series([float(bribes.prices[one]) for one in listed], dtype=pl.Float64)
    counts = {
        "reports": [int(np.isin(ballots.reporter, who[one]).sum()) for one in listed],
        "changes_alone": [alone[one] for one in listed],
        "with_those_above": [
            int(ballots.changed_by(bribes.members(listed[: last + 1])).sum()) for last in range(len(listed))
        ],
    }
    return pl.DataFrame(table | {name: pl.Series(each, dtype=pl.Int64) for name, each in counts.items()})


def _changed(named: NamedBallots, item: str, found: WorstList) -> pl.DataFrame:
    """Return the items that could be changed."""
    changed = np.flatnonzero(found.changed)
    return pl.DataFrame(
        {
            item: named.items.gather(changed),
            "decision": [named.classes[named.ballots.winner[one]] for one in changed],
            "margin": named.ballots.margin[changed],
        },
        schema_overrides={"decision": pl.String},
    )
