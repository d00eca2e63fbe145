"""``bribeproof read``: say how a file is read."""

from pathlib import Path
from typing import TYPE_CHECKING

from bribeproof.cli.options.common import Json, KindIfStated
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, open_input
from bribeproof.cli.options.values import CriteriaOptions, ScoreOptions, TotalOptions
from bribeproof.cli.output.files import print_json
from bribeproof.errors import FileError

if TYPE_CHECKING:
    from rich.table import Table

    from bribeproof.cli.options.input import OpenInput

_GUESSED, _PLAIN, _ONE_CRITERION = ColumnOptions(), FileOptions(), CriteriaOptions()
_PLAIN_SCORES, _NO_TOTAL = ScoreOptions(), TotalOptions()
_SHOWN, _MOST_COLUMNS, _NAMED = 3, 40, 20
"""The cells that are shown of each column, and the columns and the names that are shown."""


def read(
    file: File,
    /,
    *more: File,
    kind: KindIfStated = None,
    where: ColumnOptions = _GUESSED,
    several: CriteriaOptions = _ONE_CRITERION,
    scores: ScoreOptions = _PLAIN_SCORES,
    after: TotalOptions = _NO_TOTAL,
    file_options: FileOptions = _PLAIN,
    save_reading: Path | None = None,
    json: Json = False,
) -> None:
    """Say how a file is read: its items, its reporters and the rest.

    Parameters
    ----------
    file
        The file to read; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    kind
        Kind of the reports (default: inferred).
    save_reading
        Save it as a file of options, so that --reading FILE reads other files in the same way.
    json
        Print it as JSON.
    """
    from bribeproof.frames.reading.saved import options_of, to_toml

    with open_input(
        (file, *more), file_options, where, kind, criteria=several, scores=scores.given, after=after
    ) as data:
        reading = data.recognised
        if save_reading is not None:
            try:
                save_reading.write_text(to_toml(reading), encoding="utf-8")
            except OSError as error:
                raise FileError(f"{save_reading}: cannot be written ({error.strerror})") from None
            data.note(f"saved the reading in {save_reading}")
        if json:
            facts = {"reporters": reporters} if (reporters := _reporters(data)) else {}
            print_json({"options": options_of(reading)} | reading.facts() | facts | {"notes": data.notes})
            return
        from bribeproof.cli.output.tables import console, show_notes

        show_notes(data.notes)
        console().print(_columns(data))
        console().print()
        console().print(_rest(data))


def _reporters(data: "OpenInput") -> list[str]:
    """Return the reporters in the column that names them; none of a table that is too large to look at or wide."""
    from bribeproof.io.read import Table as WholeTable

    column = data.recognised.columns.reporter
    if not column or not isinstance(data.original, WholeTable):
        return []
    return [str(name) for name in data.original.frame[column].drop_nulls().unique(maintain_order=True)]


def _rest(data: "OpenInput") -> "Table":
    """Lay out what the columns do not tell."""
    from rich.table import Table

    from bribeproof._text import format_words, list_names
    from bribeproof.aggregation.total_rule import TotalRule
    from bribeproof.cli.output.tables import cell

    reading, reporters = data.recognised, _reporters(data)
    direction = {"high": "the highest is the best", "low": "the lowest is the best"}.get(
        reading.direction or "", "not stated: the highest is the best, unless in doubt"
    )
    told = {
        "reporters": f"{len(reporters):,}: {list_names(reporters, most=_NAMED)}" if reporters else "",
        "direction": direction if reading.kind == "scores" else "",
        "scale": f"{reading.scale[0]:g} to {reading.scale[1]:g}" if reading.scale else "",
        "labels": reading.label_sets.describe() if reading.label_sets else "",
        "criteria": reading.criteria.describe() if reading.criteria else "",
        "result": TotalRule.of(reading.stated).describe(reading.items),
        "no items": f"rows of {list_names(reading.left_out_rows, most=_NAMED)}" if reading.left_out_rows else "",
        "no report": f"besides empty cells: {list_names(reading.missing, most=_NAMED)}" if reading.missing else "",
        "header": f"line {reading.header_line}" if reading.header_line else "",
    }  # fmt: skip
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for what, words in told.items():
        if words:
            table.add_row(cell(what), cell(format_words(words)))
    return table


def _columns(data: "OpenInput") -> "Table":
    """Lay out the columns of a file, with the role and the first cells of each."""
    from rich.table import Table

    from bribeproof._text import format_words
    from bribeproof.cli.output.tables import cell
    from bribeproof.frames.reading.from_frame import first_rows
    from bribeproof.frames.reading.words import ROLE_NAMES

    reading = data.recognised
    used = {reading.columns.reporter: "names of reporters", reading.columns.value: "reports"}
    used |= dict.fromkeys(reading.columns.judges, "reports of one reporter")
    used |= {reading.columns.asked: "number of reporters asked", reading.columns.order: "order of edits"}
    if reading.criteria:
        used |= {name: f"{criterion} of {who}" for name, (who, criterion) in reading.criteria.names.items()}
        used |= {reading.criteria.column: "names of criteria"}
        used |= dict.fromkeys(reading.criteria.values, "scores of one criterion")
    used |= dict.fromkeys(reading.turned, "reports on one item")
    used |= dict.fromkeys(reading.items or (reading.columns.item,), "names of items")
    used |= {other.name: f"left out: {ROLE_NAMES[other.role]}" for other in reading.others}
    rows, _ = first_rows(data.original)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("column", "what it holds", "first cells"):
        table.add_column(heading, overflow="fold")
    for name in rows.columns[:_MOST_COLUMNS]:
        cells = ", ".join("" if value is None else str(value) for value in rows[name].head(_SHOWN))
        table.add_row(cell(name), cell(used.get(name, "")), cell(format_words(cells)))
    if rows.width > _MOST_COLUMNS:
        table.add_row(cell(f"… and {rows.width - _MOST_COLUMNS:,} more"), cell(""), cell(""))
    return table
