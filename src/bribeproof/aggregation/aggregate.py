"""Aggregate a file or a frame whatever it holds: scores, votes or labels, in long or wide form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from bribeproof._validation import check_better
from bribeproof._warnings import record_notes
from bribeproof.aggregation.combine import COMBINE, VALUE_PARAMETERS, split_options
from bribeproof.aggregation.criteria import combine_criteria
from bribeproof.aggregation.decided_sets import LABELS_OF_ITEMS
from bribeproof.aggregation.result import Aggregation
from bribeproof.aggregation.total_rule import TotalRule
from bribeproof.errors import ParameterError
from bribeproof.frames.commitment import resolve_draw
from bribeproof.frames.native import to_polars
from bribeproof.frames.out_of_core import scan_table
from bribeproof.frames.reading.direction import ask_direction
from bribeproof.frames.reading.from_frame import recognise_frame
from bribeproof.frames.reading.kinds import Kind, implied_kind
from bribeproof.frames.reading.label_sets import ordinary_options
from bribeproof.frames.reading.prepare import prepare
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.repeats import asking_about_repeats
from bribeproof.frames.reading.saved import load_reading, options_of
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Expert, ExpertInterval, Loss

_ONLY_FOR: Mapping[str, tuple[Kind, ...]] = {
    "decimals": ("scores",),
    "decimal_mark": ("scores",),
    "better": ("scores",),
    "scale": ("scores",),
    "classes": ("votes", "labels"),
    "ties": ("votes", "labels"),
    "seed": ("votes", "labels"),
    "beacon": ("votes", "labels"),
    "positive": ("votes",),
    "expert": ("votes",),
    "loss": ("votes",),
}
"""The options that apply to some kinds of reports only."""


def aggregate(
    frame: Any,
    k: int | None = None,
    *,
    kind: Kind | None = None,
    item: str | Sequence[str] | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Sequence[str] = (),
    turned: bool | None = None,
    not_items: Sequence[str] | None = None,
    criteria: str | None = None,
    criterion_weights: Mapping[str, object] | Sequence[str] | None = None,
    criterion: str | None = None,
    label_sets: str | None = None,
    label_separator: str | None = None,
    no_label: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    total: str | None = None,
    factor: object = None,
    minus: str | None = None,
    reading: Reading | str | PathLike[str] | None = None,
    share: object = None,
    share_of: str = "panel",
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
    asked: int | str | None = None,
    faulty: str = "error",
    decimals: int | None = None,
    decimal_mark: str | None = None,
    better: str | None = None,
    scale: Sequence[float] | None = None,
    positive: object = None,
    classes: Sequence[object] | None = None,
    expert: Expert | ExpertInterval | None = None,
    loss: str | Loss | None = None,
    ties: str = "none",
    seed: int | None = None,
    beacon: str | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
) -> Aggregation:
    r"""Combine the reports in a file or a frame, though k of the reporters may be bribed.

    What the file holds, and in which columns, is recognised as by the command ``bribeproof aggregate``; `notes` of the
    result say how. Every guess can be replaced by an option.

    Parameters
    ----------
    frame
        The path of a CSV, TSV, Parquet, NDJSON or JSON file; or a pandas, polars (eager or lazy), pyarrow, duckdb or
        PySpark frame, or a table from `read_table` or `scan_table`.
    k
        How many reporters may be bribed: a head count, at least 0.
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``; None to recognise it.
    item
        The column that names the items, or several that name them together; ``"row number"`` if each row is an item,
        ``"one item"`` if all rows are about one; None to recognise it.
    reporter, value
        Long form: the columns of the reporters and of their reports; None to recognise them.
    judges
        Wide form: the columns that hold one reporter's reports each, by name or by pattern, such as ``judge_*``.
    turned
        Whether the table has a row for each reporter and a column for each item; None to recognise it.
    not_items
        Wide form: names of rows that are no items, such as averages; ``["none"]`` if all are; None to recognise them.
    criteria
        Of scores, where each reporter gives one for each criterion. k counts people, each bribed in all criteria.
        ``"judge first"``: each reporter's criteria become one score on the item, and these are aggregated; it is
        missing if one of them is. ``"each"``: every criterion is aggregated, and then the criteria are combined.
    criterion_weights
        The weights of the criteria, such as ``{"tech": 2, "art": "1/2"}``, of which the weighted sum is taken; None for
        their mean.
    criterion
        Long form: the column of the criteria. In wide form they are part of the names of the columns: ``J1_tech``.
    label_sets
        Of labels, where a report may hold several, such as ``cat;dog`` or ``["cat", "dog"]``, in any order.
        ``"whole"``: each set is a class, written with its labels sorted. ``"each"``: each label is voted on by itself:
        one result for each item and label, where everyone who reports on the item votes 1 if the label is in the
        report, else 0; the k bribed reporters may be others for each label. ``"none"``: each report is one label. None
        asks if reports are lists, or if some hold the same labels in another order.
    label_separator
        What stands between the labels of a report, such as ``";"`` or ``"newline"``; ``"list"`` for lists in brackets;
        ``"rows"`` for a long table with a row for each label; None to recognise it.
    no_label
        Texts that stand for a report of no label, as ``[]`` and empty lists do; an empty cell is no report.
    labels
        With ``label_sets="each"``: the labels that are voted on; None for all that the reports hold.
    total
        Of scores: ``"sum of round"`` or ``"best of run"``, where several columns name the items, such as
        ``item=["diver", "round"]``: one result for each diver. k bribed reporters then may be others in each round.
    factor
        What the score of each item is multiplied by: a number or a column, such as ``"difficulty"``, or a list of them.
    minus
        The column of what is subtracted from the result, the same in all its rows; empty cells are 0.
    reading
        Instead of the options above: how the table is read, as `recognise` returns it, or the TOML file in which
        ``bribeproof read --save-reading`` saved it.
    share, share_of, missing, repeats, order, asked, faulty, decimals, decimal_mark, scale
        As in `aggregate_scores`.
    better
        Of scores: ``"high"`` if the highest is the best, ``"low"`` if the lowest is, as of ranks, times and penalties.
        It decides the places, and changes no number. None takes the highest, and asks if the scores may be ranks, times
        or penalties, by the names of their columns or because each reporter gives the numbers 1 to n once.
    positive, expert, loss
        As in `aggregate_votes`; by default 1, none and ``"squared"``.
    classes, ties, seed, beacon
        As in `aggregate_votes` and `aggregate_labels`.
    sep, encoding, format
        Of a file: as in `read_table`.

    Returns
    -------
    Aggregation
        One row per item, in a frame of the kind that came in (polars for a file), and how it was read.

    Raises
    ------
    FileError
        If the file cannot be read.
    DataError
        If two readings are plausible, or as in `aggregate_scores`, `aggregate_votes` or `aggregate_labels`.
    ColumnError
        If a column does not exist.
    ParameterError
        If a parameter is outside its range, or does not apply to this kind of reports.

    Notes
    -----
    docs/theory.md §2, §8 and §10. A file larger than memory is read piece by piece; its answers have to fit in memory.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "votes.csv")
    ...     _ = path.write_text("task,worker,label\nt1,a,1\nt1,b,1\nt1,c,1\nt2,a,0\nt2,b,0\nt2,c,1\n")
    ...     result = aggregate(path, k=1)
    >>> result
    Aggregation(kind='votes', k=1, n_items=2)
    >>> print(result.summary())
    2 items, 3 reporters, k = 1: 2 ok.
    0 ties.
    1 of 2 decisions could have been changed by some one bribed reporter, perhaps another on each item.
    Most fragile, 1 flip needed: t2.
    """
    rule = TotalRule.of(total, factor, minus)
    file_options: dict[str, Any] = {"sep": sep, "encoding": encoding, "format": format}
    options: dict[str, Any] = {
        "missing": missing, "repeats": repeats, "order": order, "asked": asked, "faulty": faulty, "share": share,
        "share_of": share_of, "decimals": decimals, "decimal_mark": decimal_mark, "better": better, "scale": scale,
        "positive": positive, "classes": classes, "expert": expert, "loss": loss, "ties": ties, "seed": seed,
        "beacon": beacon,
    }  # fmt: skip
    columns: dict[str, Any] = {"item": item, "reporter": reporter, "value": value, "judges": judges, "asked": asked}
    columns["order"] = None if order is None else str(order)
    columns |= {"turned": turned, "not_items": not_items, "criteria": criteria, "criterion": criterion}
    columns |= {"criterion_weights": criterion_weights, "label_sets": label_sets, "label_separator": label_separator}
    columns |= {"no_label": no_label, "labels": labels}
    if reading is not None:
        saved = options_of(reading) if isinstance(reading, Reading) else load_reading(reading)
        kind, options["missing"] = kind or saved.pop("kind", None), options["missing"] or saved.pop("missing", ())
        columns |= {name: value for name, value in saved.items() if not columns.get(name)}
    kind = implied_kind(kind, classes, is_vote=positive is not None or expert is not None)
    if isinstance(frame, str | PathLike):
        with scan_table(Path(frame), **file_options) as table:
            result = _aggregate_any(table, kind, columns, k, options, rule)
            return replace(result, items=to_polars(result.items))
    if given := next((name for name, option in file_options.items() if option is not None), None):
        raise ParameterError(f"{given} applies to files only, and a data frame was given: leave it out")
    return _aggregate_any(frame, kind, columns, k, options, rule)


def _aggregate_any(
    frame: Any,
    kind: Kind | None,
    columns: Mapping[str, Any],
    k: int | None,
    options: Mapping[str, Any],
    rule: TotalRule,
) -> Aggregation:
    """Recognise and aggregate a frame or an open file; its notes say how it was read, and what was done to it."""
    recognised, notes = recognise_frame(
        frame, kind=kind, missing=options["missing"], other=rule.roles(frame), **columns
    )
    with asking_about_repeats(frame, recognised), record_notes() as done:
        result = aggregate_recognised(prepare(frame, recognised), recognised, k, rule=rule, notes=notes, **options)
    return replace(result, notes=(*notes, *done))


def aggregate_recognised(
    frame: Any,
    recognised: Reading,
    k: int | None = None,
    *,
    rule: TotalRule | None = None,
    notes: tuple[str, ...] = (),
    **options: Any,
) -> Aggregation:
    """Aggregate a frame whose kind and columns are known; the options are those of `aggregate`, None if not given."""
    if name := inapplicable_option(recognised.kind, options):
        raise ParameterError(f"{name} does not apply to {recognised.kind}; leave it out, or give another kind")
    if rule and recognised.kind != "scores":
        raise ParameterError(f"total, factor and minus compute with scores, and these are {recognised.kind}")
    given = options.get("better")
    check_better(better := "high" if given is None else given)
    schema, rest = recognised_options(recognised, options)
    reports = validate_recognised(frame, recognised, schema)
    if recognised.kind == "scores" and given is None:
        ask_direction(reports)
    rest, draw = resolve_draw(reports, rest)
    items = combine_recognised(reports, frame, recognised, k, rule=rule, better=better, **rest)
    part = "item"
    if recognised.criteria and recognised.criteria.how == "each":
        part = "item and criterion"
    elif recognised.label_sets and recognised.label_sets.how == "each":
        part = LABELS_OF_ITEMS
    return Aggregation(
        items,
        recognised,
        k,
        share=options.get("share"),
        share_of=options.get("share_of", "panel"),
        decimals=options.get("decimals"),
        better=better,
        notes=notes,
        draw=draw,
        bribed_on_each=rule.bribed_on_each(recognised.items, part) if rule else part,
    )


def validate_recognised(frame: Any, recognised: Reading, schema: ReportSchema) -> Reports:
    """Return the validated reports of a frame in the form that its reading names."""
    if recognised.criteria and isinstance(schema.asked, str):
        raise ParameterError("asked: with several criteria state a count of reporters, such as asked=5, and no column")
    # Of several criteria, people are counted when their reports are together.
    counted = replace(schema, asked=None) if recognised.criteria else schema
    return replace(validate_reports(frame, counted, scores=recognised.kind == "scores"), schema=schema)


def combine_recognised(
    reports: Reports,
    frame: Any,
    recognised: Reading,
    k: int | None,
    *,
    rule: TotalRule | None = None,
    better: str = "high",
    **options: Any,
) -> Any:
    """Return the results of items, or of the totals of their parts, as a frame of the kind that came in.

    Parameters
    ----------
    reports
        What `validate_recognised` returns.
    frame, recognised
        The frame, and how it is read.
    k
        How many reporters may be bribed.
    rule
        What follows the aggregation of each item.
    better
        Which score is the best, ``"high"`` or ``"low"``.
    **options
        Those of `COMBINE`.
    """
    if recognised.criteria:
        items = combine_criteria(reports, recognised.criteria, k, **options)
    else:
        items = COMBINE[recognised.kind](reports, k, **options)
    if not rule:
        return items
    table = rule.apply(to_polars(items), frame, recognised, better=better, decimals=options.get("decimals"))
    return reports.to_native(table, {})


def recognised_options(recognised: Reading, options: Mapping[str, Any]) -> tuple[ReportSchema, dict[str, Any]]:
    """Return the schema of a recognised frame and the options of `COMBINE`, without those that are not given.

    The order of scores is none of them: it decides places, which a result does not hold.
    """
    where, options = recognised.columns, ordinary_options(recognised.label_sets, options)
    columns = {"item": where.item, "reporter": where.reporter, "judges": where.judges or None}
    columns[VALUE_PARAMETERS[recognised.kind]] = where.value
    given = {
        name: option
        for name, option in options.items()
        if option is not None and name != "better" and recognised.kind in _ONLY_FOR.get(name, (recognised.kind,))
    }
    schema, rest = split_options(recognised.kind, columns | given)
    if recognised.label_sets and recognised.label_sets.how == "none":
        schema = replace(schema, may_be_sets=False)
    return schema, rest


def inapplicable_option(kind: str, options: Mapping[str, Any]) -> str | None:
    """Return the first option that is given and does not apply to this kind of reports; None if all apply.

    Examples
    --------
    >>> inapplicable_option("labels", {"ties": "first", "decimals": 2})
    'decimals'
    """
    given = (
        name
        for name, option in options.items()
        if not (option is None or (isinstance(option, str) and option == "none"))
    )
    return next((name for name in given if kind not in _ONLY_FOR.get(name, (kind,))), None)
