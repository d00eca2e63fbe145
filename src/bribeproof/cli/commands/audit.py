"""``bribeproof audit``: measure how far each reporter is from the others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from bribeproof._text import parse_scale
from bribeproof.cli.options.checks import check_output, refuse_empty_audit, refuse_other_kinds
from bribeproof.cli.options.common import (
    Adversaries,
    Classes,
    Confidence,
    Json,
    KindIfStated,
    OutputFile,
    Picture,
    Rows,
)
from bribeproof.cli.options.converters import Flag, Names, parse_names
from bribeproof.cli.options.expert import GoldOptions
from bribeproof.cli.options.groups import OUTPUT, SCORES
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, open_input
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.auditing.result import Audit

_MAX_ROWS = 1000
"""Largest number of reporters that are printed."""
_GUESSED, _PLAIN, _UNKNOWN = ColumnOptions(), FileOptions(), GoldOptions()


def audit(
    file: File,
    /,
    *more: File,
    k: Adversaries = 1,
    kind: KindIfStated = None,
    where: ColumnOptions = _GUESSED,
    scale: Annotated[str | None, Parameter(group=SCORES)] = None,
    decimal: Annotated[Literal[".", ","] | None, Parameter(show_choices=False, group=SCORES)] = None,
    same: Names = (),
    known: GoldOptions = _UNKNOWN,
    classes: Classes = (),
    equal_skill: Flag = False,
    confidence: Confidence = 0.95,
    reading: FileOptions = _PLAIN,
    plot: Picture = None,
    output: OutputFile = None,
    json: Json = False,
    rows: Rows = 20,
    details: Annotated[bool, Parameter(negative=(), show_default=False, group=OUTPUT)] = False,
) -> None:
    """Compare each reporter with the others, and reporters in pairs.

    Reads the files that aggregate reads. It accuses nobody: a better reporter deviates too.

    Parameters
    ----------
    file
        The file to read; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    k
        Number of the other reporters who may be bribed, on each item.
    kind
        Kind of the reports (default: inferred).
    scale
        The lowest and the highest possible score, such as 0,10: any other score stops the run.
    decimal
        Decimal mark of scores: "." or "," (default: inferred).
    same
        Two columns, such as judge_nation,skater_nation: compare the reports with equal values to the other reports,
        and to what others report on the same items.
    classes
        All classes in order, if some were never reported: A,B,C.
    equal_skill
        Without gold items: add p-values to pairs, right only if all reporters are equally skilled.
    confidence
        Probability that a list of findings holds no false one, under the assumption that is printed, such as 0.95.
    plot
        Draw the deviation of each reporter: .png, .svg or .pdf.
    output
        Write all reporters to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print everything as JSON, including pairs.
    rows
        Largest number of reporters, and of pairs, to print.
    details
        Print all that was measured of reporters, with intervals, and pairs; it is wide.
    """
    if not 0 <= rows <= _MAX_ROWS:
        raise ParameterError(f"--rows {rows}: print 0 (only the summary) to {_MAX_ROWS:,}; -o FILE writes all")
    columns = parse_names(same)
    if columns and len(columns) != 2:
        raise ParameterError(f"--same {','.join(columns)}: name two columns, such as judge_nation,skater_nation")
    if output is not None:
        check_output(output, file, *more)
    if plot is not None:
        check_picture(plot, file, *more)
    other = known.column | dict.fromkeys(columns, "group")
    scores = {"scale": None if scale is None else parse_scale(scale), "decimal_mark": decimal}
    with open_input((file, *more), reading, where, kind, other=other, scores=scores) as data:
        from bribeproof.aggregation.recognised import stated_options
        from bribeproof.auditing.audit import audit as run_audit
        from bribeproof.frames.reading.open_reports import refuse_dependent

        refuse_dependent(data.recognised, "the statements of an audit")
        data.report("Comparing reporters", None)
        given, stated = data.recognised.columns, data.recognised.stated
        refuse_other_kinds(data.recognised.kind, stated_options(data.recognised))
        truth, column = known.read(data.recognised, given.value or "label") if known.given else (None, None)
        result = run_audit(
            data.table,
            k,
            kind=data.recognised.kind,
            scale=stated.scale,
            decimal_mark=stated.decimal_mark,
            value=given.value,
            same=(columns[0], columns[1]) if columns else None,
            truth=truth,
            truth_column=column,
            classes=parse_names(classes) or None,
            equal_skill=equal_skill,
            confidence=confidence,
            **data.options,
        )
    refuse_empty_audit(result)
    if output is not None:
        data.note(write_rows(result.reporters, output, "reporters"))
    if plot is not None:
        from bribeproof.plots import reporters

        data.note(write_picture(lambda: reporters(result), plot, "the deviation of each reporter"))
    if json:
        _print_json(result, data.notes)
    else:
        from bribeproof.cli.output.audit import show_audit

        show_audit(result, data.notes, rows, details=details)


def _print_json(result: "Audit", notes: Sequence[str]) -> None:
    """Print the audit as JSON."""
    from bribeproof.io.write import to_records

    document = {
        "notes": list(notes),
        "kind": result.kind,
        "k": result.k,
        "confidence": result.confidence,
        "items": result.n_items,
        "compared_items": result.n_compared_items,
        "gold_items": result.gold_items,
        "equal_skill": result.equal_skill,
        "summary": result.summary().splitlines(),
        "reporters": to_records(result.reporters),
        "pairs": to_records(result.pairs),
    }
    print_json(document)
