"""Open a file, or take a frame, and recognise how it is read, from options and from a reading that was kept."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof._text import list_names
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.native import column_names, open_frame, to_polars
from bribeproof.frames.out_of_core import LargeTable, scan_table
from bribeproof.frames.reading.from_frame import first_rows, recognise_frame
from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.prepare import prepare
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.saved import load_reading, options_of
from bribeproof.frames.reading.stated import NAMES, Stated
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.io.formats import file_format
from bribeproof.io.labelling.export import ExportFile
from bribeproof.io.labelling.registry import find_export, may_be_export
from bribeproof.io.read import Table
from bribeproof.io.rows import read_export_rows

_FORMS = (("reporter", "value"), ("judges", "not_items"), ("turned",))
"""The options of the long, the wide and the turned form."""


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A file or a frame, and how it is read.

    Attributes
    ----------
    table
        The table as it stands.
    recognised
        How it is read.
    notes
        How it was read, one sentence each.
    missing
        Values that stand for no report.
    is_file
        Whether it is a file.
    given
        The frame that was given; None of a file.
    """

    table: Any
    recognised: Reading
    notes: tuple[str, ...]
    missing: Sequence[object]
    is_file: bool
    given: Any = None

    @property
    def prepared(self) -> Any:
        """The table in the form that its reading names."""
        return prepare(self.table, self.recognised)

    def returned(self, results: Any) -> Any:
        """Return a table of results as a frame of the kind that was given; polars of a file."""
        if self.given is self.table:
            return results
        rows = to_polars(results)
        return rows if self.is_file else open_frame(self.given, ()).to_native(nw.from_native(rows.lazy()), {})


@contextmanager
def open_read(
    frame: Any,
    given: Mapping[str, Any],
    reading: Reading | str | PathLike[str] | None = None,
    *,
    implied: Kind | None = None,
    other: Mapping[str, Role] | None = None,
) -> Iterator[ReadTable]:
    """Open a file, or take a frame, and recognise how it is read.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind.
    given
        The options of `recognise`, None or empty where nothing is given.
    reading
        A reading, or the file in which it was saved; its options stand for those that are not given.
    implied
        The kind that other options imply, if none is given.
    other
        Columns that another option names, such as that of the groups of reporters, and their roles.

    Yields
    ------
    ReadTable
        The table and how it is read.
    """
    saved = {} if reading is None else options_of(reading) if isinstance(reading, Reading) else load_reading(reading)
    options = merge_options(given, saved)
    is_file = isinstance(frame, str | PathLike)
    if not is_file and (unused := Stated.of(given).inapplicable(None)):
        raise ParameterError(f"{unused[0]} applies to files only, and a data frame was given: leave it out")
    options, unused_notes = drop_unused(options, given, frame if is_file else None)
    named, stated = split_stated(options)
    named["kind"] = named.get("kind") or implied
    if is_file:
        with scan_table(Path(frame), **stated.file) as table:
            recognised, notes = recognise_frame(table, stated=stated, other=other, **named)
            yield ReadTable(table, recognised, (*notes, *unused_notes), named.get("missing", ()), is_file)
        return
    table = _export_of(frame, is_named="reporter" in named and "value" in named) or frame
    recognised, notes = recognise_frame(table, stated=stated, other=other, **named)
    yield ReadTable(table, recognised, (*notes, *unused_notes), named.get("missing", ()), is_file, frame)


def _export_of(frame: Any, *, is_named: bool) -> Table | None:
    """Return the reports of a frame that is the export of a labelling tool; None of any other.

    Raises
    ------
    DataError
        If it is not in memory, and its columns are not named.
    """
    names = [] if isinstance(frame, Table | LargeTable) else column_names(frame)
    if not may_be_export(names):
        return None
    rows, _ = first_rows(frame)
    if open_frame(frame, names[:1]).eager:
        return read_export_rows(rows, "the data frame")
    export = find_export(rows, ExportFile("the data frame"))
    if export is None or is_named:
        return None
    raise DataError(
        f"the frame has the columns of an export of {export.tool}, which is read as one in memory only: collect it, or "
        "give the path of its file; to read it as it stands, name item, reporter and value"
    )


def merge_options(given: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are given, and those of a reading for the others.

    A form that is named by options that are given is not named by others, too.

    Examples
    --------
    >>> merge_options({"kind": None, "judges": ["A"], "missing": ()}, {"kind": "scores", "reporter": "r", "value": "v"})
    {'kind': 'scores', 'judges': ['A']}
    """
    options = {name: value for name, value in given.items() if not _is_empty(value)}
    named = [form for form in _FORMS if any(name in options for name in form if name != "not_items")]
    other = {name for form in _FORMS if named and form not in named for name in form}
    return {name: value for name, value in saved.items() if name not in other} | options


def _is_empty(value: object) -> bool:
    """Return whether nothing is given."""
    return value is None or (isinstance(value, Sequence) and not value)


def split_stated(options: Mapping[str, Any]) -> tuple[dict[str, Any], Stated]:
    """Return the options of `recognise_frame` that are about columns, and what the others state."""
    return {name: value for name, value in options.items() if name not in NAMES}, Stated.of(options)


def drop_unused(
    options: Mapping[str, Any], given: Mapping[str, Any], path: object
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return options without those of a reading that do not apply to a file, or to a frame (None), and a note on them.

    Examples
    --------
    >>> drop_unused({"kind": "scores", "sep": ";"}, {}, "cup.xlsx")
    ({'kind': 'scores'}, ("of the reading, 'sep' does not apply to this file: not used",))
    """
    stated = Stated.of({name: value for name, value in options.items() if _is_empty(given.get(name))})
    form = None if path is None else "csv" if str(path) == "-" else file_format(str(path), options.get("format"))
    unused = stated.inapplicable(form)
    if not unused:
        return dict(options), ()
    do, what = ("does" if len(unused) == 1 else "do"), "a frame" if form is None else "this file"
    note = f"of the reading, {list_names(unused)} {do} not apply to {what}: not used"
    return {name: value for name, value in options.items() if name not in unused}, (note,)
