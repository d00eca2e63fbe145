"""The results on the page "Your data": their template variables."""

from typing import Any

from bribeproof.explorer.data import narration
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.figures import sketches
from bribeproof.explorer.data.page_words import in_page_words
from bribeproof.explorer.data.query import ATTACK_FIELDS, READ_FIELDS, DataQuery, parse_whole_number
from bribeproof.explorer.data.score_sheet import score_sheet
from bribeproof.explorer.data.snippets import command, python
from bribeproof.explorer.data.table import ChangedItems, changed_items, select_items
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.frames.reading.prepare import prepare
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_MAX_NOTE = 400
"""Longest note that is shown."""
_CHANGES = 20
"""So many changed items are listed."""
_NOT_ATTACKED = (
    "k", "find", "show", "sort", "page", "open", "step",
    *(name for name in READ_FIELDS if name not in ATTACK_FIELDS),
)  # fmt: skip
"""Fields that the page of attacks does not have, or, as k, has for itself."""
_FILES = ("result.csv", "result.parquet", "report.html", "report.xlsx", "reading.toml")


def summarise_analysis(table: Table, upload: Upload, analysis: Analysis, query: DataQuery) -> dict[str, Any]:
    """Return the variables of the results."""
    number = parse_whole_number(query.page, "page", "a page", 1) if query.page else 1
    items = select_items(analysis, show=query.show, find=query.find, sort=query.sort, page=number)
    changed = changed_items(analysis, _CHANGES) if analysis.k else ChangedItems((), (), 0)
    read_as, *notes = (shown(note, _MAX_NOTE) for note in analysis.answers.notes[len(table.notes) :])
    return {
        "k": analysis.k,
        "scores": analysis.scores,
        "read_as": read_as.removeprefix("read as "),
        "notes": [in_page_words(note) for note in (*(shown(note, _MAX_NOTE) for note in table.notes), *notes)],
        "winner": narration.winner(analysis),
        "headline": narration.headline(analysis),
        "stated": narration.stated(analysis, query),
        "facts": narration.key_numbers(analysis),
        "view": items,
        "changes": changed,
        "what_changes": narration.what_changes(analysis, changed.total),
        "marks": score_sheet(prepare(table, analysis.answers.recognised), analysis, query, items.row_numbers),
        "pictures": {
            query.address(f"/data/{name}.svg", k=analysis.k): (name, one) for name, one in sketches(analysis).items()
        },
        "command": command(upload.name, query, analysis.k),
        "python": python(upload.name, query, analysis.answers.recognised, analysis.k),
        "links": {
            "previous": query.address(page=items.page - 1) if items.page > 1 else None,
            "next": query.address(page=items.page + 1) if items.page < items.pages else None,
            "changed": query.address(show="changed", page="", find=""),
            "attack": query.address("/attack", **dict.fromkeys(_NOT_ATTACKED, "")),
            **{name: query.address(f"/data/{name}", k=analysis.k) for name in _FILES},
        },
    }
