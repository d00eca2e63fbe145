"""Bound the error rates of a panel by gold items, and so the loss of its answers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._typing import IntArray
from bribeproof._validation import probability, validate_k
from bribeproof.calibration.result import Calibration
from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.gold_labels import read_truths
from bribeproof.frames.label_classes import Classes, binary_classes, find_classes, numbers_first
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Panel
from bribeproof.theory.inference.confidence import clopper_pearson
from bribeproof.theory.inference.gold import Gold

_STATE, _COUNT = "_state", "_count"
_FALSE_ALARMS = 1e-3


def calibrate(
    frame: Any,
    truth: object,
    k: int | None = None,
    *,
    confidence: float = 0.95,
    prior: float | tuple[float, float] | None = None,
    item: object = "task",
    reporter: object = "worker",
    vote: object = "label",
    judges: Sequence[object] | None = None,
    truth_column: object = None,
    positive: object = 1,
    classes: Sequence[object] | None = None,
    groups: Mapping[Any, object] | None = None,
    bribed_groups: int | None = None,
    share: object = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
) -> Calibration:
    """Bound the rates of the truthful reporters by gold items, although k reporters may be bribed.

    Parameters
    ----------
    frame
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table` or `scan_table`.
        Its items with a known truth are the gold items; its reporters are the panel.
    truth
        The truth: a frame of any kind with the columns `item` and `truth_column`, a mapping from items to labels, or
        the name of a column of `frame`, empty where the truth is not known. All items of a frame or mapping count for
        the prior, answered or not. Items of a column with rows of at most k reporters may be there because bribed
        reporters chose them, so the prior's bounds allow for either.
    k
        How many reporters may be bribed, on the gold items too, where they may have posed as good ones.
    confidence
        The least probability that all bounds hold, in (0, 1).
    prior
        Probability of a positive truth among the items that will be asked, or the lowest and the highest possible;
        by default bounds from the gold items, which then must be drawn at random like the others, answered or not.
    item, reporter, vote
        Long form: the columns of the items, of the reporters, and of the votes.
    judges
        Wide form: the columns that hold one reporter's votes each.
    truth_column
        The column of the truth in a frame of truths; by default `vote`.
    positive
        The vote that counts as 1; with more than two classes, all others count as 0.
    classes
        All classes, if some were not reported.
    groups, bribed_groups
        Instead of k: the group of each reporter, such as a vendor, and how many groups may be bribed as a whole; k is
        the number of reporters in the largest ones.
    share
        Instead of k: a share in [0, 0.5) of the reporters, rounded down to a count.
    missing
        Values that stand for no vote, beside empty cells, NaN and null.
    repeats, order
        As in `aggregate_votes`.

    Returns
    -------
    Calibration
        Exact bounds for each reporter and for the panel, and the guarantees that follow for the items of the frame.

    Raises
    ------
    DataError
        If no item has a known truth, a truth is none of the classes, or the reports cannot be read.
    ParameterError
        If a parameter is outside its range, or half of the panel or more may be bribed.
    ColumnError
        If a column does not exist.

    Notes
    -----
    docs/theory.md §6 and §15.

    Examples
    --------
    >>> rows = [(f"t{i}", worker, i % 2) for i in range(200) for worker in "abc"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> calibration = calibrate(votes, {f"t{i}": i % 2 for i in range(100)}, k=1)
    >>> calibration.gold.items, round(calibration.expert.tpr, 3)
    ((50, 50), 0.897)
    >>> round(calibration.guarantee("squared").expected_loss, 3)
    0.164
    """
    schema = ReportSchema(
        item, reporter, vote, judges, missing, repeats, positive=positive, classes=classes, order=order
    )
    reports = validate_reports(frame, schema, scores=False)
    class_list, positive_class = _find_classes(reports)
    truths = read_truths(truth, frame, reports.columns.item, vote if truth_column is None else truth_column)
    states = _states(truths, class_list, positive_class)
    names = reporters_of(reports)
    panel = Panel(reports.panel, _adversaries(k, share, groups, bribed_groups, names))
    beside = isinstance(truth, str) or truth is frame
    gold = _count(reports, states, class_list.labels[positive_class], names, beside=beside)
    rates = reports.to_native(_rates(gold, names, confidence), {"reporter": REPORTER})
    sizes, made = _sizes(reports, names)
    uneven = _find_uneven(gold, made, sum(sizes.values()))
    name = None if uneven is None else names[uneven]
    return Calibration(panel, gold, confidence, rates, sizes, made, name, _check_prior(prior))


def _check_prior(prior: float | tuple[float, float] | None) -> tuple[float, float] | None:
    """Return the ends of a prior, or raise an error."""
    if prior is None:
        return None
    ends = tuple(probability("prior", end) for end in (prior if isinstance(prior, tuple) else (prior, prior)))
    if len(ends) != 2 or ends[0] > ends[1]:
        raise ParameterError(f"prior={prior!r}: give a probability, or the lowest and the highest possible one")
    return ends[0], ends[1]


def largest_groups(groups: Iterable[object], count: int) -> int:
    """Return the number of reporters in the largest groups.

    Parameters
    ----------
    groups
        The group of each reporter.
    count
        The number of groups, at least 0.

    Examples
    --------
    >>> largest_groups(["v1", "v1", "v2", "v2", "v2", "v3"], 2)
    5
    """
    sizes = sorted(Counter(groups).values(), reverse=True)
    return sum(sizes[: validate_k(count)])


def _adversaries(
    k: int | None, share: object, groups: Mapping[Any, object] | None, bribed_groups: int | None, names: Sequence[Any]
) -> int:
    """Return how many reporters may be bribed, given k, a share or groups."""
    if groups is None and bribed_groups is None:
        return AdversaryCount.resolve(k, share, "panel", len(names)).for_item(len(names))
    if groups is None or bribed_groups is None or k is not None or share is not None:
        raise ParameterError("groups and bribed_groups say together how many may be bribed, instead of k and share")
    if not isinstance(groups, Mapping):
        raise ParameterTypeError(f"groups={groups!r}: give a mapping from reporters to groups")
    group_of = {str(name): group for name, group in groups.items()}
    absent = [name for name in names if str(name) not in group_of]
    if absent:
        raise ParameterError(f"groups has no group for reporter {absent[0]!r}: give one for each of the {len(names)}")
    return largest_groups([group_of[str(name)] for name in names], bribed_groups)


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
    """Return the reporter whose number of gold answers is least likely if gold items are drawn from all.

    None if it is not so unlikely that one of a thousand such panels has such a reporter.
    """
    from scipy.stats import hypergeom

    answers, known = gold.answered.sum(axis=0), len(np.unique(gold.item))
    drawn = hypergeom(items, made, known)
    chance = np.minimum(drawn.cdf(answers), drawn.sf(answers - 1))
    least = int(chance.argmin())
    return least if chance[least] < _FALSE_ALARMS / (2 * len(made)) else None


def _rates(gold: Gold, names: Sequence[Any], confidence: float) -> pl.DataFrame:
    """Return the table `Calibration.reporters`."""
    low, high = clopper_pearson(gold.correct, gold.answered, confidence)
    columns: dict[str, Any] = {"reporter": list(names)}
    for state, name in ((1, "tpr"), (0, "fpr")):
        asked, right = gold.answered[state], gold.correct[state]
        positive = right if state else asked - right
        ends = (low[1], high[1]) if state else (1 - high[0], 1 - low[0])
        columns |= {f"gold_{state}": asked, f"positive_{state}": positive}
        for suffix, values in (("", positive / np.maximum(asked, 1)), ("_low", ends[0]), ("_high", ends[1])):
            columns[name + suffix] = np.where(asked > 0, values, np.nan)
    return pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))
