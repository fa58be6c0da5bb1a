from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal, cast

import pytest
from pydantic import BaseModel, Field, JsonValue
from tests.contracts.chat_model import CONSTRAINED, FOOD, PLAIN

from quaere.domain.model import Message, ModelRequest, OutputSchema, Role
from quaere.models.request import (
    LENGTHS,
    THINKING_TOKENS,
    Schema,
    arguments_of,
    messages_of,
    strict,
    window_of,
    without,
)
from quaere.models.vendors import ModelAccess, ModelSpec

ACCESS = ModelAccess()
FREE = OutputSchema(name="free", definition={"type": "object"})


def asked(name: str, request: ModelRequest, access: ModelAccess = ACCESS) -> dict[str, object]:
    """Return the arguments, whether in the body or not."""
    arguments = arguments_of(ModelSpec.parse(name), access, request)
    return cast("dict[str, object]", arguments.get("extra_body", arguments))


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("openai:gpt-4.1", "max_completion_tokens"),
        ("anthropic:claude-sonnet-4-6", "max_tokens"),
        ("google:gemini-2.0-flash", "max_output_tokens"),
        ("groq:llama-3.1-8b-instant", "max_tokens"),
        ("deepseek:deepseek-chat", "max_tokens"),
        ("mistral:mistral-large-latest", "max_tokens"),
        ("compatible:moth", "max_tokens"),
        ("llamacpp:moth", "max_tokens"),
    ],
)
def test_the_limit_is_told_by_the_name_that_the_vendor_gives_it(name: str, limit: str) -> None:
    assert asked(name, PLAIN) == {limit: 200}


def test_a_model_that_thinks_has_room_for_its_thoughts() -> None:
    assert asked("openai:gpt-5", PLAIN) == {"max_completion_tokens": 200 + THINKING_TOKENS}


def test_thoughts_leave_room_in_a_small_window() -> None:
    """A server refuses what cannot be held by its window together with the prompt."""
    small = ModelAccess(context_tokens=4_000)
    assert asked("compatible:gpt-oss-20b", PLAIN, small) == {"max_tokens": 200 + 1_000}
    large = ModelAccess(context_tokens=4 * THINKING_TOKENS)
    for access in (large, ModelAccess(context_tokens=10 * THINKING_TOKENS)):
        assert asked("compatible:gpt-oss-20b", PLAIN, access) == {
            "max_tokens": 200 + THINKING_TOKENS
        }


def test_ollama_is_told_its_window_or_it_would_cut_the_prompt_in_silence() -> None:
    options = {"num_predict": 200, "num_ctx": 16_000, "temperature": 0.0}
    access = ModelAccess(context_tokens=16_000)
    assert asked("ollama:moth", PLAIN, access) == {"options": options}
    bare = ModelAccess(temperature=None)
    assert asked("ollama:moth", PLAIN, bare) == {"options": {"num_predict": 200, "num_ctx": 8_192}}


def test_openai_is_asked_strictly() -> None:
    """R0.4: structured output by the provider's own mechanism."""
    form = cast(
        "dict[str, dict[str, object]]", asked("openai:gpt-4.1", CONSTRAINED)["response_format"]
    )
    schema = cast("dict[str, object]", form["json_schema"]["schema"])
    assert form["json_schema"]["strict"] is True
    assert schema["required"] == ["food", "hour"]


def test_openai_is_asked_loosely_for_what_has_no_strict_form() -> None:
    request = PLAIN.model_copy(update={"output": FREE})
    form = {"name": "free", "schema": {"type": "object"}}
    wanted = {"type": "json_schema", "json_schema": form}
    assert asked("openai:gpt-4.1", request)["response_format"] == wanted


@pytest.mark.parametrize(
    "name", ["compatible:moth", "llamacpp:moth", "mistral:ministral-8b-latest"]
)
def test_others_of_its_kind_get_the_schema_as_it_is(name: str) -> None:
    form = {"name": "food", "schema": FOOD.definition}
    assert asked(name, CONSTRAINED)["response_format"] == {
        "type": "json_schema",
        "json_schema": form,
    }


@pytest.mark.parametrize(
    "name", ["deepseek:deepseek-chat", "anthropic:claude-3-haiku", "openai:gpt-4"]
)
def test_a_schema_that_cannot_be_asked_for_is_told_in_words(name: str) -> None:
    turns = messages_of(ModelSpec.parse(name), ModelAccess(), CONSTRAINED)
    assert turns[0] == ("system", "Answer as JSON.")
    role, text = turns[1]
    question, _, schema = text.partition("\n\nAnswer with one JSON object")
    assert (role, question) == ("human", CONSTRAINED.messages[1].content)
    assert json.loads(schema.partition("\n")[2]) == FOOD.definition


def test_words_are_not_added_where_they_are_not_needed() -> None:
    assert messages_of(ModelSpec.parse("openai:gpt-4.1"), ModelAccess(), CONSTRAINED)[1][1] == (
        CONSTRAINED.messages[1].content
    )
    assert messages_of(ModelSpec.parse("deepseek:deepseek-chat"), ModelAccess(), PLAIN)[1][1] == (
        PLAIN.messages[1].content
    )


def test_a_conversation_keeps_its_turns() -> None:
    said = [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.USER]
    messages = tuple(Message(role=role, content=role.value) for role in said)
    request = PLAIN.model_copy(update={"messages": messages})
    roles = [
        role for role, _ in messages_of(ModelSpec.parse("openai:gpt-4.1"), ModelAccess(), request)
    ]
    assert roles == ["system", "human", "ai", "human"]


def test_the_window_is_what_was_set_else_what_is_known() -> None:
    spec = ModelSpec.parse("openai:gpt-4")
    assert window_of(spec, ACCESS) == 8_192
    assert window_of(spec, ModelAccess(context_tokens=4_000)) == 4_000


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


LIMITED: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        "minLength": {"type": "string", "minLength": 2, "maxLength": 9},
        "list": {"type": "array", "items": {"anyOf": [{"minLength": 1, "maximum": 4}]}},
        "kind": {"enum": [{"minLength": 1}], "const": {"maximum": 2}},
    },
    "$defs": {"maximum": {"minimum": 1, "maxItems": 3}},
    "required": ["minLength"],
}


def test_keywords_are_left_out_at_any_level_but_not_names_or_values_that_look_like_them() -> None:
    kept = LIMITED["properties"], LIMITED["$defs"]
    assert without(LIMITED, frozenset()) == LIMITED
    told = without(LIMITED, LENGTHS | {"maximum"})
    assert told["properties"] == {
        "minLength": {"type": "string"},
        "list": {"type": "array", "items": {"anyOf": [{}]}},
        "kind": {"enum": [{"minLength": 1}], "const": {"maximum": 2}},
    }
    assert told["$defs"] == {"maximum": {"minimum": 1, "maxItems": 3}}
    assert told["required"] == ["minLength"]
    assert (LIMITED["properties"], LIMITED["$defs"]) == kept


@pytest.mark.parametrize(
    ("name", "lengths", "bounds"),
    [
        ("compatible:moth", False, True),
        ("ollama:moth", False, True),
        ("anthropic:claude-sonnet-4-6", False, False),
        ("google:gemini-2.0-flash", False, False),
    ],
)
def test_services_are_not_sent_the_limits_that_they_refuse(
    name: str, *, lengths: bool, bounds: bool
) -> None:
    sent = str(
        asked(
            name,
            PLAIN.model_copy(
                update={
                    "output": OutputSchema(
                        name="limited",
                        definition={
                            "type": "object",
                            "properties": {
                                "a": {"type": "string", "maxLength": 9},
                                "b": {"type": "integer", "maximum": 7},
                            },
                        },
                    )
                }
            ),
        )
    )
    assert ("'maxLength'" in sent) is lengths
    assert ("'maximum'" in sent) is bounds
    assert "'b'" in sent


def test_what_strictness_knows_by_reference_stays_a_reference_alone() -> None:
    gap: JsonValue = {"type": "object", "properties": {}}
    schema: Schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/Gap", "description": "x"}},
        "required": ["a"],
        "definitions": {"Gap": gap},
    }
    told = strict(schema)
    assert told is not None
    assert told["properties"] == {"a": {"$ref": "#/definitions/Gap"}}
    assert told["definitions"] == {
        "Gap": {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    }


def test_alternatives_get_null_beside_them_once() -> None:
    text: JsonValue = {"type": "string"}
    null: JsonValue = {"type": "null"}
    several: list[list[JsonValue]] = [[text], [text, null]]
    for choices in several:
        properties: JsonValue = {"a": {"anyOf": choices, "x": 1}}
        schema = strict({"type": "object", "properties": properties})
        assert schema is not None
        assert schema["properties"] == {"a": {"x": 1, "anyOf": [text, null]}}


def test_the_schema_is_described_in_the_letters_that_it_has() -> None:
    output = OutputSchema(name="food", definition={"type": "object", "description": "Käse"})
    request = PLAIN.model_copy(update={"output": output})
    assert (
        "Käse"
        in messages_of(ModelSpec.parse("deepseek:deepseek-chat"), ModelAccess(), request)[-1][1]
    )
    bare = request.model_copy(update={"messages": ()})
    assert messages_of(ModelSpec.parse("deepseek:deepseek-chat"), ModelAccess(), bare) == []


def test_the_schema_is_left_as_it_was() -> None:
    schema = Verdict.model_json_schema()
    strict(schema)
    assert schema == Verdict.model_json_schema()
