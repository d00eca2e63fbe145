"""Find the k reporters who, bribed together on all items, could change most decisions of a table."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import FloatArray
from bribeproof._validation import validate_k
from bribeproof.bribery.named_ballots import read_ballots
from bribeproof.bribery.result import WorstBribe
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.schema import ITEM, REPORTER, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory.bribery.worst_list import worst_list


def worst_bribe(
    frame: Any,
    k: int,
    *,
    values: Mapping[Any, float] | None = None,
    time_limit: float = 60.0,
    item: object = "task",
    reporter: object = "worker",
    label: object = "label",
    judges: Sequence[object] | None = None,
    classes: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
) -> WorstBribe:
    """Find the k reporters who, bribed together on all items, could change most decisions of a table.

    `aggregate` says of each item whether some k reporters could have changed it, perhaps others on each item. This is
    the other question: what could the same k have done to all of them?

    Parameters
    ----------
    frame
        Votes or labels: pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table`
        or `scan_table`.
    k
        How many reporters are bribed, at least 0.
    values
        What each item counts, a number of at least 0; by default each counts 1.
    time_limit
        Seconds to search where lists are too many to count: with k above 3, or many reporters. What was found until
        then comes with a bound that holds.
    item, reporter, label, judges, classes, missing, repeats, order
        As in `aggregate_labels`.

    Returns
    -------
    WorstBribe
        The reporters, the items whose decision they could change, and an upper bound of what any k could change.

    Raises
    ------
    DataError
        If the reports cannot be read.
    ParameterError
        If k is below 0, an item has no value or a negative one, or the time limit is not positive.

    Notes
    -----
    docs/theory.md §14. A decision is the label with the most reports; it is changed if it no longer has more than any
    other. Items that are tied, or without a report, are not decided and count for nothing.

    Examples
    --------
    >>> rows = [(t, w, "yes" if w != "c" else "no") for t in range(6) for w in ("abc" if t < 4 else "abcde")]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = worst_bribe(votes, k=1)
    >>> found.reporters["reporter"].to_list(), found.changed, found.upper, found.decided
    (['a'], 4, 4.0, 6)
    """
    k = validate_k(k)
    schema = ReportSchema(item, reporter, label, judges, missing, repeats, classes=classes, order=order)
    reports = validate_reports(frame, schema, scores=False)
    named = read_ballots(reports)
    ballots, items, names = named.ballots, named.items, named.reporters
    found = worst_list(ballots, k, values=_values(values, items.to_list()), time_limit=time_limit)
    alone = {one: int(ballots.changed_by([one]).sum()) for one in found.members}
    listed = sorted(found.members, key=lambda one: -alone[one])
    counts = {
        "reports": [int((ballots.reporter == one).sum()) for one in listed],
        "changes_alone": [alone[one] for one in listed],
        "with_those_above": [int(ballots.changed_by(listed[: last + 1]).sum()) for last in range(len(listed))],
    }
    members = pl.DataFrame(
        {"reporter": names.gather(listed), **counts},
        schema_overrides=dict.fromkeys(counts, pl.Int64),
    )
    changed = np.flatnonzero(found.changed)
    table = pl.DataFrame(
        {
            reports.columns.item: items.gather(changed),
            "decision": [named.classes[ballots.winner[one]] for one in changed],
            "margin": ballots.margin[changed],
        },
        schema_overrides={"decision": pl.String},
    )
    return WorstBribe(
        reports.to_native(members, {"reporter": REPORTER}),
        reports.to_native(table, {reports.columns.item: ITEM}),
        k,
        changed=len(changed),
        lower=found.lower,
        upper=found.upper,
        exact=found.exact,
        counted=found.method == "counting",
        valued=values is not None,
        decided=int((ballots.winner >= 0).sum()),
        each_alone=int(((ballots.winner >= 0) & (ballots.margin <= 2 * k)).sum()),
        n_reporters=len(names),
    )


def _values(values: Mapping[Any, float] | None, items: Sequence[Any]) -> FloatArray | None:
    """Return what the items count."""
    if values is None:
        return None
    if not isinstance(values, Mapping):
        raise ParameterTypeError(f"values={values!r}: give a mapping from items to numbers, such as {{'t1': 2}}")
    by_name = {str(name): value for name, value in values.items()}
    found = []
    for name in items:
        if str(name) not in by_name:
            raise ParameterError(f"values has no number for item {name!r}: give one for each of the {len(items):,}")
        try:
            found.append(float(by_name[str(name)]))
        except (TypeError, ValueError):
            found.append(-1.0)
        if not (np.isfinite(found[-1]) and found[-1] >= 0):
            raise ParameterError(f"values of item {name!r} is {by_name[str(name)]!r}: give a number of at least 0")
    return np.array(found)
