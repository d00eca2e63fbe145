"""``bribeproof aggregate``: aggregate a file of scores, votes or labels, one answer for each item."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.cli.options.calibrated import calibrate_voters
from bribeproof.cli.options.checks import check_output, panel_size, refuse_large_k, refuse_other_kinds, refuse_unused
from bribeproof.cli.options.common import (
    AdversariesIfAny,
    Beacon,
    Classes,
    ConfidenceIfStated,
    Decimals,
    Json,
    KindIfStated,
    MostMovable,
    OutputFile,
    OutputForm,
    Picture,
    PositiveIfStated,
    RowsIfStated,
    SeedIfStated,
    Share,
    ShareOf,
    Ties,
)
from bribeproof.cli.options.converters import parse_names
from bribeproof.cli.options.expert import ExpertOptions, GoldOptions
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, OpenInput, open_input
from bribeproof.cli.options.loss import LossOptions
from bribeproof.cli.options.values import CriteriaOptions, HonestyOptions, ScoreOptions, TotalOptions
from bribeproof.cli.output.files import print_json, write_predictions
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.cli.thresholds import check_movable_option, refuse_movable
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.aggregation.result import Aggregation
    from bribeproof.calibration.result import Calibration
    from bribeproof.theory import Expert

_MAX_ROWS = 1000
"""Largest number of items that are printed."""
_MAX_RANKED = 40
"""Largest number of items in a picture of the ranking."""
_GUESSED, _PLAIN, _NO_VOTER = ColumnOptions(), FileOptions(), ExpertOptions()
_UNSTATED, _ONE_CRITERION, _NO_TOTAL = HonestyOptions(), CriteriaOptions(), TotalOptions()
_PLAIN_SCORES, _SQUARED, _UNKNOWN, _ALONE = ScoreOptions(), LossOptions(), GoldOptions(), BribeOptions()


def aggregate(
    file: File,
    /,
    *more: File,
    k: AdversariesIfAny = None,
    share: Share = None,
    share_of: ShareOf = "panel",
    bribes: BribeOptions = _ALONE,
    kind: KindIfStated = None,
    where: ColumnOptions = _GUESSED,
    several: CriteriaOptions = _ONE_CRITERION,
    after: TotalOptions = _NO_TOTAL,
    positive: PositiveIfStated = None,
    classes: Classes = (),
    scores: ScoreOptions = _PLAIN_SCORES,
    ties: Ties = "none",
    seed: SeedIfStated = None,
    beacon: Beacon = None,
    voter: ExpertOptions = _NO_VOTER,
    known: GoldOptions = _UNKNOWN,
    confidence: ConfidenceIfStated = None,
    priced: LossOptions = _SQUARED,
    honesty: HonestyOptions = _UNSTATED,
    reading: FileOptions = _PLAIN,
    round_: Decimals = None,
    fail_if_movable: MostMovable = None,
    plot: Picture = None,
    output: OutputFile = None,
    as_: OutputForm = "table",
    json: Json = False,
    rows: RowsIfStated = None,
) -> None:
    """Aggregate scores, votes or labels; k reporters may be bribed.

    Reads CSV, TSV, .xlsx, .xls, .ods, Parquet, NDJSON, JSON and exports of labelling tools, in long form (item,
    reporter, report) or wide form (one column for each reporter). The command prints what it infers about the file;
    every inference can be overridden by an option.

    Parameters
    ----------
    file
        The file to read; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    k
        Number of reporters who may be bribed; with --group, of groups.
    share
        Instead of --k: share of the reporters, below 0.5, such as 0.2, 1/5 or 20%; rounded down to a number.
    share_of
        Whether --share refers to all reporters (panel) or to the reports on each item (item).
    kind
        Kind of the reports (default: inferred).
    positive
        The vote that counts as 1 (default: 1).
    classes
        All classes in order: A,B,C. For votes, the negative and the positive one.
    ties
        Which class wins a tie, in the order of the classes.
    seed
        Seed of the random dictator (labels) and of random ties. With three or more classes nobody may know it before
        the reports are in.
    beacon
        Instead of --seed: a public value that came after the reports, such as the numbers of a lottery. The seed is a
        hash of it and of what `bribeproof commit` prints.
    confidence
        With --truth or --gold: confidence level of the guarantee (default: 0.95).
    round_
        Round scores half up to this number of decimals, in exact decimal arithmetic.
    fail_if_movable
        End with status 3, after all output, if more than so many items have no decision that is certified and safe from
        the bribed.
    plot
        Draw the ranking (scores of up to 40 items) or the most fragile items: .png, .svg or .pdf.
    output
        Write all items to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    as_
        What -o writes: a table, or predictions that Label Studio imports, of tasks in its JSON export.
    json
        Print all items and the summary as JSON.
    rows
        Largest number of items to print (default: 20).
    """
    bribes.check(k, share)
    expert, loss = voter.expert, priced.given
    if expert is not None and known.given:
        raise ParameterError("--prior, --tpr and --fpr describe voters, and so do --truth and --gold: give one of them")
    described = expert is not None or known.given
    refuse_unused(
        {
            "--share-of item": (share_of != "panel", share is not None, "--share"),
            str(priced.option): (priced.option is not None, described, "--truth, or --prior, --tpr and --fpr"),
            "--confidence": (confidence is not None, known.given, "--truth or --gold"),
            "--rows": (rows is not None, not json, "no --json"),
            "--as": (as_ != "table", output is not None, "-o FILE"),
        }
    )
    if rows is not None and not 0 <= rows <= _MAX_ROWS:
        raise ParameterError(f"--rows {rows}: print 0 (only the summary) to {_MAX_ROWS:,} items; -o FILE writes all")
    if output is not None:
        check_output(output, file, *more)
    if as_ == "label-studio" and (more or str(file) == "-" or output is None or output.suffix.lower() != ".json"):
        raise ParameterError("--as label-studio needs one file, the JSON export of the project, and -o FILE.json")
    if plot is not None:
        check_picture(plot, file, *more)
    from bribeproof.frames.reading.kinds import implied_kind

    implied = implied_kind(None, parse_names(classes), is_vote=positive is not None or described)
    with open_input(
        (file, *more), reading, where, kind, honesty.given["asked"], known.column | bribes.columns,
        implied=implied, criteria=several, scores=scores.given, after=after,
    ) as data:  # fmt: skip
        if fail_if_movable is not None:
            check_movable_option(fail_if_movable, data.recognised.kind, k)
        voters: Expert | Calibration | None = expert
        if known.given:
            voters = calibrate_voters(
                data,
                known,
                0 if bribes.are_given else k,
                share=share,
                confidence=confidence,
                positive=positive,
                classes=parse_names(classes) or None,
            )
        given = honesty.given | {
            "k": k,
            "share": share,
            "share_of": share_of,
            "bribes": bribes.of(data),
            "decimals": round_,
            "classes": parse_names(classes) or None,
            "ties": ties,
            "seed": seed,
            "beacon": beacon,
            "positive": positive,
            "expert": voters,
        }
        aggregation = _aggregate(data, given | {"loss": loss})
        result = aggregation.items.lazy()
        if not bribes.are_given:
            refuse_large_k(k, panel_size(result))
        data.report("Summarising", None)
        facts = aggregation.facts()
        if output is not None:
            from bribeproof.io.write import write_table

            data.report(f"Writing {output}", None)
            if as_ == "label-studio":
                data.note(write_predictions(aggregation, file, output))
            else:
                write_table(result, output)
                data.note(f"wrote {facts['items']:,} item{'s' * (facts['items'] != 1)} to {output}")
        if plot is not None:
            data.note(_draw(result, aggregation, plot))
        if json:
            from bribeproof.io.write import to_records

            document = {"kind": data.recognised.kind, "read_as": data.recognised.describe(), "notes": data.notes}
            print_json(document | {"summary": facts, "items": to_records(result.collect())})
        else:
            from bribeproof.cli.output.aggregate import show_result

            show_result(result, facts, data.notes, decimals=round_, rows=20 if rows is None else rows, output=output)
    if fail_if_movable is not None:
        refuse_movable(facts, fail_if_movable)


def _draw(result: "pl.LazyFrame", aggregation: "Aggregation", picture: Path) -> str:
    """Draw the ranking of a few items with scores, else the most fragile items."""
    from bribeproof import plots
    from bribeproof.aggregation.summary import rank_result

    item = result.collect_schema().names()[0]
    if aggregation.kind == "scores":
        table = result.head(_MAX_RANKED + 1).collect()
        if table.height <= _MAX_RANKED:
            ranking, names = rank_result(table, aggregation.better), table[item].to_list()
            return write_picture(lambda: plots.ranking(ranking, names), picture, "the ranking")
    return write_picture(lambda: plots.items(result, item=item), picture, "the most fragile items")


def _aggregate(data: OpenInput, options: dict[str, Any]) -> "Aggregation":
    """Aggregate an open file."""
    from bribeproof.aggregation.aggregate import aggregate_recognised
    from bribeproof.aggregation.recognised import stated_options
    from bribeproof.io.read import Table

    refuse_other_kinds(data.recognised.kind, stated_options(data.recognised) | options)
    if isinstance(data.table, Table):
        data.report(f"Aggregating {data.table.frame.height:,} rows", None)
    return aggregate_recognised(data.table, data.recognised, missing=data.options["missing"], **options)
