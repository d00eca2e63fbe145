"""Names of file formats, and their file endings."""

from __future__ import annotations

import os
import re
from pathlib import Path

import polars as pl

from bribeproof._validation import check_type
from bribeproof.errors import FileError, ParameterError

FORMATS = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "json",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".xls": "xls",
    ".ods": "ods",
    ".xml": "xml",
}
"""The format of each file ending."""
RANKINGS = (".soc", ".soi", ".toc", ".toi")
"""The endings of files of rankings (PrefLib): strict or tied orders, complete or incomplete."""
WORKBOOKS = ("xlsx", "xls", "ods")
"""The formats of workbooks."""
_READ_ONLY = (".xlsm", ".xls", ".ods", ".xml")
"""The endings of files that are read but not written; a program opens an .xlsm only if it really holds macros."""
RECORDS = ("parquet", "json", "ndjson", "xml")
"""The formats without a header line."""
WITHOUT: dict[str, tuple[str, ...]] = {
    "sep": RECORDS + WORKBOOKS,
    "encoding": ("parquet", *WORKBOOKS),
    "header_line": RECORDS,
    "predictions": (),
    "sheet": tuple(name for name in dict.fromkeys(FORMATS.values()) if name not in WORKBOOKS),
}
"""The options of reading a file, and the formats to which each does not apply."""

POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""The errors of polars on data that it cannot read or write."""
_NO_MEMORY = re.compile(
    "spawn thread|temporarily unavailable|out of memory|memory allocation|cannot allocate", re.IGNORECASE
)


def is_read_only(path: str | os.PathLike[str], kind: str) -> bool:
    """Return whether a file can be read but not written, by its ending or the name of its format.

    Examples
    --------
    >>> is_read_only("votes.XLSM", "xlsx"), is_read_only("votes.xlsx", "xlsx")
    (True, False)
    """
    return Path(path).suffix.lower() in _READ_ONLY or f".{kind}" in _READ_ONLY


def reason(error: BaseException) -> str:
    r"""Return the first line of the message of an error.

    Raises
    ------
    MemoryError
        If the error is about a lack of memory, not about the data.

    Examples
    --------
    >>> reason(ValueError("no columns\nin a frame"))
    'no columns'
    """
    message = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    if _NO_MEMORY.search(message):
        raise MemoryError(message) from None
    return str(message)


def file_format(path: str | Path, format: str | None = None) -> str:  # noqa: A002
    """Return the format of a file: the named one or, by default, that of the ending of its path.

    Parameters
    ----------
    path : str or Path
        The file, which need not exist.
    format : str, optional
        The name of the format.

    Returns
    -------
    str
        One of "csv", "tsv", "parquet", "ndjson", "json", "xlsx", "xls", "ods" and "xml".

    Raises
    ------
    FileError
        If the ending is not known.
    ParameterError
        If `format` is not known.
    ParameterTypeError
        If `path` is no path.

    Examples
    --------
    >>> file_format("votes.JSONL"), file_format("votes.dat", "csv")
    ('ndjson', 'csv')
    """
    check_type("path", path, (str, os.PathLike), "the path of a file, such as 'votes.csv'")
    if format is not None:
        if format not in FORMATS.values():
            raise ParameterError(
                f"format={format!r} is unknown; choose one of {', '.join(dict.fromkeys(FORMATS.values()))}"
            )
        return format
    ending = Path(path).suffix
    if ending.lower() in RANKINGS:
        raise FileError(f"{path}: a file of rankings; use bribeproof rank, and in Python read_preflib and rank")
    try:
        return FORMATS[ending.lower()]
    except KeyError:
        raise FileError(
            f"{path}: the ending {ending!r} is unknown; use one of {', '.join(FORMATS)}, "
            'or name the format, for example format="csv" (--format csv)'
        ) from None
