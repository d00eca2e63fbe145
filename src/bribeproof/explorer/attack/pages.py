"""What the page "Attack it" shows and sends, computed in a worker process, which keeps crowds and curves."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
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
from bribeproof.explorer.attack.crowd import TRUTH_FILE, Crowd, UploadedCrowd, load_crowd
from bribeproof.explorer.attack.figures import picture
from bribeproof.explorer.attack.query import (
    LABELS,
    MAX_DRAWS,
    MAX_ITEMS,
    MAX_REPORTERS,
    WEIGHED,
    AttackQuery,
    CrowdQuery,
    SimulatedCrowd,
)
from bribeproof.explorer.attack.study import all_counts, bribe_counts, curves, is_quick
from bribeproof.explorer.attack.table import MEASURES, loss_table
from bribeproof.explorer.data.downloads import whole_file
from bribeproof.explorer.data.page_words import in_page_words
from bribeproof.explorer.data.pages import Source, tables, truth_columns
from bribeproof.explorer.data.query import ATTACK_FIELDS, DataQuery
from bribeproof.explorer.data.question import question_context
from bribeproof.explorer.rendering import environment, render
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.frames.reading.kinds import KINDS
from bribeproof.io.read import Table
from bribeproof.questions import QuestionError

_SHOWN = ("kind", "item", "judges", "reporter", "value", "positive", "missing")
"""The fields on reading that the form shows; the others are set on the page "Your data"."""
_DOWNLOADS = {
    "crowd.csv": "Crowd (CSV)", "sample.parquet": "Sample of items (Parquet)",
    "reports.parquet": "Reports as they were read (Parquet)", TRUTH_FILE: "Truth as it was read (Parquet)",
}  # fmt: skip


def show(query: CrowdQuery, given: Source | None, fields: Mapping[str, str], *, fragment: bool) -> tuple[int, str]:
    """Return the status and the text of the page.

    Parameters
    ----------
    query
        The crowd and the attack.
    given
        The file, perhaps with one of its truth; None for a simulated crowd.
    fields
        The form as filled in.
    fragment
        Whether to return only the result; curves that take long are then left to `show_curves`.
    """
    crowd = results = error = None
    question: Mapping[str, Any] = {}
    try:
        source = _source(query, given)
        crowd = load_crowd(source)
        if crowd.truth is not None or crowd.kind == "scores":
            results = _results(source, crowd, query, fields, fragment=fragment)
    except QuestionError as asked:
        error, question = in_page_words(str(asked)), _question(asked, query, fields, given)
    except BribeproofError as refusal:
        error = in_page_words(str(refusal), k="Assumed k")
    columns = crowd.others if crowd is not None else () if given is None else truth_columns(given)
    context = {"error": error, "results": results, **form_context(fields, given, crowd, columns), **question}
    status = HTTPStatus.OK if error is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return status, render("attack", fragment=fragment, **context)


def show_curves(query: CrowdQuery, given: Source | None) -> str:
    """Return the curves over all numbers of bribes: the part of the page that takes long where rules are fitted."""
    source = _source(query, given)
    part = _curves(source, query, _measure_of(load_crowd(source), query))
    return environment().get_template("_attack_curves.html").render(curves=part)


def _question(
    error: QuestionError, query: CrowdQuery, fields: Mapping[str, str], given: Source | None
) -> dict[str, Any]:
    """Return the variables of a question about a file, whose answers are this page with further fields."""
    if given is None or not isinstance(query.crowd, DataQuery):
        return {}

    table = None
    with suppress(QuestionError):  # the question is how to read the table
        table = tables().table(given.upload, query.crowd, given.max_bytes)
    return question_context(error, table, partial(address, fields), ATTACK_FIELDS)


def address(fields: Mapping[str, str], path: str = "/attack", **changed: str) -> str:
    """Return the address of the page, or of one of its files, with some fields changed."""
    return f"{path}?{urlencode({name: value for name, value in {**fields, **changed}.items() if value})}"


def file(query: CrowdQuery, given: Source | None, name: str) -> bytes | tuple[str, ...]:
    """Return a file of a crowd, or, if there is none of this name, the names of those that there are."""
    source = _source(query, given)
    crowd = load_crowd(source)
    files: dict[str, Callable[[], pl.DataFrame]] = {
        "curves.csv": lambda: curves(source, query.attack, query.adversaries).curves,
        snippets.gold_file(crowd): lambda: pl.DataFrame({crowd.columns.item: crowd.gold}, strict=False),
    }
    if crowd.is_download:
        files[crowd.file] = lambda: crowd.frame
    if crowd.truth is not None and crowd.truth.file == TRUTH_FILE:
        files[TRUTH_FILE] = partial(pl.DataFrame, crowd.truth.given)
    return whole_file(files[name](), Path(name).suffix[1:]) if name in files else tuple(files)


def _source(query: CrowdQuery, given: Source | None) -> SimulatedCrowd | UploadedCrowd:
    """Return the crowd to simulate, or the files in their current versions."""
    if isinstance(query.crowd, SimulatedCrowd) or given is None:
        if isinstance(query.crowd, DataQuery):
            raise ParameterError("no file is given: open one, or leave sheet out to simulate a crowd")
        return query.crowd
    fields = query.crowd

    def load(upload: Upload) -> Table:
        return tables().table(upload, fields if upload is given.upload else DataQuery(), given.max_bytes)

    versions = tuple(_version(one) for one in (given.upload, given.truth) if one is not None)
    return UploadedCrowd(given.upload, given.truth, versions, replace(fields, sheet="", truth=""), load)


def _version(upload: Upload) -> tuple[int, int]:
    """Return the modification time and the size of a file."""
    try:
        status = upload.path.stat()
    except OSError as error:
        raise FileError(f"{upload.name}: cannot be read ({error.strerror}); upload it again") from None
    return status.st_mtime_ns, status.st_size


def _results(
    source: SimulatedCrowd | UploadedCrowd,
    crowd: Crowd,
    query: CrowdQuery,
    fields: Mapping[str, str],
    *,
    fragment: bool,
) -> dict[str, Any]:
    """Return the template variables of the results."""
    attack, adversaries = query.attack, query.adversaries
    _check(crowd, query)
    measure = _measure_of(crowd, query)
    later = fragment and not is_quick(source, attack, adversaries)
    measured, counts = curves(source, attack, adversaries, whole=not later), all_counts(source, adversaries)
    headline, losses, summary = narration.headline(measured, crowd, attack, adversaries)
    downloads = [("curves.csv", "Table for all numbers of bribes (CSV)")]
    if crowd.is_download:
        downloads.append((crowd.file, _DOWNLOADS[crowd.file]))
    if crowd.truth is not None and crowd.truth.file == TRUTH_FILE:
        downloads.append((TRUTH_FILE, _DOWNLOADS[TRUTH_FILE]))
    if attack.strategy == "sleeper":
        downloads.append((snippets.gold_file(crowd), "Gold items"))
    return {
        "headline": headline,
        "losses": losses,
        "summary": summary,
        "about": narration.explain_strategy(attack, crowd),
        "notes": [*crowd.notes, *narration.caveats(measured, attack, adversaries, crowd.kind)],
        "table": loss_table(measured, crowd.kind, adversaries, measure),
        "advice": recommend(measured, crowd.kind, adversaries, measure, narration.measured_against(measured, crowd)),
        "later": address(fields, "/attack/curves") if later else "",
        "curves": None if later else _curves(source, query, measure),
        "files": [(address(fields, f"/attack/{name}"), name, label) for name, label in downloads],
        "command": snippets.command(crowd, query.crowd, attack, counts),
        "python": snippets.python(crowd, query.crowd, attack, counts),
        "link": address(fields),
    }


def _curves(source: SimulatedCrowd | UploadedCrowd, query: CrowdQuery, measure: str) -> dict[str, Any]:
    """Return the template variables of the curves over all numbers of bribes."""
    measured = curves(source, query.attack, query.adversaries)
    return {
        "picture": _drawn(source, query.attack, query.adversaries, measure),
        "caption": narration.caption(measured, query.attack, query.adversaries),
        "overall": measured.recommendation(),
        "fit": None if measured.fit is None else measured.fit.summary(),
    }


def _measure_of(crowd: Crowd, query: CrowdQuery) -> str:
    """Return the measure that is shown, by default the first one of such reports."""
    return query.measure or next(iter(MEASURES[crowd.kind]))


def _check(crowd: Crowd, query: CrowdQuery) -> None:
    """Raise an error, in the words of the form, for more bribed than reporters, or a measure that there is not."""
    if query.adversaries > len(crowd.reporters):
        raise ParameterError(
            f"{LABELS['adversaries']}: {query.adversaries:,}; there are only {count(len(crowd.reporters), 'reporter')} "
            "that could be bribed"
        )
    if query.measure and query.measure not in (measures := MEASURES[crowd.kind]):
        raise ParameterError(
            f"{LABELS['measure']}: {shorten(query.measure)} is unknown; choose one of {', '.join(measures)}"
        )


def form_context(
    fields: Mapping[str, str], given: Source | None, crowd: Crowd | None = None, columns: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the template variables of the form, as far as the crowd could be loaded; columns may hold the truth."""
    kind = "votes" if crowd is None else crowd.kind
    texts = list(narration.texts_for(kind).items())
    columns = columns or ([fields["gold"]] if fields["gold"] else [])
    default = "the mean of the honest scores" if kind == "scores" else "choose a column"
    truth = None if crowd is None else crowd.truth
    detected = truth.column or truth.given if truth is not None and not fields["gold"] else None
    return {
        "fields": fields,
        "labels": LABELS,
        "upload": None if given is None else given.upload,
        "truth": None if given is None else given.truth,
        "address": partial(address, fields),
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
