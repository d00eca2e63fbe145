"""The reference page of the JSON API, generated from its OpenAPI schema."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_TYPES = {"integer": "whole number", "boolean": "true or false"}
_BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "above",
    "maximum": "at most",
    "exclusiveMaximum": "below",
}


@dataclass(frozen=True, slots=True)
class Member:
    """One field of a request or an answer."""

    name: str
    type: str
    required: bool
    default: str
    description: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint of the API, with the fields of its request and its answer."""

    method: str
    path: str
    summary: str
    description: str
    content_type: str
    example: str
    request_members: tuple[Member, ...]
    answer_members: tuple[Member, ...]
    refusals: tuple[tuple[str, str], ...]


def endpoints(schema: Mapping[str, Any]) -> list[Endpoint]:
    """Return the endpoints of an OpenAPI schema, in its order."""
    return [
        _endpoint(method.upper(), path, operation, schema)
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
    ]


def _endpoint(method: str, path: str, operation: Mapping[str, Any], schema: Mapping[str, Any]) -> Endpoint:
    """Describe one endpoint."""
    [(content_type, content)] = operation["requestBody"]["content"].items()
    answers = operation["responses"]
    return Endpoint(
        method=method,
        path=path,
        summary=operation["summary"],
        description=operation["description"],
        content_type=content_type,
        example="".join(json.dumps(one) for one in _resolved(content["schema"], schema).get("examples", ())),
        request_members=_members(content["schema"], schema),
        answer_members=_members(answers["200"]["content"]["application/json"]["schema"], schema),
        refusals=tuple((status, answer["description"]) for status, answer in answers.items() if status != "200"),
    )


def _members(part: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[Member, ...]:
    """Describe the fields of an object."""
    whole = _resolved(part, schema)
    required = whole.get("required", ())
    members = [
        Member(
            name=name,
            type=_type(field, schema),
            required=name in required,
            default=json.dumps(field["default"]) if field.get("default") else "",
            description=field.get("description") or _resolved(field, schema).get("description", ""),
        )
        for name, field in whole["properties"].items()
    ]
    return tuple(sorted(members, key=lambda member: not member.required))


def _resolved(part: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow a reference in the schema."""
    if "$ref" not in part:
        return part
    target: Mapping[str, Any] = schema["components"]["schemas"][part["$ref"].rpartition("/")[2]]
    return target


def _type(part: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Describe the type of a value in a few words; null is left out."""
    whole = _resolved(part, schema)
    if "anyOf" in whole:
        kinds = dict.fromkeys(_type(one, schema) for one in whole["anyOf"] if one.get("type") != "null")
        return " or ".join(kinds)
    if "enum" in whole:
        return ", ".join(json.dumps(one) for one in whole["enum"])
    kind = whole.get("type", "value")
    if kind == "array":
        return f"list of {_type(whole['items'], schema)}"
    if kind == "string":
        return "file" if "contentMediaType" in whole or whole.get("format") == "binary" else "text"
    members = whole.get("additionalProperties")
    if kind == "object" and members:
        return f"object of {_type(members, schema)}"
    return f"{_TYPES.get(kind, kind)}{_range(whole)}"


def _range(part: Mapping[str, Any]) -> str:
    """Describe the range of a number."""
    return "".join(f", {words} {part[bound]:,.17g}" for bound, words in _BOUNDS.items() if bound in part)
