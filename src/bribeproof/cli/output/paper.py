"""Print the findings of ``bribeproof paper check``."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof.cli.output.tables import console, print_table
from bribeproof.paper.errata import format_deviation, format_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.paper import Finding

_MEANINGS = {
    "cases": "panels on which the claim was tried",
    "as stated, as corrected": "how far the claim is off at most, as printed and with the correction",
}


def show_findings(findings: "Sequence[Finding]") -> None:
    """Print a table of the claims, and a counter-example to each that is wrong as stated."""
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("claim", "verdict"):
        table.add_column(name, no_wrap=True)
    for name in ("cases", "as\nstated", "as\ncorrected"):
        table.add_column(name, justify="right", no_wrap=True)
    for finding in findings:
        table.add_row(
            Text(finding.claim.name),
            Text(finding.verdict.value),
            str(finding.applicable),
            format_deviation(finding.stated_worst, finding.applicable),
            format_deviation(finding.corrected_worst, finding.corrected_cases),
        )
    print_table(out, table, _MEANINGS, least_needed=("cases",), where="all are in --json")
    wrong = [finding for finding in findings if finding.counter_example is not None]
    if wrong:
        out.print(Text("\nCounter-examples to the claims as stated:", style="bold"))
    for finding in wrong:
        line = Text.assemble((finding.claim.name, "bold"), f" {format_numbers(finding)}")
        out.print(line, soft_wrap=not out.is_terminal)
