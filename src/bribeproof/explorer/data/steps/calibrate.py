"""The step that says by items with a known truth how reliable the panel is, and what that guarantees."""

from typing import Any

from bribeproof import plots
from bribeproof._text import format_bound
from bribeproof._worth import format_share
from bribeproof.calibration.calibrate import calibrate
from bribeproof.calibration.report import describe_calibration
from bribeproof.calibration.result import Calibration
from bribeproof.calibration.sentences import summarise_calibration
from bribeproof.explorer.data.figures import Picture, draw_picture
from bribeproof.explorer.data.query import READ_GROUPS
from bribeproof.explorer.data.steps.inputs import Inputs
from bribeproof.explorer.data.steps.result import StepResult, first_and_last, table_of
from bribeproof.explorer.data.table import ChangedItems
from bribeproof.frames.reading.open_reports import refuse_dependent

FIELDS = (
    *(name for name in READ_GROUPS["Columns"] if name != "kind"), "missing", "repeats", "order", "positive", "classes",
    *READ_GROUPS["Several labels in a report"], *READ_GROUPS["Format of the file"],
)  # fmt: skip
"""Fields that are options of ``bribeproof calibrate``."""
_LOSS = "squared"
"""The loss that is bounded; the command bounds others, too."""
_LINES = 6


def show_calibration(inputs: Inputs) -> StepResult:
    """Calibrate the panel, of whom k may be bribed."""
    inputs.refuse_groups("a calibration")
    refuse_dependent(inputs.reading, "the bounds of a calibration")
    truth = inputs.known_truth()
    options: dict[str, Any] = {
        "vote": inputs.value,
        "positive": inputs.query.positive or "1",
        "classes": inputs.classes,
    }
    result = calibrate(inputs.table, k=inputs.k, **options, **truth.arguments, **inputs.columns)
    facts = describe_calibration(result, [_LOSS])
    return StepResult(
        *_verdict(facts),
        summarise_calibration(facts).splitlines(),
        [("By the number of the bribed", _by_k(facts))],
        _drawn(result),
        inputs.command("calibrate", FIELDS, truth=True) + f" --loss {_LOSS}",
        inputs.python("calibrate", {"k": inputs.k, **options, **inputs.columns}, truth=True),
    )


def _verdict(facts: dict[str, Any]) -> tuple[str, str]:
    """Return what the panel guarantees, and what that is worth."""
    bound, k, n = facts["expected_loss"][_LOSS], facts["k"], facts["n"]
    if bound is None:
        return f"Nothing is guaranteed: no item has more than {2 * k:,} reports.", ""
    bribed = f"{k:,} of {n:,}" if k else "nobody"
    if facts["worthless"]:
        return f"With {bribed} bribed, these gold items guarantee no more than the prior alone.", ""
    return (
        f"With {bribed} bribed, the expected squared loss is at most {format_bound(bound, 3, upper=True)} "
        f"({100 * facts['confidence']:.6g}\N{NO-BREAK SPACE}% confidence).",
        f"That is of the best rule, {format_share(facts['of_prior'][_LOSS])} of what the prior alone guarantees; "
        f"whatever the bribed do, on the conditions below.",
    )


def _by_k(facts: dict[str, Any]) -> ChangedItems:
    """Return the bounds for each k."""
    rows = first_and_last(facts["by_k"])
    cells = []
    for row in rows:
        bound, share = row["expected_loss"][_LOSS], row["of_prior"][_LOSS]
        loss = "" if bound is None else format_bound(bound, 3, upper=True)
        rates = format_bound(row["tpr"], 3, upper=False), format_bound(row["fpr"], 3, upper=True)
        worth = "" if share is None else format_share(share)
        cells.append([f"{row['k']:,}", *rates, f"{row['certified']:,}", loss, worth])
    headings = ("k", "Hits, at least", "False alarms, at most", "Items", "Squared loss, at most", "Of the prior’s")
    return table_of([(heading, "number") for heading in headings], cells, len(facts["by_k"]))


def _drawn(result: Calibration) -> Picture | None:
    """Draw the guarantee against k; None if there is none."""
    points = result.guarantees(range((result.panel.n + 1) // 2))
    if not points:
        return None
    return draw_picture(
        lambda axes: plots.guarantee(list(points), list(points.values()), against="k", marked=result.panel.k, ax=axes),
        _LINES, "guarantee", "The guaranteed squared loss against k",
        "The squared loss that no bribes can exceed on average, with the stated confidence.",
    )  # fmt: skip
