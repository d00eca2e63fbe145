"""Print what ``bribeproof report`` wrote."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from bribeproof.cli.output.tables import console, show_notes

if TYPE_CHECKING:
    from bribeproof.reporting.document import Report


def show_report(made: "Report", notes: Sequence[str]) -> None:
    """Print the answer of a report: notes on standard error, sentences on standard output."""
    show_notes(notes)
    out = console()
    out.print(Text(made.summary()), soft_wrap=not out.is_terminal)
