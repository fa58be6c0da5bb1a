"""Makes pydantic models of plain JSON schemas, as far as the corpus of model output needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, cast

from pydantic import BaseModel, Field, JsonValue, create_model

from quaere.models.structured.ask import properties, required

Schema = Mapping[str, JsonValue]

_SCALARS: Mapping[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}
_LIMITS = {
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "minimum": "ge",
    "maximum": "le",
}


def contract_of(schema: Schema, name: str) -> type[BaseModel]:
    """Return the model of an object; optional properties may also be null."""
    needed = required(schema)
    fields: dict[str, object] = {}
    for key, inner in properties(schema).items():
        kind = _kind(inner, f"{name}{key.title()}")
        fields[key] = (kind, ...) if key in needed else (kind | None, None)
    make = cast("Callable[..., type[BaseModel]]", create_model)
    return make(name, **fields)


def _kind(schema: Schema, name: str) -> type:
    """Return the type of a value, as an annotation."""
    choices = schema.get("enum")
    if isinstance(choices, list):
        return cast("type", Literal[tuple(choices)])
    limits = {_LIMITS[key]: value for key, value in schema.items() if key in _LIMITS}
    if schema["type"] == "object":
        return contract_of(schema, name)
    if schema["type"] == "array":
        kind = list[_kind(cast("Schema", schema["items"]), f"{name}Item")]
    else:
        kind = _SCALARS[str(schema["type"])]
    limited = cast("Callable[..., object]", Field)(**limits)
    return cast("type", Annotated[kind, limited])
