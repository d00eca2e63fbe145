"""``bribeproof bribe``: find the reporters who, bribed together, could change most decisions of a file."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bribeproof.cli.options.bribes import BribeOptions, column_or_pairs, columns_of
from bribeproof.cli.options.checks import check_output
from bribeproof.cli.options.converters import Flag, Names, Number, Whole, parse_names
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, open_input
from bribeproof.cli.options.label_sets import refuse_dependent
from bribeproof.cli.options.weights_file import read_weights
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

_GUESSED, _PLAIN, _BY_HEAD = ColumnOptions(), FileOptions(), BribeOptions()


def bribe(
    file: File,
    /,
    *more: File,
    k: Whole | None = None,
    bought: BribeOptions = _BY_HEAD,
    values: str | None = None,
    weights: Path | None = None,
    time_limit: Number = 60.0,
    where: ColumnOptions = _GUESSED,
    classes: Names = (),
    reading: FileOptions = _PLAIN,
    plot: Path | None = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    json: Flag = False,
) -> None:
    """Find the reporters who together could change most decisions.

    The same reporters are bribed on all items, of votes or labels.

    Parameters
    ----------
    file
        The votes or labels; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    k
        Number of reporters who are bribed, or of groups with --group.
    values
        What each item counts: a column, or a file with columns item and value (default: 1).
    weights
        A file with the weights of the reporters, for answers that are weighted: columns reporter and weight.
    time_limit
        Seconds to search; then comes the best that was found, with a bound that holds (default: 60).
    classes
        All classes, if some were never reported: A,B,C.
    plot
        Draw how many items each of them could change, alone and together: .png, .svg or .pdf.
    output
        Write the items that they could change to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print everything as JSON.
    """
    if output is not None:
        check_output(output, file, *more)
    if plot is not None:
        check_picture(plot, file, *more)
    apart = bought.columns | columns_of(values)
    with open_input((file, *more), reading, where, other=apart) as data:
        if data.recognised.kind == "scores":
            raise ParameterError(
                "decisions of votes and labels are searched, and these are scores: aggregate says how far each can move"
            )
        refuse_dependent(data.recognised, "the list of bribed reporters")
        from bribeproof.bribery.worst_bribe import worst_bribe

        columns = data.recognised.columns
        data.report("Searching", None)
        result = worst_bribe(
            data.table,
            k,
            **bought.given(columns.reporter),
            values=column_or_pairs("value", values, (columns.item, "item"), option="--values"),
            weights=None if weights is None else read_weights(weights, columns.reporter),
            time_limit=time_limit,
            label=columns.value or "label",
            classes=parse_names(classes) or None,
            **data.options,
        )
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
