"""The room "Attack it": bribe some reporters of a crowd, and watch what that does to each rule."""

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
from bribeproof.explorer.attack import narration as attack_words
from bribeproof.explorer.attack import snippets as attack_lines
from bribeproof.explorer.attack.crowd import Crowd, UploadedCrowd, crowd
from bribeproof.explorer.attack.figures import picture
from bribeproof.explorer.attack.query import (
    MOST_DRAWS,
    MOST_ITEMS,
    MOST_REPORTERS,
    WEIGHED,
    AttackQuery,
    CrowdQuery,
    ReadOptions,
    SimulatedCrowd,
    read,
    typed,
)
from bribeproof.explorer.attack.study import curves, points
from bribeproof.explorer.attack.table import MEASURES, table
from bribeproof.explorer.data.downloads import TYPES, whole_file
from bribeproof.explorer.rendering import page
from bribeproof.explorer.uploads import Upload
from bribeproof.frames.inference import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

router = APIRouter()


@router.get("/attack")
def show(request: Request) -> Response:
    """Show the room."""
    said = typed(request.query_params)
    sheet = whole = found = None
    show_room = partial(page, request, "attack")
    try:
        sheet = _sheet(request, said["sheet"])
        asked = read(request.query_params)
        source = _source(request, asked, sheet)
        whole = crowd(source)
        if whole.truth is not None or whole.kind == "scores":
            found = _outcome(source, whole, asked, said)
    except BribeproofError as error:
        controls = _controls(said, sheet, whole)
        return show_room(status=HTTPStatus.UNPROCESSABLE_ENTITY, error=str(error), found=None, **controls)
    return show_room(error=None, found=found, **_controls(said, sheet, whole))


@router.get("/attack/{name}")
def take(request: Request, name: str) -> Response:
    """Give the table, the crowd or the items that sleepers know as a file."""
    asked = read(request.query_params)
    source = _source(request, asked, _sheet(request, request.query_params.get("sheet", "")))
    whole = crowd(source)
    files: dict[str, Callable[[], pl.DataFrame]] = {
        "curves.csv": lambda: curves(source, asked.scheme, asked.adversaries).curves,
        attack_lines.gold_file(whole): lambda: pl.DataFrame({whole.columns.item: whole.gold}, strict=False),
    }
    if whole.part:
        files[whole.file] = lambda: whole.frame
    if name not in files:
        raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no file {name} here; there are {', '.join(files)}")
    ending = Path(name).suffix[1:]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(whole_file(files[name](), ending), media_type=TYPES[ending], headers=headers)


def _sheet(request: Request, key: str) -> Upload | None:
    """Find a file by its key; None where a crowd is drawn."""
    if not key:
        return None
    found: Upload = request.app.state.sheets.get(key)
    return found


def _source(request: Request, asked: CrowdQuery, sheet: Upload | None) -> SimulatedCrowd | UploadedCrowd:
    """Return the crowd to draw, or the file as it is now."""
    if isinstance(asked.crowd, SimulatedCrowd) or sheet is None:
        if isinstance(asked.crowd, ReadOptions):
            raise ParameterError("which file? Hand one over, or leave sheet out to draw a crowd")
        return asked.crowd
    try:
        state = sheet.path.stat()
    except OSError as error:
        raise FileError(f"{sheet.name}: cannot be read ({error.strerror}); hand it over again") from None
    most = request.app.state.settings.upload_bytes
    opened = partial(request.app.state.desk.table, sheet, asked.crowd.columns, most)
    return UploadedCrowd(sheet, (state.st_mtime_ns, state.st_size), asked.crowd, opened)


def _outcome(
    source: SimulatedCrowd | UploadedCrowd, whole: Crowd, asked: CrowdQuery, said: dict[str, str]
) -> dict[str, Any]:
    """Return all that is shown of an attack."""
    scheme, adversaries = asked.scheme, asked.adversaries
    found = curves(source, scheme, adversaries)
    counts = found.curves["adversaries"].unique(maintain_order=True).to_list()
    headline, losses = attack_words.headline(found, whole, scheme, adversaries)
    query = urlencode({name: value for name, value in said.items() if value})
    take = [("curves.csv", "The table, all numbers of bribes (CSV)")]
    if whole.part:
        take.append((whole.file, "The crowd" if whole.file == "crowd.csv" else "The items that were attacked"))
    if scheme.strategy == "sleeper":
        take.append((attack_lines.gold_file(whole), "The gold items"))
    return {
        "headline": headline,
        "losses": losses,
        "about": attack_words.explained(scheme, whole),
        "notes": [*whole.notes, *attack_words.cautions(found, scheme, adversaries, whole.kind)],
        "table": table(found, whole.kind, adversaries),
        "why": attack_words.why(found, adversaries),
        "picture": _drawn(source, scheme, adversaries, asked.measure),
        "caption": attack_words.caption(found, scheme, adversaries),
        "files": [(f"/attack/{name}?{query}", name, label) for name, label in take],
        "command": attack_lines.command(whole, asked.crowd, scheme, counts),
        "python": attack_lines.python(whole, asked.crowd, scheme, counts),
        "link": f"/attack?{query}",
    }


def _controls(said: dict[str, str], sheet: Upload | None, whole: Crowd | None) -> dict[str, Any]:
    """Return what the form names: what was typed, and the choices there are as far as the crowd is known."""
    kind = "votes" if whole is None else whole.kind
    lies = list(attack_words.strategies(kind).items())
    truths = [said["gold"]] if whole is None and said["gold"] else [] if whole is None else whole.others
    nothing = "the mean of the honest scores" if kind == "scores" else "choose a column"
    guessed = whole.truth if whole is not None and not said["gold"] else None
    return {
        "said": said,
        "sheet": sheet,
        "crowd": whole,
        "lies": lies,
        "strategies": [(name, lie.name) for name, lie in lies],
        "weights": list(WEIGHED.items()),
        "measures": list(MEASURES[kind].items()),
        "most": points(len(whole.reporters))[-1] if whole is not None and whole.reporters else None,
        "scored": kind == "scores",
        "voted": kind == "votes",
        "golds": [("", guessed or nothing), *((name, name) for name in truths if name != guessed)],
        "kinds": [("", "found by itself"), *((name, name) for name in KINDS)],
        "corrected": any(said[name] for name in ("kind", "item", "judges", "reporter", "value", "positive", "missing")),
        "limits": {"n": MOST_REPORTERS, "items": MOST_ITEMS, "draws": MOST_DRAWS},
    }


@lru_cache(maxsize=64)
def _drawn(source: SimulatedCrowd | UploadedCrowd, scheme: AttackQuery, adversaries: int, measure: str) -> str:
    """Draw the curves."""
    return picture(curves(source, scheme, adversaries), adversaries, scheme.k, measure)
