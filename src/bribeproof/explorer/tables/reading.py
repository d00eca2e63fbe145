"""Read an uploaded file in a worker process, within the limits of the page."""

from dataclasses import replace
from pathlib import Path

from bribeproof._text import shorten
from bribeproof.errors import BribeproofError
from bribeproof.io.chunks import Chunks
from bribeproof.io.limits import Limits
from bribeproof.io.read import Table
from bribeproof.questions import QuestionError
from bribeproof.rankings.preflib import is_preflib, read_preflib

LIMITS = Limits(columns=20_000, cells=20_000_000, advice="use the command, bribeproof aggregate")
"""The largest table that the page and the API read."""
_CHUNK_BYTES = 1 << 23


class _Places:
    """The places of a file of rankings, of which each line is many rows."""

    def locate(self, row: int) -> str:
        """Return the number of a row of the table."""
        return f"row {row + 1:,}"


def read_upload(
    path: Path,
    name: str,
    *,
    sep: str | None = None,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002
    header_line: str | None = None,
    sheet: str | None = None,
    predictions: bool | None = None,
) -> Table:
    """Read an uploaded file; errors call it as the user does.

    Parameters
    ----------
    path
        The file.
    name
        The name that the user knows.
    sep, encoding, format, header_line, sheet, predictions
        As in `read_table`.

    Raises
    ------
    FileError, ParameterError
        If the file is too large, or cannot be read this way.
    QuestionError
        If it can be read in several ways.
    """
    name = name if name.isprintable() and len(name) <= 100 else shorten(name)
    try:
        if is_preflib(path) and format is None:
            return Table(read_preflib(path), name, (), _Places())  # type: ignore[arg-type]
        chunks = Chunks(
            path,
            sep=sep,
            encoding=encoding,
            format=format,
            header_line=header_line,
            sheet=sheet,
            predictions=bool(predictions),
            size=_CHUNK_BYTES,
            limits=LIMITS,
            name=name,
        )
        return replace(Table.of(chunks), source=name)
    except QuestionError as error:
        raise QuestionError(error.question.replace(str(path), name), error.choices, error.rows) from None
    except BribeproofError as error:
        raise type(error)(str(error).replace(str(path), name)) from None
