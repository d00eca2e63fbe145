"""The step that compares each reporter with the others."""

from bribeproof import plots
from bribeproof.auditing.audit import audit
from bribeproof.auditing.result import Audit
from bribeproof.errors import ParameterError
from bribeproof.explorer.data.figures import draw_picture
from bribeproof.explorer.data.query import READ_GROUPS
from bribeproof.explorer.data.steps.inputs import Inputs
from bribeproof.explorer.data.steps.result import ROWS, StepResult, short, table_of
from bribeproof.frames.native import to_polars
from bribeproof.plots.names import shown

FIELDS = (
    *READ_GROUPS["Columns"], "scale", "decimal", "missing", "repeats", "order", "classes",
    *READ_GROUPS["Several labels in a report"], *READ_GROUPS["Format of the file"],
)  # fmt: skip
"""Fields that are options of ``bribeproof audit``."""
_COLUMNS = {
    "rate": "Deviates", "rate_expected": "Expected", "p_adjusted": "P, adjusted", "gold": "Gold items",
    "gold_errors": "Wrong",
}  # fmt: skip
_MEANING = (
    "Deviates: the share of the compared reports that deviate from the others (of scores, on one side). Expected: "
    "that of all reports on the same items. P: the p-value of deviating so often if all were equally skilled, adjusted "
    "for all reporters."
)


def show_audit(inputs: Inputs) -> StepResult:
    """Audit the reporters: k of the others are not trusted on each item."""
    inputs.refuse_groups("an audit")
    reading = inputs.reading
    known = None if reading.kind == "scores" else inputs.truth
    result = audit(
        inputs.table,
        inputs.k,
        kind=reading.kind,
        scale=reading.stated.scale,
        decimal_mark=reading.stated.decimal_mark,
        value=reading.columns.value or None,
        classes=inputs.classes,
        **inputs.columns,
        **({} if known is None else known.arguments),
    )
    _refuse_empty(result)
    sentences = result.summary().splitlines()
    false = f"{100 * (1 - result.confidence):.3g} of 100"
    reporters = to_polars(result.reporters)
    names = [name for name in _COLUMNS if name in reporters.columns]
    rows = [
        [shown(name, 40), *map(short, numbers)]
        for name, *numbers in reporters.select("reporter", *names).head(ROWS).iter_rows()
    ]
    headings = [("Reporter", "text"), *((_COLUMNS[name], "number") for name in names)]
    drawn = draw_picture(
        lambda axes: plots.reporters(result, most=ROWS, ax=axes), min(ROWS, reporters.height), "reporters",
        "How far each reporter deviates from the others", "A better reporter deviates, too: nobody is accused.",
    )  # fmt: skip
    options = {"k": inputs.k, "kind": reading.kind, **inputs.columns, "value": reading.columns.value}
    options |= {"classes": inputs.classes, "scale": reading.stated.scale, "decimal_mark": reading.stated.decimal_mark}
    return StepResult(
        f"{result.finding}.",
        f"Chance: if all were equally skilled, anybody would be found in at most {false} audits. {sentences[1]}",
        [_MEANING, *sentences],
        [("Who deviates most", table_of(headings, rows, reporters.height))] if rows else [],
        drawn if rows else None,
        inputs.command("audit", FIELDS, truth=known is not None),
        inputs.python("audit", options, truth=known is not None),
    )


def _refuse_empty(result: Audit) -> None:
    """Raise an error if k leaves nothing to compare any report with; the command refuses it, too."""
    others = result.n_reporters - 1
    needed, most = (2 * result.k + 1, (others - 1) // 2) if result.kind == "scores" else (result.k + 1, others - 1)
    if result.n_items and others < needed:
        raise ParameterError(
            f"k={result.k}: a report is compared with {needed:,} others, and here are {others:,}; give "
            f"{f'{most:,} or less' if most > 0 else '0'}"
        )
