"""Print the result of ``bribeproof paper ensemble``."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bribeproof._text import printable
from bribeproof.cli.output.tables import cell, console, show_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.paper.ensemble.experiment.pipeline import ExperimentResult
    from bribeproof.paper.ensemble.report.observations import Observation

_SHOWN = ("optimal (squared)", "trimmed mean", "majority", "mean")


def show_ensemble(outcome: "ExperimentResult", seen: "Sequence[Observation]", notes: list[str]) -> None:
    """Print the models, the losses under extreme adversaries, and which of the paper's observations hold."""
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
    out.print(Text(printable(said)), soft_wrap=not out.is_terminal)
    out.print()
    table = Table(
        box=None, pad_edge=False, header_style="bold", title="Squared loss, extreme adversaries", title_justify="left"
    )
    for name in ("adversaries", *_SHOWN, "guaranteed"):
        table.add_column(name, justify="right")
    for (count,), rows in found.informed("extreme").group_by("adversaries", maintain_order=True):
        losses = dict(rows.select("rule", "squared_loss").iter_rows())
        guarantee = rows.filter(rule=_SHOWN[0])["guarantee"][0]
        table.add_row(str(count), *(cell(losses[name], 4) for name in _SHOWN), cell(guarantee, 4))
    out.print(table)
    out.print(Text("guaranteed: on average over all images, on each of which every model votes"))
    out.print()
    for one in seen:
        verdict = "true" if one.holds else "not so"
        out.print(Text(f"{verdict}: {one.statement} ({one.evidence})"), soft_wrap=not out.is_terminal)
