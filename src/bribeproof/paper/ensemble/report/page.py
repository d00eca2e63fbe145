"""Render a run of the experiment as a section of a page: numbers, statements of the paper, and lessons."""

from collections.abc import Sequence

import polars as pl
from scipy.stats import binom

from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.experiment.pipeline import ExperimentResult
from bribeproof.paper.ensemble.experiment.rules import COMPARED, OPTIMAL, PAIRWISE
from bribeproof.paper.ensemble.experiment.run import Experiment
from bribeproof.paper.ensemble.report.figures import FIGURES
from bribeproof.paper.ensemble.report.leads import best_rules, pairwise_lead, tolerated
from bribeproof.paper.ensemble.report.observations import observe
from bribeproof.paper.ensemble.report.ranges import ranges
from bribeproof.paper.ensemble.report.worst_world import Outvoted, outvoted


def render_section(outcome: ExperimentResult, name: str, spent: str) -> str:
    """Render a run as a section in Markdown.

    Parameters
    ----------
    outcome
        The result of the run.
    name
        Name of the set of images; the section links figures at ``ensemble/<name>-<figure>.svg``.
    spent
        A sentence about the time that the run took.

    Returns
    -------
    str
        The section, with its heading.
    """
    experiment, rates = outcome.experiment, outcome.rates
    correlation = (
        ""
        if experiment.error_correlation is None
        else f" Their errors correlate by {experiment.error_correlation:.2f}."
    )
    given_target, given_other = rates.expert.correlations
    accuracy = sum(experiment.rates["accuracy"].to_list()) / experiment.models
    parts = [
        f"## {name}",
        f"{experiment.models} models, {experiment.images:,} test images; the target is {outcome.target}. {spent}",
        f"On images that it has not seen a model says yes to {rates.expert.tpr:.1%} of the target (with "
        f"{rates.confidence:.0%} confidence at least {rates.bounds.tpr:.1%}) and to {rates.expert.fpr:.2%} of the "
        f"others (at most {rates.bounds.fpr:.2%}); {rates.expert.prior:.1%} of the images are of the target. There the "
        f"errors of two models correlate by {given_target:.3f} given the target and by {given_other:.3f} given another "
        f"class: the pairwise rule relies on these. On the test images a model is right on {accuracy:.1%}, the one "
        f"trained on everything on {experiment.benchmark_accuracy:.1%}.{correlation}",
        "Squared loss; rules know the number of adversaries:",
        _losses(experiment),
        "The same against the worst strategy, beside what the two rules with a guarantee promise: on average over all "
        "images, on each of which every model votes. The last column is the least that any monotone rule could lose, "
        "chosen for these very test images.",
        _promises(experiment),
        "\n".join(f"![{shown}](ensemble/{name}-{figure}.svg)" for figure, shown in FIGURES.items()),
        "Statements of the paper about its figures:",
        "\n".join(
            f"- **{'true' if observation.holds else 'false'}**: {observation.statement} *({observation.evidence})*"
            for observation in observe(experiment)
        ),
        "Lessons:",
        "\n".join(
            f"- {lesson}"
            for lesson in (
                _winners(experiment),
                _pairs(experiment),
                _fear(experiment),
                _caution(experiment),
                _wrong_k(experiment),
                _correlation(experiment),
            )
        ),
    ]
    return "\n\n".join(parts) + "\n"


def replace_section(page: str, name: str, text: str) -> str:
    r"""Return a page with a new section between two markers.

    Raises
    ------
    ParameterError
        A page without the markers.

    Examples
    --------
    >>> print(replace_section("a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb", "x", "new"))
    a
    <!-- x:begin -->
    new
    <!-- x:end -->
    b
    """
    before, begin, rest = page.partition(f"<!-- {name}:begin -->")
    _, end, after = rest.partition(f"<!-- {name}:end -->")
    if not begin or not end:
        raise ParameterError(
            f"the page has no markers for {name}: put <!-- {name}:begin --> and <!-- {name}:end --> in it"
        )
    return f"{before}{begin}\n{text.strip()}\n{end}{after}"


def _losses(experiment: Experiment) -> str:
    """Return the table of squared losses to extreme and random adversaries in Markdown."""
    strategies = ("extreme", "random")
    head = ["adversaries", *(f"{rule}, {strategy}" for strategy in strategies for rule in COMPARED)]
    losses = [(strategy, rule, "squared_loss") for strategy in strategies for rule in COMPARED]
    return _table([head, *_rows(experiment, losses)])


def _promises(experiment: Experiment) -> str:
    """Return the table of squared losses to the worst strategy, and of what is promised, in Markdown."""
    promised = (OPTIMAL, PAIRWISE)
    head = ["adversaries", *(f"{rule}, worst" for rule in COMPARED), *(f"{rule}, promised" for rule in promised)]
    columns = [("worst", rule, "squared_loss") for rule in COMPARED]
    rows = _rows(experiment, [*columns, *(("worst", rule, "guarantee") for rule in promised)])
    least = [f"{experiment.hindsight(int(row[0])):.4f}" for row in rows]
    return _table([[*head, "best in hindsight, worst"], *([*row, best] for row, best in zip(rows, least, strict=True))])


def _rows(experiment: Experiment, columns: Sequence[tuple[str, str, str]]) -> list[list[str]]:
    """Return a row for each tenth number of adversaries, with a column for each strategy, rule and measure."""
    cells = {
        (strategy, rule, measure): dict(rows.filter(rule=rule).select("adversaries", measure).iter_rows())
        for strategy, rule, measure in columns
        for rows in [experiment.informed(strategy)]
    }
    counts = experiment.table["adversaries"].unique().sort().to_list()
    return [
        [str(count), *(f"{cells[column][count]:.4f}" for column in columns)]
        for count in counts
        if count % 10 == 0 or count == 95
    ]


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _winners(experiment: Experiment) -> str:
    """Return which rule has the least loss for which numbers of adversaries."""
    parts = []
    for strategy in ("extreme", "random", "worst"):
        best = best_rules(experiment, strategy)
        named = [
            f"{rule} at {ranges([k for k in best if best[k] == rule], best)}" for rule in dict.fromkeys(best.values())
        ]
        parts.append(f"to {strategy} adversaries {', '.join(named)}")
    return f"**Which rule loses least.** Squared loss, {'; '.join(parts)}."


def _pairs(experiment: Experiment) -> str:
    """Return where the pairwise rule loses least of all, and what it promises beside the optimal rule."""
    below = tolerated(experiment)
    parts = [
        f"to {strategy} adversaries {pairwise_lead(experiment, strategy)}"
        for strategy in ("extreme", "random", "worst")
    ]
    lines = {
        rule: dict(experiment.informed("worst").filter(rule=rule).select("adversaries", "guarantee").iter_rows())
        for rule in (OPTIMAL, PAIRWISE)
    }
    shares = [lines[PAIRWISE][k] / lines[OPTIMAL][k] for k in below if lines[OPTIMAL][k] > 0]
    promise = f" It promises {min(shares):.0%} to {max(shares):.0%} of the loss that the optimal rule promises there."
    return (
        f"**What pairs add.** Squared loss of the pairwise rule at the {len(below)} numbers of adversaries below the "
        f"breakdown point ({ranges(below, below)}): {'; '.join(parts)}.{promise if shares else ''}"
    )


def _fear(experiment: Experiment) -> str:
    """Return what the worst world with the same pairs looks like, beside the test images."""
    counts = [k for k in tolerated(experiment) if k and k % 10 == 0]
    shares = {k: outvoted(experiment, k) for k in counts[:: max(1, len(counts) // 4)]}
    feared, real = (
        ", ".join(f"{getattr(found, name):.0%} (with {k})" for k, found in shares.items()) for name in Outvoted._fields
    )
    return (
        f"**What the pairwise rule guards against.** In a worst world with these rates and pairs the adversaries and "
        f"the models that err are a majority on {feared or 'none'} of the target's images; on the test images on "
        f"{real or 'none'}."
    )


def _caution(experiment: Experiment) -> str:
    """Return the losses of the rules with a guarantee as shares of it."""
    parts = []
    for rule in (OPTIMAL, PAIRWISE):
        ratios = []
        for strategy in ("extreme", "random", "worst"):
            rows = experiment.informed(strategy).filter((pl.col("rule") == rule) & (pl.col("guarantee") > 0))
            shares = (rows["squared_loss"] / rows["guarantee"]).to_list()
            ratios.append(f"{min(shares):.0%} to {max(shares):.0%} ({strategy})")
        parts.append(f"{rule} {', '.join(ratios)}")
    return f"**How cautious the guarantees are.** Loss as a share of what is promised: {'; '.join(parts)}."


def _wrong_k(experiment: Experiment) -> str:
    """Return the losses of rules that assume half or double the number of adversaries."""
    parts = []
    counts = experiment.table["adversaries"].unique().to_list()
    for count in (count for count in (20, 50, 80) if count in counts):
        figures = []
        for rule in (OPTIMAL, PAIRWISE):
            rows = experiment.table.filter(strategy="extreme", rule=rule, adversaries=count)
            losses = dict(rows.select("assumed_k", "squared_loss").iter_rows())
            guesses = {"half": count // 2, "true": count, "double": 2 * count}
            figures.append(
                f"{rule} {', '.join(f'{losses[k]:.4f} ({name})' for name, k in guesses.items() if k in losses)}"
            )
        parts.append(f"with {count} adversaries {', '.join(figures)}")
    return f"**What a wrong k costs.** Squared loss against extreme adversaries: {'; '.join(parts)}."


def _correlation(experiment: Experiment) -> str:
    """Return the error of the majority, and what it would be if the same models erred independently."""
    expert, n = experiment.expert, experiment.models
    misses, false_alarms = (
        float(binom.cdf((n - 1) // 2, n, expert.tpr)), float(binom.sf(n // 2, n, expert.fpr))
    )  # fmt: skip
    independent = expert.prior * misses + (1 - expert.prior) * false_alarms
    measured = 1 - experiment.informed("extreme").filter(rule="majority", adversaries=0)["accuracy"][0]
    return (
        f"**What correlation does.** With nobody bribed the majority errs on {measured:.2%} of the images; if models "
        f"with these rates erred independently it would be {independent:.2%}. The guarantee does not assume "
        f"independence."
    )
