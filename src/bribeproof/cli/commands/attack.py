"""``bribeproof attack``: simulate bribed reporters in a file, and measure what each rule loses."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from bribeproof.cli.options.checks import check_output, refuse_large_k, refuse_other_kinds, refuse_unused
from bribeproof.cli.options.common import Classes, Json, Kind, KindIfStated, OutputFile, Picture, PositiveIfStated
from bribeproof.cli.options.converters import Flag, Whole, parse_names
from bribeproof.cli.options.expert import ExpertOptions, GoldOptions
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, open_input
from bribeproof.cli.options.values import ScoreOptions
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.attacks.result import AttackCurves

Strategy = Literal["opposite", "random", "high", "low", "copy", "collude", "close", "sleeper", "worst"]
_GUESSED, _PLAIN = ColumnOptions(), FileOptions()
_UNKNOWN, _NO_VOTER, _PLAIN_SCORES = GoldOptions(), ExpertOptions(), ScoreOptions()


def attack(
    file: File,
    /,
    *more: File,
    known: GoldOptions = _UNKNOWN,
    strategy: Strategy = "opposite",
    adversaries: str | None = None,
    shares: str | None = None,
    k: Annotated[str | None, Parameter(name=["--k", "-k"])] = None,
    seeds: Whole = 20,
    copy: str | None = None,
    gold_items: Path | None = None,
    weighed: Flag = False,
    answer_all: Flag = False,
    kind: KindIfStated = None,
    where: ColumnOptions = _GUESSED,
    positive: PositiveIfStated = None,
    classes: Classes = (),
    scores: ScoreOptions = _PLAIN_SCORES,
    voter: ExpertOptions = _NO_VOTER,
    reading: FileOptions = _PLAIN,
    plot: Picture = None,
    output: OutputFile = None,
    json: Json = False,
) -> None:
    """Simulate bribed reporters and measure what each rule loses.

    Parameters
    ----------
    file
        The votes, labels or scores; - reads standard input, as CSV unless --format is given. Votes and labels need the
        truth of some items; for scores the mean of the honest scores replaces it.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    strategy
        What the bribed do: report the opposite of the honest majority, at random, always the highest or lowest class,
        the answers of one reporter (copy), the same wrong label (collude), lie only on items that they can turn
        (close), lie except on gold items (sleeper), or maximise the loss of the worst-case rule (worst).
    adversaries
        Numbers of bribed reporters: A,B,C (default: 0,1,2,3).
    shares
        Instead of --adversaries: shares of bribed reporters, such as 0,0.1,0.2.
    k
        Numbers of bribed reporters that the rules assume: A,B,C (default: the true number, half of it and twice it).
    seeds
        Number of random draws of the bribed reporters.
    copy
        The reporter whose answers are copied (--strategy copy).
    gold_items
        A file that lists the gold items: sleepers are honest on them, and the calibrated rule and weights are fitted to
        them (default: the calibrated rule is cross-fitted on all items with a known truth).
    weighed
        Attack the rule of "bribeproof weigh" as well; its weights are learned anew in each draw.
    answer_all
        The bribed report on every item, not only on those that they reported on honestly.
    kind
        Kind of the reports (default: inferred).
    positive
        The vote that counts as 1 (default: 1).
    classes
        All classes in order, if some were never reported: A,B,C.
    plot
        Draw the squared loss against the number of bribed reporters: .png, .svg or .pdf.
    output
        Write the table to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print the table as JSON.
    """
    expert = voter.expert
    refuse_unused(
        {
            "--copy": (copy is not None, strategy == "copy", "--strategy copy"),
            "--strategy copy": (strategy == "copy", copy is not None, "--copy REPORTER"),
            "--strategy sleeper": (strategy == "sleeper", gold_items is not None, "--gold-items FILE"),
            "--strategy worst": (strategy == "worst", expert is not None, "--prior, --tpr and --fpr"),
        }
    )
    if adversaries is not None and shares is not None:
        raise ParameterError("--adversaries and --shares both set how many are bribed: give one of them")
    implied: Kind | None = "votes" if positive is not None or expert is not None else None
    counts = None if shares is not None else _counts("--adversaries", adversaries or "0,1,2,3")
    ks = None if k is None else _counts("--k", k)
    if output is not None:
        check_output(output, file, *more)
    if plot is not None:
        check_picture(plot, file, *more)
    with open_input(
        (file, *more), reading, where, kind, other=known.column, implied=implied, scores=scores.given
    ) as data:
        from bribeproof.aggregation.recognised import stated_options
        from bribeproof.attacks.corrupt import default_value
        from bribeproof.attacks.study import attack as study

        found = data.recognised.kind
        if not known.given and found != "scores":
            raise ParameterError("the truth of some items is needed: give --truth FILE, or --gold with its column")
        stated = data.recognised.stated
        refuse_other_kinds(found, stated_options(data.recognised))
        value = data.recognised.columns.value or default_value(found)
        truth, column = known.read(data.recognised, value)
        curves = study(
            data.table,
            truth,
            counts,
            strategy=strategy,
            shares=None if shares is None else [part.strip() for part in shares.split(",")],
            kind=found,
            ks=ks,
            draws=seeds,
            expert=expert,
            weighed=weighed,
            gold_items=gold_items,
            copy=copy,
            answer_all=answer_all,
            value=value,
            truth_column=column,
            positive=1 if positive is None else positive,
            classes=parse_names(classes) or None,
            scale=stated.scale,
            better=stated.better,
            decimal_mark=stated.decimal_mark,
            **data.options,
        )
    for number in ks or ():
        refuse_large_k(number, curves.n_reporters)
    uses_gold = curves.fit is not None or strategy == "sleeper" or weighed
    refuse_unused(
        {"--gold-items": (gold_items is not None, uses_gold, "votes of two classes, --strategy sleeper or --weighed")}
    )
    if output is not None:
        data.note(write_rows(curves.curves, output, "rows"))
    if plot is not None:
        from bribeproof.plots import attack as draw

        data.note(write_picture(lambda: draw(curves), plot, "the squared loss of each rule"))
    if json:
        _print_json(curves, data.notes)
        return
    from bribeproof.cli.output.attack import show_curves

    show_curves(curves, data.notes)


def _counts(option: str, text: str) -> list[int]:
    """Convert to a list of numbers of reporters."""
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,9}", part) for part in parts):
        raise ParameterError(f"{option} {text}: give numbers of reporters, such as 0,1,2,5")
    return [int(part) for part in parts]


def _print_json(curves: "AttackCurves", notes: list[str]) -> None:
    """Print the curves and their facts as JSON."""
    from bribeproof.io.write import to_records

    document = {"notes": notes, "reporters": curves.n_reporters, "items": curves.n_items, "known": curves.n_known}
    document |= {"draws": curves.draws, "seed": curves.seed}
    document["calibrated"] = None
    if curves.fit is not None:
        fit = {"items": curves.fit.items, "cross_fitted": curves.fit.cross_fitted}
        document["calibrated"] = {**fit, "promises": [promise.facts() for promise in curves.promises]}
    document["recommendation"] = curves.recommendation()
    print_json(document | {"curves": to_records(curves.curves)})
