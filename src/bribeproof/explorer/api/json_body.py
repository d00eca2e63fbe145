"""Request bodies in JSON, which are parsed and validated in a worker process: 20 MB may take seconds."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, core_schema

from bribeproof._text import shorten
from bribeproof.errors import ParameterError
from bribeproof.explorer.api.error_sentences import FIELDS, sentence

_Model = TypeVar("_Model", bound=BaseModel)


class JsonBody(bytes):
    """The body of a request that is marked as JSON, as it arrived."""

    __slots__ = ()


class Holds:
    """Document a `JsonBody` as the model that it holds.

    Parameters
    ----------
    model
        The model.
    """

    def __init__(self, model: type[BaseModel]) -> None:
        self.model = model

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return a schema that accepts bytes that are marked as JSON, and is documented as the model."""
        return core_schema.json_or_python_schema(
            json_schema=handler.generate_schema(self.model),
            python_schema=core_schema.is_instance_schema(JsonBody),
        )


def answer(task: Callable[[_Model], bytes], model: type[_Model], body: bytes, fields: str = FIELDS) -> bytes:
    """Parse a request, and return what a task answers to it.

    Parameters
    ----------
    task
        Function of the request.
    model
        The type of the request.
    body
        The request as strict JSON.
    fields
        Where the fields of a request are listed, for errors.

    Raises
    ------
    ParameterError
        If the body is not such a request; the task may raise other errors.
    """
    try:
        request = model.model_validate(parse(body))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ParameterError(sentence(first, first["loc"], fields)) from None
    return task(request)


def parse(body: bytes) -> Any:
    """Return what JSON holds; repeated keys, NaN and infinity are errors.

    Raises
    ------
    ParameterError
        If the bytes are not strict JSON in UTF-8.

    Examples
    --------
    >>> parse(b'{"k": 1}')
    {'k': 1}
    """
    try:
        return json.loads(body, object_pairs_hook=_members, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        message = f"not valid JSON ({error.msg}, line {error.lineno}, column {error.colno})"
    except UnicodeDecodeError:
        message = "not UTF-8 text; send JSON in UTF-8"
    except RecursionError:
        message = "nested too deeply; send flat rows"
    except ValueError as error:
        message = str(error).partition(";")[0]
    raise ParameterError(f"the request: {message}")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; a repeated key is an error."""
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {shorten(twice)} appears twice in an object, keep one")
    return members


def _no_constant(name: str) -> None:
    """Refuse NaN and infinity, which are not JSON."""
    raise ValueError(f"{name} is not JSON, write null for a missing value")
