"""Combine labels with a weight for each reporter, and a guarantee that no weights can break."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import IntArray
from bribeproof._validation import validate_k
from bribeproof.aggregation.combine import warn_contradictions
from bribeproof.calibration.gold_answers import GoldAnswers, reporters_of
from bribeproof.calibration.result import Calibration
from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.frames.bribe_unit import BribeUnit
from bribeproof.frames.bribed_groups import GivenBribes, bribed_in_all, column_roles
from bribeproof.frames.gold_labels import true_classes
from bribeproof.frames.label_classes import UNKNOWN, Classes, binary_classes, find_classes
from bribeproof.frames.native import collect
from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.open_reports import OpenedReports, open_reports
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import CostWeighted, Expert, ExpertInterval, Loss, MultiExpert, get_loss
from bribeproof.weighting.bribed_weight import BribedWeight
from bribeproof.weighting.decide import AnyExpert, decide, follow_one_sided, forecast_and_guarantee
from bribeproof.weighting.designs import check_covered, find_designs
from bribeproof.weighting.error_bounds import bound_errors
from bribeproof.weighting.given_weights import read_weights
from bribeproof.weighting.learn import DEFAULT_SPREAD, LearnedWeights, learn_weights, limits_of
from bribeproof.weighting.measured import Measurement, check_measurable
from bribeproof.weighting.promise import promise_of
from bribeproof.weighting.rates import find_rates
from bribeproof.weighting.result import WeightedAnswers
from bribeproof.weighting.tables import ALWAYS, read_ballots, tabulate_items, tabulate_reporters


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
    kind: Kind | None = None,
    item: object = None,
    reporter: object = None,
    label: object = None,
    judges: Sequence[object] | None = None,
    truth_column: object = None,
    positive: object = 1,
    classes: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str | None = None,
    order: object = None,
    asked: int | str | None = None,
    faulty: str = "error",
    confidence: float = 0.95,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> WeightedAnswers:
    """Combine labels, with more weight for reporters that are right more often, when k reporters may be bribed.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind, as in `aggregate`.
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
        Gold items to learn weights from as well: a file, a frame, a mapping from items to labels, or the name of a
        column of ``frame``, as for `calibrate`. With ``weights``, items to measure on how much weight errs: this adds
        the guarantee and the forecast. The weights must be known before these items are reported on, such as learned
        from other items.
    expert
        The rates of truthful reports, on average: adds the guarantee and, for two classes, the forecast. A
        `MultiExpert` has one prior and accuracy per class, in class order. Or a mapping from reporters to experts of
        one prior, or the result of `calibrate`: where weights are given without a weight spread, these give closer
        guarantees, since averages leave open whether those with most weight err most.
    loss
        The loss that the forecast minimises. The guarantee of a `MultiExpert` bounds the absolute loss, which is
        also the probability of error of the random dictator.
    kind
        ``"votes"`` or ``"labels"``; None to recognise it. It changes no answer; ``"labels"`` says that numbers are no
        scores.
    item, reporter, label
        Long form: the columns of the items, of the reporters, and of the labels; None to recognise them, as `aggregate`
        does. A frame with the columns ``task``, ``worker`` and ``label`` is taken as it is.
    judges
        Wide form: the columns that hold one reporter's labels each, by name or by pattern; None to recognise them.
    classes, missing, repeats, order
        As in `aggregate_labels`.
    asked, faulty
        As in `aggregate_labels`: those who are silent though asked, or set aside, count as bribed. Where weights are
        given, they need a weight spread.
    truth_column
        The column of the truth in a file or a frame of its own; by default ``label``, or the only one beside the items.
    positive
        With an expert of two classes, or with ``weights`` and ``truth``: the label that counts as 1; others count as 0.
    confidence
        With ``weights`` and ``truth``: the least probability that the bounds measured on gold items hold, in (0, 1).
    reading
        How the table is read, as in `aggregate`.
    **options
        The other options of `aggregate` that say how a table is read: ``turned``, ``not_items``, ``label_sets``,
        ``label_separator``, ``no_label``, ``labels``, ``sep``, ``encoding``, ``format``, ``header_line``, ``sheet``.

    Returns
    -------
    WeightedAnswers
        Tables by item and by reporter, of the kind of frame that came in.

    Raises
    ------
    FileError
        If a file cannot be read.
    DataError
        If labels or truths cannot be read, two readings are plausible, a truth is none of the classes, or no gold item
        has a report.
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
    if kind not in (None, "votes", "labels"):
        raise ParameterError(f"kind={kind!r}: use 'votes' or 'labels'; scores cannot be weighted")
    columns = {
        "kind": kind, "item": item, "reporter": reporter, "value": label, "judges": judges, "missing": missing,
        "repeats": repeats, "order": order, "asked": asked,
    }  # fmt: skip
    with open_reports(
        frame, columns, options, reading, named="label", truth=truth, truth_column=truth_column,
        other=column_roles(group, price),
    ) as opened:  # fmt: skip
        opened.refuse_scores("weighted", "use aggregate, or give kind='labels' if these are labels")
        schema = ReportSchema(**opened.columns, positive=positive, classes=classes, asked=asked, faulty=faulty)
        if weight_spread is None and weights is None:
            weight_spread = DEFAULT_SPREAD
        found = _weigh(opened, schema, k, (group, price, budget), weight_spread, weights, expert, loss, confidence)
    items, reporters = opened.returned(found.items), opened.returned(found.reporters)
    return replace(found, items=items, reporters=reporters, notes=opened.notes)


def _weigh(
    opened: OpenedReports,
    schema: ReportSchema,
    k: int | None,
    bought: tuple[object, object, object],
    weight_spread: float | None,
    weights: Mapping[Any, float] | None,
    expert: AnyExpert | Mapping[Any, AnyExpert] | Calibration | None,
    loss: str | Loss,
    confidence: float,
) -> WeightedAnswers:
    """Combine labels that were opened."""
    _check_spread(weight_spread)
    reports, truth = validate_reports(opened.table, schema, scores=False), opened.truth
    names = reporters_of(reports)
    given = GivenBribes.of(opened.table, reports.columns.reporter, *bought)
    if given is None and k is None:
        raise ParameterError("say how many reporters may be bribed, such as k=1, or give prices and a budget")
    in_all = validate_k(bribed_in_all(given, reports, k))
    rates = find_rates(expert, names, in_all, of_each=weight_spread is None)
    check_covered(reports, weight_spread, rates, grouped=given is not None)
    answers = None
    if weights is not None and truth is not None:
        check_measurable(reports, expert)
        answers = GoldAnswers.of(reports, opened.truths(reports.columns.item), beside=opened.beside)
        class_list, positive_class = answers.classes, answers.positive
    else:
        class_list, positive_class = _find_classes(reports, None if rates is None else rates.expert)
    rows = pl.concat([collect(part) for part in reports.parts])
    first_rows, ballots = read_ballots(reports, rows, class_list, names)
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
        gold = _gold_classes(opened, reports.columns.item, first_rows[ITEM], class_list)
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
    always = (*ALWAYS, "forecast", "guarantee") if measured is not None else ALWAYS
    items = tabulate_items(reports, first_rows, ballots.sizes, designs, bribes, columns, class_list, always)
    reporters = tabulate_reporters(names, ballots, learned)
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


def _gold_classes(opened: OpenedReports, item: str, items: pl.Series, classes: Classes) -> IntArray | None:
    """Return the class of each gold item, UNKNOWN for the others; None if no truth is given."""
    if opened.truth is None:
        return None
    indices = true_classes(opened.truths(item), items.to_list(), classes)
    if (indices == UNKNOWN).all():
        raise DataError("no item has a report and a known truth: the ids of the items have to be the same")
    return indices
