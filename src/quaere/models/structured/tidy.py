"""Puts a value right where its schema leaves one reading only."""

from __future__ import annotations

from pydantic import JsonValue

from quaere.models.structured.schema import Schema, present, properties, required


def tidy(value: JsonValue, schema: Schema) -> JsonValue:
    """Return ``value`` without what says nothing, names and choices spelt as in ``schema``.

    Dropped are unknown fields, null in an optional field (that is how vendors' strict modes leave
    one out) and blank strings in lists. 2.0 is the integer 2, as JSON Schema has it; nothing else
    is converted.
    """
    schema = present(schema)
    if isinstance(value, dict) and "properties" in schema:
        return _fields(value, schema)
    if isinstance(value, list):
        return _items(value, schema)
    if isinstance(value, float):
        whole = schema.get("type") == "integer" and value.is_integer()
        return int(value) if whole else value
    return _spelt(value, schema) if isinstance(value, str) else value


def _fields(value: dict[str, JsonValue], schema: Schema) -> dict[str, JsonValue]:
    needed = required(schema)
    fields: dict[str, JsonValue] = {}
    for name, inner in properties(schema).items():
        key = name if name in value else _matching(name, list(value))
        if key in value and (value[key] is not None or name in needed):
            fields[name] = tidy(value[key], inner)
    return fields


def _items(value: list[JsonValue], schema: Schema) -> list[JsonValue]:
    kind = schema.get("items")
    inner = kind if isinstance(kind, dict) else {}
    return [tidy(item, inner) for item in value if not _is_blank(item)]


def _is_blank(item: JsonValue) -> bool:
    return isinstance(item, str) and not item.strip()


def _spelt(value: str, schema: Schema) -> str:
    choices = schema.get("enum", [schema.get("const")])
    if not isinstance(choices, list) or value in choices:
        return value
    return _matching(value, [choice for choice in choices if isinstance(choice, str)])


def _matching(text: str, names: list[str]) -> str:
    """Return the only one of ``names`` that is ``text`` but for case and space, or ``text``."""
    folded = text.strip().casefold()
    same = [name for name in names if name.strip().casefold() == folded]
    return same[0] if len(same) == 1 else text
