"""Turns a JSON schema into the strict kind that OpenAI can hold a model to.

Strict means that every property is required and there are none beside them. So an optional property
comes back as ``null`` where the model leaves it out, and who reads the answer drops such nulls.

Source: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas, 2026-11.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

Schema = Mapping[str, JsonValue]

_DROPPED = frozenset(
    {"default", "discriminator", "examples", "maxLength", "minLength", "title", "uniqueItems"}
)
"""Keywords that strict schemas may not have; what they ask for is left to the reader to check."""
_IMPOSSIBLE = frozenset(
    {"allOf", "dependentRequired", "dependentSchemas", "if", "not", "patternProperties"}
)
_OF_SCHEMAS = frozenset({"$defs", "definitions"})
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
    strict_form: dict[str, JsonValue] = {}
    for keyword, value in schema.items():
        if keyword in _DROPPED:
            continue
        if keyword in _OF_SCHEMAS and isinstance(value, dict):
            strict_form[keyword] = {name: _nested(inner) for name, inner in value.items()}
        elif keyword in {"anyOf", "oneOf"} and isinstance(value, list):
            strict_form["anyOf"] = [_nested(inner) for inner in value]
        elif keyword == "items":
            strict_form[keyword] = _nested(value)
        elif keyword not in {"properties", "required", "additionalProperties"}:
            strict_form[keyword] = value
    return {**strict_form, **_properties(schema)}


def _nested(schema: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(schema, dict) or not schema:
        raise _NoStrictFormError  # true, or {}: anything goes
    return _strict(schema)


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
