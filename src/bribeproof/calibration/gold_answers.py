"""The answers to the gold items of a table, counted by item and by reporter."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from scipy.special import gammaln

from bribeproof._typing import IntArray
from bribeproof.errors import DataError
from bribeproof.frames.label_classes import Classes, binary_classes, find_classes, numbers_first
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.theory.inference.gold import Gold

_STATE, _COUNT = "_state", "_count"
_FALSE_ALARMS = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class GoldAnswers:
    """The gold items of a table and the answers to them.

    Attributes
    ----------
    classes, positive
        The classes, and the index of the one that counts as 1; all others count as 0.
    names
        The reporters, sorted.
    states
        The state of each gold item, by its name as text.
    gold
        The answers.
    sizes
        The number of items of the table by their number of reports.
    reports_made
        The number of reports of each reporter.
    uneven
        The reporter whose share of the gold items is furthest from that of the other items, if it is so far that gold
        items are not answered like the others; else None.
    """

    classes: Classes
    positive: int
    names: Sequence[Any]
    states: Mapping[str, bool]
    gold: Gold
    sizes: Mapping[int, int]
    reports_made: IntArray
    uneven: Any | None

    @classmethod
    def of(cls, reports: Reports, truths: pl.DataFrame, *, beside: bool) -> Self:
        """Count the answers to the items with a known truth.

        Parameters
        ----------
        reports
            The reports.
        truths
            Result of `read_truths`.
        beside
            Whether the truths are beside the reports, so that items without a report cannot be among them.

        Raises
        ------
        DataError
            If no such item has a vote, or a truth is none of the classes.
        """
        classes, positive = _find_classes(reports)
        states = _states(truths, classes, positive)
        names = reporters_of(reports)
        gold = _count(reports, states, classes.labels[positive], names, beside=beside)
        sizes, made = _sizes(reports, names)
        answered = sum(items for m, items in sizes.items() if m)
        uneven = _find_uneven(gold, made, answered)
        name = None if uneven is None else names[uneven]
        return cls(classes, positive, names, dict(states.iter_rows()), gold, sizes, made, name)


def _find_classes(reports: Reports) -> tuple[Classes, int]:
    """Return the classes and the index of the one that counts as 1."""
    classes, positive = find_classes(reports), reports.schema.positive
    if len(classes.labels) <= 2:
        return binary_classes(reports)
    index = classes.place(positive)
    if index is None:
        raise DataError(
            f"positive={positive!r} is none of the classes ({', '.join(classes.shown())}): "
            f"name the one that counts as 1 (--positive)"
        )
    return classes, index


def reporters_of(reports: Reports) -> list[Any]:
    """Return the names of all reporters, sorted."""
    rows = pl.concat(collect(part.select(REPORTER).unique()) for part in reports.parts)
    return sorted(rows[REPORTER].unique().to_list(), key=numbers_first)


def _states(truths: pl.DataFrame, classes: Classes, positive_class: int) -> pl.DataFrame:
    """Return the gold items, as text, and whether their truth is the positive class."""
    states = {}
    for label in truths[VALUE].unique().to_list():
        index = classes.place(label)
        if index is None and len(classes.labels) <= 2:
            item = truths.filter(pl.col(VALUE) == label)[ITEM][0]
            raise DataError(
                f"the truth of item {item!r} is {label!r}, which is none of the votes ({', '.join(classes.shown())}): "
                f"correct it, or name all classes (--classes)"
            )
        states[label] = index == positive_class
    return truths.select(
        pl.col(ITEM).cast(pl.String), pl.col(VALUE).replace_strict(states, return_dtype=pl.Boolean).alias(_STATE)
    )


def _sizes(reports: Reports, names: Sequence[Any]) -> tuple[dict[int, int], IntArray]:
    """Return the number of items by their number of reports, and the number of reports of each reporter."""
    sizes: Counter[int] = Counter()
    made: Counter[Any] = Counter()
    given = (~nw.col(VALUE).is_null()).cast(nw.Int64).sum()
    for part in reports.parts:
        sizes.update(map(int, collect(part.group_by(ITEM).agg(given.alias(_COUNT)))[_COUNT].to_list()))
        made.update(dict(collect(part.group_by(REPORTER).agg(given.alias(_COUNT))).iter_rows()))
    return dict(sorted(sizes.items())), np.array([int(made[name]) for name in names], np.int64)


def _count(reports: Reports, states: pl.DataFrame, positive: object, names: Sequence[Any], *, beside: bool) -> Gold:
    """Count the answers and the right answers on gold items, by reporter and by item.

    Where the truth stands beside the reports, an item is known only from its rows: count the reporters of these.
    """
    parts = [collect(part.filter(~nw.col(VALUE).is_null()).select(ITEM, REPORTER, VALUE)) for part in reports.parts]
    answers = pl.concat(parts).with_columns(pl.col(ITEM).cast(pl.String)).join(states, on=ITEM)
    if answers.is_empty():
        raise DataError(
            f"none of the {states.height} items with a known truth has a vote: the ids of the items have to be the same"
        )
    answers = answers.with_columns(right=(pl.col(VALUE) == positive) == pl.col(_STATE))
    item, reporter = (
        answers[column].replace_strict(values, range(len(values)), return_dtype=pl.Int64).to_numpy()
        for column, values in ((ITEM, states[ITEM].to_list()), (REPORTER, list(names)))
    )
    rows = None
    if beside:
        listed = pl.concat(collect(part.select(ITEM, REPORTER)) for part in reports.parts)
        seen = listed.with_columns(pl.col(ITEM).cast(pl.String)).group_by(ITEM).agg(pl.col(REPORTER).n_unique())
        rows = states.join(seen, on=ITEM, how="left", maintain_order="left")[REPORTER].fill_null(0).to_numpy()
    return Gold(len(names), states[_STATE].to_numpy(), item, reporter, answers["right"].to_numpy(), rows)


def _find_uneven(gold: Gold, made: IntArray, items: int) -> int | None:
    """Return the reporter whose number of gold answers is least likely if gold items are drawn from all with an answer.

    None if it is not so unlikely that one of a thousand such panels has such a reporter.
    """
    answers, known = gold.answered.sum(axis=0), len(np.unique(gold.item))
    alike, place = np.unique(np.stack([made, answers]), axis=1, return_inverse=True)
    chance = np.array([_rarer_tail(items, known, *one) for one in alike.T.tolist()])[place.ravel()]
    least = int(chance.argmin())
    return least if chance[least] < _FALSE_ALARMS / (2 * len(made)) else None


def _rarer_tail(items: int, known: int, made: int, answers: int) -> float:
    """Return the chance of at most, or of at least, so many answers to gold items, whichever is smaller.

    The distribution is hypergeometric. SciPy has it among hundreds of others, which take longer to load than a
    calibration takes.
    """

    def log_ways(things: int, chosen: Any) -> Any:
        return gammaln(things + 1) - gammaln(chosen + 1) - gammaln(things - chosen + 1)

    counts = np.arange(max(0, made + known - items), min(made, known) + 1)
    chances = np.exp(log_ways(made, counts) + log_ways(items - made, known - counts) - log_ways(items, known))
    at_most, at_least = chances[counts <= answers].sum(), chances[counts >= answers].sum()
    return float(min(at_most, at_least))
