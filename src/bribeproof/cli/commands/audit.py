"""``bribeproof audit``: a file of reports in, how far each reporter is from the others out."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from bribeproof.cli.options.checks import check_output
from bribeproof.cli.options.converters import Flag, Names, Whole, parse_names
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, Kind, opened
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl
    from rich.text import Text

    from bribeproof.auditing.result import Audit

_MOST_ROWS = 1000
"""More reporters are not for reading."""
_GUESSED, _PLAIN = ColumnOptions(), FileOptions()
_SHOWN = {
    "scores": (
        "reporter", "compared", "dropped_low", "dropped_high", "drop_expected", "deviation", "deviation_se", "side",
    ),
    "labels": ("reporter", "compared", "agreement", "agreement_expected"),
}  # fmt: skip
_SHOWN_OF_ALL = ("rate", "rate_low", "rate_high", "rate_expected", "p_adjusted", "alike", "suspicion")
_SHOWN_OF_SAME = ("same", "same_effect", "same_p_adjusted")


def audit(
    file: File,
    /,
    *,
    k: Whole = 1,
    kind: Kind | None = None,
    where: ColumnOptions = _GUESSED,
    same: Names = (),
    confidence: float = 0.95,
    reading: FileOptions = _PLAIN,
    plot: Path | None = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    json: Flag = False,
    rows: Whole = 20,
) -> None:
    """Say of each reporter how far it is from the others, and which reporters are near-identical.

    Reads what aggregate reads. It speaks of deviation, never of guilt.

    Parameters
    ----------
    file
        The file to read; - for standard input, as CSV unless --format says otherwise.
    k
        How many of the others not to trust on each item: a head count.
    kind
        What the file holds.
    same
        Two columns, such as judge_nation,skater_nation: compares reports where they agree with the reporter's others.
    confidence
        How sure each list of findings has to be free of false ones, such as 0.95.
    plot
        Draw how far each reporter is from the others: .png, .svg or .pdf.
    output
        Write all reporters here: .csv, .tsv, .parquet, .ndjson or .json.
    json
        Print everything as JSON, near-identical pairs included.
    rows
        How many reporters, and pairs, to print at most.
    """
    if not 0 <= rows <= _MOST_ROWS:
        raise ParameterError(f"--rows {rows}: print 0 (the summary alone) to {_MOST_ROWS:,}; -o FILE holds all")
    columns = parse_names(same)
    if columns and len(columns) != 2:
        raise ParameterError(f"--same {','.join(columns)}: name two columns, such as judge_nation,skater_nation")
    if output is not None:
        check_output(output, file)
    if plot is not None:
        check_picture(plot, file)
    with opened(file, reading, where, kind) as data:
        from bribeproof.auditing.audit import audit as look

        data.report("Comparing reporters", None)
        found = look(
            data.table,
            k,
            kind=data.found.kind,
            value=data.found.columns.value,
            same=(columns[0], columns[1]) if columns else None,
            confidence=confidence,
            **data.options,
        )
    if output is not None:
        data.note(write_rows(found.reporters, output, "reporters"))
    if plot is not None:
        from bribeproof.plots import reporters

        data.note(write_picture(lambda: reporters(found), plot, "how far each reporter is from the others"))
    if json:
        _print_json(found, data.notes)
    else:
        _print(found, data.notes, rows)


def _print_json(found: "Audit", notes: Sequence[str]) -> None:
    """Print all that was found."""
    from bribeproof.io.write import to_records

    document = {
        "notes": list(notes),
        "kind": found.kind,
        "k": found.k,
        "confidence": found.confidence,
        "items": found.n_items,
        "compared_items": found.n_compared_items,
        "reporters": to_records(found.reporters),
        "copies": to_records(found.pairs),
    }
    print_json(document)


def _print(found: "Audit", notes: Sequence[str], rows: int) -> None:
    """Print the reporters that are furthest away, the pairs that are most alike, and what they mean."""
    from rich.text import Text

    from bribeproof.cli.output.tables import console, show_notes

    show_notes(notes)
    out = console()
    kind: Literal["scores", "labels"] = "scores" if found.kind == "scores" else "labels"
    shown = [*_SHOWN[kind], *_SHOWN_OF_ALL, *(name for name in _SHOWN_OF_SAME if name in found.reporters.columns)]
    for frame in (found.reporters.select(shown), found.pairs):
        if rows and frame.height:
            _print_table(frame, rows)
            out.print()
    out.print(Text(found.summary()), soft_wrap=not out.is_terminal)


def _print_table(frame: "pl.DataFrame", rows: int) -> None:
    """Print the first rows of a table, a word of the headings a line."""
    from rich.table import Table
    from rich.text import Text

    from bribeproof.cli.output.tables import cell, console

    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for name, dtype in frame.schema.items():
        justify: Literal["left", "right"] = "right" if dtype.is_numeric() else "left"
        table.add_column(Text(name.replace("_", "\n")), justify=justify, overflow="fold")
    for row in frame.head(rows).iter_rows():
        table.add_row(*(_short(value) if isinstance(value, float) else cell(value) for value in row))
    out.print(table)
    if frame.height > rows:
        out.print(Text(f"… and {frame.height - rows:,} more; print more with --rows, or all with --json"))


def _short(value: float) -> "Text":
    """Return a number with three significant digits."""
    from rich.text import Text

    return Text(f"{value:.3g}")
