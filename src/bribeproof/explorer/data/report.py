"""The printable report: one HTML file that needs no network."""

from bribeproof import __version__
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.context import summarise_analysis
from bribeproof.explorer.data.query import ITEM_FILTERS, DataQuery
from bribeproof.explorer.data.worst_bribe import SameReporters
from bribeproof.explorer.rendering import environment
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_MAX_ROWS = 500
"""Largest number of items in a report; the CSV and Parquet downloads hold all."""


def report(table: Table, upload: Upload, analysis: Analysis, same: SameReporters | None, query: DataQuery) -> str:
    """Return a report as one HTML page with inline styles and pictures, without scripts.

    Parameters
    ----------
    table
        The table that was read.
    upload
        The uploaded file.
    analysis, same
        Its answers, and what the same bribed reporters could have done to all of them.
    query
        The settings; the report shows the chosen items from the first page on.
    """
    template = environment().get_template("report.html")
    return template.render(
        name=shown(upload.name, 60),
        find=shown(query.find, 60),
        show=ITEM_FILTERS.get(query.show, ""),
        version=__version__,
        summary=summarise_analysis(table, upload, analysis, same, query.first_page, size=_MAX_ROWS),
    )
