"""Render a run of the experiment as a section of a page: numbers, statements of the paper, and lessons."""

from collections.abc import Sequence

import polars as pl
from scipy.stats import binom

from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.experiment.pipeline import ExperimentResult
from bribeproof.paper.ensemble.experiment.run import Experiment
from bribeproof.paper.ensemble.report.figures import FIGURES
from bribeproof.paper.ensemble.report.observations import observe, ranges

_RULES = ("optimal (squared)", "trimmed mean", "majority", "mean")


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
    accuracy = sum(experiment.rates["accuracy"].to_list()) / experiment.models
    parts = [
        f"## {name}",
        f"{experiment.models} models, {experiment.images:,} test images; the target is {outcome.target}. {spent}",
        f"On images that it has not seen a model says yes to {rates.expert.tpr:.1%} of the target (with "
        f"{rates.confidence:.0%} confidence at least {rates.bounds.tpr:.1%}) and to {rates.expert.fpr:.2%} of the "
        f"others (at most {rates.bounds.fpr:.2%}); {rates.expert.prior:.1%} of the images are of the target. On the "
        f"test images it is right on {accuracy:.1%}, the model trained on everything on "
        f"{experiment.benchmark_accuracy:.1%}."
        f"{correlation}",
        "Squared loss; rules know the number of adversaries. The last column is the guarantee of the optimal rule, on "
        "average over all images, on each of which every model votes:",
        _losses(experiment),
        "\n".join(f"![{figure}](ensemble/{name}-{figure}.svg)" for figure in FIGURES),
        "Statements of the paper about its figures:",
        "\n".join(
            f"- **{'true' if observation.holds else 'false'}**: {observation.statement} *({observation.evidence})*"
            for observation in observe(experiment)
        ),
        "Lessons:",
        "\n".join(
            f"- {lesson}"
            for lesson in (_winners(experiment), _caution(experiment), _wrong_k(experiment), _correlation(experiment))
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
    """Return the table of squared losses in Markdown."""
    head = ["adversaries", *(f"{rule}, {strategy}" for strategy in ("extreme", "random") for rule in _RULES)]
    lines = [_row([*head, "optimal (squared), worst", "guaranteed"]), "|" + "---|" * (len(head) + 2)]
    sides = {strategy: experiment.informed(strategy) for strategy in ("extreme", "random", "worst")}
    for count in sides["extreme"]["adversaries"].unique(maintain_order=True).to_list():
        if count % 10 == 0 or count == 95:
            here = {name: dict(rows.filter(adversaries=count).select("rule", "squared_loss").iter_rows())
                    for name, rows in sides.items()}  # fmt: skip
            losses = [here[strategy][rule] for strategy in ("extreme", "random") for rule in _RULES]
            guarantee = sides["extreme"].filter(adversaries=count, rule=_RULES[0])["guarantee"][0]
            lines.append(
                _row([str(count), *(f"{loss:.4f}" for loss in (*losses, here["worst"][_RULES[0]], guarantee))])
            )
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return "| " + " | ".join(cells) + " |"


def _winners(experiment: Experiment) -> str:
    """Return which rule has the least loss for which numbers of adversaries."""
    parts = []
    for strategy in ("extreme", "random"):
        rows = experiment.informed(strategy).filter(pl.col("rule").is_in(_RULES)).sort("adversaries", "squared_loss")
        first = rows.group_by("adversaries", maintain_order=True).first()
        best = dict(first.select("adversaries", "rule").iter_rows())
        named = [
            f"{rule} at {ranges([k for k in best if best[k] == rule], best)}" for rule in dict.fromkeys(best.values())
        ]
        parts.append(f"to {strategy} adversaries {', '.join(named)}")
    return f"**Which rule loses least.** Squared loss, {'; '.join(parts)}."


def _caution(experiment: Experiment) -> str:
    """Return the losses of the optimal rule as shares of its guarantee."""
    ratios = {}
    for strategy in ("extreme", "random", "worst"):
        rows = experiment.informed(strategy).filter(pl.col("guarantee").is_not_null() & (pl.col("guarantee") > 0))
        shares = (rows["squared_loss"] / rows["guarantee"]).to_list()
        ratios[strategy] = f"{min(shares):.0%} to {max(shares):.0%} ({strategy})"
    return (
        f"**How cautious the guarantee is.** The optimal rule loses {', '.join(ratios.values())} of what is guaranteed."
    )


def _wrong_k(experiment: Experiment) -> str:
    """Return the losses of rules that assume half or double the number of adversaries."""
    parts = []
    counts = experiment.table["adversaries"].unique().to_list()
    for count in (count for count in (20, 50, 80) if count in counts):
        rows = experiment.table.filter(strategy="extreme", rule=_RULES[0], adversaries=count)
        losses = dict(rows.select("assumed_k", "squared_loss").iter_rows())
        guesses = {"half": count // 2, "true": count, "double": 2 * count}
        figures = [f"{losses[k]:.4f} ({name})" for name, k in guesses.items() if k in losses]
        parts.append(f"with {count} adversaries {', '.join(figures)}")
    return f"**What a wrong k costs.** The optimal rule's squared loss against extreme adversaries: {'; '.join(parts)}."


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
