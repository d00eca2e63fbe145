"""What the page "Attack it" shows and sends, computed in a worker process, which keeps crowds and curves."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import polars as pl

from bribeproof._text import count, shorten
from bribeproof.errors import BribeproofError, FileError, ParameterError
from bribeproof.explorer.attack import narration, snippets
from bribeproof.explorer.attack.advice import recommend
from bribeproof.explorer.attack.crowd import Crowd, UploadedCrowd, load_crowd
from bribeproof.explorer.attack.figures import picture
from bribeproof.explorer.attack.query import (
    LABELS,
    MAX_DRAWS,
    MAX_ITEMS,
    MAX_REPORTERS,
    WEIGHED,
    AttackQuery,
    CrowdQuery,
    ReadOptions,
    SimulatedCrowd,
)
from bribeproof.explorer.attack.study import bribe_counts, curves
from bribeproof.explorer.attack.table import MEASURES, loss_table
from bribeproof.explorer.data.downloads import whole_file
from bribeproof.explorer.data.page_words import in_page_words
from bribeproof.explorer.data.pages import tables
from bribeproof.explorer.data.query import ATTACK_FIELDS
from bribeproof.explorer.data.question import question_context
from bribeproof.explorer.rendering import render
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.frames.reading.kinds import KINDS
from bribeproof.questions import QuestionError

_SHOWN = ("kind", "item", "judges", "reporter", "value", "positive", "missing")
"""The fields on reading that the form shows; the others are set on the page "Your data"."""
_DOWNLOADS = {
    "crowd.csv": "Crowd (CSV)", "sample.parquet": "Sample of items (Parquet)",
    "reports.parquet": "Reports as they were read (Parquet)",
}  # fmt: skip


def show(
    query: CrowdQuery, upload: Upload | None, fields: Mapping[str, str], max_bytes: int, *, fragment: bool
) -> tuple[int, str]:
    """Return the status and the text of the page.

    Parameters
    ----------
    query
        The crowd and the attack.
    upload
        The file; None for a simulated crowd.
    fields
        The form as filled in.
    max_bytes
        The largest file.
    fragment
        Whether to return only the result.
    """
    crowd = results = error = None
    question: Mapping[str, Any] = {}
    try:
        source = _source(query, upload, max_bytes)
        crowd = load_crowd(source)
        if crowd.truth is not None or crowd.kind == "scores":
            results = _results(source, crowd, query, fields)
    except QuestionError as asked:
        error, question = in_page_words(str(asked)), _question(asked, query, fields, upload, max_bytes)
    except BribeproofError as refusal:
        error = in_page_words(str(refusal), k="Assumed k")
    context = {"error": error, "results": results, **form_context(fields, upload, crowd), **question}
    status = HTTPStatus.OK if error is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return status, render("attack", fragment=fragment, **context)


def _question(
    error: QuestionError, query: CrowdQuery, fields: Mapping[str, str], upload: Upload | None, max_bytes: int
) -> dict[str, Any]:
    """Return the variables of a question about a file, whose answers are this page with further fields."""
    if upload is None or not isinstance(query.crowd, ReadOptions):
        return {}

    def address(**given: str) -> str:
        return f"/attack?{urlencode({name: value for name, value in {**fields, **given}.items() if value})}"

    table = None
    with suppress(QuestionError):  # the question is how to read the table
        table = tables().table(upload, query.crowd.columns, max_bytes)
    return question_context(error, table, address, ATTACK_FIELDS)


def file(query: CrowdQuery, upload: Upload | None, max_bytes: int, name: str) -> bytes | tuple[str, ...]:
    """Return a file of a crowd, or, if there is none of this name, the names of those that there are."""
    source = _source(query, upload, max_bytes)
    crowd = load_crowd(source)
    files: dict[str, Callable[[], pl.DataFrame]] = {
        "curves.csv": lambda: curves(source, query.attack, query.adversaries).curves,
        snippets.gold_file(crowd): lambda: pl.DataFrame({crowd.columns.item: crowd.gold}, strict=False),
    }
    if crowd.is_download:
        files[crowd.file] = lambda: crowd.frame
    return whole_file(files[name](), Path(name).suffix[1:]) if name in files else tuple(files)


def _source(query: CrowdQuery, upload: Upload | None, max_bytes: int) -> SimulatedCrowd | UploadedCrowd:
    """Return the crowd to simulate, or the file in its current version."""
    if isinstance(query.crowd, SimulatedCrowd) or upload is None:
        if isinstance(query.crowd, ReadOptions):
            raise ParameterError("no file is given: open one, or leave sheet out to simulate a crowd")
        return query.crowd
    try:
        status = upload.path.stat()
    except OSError as error:
        raise FileError(f"{upload.name}: cannot be read ({error.strerror}); upload it again") from None
    load = partial(tables().table, upload, query.crowd.columns, max_bytes)
    return UploadedCrowd(upload, (status.st_mtime_ns, status.st_size), query.crowd, load)


def _results(
    source: SimulatedCrowd | UploadedCrowd, crowd: Crowd, query: CrowdQuery, fields: Mapping[str, str]
) -> dict[str, Any]:
    """Return the template variables of the results."""
    attack, adversaries = query.attack, query.adversaries
    _check(crowd, query)
    measured = curves(source, attack, adversaries)
    counts = measured.curves["adversaries"].unique(maintain_order=True).to_list()
    headline, losses, summary = narration.headline(measured, crowd, attack, adversaries)
    address = urlencode({name: value for name, value in fields.items() if value})
    downloads = [("curves.csv", "Table for all numbers of bribes (CSV)")]
    if crowd.is_download:
        downloads.append((crowd.file, _DOWNLOADS[crowd.file]))
    if attack.strategy == "sleeper":
        downloads.append((snippets.gold_file(crowd), "Gold items"))
    return {
        "headline": headline,
        "losses": losses,
        "summary": summary,
        "about": narration.explain_strategy(attack, crowd),
        "notes": [*crowd.notes, *narration.caveats(measured, attack, adversaries, crowd.kind)],
        "table": loss_table(measured, crowd.kind, adversaries, query.measure),
        "fit": None if measured.fit is None else measured.fit.summary(),
        "advice": recommend(measured, crowd.kind, adversaries, query.measure),
        "overall": measured.recommendation(),
        "picture": _drawn(source, attack, adversaries, query.measure),
        "caption": narration.caption(measured, attack, adversaries),
        "files": [(f"/attack/{name}?{address}", name, label) for name, label in downloads],
        "command": snippets.command(crowd, query.crowd, attack, counts),
        "python": snippets.python(crowd, query.crowd, attack, counts),
        "link": f"/attack?{address}",
    }


def _check(crowd: Crowd, query: CrowdQuery) -> None:
    """Raise an error, in the words of the form, for more bribed than reporters, or a measure that there is not."""
    if query.adversaries > len(crowd.reporters):
        raise ParameterError(
            f"{LABELS['adversaries']}: {query.adversaries:,}; there are only {count(len(crowd.reporters), 'reporter')} "
            "that could be bribed"
        )
    if query.measure not in (measures := MEASURES[crowd.kind]):
        raise ParameterError(
            f"{LABELS['measure']}: {shorten(query.measure)} is unknown; choose one of {', '.join(measures)}"
        )


def form_context(fields: Mapping[str, str], upload: Upload | None, crowd: Crowd | None) -> dict[str, Any]:
    """Return the template variables of the form, as far as the crowd could be loaded."""
    kind = "votes" if crowd is None else crowd.kind
    texts = list(narration.texts_for(kind).items())
    columns = ([fields["gold"]] if fields["gold"] else []) if crowd is None else crowd.others
    default = "the mean of the honest scores" if kind == "scores" else "choose a column"
    detected = crowd.truth if crowd is not None and not fields["gold"] else None
    return {
        "fields": fields,
        "labels": LABELS,
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
        "has_read_fields": any(fields[name] for name in ATTACK_FIELDS),
        "hidden": [name for name in ATTACK_FIELDS if name not in _SHOWN and fields[name]],
        "limits": {"n": MAX_REPORTERS, "items": MAX_ITEMS, "draws": MAX_DRAWS},
    }


@lru_cache(maxsize=64)
def _drawn(source: SimulatedCrowd | UploadedCrowd, attack: AttackQuery, adversaries: int, measure: str) -> str:
    """Draw the picture of the curves."""
    return picture(curves(source, attack, adversaries), adversaries, attack.k, measure)
