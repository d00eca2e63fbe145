"""Validated votes or labels as arrays, with the names that they stand for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._typing import FloatArray
from bribeproof.errors import DataError
from bribeproof.frames.label_classes import find_classes, numbers_first
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.theory.bribery.ballots import Ballots


@dataclass(frozen=True, slots=True, eq=False)
class NamedBallots:
    """Votes or labels as arrays, and the names of items, reporters and classes by their numbers.

    Attributes
    ----------
    ballots
        The reports.
    items, reporters
        Their names: items in the order of the table, reporters sorted.
    classes
        The labels as text.
    """

    ballots: Ballots
    items: pl.Series
    reporters: pl.Series
    classes: Sequence[str]


def read_ballots(reports: Reports, weights: Callable[[Sequence[Any]], FloatArray] | None = None) -> NamedBallots:
    """Return validated votes or labels as arrays.

    Parameters
    ----------
    reports
        The reports.
    weights
        Function of the names of the reporters that returns what the reports of each count; None if all count the same.

    Raises
    ------
    DataError
        If there is no report.
    """
    classes = find_classes(reports)
    rows = pl.concat(collect(part.select(ITEM, REPORTER, VALUE)) for part in reports.parts).drop_nulls(VALUE)
    if rows.is_empty():
        raise DataError("no item has a report: there is nothing to change")
    items = rows[ITEM].unique(maintain_order=True)
    names = sorted(rows[REPORTER].unique().to_list(), key=numbers_first)
    reporters = pl.Series(names, dtype=rows[REPORTER].dtype)
    item, reporter, choice = (
        rows[column].replace_strict(known, range(len(known)), return_dtype=pl.Int64).to_numpy()
        for column, known in ((ITEM, items), (REPORTER, reporters), (VALUE, list(classes.labels)))
    )
    given = None if weights is None else weights(names)
    ballots = Ballots(item, reporter, choice, len(items), len(names), len(classes.labels), given)
    return NamedBallots(ballots, items, reporters, classes.shown())
