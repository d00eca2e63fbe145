"""Read a table with a row for each report, or for each item and reporter."""

from collections.abc import Sequence

import polars as pl

from bribeproof._text import list_names
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.reading.columns import other_columns
from bribeproof.frames.reading.criteria import criteria_in, criteria_of
from bribeproof.frames.reading.given import Given
from bribeproof.frames.reading.items import check_runs, find_items, other_items, with_items
from bribeproof.frames.reading.kinds import different_reports, kind_of, notation
from bribeproof.frames.reading.label_sets import find_sets
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.rows import long_rows_without_items
from bribeproof.frames.reading.words import role_of, words_of
from bribeproof.frames.schema import ReportSchema


def read_long(frame: pl.DataFrame, given: Given, reporter: str, value: str) -> Reading:
    """Read a table with one report per row."""
    if reporter == value:
        raise DataError(
            f"column {reporter!r} cannot hold the reporters and their reports at once: name another one for either "
            f"(--reporter NAME, --value NAME)"
        )
    names = [name for name in frame.columns if name not in (reporter, value, *given.criterion)]
    roles = {name: role_of(name) for name in names}
    items = given.items or find_items(roles, names) or other_items(frame, roles, names, reporter)
    if not given.items:
        check_runs(frame, roles, items, reporter)
    columns, names_of_items = with_items(frame, items, ReportSchema(reporter=reporter, value=value))
    cells = different_reports(frame, [value], given.missing)
    kind = kind_of(given.known_kind, cells, set(words_of(value)))
    sets = find_sets(given.label_sets, cells, kind)
    others = other_columns(frame, roles, {reporter, value, *given.criterion, *items})
    criteria = None
    if given.criteria:
        if not given.criterion:
            raise ParameterError(
                "criteria needs the column of the criteria in a table with a row for each report: criterion='NAME' "
                "(--criterion NAME), or those of their scores: criterion=['taste', 'look'] (--criterion taste,look)"
            )
        found = frame[given.criterion[0]].unique().to_list()
        criteria = criteria_in(given.criterion[0], found, given.criteria, given.criterion_weights)
    rows = (
        long_rows_without_items(frame, items[0], reporter, value, kind, given.not_items)
        if len(names_of_items) == 1
        else ()
    )
    return Reading(
        kind, columns, others, notation(kind, cells), names_of_items, rows, criteria=criteria, label_sets=sets
    )


def read_rated(frame: pl.DataFrame, given: Given, who: Sequence[str]) -> Reading:
    """Read a table with a row for each item and reporter, and a column of scores for each criterion."""
    if given.value or given.criteria is None:
        raise ParameterError(
            f"criterion names {len(given.criterion):,} columns of scores: leave value out, and say how they are "
            f"combined, criteria='judge first' or 'each'"
        )
    names = [name for name in frame.columns if name not in given.criterion]
    if len(who) != 1 or who[0] not in names:
        raise DataError(
            f"which column holds the reporters? Name it (--reporter NAME); the columns are: {list_names(names)}"
        )
    names.remove(who[0])
    roles = {name: role_of(name) for name in names}
    items = given.items or find_items(roles, names) or other_items(frame, roles, names, who[0])
    criteria, score = criteria_of(given.criterion, frame.columns, given.criteria, given.criterion_weights)
    columns, names_of_items = with_items(
        pl.DataFrame(schema=[*frame.columns, score]), items, ReportSchema(reporter=who[0], value=score)
    )
    cells = different_reports(frame, given.criterion, given.missing)
    others = other_columns(frame, roles, {who[0], *given.criterion, *items})
    return Reading("scores", columns, others, notation("scores", cells), names_of_items, criteria=criteria)
