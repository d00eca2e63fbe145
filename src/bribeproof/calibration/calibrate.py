"""Bound the error rates of a panel by gold items, and so the loss of its answers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import polars as pl

from bribeproof._validation import probability, validate_k
from bribeproof.calibration.gold_answers import GoldAnswers
from bribeproof.calibration.result import Calibration
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.reading.open_reports import open_reports
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.schema import REPORTER, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Panel
from bribeproof.theory.inference.confidence import clopper_pearson
from bribeproof.theory.inference.gold import Gold


def calibrate(
    frame: Any,
    truth: object = None,
    k: int | None = None,
    *,
    confidence: float = 0.95,
    prior: float | tuple[float, float] | None = None,
    item: object = None,
    reporter: object = None,
    vote: object = None,
    judges: Sequence[object] | None = None,
    truth_column: object = None,
    positive: object = 1,
    classes: Sequence[object] | None = None,
    groups: Mapping[Any, object] | None = None,
    bribed_groups: int | None = None,
    share: object = None,
    missing: Sequence[object] = (),
    repeats: str | None = None,
    order: object = None,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> Calibration:
    """Bound the rates of the truthful reporters by gold items, although k reporters may be bribed.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind, as in `aggregate`. Its items with a known truth are the gold items;
        its reporters are the panel.
    truth
        The truth: the path of a file or a frame of any kind with the columns `item` and `truth_column`, a mapping from
        items to labels, or the name of a column of `frame`, empty where the truth is not known. All items of a file, a
        frame of its own or a mapping count for the prior, answered or not. Items of a column with rows of at most k
        reporters may be there because bribed reporters chose them, so the prior's bounds allow for either. It may be
        left out where `frame` is the export of a labelling tool that holds the truth.
    k
        How many reporters may be bribed, on the gold items too, where they may have posed as good ones.
    confidence
        The least probability that all bounds hold, in (0, 1).
    prior
        Probability of a positive truth among the items that will be asked, or the lowest and the highest possible;
        by default bounds from the gold items, which then must be drawn at random like the others, answered or not.
    item, reporter, vote
        Long form: the columns of the items, of the reporters, and of the votes; None to recognise them, as `aggregate`
        does. A frame with the columns ``task``, ``worker`` and ``label`` is taken as it is.
    judges
        Wide form: the columns that hold one reporter's votes each, by name or by pattern; None to recognise them.
    truth_column
        The column of the truth in a file or a frame of its own; by default `vote`, or the only one beside the items.
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
    reading
        How the table is read, as in `aggregate`.
    **options
        The other options of `aggregate` that say how a table is read: ``turned``, ``not_items``, ``label_sets``,
        ``label_separator``, ``no_label``, ``labels``, ``sep``, ``encoding``, ``format``, ``header_line``, ``sheet``.

    Returns
    -------
    Calibration
        Exact bounds for each reporter and for the panel, and the guarantees that follow for the items of the frame.

    Raises
    ------
    FileError
        If a file cannot be read.
    DataError
        If no item has a known truth, a truth is none of the classes, the reports cannot be read, or two readings are
        plausible.
    ParameterError
        If a parameter is outside its range, the truth is not known, or half of the panel or more may be bribed.
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
    0.163
    """
    given = {
        "item": item, "reporter": reporter, "value": vote, "judges": judges, "missing": missing, "repeats": repeats,
        "order": order,
    }  # fmt: skip
    with open_reports(
        frame, given, options, reading, named="vote", implied="votes", truth=truth, truth_column=truth_column,
        needs_truth=True,
    ) as opened:  # fmt: skip
        opened.refuse_scores("calibrated")
        opened.refuse_dependent("the bounds of a calibration")
        schema = ReportSchema(**opened.columns, positive=positive, classes=classes)
        reports = validate_reports(opened.table, schema, scores=False)
        found = GoldAnswers.of(reports, opened.truths(reports.columns.item), beside=opened.beside)
    panel = Panel(reports.panel, _adversaries(k, share, groups, bribed_groups, found.names))
    rates = opened.returned(reports.to_native(_rates(found.gold, found.names, confidence), {"reporter": REPORTER}))
    made = found.reports_made
    shown, positive_class = found.classes.shown(), found.positive
    sides = (shown[positive_class], *shown[:positive_class], *shown[positive_class + 1 :])
    known = _check_prior(prior)
    return Calibration(
        panel, found.gold, confidence, rates, found.sizes, made, sides, found.uneven, known, opened.notes
    )


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
