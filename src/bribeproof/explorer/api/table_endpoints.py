"""Endpoints of the JSON API on reports: each takes a request and returns JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bribeproof._warnings import record_warnings
from bribeproof.calibration.calibrate import calibrate as run_calibration
from bribeproof.calibration.report import describe_calibration
from bribeproof.errors import ParameterError
from bribeproof.explorer.api.responses import to_json
from bribeproof.explorer.api.table_requests import (
    AggregateFields,
    AggregateRequest,
    CalibrateRequest,
    FileFields,
    GoldFields,
    TableFields,
)
from bribeproof.explorer.tables.aggregated import aggregate_table
from bribeproof.explorer.tables.reading import LIMITS, read_upload
from bribeproof.frames.asked import count_or_column
from bribeproof.frames.gold_labels import find_truth_column
from bribeproof.frames.reading.from_frame import match_columns, reading_notes
from bribeproof.frames.reading.prepare import prepare
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.recognise import recognise_columns
from bribeproof.io.json_reader import read_json
from bribeproof.io.line_index import LineIndex
from bribeproof.io.read import Table
from bribeproof.io.rows import read_export_rows
from bribeproof.io.write import to_records

if TYPE_CHECKING:
    from bribeproof.frames.reading.vocabulary import Role

_MAX_CELLS = 2_000_000
"""Largest answer, in cells."""


def aggregate(request: AggregateRequest) -> bytes:
    """Aggregate the rows of a request."""
    return _aggregate(table_of(request.rows, "rows"), request)


def aggregate_file(path: Path, name: str, request: FileFields) -> bytes:
    """Aggregate an uploaded file; errors call it `name`."""
    options = {name: getattr(request, name) for name in ("sep", "encoding", "format", "header_line", "sheet")}
    table = read_upload(path, name, **options)
    return _aggregate(table, request)


def calibrate(request: CalibrateRequest) -> bytes:
    """Calibrate a panel on items with a known truth."""
    with record_warnings() as messages:
        given = read_gold(request, kind="votes")
        calibration = run_calibration(
            given.table,
            given.truth,
            request.k,
            share=request.share,
            groups=None if request.groups is None else {name: _text(group) for name, group in request.groups.items()},
            bribed_groups=request.bribed_groups,
            confidence=request.confidence,
            prior=(request.prior[0], request.prior[1]) if isinstance(request.prior, list) else request.prior,
            vote=given.report,
            positive=1 if request.positive is None else _text(request.positive),
            **given.columns,
        )
        facts = describe_calibration(calibration)
    notes = [*reading_notes(given.table, given.recognised), *messages]
    return to_json({"notes": notes, **facts, "reporters": to_records(calibration.reporters)})


def _aggregate(table: Table, request: AggregateFields) -> bytes:
    """Aggregate a table."""
    expert, loss = request.expert, request.chosen_loss
    unused = {
        "share_of='item'": (request.share_of != "panel" and request.share is None, "share"),
        "loss": (request.loss != "squared" and expert is None, "prior, tpr and fpr"),
    }
    answered = aggregate_table(
        table,
        kind=request.kind,
        k=request.k,
        share=request.share,
        share_of=request.share_of,
        asked=count_or_column(request.asked) if isinstance(request.asked, str) else request.asked,
        faulty=request.faulty,
        decimals=request.decimals,
        decimal_mark=request.decimal_mark,
        better=request.better,
        scale=request.scale,
        criteria=request.criteria,
        criterion_weights=request.criterion_weights,
        criterion=request.criterion,
        label_sets=request.label_sets,
        label_separator=request.label_separator,
        no_label=request.no_label,
        labels=request.labels,
        total=request.total,
        factor=request.factor,
        minus=request.minus,
        group=request.group,
        price=request.price,
        budget=request.budget,
        classes=texts(request.classes) or None,
        ties=request.ties,
        seed=request.seed,
        beacon=request.beacon,
        positive=None if request.positive is None else _text(request.positive),
        expert=expert,
        loss=None if expert is None else loss,
        **column_options(request),
    )
    result, found = answered.items, answered.recognised
    draws = found.kind != "votes" or request.ties == "random"
    unused |= {name: (not draws and getattr(request, name) is not None, "ties='random'") for name in ("seed", "beacon")}
    for name, (is_unused, needed) in unused.items():
        if is_unused:
            raise ParameterError(f"{name} has no effect here: it needs {needed}")
    if result.height * result.width > _MAX_CELLS:
        raise ParameterError(
            f"the answer has {result.height:,} items of {result.width} columns, more than {_MAX_CELLS:,} cells: "
            f"send fewer items, or use the command"
        )
    return to_json(
        {
            "kind": found.kind,
            "read_as": found.describe(),
            "notes": answered.notes,
            "summary": answered.facts(),
            "items": to_records(result),
        }
    )


def table_of(rows: Sequence[dict[str, Any]], source: str) -> Table:
    """Return rows as a table, as a file with the same JSON would be read."""
    [(frame, records)] = read_json([json.dumps(rows).encode()], source, LIMITS)
    export = read_export_rows(frame, source, "record", 1, limits=LIMITS)
    if export is not None:
        return export
    line_index = LineIndex("record")
    line_index.extend(records)
    return Table(frame, source, (), line_index)


def column_options(request: TableFields) -> dict[str, Any]:
    """Return the column options of a request."""
    return {
        "item": request.item,
        "reporter": request.reporter,
        "value": request.value,
        "judges": request.judges or (),
        "turned": request.turned,
        "not_items": request.not_items,
        "missing": texts(request.missing),
        "repeats": request.repeats,
        "order": request.order,
    }


@dataclass(frozen=True, slots=True)
class GoldInputs:
    """Reports, and the truth of some of their items.

    Attributes
    ----------
    table
        The reports.
    recognised
        How they are read.
    truth
        The truth as the library takes it.
    report
        The column of reports.
    columns
        The arguments that name the other columns, and say how cells are read.
    """

    table: Table
    recognised: Reading
    truth: object
    report: str
    columns: Mapping[str, Any]


def read_gold(request: GoldFields, *, kind: str, other: "Mapping[str, Role] | None" = None) -> GoldInputs:
    """Read the reports of a request and the truth of some of their items; other columns have the given roles."""
    table = table_of(request.rows, "rows")
    options = column_options(request)
    judges = match_columns(options.pop("judges"), table.frame.columns) or None
    repeats = options.pop("repeats")
    gold: dict[str, Role] = {request.gold: "gold"} if request.gold and request.truth is None else {}
    recognised = recognise_columns(table.frame, kind=kind, judges=judges, other={**gold, **(other or {})}, **options)
    table = prepare(table, recognised)
    columns = recognised.columns
    report = columns.value or "label"
    truth, truth_column = truth_of(request, columns.item, report)
    named = {
        "item": columns.item,
        "reporter": columns.reporter,
        "judges": columns.judges or None,
        "truth_column": truth_column,
        "classes": texts(request.classes) or None,
        "missing": options["missing"],
        "repeats": repeats,
        "order": request.order,
    }
    return GoldInputs(table, recognised, truth, report, named)


def truth_of(request: GoldFields, item: str, vote: str) -> tuple[object, str | None]:
    """Return the truth as the library takes it, and its column if it is in a table of its own."""
    if request.truth is None:
        if request.gold is None:
            raise ParameterError(
                "the truth of some items is needed: give truth, rows of its own, or gold, a column of rows"
            )
        return request.gold, None
    truth = table_of(request.truth, "truth")
    return truth, request.gold or find_truth_column(truth.frame.columns, item, vote, named="gold")


def _text(value: str | float) -> str:
    """Return a value as text, as in a file."""
    return value if isinstance(value, str) else json.dumps(value)


def texts(values: Sequence[str | float] | None) -> list[str]:
    """Return values as text, as in a file."""
    return [_text(value) for value in values or ()]
