"""Print the findings of ``bribeproof paper check``."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.tables import console
from bribeproof.paper.errata import format_deviation, format_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.paper import Finding


def show_findings(findings: "Sequence[Finding]") -> None:
    """Print a table of the claims, and a counter-example to each that is wrong as stated."""
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("claim", "verdict"):
        table.add_column(name, no_wrap=True)
    for name in ("cases", "as stated", "as corrected"):
        table.add_column(name, justify="right")
    for finding in findings:
        table.add_row(
            Text(finding.claim.name),
            Text(finding.verdict.value),
            str(finding.applicable),
            format_deviation(finding.stated_worst, finding.applicable),
            format_deviation(finding.corrected_worst, finding.corrected_cases),
        )
    out.print(table)
    wrong = [finding for finding in findings if finding.counter_example is not None]
    if wrong:
        out.print(Text("\nCounter-examples to the claims as stated:", style="bold"))
    for finding in wrong:
        line = Text.assemble((finding.claim.name, "bold"), f" {format_numbers(finding)}")
        out.print(line, soft_wrap=not out.is_terminal)
