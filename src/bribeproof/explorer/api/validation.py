"""How requests to the JSON API are read, and how they are refused: always by one sentence."""

import json
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from bribeproof._text import shorten
from bribeproof.errors import BribeproofError
from bribeproof.explorer.api.worker_pool import UnavailableError

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
"""What is allowed where a check fails that pydantic calls so."""


class ApiRoute(APIRoute):
    """A route that answers with JSON, also when it refuses."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handle(_JsonRequest(request.scope, request.receive))
            except RequestValidationError as error:
                return _refusal(422, _sentence(error.errors()[0]))
            except BribeproofError as error:
                return _refusal(422, str(error))
            except UnavailableError as error:
                return _refusal(503, str(error))
            except HTTPException as error:
                return _refusal(422, f"the request: {error.detail}")

        return answer


class _JsonRequest(Request):
    """A request whose body is JSON in the strict sense."""

    async def json(self) -> Any:
        """Return the body; a key that appears twice and a number that JSON does not have are errors."""
        try:
            return json.loads(await self.body(), object_pairs_hook=_members, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            said = f"not valid JSON ({error.msg}, line {error.lineno}, column {error.colno})"
        except UnicodeDecodeError:
            said = "not UTF-8 text; send JSON in UTF-8"
        except RecursionError:
            said = "nested too deeply; send flat rows"
        except ValueError as error:
            said = str(error).partition(";")[0]
        raise HTTPException(422, said)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; one of two members of a name would be lost."""
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {shorten(twice)} appears twice in an object, keep one")
    return members


def _no_constant(name: str) -> None:
    """Refuse NaN and infinity, which are no JSON."""
    raise ValueError(f"{name} is no JSON, write null for what is missing")


def _sentence(error: Mapping[str, Any]) -> str:
    """Say where a request is wrong, what arrived and what is allowed."""
    where = _place(error["loc"][1:])
    if error["type"] == "missing":
        return f"{where} is missing; GET /api shows what a request holds"
    if error["type"] == "extra_forbidden":
        return f"{where} is no field of this request; GET /api shows which there are"
    if isinstance(error["input"], bytes):
        return "the request is not marked as JSON: send it with the header Content-Type: application/json"
    allowed = _ALLOWED.get(error["type"], "").format(**error.get("ctx", {})) or error["msg"]
    return f"{where}: {_shown(error['input'])} arrived; give {allowed}"


def _place(path: Sequence[str | int]) -> str:
    """Write where a value stands, such as rows[3].label."""
    names = [f"[{part}]" if isinstance(part, int) else f".{_name(part)}" for part in path]
    return "".join(names).removeprefix(".") or "the request"


def _name(key: str) -> str:
    """Write the name of a member, quoted where it is long or cannot be read."""
    return key if key.isprintable() and len(key) <= 40 else shorten(key)


def _shown(value: object) -> str:
    """Write what arrived as JSON has it, on one line and not too long."""
    try:
        text = json.dumps(value)
    except TypeError:
        return shorten(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _refusal(status: int, text: str) -> Response:
    """Refuse in one sentence; what is no character of any text is escaped."""
    return JSONResponse({"error": text.encode("utf-8", "backslashreplace").decode()}, status)
