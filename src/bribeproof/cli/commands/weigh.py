"""``bribeproof weigh``: weighted aggregation of a file of labels."""

from pathlib import Path
from typing import Any

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.cli.options.checks import check_output, panel_size, refuse_large_k, refuse_unused
from bribeproof.cli.options.common import (
    AdversariesIfAny,
    Classes,
    ConfidenceIfStated,
    Json,
    KindIfStated,
    OutputFile,
    PositiveIfStated,
)
from bribeproof.cli.options.converters import Number, parse_names
from bribeproof.cli.options.expert import ExpertOptions, GoldOptions
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, open_input
from bribeproof.cli.options.loss import LossOptions
from bribeproof.cli.options.values import HonestyOptions
from bribeproof.cli.options.weights_file import read_weights
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.errors import FileError, ParameterError

_GUESSED, _PLAIN, _SQUARED = ColumnOptions(), FileOptions(), LossOptions()
_UNKNOWN, _NO_VOTER, _UNSTATED, _ALONE = GoldOptions(), ExpertOptions(), HonestyOptions(), BribeOptions()


def weigh(
    file: File,
    /,
    *more: File,
    k: AdversariesIfAny = None,
    bribes: BribeOptions = _ALONE,
    weight_spread: Number | None = None,
    known: GoldOptions = _UNKNOWN,
    weights: Path | None = None,
    confidence: ConfidenceIfStated = None,
    kind: KindIfStated = None,
    where: ColumnOptions = _GUESSED,
    positive: PositiveIfStated = None,
    classes: Classes = (),
    voter: ExpertOptions = _NO_VOTER,
    priced: LossOptions = _SQUARED,
    honesty: HonestyOptions = _UNSTATED,
    reading: FileOptions = _PLAIN,
    output: OutputFile = None,
    weights_output: Path | None = None,
    json: Json = False,
) -> None:
    """Aggregate labels, with more weight for better reporters.

    Parameters
    ----------
    file
        The labels; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    k
        Number of reporters who may be bribed, on all items together; with --group, of groups.
    weight_spread
        How far weights may differ: from 0 (not at all) to below 1 (default: 0.5; no limit with --weights).
    weights
        A file with given weights instead of learned ones: columns reporter and weight. With --truth, the guarantee is
        measured on the items with a known truth, which the weights must not depend on.
    confidence
        With --weights and --truth: the confidence level of the guarantee (default: 0.95).
    kind
        Kind of the reports: votes or labels (default: inferred).
    positive
        The label that counts as 1 (default: 1).
    classes
        All classes in order, if some were never reported: A,B,C.
    output
        Write the answers to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    weights_output
        Write the weight of each reporter to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print everything as JSON.
    """
    bribes.check(k, shares=False)
    expert, loss = voter.expert, priced.chosen
    measured = weights is not None and known.given
    if measured and expert is not None:
        raise ParameterError(
            "with --weights, --truth measures how much weight errs, and --prior, --tpr and --fpr say how often "
            "reporters err: give one"
        )
    both = "--prior, --tpr and --fpr, or --weights and --truth"
    refuse_unused(
        {
            str(priced.option): (priced.option is not None, expert is not None or measured, both),
            "--positive": (positive is not None, expert is not None or measured, both),
            "--confidence": (confidence is not None, measured, "--weights and --truth"),
        }
    )
    for option, target in (("-o", output), ("--weights-output", weights_output)):
        for source in (file, *more, known.truth, weights):
            if target is not None and source is not None:
                check_output(target, source, option=option)
    if output is not None and weights_output is not None and output.resolve() == weights_output.resolve():
        raise FileError(f"--weights-output {weights_output}: the answers go to this file (-o); choose another name")
    with open_input((file, *more), reading, where, kind, honesty.given["asked"], known.column | bribes.columns) as data:
        from bribeproof.weighting.weigh import weigh as combine

        columns = data.recognised.columns
        if data.recognised.kind == "scores":
            raise ParameterError(
                "scores cannot be weighted: use bribeproof aggregate; if these are labels, add --kind labels"
            )
        value = columns.value or "label"
        truth, column = known.read(data.recognised, value)
        data.report("Weighing", None)
        result = combine(
            data.table,
            k,
            weight_spread=weight_spread,
            weights=None if weights is None else read_weights(weights, columns.reporter),
            truth=truth,
            truth_column=column,
            confidence=0.95 if confidence is None else confidence,
            expert=expert,
            loss=loss,
            label=value,
            positive=1 if positive is None else positive,
            classes=parse_names(classes) or None,
            **(data.options | honesty.given | bribes.given(columns.reporter)),
        )
    if not bribes.are_given:
        refuse_large_k(k, panel_size(result.items.lazy()))
    for frame, target, what in ((result.items, output, "items"), (result.reporters, weights_output, "reporters")):
        if target is not None:
            data.note(write_rows(frame, target, what))
    if json:
        from bribeproof.io.write import to_records
        from bribeproof.weighting.result import describe_guarantee

        document: dict[str, Any] = {"kind": data.recognised.kind, "notes": data.notes}
        document |= {"k": result.k} | result.bribe_facts() | {"weight_spread": result.weight_spread}
        if sentences := describe_guarantee(result, result.items):
            document["guarantee"] = " ".join(sentences)
        if result.promise is not None:
            document |= result.promise.facts()
        if result.measured is not None:
            document |= {"confidence": result.confidence, "measured": result.measured.facts()}
        print_json(document | {"answers": to_records(result.items), "reporters": to_records(result.reporters)})
        return
    from bribeproof.cli.output.weigh import show_weighed

    show_weighed(result, data.notes)
