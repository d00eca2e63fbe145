"""``bribeproof sweep``: what every number of bribed reporters would do to a file's answers."""

import json as jsonlib
import sys
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from bribeproof.cli.options import Flag, Whole, expert_of, parse_loss
from bribeproof.cli.reading import File, Format, Kind, Where
from bribeproof.cli.refusals import check_output, refuse_idle
from bribeproof.errors import BribeproofWarning

if TYPE_CHECKING:
    import polars as pl

_GUESSED, _PLAIN = Where(), Format()
_SHOWN = 20


def sweep(
    file: File,
    /,
    *,
    most_k: Whole | None = None,
    kind: Kind | None = None,
    where: Where = _GUESSED,
    positive: str = "1",
    prior: float | None = None,
    tpr: float | None = None,
    fpr: float | None = None,
    loss: str | None = None,
    reading: Format = _PLAIN,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    json: Flag = False,
) -> None:
    """Aggregate a file for k = 0, 1, 2, … bribed reporters: what protection costs, and where answers change.

    Parameters
    ----------
    file
        The file to read; - for standard input, as CSV unless --format says otherwise.
    most_k
        The largest k (default: as long as an item is certified).
    kind
        What the file holds.
    positive
        The vote that counts as 1.
    prior
        Probability of a positive truth; with --tpr and --fpr adds the guarantee of each k.
    tpr
        How often a truthful voter says positive when it is.
    fpr
        How often a truthful voter says positive when it is not.
    loss
        The loss of the guarantee: squared (the default), absolute, log, or cost:FP,FN.
    output
        Write the answers of all items for every k here: .csv, .tsv, .parquet, .ndjson or .json.
    json
        Print the summary and the first k at which each item changes as JSON.
    """
    from bribeproof.cli.progress import progress

    expert = expert_of(prior, tpr, fpr)
    refuse_idle({"--loss": (loss is not None, expert is not None, "--prior, --tpr and --fpr")})
    if output is not None:
        check_output(output, file)
    with ExitStack() as stack:
        report = stack.enter_context(progress(f"Reading {file}"))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", BribeproofWarning)
            from bribeproof.data.sweep import sweep as aggregate

            table = stack.enter_context(reading.open(file, report))
            found = where.find(table, kind)
            options = where.options(found)
            if found.columns.value:
                options[found.kind.removesuffix("s")] = found.columns.value
            if found.kind == "votes":
                options["positive"] = positive
            ks = None if most_k is None else range(most_k + 1)
            swept = aggregate(table, found.kind, ks, known=expert, loss=parse_loss(loss or "squared"), **options)
        said = dict.fromkeys(str(one.message) for one in caught if issubclass(one.category, BribeproofWarning))
        notes = [*table.notes, f"read as {found.describe()}", *said]
        if output is not None:
            from bribeproof.data.export import write_table

            write_table(swept.answers, output)
            notes.append(f"wrote {swept.answers.height:,} rows, every item for every k, to {output}")
    if json:
        from bribeproof.data.export import to_records

        document = {"kind": found.kind, "notes": notes, "summary": to_records(swept.summary)}
        document["changes"] = to_records(swept.changes)
        sys.stdout.write(jsonlib.dumps(document, indent=2, allow_nan=False, default=str) + "\n")
        return
    _show(swept.summary, swept.changes, notes)


def _show(summary: "pl.DataFrame", changes: "pl.DataFrame", notes: list[str]) -> None:
    """Print the summary, and the items whose answers change first."""
    from bribeproof.cli.render import cell, console, show_notes

    show_notes(notes)
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = {"changed": "changed or lost", "expected_loss": "expected loss ≤"}
    for name in summary.columns:
        table.add_column(headings.get(name, name), justify="right")
    for row in summary.iter_rows():
        table.add_row(*(cell(value) for value in row))
    out.print(table)
    first = changes.drop_nulls("changes_at").sort("changes_at", maintain_order=True)
    if first.is_empty():
        return
    out.print()
    named: dict[int, list[Any]] = {}
    for item, k in first.head(_SHOWN).iter_rows():
        named.setdefault(k, []).append(cell(item).plain)
    for k, items in named.items():
        count = int((first["changes_at"] == k).sum())
        more = f" and {count - len(items):,} more" * (count > len(items))
        out.print(Text(f"Changed or lost first at k = {k}: {', '.join(items)}{more}."), soft_wrap=not out.is_terminal)
