"""What the room's templates name: the form as it was filled in, and what became of the sheet."""

from collections.abc import Sequence
from typing import Any

from bribeproof.aggregation.auto import first_rows
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.figures import pictures
from bribeproof.explorer.data.query import SHOWN, DataQuery, whole
from bribeproof.explorer.data.score_sheet import marks
from bribeproof.explorer.data.snippets import command, python
from bribeproof.explorer.data.table import PAGE, Changes, bribed, changes, view
from bribeproof.explorer.uploads import Upload
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_LONGEST = 40
"""Names in lists to choose from are cut to so many letters."""
_MOST_COLUMNS = 300
"""More columns than this are not for a list to choose from."""
_LINE = 400
_NOTHING = "There is no report in this file."
_CHANGES = 20

_CHOICES = {
    "kind": [("scores", "scores"), ("votes", "votes"), ("labels", "labels")],
    "decimal": [(".", "point: 7.25"), (",", "comma: 7,25")],
    "repeats": [
        ("", "stop and say where"), ("first", "keep the first"), ("last", "keep the last"), ("drop", "count neither"),
    ],
    "sep": [(",", "comma"), (";", "semicolon"), ("tab", "tab"), ("|", "bar")],
    "format": [(name, name.upper()) for name in ("csv", "tsv", "parquet", "ndjson", "json")],
}  # fmt: skip


def controls(
    asked: DataQuery, sheet: Upload, table: Table | None = None, outcome: Analysis | None = None
) -> dict[str, Any]:
    """Return what the form names, as far as the file could be read."""
    columns = [] if table is None else first_rows(table).columns
    where = None if outcome is None else outcome.answers.found.columns
    guessed = {} if where is None else {"item": where.item, "reporter": where.reporter, "value": where.value}
    if where is not None and where.judges:
        guessed |= {"reporter": "", "value": ""}
    listed = [(name, shown(name, _LONGEST)) for name in columns] if len(columns) <= _MOST_COLUMNS else []
    form = {
        "k": asked.k or ("1" if outcome is None else str(outcome.k)),
        "largest": max(1, outcome.largest) if outcome else None,
        "shown": _with(list(SHOWN.items()), asked.show),
        "columns": {
            name: _with([("", _itself(guessed.get(name))), *listed], getattr(asked, name))
            for name in ("item", "reporter", "value")
        },
        "judges": _judges(where.judges) if where is not None and where.judges else "",
        **{name: _with(options, getattr(asked, name)) for name, options in _choices(outcome).items()},
    }
    return {"sheet": sheet, "called": shown(sheet.name, 60), "form": form, "listed": bool(listed)}


def found(table: Table, sheet: Upload, outcome: Analysis, asked: DataQuery, size: int = PAGE) -> dict[str, Any]:
    """Return what became of a sheet, for the page and for the report."""
    number = whole(asked.page, "page", "a page", 1) if asked.page else 1
    items = view(outcome, show=asked.show, find=asked.find, page=number, size=size)
    changed = changes(outcome, _CHANGES) if outcome.k else Changes((), (), 0)
    read_as, *notes = (shown(note, _LINE) for note in outcome.answers.notes[len(table.notes) :])
    return {
        "k": outcome.k,
        "scores": outcome.scores,
        "read_as": read_as.removeprefix("read as "),
        "notes": [*(shown(note, _LINE) for note in table.notes), *notes],
        "headline": headline(outcome),
        "facts": facts(outcome),
        "view": items,
        "changes": changed,
        "what_changes": what_changes(outcome, changed.total),
        "marks": marks(table, outcome, asked, items.places),
        "pictures": pictures(outcome),
        "command": command(sheet.name, asked, outcome.k),
        "python": python(sheet.name, asked, outcome.answers.found, outcome.k),
        "links": {
            "previous": asked.address(page=items.page - 1) if items.page > 1 else None,
            "next": asked.address(page=items.page + 1) if items.page < items.pages else None,
            "changed": asked.address(show="changed", page="", find=""),
            "attack": asked.address("/attack", k="", find="", show="", page="", decimal="", round=""),
            **{name: asked.address(f"/data/{name}", k=outcome.k) for name in _FILES},
        },
    }


_FILES = ("result.csv", "result.parquet", "report.html")


def headline(outcome: Analysis) -> str:
    """Say in a sentence what an outcome is worth."""
    known = outcome.facts["status"].get("ok", 0)
    what = "place" if outcome.scores else "decision"
    if outcome.k == 0:
        return "With k = 0 nothing is protected: one bribed reporter may decide any close call." if known else _NOTHING
    if known == 0:
        return f"No {what} is certified: {bribed(outcome.k)} could own every one of them."
    changeable = int(outcome.about["changeable"].sum())
    count = f"{changeable:,} of {known:,} {what}{'s' * (known != 1)}" if changeable else f"No certified {what}"
    return f"{count} could have been changed by {bribed(outcome.k)}."


def facts(outcome: Analysis) -> list[tuple[str, str]]:
    """Return the numbers that stand above the items."""
    known = outcome.facts
    certified = known["status"].get("ok", 0)
    told = [("items", f"{known['items']:,}"), ("judges" if outcome.scores else "reporters", f"{known['reporters']:,}")]
    if outcome.k:
        changeable = int(outcome.about["changeable"].sum())
        told.append(("places not safe" if outcome.scores else "not safe", f"{changeable:,} of {certified:,}"))
    if not outcome.scores:
        told.append(("ties", f"{known['ties']:,}"))
    return [*told, ("not certified", f"{known['items'] - certified:,}")]


def what_changes(outcome: Analysis, total: int) -> str:
    """Say which answers are others than with k = 0."""
    if outcome.scores:
        if total == 0:
            return "Every place is the one that it is without protection."
        return f"{total:,} item{'s have' if total > 1 else ' has'} another place or score than without protection."
    if total == 0:
        return "A decision is what most reported, whatever k is; every one of them is still certified."
    return (
        f"A decision is what most reported, whatever k is. With this k {total:,} of them "
        f"{'are' if total > 1 else 'is'} no longer certified: there are too few reports."
    )


def _itself(guess: str | None) -> str:
    """Say what was found without being told."""
    return f"found by itself: {shown(guess, _LONGEST)}" if guess else "found by itself"


def _judges(judges: Sequence[str]) -> str:
    """Name some judges."""
    names = [shown(name, 20) for name in judges]
    return ", ".join(names if len(names) <= 4 else [*names[:2], "…", names[-1]])


def _choices(outcome: Analysis | None) -> dict[str, list[tuple[str, str]]]:
    """Return the lists to choose from."""
    kind = None if outcome is None else outcome.answers.found.kind
    itself = {"kind": _itself(kind), "decimal": _itself(None), "sep": _itself(None), "format": "by the ending"}
    return {name: ([("", itself[name])] if name in itself else []) + options for name, options in _CHOICES.items()}


def _with(options: list[tuple[str, str]], typed: str) -> list[tuple[str, str]]:
    """Add what was typed to a list, where it is not there: a form shows what was asked."""
    return options if any(typed == value for value, _ in options) else [*options, (typed, shown(typed, _LONGEST))]
