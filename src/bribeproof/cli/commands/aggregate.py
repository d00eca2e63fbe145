"""``bribeproof aggregate``: a file of scores, votes or labels in, one answer per item out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof.cli.options.checks import check_output, refuse_foreign, refuse_idle
from bribeproof.cli.options.converters import Flag, Names, Whole, parse_loss, parse_names
from bribeproof.cli.options.expert import ExpertOptions
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, Kind, OpenInput, opened
from bribeproof.cli.output.files import print_json
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.aggregation.result import Aggregation

_MOST_ROWS = 1000
"""More items are not for reading."""
_MOST_RANKED = 40
"""More places are not for looking at."""
_GUESSED, _PLAIN, _NO_VOTER = ColumnOptions(), FileOptions(), ExpertOptions()


def aggregate(
    file: File,
    /,
    *,
    k: Whole | None = None,
    share: str | None = None,
    share_of: Literal["panel", "item"] = "panel",
    kind: Kind | None = None,
    where: ColumnOptions = _GUESSED,
    positive: str | None = None,
    classes: Names = (),
    ties: Literal["none", "first", "last", "random"] = "none",
    seed: Whole | None = None,
    voter: ExpertOptions = _NO_VOTER,
    loss: str | None = None,
    reading: FileOptions = _PLAIN,
    decimal: Literal[".", ","] | None = None,
    round_: Annotated[Whole | None, Parameter(name="--round")] = None,
    plot: Path | None = None,
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
    positive
        The vote that counts as 1 (default: 1).
    classes
        All classes in order: A,B,C. For votes, the negative and the positive one.
    ties
        Who wins a tie, in class order.
    seed
        Draw the random dictator (labels) or random ties; anyone can repeat the draw.
    loss
        The loss that the forecast minimises: absolute, squared (the default), log, or cost:FP,FN.
    decimal
        The decimal mark of scores.
    round_
        Round scores half up to so many decimals, in exact decimal arithmetic.
    plot
        Draw the ranking (up to 40 items with scores) or else the most fragile items: .png, .svg or .pdf.
    output
        Write all items here: .csv, .tsv, .parquet, .ndjson or .json.
    json
        Print all items and the summary as JSON.
    rows
        How many items to print at most (default: 20).
    """
    if (k is None) == (share is None):
        raise ParameterError("say how many reporters may be bribed, in one way: --k 1, or --share 0.2")
    expert = voter.expert
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
    if plot is not None:
        check_picture(plot, file)
    if kind is None and (positive is not None or expert is not None):
        kind = "votes"
    with opened(file, reading, where, kind) as data:
        given = {
            "k": k,
            "share": share,
            "share_of": share_of,
            "decimals": round_,
            "decimal_mark": decimal,
            "classes": parse_names(classes) or None,
            "ties": ties,
            "seed": seed,
            "positive": positive,
            "expert": expert,
        }
        aggregation = _aggregate(data, given | {"loss": None if loss is None else parse_loss(loss)})
        result = aggregation.items.lazy()
        data.report("Summing up", None)
        facts = aggregation.facts()
        if output is not None:
            from bribeproof.io.write import write_table

            data.report(f"Writing {output}", None)
            write_table(result, output)
            data.note(f"wrote {facts['items']:,} item{'s' * (facts['items'] != 1)} to {output}")
        if plot is not None:
            data.note(_draw(result, data.found.kind, plot))
        if json:
            from bribeproof.io.write import to_records

            document = {"kind": data.found.kind, "read_as": data.found.describe(), "notes": data.notes}
            print_json(document | {"summary": facts, "items": to_records(result.collect())})
            return
        from bribeproof.cli.output.tables import show_result

        show_result(result, facts, data.notes, decimals=round_, rows=20 if rows is None else rows, output=output)


def _draw(result: "pl.LazyFrame", kind: Kind, picture: Path) -> str:
    """Draw a ranking where there are few items with scores, and else the most fragile items."""
    from bribeproof import plots
    from bribeproof.aggregation.summary import rank_result

    item = result.collect_schema().names()[0]
    if kind == "scores":
        table = result.head(_MOST_RANKED + 1).collect()
        if table.height <= _MOST_RANKED:
            ranking, names = rank_result(table), table[item].to_list()
            return write_picture(lambda: plots.ranking(ranking, names), picture, "the ranking")
    return write_picture(lambda: plots.items(result, item=item), picture, "the most fragile items")


def _aggregate(data: OpenInput, options: dict[str, Any]) -> "Aggregation":
    """Aggregate a file by what it holds."""
    from bribeproof.aggregation.aggregate import aggregate_recognised
    from bribeproof.io.read import Table

    refuse_foreign(data.found.kind, options)
    if isinstance(data.table, Table):
        data.report(f"Aggregating {data.table.frame.height:,} rows", None)
    rest = {name: data.options[name] for name in ("missing", "repeats")}
    return aggregate_recognised(data.table, data.found, **rest, **options)
