"""``bribeproof read``: say how a file is read."""

from pathlib import Path
from typing import TYPE_CHECKING

from bribeproof.cli.options.converters import Flag
from bribeproof.cli.options.input import ColumnOptions, CriteriaOptions, File, FileOptions, Kind, open_input
from bribeproof.cli.output.files import print_json
from bribeproof.errors import FileError

if TYPE_CHECKING:
    from rich.table import Table

    from bribeproof.cli.options.input import OpenInput

_GUESSED, _PLAIN, _ONE_CRITERION = ColumnOptions(), FileOptions(), CriteriaOptions()
_SHOWN, _MOST_COLUMNS = 3, 40
"""The cells that are shown of each column, and the columns that are shown."""


def read(
    file: File,
    /,
    *,
    kind: Kind | None = None,
    where: ColumnOptions = _GUESSED,
    several: CriteriaOptions = _ONE_CRITERION,
    file_options: FileOptions = _PLAIN,
    save_reading: Path | None = None,
    json: Flag = False,
) -> None:
    """Say how a file is read: its items, its reporters and the rest.

    Parameters
    ----------
    file
        The file to read; - reads standard input, as CSV unless --format is given.
    kind
        Kind of the reports (default: inferred).
    save_reading
        Save it as a file of options, so that --reading FILE reads other files in the same way.
    json
        Print it as JSON.
    """
    from bribeproof.frames.reading.saved import options_of, to_toml

    with open_input(file, file_options, where, kind, criteria=several) as data:
        reading = data.recognised
        if save_reading is not None:
            try:
                save_reading.write_text(to_toml(reading), encoding="utf-8")
            except OSError as error:
                raise FileError(f"{save_reading}: cannot be written ({error.strerror})") from None
            data.note(f"saved the reading in {save_reading}")
        if json:
            others = {other.name: other.role for other in reading.others}
            print_json({"options": options_of(reading), "others": others, "notes": data.notes})
            return
        from bribeproof.cli.output.tables import console, show_notes

        show_notes(data.notes)
        console().print(_columns(data))


def _columns(data: "OpenInput") -> "Table":
    """Lay out the columns of a file, with the role and the first cells of each."""
    from rich.table import Table

    from bribeproof.cli.output.tables import cell
    from bribeproof.frames.reading.from_frame import first_rows
    from bribeproof.frames.reading.words import ROLE_NAMES

    reading = data.recognised
    used = {reading.columns.reporter: "names of reporters", reading.columns.value: "reports"}
    used |= dict.fromkeys(reading.columns.judges, "reports of one reporter")
    used |= dict.fromkeys(reading.turned, "reports on one item")
    used |= dict.fromkeys(reading.items or (reading.columns.item,), "names of items")
    used |= {other.name: f"left out: {ROLE_NAMES[other.role]}" for other in reading.others}
    rows, _ = first_rows(data.original)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("column", "what it holds", "first cells"):
        table.add_column(heading, overflow="fold")
    for name in rows.columns[:_MOST_COLUMNS]:
        cells = ", ".join("" if value is None else str(value) for value in rows[name].head(_SHOWN))
        table.add_row(cell(name), cell(used.get(name, "")), cell(cells))
    if rows.width > _MOST_COLUMNS:
        table.add_row(cell(f"… and {rows.width - _MOST_COLUMNS:,} more"), cell(""), cell(""))
    return table
