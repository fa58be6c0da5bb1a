from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

import pytest
from pydantic import BaseModel, Field, JsonValue

from quaere.models.strict import Schema, strict


class Gap(BaseModel):
    text: str = Field(min_length=1, max_length=80)
    kind: Literal["web", "paper"] | None = None


class Verdict(BaseModel):
    """What a step of ours looks like."""

    ticks: list[str] = Field(max_length=7)
    gaps: list[Gap] = []
    nearest: Gap | None = None
    best: Gap = Gap(text="none")
    confidence: float = Field(default=0.0, ge=0, le=1)
    done: bool


def objects(value: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """Yield every object schema within ``value``."""
    if isinstance(value, dict):
        if "properties" in value:
            yield value
        for inner in value.values():
            yield from objects(inner)
    if isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def test_every_property_is_required_and_there_are_none_beside_them() -> None:
    schema = strict(Verdict.model_json_schema())
    assert schema is not None
    found = list(objects(schema))
    assert len(found) == 2
    for inner in found:
        assert inner["required"] == list(cast("Schema", inner["properties"]))
        assert inner["additionalProperties"] is False


def test_what_was_optional_may_be_null_and_nothing_else() -> None:
    schema = strict(Verdict.model_json_schema())
    assert schema is not None
    properties = cast("dict[str, dict[str, JsonValue]]", schema["properties"])
    null: JsonValue = {"type": "null"}
    gap: JsonValue = {"$ref": "#/$defs/Gap"}
    assert properties["ticks"] == {"items": {"type": "string"}, "maxItems": 7, "type": "array"}
    assert properties["gaps"] == {"anyOf": [{"items": gap, "type": "array"}, null]}
    assert properties["nearest"] == {"anyOf": [gap, null]}
    assert properties["best"] == {"anyOf": [gap, null]}
    assert properties["confidence"] == {
        "anyOf": [{"maximum": 1, "minimum": 0, "type": "number"}, null]
    }
    assert properties["done"] == {"type": "boolean"}


def test_keywords_that_are_not_allowed_are_left_out() -> None:
    text = str(strict(Verdict.model_json_schema()))
    assert not any(word in text for word in ("minLength", "maxLength", "default", "title"))


def test_one_of_is_any_of() -> None:
    schema: Schema = {
        "type": "object",
        "properties": {"a": {"oneOf": [{"type": "string"}, {"type": "integer"}]}},
    }
    assert strict(schema) == {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}},
        "required": ["a"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("kinds", ["null", ["string", "null"]])
def test_what_may_be_null_already_stays_as_it_is(kinds: JsonValue) -> None:
    schema = strict({"type": "object", "properties": {"a": {"type": kinds}}})
    assert schema is not None
    assert schema["properties"] == {"a": {"type": kinds}}


@pytest.mark.parametrize(
    "inner",
    [
        {"type": "object"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {}, "patternProperties": {"^a": {}}},
        {"allOf": [{"type": "string"}]},
        {"type": "array", "items": {}},
        {"type": "array", "items": True},
        {},
        True,
    ],
)
def test_what_strictness_cannot_say_has_no_strict_form(inner: JsonValue) -> None:
    schema: Schema = {"type": "object", "properties": {"a": inner}, "required": ["a"]}
    assert strict(schema) is None


def test_the_schema_is_left_as_it_was() -> None:
    schema = Verdict.model_json_schema()
    strict(schema)
    assert schema == Verdict.model_json_schema()
