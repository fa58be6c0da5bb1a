"""The JSON schema of a contract, as a vendor takes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from pydantic import BaseModel, JsonValue

from quaere.domain.model import OutputSchema

Schema = Mapping[str, JsonValue]

_DROPPED = frozenset({"$defs", "$ref", "title", "default", "discriminator"})
"""What says nothing to a model. Defaults are ours: what is left out is left out."""
_ONE = frozenset({"items", "additionalProperties", "not"})
_SEVERAL = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})


@cache
def output_schema(contract: type[BaseModel]) -> OutputSchema:
    """Return the schema of ``contract``: plain, with definitions in place and descriptions kept.

    Raises:
        ValueError: when the contract contains itself, which no vendor's mechanism can follow.
    """
    schema: dict[str, JsonValue] = contract.model_json_schema()
    found = schema.get("$defs")
    definitions = found if isinstance(found, dict) else {}
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", contract.__name__).lower()
    return OutputSchema(name=name, definition=_plain(schema, definitions, ()))


def properties(schema: Schema) -> Mapping[str, Schema]:
    """Return the properties of an object, none for anything else."""
    inner = schema.get("properties")
    if not isinstance(inner, dict):
        return {}
    return {name: value for name, value in inner.items() if isinstance(value, dict)}


def required(schema: Schema) -> frozenset[str]:
    """Return the names of the properties that must be there."""
    names = schema.get("required")
    return frozenset(map(str, names)) if isinstance(names, list) else frozenset()


def present(schema: Schema) -> Schema:
    """Return what a value has to be when it is there at all: ``X`` for ``X`` or null.

    It is empty, which allows everything, where several kinds of value are allowed.
    """
    choices = schema.get("anyOf")
    if not isinstance(choices, list):
        return schema
    kinds = list(_kinds(choices))
    if len(kinds) != 1:
        return {}
    return {**kinds[0], **{key: value for key, value in schema.items() if key != "anyOf"}}


def _kinds(choices: Iterable[JsonValue]) -> Iterator[Schema]:
    for kind in choices:
        if isinstance(kind, dict) and kind.get("type") != "null":
            yield kind


def _plain(schema: Schema, definitions: Schema, within: tuple[str, ...]) -> dict[str, JsonValue]:
    def inner(value: JsonValue) -> JsonValue:
        return _plain(value, definitions, within) if isinstance(value, dict) else value

    def each_inner(keyword: str, value: JsonValue) -> JsonValue:
        if isinstance(value, dict) and keyword == "properties":
            return {name: inner(kind) for name, kind in value.items()}
        if isinstance(value, list) and keyword in _SEVERAL:
            return list(map(inner, value))
        return inner(value) if keyword in _ONE else value

    plain = _referred(schema, definitions, within)
    for keyword, value in schema.items():
        if keyword not in _DROPPED:
            plain[keyword] = each_inner(keyword, value)
        if keyword == "properties" and isinstance(value, dict):
            plain.setdefault("additionalProperties", False)
    return plain


def _referred(schema: Schema, definitions: Schema, within: tuple[str, ...]) -> dict[str, JsonValue]:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return {}
    name = reference.rpartition("/")[2]
    definition = definitions[name]
    if name in within or not isinstance(definition, dict):
        raise ValueError(f"The contract {name} contains itself.")
    return _plain(definition, definitions, (*within, name))
