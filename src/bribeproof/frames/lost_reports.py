"""Reports of assignments that were rejected, in frames as crowdsourcing platforms export them: missing reports."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from bribeproof._text import count
from bribeproof._warnings import note
from bribeproof.frames.native import check_names, collect, column_names, open_frame
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.io.labelling.crowd_batches import MturkReader, TolokaReader
from bribeproof.io.read import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.frames.native import OpenedFrame

_MARKS = ((MturkReader, ("HITId", "WorkerId", "AssignmentStatus")), (TolokaReader, ("ASSIGNMENT:status",)))
"""Platforms, and the columns of which their exports have all."""


def open_counted(frame: Any, columns: Sequence[str], values: Sequence[str]) -> OpenedFrame:
    """Open some columns of a frame; reports that do not count, as `read_table` would find them in a file, are missing.

    Parameters
    ----------
    frame
        A frame of any supported kind, or a table from a file, whose reports were read so already.
    columns
        The columns to open.
    values
        Those that hold reports.

    Raises
    ------
    ColumnError
        As in `check_names`.

    Examples
    --------
    >>> import polars as pl
    >>> batch = {"HITId": [7, 7], "WorkerId": ["a", "b"], "AssignmentStatus": ["Approved", "Rejected"]}
    >>> opened = open_counted(pl.DataFrame(batch | {"vote": [1, 0]}), ["HITId", "WorkerId", "vote"], ["vote"])
    >>> collect(opened.frame)["vote"].to_list()
    [1, None]
    """
    is_read = isinstance(frame, LargeTable) or (isinstance(frame, Table) and frame.export is not None)
    names = () if is_read else column_names(frame)
    reader = next((reader for reader, marks in _MARKS if set(marks) <= set(names)), None)
    opened = open_frame(frame, columns)
    check_names(opened.frame, columns)
    if reader is None:
        return opened
    beside = [name for name in (reader.status, reader.reject) if name in names and name not in columns]
    marked = open_frame(frame, [*columns, *beside])
    lost = nw.col(reader.status).cast(nw.String).str.strip_chars().str.to_lowercase().is_in(reader.lost)
    if reader.reject in beside:
        lost = lost | (nw.col(reader.reject).cast(nw.String).fill_null("").str.strip_chars() != "")
    number = int(collect(marked.frame.select(lost.fill_null(value=False).cast(nw.Int64).sum().alias("lost"))).item())
    if not number:
        return opened
    note(f"not counted, as in the export of {reader.tool}: {count(number, 'report')} of rejected assignments")
    return replace(marked, frame=marked.frame.with_columns(nw.when(~lost).then(nw.col(*values))).drop(beside))
