"""``bribeproof aggregate``: a file of scores, votes or labels in, one answer per item out."""

import json as jsonlib
import sys
import warnings
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof.errors import BribeproofWarning, ParameterError

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.data.recognise import Recognised
    from bribeproof.theory import Expert

List = Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)]


def aggregate(
    file: Path,
    /,
    *,
    k: int | None = None,
    share: str | None = None,
    share_of: Literal["panel", "item"] = "panel",
    kind: Literal["scores", "votes", "labels"] | None = None,
    item: str | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: List = (),
    positive: str | None = None,
    classes: List = (),
    missing: List = (),
    repeats: Literal["error", "first", "last", "drop"] = "error",
    ties: Literal["none", "first", "last", "random"] = "none",
    seed: int | None = None,
    prior: float | None = None,
    tpr: float | None = None,
    fpr: float | None = None,
    loss: str = "squared",
    sep: str | None = None,
    decimal: Literal[".", ","] | None = None,
    encoding: str | None = None,
    round_: Annotated[int | None, Parameter(name="--round")] = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    json: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    rows: int = 20,
) -> None:
    """Combine a file of scores, votes or labels, though k of the reporters may be bribed.

    Reads CSV, TSV, Parquet, NDJSON and JSON, in long form (item, reporter, report) or wide form (one column per
    reporter). What is guessed is said; every guess has an option.

    Parameters
    ----------
    file
        The file to read; - for CSV on standard input.
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
        The columns of the reporters, in wide form: A,B,C or a pattern such as judge_*.
    positive
        The vote that counts as 1 (default: 1).
    classes
        All classes in order: A,B,C. For votes, the negative and the positive one.
    missing
        Text that stands for no report, beside empty cells: absent,NA.
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
        The loss that the forecast minimises: absolute, squared or log.
    sep
        The delimiter: one character, or tab.
    decimal
        The decimal mark of scores.
    encoding
        The encoding of the file, such as cp1252.
    round_
        Round scores half up to so many decimals, in exact decimal arithmetic.
    output
        Write all items here: .csv, .tsv, .parquet, .ndjson or .json.
    json
        Print everything as JSON.
    rows
        How many items to print at most.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BribeproofWarning)
        result, table_notes, recognised = _run(
            file,
            {"kind": kind, "item": item, "reporter": reporter, "value": value},
            judges=_listed(judges),
            reading={"sep": sep, "encoding": encoding},
            heads={"k": k, "share": share, "share_of": share_of},
            cleaning={"missing": _listed(missing), "repeats": repeats},
            scoring={"decimals": round_, "decimal_mark": decimal},
            voting={"classes": _listed(classes) or None, "ties": ties, "seed": seed},
            binary={"positive": positive, "expert": _expert(prior, tpr, fpr), "loss": loss},
        )
    notes = [
        *table_notes,
        *(str(one.message) for one in caught if issubclass(one.category, BribeproofWarning)),
    ]
    if output is not None:
        from bribeproof.cli.progress import progress
        from bribeproof.data.export import write_table

        with progress(f"Writing {output}"):
            write_table(result, output)
    if json:
        from bribeproof.data.export import to_records

        document = {"kind": recognised.kind, "notes": notes, "items": to_records(result)}
        sys.stdout.write(jsonlib.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
        return
    from bribeproof.cli.render import show_result

    show_result(result, recognised.kind, notes, share=share, decimals=round_, rows=rows, output=output)


def _run(
    file: Path,
    naming: dict[str, Any],
    *,
    judges: Sequence[str],
    reading: dict[str, Any],
    heads: dict[str, Any],
    cleaning: dict[str, Any],
    scoring: dict[str, Any],
    voting: dict[str, Any],
    binary: dict[str, Any],
) -> "tuple[pl.DataFrame, list[str], Recognised]":
    """Read, recognise and aggregate a file; return the result, what was guessed and what it was read as."""
    from bribeproof.cli.progress import progress
    from bribeproof.data import tables
    from bribeproof.data.files import read_table
    from bribeproof.data.recognise import recognise

    with progress(f"Reading {file}"):
        table = read_table(file, **reading)
        names = table.frame.columns
        if naming["kind"] is None and (binary["positive"] is not None or binary["expert"] is not None):
            naming["kind"] = "votes"
        found = recognise(table.frame, **naming, judges=_matching(judges, names) if judges else None)
    where = found.columns
    options = {
        "item": where.item,
        "reporter": where.reporter,
        "judges": where.judges or None,
        **heads,
        **cleaning,
    }
    _refuse_unused(found.kind, scoring, voting, binary)
    if found.kind != "votes":
        binary = {}
    elif binary["positive"] is None:
        binary = {**binary, "positive": 1}
    with progress(f"Aggregating {table.frame.height:,} rows"):
        if found.kind == "scores":
            result = tables.aggregate_scores(table, score=where.value, **options, **scoring)
        elif found.kind == "votes":
            result = tables.aggregate_votes(table, vote=where.value, **options, **voting, **binary)
        else:
            result = tables.aggregate_labels(table, label=where.value, **options, **voting)
    return result, [*table.notes, f"read as {found.describe()}"], found


def _refuse_unused(kind: str, scoring: dict[str, Any], voting: dict[str, Any], binary: dict[str, Any]) -> None:
    """Refuse an option that would change nothing for this kind of report."""
    unused = {
        "scores": {"classes": voting["classes"], "seed": voting["seed"], "positive": binary["positive"]},
        "votes": {"round": scoring["decimals"], "decimal": scoring["decimal_mark"]},
        "labels": {
            "round": scoring["decimals"],
            "decimal": scoring["decimal_mark"],
            "positive": binary["positive"],
        },
    }[kind]
    for name, given in unused.items():
        if given is not None:
            raise ParameterError(f"--{name} means nothing for {kind}; leave it out, or say another --kind")


def _expert(prior: float | None, tpr: float | None, fpr: float | None) -> "Expert | None":
    """Return the expert that three options describe together."""
    if prior is None and tpr is None and fpr is None:
        return None
    if prior is None or tpr is None or fpr is None:
        raise ParameterError("--prior, --tpr and --fpr describe a voter together: give all three, or none")
    from bribeproof.theory import Expert

    return Expert(prior, tpr, fpr)


def _listed(given: Sequence[str]) -> tuple[str, ...]:
    """Split lists written with commas."""
    return tuple(part.strip() for text in given for part in text.split(",") if part.strip())


def _matching(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns that are named or match a pattern, in the order of the patterns."""
    chosen: dict[str, None] = {}
    for pattern in patterns:
        matches = [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]
        chosen |= dict.fromkeys(matches or [pattern])
    return list(chosen)
