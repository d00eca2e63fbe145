"""Labels combined with weights for who is right more often, and with a guarantee that no weight can break."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._typing import FloatArray, IntArray
from bribeproof._validation import validate_k
from bribeproof.aggregation.kernels.status import OK
from bribeproof.calibration.calibrate import reporters_of
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.gold_labels import read_truths, true_classes
from bribeproof.frames.label_classes import UNKNOWN, Classes, find_classes, two_sides
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Expert, ExpertInterval, Loss, MultiExpert, get_loss
from bribeproof.weighting.decide import Known, decide, growth_of, promise
from bribeproof.weighting.learn import LEEWAY, Ballots, LearnedWeights, learn_weights, limits_of
from bribeproof.weighting.result import WeightedAnswers

_FIRST = "_first"
_MOST_CELLS = 2**28


def weigh(
    frame: Any,
    k: int,
    *,
    weight_spread: float | None = None,
    weights: Mapping[Any, float] | None = None,
    truth: object = None,
    expert: Known | None = None,
    loss: str | Loss = "squared",
    item: object = "task",
    reporter: object = "worker",
    label: object = "label",
    judges: Sequence[object] | None = None,
    truth_column: object = None,
    positive: object = 1,
    classes: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
) -> WeightedAnswers:
    """Combine labels, with more weight for reporters who are right more often, though k of them may be bribed.

    Parameters
    ----------
    frame
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table` or `scan_table`.
    k
        How many reporters may be bribed, on all items: a head count, at least 0.
    weight_spread
        s in [0, 1): how far weights may differ. On an item with m reports none weighs more than
        1/(m - s * (m - 2k)), and the errors that the guarantee counts on are 1/(1 - s) times those of equal weights.
        By default 0.5; where weights are given, no limit.
    weights
        The weight of each reporter, at least 0, instead of learned ones. Without a weight spread they have to be known
        before anybody reports, such as stake or rank; with one they may come from anywhere, such as a model of these
        reports.
    truth
        Gold items to learn weights from as well: a frame, a mapping from items to labels, or the name of a column of
        ``frame``, as for `calibrate`.
    expert
        What one truthful reporter knows: adds the guarantee, and of two classes the forecast. A `MultiExpert` has one
        prior and accuracy per class, in class order.
    loss
        The loss that the forecast minimises. The guarantee of a `MultiExpert` is about the absolute loss, which is
        also the chance that the random dictator errs.
    item, reporter, label, judges, classes, missing, repeats
        As in `aggregate_labels`.
    truth_column
        The column of the truth in a frame of truths; by default ``label``.
    positive
        With an expert of two classes: the label that counts as 1.

    Returns
    -------
    WeightedAnswers
        Answers, and what each reporter weighs.

    Raises
    ------
    DataError
        If labels or truths cannot be read, a truth is none of the classes, or no gold item has a report.
    ParameterError
        If a parameter is outside its range, a reporter has no weight in ``weights``, or nobody has any.

    Notes
    -----
    docs/theory.md, Propositions 2.9, 2.10 and Theorem 8.1 (`bribeproof.theory.error_inflation`). Bribed reporters can
    influence learned weights, and the guarantee allows for it: it holds for any weights within the limit, even if
    adversaries who know all reports chose them. It bounds the expected loss on average over items, provided that who
    answers an item depends neither on its truth nor on others' reports (§15).

    Examples
    --------
    >>> rows = [(t, w, t % 2 ^ (w in "de" and (t + ord(w)) % 3 > 0)) for t in range(60) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = weigh(votes, k=1, weight_spread=0.5, expert=Expert(0.5, 0.95, 0.05))
    >>> dict(found.reporters.select("reporter", pl.col("weight").round(2)).iter_rows())
    {'a': 1.0, 'b': 1.0, 'c': 1.0, 'd': 0.0, 'e': 0.0}
    >>> found.items.select("decision", "flips_needed", pl.col("forecast", "guarantee").round(3)).row(0)
    (0, 2, 0.133, 0.116)
    """
    k = validate_k(k)
    if weights is not None and truth is not None:
        raise ParameterError("weights and truth both say what reporters weigh: give one of them")
    if weight_spread is None and weights is None:
        weight_spread = LEEWAY
    if weight_spread is not None and (not isinstance(weight_spread, int | float) or not 0 <= weight_spread < 1):
        raise ParameterError(f"weight_spread={weight_spread!r}: use a number in [0, 1), such as 0.5")
    if expert is not None and not isinstance(expert, Expert | ExpertInterval | MultiExpert):
        raise ParameterError(f"expert={expert!r} is no expert: give Expert(prior=..., tpr=..., fpr=...)")
    schema = ReportSchema(item, reporter, label, judges, missing, repeats, positive=positive, classes=classes)
    reports = validate_reports(frame, schema, scores=False)
    known, place = find_classes(reports), 0
    if isinstance(expert, Expert | ExpertInterval) and len(known.labels) <= 2:
        known, place = two_sides(reports)
    elif expert is not None and getattr(expert, "states", 2) != len(known.labels):
        raise ParameterError(
            f"the expert knows of {getattr(expert, 'states', 2)} classes and there are {len(known.labels)} "
            f"({', '.join(known.shown())}): give a MultiExpert with a prior and an accuracy for each, in this order, "
            f"or no expert"
        )
    names = reporters_of(reports)
    first, ballots = _ballots(reports, known, names)
    limits = np.ones(ballots.items) if weight_spread is None else limits_of(ballots.sizes, k, weight_spread)
    if weights is not None:
        none, unknown = np.zeros(len(names), np.int64), np.full(len(names), np.nan)
        learned = LearnedWeights(none, unknown, none, unknown, _given(weights, names))
    else:
        learned = learn_weights(
            ballots, limits, _truth(truth, frame, reports, truth_column or label, first[ITEM], known)
        )
    spread = ballots.spread(learned.weights, limits)
    held = ballots.heaviest(spread, k) if weight_spread is None else k * limits
    answers = decide(ballots, spread, held, unseen=not known.declared)
    if expert is not None:
        growth = growth_of(ballots.sizes, held, k, weight_spread)
        answers |= promise(growth, answers["shares"][:, place], expert, loss)
    table = _table(reports, first, ballots.sizes, k, answers, known)
    people = pl.DataFrame(
        {"reporter": names, "reports": np.bincount(ballots.reporter, minlength=len(names))}
        | {name: getattr(learned, name) for name in ("compared", "agreement", "gold", "right")}
        | {"weight": learned.weights}
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    people = people.sort("weight", descending=True, maintain_order=True)
    return WeightedAnswers(
        reports.to_native(table, {table.columns[0]: ITEM, "decision": VALUE}),
        reports.to_native(people, {"reporter": REPORTER}),
        k,
        weight_spread,
        get_loss(loss).name,
        n_items=table.height,
        n_reporters=people.height,
    )


def _ballots(reports: Reports, known: Classes, names: list[Any]) -> tuple[pl.DataFrame, Ballots]:
    """Return the items by name with their places in the result, and the reports that are not missing, by number."""
    rows = pl.concat([collect(part) for part in reports.parts])
    first = rows.group_by(ITEM).agg(pl.col(reports.order).min().alias(_FIRST)).sort(ITEM)
    items, rows = first[ITEM], rows.drop_nulls(VALUE)
    item, reporter, label = (
        rows[name].replace_strict(values, range(len(values)), return_dtype=pl.Int64).to_numpy()
        for name, values in ((ITEM, items.to_list()), (REPORTER, names), (VALUE, list(known.labels)))
    )
    if len(items) * len(known.labels) > _MOST_CELLS:
        raise DataError(f"{len(items):,} items by {len(known.labels):,} classes do not fit in memory: take fewer items")
    place = np.lexsort((reporter, item))
    return first, Ballots(item[place], reporter[place], label[place], len(items), len(names), len(known.labels))


def _given(weights: Mapping[Any, float], names: list[Any]) -> FloatArray:
    """Return the weights of the reporters, the largest 1."""
    if not isinstance(weights, Mapping):
        raise ParameterError(f"weights={weights!r}: give a mapping from reporters to numbers, such as {{'ann': 2}}")
    known = {str(name): weight for name, weight in weights.items()}
    for name in names:
        if str(name) not in known:
            raise ParameterError(f"weights has no weight for reporter {name!r}: give one for each of the {len(names)}")
    try:
        found = np.array([float(known[str(name)]) for name in names])
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if not (np.isfinite(found) & (found >= 0)).all():
        raise ParameterError("weights has a weight that is no number of at least 0: give one such for each reporter")
    if not found.any():
        raise ParameterError("all weights are 0: nobody has a say; give at least one reporter some weight")
    found /= found.max()
    return found


def _truth(
    truth: object, frame: Any, reports: Reports, column: object, items: pl.Series, known: Classes
) -> IntArray | None:
    """Return the class of each gold item; None where no truth is given."""
    if truth is None:
        return None
    found = true_classes(read_truths(truth, frame, reports.columns.item, column), items.to_list(), known)
    if (found == UNKNOWN).all():
        raise DataError("no item has a report and a known truth: the ids of the items have to be the same")
    return found


def _table(
    reports: Reports, first: pl.DataFrame, sizes: IntArray, k: int, answers: dict[str, Any], known: Classes
) -> pl.DataFrame:
    """Return the answers as a frame; numbers where they mean something."""
    name, dtype = reports.columns.item, reports.rows.collect_schema()[VALUE]
    shares, status = answers.pop("shares"), answers.pop("status")
    columns = {"n": np.full(len(sizes), reports.panel), "m": sizes, "k": np.full(len(sizes), k), **answers}
    columns |= {"status": status} | {f"share_{label}": shares[:, place] for place, label in enumerate(known.shown())}
    if name in columns:
        raise ParameterError(f"the item column is named {name!r} like a column of the result: rename it")
    table = pl.DataFrame({name: first[ITEM], **columns}).with_columns(pl.col(pl.Float64).fill_nan(None))
    table = nw.from_native(table).with_columns(known.decode(nw.col("decision"), dtype).alias("decision")).to_native()
    numbers = [column for column in columns if column not in ("n", "m", "k", "heaviest", "tie", "status")]
    table = table.with_columns(pl.when(pl.col("status") == OK).then(pl.col(column)).alias(column) for column in numbers)
    return table[first[_FIRST].arg_sort()]
