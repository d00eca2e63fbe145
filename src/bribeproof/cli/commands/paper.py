"""``bribeproof paper``: the claims of the source paper put to the test, and its figures."""

import json as jsonlib
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cyclopts
from cyclopts import Parameter

from bribeproof.cli.commands.paper_ensemble import ensemble
from bribeproof.cli.options.converters import Flag, Names, Whole
from bribeproof.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.paper import Finding

CASES = 60
"""Random instances of each claim, unless said otherwise."""

paper = cyclopts.App(
    name="paper", help="Check the claims of the source paper, draw its figures, repeat its experiment."
)
paper.command(ensemble)


@paper.command
def check(
    *,
    claim: Names = (),
    cases: Whole = CASES,
    seed: Whole = 0,
    errata: Annotated[Path | None, Parameter(name=["--errata", "-o"])] = None,
    json: Flag = False,
) -> None:
    """Put every claim of the paper to the test against exact solvers.

    Parameters
    ----------
    claim
        Only the claims of these names: A,B,C.
    cases
        Random instances for each claim, beside the known ones.
    seed
        Seed of the instances.
    errata
        Write the findings here, as a page in Markdown.
    json
        Print as JSON.
    """
    from bribeproof.cli.options.converters import parse_names
    from bribeproof.cli.output.progress import progress
    from bribeproof.io.atomic import write_whole
    from bribeproof.paper import check_claims, count_instances, find_claims
    from bribeproof.paper.errata import render_errata

    claims = find_claims(parse_names(claim))
    if errata is not None and not errata.parent.is_dir():
        raise FileError(f"--errata {errata}: there is no folder {errata.parent}")
    steps, total = count(1), count_instances(claims, cases)
    with progress("Checking claims") as tell:
        findings = check_claims(claims, cases, seed, lambda: tell("Checking claims", next(steps) / total))
    if errata is not None:
        page = render_errata(findings, cases, seed).encode()
        write_whole(errata, lambda file: file.write(page))
    if json:
        jsonlib.dump([describe(finding) for finding in findings], sys.stdout, indent=2, allow_nan=False)
        sys.stdout.write("\n")
        return
    show(findings)


@paper.command
def figure(
    name: str,
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
) -> None:
    """Draw a figure of the paper.

    Parameters
    ----------
    name
        The name of the figure; a wrong one lists them all.
    output
        The file, such as figure.svg or figure.png; its ending chooses the format.
    """
    from bribeproof.cli.output.progress import progress
    from bribeproof.paper.figures.drawing import draw_figure

    with progress(f"Drawing {name}"):
        draw_figure(name, output)


def describe(finding: "Finding") -> dict[str, Any]:
    """Return a finding as plain data."""
    claim, example = finding.claim, finding.counter_example
    return {
        "claim": claim.name,
        "place": claim.source,
        "statement": claim.statement,
        "verdict": finding.verdict.value,
        "condition": claim.condition or None,
        "correction": claim.correction or None,
        "cases": finding.cases,
        "applicable": finding.applicable,
        "paper_worst": finding.stated_worst,
        "corrected_cases": finding.corrected_cases,
        "corrected_worst": finding.corrected_worst,
        "counter_example": None
        if example is None
        else {
            "instance": example.instance.numbers(),
            "numbers": dict(example.result.numbers),
            "deviation": example.result.stated,
        },
    }


def show(findings: "Sequence[Finding]") -> None:
    """Print a table of the claims, and below it a counter-example to each that is wrong as stated."""
    from rich.table import Table
    from rich.text import Text

    from bribeproof.cli.output.tables import console
    from bribeproof.paper.errata import format_deviation, format_numbers

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
        out.print(Text("\nCounter-examples to what is stated:", style="bold"))
    for finding in wrong:
        line = Text.assemble((finding.claim.name, "bold"), f" {format_numbers(finding)}")
        out.print(line, soft_wrap=not out.is_terminal)
