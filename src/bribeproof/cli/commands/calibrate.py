"""``bribeproof calibrate``: estimate from gold items how reliable a panel is."""

from typing import TYPE_CHECKING, Any

from bribeproof._text import parse_number
from bribeproof.cli.options.checks import check_output
from bribeproof.cli.options.common import (
    AdversariesIfAny,
    Classes,
    Confidence,
    Json,
    OutputFile,
    Picture,
    Positive,
    Share,
    Threshold,
)
from bribeproof.cli.options.converters import Whole, parse_names
from bribeproof.cli.options.expert import GoldOptions
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, OpenInput, open_input
from bribeproof.cli.options.loss import LossOptions
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.cli.thresholds import check_loss_option, refuse_loss
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.calibration.result import Calibration

_GUESSED, _PLAIN, _UNKNOWN, _ALL_LOSSES = ColumnOptions(), FileOptions(), GoldOptions(), LossOptions()


def calibrate(
    file: File,
    /,
    *more: File,
    known: GoldOptions = _UNKNOWN,
    k: AdversariesIfAny = None,
    share: Share = None,
    group: str | None = None,
    bribed_groups: Whole | None = None,
    confidence: Confidence = 0.95,
    prior: str | None = None,
    where: ColumnOptions = _GUESSED,
    positive: Positive = "1",
    classes: Classes = (),
    priced: LossOptions = _ALL_LOSSES,
    reading: FileOptions = _PLAIN,
    fail_above: Threshold = None,
    plot: Picture = None,
    output: OutputFile = None,
    json: Json = False,
) -> None:
    """Estimate a panel's reliability from items with a known truth.

    The bounds hold with the given confidence, even if k bribed reporters are honest on these items.

    Parameters
    ----------
    file
        The votes; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    k
        Number of reporters who may be bribed.
    share
        Instead of --k: share of the reporters, below 0.5, such as 0.2 or 1/5; rounded down to a number.
    group
        Instead of --k, with --bribed-groups: column with the group of each reporter, such as a vendor; whoever has none
        is a group alone.
    bribed_groups
        Number of groups that may be bribed as a whole.
    confidence
        Confidence level of all bounds, such as 0.95.
    prior
        Probability that the truth is positive, P or LOW,HIGH (default: estimated from the gold items).
    positive
        The vote that counts as 1; all other votes count as 0.
    classes
        All classes in order, if some were never reported: A,B,C.
    fail_above
        End with status 3, after all output, if the guaranteed expected loss on the certified items is larger, or no
        item is certified: the squared loss, unless --loss is given.
    plot
        Draw the guaranteed squared loss of the certified items against k: .png, .svg or .pdf.
    output
        Write the reporters' rates to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print everything as JSON.
    """
    check_loss_option(fail_above)
    if output is not None:
        check_output(output, file, *more)
    if plot is not None:
        check_picture(plot, file, *more)
    with open_input((file, *more), reading, where, other=known.column, implied="votes") as data:
        if data.recognised.kind == "scores":
            raise ParameterError(f"{where.reading}: it reads scores, and these are calibrated as votes: leave it out")
        from bribeproof.calibration.calibrate import calibrate as run_calibration
        from bribeproof.calibration.report import describe_calibration
        from bribeproof.calibration.result import LOSSES
        from bribeproof.frames.reading.open_reports import refuse_dependent

        refuse_dependent(data.recognised, "the bounds of a calibration")
        options = data.options
        if data.recognised.columns.value:
            options["vote"] = data.recognised.columns.value
        truth, column = known.required(data).read(data.recognised, options.get("vote", "label"))
        calibration = run_calibration(
            data.table,
            truth,
            k,
            share=share,
            groups=None if group is None else _groups(data, group),
            bribed_groups=bribed_groups,
            confidence=confidence,
            prior=_prior(prior),
            truth_column=column,
            positive=positive,
            classes=parse_names(classes) or None,
            **options,
        )
    facts = describe_calibration(calibration, LOSSES if priced.given is None else (priced.given,))
    if output is not None:
        data.note(write_rows(calibration.reporters, output, "reporters"))
    if plot is not None:
        data.note(write_picture(lambda: _draw(calibration), plot, "the guaranteed squared loss against k"))
    if json:
        from bribeproof.io.write import to_records

        print_json({"notes": data.notes, **facts, "reporters": to_records(calibration.reporters)})
    else:
        from bribeproof.cli.output.calibration import show_calibration

        show_calibration(calibration, facts, data.notes)
    if fail_above is not None:
        refuse_loss(facts, fail_above)


def _draw(calibration: "Calibration") -> "Axes":
    """Draw the guaranteed squared loss for each k."""
    from bribeproof import plots

    points = calibration.guarantees(range((calibration.panel.n + 1) // 2))
    if not points:
        raise ParameterError("--plot: no item has a report, so there is no guarantee to draw")
    return plots.guarantee(list(points), list(points.values()), against="k", marked=calibration.panel.k)


def _prior(text: str | None) -> tuple[float, float] | None:
    """Convert to a prior, as its lower and upper bound."""
    if text is None:
        return None
    try:
        low, *rest = (parse_number(part) for part in text.split(","))
        (high,) = rest or (low,)
    except ValueError:
        raise ParameterError(f"--prior {text}: give a probability, such as 0.3, or two, such as 0.2,0.4") from None
    return low, high


def _groups(data: OpenInput, group: str) -> dict[Any, object]:
    """Return the group of each reporter, from a column of the file; whoever has none is a group alone."""
    from bribeproof.io.read import Table

    if not isinstance(data.table, Table):
        raise ParameterError("--group needs a file that fits in memory: give --k, the size of the largest groups")
    frame, reporter = data.table.frame, data.recognised.columns.reporter
    if not reporter or group not in frame.columns:
        raise ParameterError(f"--group {group}: there is no such column next to that of the reporters (long form)")
    if group == reporter:
        raise ParameterError(f"--group {group} is the column of the reporters: name that of their groups, or give --k")
    pairs = frame.select(reporter, group).unique().drop_nulls()
    for name, count in pairs[reporter].value_counts().iter_rows():
        if count > 1:
            raise ParameterError(f"--group {group}: reporter {name!r} is in {count} groups; each belongs to one")
    alone = {name: (name,) for name in frame[reporter].unique().drop_nulls()}
    return {**alone, **dict(pairs.iter_rows())}
