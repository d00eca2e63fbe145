"""Endpoint of the JSON API on whom to bribe: the same reporters on all items, or the same judges in a contest."""

import json
from typing import Any

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.bribery.worst_bribe import worst_bribe
from bribeproof.contests.opened import opened_contest
from bribeproof.contests.worst_bribe import search_contest
from bribeproof.errors import ParameterError
from bribeproof.explorer.api.responses import to_json
from bribeproof.explorer.api.table_endpoints import column_options, table_of
from bribeproof.explorer.api.table_requests import BribeRequest
from bribeproof.frames.bribed_groups import GivenBribes, column_roles
from bribeproof.frames.reading.open_read import ReadTable, open_read
from bribeproof.frames.reading.repeats import asking_about_repeats
from bribeproof.io.write import to_records

_READ = (
    "kind", "criteria", "criterion_weights", "criterion", "label_sets", "label_separator", "no_label", "labels",
    "total", "factor", "minus", "decimal_mark", "scale", "better",
)  # fmt: skip
_REMEDIES = {
    "share": "give k, the number of reporters who are bribed, or a budget with prices",
    "positive": "a decision is the label with the most reports, whichever is the positive one",
}
_OF_SCORES = ("trim", "decimals")
_OF_DECISIONS = ("values", "weights", "classes")
_SECONDS = 5.0


def bribe(request: BribeRequest) -> bytes:
    """Find the same reporters who could change most decisions of the rows, or the places that they could cause."""
    for name, remedy in _REMEDIES.items():
        if getattr(request, name) is not None:
            raise ParameterError(f"{name} has no effect here: {remedy}")
    given = column_options(request) | {name: getattr(request, name) for name in _READ}
    others = column_roles(request.group, request.price)
    others |= column_roles(None, request.values) | column_roles(None, request.weights)
    with record_warnings() as messages, open_read(table_of(request.rows, "rows"), given, other=others) as table:
        with asking_about_repeats(table.table, table.recognised):
            scores = table.recognised.kind == "scores"
            for name in _OF_DECISIONS if scores else _OF_SCORES:
                if getattr(request, name) not in (None, []):
                    needed = "votes or labels" if scores else "scores"
                    raise ParameterError(f"{name} has no effect here: it needs {needed}")
            answer = _places(request, table) if scores else _decisions(request, table)
        read = {"kind": table.recognised.kind, "read_as": table.recognised.describe()}
        return to_json({**read, "notes": [*table.notes, *messages], **answer})


def _places(request: BribeRequest, table: ReadTable) -> dict[str, Any]:
    """Return which places the same judges could have caused."""
    reporter = table.recognised.columns.reporter
    bribes = GivenBribes.of(table.table, reporter, request.group, request.price, request.budget)
    options = {"missing": table.missing, "decimals": request.decimals, "faulty": "error", "bribes": bribes}
    read = RecognisedReports.of(table.prepared, table.recognised, options)
    found = search_contest(opened_contest(read, request.k, request.trim), time_limit=request.time_limit or _SECONDS)
    who = "reporter" if request.group is None else "group"
    return {
        "sentences": found.summary().splitlines(),
        "summary": found.facts(),
        "bribed": [{who: str(name)} for name in found.strongest],
        "items": found.records(),
    }


def _decisions(request: BribeRequest, table: ReadTable) -> dict[str, Any]:
    """Return who could have changed most decisions."""
    columns, sets = table.recognised.columns, table.recognised.label_sets
    if sets and sets.how == "each" and len(sets.labels) != 1:
        raise ParameterError("votes on several labels of one item are not independent: give labels, one of them")
    found = worst_bribe(
        table.prepared,
        request.k,
        group=request.group,
        price=request.price,
        budget=request.budget,
        values=request.values,
        weights=request.weights,
        time_limit=request.time_limit or _SECONDS,
        item=columns.item,
        reporter=columns.reporter,
        label=columns.value or "label",
        judges=columns.judges or None,
        classes=[one if isinstance(one, str) else json.dumps(one) for one in request.classes or ()] or None,
        repeats=table.recognised.stated.repeats or "error",
        order=columns.order or None,
        missing=table.missing,
    )
    summary = {name: fact for name, fact in found.facts().items() if name not in ("reporters", "groups")}
    return {
        "sentences": found.summary().splitlines(),
        "summary": summary | {"names": found.names},
        "bribed": to_records(pl.DataFrame(found.reporters)),
        "items": to_records(pl.DataFrame(found.items)),
    }
