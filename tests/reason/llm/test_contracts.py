"""What services document, or refused, of the schemas that the contracts of the steps send them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import cast

import pytest
from pydantic import JsonValue, ValidationError

from quaere.domain.model import Message, ModelRequest, Role
from quaere.models.request import arguments_of
from quaere.models.vendors import ModelAccess, ModelSpec
from quaere.reason.llm import contracts
from quaere.reason.llm.contracts import Output, narrowed
from quaere.reason.llm.prompt_builder import prompt

CONTRACTS: tuple[type[Output], ...] = (
    contracts.Opening,
    contracts.OpeningAnswer,
    contracts.Assessment,
    contracts.AssessmentAnswer,
    contracts.Briefing,
    contracts.Supervision,
    contracts.Inspection,
    contracts.Outline,
    contracts.Bearing,
)
SHOWN = 5
GRAMMARS = ("llamacpp:moth", "ollama:moth", "compatible:moth", "mistral:mistral-large-latest")
Schema = dict[str, JsonValue]

STRICT_WORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const"}
    | {"description", "minimum", "maximum", "minItems", "maxItems"}
)
"""https://platform.openai.com/docs/guides/structured-outputs#supported-schemas"""
GOOGLE_WORDS = STRICT_WORDS - {"const", "minimum", "maximum", "minItems", "maxItems"}
"""Of https://ai.google.dev/gemini-api/docs/structured-output, what was not seen refused when there
is more than a little of it."""
ANTHROPIC_WORDS = GOOGLE_WORDS | {"const"}
MAX_REPETITION = 2_000
"""What a rule of llama.cpp may be repeated: `MAX_REPETITION_THRESHOLD` in llama-grammar.cpp."""


def sent(contract: type[Output], name: str) -> Schema:
    """Return the schema of ``contract`` as the service of that model gets it."""
    request = ModelRequest(
        step="plan",
        messages=(Message(role=Role.USER, content="Go on."),),
        output=narrowed(contract, SHOWN),
        max_output_tokens=100,
    )
    arguments = arguments_of(ModelSpec.parse(name), ModelAccess(), request)
    body = cast("Schema", arguments.get("extra_body", arguments))
    for path in (("response_format", "json_schema", "schema"), ("response_json_schema",)):
        inner: JsonValue = body
        for step in path:
            inner = inner.get(step) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            return inner
    return cast("Schema", body["format"])


def below(schema: Schema) -> Iterator[Schema]:
    """Yield ``schema`` and all schemas in it."""
    yield schema
    named = schema.get("properties")
    inner: list[JsonValue] = list(named.values()) if isinstance(named, dict) else []
    several = schema.get("anyOf")
    inner += several if isinstance(several, list) else []
    inner.append(schema.get("items"))
    for each in inner:
        if isinstance(each, dict):
            yield from below(each)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_list_has_an_end(contract: type[Output]) -> None:
    for each in below(narrowed(contract, SHOWN).definition):
        if each.get("type") == "array":
            assert 1 <= cast("int", each["maxItems"]) <= 100


@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_grammar_is_not_told_of_lengths_of_text(contract: type[Output], name: str) -> None:
    for each in below(sent(contract, name)):
        assert not {"minLength", "maxLength", "pattern"} & each.keys()
        assert cast("int", each.get("maxItems", 0)) < MAX_REPETITION


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("openai:gpt-4.1", STRICT_WORDS),
        ("google:gemini-3.1-pro", GOOGLE_WORDS),
        ("anthropic:claude-sonnet-4-6", ANTHROPIC_WORDS),
    ],
)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_service_is_sent_only_what_it_knows(
    contract: type[Output], name: str, words: frozenset[str]
) -> None:
    for each in below(sent(contract, name)):
        assert each.keys() <= words


@pytest.mark.parametrize("contract", CONTRACTS)
def test_openai_gets_closed_objects_whose_fields_are_all_required(contract: type[Output]) -> None:
    for each in below(sent(contract, "openai:gpt-4.1")):
        if each.get("type") == "object":
            assert each["additionalProperties"] is False
            assert each["required"] == list(cast("Schema", each["properties"]))


def test_a_check_has_room_for_one_verdict_on_each_sentence() -> None:
    """A tiny model would go on judging until its tokens are gone."""
    asked = narrowed(contracts.Reduced(contracts.Inspection, frozenset(), claims=3), 5).definition
    verdicts = cast("Schema", cast("Schema", asked["properties"])["verdicts"])
    assert verdicts["maxItems"] == 3
    assert '"maximum": 3, "minimum": 1' in json.dumps(verdicts, sort_keys=True)


def test_gemini_gets_no_enumeration_of_numbers() -> None:
    for contract in CONTRACTS:
        for each in below(sent(contract, "google:gemini-3.1-pro")):
            assert all(isinstance(one, str) for one in cast("list[str]", each.get("enum", [])))


def test_only_passages_that_are_shown_can_be_named_and_none_of_them_for_ever() -> None:
    definition = narrowed(contracts.Opening, SHOWN).definition
    findings = cast("Schema", cast("Schema", definition["properties"])["findings"])
    assert findings["maxItems"] == SHOWN
    assert json.dumps(findings, sort_keys=True).count('"maximum": 5, "minimum": 1') == 1
    fields = cast("Schema", narrowed(contracts.Bearing, SHOWN).definition["properties"])
    assert cast("Schema", fields["ids"])["items"] == {"type": "integer", "minimum": 1, "maximum": 5}
    verdicts = json.dumps(narrowed(contracts.Inspection, SHOWN).definition, sort_keys=True)
    assert '"maximum": 5, "minimum": 0' in verdicts, "none of them may decide"
    assert narrowed(contracts.Bearing, 0).definition["required"] == ["ids"]


ANSWERING = (contracts.OpeningAnswer, contracts.AssessmentAnswer)


@pytest.mark.parametrize("name", ["openai:gpt-4.1", "anthropic:claude-sonnet-4-6", *GRAMMARS])
@pytest.mark.parametrize("contract", ANSWERING)
def test_before_the_answer_stands_only_what_decides_whether_it_counts(
    contract: type[Output], name: str
) -> None:
    """Every token before it delays the first word."""
    fields = list(cast("Schema", sent(contract, name)["properties"]))
    place = fields.index("answer")
    plan = {"refined_question", "tier", "checklist"} & set(fields)
    verdict = {"findings", "contradictions", "gaps", "sufficient"}
    assert set(fields[:place]) == plan | verdict
    assert fields.index("gaps") < fields.index("sufficient") < place, "it is thought over first"
    assert {"satisfied", "confidence", "queries", "reason"} <= set(fields[place:])


@pytest.mark.parametrize("step", ["plan", "evaluate"])
def test_a_prompt_asks_for_the_fields_in_the_order_of_the_schema(step: str) -> None:
    contract = contracts.OpeningAnswer if step == "plan" else contracts.AssessmentAnswer
    text = prompt(step).user.template.replace("$carry", "- answer:").replace("$tier", "- tier:")
    text = text.replace("$sources", "- target_kinds:")  # says what kinds there are
    listed = [
        name for names in re.findall(r"(?m)^- ([a-z_, ]+):", text) for name in names.split(", ")
    ]
    fields = list(cast("Schema", narrowed(contract, SHOWN).definition["properties"]))
    assert listed == fields


def test_only_a_judgement_that_is_sufficient_may_leave_out_queries() -> None:
    said: Schema = {"findings": [], "satisfied": [], "gaps": [], "confidence": 0.9}
    done = contracts.Assessment.model_validate_json(json.dumps({**said, "sufficient": True}))
    assert done.queries == []
    with pytest.raises(ValidationError, match="queries is missing"):
        contracts.Assessment.model_validate_json(json.dumps({**said, "sufficient": False}))
    for contract in ANSWERING:
        needed = cast("list[str]", narrowed(contract, SHOWN).definition["required"])
        assert {"queries", "answer", "confidence"} <= set(needed), "they are asked for all the same"


def test_what_is_said_twice_counts_once_and_what_is_too_much_not_at_all() -> None:
    bearing = contracts.Bearing.model_validate_json('{"ids": [4, 4, 2, 4]}')
    assert bearing.ids == [4, 2]
    said = json.dumps({"checklist": [f"part {n % 9}" for n in range(30)]})
    assert contracts.Plan.model_validate_json(said).checklist == [f"part {n}" for n in range(7)]
    query = {"query": "moth lamps 1902"}
    asked = {
        "findings": [],
        "satisfied": [],
        "gaps": [],
        "queries": [query] * 9,
        "sufficient": False,
    }
    written = contracts.Assessment.model_validate_json(json.dumps(asked | {"confidence": 0}))
    assert [wanted.query for wanted in written.queries] == ["moth lamps 1902"]
