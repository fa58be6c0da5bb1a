"""Turns a JSON schema into the strict kind that OpenAI can hold a model to.

Strict means that every property is required and there are none beside them. So an optional property
comes back as ``null`` where the model leaves it out, and who reads the answer drops such nulls.

Source: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas, 2026-11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from pydantic import JsonValue

Schema = Mapping[str, JsonValue]

_DROPPED = frozenset(
    {"default", "discriminator", "examples", "maxLength", "minLength", "title", "uniqueItems"}
    | {"properties", "required", "additionalProperties"}
)
"""Keywords that strict schemas may not have; what they ask for is left to the reader to check. The
last three are made anew."""
_RENAMED = {"oneOf": "anyOf"}
_IMPOSSIBLE = frozenset(
    {"allOf", "dependentRequired", "dependentSchemas", "if", "not", "patternProperties"}
)
_NULL: dict[str, JsonValue] = {"type": "null"}


def strict(schema: Schema) -> dict[str, JsonValue] | None:
    """Return the strict form of ``schema``, ``None`` when it has none.

    None have those with free keys (``additionalProperties``, ``patternProperties``), with
    conditions, and those that combine by ``allOf``.
    """
    try:
        return _strict(schema)
    except _NoStrictFormError:
        return None


class _NoStrictFormError(Exception):
    pass


def _strict(schema: Schema) -> dict[str, JsonValue]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # it may have no neighbours
    if not _IMPOSSIBLE.isdisjoint(schema) or _has_free_keys(schema):
        raise _NoStrictFormError
    kept = {word: value for word, value in schema.items() if word not in _DROPPED}
    below = {
        _RENAMED.get(word, word): _INNER[word](kept.pop(word)) for word in schema if word in _INNER
    }
    return {**kept, **below, **_properties(schema)}


def _named(schemas: JsonValue) -> JsonValue:
    return {name: _nested(inner) for name, inner in cast("Schema", schemas).items()}


def _listed(schemas: JsonValue) -> JsonValue:
    return [_nested(inner) for inner in cast("list[JsonValue]", schemas)]


def _nested(schema: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(schema, dict) or not schema:
        raise _NoStrictFormError  # true, or {}: anything goes
    return _strict(schema)


_INNER: Mapping[str, Callable[[JsonValue], JsonValue]] = {
    "$defs": _named,
    "definitions": _named,
    "anyOf": _listed,
    "oneOf": _listed,
    "items": _nested,
}
"""Keywords with schemas below them."""


def _properties(schema: Schema) -> dict[str, JsonValue]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    required = cast("list[str]", schema.get("required", []))
    inner = {
        name: _nested(value) if name in required else _nullable(_nested(value))
        for name, value in properties.items()
    }
    return {
        "properties": cast("JsonValue", inner),
        "required": list(inner),
        "additionalProperties": False,
    }


def _has_free_keys(schema: Schema) -> bool:
    if schema.get("additionalProperties", False) is not False:
        return True
    return schema.get("type") == "object" and "properties" not in schema


def _nullable(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    kinds = schema.get("type")
    if kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
        return schema
    choices = schema.get("anyOf")
    if not isinstance(choices, list):
        return {"anyOf": [schema, _NULL]}
    return schema if _NULL in choices else {**schema, "anyOf": [*choices, _NULL]}
