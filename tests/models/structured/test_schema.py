from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field, JsonValue
from tests.models.structured.contracts import Survey

from quaere.models.structured.schema import output_schema, present


def test_the_schema_is_plain() -> None:
    output = output_schema(Survey)
    assert output.name == "survey"
    text = json.dumps(output.definition)
    assert not any(f'"{word}":' in text for word in ("$ref", "$defs", "default"))
    assert output.definition["additionalProperties"] is False
    assert output.definition["required"] == ["title", "lamps", "certainty", "state"]


def test_definitions_are_in_place_and_descriptions_kept() -> None:
    properties = output_schema(Survey).definition["properties"]
    assert isinstance(properties, dict)
    assert properties["title"] == {
        "type": "string", "minLength": 1, "maxLength": 80, "description": "of the lighthouse",
    }  # fmt: skip
    lamp: JsonValue = {
        "description": "One lamp of a lighthouse.",
        "type": "object",
        "properties": {
            "id": {"type": "integer", "minimum": 1, "maximum": 9, "description": "its number"},
            "colour": {"type": "string", "enum": ["white", "red"]},
            "seen_by": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["id"],
        "additionalProperties": False,
    }
    lamps: JsonValue = {
        "type": "array", "maxItems": 4, "description": "from the top down", "items": lamp,
    }  # fmt: skip
    assert properties["lamps"] == lamps


def test_a_field_may_be_called_title_or_default() -> None:
    class Page(BaseModel):
        title: str = "x"
        default: int

    properties = output_schema(Page).definition["properties"]
    assert properties == {"title": {"type": "string"}, "default": {"type": "integer"}}


def test_what_is_said_of_a_field_wins_over_its_type() -> None:
    class Inner(BaseModel):
        """Of its type."""

        a: int

    class OuterPart(BaseModel):
        inner: Inner = Field(description="of its field")

    output = output_schema(OuterPart)
    assert output.name == "outer_part"
    properties = output.definition["properties"]
    assert isinstance(properties, dict)
    inner = properties["inner"]
    assert isinstance(inner, dict)
    assert inner["description"] == "of its field"


class Tree(BaseModel):
    branches: list[Tree]


def test_a_contract_that_contains_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="Tree contains itself"):
        output_schema(Tree)


def test_present_takes_null_away() -> None:
    optional: dict[str, JsonValue] = {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "d",
    }
    assert present(optional) == {"type": "string", "description": "d"}
    assert present({"anyOf": [{"type": "string"}, {"type": "integer"}]}) == {}
    assert present({"type": "string"}) == {"type": "string"}
