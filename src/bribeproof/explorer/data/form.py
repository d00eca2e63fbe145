"""The form of the page "Your data" as filled in: its template variables."""

from collections.abc import Sequence
from typing import Any

from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.query import ITEM_FILTERS, LABEL_ORDERS, SCORE_ORDERS, DataQuery
from bribeproof.explorer.data.truth import detected_column
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_MAX_LENGTH = 40
"""Longest name in a drop-down list."""
_MAX_COLUMNS = 300
"""With more columns, names are typed instead of chosen from a list."""

_CHOICES = {
    "kind": [
        ("scores", "scores"), ("votes", "votes"), ("labels", "labels"), ("rankings", "rankings: judges' places"),
    ],
    "rule": [
        ("", "mean place, without the k best and worst"), ("borda", "Borda points"), ("median", "median place"),
        ("copeland", "pairwise majorities"),
    ],
    "unranked": [("", "ask if there are some"), ("last", "come last, level"), ("not-asked", "were not judged")],
    "gaps": [("", "ask if most do"), ("yes", "yes: only their order counts")],
    "decimal": [(".", "point: 7.25"), (",", "comma: 7,25")],
    "repeats": [
        ("", "stop with an error"), ("first", "keep the first"), ("last", "keep the last"), ("drop", "ignore both"),
    ],
    "criteria": [
        ("", "one score on an item"),
        ("judge-first", "several, combined for each judge"),
        ("each", "several, each aggregated first"),
    ],
    "label_sets": [
        ("", "ask if they seem to"),
        ("whole", "yes: the set counts as a whole"),
        ("each", "yes: each label is voted on"),
        ("none", "no: each report is one label"),
    ],
    "turned": [("", "detect automatically"), ("yes", "reporters, with a column for each item")],
    "faulty": [("", "stop with an error"), ("set-aside", "set them aside, count their senders as bribed")],
    "better": [
        ("", "the highest, unless in doubt"), ("high", "the highest"), ("low", "the lowest: ranks, times, penalties"),
    ],
    "sep": [(",", "comma"), (";", "semicolon"), ("tab", "tab"), ("|", "vertical bar")],
    "format": [
        (name, name.upper()) for name in ("csv", "tsv", "xlsx", "xls", "ods", "parquet", "ndjson", "json", "xml")
    ],
    "predictions": [("", "are no reports"), ("yes", "are reports, too")],
}  # fmt: skip


def form_context(
    query: DataQuery,
    upload: Upload,
    table: Table | None = None,
    analysis: Analysis | None = None,
    truth: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the variables of the form, as far as the file could be read; `truth` are the columns of that of truths."""
    columns = [] if table is None else table.frame.columns
    where = None if analysis is None else analysis.answers.recognised.columns
    detected = {} if where is None else {"item": where.item, "reporter": where.reporter, "value": where.value}
    if where is not None and where.judges:
        detected |= {"reporter": "", "value": ""}
    listed = [(name, shown(name, _MAX_LENGTH)) for name in columns] if len(columns) <= _MAX_COLUMNS else []
    empty = {name: _detected(detected.get(name)) for name in ("reporter", "value")}
    gold = "" if analysis is None or query.truth else detected_column(analysis.answers.recognised)
    empty |= {
        "gold": f"detected: {shown(gold, _MAX_LENGTH)}" if gold else "none",
        "group": "one reporter",
        "criterion": "part of the judges’ columns",
        "minus": "nothing",
        "order": "the order of the rows",
    }
    of_truth = [(name, shown(name, _MAX_LENGTH)) for name in truth]
    form = {
        "k": query.k or ("1" if analysis is None else str(analysis.k)),
        "largest": max(1, analysis.largest) if analysis else None,
        "most": 10**9 if analysis is None or analysis.most_k is None else analysis.most_k,
        "shown": _including(list(ITEM_FILTERS.items()), query.show),
        "sorted": _including(
            list((SCORE_ORDERS if analysis and analysis.scores else LABEL_ORDERS).items()), query.sort
        ),
        "columns": {
            name: _including(
                [("", empty), *(of_truth if query.truth and name == "gold" else listed)], getattr(query, name)
            )
            for name, empty in empty.items()
        },
        "detected_item": "" if where is None else shown(where.item, _MAX_LENGTH),
        "names": [name for name in columns if name == shown(name, _MAX_LENGTH)] if listed else [],
        "totals": _totals(analysis),
        "judges": _judges(where.judges) if where is not None and where.judges else "",
        **{name: _including(options, getattr(query, name)) for name, options in _choices(analysis).items()},
    }
    return {
        "upload": upload,
        "upload_name": shown(upload.name, 60),
        "form": form,
        "listed": bool(listed),
        "is_read": table is not None,
    }


def _totals(analysis: Analysis | None) -> list[str]:
    """Return the totals that the columns of items allow."""
    items = () if analysis is None else analysis.answers.recognised.items
    return [f"{how} of {name}" for name in items for how in ("sum", "best")] if len(items) > 1 else []


def _detected(detected: str | None) -> str:
    """Return the label for an inferred setting."""
    return f"detected: {shown(detected, _MAX_LENGTH)}" if detected else "detect automatically"


def _judges(judges: Sequence[str]) -> str:
    """Return a short list of judges."""
    names = [shown(name, 20) for name in judges]
    return ", ".join(names if len(names) <= 4 else [*names[:2], "…", names[-1]])


def _choices(analysis: Analysis | None) -> dict[str, list[tuple[str, str]]]:
    """Return the drop-down lists: pairs of value and label for each field."""
    kind = None if analysis is None else analysis.answers.recognised.kind
    defaults = {
        "kind": _detected(kind),
        "decimal": _detected(None),
        "sep": _detected(None),
        "format": "by the file's ending",
    }
    return {name: ([("", defaults[name])] if name in defaults else []) + options for name, options in _CHOICES.items()}


def _including(options: list[tuple[str, str]], value: str) -> list[tuple[str, str]]:
    """Add the typed value to a drop-down list if it is not one of its options."""
    return options if any(value == one for one, _ in options) else [*options, (value, shown(value, _MAX_LENGTH))]
