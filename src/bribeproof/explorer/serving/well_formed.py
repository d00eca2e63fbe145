"""Refuse addresses and host names that two programs could read in two ways."""

import re
from collections import Counter
from urllib.parse import parse_qsl

from starlette.types import Scope

from bribeproof._text import shorten

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?)(:[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
_STRAY_PERCENT = re.compile("%(?![0-9a-f]{2})", re.IGNORECASE)
_PATH = re.compile(r"(/(?!\.{1,2}(/|$))[^/\\\x00-\x1f\x7f-\x9f\ufffd]+)*/?")
"""A path from the root whose parts are neither empty nor ``.`` nor ``..``."""


def host_name(header: str) -> str:
    """Return the host name in a Host header in lower case, without the port; an empty one if it is malformed.

    Examples
    --------
    >>> host_name("LOCALHOST:8765"), host_name("[::1]:80"), host_name("localhost@evil.example")
    ('localhost', '::1', '')
    """
    match = _HOST.fullmatch(header)
    return match[1].strip("[]").lower() if match else ""


def address_error(scope: Scope) -> str | None:
    """Return what is wrong with the address of a request; None if nothing is.

    A path such as ``//evil.example`` is refused: as the target of a redirect it would be another host. A field that is
    given twice is refused, because programs differ in which of the two they take.

    Examples
    --------
    >>> address_error({"path": "/panel", "query_string": b"k=1&k=0"})
    "the field 'k' appears twice in the address; keep one"
    """
    raw_path: bytes = scope.get("raw_path") or b""
    query = scope["query_string"].decode("latin-1")
    if _STRAY_PERCENT.search(query) or _STRAY_PERCENT.search(raw_path.decode("latin-1")):
        return "the address has a % without two hexadecimal digits; write %25 for the character itself"
    if not (scope["path"] and _PATH.fullmatch(scope["path"])):
        return "the path of the address is malformed; the pages are /panel, /data, /attack and /api"
    try:
        fields = parse_qsl(query, keep_blank_values=True, errors="strict")
    except ValueError:
        return "the address is not UTF-8; write the bytes of UTF-8 after each %"
    counts = Counter(name for name, _ in fields)
    repeated = next((name for name, number in counts.items() if number > 1), None)
    if repeated is not None:
        return f"the field {shorten(repeated)} appears twice in the address; keep one"
    if any("\x00" in value for _, value in fields):
        return "the address holds a null byte; leave it out"
    return None
