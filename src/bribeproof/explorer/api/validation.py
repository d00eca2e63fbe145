"""Parse requests to the JSON API, and turn every error into one sentence."""

import json
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from bribeproof._text import shorten
from bribeproof.errors import BribeproofError, ParameterError
from bribeproof.explorer.api.requests import plain_types
from bribeproof.explorer.worker_pool import UnavailableError

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
    "greater_than": "a number above {gt:,.17g}",
    "greater_than_equal": "a number of at least {ge:,.17g}",
    "less_than": "a number below {lt:,.17g}",
    "less_than_equal": "a number of at most {le:,.17g}",
}
"""What is allowed, for each type of validation error of pydantic."""


class ApiRoute(APIRoute):
    """A route that returns errors as JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of a request."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handle(_JsonRequest(request.scope, request.receive))
            except RequestValidationError as error:
                return _error_response(422, _sentence(error.errors()[0]))
            except BribeproofError as error:
                return _error_response(422, str(error))
            except UnavailableError as error:
                return _error_response(503, str(error))
            except HTTPException as error:
                return _error_response(422, f"the request: {error.detail}")

        return answer


def refuse_repeated(form: FormData, fields: type[BaseModel]) -> None:
    """Refuse a form that gives a field twice, unless the field is a list.

    Raises
    ------
    ParameterError
        If it does.
    """
    counts = Counter(name for name, _ in form.multi_items())
    for name, number in counts.items():
        if number > 1 and list not in plain_types(fields.model_fields[name].annotation):
            raise ParameterError(f"{name} arrived {number} times; give it once")


class _JsonRequest(Request):
    """A request whose body must be strict JSON."""

    async def json(self) -> Any:
        """Return the body; repeated keys, NaN and infinity are errors."""
        try:
            return json.loads(await self.body(), object_pairs_hook=_members, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            message = f"not valid JSON ({error.msg}, line {error.lineno}, column {error.colno})"
        except UnicodeDecodeError:
            message = "not UTF-8 text; send JSON in UTF-8"
        except RecursionError:
            message = "nested too deeply; send flat rows"
        except ValueError as error:
            message = str(error).partition(";")[0]
        raise HTTPException(422, message)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; a repeated key is an error."""
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {shorten(twice)} appears twice in an object, keep one")
    return members


def _no_constant(name: str) -> None:
    """Refuse NaN and infinity, which are not JSON."""
    raise ValueError(f"{name} is not JSON; write null for a missing value")


def _sentence(error: Mapping[str, Any]) -> str:
    """Return a sentence on where a request is wrong, what arrived and what is allowed."""
    where = _path(error["loc"][1:])
    if error["type"] == "missing":
        return f"{where} is missing; GET /api lists the fields of each request"
    if error["type"] == "extra_forbidden":
        return f"{where} is not a field of this request; GET /api lists the fields"
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


def _error_response(status: int, text: str) -> Response:
    """Return an error response; lone surrogates are escaped."""
    return JSONResponse({"error": text.encode("utf-8", "backslashreplace").decode()}, status)
