"""The step that gives better reporters more weight."""

import polars as pl

from bribeproof._text import bribed_reporters, count
from bribeproof.explorer.data.query import READ_GROUPS
from bribeproof.explorer.data.steps.inputs import Inputs
from bribeproof.explorer.data.steps.result import ROWS, StepResult, short, table_of
from bribeproof.frames.asked import count_or_column
from bribeproof.frames.native import to_polars
from bribeproof.plots.names import shown
from bribeproof.weighting.result import WeightedAnswers
from bribeproof.weighting.weigh import weigh

FIELDS = (
    *READ_GROUPS["Columns"], "missing", "repeats", "order", "asked", "faulty", "classes", "group",
    *READ_GROUPS["Several labels in a report"], *READ_GROUPS["Format of the file"],
)  # fmt: skip
"""Fields that are options of ``bribeproof weigh``, without the positive label, which takes an expert there."""
_COLUMNS = {"reports": "Reports", "agreement": "Agreement", "right": "Right on gold items", "weight": "Weight"}


def show_weights(inputs: Inputs) -> StepResult:
    """Learn a weight for each reporter, and decide by these weights."""
    query, known = inputs.query, inputs.truth
    options = {
        "label": inputs.value, "classes": inputs.classes, "group": query.group or None, **inputs.columns,
        "asked": count_or_column(query.asked), "faulty": query.faulty.replace("-", " ") or "error",
    }  # fmt: skip
    result = weigh(inputs.table, inputs.k, **options, **({} if known is None else known.arguments))
    reporters = to_polars(result.reporters)
    names = [name for name in _COLUMNS if reporters[name].count()]
    rows = [
        [shown(name, 40), f"{reports:,}", *map(short, numbers)]
        for name, reports, *numbers in reporters.select("reporter", *names).head(ROWS).iter_rows()
    ]
    headings = [("Reporter", "text"), *((_COLUMNS[name], "number") for name in names)]
    return StepResult(
        *_verdict(result, inputs),
        [
            "Weights are learned from agreement, and on gold items from the truth; whoever is bribed may buy weight, "
            "which is why it is bounded.",
            *result.summary().splitlines(),
        ],
        [("Who weighs most", table_of(headings, rows, reporters.height))],
        None,
        inputs.command("weigh", FIELDS, truth=known is not None),
        inputs.python("weigh", {"k": inputs.k, **options}, truth=known is not None),
    )


def _verdict(result: WeightedAnswers, inputs: Inputs) -> tuple[str, str]:
    """Return how many decisions differ from those of equal weights, and how many a few reports could change."""
    items = to_polars(result.items)
    plain = inputs.analysis.result.select(pl.first().cast(pl.String).alias("item"), before=pl.col("decision"))
    weighted = items.select(pl.first().cast(pl.String).alias("item"), "decision", "flips_needed", "status")
    both = weighted.join(plain, on="item", how="left").filter(pl.col("status") == "ok")
    differ = int(both["decision"].cast(pl.String).ne_missing(both["before"].cast(pl.String)).sum())
    verb = "differs" if differ == 1 else "differ"
    sentence = f"{differ:,} of {count(both.height, 'decision')} {verb} from those of equal weights."
    if inputs.k and not inputs.query.group:
        moved = int((both["flips_needed"] <= inputs.k).sum())
        who = bribed_reporters(inputs.k)
        return sentence, f"With these weights {moved:,} could have been changed by {who}, by rewriting reports."
    return sentence, ""
