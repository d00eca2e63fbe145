"""Combine labels with a weight for each reporter, and a guarantee that no weights can break."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._typing import IntArray
from bribeproof._validation import validate_k
from bribeproof.aggregation.combine import warn_contradictions
from bribeproof.aggregation.kernels.status import BUDGET, GROUPS, OK
from bribeproof.calibration.gold_answers import GoldAnswers, reporters_of
from bribeproof.calibration.result import Calibration
from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.frames.bribe_unit import BribeUnit
from bribeproof.frames.bribed_groups import GivenBribes, bribed_in_all
from bribeproof.frames.gold_labels import read_truths, true_classes
from bribeproof.frames.label_classes import UNKNOWN, Classes, binary_classes, find_classes
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import distinct_names
from bribeproof.frames.reports import Reports, check_item_name
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import CostWeighted, Expert, ExpertInterval, Loss, MultiExpert, get_loss
from bribeproof.weighting.bribed_weight import BribedWeight
from bribeproof.weighting.decide import AnyExpert, decide, follow_one_sided, forecast_and_guarantee
from bribeproof.weighting.designs import Designs, check_covered, find_designs
from bribeproof.weighting.error_bounds import bound_errors
from bribeproof.weighting.given_weights import read_weights
from bribeproof.weighting.learn import DEFAULT_SPREAD, Ballots, LearnedWeights, learn_weights, limits_of
from bribeproof.weighting.measured import Measurement, check_measurable
from bribeproof.weighting.promise import promise_of
from bribeproof.weighting.rates import find_rates
from bribeproof.weighting.result import WeightedAnswers

_FIRST = "_first"
_ALWAYS = ("n", "m", "asked", "set_aside", GROUPS, BUDGET, "k", "heaviest", "tie", "status")
"""The columns that items have whatever their status."""
_MOST_CELLS = 2**28


def weigh(
    frame: Any,
    k: int | None = None,
    *,
    group: object = None,
    price: object = None,
    budget: object = None,
    weight_spread: float | None = None,
    weights: Mapping[Any, float] | None = None,
    truth: object = None,
    expert: AnyExpert | Mapping[Any, AnyExpert] | Calibration | None = None,
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
    order: object = None,
    asked: int | str | None = None,
    faulty: str = "error",
    confidence: float = 0.95,
) -> WeightedAnswers:
    """Combine labels, with more weight for reporters that are right more often, when k reporters may be bribed.

    Parameters
    ----------
    frame
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table` or `scan_table`.
    k
        How many reporters may be bribed, on all items: a head count, at least 0. With ``group``, how many groups.
    group, price, budget
        What one bribe buys together, what it costs, and how much is spent, as in `aggregate_labels`. Where weights are
        given without a weight spread, an ``expert`` has to say the rates of each reporter then.
    weight_spread
        s in [0, 1): how far weights may differ. No weight on an item with m reports exceeds
        1/(m - s * (m - 2k)), and the errors in the guarantee are 1/(1 - s) times those of equal weights.
        By default 0.5; where weights are given, no limit.
    weights
        The weight of each reporter, at least 0, instead of learned ones. Without a weight spread they have to be known
        before anybody reports, such as stake or rank; with one they may come from anywhere, such as a model of these
        reports.
    truth
        Gold items to learn weights from as well: a frame, a mapping from items to labels, or the name of a column of
        ``frame``, as for `calibrate`. With ``weights``, items to measure on how much weight errs: this adds the
        guarantee and the forecast. The weights must be known before these items are reported on, such as learned from
        other items.
    expert
        The rates of truthful reports, on average: adds the guarantee and, for two classes, the forecast. A
        `MultiExpert` has one prior and accuracy per class, in class order. Or a mapping from reporters to experts of
        one prior, or the result of `calibrate`: where weights are given without a weight spread, these give closer
        guarantees, since averages leave open whether those with most weight err most.
    loss
        The loss that the forecast minimises. The guarantee of a `MultiExpert` bounds the absolute loss, which is
        also the probability of error of the random dictator.
    item, reporter, label, judges, classes, missing, repeats, order
        As in `aggregate_labels`.
    asked, faulty
        As in `aggregate_labels`: those who are silent though asked, or set aside, count as bribed. Where weights are
        given, they need a weight spread.
    truth_column
        The column of the truth in a frame of truths; by default ``label``.
    positive
        With an expert of two classes, or with ``weights`` and ``truth``: the label that counts as 1; others count as 0.
    confidence
        With ``weights`` and ``truth``: the least probability that the bounds measured on gold items hold, in (0, 1).

    Returns
    -------
    WeightedAnswers
        Tables by item and by reporter, of the kind of frame that came in.

    Raises
    ------
    DataError
        If labels or truths cannot be read, a truth is none of the classes, or no gold item has a report.
    ParameterError
        If a parameter is outside its range, a reporter has no weight in ``weights`` or no rates in ``expert``, nobody
        has any weight, ``asked`` or ``faulty`` come without a weight spread, or with an expert for each reporter, or
        ``weights`` and ``truth`` come with an expert, ``asked`` or ``faulty``.

    Notes
    -----
    docs/theory.md, Propositions 2.9 to 2.11 and Theorem 8.1 (`bribeproof.theory.error_inflation`). Bribed reporters can
    influence learned weights, and the guarantee allows for it: it holds for any weights within the limit, even if
    adversaries who know all reports chose them. It bounds the expected loss on average over items, provided that
    neither who answers an item nor how many do depends on its truth or difficulty, or on the others' skill or reports
    (§15). With ``asked`` = d it is that of d reporters, and holds whatever bribed ones say or leave out, if d depends
    neither on the item nor on their skill, and honest ones answer (Proposition 15.3). With ``weights`` and ``truth`` it
    is that of Proposition 12.5, for the items on which k reporters hold no more weight than on nine of ten items.

    Examples
    --------
    >>> rows = [(t, w, t % 2 ^ (w in "de" and (t + ord(w)) % 3 > 0)) for t in range(60) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> result = weigh(votes, k=1, weight_spread=0.5, expert=Expert(0.5, 0.95, 0.05))
    >>> dict(result.reporters.select("reporter", pl.col("weight").round(2)).iter_rows())
    {'a': 1.0, 'b': 1.0, 'c': 1.0, 'd': 0.0, 'e': 0.0}
    >>> result.items.select("decision", "flips_needed", pl.col("forecast", "guarantee").round(3)).row(0)
    (0, 2, 0.133, 0.116)
    """
    if weight_spread is None and weights is None:
        weight_spread = DEFAULT_SPREAD
    _check_spread(weight_spread)
    schema = ReportSchema(
        item,
        reporter,
        label,
        judges,
        missing,
        repeats,
        positive=positive,
        classes=classes,
        asked=asked,
        faulty=faulty,
        order=order,
    )
    reports = validate_reports(frame, schema, scores=False)
    names = reporters_of(reports)
    given = GivenBribes.of(frame, reports.columns.reporter, group, price, budget)
    if given is None and k is None:
        raise ParameterError("say how many reporters may be bribed, such as k=1, or give prices and a budget")
    in_all = validate_k(bribed_in_all(given, reports, k))
    rates = find_rates(expert, names, in_all, of_each=weight_spread is None)
    check_covered(reports, weight_spread, rates, grouped=given is not None)
    answers = None
    if weights is not None and truth is not None:
        check_measurable(reports, expert)
        answers = GoldAnswers.of(reports, truth, frame, truth_column or label)
        class_list, positive_class = answers.classes, answers.positive
    else:
        class_list, positive_class = _find_classes(reports, None if rates is None else rates.expert)
    rows = pl.concat([collect(part) for part in reports.parts])
    first_rows, ballots = _ballots(reports, rows, class_list, names)
    bribes = BribedWeight.of(ballots, names, reports, k, given)
    designs = find_designs(reports, rows, ballots.sizes, bribes.reports)
    warn_contradictions(reports, k, share=None, share_of="panel", bribes=given)
    limits = (
        np.ones(ballots.items) if weight_spread is None else limits_of(ballots.sizes, designs.bribed, weight_spread)
    )
    if weights is not None:
        zeros, unknown = np.zeros(len(names), np.int64), np.full(len(names), np.nan)
        learned = LearnedWeights(zeros, unknown, zeros, unknown, read_weights(weights, names))
    else:
        gold = _gold_classes(truth, frame, reports, truth_column or label, first_rows[ITEM], class_list)
        learned = learn_weights(ballots, limits, gold)
    capped = ballots.cap(learned.weights, limits)
    held = bribes.heaviest(capped) if weight_spread is None else designs.bribed * limits
    held = np.where(designs.possible, held, 1.0) if designs.stated else held
    promise, measured = None, None
    columns = decide(ballots, capped, held, unseen=not class_list.declared)
    if rates is not None:
        errors = bound_errors(ballots, capped, held, designs.given, bribes, weight_spread, rates.errors)
        columns |= forecast_and_guarantee(errors, columns["shares"][:, positive_class], rates.expert, loss)
        promise = promise_of(
            columns["guarantee"],
            designs.given,
            None if bribes.groups is not None else bribes.in_all,
            weight_spread,
            rates,
            loss,
            None if isinstance(rates.expert, MultiExpert) else _sides(class_list, positive_class),
        )
    if answers is not None:
        states = np.array([answers.states.get(str(name), -1) for name in first_rows[ITEM]], np.int64)
        measurement = Measurement(ballots, learned.weights, answers, states, loss, confidence)
        measured = measurement.run(bribes, weight_spread)
        columns |= measured.columns(ballots.shares(capped)[:, positive_class])
        if len(class_list.labels) == 2 and type(get_loss(loss)) is CostWeighted:
            columns["one_sided"] = measured.one_sided()
        if measured.rule is not None:
            promise = measurement.promise(measured, bribes, weight_spread, _sides(class_list, positive_class))
    follow_one_sided(columns, positive_class)
    always = (*_ALWAYS, "forecast", "guarantee") if measured is not None else _ALWAYS
    items = _tabulate_items(reports, first_rows, ballots.sizes, designs, bribes, columns, class_list, always)
    reporters = _tabulate_reporters(names, ballots, learned)
    return WeightedAnswers(
        reports.to_native(items, {items.columns[0]: ITEM, "decision": VALUE}),
        reports.to_native(reporters, {"reporter": REPORTER}),
        k,
        weight_spread,
        get_loss(loss).name,
        confidence=confidence if answers is not None else None if rates is None else rates.confidence,
        promise=promise,
        measured=measured,
        n_items=items.height,
        n_reporters=reporters.height,
        unit=BribeUnit() if given is None else BribeUnit(given.what, priced=given.priced, counted=True),
    )


def _check_spread(weight_spread: object) -> None:
    """Raise an error unless the weight spread is None or a number in [0, 1)."""
    allowed = "use a number in [0, 1), such as 0.5"
    if weight_spread is not None and (isinstance(weight_spread, bool) or not isinstance(weight_spread, int | float)):
        raise ParameterTypeError(f"weight_spread={weight_spread!r}: {allowed}")
    if weight_spread is not None and not 0 <= weight_spread < 1:
        raise ParameterError(f"weight_spread={weight_spread!r}: {allowed}")


def _find_classes(reports: Reports, expert: AnyExpert | None) -> tuple[Classes, int]:
    """Return the classes and the index of the positive one; check that an expert has as many."""
    classes = find_classes(reports)
    if isinstance(expert, Expert | ExpertInterval) and len(classes.labels) <= 2:
        return binary_classes(reports)
    states = expert.states if isinstance(expert, MultiExpert) else 2
    if expert is not None and states != len(classes.labels):
        raise ParameterError(
            f"the expert knows of {states} classes and there are {len(classes.labels)} "
            f"({', '.join(classes.shown())}): give a MultiExpert with a prior and an accuracy for each, in this order, "
            f"or no expert; to set labels of other classes aside, declare the classes, such as classes=('no', 'yes') "
            f"(--classes no,yes), and faulty='set aside' (--faulty set-aside)"
        )
    return classes, 0


def _sides(classes: Classes, positive: int) -> tuple[str, ...]:
    """Return the positive class and the negative ones as text."""
    names = classes.shown()
    return (names[positive], *names[:positive], *names[positive + 1 :])


def _ballots(reports: Reports, rows: pl.DataFrame, classes: Classes, names: list[Any]) -> tuple[pl.DataFrame, Ballots]:
    """Return the sorted items with the order of their first rows, and the reports that are not missing as arrays."""
    first_rows = rows.group_by(ITEM).agg(pl.col(reports.order).min().alias(_FIRST)).sort(ITEM)
    items, rows = first_rows[ITEM], rows.drop_nulls(VALUE)
    if len(items) * len(classes.labels) > _MOST_CELLS:
        raise DataError(
            f"{len(items):,} items by {len(classes.labels):,} classes do not fit in memory: take fewer items"
        )
    item, reporter, label = (
        rows[name].replace_strict(values, range(len(values)), return_dtype=pl.Int64).to_numpy()
        for name, values in ((ITEM, items.to_list()), (REPORTER, names), (VALUE, list(classes.labels)))
    )
    order = np.lexsort((reporter, item))
    return first_rows, Ballots(item[order], reporter[order], label[order], len(items), len(names), len(classes.labels))


def _gold_classes(
    truth: object, frame: Any, reports: Reports, column: object, items: pl.Series, classes: Classes
) -> IntArray | None:
    """Return the class of each gold item, UNKNOWN for the others; None if no truth is given."""
    if truth is None:
        return None
    indices = true_classes(read_truths(truth, frame, reports.columns.item, column), items.to_list(), classes)
    if (indices == UNKNOWN).all():
        raise DataError("no item has a report and a known truth: the ids of the items have to be the same")
    return indices


def _tabulate_items(
    reports: Reports,
    first_rows: pl.DataFrame,
    sizes: IntArray,
    designs: Designs,
    bribes: BribedWeight,
    columns: dict[str, Any],
    classes: Classes,
    always: Collection[str],
) -> pl.DataFrame:
    """Return one row per item, in order of first appearance; most numbers only for items whose status is ok."""
    name, dtype = reports.columns.item, reports.rows.collect_schema()[VALUE]
    shares, status = columns.pop("shares"), columns.pop("status")
    columns = {"n": np.full(len(sizes), reports.panel), "m": sizes, **designs.stated} | (
        bribes.columns | {"k": bribes.reports} | columns
    )
    columns |= {"status": status}
    labelled = distinct_names(reports.rows, [f"share_{label}" for label in classes.shown()])
    columns |= {share: shares[:, index] for index, share in enumerate(labelled)}
    check_item_name(name, columns)
    table = pl.DataFrame({name: first_rows[ITEM], **columns}).with_columns(pl.col(pl.Float64).fill_nan(None))
    table = table.with_columns(pl.col("flips_needed").cast(pl.Int64))
    table = nw.from_native(table).with_columns(classes.decode(nw.col("decision"), dtype).alias("decision")).to_native()
    numbers = [column for column in columns if column not in always]
    table = table.with_columns(pl.when(pl.col("status") == OK).then(pl.col(column)).alias(column) for column in numbers)
    return table[first_rows[_FIRST].arg_sort()]


def _tabulate_reporters(names: list[Any], ballots: Ballots, learned: LearnedWeights) -> pl.DataFrame:
    """Return one row per reporter, the heaviest first."""
    table = pl.DataFrame(
        {"reporter": names, "reports": np.bincount(ballots.reporter, minlength=len(names))}
        | {name: getattr(learned, name) for name in ("compared", "agreement", "gold", "right")}
        | {"weight": learned.weights}
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    return table.sort("weight", descending=True, maintain_order=True)
