"""``bribeproof calibrate``: gold items with known truth in, what the panel is worth out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from bribeproof.cli.options.checks import check_output
from bribeproof.cli.options.converters import Flag, Names, Whole, parse_names
from bribeproof.cli.options.expert import GoldOptions
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, OpenInput, opened
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.calibration.result import Calibration

_GUESSED, _PLAIN, _UNKNOWN = ColumnOptions(), FileOptions(), GoldOptions()


def calibrate(
    file: File,
    /,
    *,
    known: GoldOptions = _UNKNOWN,
    k: Whole | None = None,
    share: str | None = None,
    group: str | None = None,
    bribed_groups: Whole | None = None,
    confidence: float = 0.95,
    prior: str | None = None,
    where: ColumnOptions = _GUESSED,
    positive: str = "1",
    classes: Names = (),
    reading: FileOptions = _PLAIN,
    plot: Path | None = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    json: Flag = False,
) -> None:
    """Learn from items with a known truth what a panel's votes are worth, though k of the reporters may be bribed.

    What is said holds with the confidence, also where the bribed posed as good reporters on these items.

    Parameters
    ----------
    file
        The votes; - for standard input, as CSV unless --format says otherwise.
    k
        How many reporters may be bribed: a head count.
    share
        Instead of --k: a share below 0.5, such as 0.2 or 1/5, turned into a count, rounded down.
    group
        Instead of --k, with --bribed-groups: the column with each reporter's group, such as a vendor.
    bribed_groups
        How many groups may be bribed as a whole.
    confidence
        How sure what is said has to be, such as 0.95.
    prior
        Probability of a positive truth, P or LOW,HIGH (default: from the gold items, drawn as the others are).
    positive
        The vote that counts as 1; of more than two classes it is set against all others.
    classes
        All classes in order, where not all of them were reported: A,B,C.
    plot
        Draw the guaranteed squared loss against k: .png, .svg or .pdf.
    output
        Write the reporters' rates here: .csv, .tsv, .parquet, .ndjson or .json.
    json
        Print everything as JSON.
    """
    if not known.given:
        raise ParameterError("the truth of some items is needed: --truth FILE, or --gold with the column that holds it")
    if output is not None:
        check_output(output, file)
    if plot is not None:
        check_picture(plot, file)
    with opened(file, reading, where, "votes") as data:
        from bribeproof.calibration.calibrate import calibrate as learn
        from bribeproof.calibration.report import describe_calibration

        options = data.options
        if data.found.columns.value:
            options["vote"] = data.found.columns.value
        truth, column = known.read(data.found.columns.item, options.get("vote", "label"))
        learned = learn(
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
    facts = describe_calibration(learned)
    if output is not None:
        data.note(write_rows(learned.reporters, output, "reporters"))
    if plot is not None:
        data.note(write_picture(lambda: _draw(learned), plot, "the guaranteed squared loss against k"))
    if json:
        from bribeproof.io.write import to_records

        print_json({"notes": data.notes, **facts, "reporters": to_records(learned.reporters)})
        return
    from bribeproof.cli.output.calibration import show_calibration

    show_calibration(learned, facts, data.notes)


def _draw(learned: "Calibration") -> "Axes":
    """Draw the guaranteed squared loss for each k."""
    from bribeproof import plots

    ks = range((learned.panel.n + 1) // 2)
    found = [learned.with_k(k).guarantee("squared") for k in ks]
    return plots.guarantee(ks, found, against="k", marked=learned.panel.k)


def _prior(text: str | None) -> tuple[float, float] | None:
    """Read a prior or its two ends."""
    if text is None:
        return None
    try:
        low, *rest = (float(part) for part in text.split(","))
        (high,) = rest or (low,)
    except ValueError:
        raise ParameterError(f"--prior {text}: give a probability, such as 0.3, or two, such as 0.2,0.4") from None
    return low, high


def _groups(data: OpenInput, group: str) -> dict[Any, object]:
    """Return the group of each reporter from a column of the reports."""
    from bribeproof.io.read import Table

    if not isinstance(data.table, Table):
        raise ParameterError("--group needs a file that fits in memory: give --k, the size of the largest groups")
    frame, reporter = data.table.frame, data.found.columns.reporter
    if not reporter or group not in frame.columns:
        raise ParameterError(f"--group {group}: there is no such column beside that of the reporters (long form)")
    pairs = frame.select(reporter, group).unique().drop_nulls()
    for name, count in pairs[reporter].value_counts().iter_rows():
        if count > 1:
            raise ParameterError(f"--group {group}: reporter {name!r} is in {count} groups; each can be in one")
    return dict(pairs.iter_rows())
