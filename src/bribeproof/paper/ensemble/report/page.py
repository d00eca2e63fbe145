"""A run of the experiment as a section of a page: the numbers, the paper's statements, and what they teach."""

from collections.abc import Sequence

import polars as pl
from scipy.stats import binom

from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.experiment.pipeline import ExperimentResult
from bribeproof.paper.ensemble.experiment.run import Experiment
from bribeproof.paper.ensemble.report.figures import FIGURES
from bribeproof.paper.ensemble.report.observations import observe, ranges

_RULES = ("optimal (squared)", "trimmed mean", "majority", "mean")


def section(outcome: ExperimentResult, name: str, spent: str) -> str:
    """Write a run as Markdown.

    Parameters
    ----------
    outcome
        What came of it.
    name
        What the images are called; the figures are expected as ``ensemble/<name>-<figure>.svg``.
    spent
        How long it took, and on what, in words.

    Returns
    -------
    str
        A section, from its heading on.
    """
    found, rates = outcome.experiment, outcome.rates
    correlation = (
        "" if found.error_correlation is None else f" Their errors correlate by {found.error_correlation:.2f}."
    )
    accuracy = sum(found.rates["accuracy"].to_list()) / found.models
    parts = [
        f"## {name}",
        f"{found.models} models, {found.images:,} test images; the target is {outcome.target}. {spent}",
        f"On images that it has not seen a model says yes to {rates.expert.tpr:.1%} of the target (with "
        f"{rates.confidence:.0%} confidence at least {rates.known.tpr:.1%}) and to {rates.expert.fpr:.2%} of the "
        f"others (at most {rates.known.fpr:.2%}); {rates.expert.prior:.1%} of the images are of the target. On the "
        f"test images it is right on {accuracy:.1%}, the model trained on everything on {found.benchmark_accuracy:.1%}."
        f"{correlation}",
        "Squared loss; rules know the number of adversaries. The last column is what the optimal rule's never exceeds:",
        _losses(found),
        "\n".join(f"![{figure}](ensemble/{name}-{figure}.svg)" for figure in FIGURES),
        "What the paper says of its figures, here:",
        "\n".join(
            f"- **{'true' if one.holds else 'not so'}**: {one.statement} *({one.evidence})*" for one in observe(found)
        ),
        "What it teaches:",
        "\n".join(f"- {lesson}" for lesson in (_winners(found), _caution(found), _wrong_k(found), _correlation(found))),
    ]
    return "\n\n".join(parts) + "\n"


def replaced(page: str, name: str, text: str) -> str:
    r"""Put a section between its markers in a page.

    Raises
    ------
    ParameterError
        If the page has no such markers.

    Examples
    --------
    >>> print(replaced("a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb", "x", "new"))
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
            f"the page has no place for {name}: put <!-- {name}:begin --> and <!-- {name}:end --> in it"
        )
    return f"{before}{begin}\n{text.strip()}\n{end}{after}"


def _losses(found: Experiment) -> str:
    """Return the table of squared losses."""
    head = ["adversaries", *(f"{rule}, {strategy}" for strategy in ("extreme", "random") for rule in _RULES)]
    lines = [_row([*head, "optimal (squared), worst", "guaranteed"]), "|" + "---|" * (len(head) + 2)]
    sides = {strategy: found.informed(strategy) for strategy in ("extreme", "random", "worst")}
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
    """Return a line of a table."""
    return "| " + " | ".join(cells) + " |"


def _winners(found: Experiment) -> str:
    """Say which rule loses least to how many adversaries."""
    parts = []
    for strategy in ("extreme", "random"):
        rows = found.informed(strategy).filter(pl.col("rule").is_in(_RULES)).sort("adversaries", "squared_loss")
        first = rows.group_by("adversaries", maintain_order=True).first()
        best = dict(first.select("adversaries", "rule").iter_rows())
        named = [
            f"{rule} at {ranges([k for k in best if best[k] == rule], best)}" for rule in dict.fromkeys(best.values())
        ]
        parts.append(f"to {strategy} adversaries {', '.join(named)}")
    return f"**Which rule loses least.** Squared loss, {'; '.join(parts)}."


def _caution(found: Experiment) -> str:
    """Compare what is guaranteed with what happens."""
    ratios = {}
    for strategy in ("extreme", "random", "worst"):
        rows = found.informed(strategy).filter(pl.col("guarantee").is_not_null() & (pl.col("guarantee") > 0))
        shares = (rows["squared_loss"] / rows["guarantee"]).to_list()
        ratios[strategy] = f"{min(shares):.0%} to {max(shares):.0%} ({strategy})"
    return (
        f"**How cautious the guarantee is.** The optimal rule loses {', '.join(ratios.values())} of what is guaranteed."
    )


def _wrong_k(found: Experiment) -> str:
    """Say what half and double the number of adversaries costs."""
    parts = []
    counts = found.table["adversaries"].unique().to_list()
    for count in (count for count in (20, 50, 80) if count in counts):
        rows = found.table.filter(strategy="extreme", rule=_RULES[0], adversaries=count)
        losses = dict(rows.select("assumed_k", "squared_loss").iter_rows())
        guesses = {"half": count // 2, "true": count, "double": 2 * count}
        said = [f"{losses[k]:.4f} ({name})" for name, k in guesses.items() if k in losses]
        parts.append(f"with {count} adversaries {', '.join(said)}")
    return f"**What a wrong k costs.** The optimal rule's squared loss against extreme adversaries: {'; '.join(parts)}."


def _correlation(found: Experiment) -> str:
    """Say what the same models would be worth if they erred independently."""
    expert, n = found.expert, found.models
    misses, false_alarms = (
        float(binom.cdf((n - 1) // 2, n, expert.tpr)), float(binom.sf(n // 2, n, expert.fpr))
    )  # fmt: skip
    independent = expert.prior * misses + (1 - expert.prior) * false_alarms
    measured = 1 - found.informed("extreme").filter(rule="majority", adversaries=0)["accuracy"][0]
    return (
        f"**What correlation does.** With nobody bribed the majority errs on {measured:.2%} of the images; if models "
        f"with these rates erred independently it would be {independent:.2%}. The guarantee assumes nothing of "
        f"the kind."
    )
