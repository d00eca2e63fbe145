"""What the page "Your data" shows and sends, computed in a worker process, which keeps tables and answers."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from http import HTTPStatus
from typing import Any

from markupsafe import Markup

from bribeproof.errors import BribeproofError, ParameterError
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.bribe_section import bribe_section
from bribeproof.explorer.data.cache import AnalysisCache
from bribeproof.explorer.data.downloads import whole_file
from bribeproof.explorer.data.figures import sketches
from bribeproof.explorer.data.form import form_context
from bribeproof.explorer.data.page_words import in_page_words
from bribeproof.explorer.data.preview import preview_context
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.question import question_context
from bribeproof.explorer.data.ranked import (
    is_ranked,
    ranked_context,
    rankings_instead,
    roles_of_rankings,
)
from bribeproof.explorer.data.remedies import remedies
from bribeproof.explorer.data.report import report
from bribeproof.explorer.data.results import summarise_analysis
from bribeproof.explorer.data.roles import roles_of, with_roles
from bribeproof.explorer.data.steps.catalogue import StepState, find_step, step_states
from bribeproof.explorer.data.steps.inputs import Inputs
from bribeproof.explorer.data.truth import Truth, check_column, detected_column, read_truth
from bribeproof.explorer.rendering import render
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.saved import to_toml
from bribeproof.frames.reading.stated import Stated
from bribeproof.io.read import Table
from bribeproof.questions import QuestionError
from bribeproof.reporting.ranked.build import ranked_report
from bribeproof.reporting.ranked.detect import RANKINGS
from bribeproof.reporting.ranked.material import RankedMaterial

_NOBODY = "with k = 0 nobody is bribed"


@cache
def tables() -> AnalysisCache:
    """Return the tables and answers that this process keeps."""
    return AnalysisCache()


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and one with the truth of some of its items.

    Attributes
    ----------
    upload
        The file.
    truth
        The file of the truth; None if there is none.
    max_bytes
        The largest file that is read.
    """

    upload: Upload
    truth: Upload | None
    max_bytes: int


def show(source: Source, query: DataQuery, context: Mapping[str, Any], *, fragment: bool) -> tuple[int, str]:
    """Return the status and the text of the page of a file.

    Parameters
    ----------
    source
        The file.
    query
        How it is read and aggregated.
    context
        Template variables that do not depend on the file.
    fragment
        Whether to return only the result.
    """
    upload = source.upload
    known = {**context, **form_context(query, upload)}
    truth = truth_columns(source)
    table = analysis = None
    try:
        table = tables().table(upload, query, source.max_bytes)
        known |= form_context(query, upload, table, truth=truth)
        rankings = find_if_ranked(table, upload, query)
        if rankings is not None:
            known["ranked"] = ranked_context(rankings, query)
        else:
            analysis = tables().analysis(table, upload, query)
            known |= form_context(query, upload, table, analysis, truth)
            check_column(query, analysis.answers.recognised)
            known["summary"] = summarise_analysis(table, upload, analysis, query)
            known["steps"] = _steps(source, query, analysis, fragment=fragment)
        told = known["ranked"] or known["summary"]
        known["spoken"] = told["winner"] or told["headline"]
    except BribeproofError as error:
        readable = None if table is None else tables().without_protection(table, upload, query)
        if table is not None and readable is not None:  # k or what is shown is wrong, not how the file is read
            known |= form_context(query, upload, table, readable, truth)
        to_open = query.groups_to_open(str(error), is_read=table is not None)
        known |= {"error": in_page_words(str(error)), "to_open": to_open, "unreadable": readable is None}
        if isinstance(error, QuestionError):
            known |= question_context(error, table, query.address)
        else:
            known |= {"choices": remedies(str(error), query), "preview": {"rows": ()}}
    if table is not None and not fragment:
        known["rows"] = preview_context(table, query, _roles(table, upload, query))
        known["preview"] = {"rows": ()}
    status = HTTPStatus.OK if known["error"] is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return status, render("data", fragment=fragment, **known)


def find_if_ranked(table: Table, upload: Upload, query: DataQuery) -> RankedMaterial | None:
    """Return what was found in a file of rankings; None for another file.

    Raises
    ------
    QuestionError
        If it may hold rankings, or something else.
    """
    if is_ranked(upload, query):
        return tables().rankings(table, upload, query)
    try:
        tables().analysis(table, upload, replace(query, k="0"))
    except QuestionError as asked:
        if (question := rankings_instead(table, query, asked)) is not None:
            raise question from None
        return tables().rankings(table, upload, query)
    except BribeproofError:
        return None
    return None


def _roles(table: Table, upload: Upload, query: DataQuery) -> dict[str, str]:
    """Return the role of each column."""
    reading = _reading(table, upload, query)
    with suppress(BribeproofError):
        if reading is None and (found := find_if_ranked(table, upload, query)) is not None:
            return dict.fromkeys(table.frame.columns, "") | roles_of_rankings(found.rankings.columns)
    return roles_of(table.frame.columns, query, reading)


def truth_columns(source: Source) -> list[str]:
    """Return the columns of the file of the truth; none if there is no such file, or it cannot be read."""
    if source.truth is None:
        return []
    with suppress(BribeproofError):
        columns: list[str] = tables().table(source.truth, DataQuery(), source.max_bytes).frame.columns
        return columns
    return []


def _steps(source: Source, query: DataQuery, analysis: Analysis, *, fragment: bool) -> list[tuple[StepState, str]]:
    """Return the steps, and the content of the one that is computed with the page."""
    reading = analysis.answers.recognised
    has_truth = bool(source.truth or query.gold or detected_column(reading))
    states = step_states(analysis, query, has_truth=has_truth)
    computed = "" if fragment else query.step
    return [
        (one, Markup(show_step(source, query, one.step.name)) if one.step.name == computed and not one.obstacle else "")  # noqa: S704  rendered
        for one in states
    ]


def draw(source: Source, query: DataQuery, name: str) -> str:
    """Return a picture of the answers as SVG.

    Raises
    ------
    ParameterError
        If these answers have no such picture.
    """
    _, analysis = _analysis(source.upload, query, source.max_bytes)
    found = sketches(analysis)
    if name not in found:
        raise ParameterError(f"these answers have no picture {name}; there are: {', '.join(found) or 'none'}")
    return found[name].svg(name)


def show_step(source: Source, query: DataQuery, name: str) -> str:
    """Return the content of a step; where it cannot be taken, the reason."""
    step = find_step(name)
    _, analysis = _analysis(source.upload, query, source.max_bytes)
    try:
        if step.show is None:
            same = tables().same_reporters(analysis, source.upload, query, search=True)
            section = bribe_section(analysis, same, query, source.upload.name)
            return render("data_same", fragment=True, same=section)
        result = step.show(Inputs(analysis, source.upload.name, query, _truth(source, query, analysis)))
    except BribeproofError as error:
        return render("error", fragment=True, error=in_page_words(str(error)))
    return render("data_step", fragment=True, step=name, result=result)


def _truth(source: Source, query: DataQuery, analysis: Analysis) -> Truth | None:
    """Return the truth of some items; None if there is none."""
    known = source.truth
    table = None if known is None else tables().table(known, DataQuery(), source.max_bytes)
    return read_truth(query, analysis.answers.recognised, table, "" if known is None else known.name)


def with_chosen_roles(source: Source, query: DataQuery, chosen: Mapping[str, str]) -> DataQuery:
    """Return the query that reads the columns of a file in the roles that were chosen for them, by their places."""
    table = tables().table(source.upload, query, source.max_bytes)
    names = table.frame.columns
    roles = {names[int(place)]: role for place, role in chosen.items() if place in map(str, range(len(names)))}
    reading = _reading(table, source.upload, query)
    criteria = None if reading is None else reading.criteria
    changed = with_roles(query, _roles(table, source.upload, query), roles, criteria)
    with suppress(BribeproofError):
        if reading is None and changed != query and find_if_ranked(table, source.upload, query) is not None:
            return replace(changed, kind=RANKINGS)
    if reading is None or changed == query or reading.label_sets is not None:
        return changed
    is_turned = bool(reading.turned)
    same = (changed.turned == "yes") == is_turned and (is_turned or changed.value == reading.columns.value)
    return replace(changed, kind=reading.kind) if same else changed


def _reading(table: Table, upload: Upload, query: DataQuery) -> Reading | None:
    """Return how the columns of a table are read; None if they cannot be read."""
    known = tables().without_protection(table, upload, query)
    return None if known is None else known.answers.recognised


def result_file(source: Source, query: DataQuery, ending: str) -> tuple[bytes, int]:
    """Return all answers as the file that the command writes; and k."""
    _, analysis = _analysis(source.upload, query, source.max_bytes)
    return whole_file(analysis.result, ending), analysis.k


def report_file(source: Source, query: DataQuery, ending: str) -> tuple[bytes, int]:
    """Return the report as a page or a workbook, as the command writes it; and k."""
    opened = tables().table(source.upload, query, source.max_bytes)
    if (rankings := find_if_ranked(opened, source.upload, query)) is not None:
        made = ranked_report(rankings)
        return made.to_xlsx() if ending == "xlsx" else made.to_html().encode(), rankings.question.k
    table, analysis = _analysis(source.upload, query, source.max_bytes)
    taken = analysis.k == 1 and query.adversary_count is None
    known = None if analysis.scores else _truth(source, query, analysis)
    given = {} if known is None else known.of_report
    made = report(table, source.upload, query, None if taken else analysis.k, **given)
    return made.to_xlsx() if ending == "xlsx" else made.to_html().encode(), analysis.k


def bribe_file(source: Source, query: DataQuery, ending: str) -> tuple[bytes, int]:
    """Return what the same k reporters could have changed, as the file that the command writes or prints; and k.

    Raises
    ------
    ParameterError
        If it is not searched for this table.
    """
    _, analysis = _analysis(source.upload, query, source.max_bytes)
    same = tables().same_reporters(analysis, source.upload, query, search=True)
    if same is None or same.why_not:
        raise ParameterError(f"there is no list of bribed reporters: {same.why_not if same else _NOBODY}")
    if ending == "csv":
        return whole_file(same.table, ending), analysis.k
    return json.dumps(same.facts(analysis.answers.notes), allow_nan=False, default=str, indent=2).encode(), analysis.k


def reading_file(source: Source, query: DataQuery) -> str:
    """Return how a file is read as the TOML file that ``--reading`` takes."""
    _, analysis = _analysis(source.upload, query, source.max_bytes)
    recognised = analysis.answers.recognised
    given = {name: value for name, value in query.read_options.items() if value is not None}
    return to_toml(replace(recognised, stated=Stated.of({**recognised.stated.given, **given})))


def _analysis(upload: Upload, query: DataQuery, max_bytes: int) -> tuple[Table, Analysis]:
    """Return the table in a file, and its answers."""
    table = tables().table(upload, query, max_bytes)
    return table, tables().analysis(table, upload, query)
