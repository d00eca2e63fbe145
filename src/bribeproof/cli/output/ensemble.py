"""Print the result of ``bribeproof paper ensemble``."""

from typing import TYPE_CHECKING

from rich.table import Table

from bribeproof._text import printable
from bribeproof.cli.output.tables import cell, console, print_explanation, print_sentences, show_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.paper.ensemble.experiment.pipeline import ExperimentResult
    from bribeproof.paper.ensemble.report.observations import Observation


def show_ensemble(outcome: "ExperimentResult", seen: "Sequence[Observation]", notes: list[str]) -> None:
    """Print the models, the losses under extreme adversaries, and which of the paper's observations hold."""
    from bribeproof.paper.ensemble.experiment.rules import COMPARED, OPTIMAL, PAIRWISE
    from bribeproof.paper.ensemble.report.leads import pairwise_lead, tolerated
    from bribeproof.paper.ensemble.report.ranges import ranges

    show_notes(notes)
    found, expert = outcome.experiment, outcome.rates.expert
    out = console()
    correlation = (
        "" if found.error_correlation is None else f"; their errors correlate by {found.error_correlation:.2f}"
    )
    accuracy = sum(found.rates["accuracy"].to_list()) / found.models
    said = (
        f"{found.models} models, {found.images:,} test images; target: {outcome.target}. Of the training images "
        f"{expert.prior:.1%} are of it; a model that has not seen them says yes to {expert.tpr:.1%} of those and to "
        f"{expert.fpr:.1%} of the others. On the test images it is right on {accuracy:.1%}{correlation}. "
        f"Trained on everything: {found.benchmark_accuracy:.1%}."
    )
    print_sentences(out, printable(said))
    out.print()
    table = Table(
        box=None, pad_edge=False, header_style="bold", title="Squared loss, extreme adversaries", title_justify="left"
    )
    for name in ("adversaries", *COMPARED, "optimal, promised", "pairwise, promised"):
        table.add_column(name, justify="right")
    for (count,), rows in found.informed("extreme").group_by("adversaries", maintain_order=True):
        losses = dict(rows.select("rule", "squared_loss").iter_rows())
        promises = dict(rows.select("rule", "guarantee").iter_rows())
        shown = [*(losses[name] for name in COMPARED), *(promises[name] for name in (OPTIMAL, PAIRWISE))]
        table.add_row(str(count), *(cell(value, 4) for value in shown))
    out.print(table)
    print_explanation(
        out,
        "adversaries: models that lie; promised: on average over all images, on each of which every model votes.",
    )
    out.print()
    below = tolerated(found)
    lead = f"at {ranges(below, below)} adversaries, below the breakdown point, {pairwise_lead(found, 'extreme')}"
    print_sentences(out, f"{PAIRWISE}: {lead}")
    out.print()
    for one in seen:
        verdict = "true" if one.holds else "not so"
        print_sentences(out, f"{verdict}: {one.statement} ({one.evidence})")
