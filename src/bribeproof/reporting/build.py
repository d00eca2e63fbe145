"""Make a report of a table that was read and of what is asked of it."""

import datetime
from collections.abc import Callable
from dataclasses import replace

from bribeproof import __version__
from bribeproof._warnings import copy_messages
from bribeproof.aggregation.aggregate import aggregate_read
from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.errors import ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.reporting.contest import search
from bribeproof.reporting.document import Report
from bribeproof.reporting.material import Material, Question, Source
from bribeproof.reporting.sections.decisions import decisions
from bribeproof.reporting.sections.deviations import deviations
from bribeproof.reporting.sections.provenance import provenance
from bribeproof.reporting.sections.same_people import same_people
from bribeproof.reporting.sections.scores import scores
from bribeproof.reporting.sections.truth import certificate
from bribeproof.reporting.snippets import Snippets


def build_report(
    source: Source,
    question: Question,
    snippets: Snippets,
    *,
    title: str,
    date: datetime.date | None = None,
    progress: Callable[[str, float | None], None] | None = None,
    k_name: str = "k=",
) -> Report:
    """Return a report.

    Parameters
    ----------
    source
        The table.
    question
        What is asked of it.
    snippets
        How the report is repeated.
    title
        Its title.
    date
        Its date; today's if none is given.
    progress
        Function that is told what is being done.
    k_name
        What k is called in errors: ``"k="`` or ``"--k "``.
    """
    tell = progress or (lambda _stage, _share: None)
    tell("Aggregating", None)
    if source.reading.kind == "scores" and question.truth is not None:
        raise ParameterError("the truth is one of votes or labels, and these are scores: leave it out")
    with copy_messages() as notes:
        options = {**question.options, "missing": source.missing, "bribes": question.bribes}
        read = RecognisedReports.of(source.table, source.reading, options)
        answer = aggregate_read(read, question.k, **options)
        answer = replace(answer, items=to_polars(answer.items))
    answer = replace(answer, notes=tuple(notes))
    material = Material(source, question, read, answer, snippets)
    _check_k(material, k_name)
    sections = []
    if material.scores:
        tell("Searching which judges could have changed it", None)
        sections += scores(material, search(material))
    else:
        listed = decisions(material)
        sections += listed[:1]
        tell("Certifying by the items with a known truth", None)
        sections += certificate(material)
        sections += listed[1:-1]
        tell("Searching for one list of people", None)
        sections += same_people(material)
    tell("Comparing people", None)
    sections += deviations(material)
    if not material.scores:
        sections += listed[-1:]
    sections += provenance(material)
    return Report(title, material.subject, tuple(sections), date or datetime.date.today(), __version__)  # noqa: DTZ011


def _check_k(material: Material, k_name: str) -> None:
    """Refuse a number of bribed people that leaves no honest majority among all."""
    k, people = material.question.k, material.facts["reporters"]
    if not k or not material.counts_heads or not people or people > 2 * k:
        return
    most = (people - 1) // 2
    raise ParameterError(
        f"{k_name}{k}: {2 * k + 1:,} {material.person[1]} are needed for an honest majority, and here are "
        f"{people:,}: give {k_name}{most}{' or less' * (most > 0)}"
    )
