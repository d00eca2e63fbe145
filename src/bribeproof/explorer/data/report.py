"""The printable report of an uploaded file, as ``bribeproof report`` writes it."""

from typing import Any

from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.io.read import Table
from bribeproof.reporting.document import Report
from bribeproof.reporting.material import FileFacts, Origin
from bribeproof.reporting.report import report_from, stated_only

_SECONDS = 2.0
"""How long the page searches for one list of reporters."""


def report(table: Table, upload: Upload, query: DataQuery, k: int | None, **truth: Any) -> Report:
    """Return the report of an uploaded file.

    Parameters
    ----------
    table
        The table that was read.
    upload
        The uploaded file.
    query
        How it is read and aggregated.
    k
        How many may be bribed; None where nobody said it and one is taken.
    **truth
        The truth of some items, as `bribeproof.report` takes it: ``truth`` and ``truth_column``; and as ``shown`` how
        these are written in the command and in Python.
    """
    read = stated_only(query.read_options)
    origin = Origin((FileFacts.of(upload.path, upload.name),), (upload.name,), read)
    return report_from(table, origin, k, time_limit=_SECONDS, **query.options, **truth)
