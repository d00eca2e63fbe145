"""Aggregate for several k, to choose how many bribed reporters to tolerate."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any

import polars as pl

from bribeproof._validation import check_better
from bribeproof._warnings import record_notes
from bribeproof.aggregation.combine import COMBINE, VALUE_PARAMETERS, check_optional_expert, split_options
from bribeproof.aggregation.promise import given_to
from bribeproof.aggregation.recognised import RecognisedReports, inapplicable_option
from bribeproof.aggregation.summary import changeable
from bribeproof.aggregation.sweep_promises import SweepPromises
from bribeproof.aggregation.sweep_result import Sweep
from bribeproof.calibration.result import Calibration
from bribeproof.errors import ColumnError, ParameterError
from bribeproof.frames.bribed_groups import column_roles
from bribeproof.frames.commitment import resolve_draw
from bribeproof.frames.native import column_names, to_polars
from bribeproof.frames.reading.direction import ask_direction
from bribeproof.frames.reading.kinds import implied_kind
from bribeproof.frames.reading.open_read import open_read
from bribeproof.frames.reading.open_reports import READ_OPTIONS
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.repeats import asking_about_repeats
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, VALUE, Columns
from bribeproof.frames.swept_bribes import SweptBribes
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Expert, ExpertInterval, Loss
from bribeproof.theory.minimax.items_guarantee import mean_of_groups

_REPORTERS = SweptBribes()
_ANSWER, _FIRST, _CHANGED, _NUMBER = "_answer", "_first", "_changed", "_number"


def sweep(
    frame: Any,
    ks: Iterable[int] | None = None,
    *,
    kind: str | None = None,
    group: object = None,
    price: object = None,
    budget: object = None,
    expert: Expert | ExpertInterval | Calibration | None = None,
    loss: Loss | str = "squared",
    better: str | None = None,
    criteria: str | None = None,
    criterion_weights: Mapping[str, object] | Sequence[str] | None = None,
    criterion: str | Sequence[str] | None = None,
    total: str | None = None,
    factor: object = None,
    minus: str | None = None,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> Sweep:
    """Aggregate for several k, to see how much protection costs and where answers change.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind, as in `aggregate`. Its columns are recognised unless they are named,
        or are ``task``, ``worker`` and ``label``, of scores ``score``.
    ks
        The numbers of bribed reporters, or of groups, ascending; by default 0, 1, … until no item is certified.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``; None to recognise it, for scores where criteria, a total, a factor or
        what is subtracted are named, and for votes where no columns are recognised.
    group, price
        What one bribe buys together, and what it costs, as in `aggregate_scores`.
    budget
        With prices, instead of ``ks``: how much is spent on bribes, ascending, such as ``[0, 10, 20]``, or one amount,
        beside nothing.
    expert
        For votes: the rates of a truthful reporter, or a calibration; adds forecasts, and the guarantee for each k.
    loss
        Loss of the forecast.
    better
        Of scores: whether the highest (``"high"``) or the lowest (``"low"``) is the best; None as in `aggregate`.
    criteria, criterion_weights, criterion, total, factor, minus
        Of scores, as in `aggregate`: the places are those of the totals.
    reading
        How the table is read, as in `aggregate`.
    options
        The other options of `aggregate_votes`, `aggregate_labels` or `aggregate_scores`, without ``k``, and those of
        `aggregate` that say how a table is read, such as ``value``, ``turned``, ``label_sets`` and ``sep``.

    Returns
    -------
    Sweep
        Tables by k, by item and by both, of the kind of frame that came in.

    Raises
    ------
    FileError
        If the file cannot be read.
    DataError
        If the reports cannot be read, or two readings are plausible.
    ParameterError
        If a parameter is outside its range, ``ks`` or budgets do not ascend, or an expert is given for labels or
        scores.

    Notes
    -----
    docs/theory.md §2, §6 and §8. An item with m reports has the guarantee of m reporters, k of them bribed, and
    ``expected_loss`` is the average over the certified items. It holds on average over items, provided that neither
    who answers an item nor how many do depends on its truth or difficulty, or on the others' skill or reports (§15).
    Where a bribe buys a group, k is that of the item: the most reports on it of groups that can be bribed together.

    Examples
    --------
    >>> votes = pl.DataFrame({"task": ["t"] * 5, "worker": list("abcde"), "label": [1, 1, 1, 0, 0]})
    >>> result = sweep(votes, expert=Expert(0.5, 0.9, 0.1))
    >>> result.items.row(0)
    ('t', 3)
    >>> result.by_k.select("k", "certified", "changeable", pl.col("expected_loss").round(4)).rows()
    [(0, 1, 0, 0.09), (1, 1, 1, 0.1156), (2, 1, 1, 0.21), (3, 0, 0, None)]
    """
    check_optional_expert(expert, Expert, ExpertInterval, Calibration, correlated=True)
    if "k" in options:
        raise ParameterError(f"k={options['k']!r}: a sweep goes through several numbers, ks=[0, 1, 2]; leave k out")
    structure = {
        "criteria": criteria, "criterion_weights": criterion_weights, "criterion": criterion, "total": total,
        "factor": factor, "minus": minus,
    }  # fmt: skip
    if kind not in (None, *COMBINE):
        raise ParameterError(f"kind={kind!r}: use one of {', '.join(COMBINE)}")
    is_structured = any(value is not None for value in structure.values())
    if reading is not None or is_structured or not _has_usual_columns(frame, kind or "votes", options):
        kind = "scores" if reading is None and kind is None and is_structured else kind
        is_vote = expert is not None or options.get("positive") is not None
        implied = implied_kind(None, options.get("classes"), is_vote=is_vote)
        given = {name: options.pop(name, None) for name in (*_READ, *READ_OPTIONS)} | structure
        given |= {"kind": kind, "better": better, "asked": options.get("asked")}
        named = next((name for name in VALUE_PARAMETERS.values() if name in options), "value")
        given |= {"value": options.pop(named, None)}
        with open_read(frame, given, reading, implied=implied, other=column_roles(group, price)) as table:
            more = options | {"missing": table.missing, "budget": budget}
            bribes = SweptBribes.of(table.table, table.recognised.columns.reporter, group, price)
            with asking_about_repeats(table.table, table.recognised), record_notes() as done:
                swept = sweep_recognised(
                    table.prepared, table.recognised, ks, bribes=bribes, expert=expert, loss=loss, **more
                )
            frames = {name: table.returned(getattr(swept, name)) for name in ("by_k", "items", "answers")}
        return replace(swept, **frames, notes=(*table.notes, *done))
    kind = "votes" if kind is None else kind
    _check_expert(expert, kind)
    read = {name: options.get(name) for name in ("scale", "decimal_mark")}
    if name := inapplicable_option(kind, {"better": better} | read):
        raise ParameterError(f"{name} does not apply to {kind}; leave it out, or give another kind")
    answer = _answer(kind, "high" if better is None else better)
    schema, rest = split_options(kind, options)
    reports = validate_reports(frame, schema, scores=kind == "scores", shifts=True)
    bribes = SweptBribes.of(frame, reports.columns.reporter, group, price)
    if kind == "scores" and better is None:
        ask_direction(reports)
    rest, _ = resolve_draw(reports, rest)

    combine = partial(COMBINE[kind], **rest)
    return _sweep(reports, kind, combine, answer, bribes, bribes.numbers(ks, budget), expert, loss)


_READ = ("item", "reporter", "judges", "missing", "repeats", "order", "decimal_mark", "scale")
"""The other options that say how a table is read, beside those that only recognition takes."""


def _has_usual_columns(frame: Any, kind: str, options: Mapping[str, Any]) -> bool:
    """Return whether a frame has the columns that are named or usual, so that none need be recognised."""
    if isinstance(frame, str | PathLike) or any(options.get(name) for name in (*READ_OPTIONS, "value")):
        return False
    try:
        Columns.find(column_names(frame), split_options(kind, options)[0])
    except ColumnError:
        return False
    return True


def sweep_recognised(
    frame: Any,
    recognised: Reading,
    ks: Iterable[int] | None = None,
    *,
    bribes: SweptBribes = _REPORTERS,
    budget: object = None,
    expert: Expert | ExpertInterval | Calibration | None = None,
    loss: Loss | str = "squared",
    **options: Any,
) -> Sweep:
    """Sweep over a frame in the form that its reading names; the options are those that a reading does not hold."""
    _check_expert(expert, recognised.kind)
    read = RecognisedReports.of(frame, recognised, options)
    answer = _answer(recognised.kind, read.better)
    numbers = bribes.numbers(ks, budget)
    return _sweep(read.reports, recognised.kind, read.combine, answer, bribes, numbers, expert, loss)


def _check_expert(expert: object, kind: str) -> None:
    """Raise an error if an expert is given for labels or scores."""
    if expert is not None and kind != "votes":
        raise ParameterError(
            f"an expert is a voter with two classes, and these are {kind}: leave it out, or kind='votes'"
        )


def _sweep(
    reports: Reports,
    kind: str,
    combine: Callable[..., Any],
    answer: pl.Expr,
    bribes: SweptBribes,
    numbers: list[Any] | None,
    expert: Expert | ExpertInterval | Calibration | None,
    loss: Loss | str,
) -> Sweep:
    """Compare the answers for several k; `combine` returns those of some reports for one k."""
    unit = bribes.unit
    reports = reports.collected() if unit.counted else reports

    def aggregate(number: Any, reports: Reports = reports) -> pl.DataFrame:
        forecast: dict[str, Any] = {} if expert is None else {"expert": expert, "loss": loss}
        return to_polars(combine(reports=reports, **bribes.at(number), **forecast))

    answered = dict(_go_through(numbers, aggregate))
    numbers = list(answered)
    each = [one.with_columns(answer, pl.lit(unit.cell(number)).alias(_NUMBER)) for number, one in answered.items()]
    first = each[0]
    if (first["k"] == 0).all() and (reports.schema.asked is not None or reports.schema.sets_aside):
        # Silence is not certified if nobody may be bribed; the answers to compare with are those of the other reports.
        first = aggregate(numbers[0], reports.without_statements()).with_columns(answer)
    first = first.select(pl.col(_ANSWER).alias(_FIRST))
    compared = [pl.concat([answers, first], how="horizontal").with_columns(_changed()) for answers in each]
    together = pl.concat(compared)
    item = together.columns[0]
    changes = together.group_by(item, maintain_order=True).agg(
        pl.col(_NUMBER).filter(pl.col(_CHANGED)).min().alias("changes_at")
    )
    rows = [_count(answers, kind, unit.column) for answers in compared]
    promises = None
    if expert is not None:
        in_all = [bribes.in_all(reports, number) for number in numbers]
        promises = SweepPromises.of(reports, rows, each, expert, loss, unit, in_all)
    by_k = pl.DataFrame(rows if promises is None else promises.beside(rows), infer_schema_length=None)
    categories = {item: ITEM} | {name: VALUE for name in ("decision", "draw") if name in together.columns}
    categories = categories if item == reports.columns.item else {}
    return Sweep(
        reports.to_native(by_k, {}),
        reports.to_native(changes, {item: ITEM} if categories else {}),
        reports.to_native(together.drop(_ANSWER, _FIRST, _CHANGED, _NUMBER), categories),
        kind,
        tuple(numbers),
        n_items=changes.height,
        promises=promises,
        unit=unit,
    )


def _go_through(
    numbers: Iterable[Any] | None, aggregate: Callable[[Any], pl.DataFrame]
) -> Iterator[tuple[Any, pl.DataFrame]]:
    """Yield each number and what `aggregate` returns for it; without numbers all from 0 while any can be certified.

    Silence and reports that are set aside may need a larger k than another item to be certified, so that items are
    counted until no larger k can certify any.
    """
    if numbers is not None:
        yield from ((number, aggregate(number)) for number in numbers)
        return
    before = None
    for k in itertools.count():
        answers = aggregate(k)
        yield k, answers
        columns = answers.columns[1:]
        faulty = pl.col("set_aside").cast(pl.Int64) if "set_aside" in columns and "asked" not in columns else pl.lit(0)
        beyond = (pl.col("status") != "ok") & (pl.col("k") * 2 + 2 >= given_to(columns) + faulty)
        if answers.select(beyond.all()).item() or (before is not None and before.equals(answers["k"])):
            return
        before = answers["k"]  # Where it does not grow, all groups are bribed.


def _answer(kind: str, better: str) -> pl.Expr:
    """Return the answer of each item: its decision, or the place of its score."""
    check_better(better)
    place = pl.col("estimate").rank("min", descending=better == "high")
    answer = place if kind == "scores" else pl.col("decision")
    return answer.alias(_ANSWER)


def _changed() -> pl.Expr:
    """Return which answers differ from the first ones, or are not certified."""
    return ((pl.col("status") != "ok") | ~pl.col(_ANSWER).eq_missing(pl.col(_FIRST))).alias(_CHANGED)


def _count(answers: pl.DataFrame, kind: str, column: str) -> dict[str, Any]:
    """Count the certified, changed, tied and changeable answers for one k, and average their guarantees."""
    certified = pl.col("status") == "ok"
    counts = {"certified": certified.sum(), "changed": pl.col(_CHANGED).sum()}
    if kind != "scores":
        counts |= {
            "ties": pl.col("tie").sum(),
            "changeable": changeable(answers.columns).sum(),
        }
    row: dict[str, Any] = {column: answers[_NUMBER][0], **answers.select(**counts).row(0, named=True)}
    if "guarantee" not in answers.columns:
        return row
    groups = answers.filter(certified).group_by("guarantee").len().sort("guarantee").rows()
    known = bool(groups) and all(guarantee is not None for guarantee, _ in groups)
    return row | {"expected_loss": mean_of_groups(groups) if known else None}
