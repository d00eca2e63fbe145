"""The page that shows people the JSON API, out of its schema."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_TYPES = {"integer": "whole number", "boolean": "true or false"}
_ENDS = {
    "minimum": "at least",
    "exclusiveMinimum": "above",
    "maximum": "at most",
    "exclusiveMaximum": "below",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a request or an answer."""

    name: str
    type: str
    required: bool
    default: str
    description: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address of the API, and what is said to it and comes back."""

    method: str
    path: str
    summary: str
    description: str
    takes: str
    example: str
    asked: tuple[Member, ...]
    answered: tuple[Member, ...]
    refusals: tuple[tuple[str, str], ...]


def endpoints(schema: Mapping[str, Any]) -> list[Endpoint]:
    """Return what an OpenAPI schema says of each address, in its order."""
    return [
        _endpoint(method.upper(), path, operation, schema)
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
    ]


def _endpoint(method: str, path: str, operation: Mapping[str, Any], schema: Mapping[str, Any]) -> Endpoint:
    """Describe one address."""
    [(takes, content)] = operation["requestBody"]["content"].items()
    answers = operation["responses"]
    return Endpoint(
        method=method,
        path=path,
        summary=operation["summary"],
        description=operation["description"],
        takes=takes,
        example="".join(json.dumps(one) for one in _resolved(content["schema"], schema).get("examples", ())),
        asked=_members(content["schema"], schema),
        answered=_members(answers["200"]["content"]["application/json"]["schema"], schema),
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
    """Follow a reference."""
    if "$ref" not in part:
        return part
    found: Mapping[str, Any] = schema["components"]["schemas"][part["$ref"].rpartition("/")[2]]
    return found


def _type(part: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Say in a few words what a value may be; null is the same as to leave it out."""
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
    """Say between which ends a number has to be."""
    ends = (
        ("minimum", "at least"),
        ("exclusiveMinimum", "above"),
        ("maximum", "at most"),
        ("exclusiveMaximum", "below"),
    )
    return "".join(f", {words} {part[end]:,.17g}" for end, words in ends if end in part)
