"""Write a table to a file, completely or not at all, and safe to open in a spreadsheet."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import polars as pl

from bribeproof._process import check_not_forked
from bribeproof._text import shorten
from bribeproof.errors import FileError, ParameterTypeError
from bribeproof.io.atomic import write_whole
from bribeproof.io.excel.writer import write_workbook
from bribeproof.io.formats import POLARS_ERRORS, file_format, is_read_only, reason

if TYPE_CHECKING:
    from collections.abc import Iterable
    from io import BufferedWriter
    from pathlib import Path

# Python and polars interpret both patterns equally.
_BLANK = "[\x01-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f\u2060\u3000\ufeff]"
"""White space and invisible characters."""
_FORMULA = f"^{_BLANK}*[-=+@\uff0d\uff1d\uff0b\uff20]|^[\t\r\n]"
_NUMBER = "[-+]?[0-9]*[.,]?[0-9]+([eE][-+]?[0-9]+)?"


def write_table(frame: pl.DataFrame | pl.LazyFrame, path: str | Path, *, format: str | None = None) -> None:  # noqa: A002
    r"""Write a table to a file, completely or not at all.

    The table is written to a temporary file, which then replaces the target, so that an interruption never leaves
    an incomplete file. CSV and TSV are UTF-8 with LF line ends, null and NaN are
    empty cells, and text that a spreadsheet would execute as a formula is neutralised. JSON and NDJSON have
    null for null, NaN and infinity. Parquet keeps all types, with the categories and their order. An .xlsx workbook
    has one sheet, in which text stays text, also where it begins like a formula.

    Parameters
    ----------
    frame : polars.DataFrame or polars.LazyFrame
        The table; a lazy one is written while it is computed, except as JSON, which is one list, or .xlsx.
    path : str or Path
        The file; one that exists is replaced and keeps its permissions.
    format : {"csv", "tsv", "json", "ndjson", "parquet", "xlsx"}, optional
        The format; by default that of the ending of the file name.

    Raises
    ------
    FileError
        If the file cannot be written or the format cannot hold the table.
    MissingPackageError
        If XlsxWriter is needed and not installed.
    ParameterError
        If `format` is unknown.
    ParameterTypeError
        If `frame` is no polars frame, or `path` no path.
    ForkError
        If this process was forked from one that had used tables.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "result.csv")
    ...     write_table(pl.DataFrame({"worker": ["=1+1", "-1"], "score": [7.5, None]}), path)
    ...     path.read_text()
    "worker,score\n'=1+1,7.5\n-1,\n"
    """
    check_not_forked()
    kind = file_format(path, format)
    if is_read_only(path, kind):
        raise FileError(f"{path}: such a file can be read but not written; write .xlsx")
    _check_frame(frame)
    _check_types(frame.collect_schema(), path, kind)
    try:
        write_whole(path, lambda file: _write(frame.lazy(), file, kind, path))
    except FileError:
        raise
    except (ValueError, RuntimeError, *POLARS_ERRORS) as error:
        raise FileError(f"{path}: cannot be written as {kind} ({reason(error)}); nothing was changed") from None


def neutralise(text: str) -> str:
    r"""Put an apostrophe before text that a spreadsheet would execute as a formula.

    Such text begins with one of ``= + - @``, also in full width or after white space, or with a tab or line end. A
    plain number such as -3.5 is not changed. OWASP recommends this defence against formula injection.

    Parameters
    ----------
    text : str
        The text of one cell.

    Returns
    -------
    str
        The text, with an apostrophe before it if need be.

    Examples
    --------
    >>> neutralise('=HYPERLINK("http://example.org")'), neutralise("-3.5"), neutralise("cat")
    ('\'=HYPERLINK("http://example.org")', '-3.5', 'cat')
    """
    return f"'{text}" if re.search(_FORMULA, text) and not re.fullmatch(_NUMBER, text) else text


def to_records(frame: pl.DataFrame) -> list[dict[str, object]]:
    """Return the rows as dictionaries for JSON, with None for null, NaN and infinity.

    Parameters
    ----------
    frame : polars.DataFrame
        The table.

    Returns
    -------
    list of dict
        One dictionary for each row.

    Examples
    --------
    >>> to_records(pl.DataFrame({"task": ["t1"], "share": [float("nan")]}))
    [{'task': 't1', 'share': None}]
    """
    return [{name: _finite(value) for name, value in row.items()} for row in frame.iter_rows(named=True)]


def _finite(value: object) -> object:
    """Return a value with None for NaN and infinity, also within lists and dictionaries."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_finite(member) for member in value]
    if isinstance(value, dict):
        return {key: _finite(member) for key, member in value.items()}
    return value


def _check_frame(frame: object) -> None:
    """Raise an error unless this is a polars frame."""
    if not isinstance(frame, pl.DataFrame | pl.LazyFrame):
        module, name = type(frame).__module__.partition(".")[0], type(frame).__name__
        raise ParameterTypeError(
            f"frame is {name if module == 'builtins' else f'{module}.{name}'}, not a polars DataFrame or LazyFrame; "
            "give one, such as polars.from_pandas(frame), the items of a result or the frame of a table"
        )


def _check_types(schema: pl.Schema, path: str | Path, kind: str) -> None:
    """Raise an error if the format cannot hold a column."""
    for name, dtype in schema.items():
        if kind != "parquet" and (
            dtype in (pl.Binary, pl.Object) or (dtype.is_nested() and kind in ("csv", "tsv", "xlsx"))
        ):
            raise FileError(
                f"{path}: {kind} cannot hold column {shorten(name)} of type {dtype}; drop it or write Parquet"
            )


def _write(frame: pl.LazyFrame, file: BufferedWriter, kind: str, path: str | Path) -> None:
    """Write the table to an open file."""
    if kind == "xlsx":
        write_workbook(frame.collect(), file, path)
    elif kind == "parquet":
        frame.sink_parquet(file)
    elif kind == "json":
        frame.collect().write_json(file)
    elif kind == "ndjson":
        frame.sink_ndjson(file)
    else:
        names = frame.collect_schema().names()
        # An empty cell of a single column would be a blank line, which readers skip.
        null = '""' if len(names) == 1 else ""
        for part in (_header(names), _cells(frame)):
            part.sink_csv(file, include_header=False, separator="\t" if kind == "tsv" else ",", null_value=null)


def _header(names: Iterable[str]) -> pl.LazyFrame:
    """Return the names as a row of cells."""
    return pl.LazyFrame({str(position): neutralise(name) for position, name in enumerate(names)})


def _cells(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Return the cells for a spreadsheet: neutralised text, null for NaN."""
    schema = frame.collect_schema()
    frame = frame.rename({name: str(position) for position, name in enumerate(schema)})
    text = [str(place) for place, dtype in enumerate(schema.dtypes()) if dtype in (pl.String, pl.Categorical, pl.Enum)]
    return frame.with_columns(
        pl.col(pl.Float32, pl.Float64).fill_nan(None),
        *(_neutralised(pl.col(name).cast(pl.String)).alias(name) for name in text),
    )


def _neutralised(text: pl.Expr) -> pl.Expr:
    """Apply `neutralise` to a column."""
    runs = text.str.contains(_FORMULA) & ~text.str.contains(f"^(?:{_NUMBER})$")
    return pl.when(runs).then("'" + text).otherwise(text)
