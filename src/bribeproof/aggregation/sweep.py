"""Aggregate for several k, to choose how many bribed reporters to tolerate."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

import polars as pl

from bribeproof._validation import check_better, validate_k
from bribeproof.aggregation.combine import COMBINE, VALUE_PARAMETERS, check_optional_expert, split_options
from bribeproof.aggregation.recognised import RecognisedReports, inapplicable_option
from bribeproof.aggregation.summary import changeable, largest_certifiable
from bribeproof.aggregation.sweep_promises import SweepPromises
from bribeproof.aggregation.sweep_result import Sweep
from bribeproof.calibration.result import Calibration, expert_for
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.commitment import resolve_draw
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.direction import ask_direction
from bribeproof.frames.reading.open_read import open_read
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, VALUE
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Expert, ExpertInterval, Loss
from bribeproof.theory.minimax.items_guarantee import mean_of_groups

_ANSWER, _FIRST, _CHANGED = "_answer", "_first", "_changed"


def sweep(
    frame: Any,
    ks: Iterable[int] | None = None,
    *,
    kind: str | None = None,
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
        As in `aggregate_votes`.
    ks
        The numbers of bribed reporters, ascending; by default 0, 1, … until no item is certified any more.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``; None for that of the reading, for scores where criteria, a total, a
        factor or what is subtracted are named, and else for votes.
    expert
        For votes: the rates of a truthful reporter, or a calibration; adds forecasts, and the guarantee for each k.
    loss
        Loss of the forecast.
    better
        Of scores: whether the highest (``"high"``) or the lowest (``"low"``) is the best; None as in `aggregate`.
    criteria, criterion_weights, criterion, total, factor, minus
        Of scores, as in `aggregate`: the places are those of the totals.
    reading
        How the table is read, as in `aggregate`; the columns need not be named then, and ``frame`` may be a path.
    options
        The other options of `aggregate_votes`, `aggregate_labels` or `aggregate_scores`, without ``k`` and ``expert``.

    Returns
    -------
    Sweep
        Tables by k, by item and by both, of the kind of frame that came in.

    Raises
    ------
    DataError
        If the reports cannot be read.
    ParameterError
        If a parameter is outside its range, ``ks`` do not ascend, or an expert is given for labels or scores.

    Notes
    -----
    docs/theory.md §2, §6 and §8. An item with m reports has the guarantee of m reporters, k of them bribed, and
    ``expected_loss`` is the average over the certified items. It holds on average over items, provided that neither
    who answers an item nor how many do depends on its truth or difficulty, or on the others' skill or reports (§15).

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
    structure = {
        "criteria": criteria, "criterion_weights": criterion_weights, "criterion": criterion, "total": total,
        "factor": factor, "minus": minus,
    }  # fmt: skip
    if reading is not None or any(value is not None for value in structure.values()):
        kind = "scores" if reading is None and kind is None else kind
        given = {name: options.pop(name, None) for name in _READ} | structure | {"kind": kind, "better": better}
        named = next((name for name in VALUE_PARAMETERS.values() if name in options), "score")
        given |= {"value": options.pop(named, None), "asked": options.get("asked")}
        with open_read(frame, given, reading) as table:
            more = options | {"missing": table.missing}
            return sweep_recognised(table.prepared, table.recognised, ks, expert=expert, loss=loss, **more)
    kind = "votes" if kind is None else kind
    if kind not in COMBINE:
        raise ParameterError(f"kind={kind!r}: use one of {', '.join(COMBINE)}")
    _check_expert(expert, kind)
    read = {name: options.get(name) for name in ("scale", "decimal_mark")}
    if name := inapplicable_option(kind, {"better": better} | read):
        raise ParameterError(f"{name} does not apply to {kind}; leave it out, or give another kind")
    answer = _answer(kind, "high" if better is None else better)
    schema, rest = split_options(kind, options)
    reports = validate_reports(frame, schema, scores=kind == "scores", shifts=True)
    if kind == "scores" and better is None:
        ask_direction(reports)
    rest, _ = resolve_draw(reports, rest)

    def combine(k: int, reports: Reports, **forecast: Any) -> Any:
        return COMBINE[kind](reports, k, **rest, **forecast)

    return _sweep(reports, kind, combine, answer, ks, expert, loss)


_READ = (
    "item", "reporter", "judges", "turned", "not_items", "missing", "repeats", "order", "decimal_mark", "scale", "sep",
    "encoding", "format", "header_line", "sheet",
)  # fmt: skip
"""The other options that say how a table is read."""


def sweep_recognised(
    frame: Any,
    recognised: Reading,
    ks: Iterable[int] | None = None,
    *,
    expert: Expert | ExpertInterval | Calibration | None = None,
    loss: Loss | str = "squared",
    **options: Any,
) -> Sweep:
    """Sweep over a frame in the form that its reading names; the options are those that a reading does not hold."""
    _check_expert(expert, recognised.kind)
    read = RecognisedReports.of(frame, recognised, options)

    def combine(k: int, reports: Reports, **forecast: Any) -> Any:
        return read.combine(k, reports, **forecast)

    return _sweep(read.reports, recognised.kind, combine, _answer(recognised.kind, read.better), ks, expert, loss)


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
    ks: Iterable[int] | None,
    expert: Expert | ExpertInterval | Calibration | None,
    loss: Loss | str,
) -> Sweep:
    """Compare the answers for several k; `combine` returns those of some reports for one k."""

    def aggregate(k: int, reports: Reports = reports) -> pl.DataFrame:
        forecast = {} if expert is None else {"expert": expert_for(expert, k), "loss": loss}
        return to_polars(combine(k, reports, **forecast))

    each = [answers.with_columns(answer) for answers in _answers(aggregate, ks)]
    first = each[0]
    if int(first["k"][0]) == 0 and (reports.schema.asked is not None or reports.schema.sets_aside):
        # Silence is not certified if nobody may be bribed; the answers to compare with are those of the other reports.
        first = aggregate(0, reports.without_statements()).with_columns(answer)
    first = first.select(pl.col(_ANSWER).alias(_FIRST))
    compared = [pl.concat([answers, first], how="horizontal").with_columns(_changed()) for answers in each]
    together = pl.concat(compared)
    item = together.columns[0]
    changes = together.group_by(item, maintain_order=True).agg(
        pl.col("k").filter(pl.col(_CHANGED)).min().alias("changes_at")
    )
    rows = [_count(answers, kind) for answers in compared]
    promises = None if expert is None else SweepPromises.of(reports, rows, each, expert, loss)
    by_k = pl.DataFrame(rows if promises is None else promises.beside(rows), infer_schema_length=None)
    categories = {item: ITEM} | {name: VALUE for name in ("decision", "draw") if name in together.columns}
    categories = categories if item == reports.columns.item else {}
    return Sweep(
        reports.to_native(by_k, {}),
        reports.to_native(changes, {item: ITEM} if categories else {}),
        reports.to_native(together.drop(_ANSWER, _FIRST, _CHANGED), categories),
        kind,
        tuple(by_k["k"].to_list()),
        n_items=changes.height,
        promises=promises,
    )


def _answers(aggregate: Callable[[int], pl.DataFrame], ks: Iterable[int] | None) -> Iterator[pl.DataFrame]:
    """Yield the answers for each k."""
    if ks is not None:
        if not isinstance(ks, Iterable):
            raise ParameterTypeError(f"ks={ks!r}: give numbers of bribed reporters, such as [0, 1, 2]")
        counts = [validate_k(k) for k in ks]
        if not counts or counts != sorted(set(counts)):
            raise ParameterError(f"ks={counts}: give numbers of bribed reporters in ascending order, at least one")
        for k in counts:
            yield aggregate(k)
        return
    for k in itertools.count():
        answers = aggregate(k)
        yield answers
        if not (answers["status"] == "ok").any() and largest_certifiable(answers) <= k:
            return


def _answer(kind: str, better: str) -> pl.Expr:
    """Return the answer of each item: its decision, or the place of its score."""
    check_better(better)
    place = pl.col("estimate").rank("min", descending=better == "high")
    answer = place if kind == "scores" else pl.col("decision")
    return answer.alias(_ANSWER)


def _changed() -> pl.Expr:
    """Return which answers differ from the first ones, or are not certified."""
    return ((pl.col("status") != "ok") | ~pl.col(_ANSWER).eq_missing(pl.col(_FIRST))).alias(_CHANGED)


def _count(answers: pl.DataFrame, kind: str) -> dict[str, Any]:
    """Count the certified, changed, tied and changeable answers for one k, and average their guarantees."""
    k, certified = int(answers["k"][0]), pl.col("status") == "ok"
    counts = {"certified": certified.sum(), "changed": pl.col(_CHANGED).sum()}
    if kind != "scores":
        counts |= {
            "ties": pl.col("tie").sum(),
            "changeable": changeable(answers.columns).sum(),
        }
    row: dict[str, Any] = {"k": k, **answers.select(**counts).row(0, named=True)}
    if "guarantee" not in answers.columns:
        return row
    groups = answers.filter(certified).group_by("guarantee").len().sort("guarantee").rows()
    known = bool(groups) and all(guarantee is not None for guarantee, _ in groups)
    return row | {"expected_loss": mean_of_groups(groups) if known else None}
