"""Ask for the format of a file whose first bytes belong to another one than its ending says."""

from __future__ import annotations

import codecs
import json
from typing import TYPE_CHECKING

from bribeproof.io.formats import WORKBOOKS
from bribeproof.questions import Choice, QuestionError

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNATURES = {b"PK\x03\x04": "xlsx", b"\xd0\xcf\x11\xe0": "xls", b"PAR1": "parquet"}
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_MEANINGS = {
    "csv": "it is delimited text",
    "json": "it is a list of JSON objects",
    "ndjson": "it is NDJSON, one object on each line",
    "xlsx": "it is an Excel workbook",
    "xls": "it is an old Excel workbook",
    "ods": "it is a workbook of LibreOffice",
    "parquet": "it is Parquet",
}


def check_format(head: bytes, kind: str, source: str) -> None:
    """Ask for the format of a file if its first bytes belong to another one.

    Parameters
    ----------
    head : bytes
        The first bytes of the file.
    kind : str
        The format that the ending of its name says.
    source : str
        The file, for the message.

    Raises
    ------
    QuestionError
        If the bytes belong to another format.

    Examples
    --------
    >>> check_format(b"task,worker,label", "csv", "votes.csv")
    >>> check_format(b'[{"task": "t1"}]', "csv", "votes.csv")
    Traceback (most recent call last):
    ...
    bribeproof.questions.QuestionError: votes.csv: this does not look like CSV: use format='json' (it is a list of ...)
    """
    found = likely_format(head)
    if found is None or found == ("csv" if kind == "tsv" else kind) or {found, kind} <= set(WORKBOOKS):
        return
    if (found, kind) == ("ndjson", "json") and not _has_lines(head):
        return
    rows: Sequence[tuple[int, Sequence[str]]] = ()
    if found in ("csv", "json", "ndjson"):
        rows = [(line, [text]) for line, text in enumerate(head.decode("utf-8", "replace").splitlines(), start=1)]
    choice = Choice(_MEANINGS[found], {"format": found})
    raise QuestionError(f"{source}: this does not look like {kind.upper()}", [choice], rows)


def likely_format(head: bytes) -> str | None:
    """Return the format to which the first bytes of a file belong; None if that is not certain.

    Examples
    --------
    >>> [likely_format(head) for head in (b"PAR1", b'{"task": "t1"}', b"task,worker", b"<html>")]
    ['parquet', 'ndjson', 'csv', None]
    """
    for signature, kind in _SIGNATURES.items():
        if head.startswith(signature):
            return "ods" if _OPEN_DOCUMENT in head else kind
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if text.startswith(b"["):
        return "json" if text[1:].lstrip().startswith(b"{") else None
    if text.startswith(b"{"):
        return "ndjson"
    is_text = text and text[:1].isalnum() and not any(byte < 32 and byte not in b"\t\n\r" for byte in text)
    return "csv" if is_text and any(mark in text for mark in (b",", b";", b"\t", b"|")) else None


def _has_lines(head: bytes) -> bool:
    """Return whether the first line is an object of its own, and a second one follows."""
    first, *second = head.splitlines()
    try:
        return bool(second) and isinstance(json.loads(first), dict)
    except ValueError:
        return False
