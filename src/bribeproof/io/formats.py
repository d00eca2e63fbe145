"""The formats of files, and the file endings that stand for them."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

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
}
"""The format that each file ending stands for."""

POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars raises on data that it cannot read or write."""
_NO_MEMORY = re.compile(
    "spawn thread|temporarily unavailable|out of memory|memory allocation|cannot allocate", re.IGNORECASE
)


def reason(error: BaseException) -> str:
    r"""Return the first line of what an engine says of its failure.

    Raises
    ------
    MemoryError
        If it failed for want of memory, which says nothing about the data.

    Examples
    --------
    >>> reason(ValueError("no columns\nin a frame"))
    'no columns'
    """
    said = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    if _NO_MEMORY.search(said):
        raise MemoryError(said) from None
    return str(said)


def file_format(path: str | Path, format: str | None = None) -> str:  # noqa: A002
    """Give the format of a file by name or, by default, by the ending of its path.

    Parameters
    ----------
    path : str or Path
        The file, which need not exist.
    format : str, optional
        The name of the format.

    Returns
    -------
    str
        One of "csv", "tsv", "parquet", "ndjson" and "json".

    Raises
    ------
    FileError
        If the ending is not known.
    ParameterError
        If `format` is not known.

    Examples
    --------
    >>> file_format("votes.JSONL"), file_format("votes.dat", "csv")
    ('ndjson', 'csv')
    """
    if format is not None:
        if format not in FORMATS.values():
            raise ParameterError(
                f"format={format!r} is unknown; choose one of {', '.join(dict.fromkeys(FORMATS.values()))}"
            )
        return format
    ending = Path(path).suffix
    try:
        return FORMATS[ending.lower()]
    except KeyError:
        raise FileError(
            f"{path}: the ending {ending!r} is unknown; use one of {', '.join(FORMATS)}, "
            'or name the format, for example format="csv" (--format csv)'
        ) from None
