"""``bribeproof sweep``: what every number of bribed reporters would do to a file's answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from bribeproof.cli.options.checks import check_output, refuse_idle
from bribeproof.cli.options.converters import Flag, Whole, parse_loss
from bribeproof.cli.options.expert import ExpertOptions, GoldOptions
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, Kind, OpenInput, opened
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.aggregation.sweep_result import Sweep
    from bribeproof.calibration.result import Calibration

_GUESSED, _PLAIN = ColumnOptions(), FileOptions()
_UNKNOWN, _NO_VOTER = GoldOptions(), ExpertOptions()


def sweep(
    file: File,
    /,
    *,
    most_k: Whole | None = None,
    kind: Kind | None = None,
    where: ColumnOptions = _GUESSED,
    positive: str = "1",
    voter: ExpertOptions = _NO_VOTER,
    known: GoldOptions = _UNKNOWN,
    confidence: float | None = None,
    loss: str | None = None,
    reading: FileOptions = _PLAIN,
    plot: Path | None = None,
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
    confidence
        How sure guarantees from items with a known truth have to be (default: 0.95).
    loss
        The loss of the guarantee: squared (the default), absolute, log, or cost:FP,FN.
    plot
        Draw how many answers change with k: .png, .svg or .pdf.
    output
        Write the answers of all items for every k here: .csv, .tsv, .parquet, .ndjson or .json.
    json
        Print the summary and the first k at which each item changes as JSON.
    """
    expert = voter.expert
    if expert is not None and known.given:
        raise ParameterError("--prior, --tpr and --fpr, or --truth (--gold), say how good voters are: give one of them")
    refuse_idle(
        {
            "--loss": (loss is not None, expert is not None or known.given, "--truth, or --prior, --tpr and --fpr"),
            "--confidence": (confidence is not None, known.given, "--truth or --gold"),
        }
    )
    if output is not None:
        check_output(output, file)
    if plot is not None:
        check_picture(plot, file)
    with opened(file, reading, where, kind) as data:
        from bribeproof.aggregation.sweep import sweep as aggregate

        found, options = data.found, data.options
        if found.columns.value:
            options[found.kind.removesuffix("s")] = found.columns.value
        if found.kind == "votes":
            options["positive"] = positive
        worth = expert if not known.given else _calibrated(data, known, 0.95 if confidence is None else confidence)
        ks = None if most_k is None else range(most_k + 1)
        swept = aggregate(data.table, ks, kind=found.kind, expert=worth, loss=parse_loss(loss or "squared"), **options)
    if output is not None:
        data.note(write_rows(swept.answers, output, "rows, every item for every k,"))
    if plot is not None:
        from bribeproof.plots import sweep as draw

        data.note(write_picture(lambda: draw(swept), plot, "how many answers change with k"))
    if json:
        from bribeproof.io.write import to_records

        document = {"kind": found.kind, "notes": data.notes, "summary": to_records(swept.by_k)}
        print_json(document | {"changes": to_records(swept.items)})
        return
    _show(swept, data.notes)


def _calibrated(data: OpenInput, known: GoldOptions, confidence: float) -> "Calibration":
    """Learn from the items with a known truth what the votes are worth."""
    from bribeproof.calibration.calibrate import calibrate

    if data.found.kind != "votes":
        hint = ": where there are two classes, add --kind votes" * (data.found.kind == "labels")
        raise ParameterError(f"--truth and --gold say what votes are worth, and these are {data.found.kind}{hint}")
    options = dict(data.options)
    truth, column = known.read(options["item"], options.get("vote", "label"))
    return calibrate(data.table, truth, 0, confidence=confidence, truth_column=column, **options)


def _show(swept: "Sweep", notes: list[str]) -> None:
    """Print the table by k, and the items whose answers change first."""
    from bribeproof.cli.output.tables import cell, console, show_notes

    show_notes(notes)
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = {"changed": "changed or lost", "expected_loss": "expected loss ≤"}
    for name in swept.by_k.columns:
        table.add_column(headings.get(name, name), justify="right")
    for row in swept.by_k.iter_rows():
        table.add_row(*(cell(value) for value in row))
    out.print(table)
    out.print()
    out.print(Text(swept.summary()), soft_wrap=not out.is_terminal)
