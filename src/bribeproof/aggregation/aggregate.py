"""Aggregate a file or a frame whatever it holds: scores, votes or labels, in long or wide form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from bribeproof._warnings import record_notes
from bribeproof.aggregation.contest import find_contest
from bribeproof.aggregation.promise import Promise
from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.aggregation.result import Aggregation
from bribeproof.aggregation.same_reporters import SameReporters
from bribeproof.calibration.result import Calibration
from bribeproof.frames.bribed_groups import GivenBribes, bribed_in_all, column_roles
from bribeproof.frames.reading.kinds import Kind, implied_kind
from bribeproof.frames.reading.open_read import open_read
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.repeats import asking_about_repeats
from bribeproof.theory import Expert, ExpertInterval, Loss


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
    criterion: str | Sequence[str] | None = None,
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
    group: object = None,
    price: object = None,
    budget: object = None,
    missing: Sequence[object] = (),
    repeats: str | None = None,
    order: object = None,
    asked: int | str | None = None,
    faulty: str = "error",
    decimals: int | None = None,
    decimal_mark: str | None = None,
    better: str | None = None,
    scale: Sequence[float] | None = None,
    positive: object = None,
    classes: Sequence[object] | None = None,
    expert: Expert | ExpertInterval | Calibration | None = None,
    loss: str | Loss | None = None,
    ties: str = "none",
    seed: int | None = None,
    beacon: str | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
    header_line: int | str | None = None,
    sheet: int | str | None = None,
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
        Long form: the column of the criteria, or the columns of their scores, such as ``["taste", "look"]``, where each
        row has all scores of a reporter on an item. In wide form they are part of the names of columns: ``J1_tech``.
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
        How the table is read, as `recognise` returns it, or the TOML file in which ``bribeproof read --save-reading``
        saved it. It stands for every option of `recognise` that is not given here.
    share, share_of, group, price, budget, missing, repeats, order, asked, faulty, decimals, decimal_mark, scale
        As in `aggregate_scores`. A column that is named as group or price is no reporter, and no part of an item.
    better
        Of scores: ``"high"`` if the highest is the best, ``"low"`` if the lowest is, as of ranks, times and penalties.
        It decides the places, and changes no number. None takes the highest, and asks if the scores may be ranks, times
        or penalties, by the names of their columns or because each reporter gives the numbers 1 to n once.
    positive, expert, loss
        As in `aggregate_votes`; by default 1, none and ``"squared"``.
    classes, ties, seed, beacon
        As in `aggregate_votes` and `aggregate_labels`.
    sep, encoding, format, header_line, sheet
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
    >>> from pathlib import Path
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
    The same one on all items could have changed at most 1 of 2: a.
    Most fragile, 1 flip needed: t2.
    """
    options: dict[str, Any] = {
        "asked": asked, "faulty": faulty, "share": share, "share_of": share_of, "decimals": decimals,
        "positive": positive, "classes": classes, "expert": expert, "loss": loss, "ties": ties, "seed": seed,
        "beacon": beacon,
    }  # fmt: skip
    given: dict[str, Any] = {
        "kind": kind, "item": item, "reporter": reporter, "value": value, "judges": judges, "turned": turned,
        "not_items": not_items, "criteria": criteria, "criterion_weights": criterion_weights, "criterion": criterion,
        "label_sets": label_sets, "label_separator": label_separator, "no_label": no_label, "labels": labels,
        "asked": asked, "order": None if order is None else str(order), "missing": missing, "repeats": repeats,
        "scale": scale, "decimal_mark": decimal_mark, "better": better, "total": total, "factor": factor,
        "minus": minus, "sep": sep, "encoding": encoding, "format": format, "header_line": header_line, "sheet": sheet,
    }  # fmt: skip
    implied = implied_kind(None, classes, is_vote=positive is not None or expert is not None)
    with open_read(frame, given, reading, implied=implied, other=column_roles(group, price)) as table:
        with asking_about_repeats(table.table, table.recognised), record_notes() as done:
            options["bribes"] = GivenBribes.of(table.table, table.recognised.columns.reporter, group, price, budget)
            result = aggregate_recognised(
                table.prepared, table.recognised, k, notes=table.notes, missing=table.missing, **options
            )
        items = table.returned(result.items)
    return replace(result, items=items, notes=(*table.notes, *done))


def aggregate_recognised(
    frame: Any,
    recognised: Reading,
    k: int | None = None,
    *,
    notes: tuple[str, ...] = (),
    **options: Any,
) -> Aggregation:
    """Aggregate a frame in the form that its reading names; the options are those that a reading has not, or None."""
    return aggregate_read(RecognisedReports.of(frame, recognised, options), k, notes=notes, **options)


def aggregate_read(
    read: RecognisedReports, k: int | None = None, *, notes: tuple[str, ...] = (), **options: Any
) -> Aggregation:
    """Aggregate reports that were read with these options."""
    recognised, expert = read.reading, options.get("expert")
    priced = None if expert is None else options.get("loss")
    bribes = options.get("bribes")
    items = read.combine(k)
    return Aggregation(
        items,
        recognised,
        k,
        share=options.get("share"),
        share_of=options.get("share_of", "panel"),
        decimals=options.get("decimals"),
        better=read.better,
        notes=notes,
        draw=read.draw,
        bribed_on_each=read.bribed_on_each,
        same=None
        if recognised.kind == "scores" or bribes is not None
        else SameReporters.of(read.reports, read.bribed_on_each, priced),
        promise=None
        if expert is None
        else Promise.of(read.reports, expert, bribed_in_all(bribes, read.reports, k), options.get("loss")),
        bribed="reporter" if bribes is None else bribes.what,
        contest=find_contest(read, items, k),
    )
