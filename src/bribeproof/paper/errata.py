"""The findings as a page in Markdown."""

from collections.abc import Iterator, Sequence

from bribeproof.paper.claims.framework import TOLERANCE, Finding, Verdict

_HEAD = """\
# The source paper, checked

bribeproof starts from Guo and Kong, *Robust Aggregation with Adversarial Experts* (WWW 2025). Here each of its claims,
in our words, is compared with exact solvers that know none of its closed forms: the exact worst case of a rule, the
least regret of all rules between two certified bounds, and programs over all histograms of reports. Of {claims} claims
{holds} hold, {conditional} need a condition that the paper leaves out, and {false} are false as stated, some by a
misprint alone. What the library computes rests on the corrected statements.

n reporters, k of them adversarial, γ = k/n, N = n − k; μ is the probability of state 1 (prior), a and b are those of
the report H given state 1 (tpr) and state 0 (fpr); e = μ(1 − a) + (1 − μ)b; q are the accuracies with m states.

This page is written by

    bribeproof paper check {options}--errata docs/errata.md

and `bribeproof paper check --claim NAME --cases 1000` tries one claim on more instances. A deviation is the distance of
a statement from the exact truth, in units of the loss where it is about a loss; up to {tolerance:g} it is rounding.
"""


def report(findings: Sequence[Finding], cases: int, seed: int) -> str:
    """Write findings as a page: one table of all claims, and a section for each that is not right as stated.

    Parameters
    ----------
    findings : sequence of Finding
        What `check` found.
    cases, seed : int
        What `check` was given.

    Returns
    -------
    str
        Markdown, with the command that writes it again.

    Examples
    --------
    >>> from bribeproof.paper import check, find_claims
    >>> page = report(check(find_claims(["hard-loss"]), cases=1), cases=1, seed=0)
    >>> page.splitlines()[-1]
    'Checked on 4 instances. Largest deviation: 1 as stated, under 1e-06 as corrected (4 instances).'
    """
    count = {verdict: sum(finding.verdict is verdict for finding in findings) for verdict in Verdict}
    options = f"--cases {cases} --seed {seed} "
    head = _HEAD.format(
        claims=len(findings),
        holds=count[Verdict.HOLDS],
        conditional=count[Verdict.CONDITIONAL],
        false=count[Verdict.FALSE],
        options=options,
        tolerance=TOLERANCE,
    )
    wrong = [finding for finding in findings if finding.counter_example is not None]
    more = [finding for finding in findings if finding.counter_example is None and finding.claim.correction]
    lines = [head, *_table(findings)]
    if more:
        lines.append(f"\nMore is true than {len(more)} of the claims that hold say:\n")
        lines += [f"- {finding.claim.name}: {finding.claim.correction}" for finding in more]
    return "\n".join([*lines, *(line for finding in wrong for line in _section(finding))]) + "\n"


def numbers_of(finding: Finding) -> str:
    """Write what was compared on the counter-example in one line.

    Examples
    --------
    >>> from bribeproof.paper import check, find_claims
    >>> numbers_of(*check(find_claims(["hard-loss"]), cases=1))
    'decision = 0, state = 0: printed loss 1, absolute and squared loss 0'
    """
    if finding.counter_example is None:
        return ""
    found = ", ".join(f"{name} {value:.6g}" for name, value in finding.counter_example.outcome.numbers.items())
    return f"{finding.counter_example.instance}: {found}"


def deviation(value: float, cases: int) -> str:
    """Write a deviation; rounding of the solvers, which differs between machines, is no more than rounding.

    Examples
    --------
    >>> deviation(0.25, cases=3), deviation(2e-9, cases=3), deviation(0.0, cases=0)
    ('0.25', 'under 1e-06', '')
    """
    if not cases:
        return ""
    return f"{value:.3g}" if value > TOLERANCE else f"under {TOLERANCE:g}"


def _table(findings: Sequence[Finding]) -> Iterator[str]:
    """One row for each claim."""
    yield "| claim | where | verdict | instances | deviation as stated | as corrected |"
    yield "|---|---|---|---|---|---|"
    for finding in findings:
        name = finding.claim.name
        cells = (
            name if finding.counter_example is None else f"[{name}](#{name})",
            finding.claim.place,
            finding.verdict.value,
            str(finding.applicable),
            deviation(finding.paper_worst, finding.applicable),
            deviation(finding.corrected_worst, finding.corrected_cases),
        )
        yield f"| {' | '.join(cells)} |"


def _section(finding: Finding) -> Iterator[str]:
    """Say what is stated, what is wrong with it, what is right, and how that was checked."""
    claim = finding.claim
    yield f"\n## {claim.name}\n"
    yield f"*{claim.place[0].upper()}{claim.place[1:]}: {finding.verdict.value}.*\n"
    yield f"**Stated.** {claim.statement}\n"
    yield f"**Wrong.** {numbers_of(finding)}.\n"
    if claim.condition:
        yield f"**Condition left out.** {claim.condition}.\n"
    if claim.correction:
        yield f"**Right.** {claim.correction}\n"
    as_corrected = ""
    if finding.corrected_cases:
        corrected = deviation(finding.corrected_worst, finding.corrected_cases)
        as_corrected = f", {corrected} as corrected ({_instances(finding.corrected_cases)})"
    stated = deviation(finding.paper_worst, finding.applicable)
    yield f"Checked on {_instances(finding.applicable)}. Largest deviation: {stated} as stated{as_corrected}."


def _instances(number: int) -> str:
    return f"{number} instance{'s' * (number != 1)}"
