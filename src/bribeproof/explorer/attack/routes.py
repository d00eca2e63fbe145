"""The page "Attack it": bribe some reporters of a crowd, and see what each rule loses."""

from functools import lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import polars as pl
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bribeproof.errors import BribeproofError, FileError, ParameterError
from bribeproof.explorer.attack import narration, snippets
from bribeproof.explorer.attack.crowd import Crowd, UploadedCrowd, load_crowd
from bribeproof.explorer.attack.figures import picture
from bribeproof.explorer.attack.query import (
    MAX_DRAWS,
    MAX_ITEMS,
    MAX_REPORTERS,
    WEIGHED,
    AttackQuery,
    CrowdQuery,
    ReadOptions,
    SimulatedCrowd,
    form_values,
    parse_query,
)
from bribeproof.explorer.attack.study import bribe_counts, curves
from bribeproof.explorer.attack.table import MEASURES, loss_table
from bribeproof.explorer.data.downloads import TYPES, whole_file
from bribeproof.explorer.rendering import page
from bribeproof.explorer.uploads import Upload
from bribeproof.frames.inference import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

router = APIRouter()


@router.get("/attack")
def show_page(request: Request) -> Response:
    """Show the page."""
    fields = form_values(request.query_params)
    upload = loaded = results = None
    respond = partial(page, request, "attack")
    try:
        upload = _upload(request, fields["sheet"])
        query = parse_query(request.query_params)
        source = _source(request, query, upload)
        loaded = load_crowd(source)
        if loaded.truth is not None or loaded.kind == "scores":
            results = _results(source, loaded, query, fields)
    except BribeproofError as error:
        form = _form_context(fields, upload, loaded)
        return respond(status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error), results=None, **form)
    return respond(error=None, results=results, **_form_context(fields, upload, loaded))


@router.get("/attack/{name}")
def download(request: Request, name: str) -> Response:
    """Download the table, the crowd or the gold items."""
    query = parse_query(request.query_params)
    source = _source(request, query, _upload(request, request.query_params.get("sheet", "")))
    loaded = load_crowd(source)
    files: dict[str, Callable[[], pl.DataFrame]] = {
        "curves.csv": lambda: curves(source, query.attack, query.adversaries).curves,
        snippets.gold_file(loaded): lambda: pl.DataFrame({loaded.columns.item: loaded.gold}, strict=False),
    }
    if loaded.is_sample:
        files[loaded.file] = lambda: loaded.frame
    if name not in files:
        raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no file {name} here; there are {', '.join(files)}")
    ending = Path(name).suffix[1:]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(whole_file(files[name](), ending), media_type=TYPES[ending], headers=headers)


def _upload(request: Request, key: str) -> Upload | None:
    """Return an uploaded file by its key; None for a simulated crowd."""
    if not key:
        return None
    upload: Upload = request.app.state.uploads.get(key)
    return upload


def _source(request: Request, query: CrowdQuery, upload: Upload | None) -> SimulatedCrowd | UploadedCrowd:
    """Return the crowd to simulate, or the file in its current version."""
    if isinstance(query.crowd, SimulatedCrowd) or upload is None:
        if isinstance(query.crowd, ReadOptions):
            raise ParameterError("no file is given: open one, or leave sheet out to simulate a crowd")
        return query.crowd
    try:
        status = upload.path.stat()
    except OSError as error:
        raise FileError(f"{upload.name}: cannot be read ({error.strerror}); upload it again") from None
    max_bytes = request.app.state.settings.upload_bytes
    load = partial(request.app.state.cache.table, upload, query.crowd.columns, max_bytes)
    return UploadedCrowd(upload, (status.st_mtime_ns, status.st_size), query.crowd, load)


def _results(
    source: SimulatedCrowd | UploadedCrowd, crowd: Crowd, query: CrowdQuery, fields: dict[str, str]
) -> dict[str, Any]:
    """Return the template variables of the results."""
    attack, adversaries = query.attack, query.adversaries
    measured = curves(source, attack, adversaries)
    counts = measured.curves["adversaries"].unique(maintain_order=True).to_list()
    headline, losses = narration.headline(measured, crowd, attack, adversaries)
    address = urlencode({name: value for name, value in fields.items() if value})
    downloads = [("curves.csv", "Table for all numbers of bribes (CSV)")]
    if crowd.is_sample:
        downloads.append((crowd.file, "Crowd (CSV)" if crowd.file == "crowd.csv" else "Sample of items (Parquet)"))
    if attack.strategy == "sleeper":
        downloads.append((snippets.gold_file(crowd), "Gold items"))
    return {
        "headline": headline,
        "losses": losses,
        "about": narration.explain_strategy(attack, crowd),
        "notes": [*crowd.notes, *narration.caveats(measured, attack, adversaries, crowd.kind)],
        "table": loss_table(measured, crowd.kind, adversaries),
        "why": narration.explain_optimal(measured, adversaries),
        "picture": _drawn(source, attack, adversaries, query.measure),
        "caption": narration.caption(measured, attack, adversaries),
        "files": [(f"/attack/{name}?{address}", name, label) for name, label in downloads],
        "command": snippets.command(crowd, query.crowd, attack, counts),
        "python": snippets.python(crowd, query.crowd, attack, counts),
        "link": f"/attack?{address}",
    }


def _form_context(fields: dict[str, str], upload: Upload | None, crowd: Crowd | None) -> dict[str, Any]:
    """Return the template variables of the form, as far as the crowd could be loaded."""
    kind = "votes" if crowd is None else crowd.kind
    texts = list(narration.texts_for(kind).items())
    columns = ([fields["gold"]] if fields["gold"] else []) if crowd is None else crowd.others
    default = "the mean of the honest scores" if kind == "scores" else "choose a column"
    detected = crowd.truth if crowd is not None and not fields["gold"] else None
    return {
        "fields": fields,
        "upload": upload,
        "crowd": crowd,
        "strategy_texts": texts,
        "strategies": [(name, text.label) for name, text in texts],
        "weights": list(WEIGHED.items()),
        "measures": list(MEASURES[kind].items()),
        "max_adversaries": bribe_counts(len(crowd.reporters))[-1] if crowd is not None and crowd.reporters else None,
        "is_scores": kind == "scores",
        "is_votes": kind == "votes",
        "truth_columns": [("", detected or default), *((name, name) for name in columns if name != detected)],
        "kinds": [("", "detect automatically"), *((name, name) for name in KINDS)],
        "has_read_fields": any(
            fields[name] for name in ("kind", "item", "judges", "reporter", "value", "positive", "missing")
        ),
        "limits": {"n": MAX_REPORTERS, "items": MAX_ITEMS, "draws": MAX_DRAWS},
    }


@lru_cache(maxsize=64)
def _drawn(source: SimulatedCrowd | UploadedCrowd, attack: AttackQuery, adversaries: int, measure: str) -> str:
    """Draw the picture of the curves."""
    return picture(curves(source, attack, adversaries), adversaries, attack.k, measure)
