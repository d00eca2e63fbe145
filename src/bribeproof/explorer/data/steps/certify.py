"""The step that bounds by items with a known truth how often answers are right, whatever the bribed do."""

from typing import Any

from bribeproof import plots
from bribeproof._text import format_bound, lower_of_100, name_in_list, round_up
from bribeproof.certification.certify import certify
from bribeproof.certification.result import Certification
from bribeproof.explorer.data.figures import draw_picture
from bribeproof.explorer.data.query import READ_GROUPS
from bribeproof.explorer.data.steps.inputs import Inputs
from bribeproof.explorer.data.steps.result import StepResult, first_and_last, table_of
from bribeproof.explorer.data.table import ChangedItems
from bribeproof.frames.bribe_unit import nouns
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.open_reports import refuse_dependent
from bribeproof.plots.names import shown

FIELDS = (
    *(name for name in READ_GROUPS["Columns"] if name != "kind"), "missing", "repeats", "order", "classes", "group",
    *READ_GROUPS["Several labels in a report"], *READ_GROUPS["Format of the file"],
)  # fmt: skip
"""Fields that are options of ``bribeproof certify``."""
_LINES = 6
"""The rows in the height of the picture."""


def show_certification(inputs: Inputs) -> StepResult:
    """Certify the answers with up to k bribed."""
    refuse_dependent(inputs.reading, "the bounds of a certificate")
    truth, group = inputs.known_truth(), inputs.query.group or None
    result = certify(
        inputs.table, k=inputs.k, label=inputs.value, classes=inputs.classes, group=group, **truth.arguments,
        **inputs.columns,
    )  # fmt: skip
    drawn = draw_picture(
        lambda axes: plots.certified_accuracy(result, ax=axes), _LINES, "certified", "Certified accuracy against k",
        "The share of answers that is certified to be right, whoever is bribed.",
    )  # fmt: skip
    options = {"k": inputs.k, "label": inputs.value, **inputs.columns, "classes": inputs.classes, "group": group}
    return StepResult(
        *_verdict(result),
        result.summary().splitlines(),
        [("Whoever is bribed, perhaps others on each item", _by_k(result)), *_lists(result)],
        drawn,
        inputs.command("certify", FIELDS, truth=True),
        inputs.python("certify", options, truth=True),
    )


def _verdict(result: Certification) -> tuple[str, str]:
    """Return what is certified for the k that was asked for, and by how many gold items."""
    row = to_polars(result.by_k).row(-1, named=True)
    k, counted = row["k"], f"{row['robust']:,} of {row['gold']:,} gold items"
    bribed, stay = "nobody bribed", f"{counted} are right"
    if k:
        group = f" {nouns(result.unit.of)[1]}" * (result.unit.of != "reporter")
        bribed = f"any {'one' if k == 1 else f'{k:,}'} of {result.out_of:,}{group} bribed"
        stay = f"{'Another' if k == 1 else 'Others'} may be bribed on each item, and {counted} stay right"
    if row["accuracy_low"] == 0:
        return f"With {bribed}, no answer is certified to be right.", f"{stay}."
    return (
        f"With {bribed}, at least {lower_of_100(row['accuracy_low'])} of 100 answers are right "
        f"({100 * result.confidence:.6g}\N{NO-BREAK SPACE}% confidence).",
        f"{stay}: {result.constant.errors(row)}.",
    )


def _by_k(result: Certification) -> ChangedItems:
    """Return the bounds for each k; they are rounded such that they hold."""
    rows = to_polars(result.by_k).rows(named=True)
    cells = [
        [f"{row['k']:,}", f"{row['robust']:,} of {row['gold']:,}", format_bound(row["accuracy_low"], 3, upper=False),
         round_up(row["per_100"])]
        for row in first_and_last(rows)
    ]  # fmt: skip
    headings = ("k", "Gold items right, whatever they do", "Share right, at least", "Errors per 100, at most")
    return table_of([(heading, "number") for heading in headings], cells, len(rows))


def _lists(result: Certification) -> list[tuple[str, ChangedItems]]:
    """Return the bounds for the same ones on all items, with the worst list of them, as far as it was searched."""
    low: dict[Any, dict[str, Any]] = {row["k"]: row for row in to_polars(result.by_k).rows(named=True)}
    lists = [one for one in result.lists if one.k and low[one.k]["list_low"] is not None]
    cells = []
    for one in first_and_last(lists):
        row = low[one.k]
        bounds = [format_bound(row[name], 3, upper=False) for name in ("list_low", "list_low_chosen")]
        named = ", ".join(shown(name_in_list(name), 40) for name in one.reporters)
        cells.append([f"{one.k:,}", f"{row['list_turned']:,}", *bounds, named])
    headings = [("k", "number"), ("Right answers turned, at most", "number"), ("Share right, at least", "number"),
                ("If chosen by gold items", "number"), ("Worst list", "text")]  # fmt: skip
    return [("If the same ones are bribed on all items", table_of(headings, cells, len(lists)))] * bool(lists)
