"""``bribeproof certify``: bound how often answers are right whatever k bribed reporters do."""

from pathlib import Path
from typing import Literal

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.cli.options.checks import check_output, refuse_unused
from bribeproof.cli.options.common import (
    AdversariesIfAny,
    Classes,
    Confidence,
    Json,
    OutputFile,
    Picture,
    SeedIfStated,
    Threshold,
)
from bribeproof.cli.options.converters import Flag, Number, parse_names
from bribeproof.cli.options.expert import GoldOptions
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, open_input
from bribeproof.cli.options.weights_file import read_weights
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.cli.thresholds import check_share_option, refuse_accuracy
from bribeproof.errors import ParameterError

_GUESSED, _PLAIN, _UNKNOWN, _ALONE = ColumnOptions(), FileOptions(), GoldOptions(), BribeOptions()


def certify(
    file: File,
    /,
    *,
    known: GoldOptions = _UNKNOWN,
    k: AdversariesIfAny = None,
    bribes: BribeOptions = _ALONE,
    no_silence: Flag = False,
    rule: Literal["plurality", "isotonic"] = "plurality",
    weights: Path | None = None,
    confidence: Confidence = 0.95,
    time_limit: Number | None = None,
    seed: SeedIfStated = None,
    where: ColumnOptions = _GUESSED,
    classes: Classes = (),
    reading: FileOptions = _PLAIN,
    fail_below: Threshold = None,
    plot: Picture = None,
    output: OutputFile = None,
    json: Json = False,
) -> None:
    """Bound how often answers are right even if k reporters are bribed.

    Each item with a known truth is attacked; nothing is assumed of honest reporters.

    Parameters
    ----------
    file
        The votes or labels; - reads standard input, as CSV unless --format is given.
    k
        The largest number of bribed reporters, or of groups (default: all for which something is certified).
    no_silence
        With --group or --price: who reports on an item is taken as given; the bribed neither withhold nor add reports.
    rule
        plurality: most reports, or most weight. isotonic: for two classes, a forecast that is fitted to half of the
        gold items under attack and certified on the others.
    weights
        A file with weights fixed beforehand: columns reporter and weight.
    confidence
        Confidence level of the bounds, such as 0.95.
    time_limit
        Seconds to search what the same k reporters could do, for each k (default: a few seconds for all k together).
    seed
        Draws the half of the gold items that --rule isotonic is fitted to (default: 0).
    classes
        All classes, if some were never reported: A,B,C.
    fail_below
        End with status 3, after all output, if a smaller share of the answers is certified to be right with the given k
        or budget.
    plot
        Draw certified accuracy against k: .png, .svg or .pdf.
    output
        Write the table by k to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print everything as JSON.
    """
    check_share_option(fail_below)
    refuse_unused(
        {"--fail-below": (fail_below is not None, k is not None or bribes.budget is not None, "--k or --budget")}
    )
    bribes.check_several("--k", k)
    grouped = bribes.group is not None or bribes.price is not None
    refuse_unused({"--no-silence": (no_silence, grouped, "--group or --price")})
    refuse_unused({"--seed": (seed is not None, rule == "isotonic", "--rule isotonic")})
    for source in (file, known.truth, weights):
        if output is not None and source is not None:
            check_output(output, source)
    if plot is not None:
        check_picture(plot, file)
    with open_input(file, reading, where, other=known.column | bribes.columns, implied="labels") as data:
        if data.recognised.kind == "scores":
            raise ParameterError(f"{where.reading}: it reads scores, and labels are certified: leave it out")
        from bribeproof.certification.certify import certify as run_certification
        from bribeproof.certification.result import describe_certification
        from bribeproof.frames.reading.open_reports import refuse_dependent

        refuse_dependent(data.recognised, "the bounds of a certificate")
        columns = data.recognised.columns
        value = columns.value or "label"
        truth, column = known.required(data).read(data.recognised, value)
        result = run_certification(
            data.table,
            truth,
            k,
            rule=rule,
            weights=None if weights is None else read_weights(weights, columns.reporter),
            confidence=confidence,
            time_limit=time_limit,
            seed=seed or 0,
            label=value,
            truth_column=column,
            classes=parse_names(classes) or None,
            silence=not no_silence,
            **bribes.several(columns.reporter),
            **data.options,
        )
    if output is not None:
        data.note(write_rows(result.by_k, output, "rows"))
    if plot is not None:
        from bribeproof import plots

        data.note(write_picture(lambda: plots.certified_accuracy(result), plot, "certified accuracy against k"))
    if json:
        print_json({"notes": data.notes, **describe_certification(result)})
    else:
        from bribeproof.cli.output.certification import show_certification

        show_certification(result, data.notes)
    if fail_below is not None:
        refuse_accuracy(result, fail_below)
