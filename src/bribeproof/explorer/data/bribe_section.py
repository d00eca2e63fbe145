"""The section of the page on the same k reporters: who they are, and which decisions they could have changed."""

from collections.abc import Mapping
from typing import Any

from bribeproof import plots
from bribeproof.bribery.result import WorstBribe
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.figures import Picture, draw_picture
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.table import ChangedItems, TableCell, names_heading, text
from bribeproof.explorer.data.worst_bribe import SameReporters
from bribeproof.plots.names import shown

_ROWS = 12
_COLUMNS = ("reporter", "changes_alone", "with_those_above", "reports")
_LINE = 1000
_QUESTION = "What they could have changed if they were bribed on all items:"


def bribe_section(analysis: Analysis, same: SameReporters | None, query: DataQuery) -> Mapping[str, Any] | None:
    """Return the template variables of the section; None for scores, and where nobody is bribed.

    Parameters
    ----------
    analysis, query
        The answers to a table, and how it is read.
    same
        What the same reporters could have done; the page asks for it later where it is not searched yet.
    """
    if same is None:
        return None
    k, found = analysis.k, same.found
    heading = "One and the same reporter" if k == 1 else f"The same {k:,} reporters"
    if found is None:
        sentence = f"{_QUESTION} {same.why_not}." if same.why_not else "Searching …"
        later = None if same.why_not else query.address("/data/same", k=k)
        return {"heading": heading, "sentences": [sentence], "picture": None, "later": later}
    return {
        "heading": heading,
        "later": None,
        "sentences": [shown(line, _LINE) for line in found.summary().splitlines()],
        "picture": _picture(found) if found.changed else None,
        "bribed": _reporters(found),
        "turned": _items(found, names_heading(analysis)),
        "links": {ending: query.address(f"/data/bribe.{ending}", k=k) for ending in ("csv", "json")},
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
    headings = [TableCell("Reporter", "text"), *map(TableCell, ("Alone", "Together", "Reports"))]
    rows = [
        [text(name), *(TableCell(f"{number:,}") for number in numbers)]
        for name, *numbers in found.reporters.select(_COLUMNS).head(_ROWS).iter_rows()
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
