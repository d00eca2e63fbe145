"""Sentences for the errors that pydantic finds in requests."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bribeproof._text import shorten

_ALLOWED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "value_error": "a file",
    "string_unicode": "text without halves of characters",
    "string_too_short": "text that is not empty",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "literal_error": "{expected}",
    "too_long": "at most {max_length:,}",
    "greater_than": "a number above {gt:,.17g}",
    "greater_than_equal": "a number of at least {ge:,.17g}",
    "less_than": "a number below {lt:,.17g}",
    "less_than_equal": "a number of at most {le:,.17g}",
}
"""What is allowed, for each type of validation error of pydantic."""


FIELDS = "GET /api lists the fields of each request"
"""Where somebody who asks the JSON API learns what a request may say."""


def sentence(error: Mapping[str, Any], location: Sequence[str | int], fields: str = FIELDS) -> str:
    """Return a sentence on where a request is wrong, what arrived and what is allowed.

    Parameters
    ----------
    error
        The first error that pydantic found.
    location
        The place in the request.
    fields
        Where the fields of a request are listed.
    """
    where = _path(location)
    if error["type"] == "missing":
        return f"{where} is missing; {fields}"
    if error["type"] == "extra_forbidden":
        return f"{where} is not a field of this request; {fields}"
    if isinstance(error["input"], bytes):
        return "the request is not marked as JSON: send it with the header Content-Type: application/json"
    allowed = _ALLOWED.get(error["type"], "").format(**error.get("ctx", {})) or error["msg"]
    return f"{where}: {_shown(error['input'])} arrived; give {allowed}"


def _path(location: Sequence[str | int]) -> str:
    """Return the path of a value, such as rows[3].label."""
    names = [f"[{part}]" if isinstance(part, int) else f".{_name(part)}" for part in location]
    return "".join(names).removeprefix(".") or "the request"


def _name(key: str) -> str:
    """Return the name of a key, quoted and shortened if it is long or not printable."""
    return key if key.isprintable() and len(key) <= 40 else shorten(key)


def _shown(value: object) -> str:
    """Return a value as JSON on one line, shortened."""
    try:
        text = json.dumps(value)
    except TypeError:
        return shorten(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
