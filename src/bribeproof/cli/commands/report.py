"""``bribeproof report``: one page, or a workbook, on what the answers in a file are worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof.cli.commands.report_rankings import report_rankings
from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.cli.options.common import (
    AdversariesIfAny,
    Classes,
    Confidence,
    Decimals,
    Kind,
    OutputFile,
    PositiveIfStated,
)
from bribeproof.cli.options.converters import Number, parse_names
from bribeproof.cli.options.expert import GoldOptions
from bribeproof.cli.options.groups import OUTPUT, REPORTS, VALUE
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, OpenInput, open_input
from bribeproof.cli.options.rankings import RankedOptions
from bribeproof.cli.options.values import CriteriaOptions, HonestyOptions, ScoreOptions, TotalOptions
from bribeproof.errors import FileError, ParameterError
from bribeproof.questions import QuestionError

if TYPE_CHECKING:
    from bribeproof.reporting.document import Report

_GUESSED, _PLAIN, _UNKNOWN, _ALONE = ColumnOptions(), FileOptions(), GoldOptions(), BribeOptions()
_NOT_RANKED = RankedOptions()
_UNSTATED, _ONE_CRITERION, _NO_TOTAL, _PLAIN_SCORES = (
    HonestyOptions(),
    CriteriaOptions(),
    TotalOptions(),
    ScoreOptions(),
)


def report(
    file: File,
    /,
    *more: File,
    k: AdversariesIfAny = None,
    bribes: BribeOptions = _ALONE,
    known: GoldOptions = _UNKNOWN,
    confidence: Confidence = 0.95,
    cost_per_report: Annotated[Number | None, Parameter(group=VALUE)] = None,
    kind: Annotated[Kind | Literal["rankings"] | None, Parameter(group=REPORTS)] = None,
    where: ColumnOptions = _GUESSED,
    several: CriteriaOptions = _ONE_CRITERION,
    after: TotalOptions = _NO_TOTAL,
    positive: PositiveIfStated = None,
    classes: Classes = (),
    scores: ScoreOptions = _PLAIN_SCORES,
    round_: Decimals = None,
    honesty: HonestyOptions = _UNSTATED,
    ranked: RankedOptions = _NOT_RANKED,
    reading: FileOptions = _PLAIN,
    title: Annotated[str | None, Parameter(group=OUTPUT)] = None,
    time_limit: Annotated[Number, Parameter(group=OUTPUT)] = 20.0,
    output: OutputFile = None,
) -> None:
    """Write a report: what the answers are worth, and what to do.

    One page that needs no network and that every browser prints to PDF, or a workbook with a sheet for each table. Of
    scores and of judges' rankings it says who won and how safe that is; of votes and labels which to trust, and which
    items to label again.

    Parameters
    ----------
    file
        The file to read; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    k
        Number of reporters who may be bribed; with --group, of groups (default: 1). Of rankings also the places that
        the trimmed mean leaves out at either end.
    confidence
        Confidence of the bounds that rest on --truth or --gold, or on chance, such as 0.95.
    cost_per_report
        What one more report costs, for the costs of labelling again.
    kind
        Kind of the reports (default: inferred).
    positive
        The vote that counts as 1 (default: 1).
    classes
        All classes in order: A,B,C. For votes, the negative and the positive one.
    round_
        Round scores half up to this number of decimals, in exact decimal arithmetic.
    title
        Title of the report (default: the name of the file).
    time_limit
        Seconds to search for the one list of reporters who could have changed most.
    output
        The report: .html or .xlsx.
    """
    target = _target(output, file, *more)
    from bribeproof.rankings.preflib import is_preflib

    if k is not None and bribes.budget is not None:
        raise ParameterError("--k counts bribes, and --budget money: give one of them")
    as_rankings = kind == "rankings" or (kind is None and (bool(ranked.given) or is_preflib(file)))
    if ranked.given and not as_rankings:
        raise ParameterError(f"--{min(ranked.given)} is about rankings, and these are {kind}: leave one of them out")
    if (bribes.price is None) != (bribes.budget is None) and not as_rankings:
        raise ParameterError("--price says what a bribe costs, and --budget how much is spent: give both, or neither")
    from bribeproof.cli.output.report import show_report
    from bribeproof.frames.reading.kinds import implied_kind
    from bribeproof.reporting.report import MAY_BE_RANKED, check_numbers, stated_only

    check_numbers(cost_per_report, time_limit, ("--cost-per-report ", "--time-limit "))
    implied = implied_kind(None, parse_names(classes), is_vote=positive is not None)
    stated = {
        **_known(known), "kind": kind, "group": _mapping(bribes.group), "price": _mapping(bribes.price),
        "budget": bribes.budget, "confidence": None if confidence == 0.95 else confidence,
        "cost_per_report": cost_per_report, **where.given, **several.given, **after.given, **scores.given,
        **reading.given, **honesty.given, "faulty": None if honesty.faulty == "error" else honesty.faulty,
        "decimals": round_, "positive": positive, "classes": parse_names(classes),
        "reading": None if where.reading is None else where.reading.name, "title": title,
    }  # fmt: skip
    files = (file, *more)

    def rankings(asked: QuestionError | None = None) -> tuple["Report", list[str]]:
        return report_rankings(files, k, bribes, stated_only({**stated, **ranked.given}), time_limit, asked)

    if kind == "rankings" or as_rankings:
        made, notes = rankings()
    else:
        try:
            with open_input(
                files, reading, where, kind, honesty.given["asked"], known.column | bribes.columns,
                implied=implied, criteria=several, scores=scores.given, after=after,
            ) as data:  # fmt: skip
                combined = {
                    "decimals": round_, "positive": positive, "classes": parse_names(classes) or None, **honesty.given,
                }  # fmt: skip
                made = _make(
                    data, files, k, bribes, known, combined, stated, confidence, cost_per_report, title, time_limit
                )
            notes = data.notes
        except QuestionError as asked:
            if stated_only(stated).keys() - MAY_BE_RANKED or str(file) == "-":
                raise
            made, notes = rankings(asked)
    made.save(target)
    show_report(made, [*notes, f"wrote the report to {target}"])


def _make(
    data: OpenInput,
    files: tuple[Path, ...],
    k: int | None,
    bribes: BribeOptions,
    known: GoldOptions,
    combined: dict[str, Any],
    stated: dict[str, Any],
    confidence: float,
    cost_per_report: float | None,
    title: str | None,
    time_limit: float,
) -> "Report":
    """Make the report of an open file."""
    from bribeproof.aggregation.recognised import stated_options
    from bribeproof.cli.options.checks import refuse_other_kinds
    from bribeproof.reporting.build import build_report
    from bribeproof.reporting.material import FileFacts, Question, Source
    from bribeproof.reporting.report import TITLES, stated_only
    from bribeproof.reporting.snippets import Snippets

    read = data.recognised
    refuse_other_kinds(read.kind, stated_options(read) | combined)
    if read.kind == "scores" and known.given:
        raise ParameterError("--truth and --gold are about votes and labels, and these are scores: leave them out")
    truth, column = known.read(read, read.columns.value or "label") if known.given else (None, None)
    is_default = k is None and bribes.budget is None
    on_disk = tuple(FileFacts.of(one) for one in files if str(one) != "-")
    source = Source(data.table, data.original, read, tuple(data.notes), data.options["missing"], on_disk)
    question = Question(
        1 if is_default else k, is_default, bribes.of(data), combined, truth, column, confidence, cost_per_report,
        time_limit,
    )  # fmt: skip
    snippets = Snippets(tuple(one.name for one in files), stated_only(stated))
    more = f" and {len(files) - 1} more" * (len(files) > 1)
    name = title or (f"{on_disk[0].name}{more}" if on_disk else TITLES[read.kind])
    return build_report(source, question, snippets, title=name, progress=data.report, k_name="--k ")


def _known(known: GoldOptions) -> dict[str, Any]:
    """Return the truth that was given, as the snippets take it."""
    from bribeproof.reporting.snippets import InFile

    if known.truth is None:
        return {"truth": known.gold}
    name = known.truth.name
    return {"truth": InFile(name, repr(name)), "truth_column": known.gold}


def _mapping(given: str | None) -> Any:
    """Return a column, or a file with a row for each name, as the snippets take it."""
    from bribeproof.io.formats import FORMATS
    from bribeproof.reporting.snippets import InFile

    if given is None or Path(given).suffix.lower() not in FORMATS:
        return given
    name = Path(given).name
    return InFile(name, f"dict(bp.read_table({name!r}).frame.iter_rows())")


def _target(output: Path | None, *files: Path) -> Path:
    """Return where the report goes; refuse what cannot be written or would overwrite an input file."""
    from bribeproof.reporting.document import check_path

    if output is None:
        raise ParameterError("say where the report goes: -o report.html, which a browser prints to PDF, or report.xlsx")
    check_path(output)
    if output.suffix.lower() == ".xlsx":
        from bribeproof._optional import require

        require("an .xlsx file", "xlsxwriter")
    if not output.parent.is_dir():
        raise FileError(f"-o {output}: there is no folder {output.parent}")
    if output.exists() and any(file.exists() and output.samefile(file) for file in files):
        raise FileError(f"-o {output}: this is the input file; choose another name")
    return output
