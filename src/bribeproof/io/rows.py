"""Read rows that are no file, such as those of a data frame: an export of a labelling tool as a row for each report."""

from __future__ import annotations

import polars as pl

from bribeproof.errors import FileError
from bribeproof.io.csv.reader import blank_to_null
from bribeproof.io.labelling.export import ExportFile
from bribeproof.io.labelling.registry import find_export, may_be_export
from bribeproof.io.limits import NO_CELL_LIMIT, Limits
from bribeproof.io.line_index import LineIndex
from bribeproof.io.read import Table


def read_export_rows(
    frame: pl.DataFrame,
    source: str,
    unit: str = "row (counting from 0)",
    first: int = 0,
    *,
    limits: Limits = NO_CELL_LIMIT,
) -> Table | None:
    """Return the reports of an export of a labelling tool, as `read_table` does of its file; None if it is none.

    Parameters
    ----------
    frame
        The rows of the export.
    source
        What they are called, for messages.
    unit, first
        What its rows are called, and the number of the first one, for messages.
    limits
        The largest table.

    Raises
    ------
    FileError
        If the export holds no report, or one that cannot be read.

    Examples
    --------
    >>> batch = {"HITId": [7, 7], "WorkerId": ["a", "b"], "AssignmentStatus": ["Approved", "Rejected"]}
    >>> table = read_export_rows(pl.DataFrame(batch | {"Answer.mood": ["good", "bad"]}), "the data frame")
    >>> table.frame["Answer.mood"].to_list(), table.locate(1)
    (['good', None], 'row (counting from 0) 1')
    >>> read_export_rows(pl.DataFrame({"task": [7], "worker": ["a"], "label": ["good"]}), "the data frame")
    """
    if not may_be_export(frame.columns):
        return None
    export = find_export(frame, ExportFile(source, unit, limits, is_named=False))
    if export is None:
        return None
    words, numbers = pl.col(pl.Boolean, pl.Categorical, pl.Enum), pl.col(pl.Float32, pl.Float64)
    typed = frame.with_columns(words.cast(pl.String), numbers.fill_nan(None))
    reports, rows = export.convert(blank_to_null(typed), range(first, first + frame.height))
    if not (export.export.questions and reports.height):
        raise FileError(f"{source}: no report in it, so there is nothing to aggregate ({export.notes[0]})")
    places = LineIndex(unit)
    places.extend(rows)
    return Table(reports, source, export.notes, places, export=export.export)
