"""Tells a contract in words, for models whose vendor has no mechanism for schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator

from quaere.domain.model import OutputSchema
from quaere.models.structured.schema import Schema, present, properties, required

_KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}


def outline(output: OutputSchema) -> str:
    """Return one line a field: its name, what it holds, and its description.

    It takes about a third of the schema's tokens, and small models follow it better.
    """
    return "\n".join(["A JSON object with", *_lines(output.definition, "")])


def _lines(schema: Schema, indent: str) -> Iterator[str]:
    needed = required(schema)
    for name, described in properties(schema).items():
        kind = present(described)
        optional = "" if name in needed else ", may be left out"
        description = kind.get("description")
        told = f" — {description}" if description else ""
        yield f'{indent}- "{name}": {_kind(kind)}{optional}{told}'
        yield from _lines(_innermost(kind), f"{indent}  ")


def _innermost(schema: Schema) -> Schema:
    """Return the schema of the items of a list of lists."""
    while isinstance(items := schema.get("items"), dict):
        schema = present(items)
    return schema


def _kind(schema: Schema) -> str:
    choices = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(choices, list):
        return "one of " + ", ".join(json.dumps(choice, ensure_ascii=False) for choice in choices)
    items = schema.get("items")
    if isinstance(items, dict):
        return f"list{_limits(schema, 'minItems', 'maxItems')} of: {_kind(present(items))}"
    kind = _KINDS.get(str(schema.get("type")), "any value")
    if kind == "text":
        return kind + _limits(schema, "minLength", "maxLength", " characters")
    return kind + _limits(schema, "minimum", "maximum")


def _limits(schema: Schema, lowest: str, highest: str, unit: str = "") -> str:
    least, most = schema.get(lowest), schema.get(highest)
    if least is None and most is None:
        return ""
    if most is None:
        return f" (at least {least}{unit})"
    return f" (at most {most}{unit})" if least is None else f" ({least} to {most}{unit})"
