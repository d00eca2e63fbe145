"""``bribeproof sweep``: aggregate a file for every number of bribed reporters."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.cli.options.calibrated import calibrate_voters
from bribeproof.cli.options.checks import check_output, panel_size, refuse_large_k, refuse_other_kinds, refuse_unused
from bribeproof.cli.options.common import Classes, ConfidenceIfStated, Json, KindIfStated, OutputFile, Picture, Positive
from bribeproof.cli.options.converters import Whole, parse_names
from bribeproof.cli.options.expert import ExpertOptions, GoldOptions
from bribeproof.cli.options.groups import BRIBES
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, open_input
from bribeproof.cli.options.loss import LossOptions
from bribeproof.cli.options.values import CriteriaOptions, HonestyOptions, ScoreOptions, TotalOptions
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.calibration.result import Calibration
    from bribeproof.theory import Expert

_GUESSED, _PLAIN = ColumnOptions(), FileOptions()
_UNKNOWN, _NO_VOTER, _UNSTATED = GoldOptions(), ExpertOptions(), HonestyOptions()
_ONE_CRITERION, _NO_TOTAL, _PLAIN_SCORES = CriteriaOptions(), TotalOptions(), ScoreOptions()
_SQUARED, _ALONE = LossOptions(), BribeOptions()


def sweep(
    file: File,
    /,
    *more: File,
    most_k: Annotated[Whole | None, Parameter(group=BRIBES)] = None,
    bribes: BribeOptions = _ALONE,
    kind: KindIfStated = None,
    where: ColumnOptions = _GUESSED,
    several: CriteriaOptions = _ONE_CRITERION,
    after: TotalOptions = _NO_TOTAL,
    positive: Positive = "1",
    classes: Classes = (),
    scores: ScoreOptions = _PLAIN_SCORES,
    voter: ExpertOptions = _NO_VOTER,
    known: GoldOptions = _UNKNOWN,
    confidence: ConfidenceIfStated = None,
    priced: LossOptions = _SQUARED,
    honesty: HonestyOptions = _UNSTATED,
    reading: FileOptions = _PLAIN,
    plot: Picture = None,
    output: OutputFile = None,
    json: Json = False,
) -> None:
    """Aggregate for k = 0, 1, 2, … and show which answers change.

    Parameters
    ----------
    file
        The file to read; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    most_k
        Largest k (default: the largest that certifies some item); with --group, of groups.
    kind
        Kind of the reports (default: inferred).
    positive
        The vote that counts as 1.
    classes
        All classes in order: A,B,C. For votes, the negative and the positive one.
    confidence
        With --truth or --gold: confidence level of the guarantee (default: 0.95).
    plot
        Draw the number of changed answers against k: .png, .svg or .pdf.
    output
        Write the answers of all items for every k to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print the summary, and the first k at which each item changes, as JSON.
    """
    from bribeproof.frames.reading.kinds import implied_kind

    bribes.check_several("--most-k", most_k)
    expert, loss = voter.expert, priced.chosen
    implied = implied_kind(None, parse_names(classes), is_vote=positive != "1" or expert is not None)
    if expert is not None and known.given:
        raise ParameterError("--prior, --tpr and --fpr describe voters, and so do --truth and --gold: give one of them")
    refuse_unused(
        {
            str(priced.option): (
                priced.option is not None,
                expert is not None or known.given,
                "--truth, or --prior, --tpr and --fpr",
            ),
            "--confidence": (confidence is not None, known.given, "--truth or --gold"),
        }
    )
    if output is not None:
        check_output(output, file, *more)
    if plot is not None:
        check_picture(plot, file, *more)
    with open_input(
        (file, *more), reading, where, kind, honesty.given["asked"], known.column | bribes.columns,
        implied=implied, criteria=several, scores=scores.given, after=after,
    ) as data:  # fmt: skip
        from bribeproof.aggregation.recognised import stated_options
        from bribeproof.aggregation.sweep import sweep_recognised
        from bribeproof.frames.swept_bribes import SweptBribes

        recognised = data.recognised
        given = {"missing": data.options["missing"], "classes": parse_names(classes) or None} | honesty.given
        refuse_other_kinds(recognised.kind, stated_options(recognised) | given)
        voters: Expert | Calibration | None = expert
        if known.given:
            stated = None if positive == "1" else positive
            voters = calibrate_voters(
                data, known, 0, confidence=confidence, positive=stated, classes=parse_names(classes) or None
            )
        given |= {"positive": positive} if recognised.kind == "votes" and positive != "1" else {}
        reporter = recognised.columns.reporter
        group, price, budget = bribes.several(reporter).values()
        bought = SweptBribes.of(data.original, reporter, group, price)
        if most_k is not None and not bribes.are_given:
            reports = sweep_recognised(data.table, recognised, [0], **given)
            refuse_large_k(most_k, panel_size(reports.answers.lazy()), "most-k")
        ks = None if most_k is None else range(most_k + 1)
        swept = sweep_recognised(
            data.table, recognised, ks, bribes=bought, budget=budget, expert=voters, loss=loss, **given
        )
    if output is not None:
        data.note(write_rows(swept.answers, output, "rows, every item for every k,"))
    if plot is not None:
        from bribeproof.plots import sweep as draw

        data.note(write_picture(lambda: draw(swept), plot, "the number of changed answers against k"))
    if json:
        from bribeproof.io.write import to_records

        document: dict[str, object] = {"kind": recognised.kind, "notes": data.notes, "summary": to_records(swept.by_k)}
        if swept.condition is not None:
            document["condition"] = swept.condition
        if swept.promises is not None:
            document |= swept.promises.facts()
        print_json(document | {"changes": to_records(swept.items)})
        return
    from bribeproof.cli.output.sweep import show_sweep

    show_sweep(swept, data.notes)
