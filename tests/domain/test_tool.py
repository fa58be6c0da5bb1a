"""The definition of the tool as each vendor takes it (R4.1)."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from quaere.domain.request import Reuse
from quaere.domain.tool import DESCRIPTION, MAX_SITES, NAME, ToolDefinition, ToolInput

TOOL = ToolDefinition()


def test_a_question_is_enough_r4_1() -> None:
    given = ToolInput(question="Who?")
    assert (given.max_iterations, given.reuse, given.context) == (10, Reuse.OFFER, "")
    assert TOOL.input_schema["required"] == ["question"]


@pytest.mark.parametrize(
    "fields",
    [
        {"question": ""},
        {"max_iterations": 0},
        {"max_iterations": 101},
        {"sites": ["a.org"] * (MAX_SITES + 1)},
        {"continues": ""},
        {"continues": "x" * 65},
        {"language": "German"},
    ],
)
def test_what_cannot_be_used_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ToolInput.model_validate({"question": "Who?", **fields})
    widest = {"max_iterations": 100, "sites": ["a.org"] * MAX_SITES, "continues": "x" * 64}
    assert ToolInput.model_validate({"question": "Who?", **widest}).max_iterations == 100


def test_the_plain_schema_says_the_same_without_references() -> None:
    plain = TOOL.plain_input_schema
    assert "$ref" in json.dumps(TOOL.input_schema)
    assert "$ref" not in json.dumps(plain)
    assert "$defs" not in plain
    properties, own = plain["properties"], TOOL.input_schema["properties"]
    assert isinstance(properties, dict)
    assert isinstance(own, dict)
    assert properties["question"] == own["question"]
    reuse = properties["reuse"]
    assert isinstance(reuse, dict)
    assert reuse["enum"] == [str(each) for each in Reuse]
    assert str(reuse["description"]).startswith("What to do with a recent run"), "its own words"
    assert reuse["default"] == "offer"


def test_every_vendor_is_given_the_same_tool_in_its_own_form() -> None:
    function = {"name": NAME, "description": DESCRIPTION, "parameters": TOOL.plain_input_schema}
    assert TOOL.openai_function == {"type": "function", "function": function}
    assert TOOL.openai_responses == {"type": "function", **function, "strict": False}
    assert TOOL.anthropic_tool == {
        "name": NAME,
        "description": DESCRIPTION,
        "input_schema": TOOL.plain_input_schema,
    }
