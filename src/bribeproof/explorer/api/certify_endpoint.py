"""Endpoint of the JSON API on how often answers are right, whatever k bribed reporters do."""

from typing import TYPE_CHECKING

from bribeproof._warnings import record_warnings
from bribeproof.certification.certify import certify as run_certification
from bribeproof.certification.result import describe_certification
from bribeproof.errors import ParameterError
from bribeproof.explorer.api.responses import to_json
from bribeproof.explorer.api.table_endpoints import column_options, table_of, texts, truth_of
from bribeproof.explorer.api.table_requests import CertifyRequest
from bribeproof.frames.bribed_groups import column_roles
from bribeproof.frames.reading.from_frame import match_columns, reading_notes
from bribeproof.frames.reading.prepare import prepare
from bribeproof.frames.reading.recognise import recognise_columns

if TYPE_CHECKING:
    from bribeproof.frames.reading.vocabulary import Role

_REMEDIES = {
    "share": "give k, the number of reporters who may be bribed, or a budget with prices",
    "positive": "an answer is the label with the most reports, whichever is the positive one",
}


def certify(request: CertifyRequest) -> bytes:
    """Bound how often answers are right whatever k bribed reporters do."""
    for name, remedy in _REMEDIES.items():
        if getattr(request, name) is not None:
            raise ParameterError(f"{name} has no effect here: {remedy}")
    if not request.silence and request.group is None and request.price is None:
        raise ParameterError("silence=false has no effect here: it needs group or price")
    table = table_of(request.rows, "rows")
    options = column_options(request)
    judges = match_columns(options.pop("judges"), table.frame.columns) or None
    repeats = options.pop("repeats")
    others: dict[str, Role] = {request.gold: "gold"} if request.gold and request.truth is None else {}
    others |= column_roles(request.group, request.price)
    with record_warnings() as messages:
        recognised = recognise_columns(table.frame, kind="labels", judges=judges, other=others, **options)
        table = prepare(table, recognised)
        columns = recognised.columns
        label = columns.value or "label"
        truth, truth_column = truth_of(request, columns.item, label)
        certification = run_certification(
            table,
            truth,
            request.k,
            rule=request.rule,
            group=request.group,
            price=request.price,
            budget=request.budget,
            silence=request.silence,
            confidence=request.confidence,
            time_limit=request.time_limit,
            seed=request.seed,
            item=columns.item,
            reporter=columns.reporter,
            label=label,
            judges=columns.judges or None,
            truth_column=truth_column,
            classes=texts(request.classes) or None,
            missing=options["missing"],
            repeats=repeats,
            order=request.order,
        )
        facts = describe_certification(certification)
    notes = [*reading_notes(table, recognised), *messages]
    return to_json({"read_as": recognised.describe(), "notes": notes, **facts})
