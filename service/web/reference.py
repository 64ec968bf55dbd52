"""The OpenAPI document as the reference pages tell it: routes by noun, fields of what they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Document: TypeAlias = Mapping[str, Any]

METHODS = ("get", "post", "put", "delete")
PROBLEM = "application/problem+json"
SCHEMA = "#/components/schemas/"
BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
)
DEPTH_MAX = 12


def nouns_of(document: Document) -> list[str]:
    """Return the nouns of the API in their order."""
    return [tag["name"] for tag in document["tags"]]


def operations_of(document: Document, noun: str | None = None) -> list[dict[str, Any]]:
    """Return the routes of a noun, or all, by path."""
    return [
        _operation(path, method, item[method], item.get("parameters", []))
        for path, item in document["paths"].items()
        for method in METHODS
        if method in item and noun in (None, item[method]["tags"][0])
    ]


def _operation(
    path: str, method: str, declared: Document, shared: Sequence[Document]
) -> dict[str, Any]:
    parameters = [*shared, *declared.get("parameters", [])]
    return {
        "id": f"{method}-{path.removeprefix('/api/v1/')}".replace("/", "-"),
        "noun": declared["tags"][0],
        "method": method.upper(),
        "path": path,
        "summary": declared.get("summary", ""),
        "text": declared.get("description", ""),
        "parameters": [_parameter(one) for one in parameters],
        "body": _content(declared.get("requestBody")),
        "answers": [
            {"status": status, **_content(answer)}
            for status, answer in declared["responses"].items()
            if status.startswith("2")
        ],
        "problems": [
            {"status": status, "codes": answer["description"].split(", ")}
            for status, answer in declared["responses"].items()
            if PROBLEM in answer.get("content", {})
        ],
        "permission": declared["x-permission"],
    }


def _parameter(declared: Document) -> dict[str, Any]:
    return {
        "name": declared["name"],
        "in": declared["in"],
        "is_required": declared.get("required", False),
        "type": type_of(declared["schema"]),
    }


def _content(declared: Document | None) -> dict[str, Any]:
    """Return the media type and the type of a body, both None for none."""
    for media_type, content in (declared or {}).get("content", {}).items():
        return {"media_type": media_type, "type": type_of(content["schema"])}
    return {"media_type": None, "type": None}


def type_of(schema: Document) -> dict[str, Any]:
    """Return a type in short: its words, the schema it leads to, values, bounds, pattern, default.

    A type that may be null says so; a list or map is that of its elements, in `around`.
    """
    around: list[str] = []
    is_nullable = False
    for _ in range(DEPTH_MAX):
        names = schema.get("type")
        is_nullable |= isinstance(names, list) and "null" in names
        if "anyOf" in schema:
            is_nullable |= {"type": "null"} in schema["anyOf"]
            schema = next(one for one in schema["anyOf"] if one != {"type": "null"})
        elif "items" in schema:
            around.append("list")
            schema = schema["items"]
        elif isinstance(schema.get("additionalProperties"), dict):
            around.append("map")
            schema = schema["additionalProperties"]
        else:
            break
    return {
        "around": around,
        "is_nullable": is_nullable,
        "name": _name(schema),
        "schema": schema["$ref"].removeprefix(SCHEMA) if "$ref" in schema else None,
        "values": [one for one in schema.get("enum", []) if one is not None],
        "bounds": _bounds(schema),
        "pattern": schema.get("pattern"),
        "default": schema.get("default"),
    }


def _name(schema: Document) -> str:
    names = schema.get("type", "any")
    if isinstance(names, list):
        names = next(name for name in names if name != "null")
    return str(names)


def _bounds(schema: Document) -> str | None:
    """Return the bounds of a number or a length as `1…40`."""
    for low, high in BOUNDS:
        if low in schema or high in schema:
            return f"{schema.get(low, '')}…{schema.get(high, '')}"
    return None


def schemas_for(document: Document, operations: Sequence[Document]) -> list[dict[str, Any]]:
    """Return the schemas that routes lead to, one after the other, each with its fields."""
    known = document["components"]["schemas"]
    waiting = [name for one in operations for name in _schemas_in(one)]
    found: dict[str, dict[str, Any]] = {}
    while waiting:
        name = waiting.pop(0)
        if name in found:
            continue
        found[name] = _schema(name, known[name])
        waiting += [
            field["type"]["schema"] for field in found[name]["fields"] if field["type"]["schema"]
        ]
    return list(found.values())


def _schemas_in(operation: Document) -> Iterator[str]:
    for part in (operation["body"], *operation["answers"]):
        if part["type"] is not None and part["type"]["schema"] is not None:
            yield part["type"]["schema"]


def _schema(name: str, schema: Document) -> dict[str, Any]:
    required = schema.get("required", [])
    return {
        "name": name,
        "text": schema.get("description", ""),
        "fields": [
            {"name": field, "is_required": field in required, "type": type_of(declared)}
            for field, declared in schema.get("properties", {}).items()
        ],
    }
