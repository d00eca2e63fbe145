"""What the JSON API computes of reports: a request in, its answer as JSON out."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bribeproof._text import shorten
from bribeproof._warnings import record_warnings
from bribeproof.aggregation.auto import answers, matching, reading_notes
from bribeproof.aggregation.summary import summarise
from bribeproof.calibration.calibrate import calibrate as learn
from bribeproof.calibration.report import describe_calibration
from bribeproof.errors import BribeproofError, ParameterError
from bribeproof.explorer.api.requests import (
    AggregateFields,
    AggregateRequest,
    CalibrateRequest,
    FileFields,
    TableFields,
)
from bribeproof.explorer.api.responses import to_json
from bribeproof.frames.gold_labels import find_truth_column
from bribeproof.frames.inference import recognise
from bribeproof.io.json_reader import read_json
from bribeproof.io.line_index import LineIndex
from bribeproof.io.read import Table, read_table
from bribeproof.io.write import to_records

_MOST_CELLS = 2_000_000
"""An answer with more cells is no use as one JSON document."""


def aggregate(asked: AggregateRequest) -> bytes:
    """Combine the reports in rows."""
    return _aggregate(_table(asked.rows, "rows"), asked)


def aggregate_file(path: Path, name: str, asked: FileFields) -> bytes:
    """Combine the reports in a file, which its owner calls something else."""
    name = name if name.isprintable() and len(name) <= 100 else shorten(name)
    try:
        table = read_table(path, sep=asked.sep, encoding=asked.encoding, format=asked.format)
    except BribeproofError as error:
        raise type(error)(str(error).replace(str(path), name)) from None
    return _aggregate(replace(table, source=name), asked)


def calibrate(asked: CalibrateRequest) -> bytes:
    """Learn what a panel is worth from items with a known truth."""
    table = _table(asked.rows, "rows")
    where = _where(asked)
    judges = matching(where.pop("judges"), table.frame.columns) or None
    repeats = where.pop("repeats")
    with record_warnings() as messages:
        found = recognise(table.frame, kind="votes", judges=judges, **where)
        columns = found.columns
        vote = columns.value or "label"
        truth, gold = _truth(asked, columns.item, vote)
        learned = learn(
            table,
            truth,
            asked.k,
            share=asked.share,
            groups=None if asked.groups is None else {name: _text(group) for name, group in asked.groups.items()},
            bribed_groups=asked.bribed_groups,
            confidence=asked.confidence,
            prior=(asked.prior[0], asked.prior[1]) if isinstance(asked.prior, list) else asked.prior,
            truth_column=gold,
            item=columns.item,
            reporter=columns.reporter,
            judges=columns.judges or None,
            vote=vote,
            positive=1 if asked.positive is None else _text(asked.positive),
            classes=_texts(asked.classes) or None,
            missing=where["missing"],
            repeats=repeats,
        )
        facts = describe_calibration(learned)
    notes = [*reading_notes(table, found), *messages]
    return to_json({"notes": notes, **facts, "reporters": to_records(learned.reporters)})


def _aggregate(table: Table, asked: AggregateFields) -> bytes:
    """Combine the reports in a table."""
    expert, loss = asked.voter, asked.chosen_loss
    idle = {
        "share_of='item'": (asked.share_of != "panel" and asked.share is None, "share"),
        "loss": (asked.loss != "squared" and expert is None, "prior, tpr and fpr"),
    }
    answered = answers(
        table,
        kind=asked.kind,
        k=asked.k,
        share=asked.share,
        share_of=asked.share_of,
        decimals=asked.decimals,
        decimal_mark=asked.decimal_mark,
        classes=_texts(asked.classes) or None,
        ties=asked.ties,
        seed=asked.seed,
        positive=None if asked.positive is None else _text(asked.positive),
        expert=expert,
        loss=None if expert is None else loss,
        **_where(asked),
    )
    result, found = answered.result, answered.found
    idle["seed"] = (found.kind == "votes" and asked.seed is not None and asked.ties != "random", "ties='random'")
    for name, (changes_nothing, needed) in idle.items():
        if changes_nothing:
            raise ParameterError(f"{name} changes nothing here: it needs {needed}")
    if result.height * result.width > _MOST_CELLS:
        raise ParameterError(
            f"the answer has {result.height:,} items of {result.width} columns, more than {_MOST_CELLS:,} cells: "
            f"send fewer items, or use the command"
        )
    share = None if asked.share is None else _text(asked.share)
    return to_json(
        {
            "kind": found.kind,
            "read_as": found.describe(),
            "notes": answered.notes,
            "summary": summarise(result.lazy(), found.kind, share=share, share_of=asked.share_of),
            "items": to_records(result),
        }
    )


def _table(rows: Sequence[dict[str, Any]], source: str) -> Table:
    """Read rows as a file with the same JSON would be read."""
    [(frame, records)] = read_json([json.dumps(rows).encode()], source)
    places = LineIndex("record")
    places.extend(records)
    return Table(frame, source, (), places)


def _where(asked: TableFields) -> dict[str, Any]:
    """Return what the request says of the columns."""
    return {
        "item": asked.item,
        "reporter": asked.reporter,
        "value": asked.value,
        "judges": asked.judges or (),
        "missing": _texts(asked.missing),
        "repeats": asked.repeats,
    }


def _truth(asked: CalibrateRequest, item: str, vote: str) -> tuple[object, str | None]:
    """Return the truths, as the library takes them, and their column in a table of their own."""
    if asked.truth is None:
        if asked.gold is None:
            raise ParameterError("the truth of some items is needed: truth with rows of its own, or gold, a column")
        return asked.gold, None
    known = _table(asked.truth, "truth")
    return known, asked.gold or find_truth_column(known.frame.columns, item, vote, named="gold")


def _text(value: str | float) -> str:
    """Write a value as it would stand in a file."""
    return value if isinstance(value, str) else json.dumps(value)


def _texts(values: Sequence[str | float] | None) -> list[str]:
    """Write values as they would stand in a file."""
    return [_text(value) for value in values or ()]
