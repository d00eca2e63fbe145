"""Template variables of the page "Your data": the form as filled in, and the answers."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from bribeproof._text import count, with_and
from bribeproof.aggregation.contradictions import describe_contradictions
from bribeproof.aggregation.decided_sets import describe_sets
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.figures import sketches
from bribeproof.explorer.data.page_words import in_page_words
from bribeproof.explorer.data.query import (
    ATTACK_FIELDS,
    ITEM_FILTERS,
    LABEL_ORDERS,
    READ_FIELDS,
    SCORE_ORDERS,
    DataQuery,
    parse_whole_number,
)
from bribeproof.explorer.data.score_sheet import score_sheet
from bribeproof.explorer.data.snippets import command, python
from bribeproof.explorer.data.table import ChangedItems, changed_items, select_items
from bribeproof.explorer.data.truth import detected_column
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.frames.reading.prepare import prepare
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_MAX_LENGTH = 40
"""Longest name in a drop-down list."""
_MAX_COLUMNS = 300
"""With more columns, names are typed instead of chosen from a list."""
_LINE = 400
_NO_REPORTS = "This file holds no reports."
_CHANGES = 20

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


def summarise_analysis(
    table: Table,
    upload: Upload,
    analysis: Analysis,
    query: DataQuery,
) -> dict[str, Any]:
    """Return the variables of the results."""
    number = parse_whole_number(query.page, "page", "a page", 1) if query.page else 1
    items = select_items(analysis, show=query.show, find=query.find, sort=query.sort, page=number)
    changed = changed_items(analysis, _CHANGES) if analysis.k else ChangedItems((), (), 0)
    read_as, *notes = (shown(note, _LINE) for note in analysis.answers.notes[len(table.notes) :])
    return {
        "k": analysis.k,
        "scores": analysis.scores,
        "read_as": read_as.removeprefix("read as "),
        "notes": [in_page_words(note) for note in (*(shown(note, _LINE) for note in table.notes), *notes)],
        "winner": winner(analysis),
        "headline": headline(analysis),
        "stated": stated(analysis, query),
        "facts": key_numbers(analysis),
        "view": items,
        "changes": changed,
        "what_changes": what_changes(analysis, changed.total),
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


_NOT_ATTACKED = (
    "k",
    "find",
    "show",
    "sort",
    "page",
    "open",
    "step",
    *(name for name in READ_FIELDS if name not in ATTACK_FIELDS),
)
"""Fields that the page of attacks does not have, or, as k, has for itself."""
_FILES = ("result.csv", "result.parquet", "report.html", "report.xlsx", "reading.toml")


def winner(analysis: Analysis) -> str:
    """Return a sentence on who is first, and whether that is safe; empty without places."""
    ranking = analysis.ranking
    if ranking is None or not ranking.rank.any():
        return ""
    first = [shown(name, _MAX_LENGTH) for name in analysis.items.filter(pl.Series(ranking.rank) == 1)["item"]]
    lead = f"{first[0]} is first" if len(first) == 1 else f"{with_and(first, 3)} share the first place"
    if analysis.k == 0:
        return f"{lead}."
    one, several = analysis.bribed_nouns
    who = f"{one} is" if analysis.k == 1 else f"{analysis.k:,} {several} are"
    each = analysis.bribed_on_each
    return f"{lead}, whichever {who} bribed on each {each}." if ranking.safe_top(1) else f"{lead}, but not safely."


def headline(analysis: Analysis) -> str:
    """Return a sentence on how many answers are fragile."""
    certified = analysis.facts["status"].get("ok", 0)
    what = "place" if analysis.scores else "decision"
    if analysis.k == 0:
        return (
            "With k = 0 there is no protection: one bribed reporter may decide any close call."
            if certified
            else _NO_REPORTS
        )
    if certified == 0:
        return f"No {what} is certified: each could have been decided by {analysis.bribed}."
    changeable = int(analysis.items["changeable"].sum())
    which = f"{changeable:,} of {count(certified, what)}" if changeable else f"No certified {what}"
    return f"{which} could have been changed by {analysis.bribed}."


def stated(analysis: Analysis, query: DataQuery) -> list[str]:
    """Return what the user has stated, where reports contradict it, and what those who said nothing could have done."""
    sentences = []
    if query.asked:
        sentences.append(
            f"By your statement (asked: {shown(query.asked, _MAX_LENGTH)}) honest reporters answer whatever they are "
            "given, so that who is silent counts as bribed."
        )
    if analysis.scores and analysis.answers.better == "low":
        sentences.append("By your statement the lowest score is the best: the first place is that of the lowest score.")
    if analysis.has_parts and analysis.k:
        sentences.append(
            f"Ranges and places are for bribed reporters who may be others on each {analysis.bribed_on_each}: the same "
            f"ones on all of them cannot move a score further, but perhaps not as far."
        )
    if sets := analysis.facts.get("sets"):
        sentences += describe_sets(sets, protected=analysis.k > 0)
    if silent := analysis.facts.get("changeable_by_silent"):
        sentences.append(f"On {count(silent, 'item')} reporters who said nothing could have overturned the decision.")
    if contradictions := analysis.facts.get("contradictions"):
        sentences.append(f"{describe_contradictions(contradictions['count'], contradictions['first'])}.")
    return sentences


def key_numbers(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the key numbers: pairs of label and value."""
    summary = analysis.facts
    certified = summary["status"].get("ok", 0)
    numbers = [
        ("items", f"{summary['items']:,}"),
        ("judges" if analysis.scores else "reporters", f"{summary['reporters']:,}"),
    ]
    if analysis.k:
        changeable = int(analysis.items["changeable"].sum())
        numbers.append(("places not safe" if analysis.scores else "not safe", f"{changeable:,} of {certified:,}"))
    if not analysis.scores:
        numbers.append(("ties", f"{summary['ties']:,}"))
    return [*numbers, ("not certified", f"{summary['items'] - certified:,}")]


def what_changes(analysis: Analysis, total: int) -> str:
    """Return a sentence on the answers that differ from those with k = 0, and how many scores differ."""
    if analysis.scores:
        what = "place or rounded score" if analysis.rounded else "place"
        lost = bool((analysis.result["status"] != "ok").any())
        sentence = (
            f"{count(total, 'item')} {'have' if total > 1 else 'has'} a different {what} than without protection"
            f"{', or none' * lost}."
            if total
            else f"Every {what} is the same as without protection."
        )
        differ = int((analysis.result["estimate"] != analysis.items["before"]).sum())
        certified = analysis.facts["status"].get("ok", 0)
        return f"{sentence} {differ:,} of {count(certified, 'score')} {'differs' if differ == 1 else 'differ'}."
    if total == 0:
        return "A decision is the most frequent report, for any k; every decision is still certified."
    return (
        f"A decision is the most frequent report, for any k. With this k {total:,} of them "
        f"{'are' if total > 1 else 'is'} no longer certified: there are too few reports."
    )


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
