"""Judges' rankings on the page "Your data": who wins, what bribed judges could change, and the report of it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from bribeproof._text import split_lists
from bribeproof.errors import ParameterError
from bribeproof.explorer.data.query import FILE_GROUP, RANKED_GROUP, READ_FIELDS, READ_GROUPS, DataQuery
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.io.read import Table
from bribeproof.questions import QuestionError
from bribeproof.rankings.columns import RankingColumns
from bribeproof.rankings.preflib import is_preflib
from bribeproof.reporting.material import FileFacts, Origin
from bribeproof.reporting.page import render_sections
from bribeproof.reporting.ranked.build import ranked_report, ranking_options, read_rankings
from bribeproof.reporting.ranked.detect import RANKINGS, asked_of_rankings
from bribeproof.reporting.ranked.material import RankedMaterial
from bribeproof.reporting.report import MAY_BE_RANKED, stated_only

_OPTIONS: Mapping[str, str] = {"item": "entry", "reporter": "judge", "value": "place"}
"""Fields, and the options of rankings that they are."""
_FIELDS = (
    "kind", *_OPTIONS, "judges", "turned", "missing", "group", *READ_GROUPS[RANKED_GROUP], *READ_GROUPS[FILE_GROUP],
)  # fmt: skip
"""The fields on reading that rankings have."""
_SECONDS = 2.0
"""How long the page searches."""


def is_ranked(upload: Upload, query: DataQuery) -> bool:
    """Return whether a file is to be read as rankings."""
    told = any(getattr(query, name) for name in READ_GROUPS[RANKED_GROUP])
    return query.kind == RANKINGS or (not query.kind and (told or is_preflib(upload.path)))


def find_rankings(table: Table, upload: Upload, query: DataQuery) -> RankedMaterial:
    """Return what was found in a file of rankings.

    Raises
    ------
    BribeproofError
        If they cannot be read so.
    """
    for name in READ_FIELDS:
        if name not in _FIELDS and (value := getattr(query, name)):
            raise ParameterError(f"{name}={value!r}: rankings have no such setting; leave it empty")
    options = _options(query)
    origin = Origin((FileFacts.of(upload.path, upload.name),), (upload.name,))
    stated = stated_only({**options, **query.read_options})
    try:
        return read_rankings(table, query.adversary_count, options, origin, stated, _SECONDS)
    except QuestionError as asked:
        raise _in_fields(asked) from None


def rankings_instead(table: Table, query: DataQuery, asked: QuestionError) -> QuestionError | None:
    """Return what is to be asked about a table that raised a question; None if it can only hold rankings."""
    given = {name for name in READ_FIELDS if getattr(query, name)} - {"worksheet", "predictions"}
    if given - MAY_BE_RANKED:
        return asked
    return asked_of_rankings(table, asked, ranking_options(_options(query)))


def ranked_context(material: RankedMaterial, query: DataQuery) -> dict[str, Any]:
    """Return the template variables of what was found in rankings."""
    made = ranked_report(material)
    answer = made.summary().splitlines()
    return {
        "winner": answer[0],
        "headline": " ".join(answer[1:2]),
        "sections": Markup(render_sections([one for one in made.sections if one.name != "assumed"])),  # noqa: S704
        "links": {name: query.address(f"/data/{name}", kind=RANKINGS) for name in ("report.html", "report.xlsx")},
    }


def roles_of_rankings(columns: RankingColumns) -> dict[str, str]:
    """Return the roles of the columns of rankings.

    Examples
    --------
    >>> roles_of_rankings(RankingColumns("skater", judge="seat", place="rank"))
    {'skater': 'item', 'seat': 'reporter', 'rank': 'report'}
    """
    of_rows = {columns.group: "group", columns.entry: "item", columns.judge: "reporter", columns.place: "report"}
    roles = of_rows | dict.fromkeys(columns.judges, "answers" if columns.judge else "judge")
    return {name: role for name, role in roles.items() if name}


def _options(query: DataQuery) -> dict[str, Any]:
    """Return how rankings are read, by the names of the options of the library."""
    given: dict[str, Any] = {option: getattr(query, name) for name, option in _OPTIONS.items()}
    given |= {"judges": split_lists([query.judges]), "turned": query.turned == "yes", "missing": query.missing_tokens}
    given |= {"group": query.group, "contest": split_lists([query.contest]), "gaps": query.gaps == "yes"}
    return stated_only({**given, "rule": query.rule, "unranked": query.unranked})


def _in_fields(asked: QuestionError) -> QuestionError:
    """Return a question of which the choices name fields of the page."""
    fields = {option: name for name, option in _OPTIONS.items()}
    choices = [
        replace(one, options={fields.get(name, name): value for name, value in one.options.items()})
        for one in asked.choices
    ]
    return QuestionError(asked.question, choices, asked.rows)
