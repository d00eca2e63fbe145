"""Find the labelling tool whose export a table is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bribeproof.io.labelling.argilla import ArgillaReader
from bribeproof.io.labelling.crowd_batches import MturkReader, TolokaReader
from bribeproof.io.labelling.cvat import CvatReader
from bribeproof.io.labelling.doccano import DoccanoReader
from bribeproof.io.labelling.label_studio import LabelStudioReader
from bribeproof.io.labelling.label_studio_table import LabelStudioTableReader
from bribeproof.io.labelling.prodigy import ProdigyReader

if TYPE_CHECKING:
    from collections.abc import Collection

    import polars as pl

    from bribeproof.io.labelling.export import ExportFile, ExportReader

_READERS = (
    LabelStudioReader, LabelStudioTableReader, ProdigyReader, ArgillaReader, DoccanoReader, MturkReader, TolokaReader,
    CvatReader,
)  # fmt: skip
"""One reader for each form of export; those with the surest marks first."""


_MARKS = (
    {"annotations"}, {"completions"}, {"annotation_id"}, {"_task_hash"}, {"_input_hash"}, {"responses"},
    {"external_id"}, {"id", "label"}, {"labels", "username"}, {"HITId"}, {"ASSIGNMENT:worker_id"},
)  # fmt: skip
"""Columns of which every export has some: the first look at the names of columns."""


def may_be_export(names: Collection[str]) -> bool:
    """Return whether the table with these columns may be an export, as `find_export` tells.

    Examples
    --------
    >>> may_be_export(["task", "worker", "label"]), may_be_export(["id", "label", "text"])
    (False, True)
    """
    return any(marks <= set(names) for marks in _MARKS) or any(name.endswith(".responses.users") for name in names)


def find_export(frame: pl.DataFrame, file: ExportFile) -> ExportReader | None:
    """Return a reader for the export that a file is; None if it is none.

    Parameters
    ----------
    frame
        The first rows of the file.
    file
        The file.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.io.labelling.export import ExportFile
    >>> batch = pl.DataFrame({"HITId": ["h"], "WorkerId": ["w"], "AssignmentStatus": ["Approved"], "Answer.x": ["cat"]})
    >>> find_export(batch, ExportFile("batch.csv")).convert(batch, [2])[0].width
    4
    >>> find_export(pl.DataFrame({"task": ["t"], "worker": ["w"], "label": ["cat"]}), ExportFile("votes.csv"))
    """
    for reader in _READERS:
        if reader.recognises(frame):
            return reader(file)
    return None
