"""``bribeproof aggregate``: a file of scores, votes or labels in, one answer per item out."""

import json as jsonlib
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof.cli.options import Flag, Names, Whole, parse_loss, parse_names, refuse_option
from bribeproof.cli.refusals import check_output, refuse_foreign, refuse_idle, refuse_untextual
from bribeproof.errors import BribeproofWarning, ParameterError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import polars as pl

    from bribeproof.data.files import Table
    from bribeproof.data.large_files import LargeTable, Report
    from bribeproof.data.recognise import Recognised
    from bribeproof.theory import Expert

_MOST_ROWS = 1000
"""More items are not for reading."""


def aggregate(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, validator=refuse_option)],
    /,
    *,
    k: Whole | None = None,
    share: str | None = None,
    share_of: Literal["panel", "item"] = "panel",
    kind: Literal["scores", "votes", "labels"] | None = None,
    item: str | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Names = (),
    positive: str | None = None,
    classes: Names = (),
    missing: Names = (),
    repeats: Literal["error", "first", "last", "drop"] = "error",
    ties: Literal["none", "first", "last", "random"] = "none",
    seed: Whole | None = None,
    prior: float | None = None,
    tpr: float | None = None,
    fpr: float | None = None,
    loss: str | None = None,
    sep: str | None = None,
    decimal: Literal[".", ","] | None = None,
    encoding: str | None = None,
    format_: Annotated[Literal["csv", "tsv", "parquet", "ndjson", "json"] | None, Parameter(name="--format")] = None,
    round_: Annotated[Whole | None, Parameter(name="--round")] = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    json: Flag = False,
    rows: Whole | None = None,
) -> None:
    """Combine a file of scores, votes or labels, though k of the reporters may be bribed.

    Reads CSV, TSV, Parquet, NDJSON and JSON, in long form (item, reporter, report) or wide form (one column per
    reporter). What is guessed is said; every guess has an option.

    Parameters
    ----------
    file
        The file to read; - for standard input, as CSV unless --format says otherwise.
    k
        How many reporters may be bribed: a head count.
    share
        Instead of --k: a share below 0.5, such as 0.2 or 1/5, turned into a count, rounded down.
    share_of
        Of all reporters (panel), or of the reports on each item (item).
    kind
        What the file holds.
    item
        The column of the items.
    reporter
        The column of the reporters, in long form.
    value
        The column of the reports, in long form.
    judges
        The columns of the reporters, in wide form: A,B,C or a pattern such as judge_*; a name with a comma stands
        in quotes.
    positive
        The vote that counts as 1 (default: 1).
    classes
        All classes in order: A,B,C. For votes, the negative and the positive one.
    missing
        Texts that stand for no report, beside empty cells: absent,NA.
    repeats
        If a reporter reports twice on an item, differently.
    ties
        Who wins a tie, in class order.
    seed
        Draw the random dictator (labels) or random ties; anyone can repeat the draw.
    prior
        Probability of a positive truth; with --tpr and --fpr adds the optimal forecast.
    tpr
        How often a truthful voter says positive when it is.
    fpr
        How often a truthful voter says positive when it is not.
    loss
        The loss that the forecast minimises: absolute, squared (the default), log, or cost:FP,FN.
    sep
        The delimiter: one character, or tab.
    decimal
        The decimal mark of scores.
    encoding
        The encoding of the file, such as cp1252.
    format_
        The format of the file, where its ending does not say it.
    round_
        Round scores half up to so many decimals, in exact decimal arithmetic.
    output
        Write all items here: .csv, .tsv, .parquet, .ndjson or .json.
    json
        Print all items and the summary as JSON.
    rows
        How many items to print at most (default: 20).
    """
    if (k is None) == (share is None):
        raise ParameterError("say how many reporters may be bribed, in one way: --k 1, or --share 0.2")
    expert = _expert(prior, tpr, fpr)
    refuse_idle(
        {
            "--share-of item": (share_of != "panel", share is not None, "--share"),
            "--loss": (loss is not None, expert is not None, "--prior, --tpr and --fpr"),
            "--rows": (rows is not None, not json, "no --json"),
        }
    )
    if rows is not None and not 0 <= rows <= _MOST_ROWS:
        raise ParameterError(f"--rows {rows}: print 0 (the summary alone) to {_MOST_ROWS:,} items; -o FILE holds all")
    if output is not None:
        check_output(output, file)
    from bribeproof.cli.progress import progress

    with ExitStack() as stack:
        report = stack.enter_context(progress(f"Reading {file}"))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", BribeproofWarning)
            result, notes, found = _run(
                stack.enter_context(_open(file, {"sep": sep, "encoding": encoding, "format": format_}, report)),
                {"kind": kind, "item": item, "reporter": reporter, "value": value},
                judges=parse_names(judges),
                heads={"k": k, "share": share, "share_of": share_of},
                cleaning={"missing": parse_names(missing), "repeats": repeats},
                scoring={"decimals": round_, "decimal_mark": decimal},
                voting={"classes": parse_names(classes) or None, "ties": ties, "seed": seed},
                binary={"positive": positive, "expert": expert, "loss": parse_loss(loss or "squared")},
                report=report,
            )
        notes += [str(one.message) for one in caught if issubclass(one.category, BribeproofWarning)]
        from bribeproof.cli.summary import summarise

        report("Summing up", None)
        facts = summarise(result, found.kind, share=share, share_of=share_of)
        if output is not None:
            from bribeproof.data.export import write_table

            report(f"Writing {output}", None)
            write_table(result, output)
            notes.append(f"wrote {facts['items']:,} item{'s' * (facts['items'] != 1)} to {output}")
        if json:
            from bribeproof.data.export import to_records

            document = {
                "kind": found.kind,
                "read_as": found.describe(),
                "notes": notes,
                "summary": facts,
                "items": to_records(result.collect()),
            }
            jsonlib.dump(document, sys.stdout, indent=2, allow_nan=False, default=str)
            sys.stdout.write("\n")
            return
        from bribeproof.cli.render import show_result

        show_result(result, facts, notes, decimals=round_, rows=20 if rows is None else rows, output=output)


def _open(file: Path, reading: dict[str, Any], report: "Report") -> "AbstractContextManager[Table | LargeTable]":
    """Open the file, however large."""
    from bribeproof.data.large_files import scan_table

    refuse_untextual(file, reading)
    if hasattr(signal, "siginterrupt"):
        # polars has a read that was interrupted begin again, so that standard input could not be left.
        signal.siginterrupt(signal.SIGINT, True)  # noqa: FBT003
    return scan_table(file, **reading, report=report)


def _run(
    table: "Table | LargeTable",
    naming: dict[str, Any],
    *,
    judges: Sequence[str],
    heads: dict[str, Any],
    cleaning: dict[str, Any],
    scoring: dict[str, Any],
    voting: dict[str, Any],
    binary: dict[str, Any],
    report: "Report",
) -> "tuple[pl.LazyFrame, list[str], Recognised]":
    """Recognise and aggregate a file; return the result, what was guessed and what it was read as."""
    from bribeproof.data import tables
    from bribeproof.data.files import Table
    from bribeproof.data.recognise import recognise

    whole = isinstance(table, Table)
    first_rows = table.frame if isinstance(table, Table) else table.head
    names = first_rows.columns
    if naming["kind"] is None and (binary["positive"] is not None or binary["expert"] is not None):
        naming["kind"] = "votes"
    chosen = _matching(judges, names) if judges else None
    found = recognise(first_rows, **naming, judges=chosen, missing=cleaning["missing"])
    refuse_foreign(found.kind, {**scoring, **voting, **binary})
    where = found.columns
    options = {
        "item": where.item,
        "reporter": where.reporter,
        "judges": where.judges or None,
        **heads,
        **cleaning,
    }
    if whole:
        report(f"Aggregating {first_rows.height:,} rows", None)
    if found.kind == "scores":
        result = tables.aggregate_scores(table, score=where.value, **options, **scoring)
    elif found.kind == "votes":
        if binary["positive"] is None:
            binary["positive"] = 1
        result = tables.aggregate_votes(table, vote=where.value, **options, **voting, **binary)
    else:
        result = tables.aggregate_labels(table, label=where.value, **options, **voting)
    guessed = "" if whole else f" (by its first {first_rows.height:,} rows)"
    return result.lazy(), [*table.notes, f"read as {found.describe()}{guessed}"], found


def _expert(prior: float | None, tpr: float | None, fpr: float | None) -> "Expert | None":
    """Return the expert that three options describe together."""
    if prior is None and tpr is None and fpr is None:
        return None
    if prior is None or tpr is None or fpr is None:
        raise ParameterError("--prior, --tpr and --fpr describe a voter together: give all three, or none")
    from bribeproof.theory import Expert

    return Expert(prior, tpr, fpr)


def _matching(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns that are named or match a pattern, in the order of the patterns."""
    chosen: dict[str, None] = {}
    for pattern in patterns:
        matches = [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]
        chosen |= dict.fromkeys(matches or [pattern])
    return list(chosen)
