"""A report on a sheet: one file that opens anywhere, without a network, and can be printed."""

from bribeproof import __version__
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.context import found
from bribeproof.explorer.data.query import SHOWN, DataQuery
from bribeproof.explorer.rendering import environment
from bribeproof.explorer.uploads import Upload
from bribeproof.io.read import Table
from bribeproof.plots.names import shown

_MOST = 500
"""So many items are in the report; all of them are in the files."""


def report(table: Table, sheet: Upload, outcome: Analysis, asked: DataQuery) -> str:
    """Return a report as HTML with everything in it: no script, no request, styles and pictures inline.

    Parameters
    ----------
    table
        What was read.
    sheet
        The file.
    outcome
        What became of it.
    asked
        What was asked; the choice of items counts, their page does not.
    """
    template = environment().get_template("report.html")
    return template.render(
        name=shown(sheet.name, 60),
        find=shown(asked.find, 60),
        show=SHOWN.get(asked.show, ""),
        version=__version__,
        found=found(table, sheet, outcome, asked.first_page, size=_MOST),
    )
