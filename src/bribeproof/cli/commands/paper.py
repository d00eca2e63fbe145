"""``bribeproof paper``: check the claims of the source paper, and draw its figures."""

import json as jsonlib
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof.cli.commands.paper_ensemble import ensemble
from bribeproof.cli.documented import DocumentedApp
from bribeproof.cli.options.converters import Flag, Names, Whole
from bribeproof.errors import FileError

if TYPE_CHECKING:
    from bribeproof.paper import Finding

CASES = 60
"""Default number of random instances of each claim."""

Figure = Literal["optimal-aggregators", "regret-by-size", "regret-by-share"]

paper = DocumentedApp(
    name="paper",
    help="Check the claims of the source paper and repeat its experiments.",
)
paper.command(ensemble, sort_key=3)


@paper.command(sort_key=1)
def check(
    *,
    claim: Names = (),
    cases: Whole = CASES,
    seed: Whole = 0,
    errata: Annotated[Path | None, Parameter(name=["--errata", "-o"])] = None,
    json: Flag = False,
) -> None:
    """Check every claim of the paper against exact solvers.

    Parameters
    ----------
    claim
        Check only the claims with these names: A,B,C.
    cases
        Number of random instances for each claim, besides the known ones.
    seed
        Seed of the random instances.
    errata
        Write the findings to this file, as Markdown.
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
    from bribeproof.cli.output.paper import show_findings

    show_findings(findings)


@paper.command(sort_key=2)
def figure(
    name: Figure,
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
) -> None:
    """Draw a figure of the paper.

    Parameters
    ----------
    name
        Name of the figure.
    output
        The file to draw into, such as figure.svg or figure.png.
    """
    from bribeproof.cli.output.progress import progress
    from bribeproof.paper.figures.drawing import draw_figure

    with progress(f"Drawing {name}"):
        draw_figure(name, output)


def describe(finding: "Finding") -> dict[str, Any]:
    """Return a finding as a dictionary for JSON."""
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
