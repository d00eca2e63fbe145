"""The section of the page on the same k reporters: who they are, and which decisions they could have changed."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from bribeproof import plots
from bribeproof.bribery.result import WorstBribe
from bribeproof.explorer.data import judges_section
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.figures import Picture, draw_picture
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.same_judges import Same, SameJudges
from bribeproof.explorer.data.table import ChangedItems, TableCell, names_heading, text
from bribeproof.explorer.data.worst_bribe import SameReporters
from bribeproof.plots.names import shown

_ROWS = 12
_COLUMNS = ("changes_alone", "with_those_above", "reports")
_LINE = 1000
_DECISIONS = "What they could have changed if they were bribed on all items is"
_PLACES = "Which places they could have caused if they were bribed on all items is"


def bribe_section(analysis: Analysis, same: Same | None, query: DataQuery) -> Mapping[str, Any] | None:
    """Return the template variables of the section; None where nobody is bribed.

    Parameters
    ----------
    analysis, query
        The answers to a table, and how it is read.
    same
        What the same reporters could have done; the page asks for it later where it is not searched yet.
    """
    if same is None:
        return None
    k, (one, several) = analysis.k, analysis.bribed_nouns
    section: dict[str, Any] = {
        "heading": f"One and the same {one}" if k == 1 else f"The same {k:,} {several}",
        "later": None, "sentences": [], "picture": None, "tables": [], "links": {},
    }  # fmt: skip
    if same.why_not:
        question = _PLACES if analysis.scores else _DECISIONS
        return section | {"sentences": [f"{question} not searched here: {same.why_not}."]}
    if not same.is_searched:
        return section | {"sentences": ["Searching …"], "later": query.address("/data/same", k=k)}
    part = _of_judges(analysis, same) if isinstance(same, SameJudges) else _of_reporters(analysis, same)
    links = {ending: query.address(f"/data/bribe.{ending}", k=k) for ending in ("csv", "json")}
    return section | part | {"links": links if part["tables"] else {}}


def _of_judges(analysis: Analysis, same: SameJudges) -> dict[str, Any]:
    """Return what is said of places."""
    caption = "Possible places"
    return {
        "sentences": [shown(line, _LINE) for line in judges_section.sentences(analysis, same)],
        "picture": judges_section.picture(analysis, same),
        "tables": [(caption, "places", judges_section.table(same, names_heading(analysis)))],
        "files": ("All possible places (CSV)", "The same as JSON"),
    }


def _of_reporters(analysis: Analysis, same: SameReporters) -> dict[str, Any]:
    """Return what is said of decisions."""
    found = same.found
    if found is None:
        return {"tables": []}
    tables = [
        ("Who is bribed", "bribed", _reporters(found)),
        ("What they could have changed", "turned", _items(found, names_heading(analysis))),
    ]
    return {
        "sentences": [shown(line, _LINE) for line in found.summary().splitlines()],
        "picture": _picture(found) if found.changed else None,
        "tables": tables if found.changed else [],
        "files": ("All they could have changed (CSV)", "With who is bribed (JSON)"),
    }


def _picture(found: WorstBribe) -> Picture:
    """Draw what each of them could have changed."""
    title = "What each of them could have changed"
    caption = (
        "Bars: with those above, what this one adds in the dark part. The names accuse nobody: they are those whose "
        "reports matter most, most often because they gave many."
    )
    rows = min(_ROWS, found.reporters.height)
    return draw_picture(lambda axes: plots.bribe(found, most=_ROWS, ax=axes), rows, "bribed", title, caption)


def _reporters(found: WorstBribe) -> ChangedItems:
    """Return the table of the bribed reporters."""
    headings = [
        TableCell("Group" if found.grouped else "Reporter", "text"),
        *map(TableCell, ("Alone", "With those above", "Reports")),
    ]
    rows = [
        [text(name), *(TableCell(f"{number:,}") for number in numbers)]
        for name, *numbers in found.reporters.select(pl.col("group" if found.grouped else "reporter"), *_COLUMNS)
        .head(_ROWS)
        .iter_rows()
    ]
    return ChangedItems(headings, rows, found.reporters.height)


def _items(found: WorstBribe, heading: str) -> ChangedItems:
    """Return the table of what they could have changed."""
    headings = [TableCell(heading, "text"), TableCell("Decision", "text"), TableCell("Ahead by")]
    rows = [
        [text(item), text(decision), TableCell(f"{margin:,}")]
        for item, decision, margin in found.items.head(_ROWS).iter_rows()
    ]
    return ChangedItems(headings, rows, found.items.height)
