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
    import polars as pl

    from bribeproof.io.labelling.export import ExportReader
    from bribeproof.io.limits import Limits

_READERS = (
    LabelStudioReader, LabelStudioTableReader, ProdigyReader, ArgillaReader, DoccanoReader, MturkReader, TolokaReader,
    CvatReader,
)  # fmt: skip
"""One reader for each form of export; those with the surest marks first."""


def find_export(frame: pl.DataFrame, source: str, limits: Limits, *, predictions: bool = False) -> ExportReader | None:
    """Return a reader for the export that a table is; None if it is none.

    Parameters
    ----------
    frame
        The first rows of a file.
    source
        The file, for messages.
    limits
        The largest table.
    predictions
        Whether predictions of models, which some exports hold, are reports of reporters.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.io.limits import NO_CELL_LIMIT
    >>> batch = pl.DataFrame({"HITId": ["h"], "WorkerId": ["w"], "AssignmentStatus": ["Approved"], "Answer.x": ["cat"]})
    >>> find_export(batch, "batch.csv", NO_CELL_LIMIT).convert(batch, [2])[0].width
    4
    >>> find_export(pl.DataFrame({"task": ["t"], "worker": ["w"], "label": ["cat"]}), "votes.csv", NO_CELL_LIMIT)
    """
    for reader in _READERS:
        if reader.recognises(frame):
            return reader(source, limits, predictions=predictions)
    return None
