"""The section of the page on the same k reporters: who they are, and what they could have changed."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from bribeproof import plots
from bribeproof.bribery.result import WorstBribe
from bribeproof.contests.result import WorstContestBribe
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.cells import TableCell, text
from bribeproof.explorer.data.figures import Picture, draw_picture
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.snippets import bribe_command, bribe_python
from bribeproof.explorer.data.table import ChangedItems, names_heading
from bribeproof.explorer.data.worst_bribe import SameReporters
from bribeproof.plots.names import shown

_ROWS = 12
_LINE = 1000
_DECISIONS = "What they could have changed if they were bribed on all items"
_ENDED = "The search on this page ends after about two seconds; the command below searches longer."
_FEWER_SETS = "The command below tries more sets of judges than this page."
_PLACES = "Which places they could have caused if they were bribed on all items"


def bribe_section(
    analysis: Analysis, same: SameReporters | None, query: DataQuery, file: str
) -> Mapping[str, Any] | None:
    """Return the template variables of the section; None where nobody is bribed.

    Parameters
    ----------
    analysis, query, file
        The answers to a table, how it is read, and the name of its file.
    same
        What the same reporters could have done.
    """
    if same is None:
        return None
    k, found, (one, several) = analysis.k, same.found, analysis.bribed_nouns
    section: dict[str, Any] = {
        "heading": f"One and the same {one}" if k == 1 else f"The same {k:,} {several}",
        "sentences": [], "picture": None, "tables": [], "links": {}, "command": "", "python": "",
    }  # fmt: skip
    if same.by_command:
        section["command"] = bribe_command(file, query, k)
        section["python"] = bribe_python(file, query, analysis.answers.recognised, k)
    if found is None:
        question = _PLACES if analysis.scores else _DECISIONS
        return section | {"verdict": f"{question} is not searched here: {same.why_not}."}
    lines = [shown(line, _LINE) for line in found.summary().splitlines()]
    verdict = shown(found.verdict, _LINE) if isinstance(found, WorstContestBribe) else lines[0]
    section["verdict"], sentences = verdict, [line for line in lines if line != verdict]
    early = _FEWER_SETS if isinstance(found, WorstContestBribe) else _ENDED
    section["sentences"] = [_question(analysis), *sentences, *[early] * (not found.exact)]
    section["links"] = {ending: query.address(f"/data/bribe.{ending}", k=k) for ending in ("csv", "json")}
    if isinstance(found, WorstContestBribe):
        return section | {
            "picture": _places_picture(found),
            "tables": [("Possible places", "places", _places(found, names_heading(analysis)))],
            "files": ("All possible places (CSV)", "Everything found (JSON)"),
        }
    if not found.changed:
        return section
    return section | {
        "picture": _changes_picture(found),
        "tables": [
            ("Who is bribed, and the decisions each could have changed", "bribed", _reporters(found)),
            ("What they could have changed", "turned", _items(found, names_heading(analysis))),
        ],
        "files": ("All they could have changed (CSV)", "Everything found (JSON)"),
    }


def _question(analysis: Analysis) -> str:
    """Return what is asked here, beside what is asked above."""
    k, part, (one, several) = analysis.k, analysis.bribed_on_each, analysis.bribed_nouns
    if k == 1:
        return f"Above, it may be another {one} on each {part}. Here it is one and the same on all of them."
    return f"Above, they may be other {several} on each {part}. Here they are the same {k:,} on all of them."


def _changes_picture(found: WorstBribe) -> Picture:
    """Draw what each of them could have changed."""
    title = "What each of them could have changed"
    caption = (
        "Bars: with those above, what this one adds in the blue part. The names accuse nobody: they are those whose "
        "reports matter most, most often because they gave many."
    )
    rows = min(_ROWS, found.reporters.height)
    return draw_picture(lambda axes: plots.bribe(found, most=_ROWS, ax=axes), rows, "bribed", title, caption)


def _places_picture(found: WorstContestBribe) -> Picture:
    """Draw the places that they could have caused."""
    title = "The places that bribed judges could have caused"
    caption = "Dots: the places as the marks are. The names in the table accuse nobody."
    rows = min(_ROWS, found.entries.height)
    return draw_picture(lambda axes: plots.contest(found, most=_ROWS, ax=axes), rows, "places", title, caption)


def _reporters(found: WorstBribe) -> ChangedItems:
    """Return the table of the bribed reporters."""
    who = "group" if found.grouped else "reporter"
    headings = [TableCell(who.title(), "text"), *map(TableCell, ("Alone", "With those above", "Reports"))]
    rows = [
        [text(name), *(TableCell(f"{number:,}") for number in numbers)]
        for name, *numbers in found.reporters.select(who, "changes_alone", "with_those_above", "reports")
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


def _places(found: WorstContestBribe, heading: str) -> ChangedItems:
    """Return the table of the first places: what is possible, and where not all is tried, beyond what nothing is."""
    ranges = {"place": "Same judges", "bound": "At most", "if_others": "Others on each"}
    if found.exact:
        del ranges["bound"]
    headings = [TableCell(heading, "text"), TableCell("Place"), *map(TableCell, ranges.values())]
    first = found.entries.head(_ROWS)
    spans = [
        [_span(best, worst) for best, worst in first.select(f"best_{kind}", f"worst_{kind}").iter_rows()]
        for kind in ranges
    ]
    rows = [
        [text(name), TableCell(f"{place:,}"), *own, text(bribed)]
        for (name, place, bribed), *own in zip(
            first.select(pl.first(), "place", "bribed").iter_rows(), *spans, strict=True
        )
    ]
    return ChangedItems([*headings, TableCell("Bribed for the best", "text")], rows, found.entries.height)


def _span(best: int, worst: int) -> TableCell:
    """Return a cell with the first and the last of some places."""
    return TableCell(f"{best:,}" if best == worst else f"{best:,} to {worst:,}")
