"""``bribeproof bribe``: what the same bribed reporters could change in all items of a file, or in a contest."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bribeproof._text import parse_number
from bribeproof.cli.commands.bribe_contest import ContestQuestion, search_contest_of
from bribeproof.cli.options.bribes import BribeOptions, column_or_pairs, columns_of
from bribeproof.cli.options.checks import check_output, check_seconds, refuse_other_kinds, refuse_unused
from bribeproof.cli.options.common import AdversariesIfAny, Classes, Decimals, Json, KindIfStated, OutputFile, Picture
from bribeproof.cli.options.converters import Names, Number, Whole, parse_names
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, OpenInput, open_input
from bribeproof.cli.options.values import CriteriaOptions, ScoreOptions, TotalOptions
from bribeproof.cli.options.weights_file import read_weights
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.bribery.bribed_reporters import BribedReporters

_GUESSED, _PLAIN, _BY_HEAD = ColumnOptions(), FileOptions(), BribeOptions()
_ONE_CRITERION, _NO_TOTAL, _PLAIN_SCORES = CriteriaOptions(), TotalOptions(), ScoreOptions()


def bribe(
    file: File,
    /,
    *more: File,
    k: AdversariesIfAny = None,
    change: str | None = None,
    change_items: Names = (),
    place: Whole | None = None,
    bought: BribeOptions = _BY_HEAD,
    values: str | None = None,
    weights: Path | None = None,
    time_limit: Number = 60.0,
    trim: Whole | None = None,
    kind: KindIfStated = None,
    where: ColumnOptions = _GUESSED,
    several: CriteriaOptions = _ONE_CRITERION,
    after: TotalOptions = _NO_TOTAL,
    classes: Classes = (),
    scores: ScoreOptions = _PLAIN_SCORES,
    reading: FileOptions = _PLAIN,
    round_: Decimals = None,
    plot: Picture = None,
    output: OutputFile = None,
    json: Json = False,
) -> None:
    """Find what the same bribed reporters could change.

    The same ones are bribed on all items: of votes or labels, those who could change most decisions; of scores, the
    places of a contest that judges could have caused.

    Parameters
    ----------
    file
        The file to read; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    k
        Number of reporters who are bribed, or of groups with --group.
    change
        Find the fewest who could change so many decisions of votes or labels, or the cheapest with --price. Of scores:
        the winner, or the podium.
    change_items
        Find the fewest who could change all of these items, or the cheapest with --price: A,B,C. Of scores, one entry.
    place
        Of scores, with --change-items: the place that the entry reaches, or a better one (default: any other).
    values
        Of votes and labels, what each item counts: a column, or a file with columns item and value (default: 1).
    weights
        A file with the weights of the reporters, for answers that are weighted: columns reporter and weight.
    time_limit
        Seconds to search; then comes the best found, with a bound that holds (default: 60).
    trim
        Of scores: how many of the lowest and of the highest marks the rule of the contest drops (default: k).
    kind
        Kind of the reports (default: inferred).
    classes
        All classes, if some were never reported: A,B,C.
    round_
        Round scores half up to this number of decimals, in exact decimal arithmetic.
    plot
        Draw what each could change, or the places that are possible: .png, .svg or .pdf.
    output
        Write the items they could change, or the entries of a contest: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print everything as JSON.
    """
    if output is not None:
        check_output(output, file, *more)
    if plot is not None:
        check_picture(plot, file, *more)
    names = parse_names(change_items)
    _check(k, bought, change, names)
    check_seconds(time_limit)
    apart = bought.columns | columns_of("amount", values)
    with open_input(
        (file, *more), reading, where, kind, other=apart, criteria=several, scores=scores.given, after=after
    ) as data:
        contest = data.recognised.kind == "scores"
        refuse_unused(
            {
                "--values": (values is not None, not contest, "votes or labels"),
                "--weights": (weights is not None, not contest, "votes or labels"),
                "--trim": (trim is not None, contest, "scores"),
                "--place": (place is not None, contest and bool(names), "scores and --change-items"),
            }
        )
        from bribeproof.aggregation.recognised import stated_options

        stated = stated_options(data.recognised) | {"decimals": round_, "classes": parse_names(classes) or None}
        refuse_other_kinds(data.recognised.kind, stated)
        if contest:
            question = ContestQuestion(k, trim, change, names, place, round_, time_limit)
            search_contest_of(data, question, bought, plot, output, json=json)
            return
        from bribeproof.bribery.cheapest_bribe import cheapest_bribe
        from bribeproof.bribery.worst_bribe import worst_bribe
        from bribeproof.frames.reading.open_reports import refuse_dependent

        refuse_dependent(data.recognised, "the list of bribed reporters")
        columns = data.recognised.columns
        given = {
            **bought.given(columns.reporter),
            "values": column_or_pairs("value", values, (columns.item, "item"), option="--values"),
            "weights": None if weights is None else read_weights(weights, columns.reporter),
            "time_limit": time_limit,
            "progress": _progress(data, time_limit),
            "label": columns.value or "label",
            "classes": parse_names(classes) or None,
            **data.options,
        }
        data.report("Searching", None)
        result: BribedReporters
        if change is None and not names:
            result = worst_bribe(data.table, k, **given)
        else:
            del given["budget"]
            result = cheapest_bribe(data.table, _decisions(change), items=list(names) or None, **given)
    if output is not None:
        data.note(write_rows(result.items, output, "items"))
    if plot is not None:
        from bribeproof.plots import bribe as draw

        data.note(write_picture(lambda: draw(result), plot, "what each of them could change"))
    if json:
        from bribeproof.io.write import to_records

        who = "groups" if result.grouped else "reporters"
        tables = {who: to_records(result.reporters), "items": to_records(result.items)}
        print_json({"notes": data.notes, **result.facts(), **tables})
        return
    from bribeproof.cli.output.bribe import show_bribe

    show_bribe(result, data.notes)


def _decisions(change: str | None) -> float | None:
    """Return how many decisions are to be changed."""
    if change in ("winner", "podium"):
        raise ParameterError(f"--change {change} is about scores, and these are votes or labels: give a number")
    return None if change is None else parse_number(change)


def _check(k: int | None, bought: BribeOptions, change: str | None, names: tuple[str, ...]) -> None:
    """Raise an error unless exactly one thing is asked."""
    asked = [k is not None, bought.budget is not None, change is not None, bool(names)]
    if sum(asked) != 1:
        raise ParameterError(
            "ask one thing: what --k 2 reporters could change at most, or some for --budget 100 with --price; or how "
            "few are enough to --change 10 decisions, or to change all of --change-items A,B"
        )
    if bought.price is not None and k is not None:
        raise ParameterError("--price needs --budget, the most that is spent, instead of --k; or --change 10")
    if bought.price is None and bought.budget is not None:
        raise ParameterError("--budget needs --price, what each bribe costs: a column, or a file")


def _progress(data: OpenInput, time_limit: float) -> Callable[[object, object], None]:
    """Return the function that shows the bounds and how much of the time is over."""
    start = time.monotonic()

    def show(lower: object, upper: object) -> None:
        bounds = " to ".join(f"{float(end):,.12g}" for end in (lower, upper))  # type: ignore[arg-type]
        data.report(f"Searching: {bounds}", min(1.0, (time.monotonic() - start) / time_limit))

    return show
