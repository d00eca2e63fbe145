"""What the page "Your data" shows and sends, computed in a worker process, which keeps tables and answers."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from http import HTTPStatus
from typing import Any

from bribeproof.errors import BribeproofError, ParameterError
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.bribe_section import bribe_section
from bribeproof.explorer.data.cache import AnalysisCache
from bribeproof.explorer.data.context import form_context, summarise_analysis
from bribeproof.explorer.data.downloads import whole_file
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.question import question_context
from bribeproof.explorer.data.report import report
from bribeproof.explorer.rendering import render
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.frames.reading.saved import to_toml
from bribeproof.frames.reading.stated import Stated
from bribeproof.io.read import Table
from bribeproof.questions import QuestionError

_NOBODY = "with k = 0 nobody is bribed"


@cache
def tables() -> AnalysisCache:
    """Return the tables and answers that this process keeps."""
    return AnalysisCache()


def show(upload: Upload, query: DataQuery, context: Mapping[str, Any], *, fragment: bool) -> tuple[int, str]:
    """Return the status and the text of the page of a file.

    Parameters
    ----------
    upload
        The file.
    query
        How it is read and aggregated.
    context
        Template variables that do not depend on the file; ``max_bytes`` is the largest file.
    fragment
        Whether to return only the result.
    """
    known = {**context, **form_context(query, upload)}
    table = None
    try:
        table = tables().table(upload, query, context["max_bytes"])
        known |= form_context(query, upload, table)
        analysis = tables().analysis(table, upload, query)
        known |= form_context(query, upload, table, analysis)
        # A slider does not wait for a search: the page asks for it when the slider rests.
        same = tables().same_reporters(analysis, upload, query, search=not fragment)
        known["summary"] = summarise_analysis(table, upload, analysis, same, query)
    except BribeproofError as error:
        known["error"] = str(error)
        if isinstance(error, QuestionError):
            known |= question_context(error, table, query.address)
    status = HTTPStatus.OK if known["error"] is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return status, render("data", fragment=fragment, **known)


def result_file(upload: Upload, query: DataQuery, max_bytes: int, ending: str) -> tuple[bytes, int]:
    """Return all answers as the file that the command writes, or the printable report; and k."""
    table, analysis = _analysis(upload, query, max_bytes)
    if ending != "html":
        return whole_file(analysis.result, ending), analysis.k
    taken = analysis.k == 1 and query.adversary_count is None
    return report(table, upload, query, None if taken else analysis.k).to_html().encode(), analysis.k


def show_same(upload: Upload, query: DataQuery, max_bytes: int) -> str:
    """Return the section on the same reporters; nothing where nobody is bribed."""
    _, analysis = _analysis(upload, query, max_bytes)
    section = bribe_section(analysis, tables().same_reporters(analysis, upload, query, search=True), query)
    return "" if section is None else render("data_same", fragment=True, summary={"same": section})


def bribe_file(upload: Upload, query: DataQuery, max_bytes: int, ending: str) -> tuple[bytes, int]:
    """Return what the same k reporters could have changed, as the file that the command writes or prints; and k.

    Raises
    ------
    ParameterError
        If it is not searched for this table.
    """
    _, analysis = _analysis(upload, query, max_bytes)
    same = tables().same_reporters(analysis, upload, query, search=True)
    if same is None or same.why_not:
        raise ParameterError(f"there is no list of bribed reporters: {same.why_not if same else _NOBODY}")
    if ending == "csv":
        return whole_file(same.table, ending), analysis.k
    return json.dumps(same.facts(analysis.answers.notes), allow_nan=False, default=str, indent=2).encode(), analysis.k


def reading_file(upload: Upload, query: DataQuery, max_bytes: int) -> str:
    """Return how a file is read as the TOML file that ``--reading`` takes."""
    _, analysis = _analysis(upload, query, max_bytes)
    recognised = analysis.answers.recognised
    given = {name: value for name, value in query.read_options.items() if value is not None}
    return to_toml(replace(recognised, stated=Stated.of({**recognised.stated.given, **given})))


def _analysis(upload: Upload, query: DataQuery, max_bytes: int) -> tuple[Table, Analysis]:
    """Return the table in a file, and its answers."""
    table = tables().table(upload, query, max_bytes)
    return table, tables().analysis(table, upload, query)
