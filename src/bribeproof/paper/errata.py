"""Render the findings on the claims of the paper as a Markdown page."""

from collections.abc import Iterator, Sequence

from bribeproof._text import count
from bribeproof.paper.claims.framework import TOLERANCE, Finding, Verdict
from bribeproof.paper.plain_words import PLAIN_WORDS

_HEAD = """\
# The source paper, checked

This page says which claims of the source paper are right, which are not, and what is right instead. The paper is Guo
and Kong, *Robust Aggregation with Adversarial Experts* (WWW 2025). Of {claims} claims
{holds} hold, {conditional} need a condition that the paper omits, and {false} are false as stated, some only by a
misprint. The library uses the corrected statements.

*Holds* means that no instance contradicted the claim, *needs a condition* that none did where the condition is met. The
proofs are in [theory](../theory.md). A verdict with a link leads to a counterexample and the exact statement.

{plain}

The paper calls the trimmed mean truncated, and one of its two reports H. There are n reporters, k of them adversarial;
γ = k/n and N = n − k. μ is the probability of state 1 (prior), and π = min(μ, 1 − μ). a and b are the probabilities of
the report H given state 1 (tpr) and state 0 (fpr); e = μ(1 − a) + (1 − μ)b. q are the accuracies with m states, and q′
what adversaries leave of them. Regret is the loss beyond that of a benchmark, which sees the truthful reports. S is the
sensitivity of the benchmark to k changed reports, B its largest loss.

## How the claims were checked

Each claim, in our words, is compared with exact solvers that know none of the paper's closed forms: the exact worst
case of a rule, the least regret of all rules between two certified bounds, and programs over all histograms of reports.
A deviation is the distance of a statement from the exact truth, in units of the loss for a statement about a loss; up
to {tolerance:g} it is rounding. This page is written by

    bribeproof paper check {options}--errata docs/theory/errata.md

and `bribeproof paper check --claim NAME --cases 1000` tests one claim on more instances.
"""


def render_errata(findings: Sequence[Finding], cases: int, seed: int) -> str:
    """Render findings as a Markdown page: all claims in plain words, and a section for each that is not right.

    Parameters
    ----------
    findings : sequence of Finding
        The result of `check_claims`.
    cases, seed : int
        The arguments of `check_claims`, for the command that repeats the page.

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> from bribeproof.paper import check_claims, find_claims
    >>> page = render_errata(check_claims(find_claims(["hard-loss"]), cases=1), cases=1, seed=0)
    >>> page.splitlines()[-1]
    'Checked on 4 instances. Largest deviation: 1 as stated, under 1e-06 as corrected (4 instances).'
    """
    verdicts = {verdict: sum(finding.verdict is verdict for finding in findings) for verdict in Verdict}
    options = f"--cases {cases} --seed {seed} "
    head = _HEAD.format(
        claims=len(findings),
        holds=verdicts[Verdict.HOLDS],
        conditional=verdicts[Verdict.CONDITIONAL],
        false=verdicts[Verdict.FALSE],
        options=options,
        plain="\n".join(_plain_table(findings)),
        tolerance=TOLERANCE,
    )
    wrong = [finding for finding in findings if finding.counter_example is not None]
    more = [finding for finding in findings if finding.counter_example is None and finding.claim.correction]
    lines = [head, *_table(findings)]
    if more:
        lines.append(f"\nStronger statements than {len(more)} of the claims that hold:\n")
        lines += [f"- {finding.claim.name}: {finding.claim.correction}" for finding in more]
    if wrong:
        lines.append("\n## The claims that are not right as stated")
    return "\n".join([*lines, *(line for finding in wrong for line in _section(finding))]) + "\n"


def format_numbers(finding: Finding) -> str:
    """Return the numbers that were compared on the counterexample, in one line.

    Examples
    --------
    >>> from bribeproof.paper import check_claims, find_claims
    >>> format_numbers(*check_claims(find_claims(["hard-loss"]), cases=1))
    'decision = 0, state = 0: printed loss 1, absolute and squared loss 0'
    """
    if finding.counter_example is None:
        return ""
    numbers = ", ".join(f"{name} {value:.6g}" for name, value in finding.counter_example.result.numbers.items())
    return f"{finding.counter_example.instance}: {numbers}"


def format_deviation(value: float, cases: int) -> str:
    """Return a deviation as text, without rounding errors of the solvers, which differ between machines.

    Examples
    --------
    >>> format_deviation(0.25, cases=3), format_deviation(2e-9, cases=3), format_deviation(0.0, cases=0)
    ('0.25', 'under 1e-06', '')
    """
    if not cases:
        return ""
    return f"{value:.3g}" if value > TOLERANCE else f"under {TOLERANCE:g}"


def _plain_table(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of a table of the claims in plain words, with what is right instead."""
    yield "| the paper claims | verdict | right |"
    yield "|---|---|---|"
    for finding in findings:
        words, verdict = PLAIN_WORDS[finding.claim.name], finding.verdict.value
        linked = verdict if finding.counter_example is None else f"[{verdict}](#{finding.claim.name})"
        yield f"| {words.claim} | {linked} | {words.right or 'as stated'} |"


def _table(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of a table of what was measured, with one row for each claim."""
    yield "| claim | where | verdict | instances | deviation as stated | as corrected |"
    yield "|---|---|---|---|---|---|"
    for finding in findings:
        name = finding.claim.name
        cells = (
            name if finding.counter_example is None else f"[{name}](#{name})",
            finding.claim.source,
            finding.verdict.value,
            str(finding.applicable),
            format_deviation(finding.stated_worst, finding.applicable),
            format_deviation(finding.corrected_worst, finding.corrected_cases),
        )
        yield f"| {' | '.join(cells)} |"


def _section(finding: Finding) -> Iterator[str]:
    """Yield the lines of a section: the statement, a counterexample, the correction, and how they were checked."""
    claim = finding.claim
    yield f"\n### {claim.name}\n"
    yield f"*{claim.source[0].upper()}{claim.source[1:]}: {finding.verdict.value}.*\n"
    yield f"**Stated.** {claim.statement}\n"
    yield f"**Counterexample.** {format_numbers(finding)}.\n"
    if claim.condition:
        yield f"**Missing condition.** {claim.condition}.\n"
    if claim.correction:
        yield f"**Corrected.** {claim.correction}\n"
    as_corrected = ""
    if finding.corrected_cases:
        corrected = format_deviation(finding.corrected_worst, finding.corrected_cases)
        as_corrected = f", {corrected} as corrected ({_instances(finding.corrected_cases)})"
    stated = format_deviation(finding.stated_worst, finding.applicable)
    yield f"Checked on {_instances(finding.applicable)}. Largest deviation: {stated} as stated{as_corrected}."


def _instances(number: int) -> str:
    """Return a number of instances as text."""
    return count(number, "instance")
