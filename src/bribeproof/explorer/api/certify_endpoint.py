"""Endpoint of the JSON API on how often answers are right, whatever k bribed reporters do."""

from bribeproof._warnings import record_warnings
from bribeproof.certification.certify import certify as run_certification
from bribeproof.certification.result import describe_certification
from bribeproof.errors import ParameterError
from bribeproof.explorer.api.responses import to_json
from bribeproof.explorer.api.table_endpoints import read_gold
from bribeproof.explorer.api.table_requests import CertifyRequest
from bribeproof.frames.bribed_groups import column_roles
from bribeproof.frames.reading.from_frame import reading_notes

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
    with record_warnings() as messages:
        given = read_gold(request, kind="labels", other=column_roles(request.group, request.price))
        certification = run_certification(
            given.table,
            given.truth,
            request.k,
            rule=request.rule,
            group=request.group,
            price=request.price,
            budget=request.budget,
            silence=request.silence,
            confidence=request.confidence,
            time_limit=request.time_limit,
            seed=request.seed,
            label=given.report,
            **given.columns,
        )
        facts = describe_certification(certification)
    notes = [*reading_notes(given.table, given.recognised), *messages]
    return to_json({"read_as": given.recognised.describe(), "notes": notes, **facts})
