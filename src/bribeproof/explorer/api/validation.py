"""Turn every error of a request to the JSON API into one sentence."""

from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from bribeproof.errors import BribeproofError, ParameterError
from bribeproof.explorer.api.error_sentences import sentence
from bribeproof.explorer.api.fields import plain_types
from bribeproof.explorer.api.json_body import JsonBody
from bribeproof.explorer.workers.pool import UnavailableError


class ApiRoute(APIRoute):
    """A route that returns errors as JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of a request."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handle(_JsonRequest(request.scope, request.receive))
            except RequestValidationError as error:
                first = error.errors()[0]
                return _error_response(422, sentence(first, first["loc"][1:]))
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
    """A request whose body is JSON, to be parsed in a worker process."""

    async def json(self) -> JsonBody:
        """Return the body as it arrived."""
        return JsonBody(await self.body())


def _error_response(status: int, text: str) -> Response:
    """Return an error response; lone surrogates are escaped."""
    return JSONResponse({"error": text.encode("utf-8", "backslashreplace").decode()}, status)
