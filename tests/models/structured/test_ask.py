"""A model is asked for a value of a contract."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field, JsonValue
from tests.models.structured.contracts import SURVEY, Survey

from quaere.domain.model import Completion, Finish, Message, ModelRequest, Role
from quaere.errors import BudgetExceeded, ContractError, ModelError, ModelTimeout
from quaere.models.structured.ask import (
    LEAST_CHARS,
    MAX_OBJECTS,
    MAX_OUTPUT_TOKENS,
    MAX_PROBLEMS,
    MIN_ROOM_TOKENS,
    REPEATED,
    SHOWN_ANSWER_CHARS,
    STRETCH_CHARS,
    ask,
    fit,
    output_schema,
    parse,
    present,
    repeats,
)
from quaere.models.structured.lenient_json import SHOWN_CHARS
from quaere.testing.doubles import QueueModel
from quaere.text.tokens import estimate_tokens


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


pytestmark = pytest.mark.anyio

REQUEST = ModelRequest(
    step="evaluate",
    messages=(Message(role=Role.USER, content="Which lamps are lit?"),),
    max_output_tokens=500,
)
BROKEN = json.dumps(SURVEY | {"certainty": "high"})


async def test_a_good_answer_takes_one_call_that_carries_the_schema() -> None:
    model = QueueModel(SURVEY)
    assert (await ask(model, REQUEST, Survey)).title == "Skarholm"
    (request,) = model.requests
    assert request.output == output_schema(Survey)


async def test_a_broken_answer_is_shown_with_its_error_once() -> None:
    model = QueueModel(f"<think>so be it</think>{BROKEN}", SURVEY)
    assert (await ask(model, REQUEST, Survey)).certainty == 0.5
    first, second = model.requests
    assert second.messages[:-2] == first.messages
    own, told = second.messages[-2:]
    assert (own.role, own.content) == (Role.ASSISTANT, BROKEN)
    assert told.role is Role.USER
    assert 'certainty: should be a valid number, but is "high"' in told.content
    assert second.output == first.output
    assert second.max_output_tokens == first.max_output_tokens
    assert (first.attempt, second.attempt) == (1, 2)


async def test_a_second_broken_answer_is_an_error() -> None:
    model = QueueModel(BROKEN, "No.", SURVEY)
    with pytest.raises(ContractError, match="There is no JSON"):
        await ask(model, REQUEST, Survey)
    assert model.left == 1


async def test_a_cut_answer_gets_more_room() -> None:
    cut = Completion(text=json.dumps(SURVEY)[:30], finish=Finish.LENGTH)
    model = QueueModel(cut, SURVEY)
    await ask(model, REQUEST, Survey)
    assert model.requests[1].max_output_tokens == 1_000
    assert "cut off" in model.requests[1].messages[-1].content


async def test_of_an_answer_that_is_cut_off_twice_what_is_whole_counts_where_it_is_of_use() -> None:
    text = json.dumps({"state": SURVEY["state"], **SURVEY})
    cut = Completion(text=text[: text.index('"lamps"') + 12], finish=Finish.LENGTH)
    rest: dict[str, JsonValue] = {"lamps": [], "certainty": 0.0}
    found = await ask(QueueModel(cut, cut), REQUEST, Survey, unsaid=rest)
    assert (found.title, found.lamps, found.certainty) == ("Skarholm", (), 0.0)
    ended = cut.model_copy(update={"finish": Finish.STOP})
    for answers, unsaid in (((cut, cut), None), ((cut, cut), {}), ((ended, ended), rest)):
        with pytest.raises(ContractError):
            await ask(QueueModel(*answers), REQUEST, Survey, unsaid=unsaid)


async def test_the_room_has_a_cap_and_never_shrinks_for_it() -> None:
    for limit, granted in ((MAX_OUTPUT_TOKENS - 1, MAX_OUTPUT_TOKENS), (20_000, 20_000)):
        model = QueueModel(Completion(text="{", finish=Finish.LENGTH), SURVEY)
        await ask(model, REQUEST.model_copy(update={"max_output_tokens": limit}), Survey)
        assert model.requests[1].max_output_tokens == granted


async def test_the_second_call_keeps_to_the_context() -> None:
    model = QueueModel(Completion(text="{", finish=Finish.LENGTH), SURVEY, context_tokens=600)
    await ask(model, REQUEST, Survey)
    assert 500 < model.requests[1].max_output_tokens < 600


async def test_no_call_is_made_that_the_context_has_no_room_for() -> None:
    long = Completion(text="lamp " * 1_000)
    model = QueueModel(long, SURVEY, context_tokens=550)
    with pytest.raises(ContractError, match="There is no JSON"):
        await ask(model, REQUEST, Survey)
    assert model.left == 1


@pytest.mark.parametrize("thinking", [0, 70])
async def test_an_answer_is_asked_for_in_a_hundred_tokens_and_in_no_fewer(thinking: int) -> None:
    class Thinking(QueueModel):
        thinking_tokens = thinking

    roomy = Thinking(BROKEN, SURVEY)
    await ask(roomy, REQUEST, Survey)
    taken = sum(estimate_tokens(message.content) for message in roomy.requests[1].messages)
    context = taken + thinking + MIN_ROOM_TOKENS
    tight, full = (
        Thinking(BROKEN, SURVEY, context_tokens=tokens) for tokens in (context, context - 1)
    )
    first = REQUEST.model_copy(update={"max_output_tokens": MIN_ROOM_TOKENS + 10})
    await ask(tight, first, Survey)
    assert tight.requests[1].max_output_tokens == MIN_ROOM_TOKENS
    with pytest.raises(ContractError, match="certainty"):
        await ask(full, first, Survey)
    assert full.left == 1


async def test_an_answer_that_is_just_short_enough_is_shown_whole() -> None:
    answer = "xy" * (SHOWN_ANSWER_CHARS // 2)
    model = QueueModel(answer, SURVEY)
    await ask(model, REQUEST, Survey)
    assert model.requests[1].messages[-2].content == answer


async def test_a_long_answer_is_shown_in_part() -> None:
    model = QueueModel(Completion(text=f"A{'x' * 50_000}Z"), SURVEY)
    await ask(model, REQUEST, Survey)
    shown = model.requests[1].messages[-2].content
    assert len(shown) < SHOWN_ANSWER_CHARS + 10
    assert shown.startswith("Ax")
    assert shown.endswith("xZ")


async def test_an_empty_answer_is_shown_as_nothing() -> None:
    model = QueueModel("", SURVEY)
    await ask(model, REQUEST, Survey)
    assert model.requests[1].messages[-2].content == "(nothing)"


async def test_a_refusal_is_not_argued_with() -> None:
    model = QueueModel(Completion(text="", finish=Finish.REFUSAL), SURVEY)
    with pytest.raises(ContractError, match="declined"):
        await ask(model, REQUEST, Survey)
    assert model.left == 1


async def test_checks_take_part_in_the_second_round() -> None:
    def lit(survey: Survey) -> None:
        if survey.state != "lit":
            raise ContractError("state: no lamp is dark.")

    model = QueueModel(SURVEY | {"state": "dark"}, SURVEY)
    assert (await ask(model, REQUEST, Survey, check=lit)).state == "lit"
    assert "no lamp is dark" in model.requests[1].messages[-1].content


async def test_other_errors_pass_through() -> None:
    with pytest.raises(ModelTimeout):
        await ask(QueueModel(ModelTimeout("too slow")), REQUEST, Survey)
    with pytest.raises(ModelError):
        await ask(QueueModel(BROKEN, ModelError("gone")), REQUEST, Survey)

    class Poor(QueueModel):
        async def complete(self, request: ModelRequest) -> Completion:
            raise BudgetExceeded("nothing left")

    with pytest.raises(BudgetExceeded):
        await ask(Poor(), REQUEST, Survey)


COUNTING = '{"findings": [' + ", ".join(f'{{"id": {n}, "items": [1]}}' for n in range(1, 40))
ENDLESS = (COUNTING, '{"gaps": ["' + "the lamp and " * 60, '{"title":' + "\n \t" * 80)


@pytest.mark.parametrize("text", ENDLESS)
async def test_one_that_is_caught_in_a_list_is_not_given_twice_the_room(text: str) -> None:
    model = QueueModel(Completion(text=text, finish=Finish.LENGTH), SURVEY)
    with pytest.raises(ContractError):
        await ask(model, REQUEST, Survey)
    assert model.left == 1


def test_what_is_long_does_not_therefore_repeat_itself() -> None:
    varied = " ".join(
        f"lamp{n}{chr(97 + n % 26)} burns {n * n % 97} {'x' * (n % 7)}" for n in range(90)
    )
    assert not repeats(varied)
    assert not repeats("ha ha ha ha")
    assert repeats("and again, " * 12)


def letters(count: int) -> str:
    """Return ``count`` characters of which no stretch comes twice."""
    return "".join(f"{chr(97 + n // 26)}{chr(97 + n % 26)}-" for n in range(count // 3 + 1))[:count]


@pytest.mark.parametrize(
    ("text", "caught"),
    [
        ("x" * LEAST_CHARS, True),
        ("x" * (LEAST_CHARS - 1), False),
        (letters(STRETCH_CHARS) * REPEATED, True),
        (letters(STRETCH_CHARS + 1) * REPEATED, False),
        (letters(30) * (REPEATED - 1), False),
        (f"It says: {letters(30) * REPEATED}", True),
        (f"{letters(30) * REPEATED} and so on, and on.", False),
    ],
)
def test_one_stretch_four_times_at_the_end_is_a_repetition(text: str, caught: bool) -> None:
    assert repeats(text) is caught


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([SURVEY]),
        json.dumps([SURVEY, SURVEY]),
        json.dumps({"survey": SURVEY}),
        json.dumps({"response": SURVEY, "status": "ok"}),
        f"{json.dumps(SURVEY)}\n{json.dumps(SURVEY)}",
    ],
    ids=["a list of one", "twice in a list", "an envelope", "with a remark", "the same twice"],
)
def test_one_value_is_read_however_it_is_wrapped(text: str) -> None:
    assert parse(text, Finish.STOP, Survey) == Survey.model_validate(SURVEY)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (json.dumps([SURVEY, SURVEY | {"title": "Other"}]), "A JSON object was expected"),
        (
            f"{json.dumps(SURVEY)}\n{json.dumps(SURVEY | {'title': 'Other'})}",
            "There are 2 different answers",
        ),
        (json.dumps({"lamp_count": SURVEY}), "has none of the fields"),
        (json.dumps(SURVEY | {"title": "<title>"}), "title holds a placeholder"),
        (json.dumps(SURVEY | {"tags": ["a", "..."]}), r"tags\[1\] holds a placeholder"),
        (json.dumps(SURVEY | {"state": "dämmrig"}), '"dämmrig"'),
        (json.dumps(SURVEY | {"state": "x" * 500}), f'"{"x" * (SHOWN_CHARS - 1)}…'),
        (json.dumps(["x" * (SHOWN_CHARS - 2)]), f'is "{"x" * (SHOWN_CHARS - 2)}"[.]'),
        (
            "\n".join(json.dumps(SURVEY | {"title": f"No. {n}"}) for n in range(MAX_OBJECTS)),
            f"There are {MAX_OBJECTS} different answers",
        ),
        (
            "\n".join(json.dumps(SURVEY | {"title": f"No. {n}"}) for n in range(MAX_OBJECTS + 1)),
            f"There are {MAX_OBJECTS + 1} objects",
        ),
    ],
)
def test_what_cannot_be_meant_is_told_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(ContractError, match=complaint):
        parse(text, Finish.STOP, Survey)


@pytest.mark.parametrize("more", [0, 2])
def test_so_many_problems_are_told_and_the_rest_is_counted(more: int) -> None:
    seen: list[JsonValue] = ["far"] * (MAX_PROBLEMS + more)
    broken: dict[str, JsonValue] = {**SURVEY, "lamps": [{"id": 1, "seen_by": seen}]}
    with pytest.raises(ContractError) as raised:
        fit(broken, Survey)
    told = raised.value.message
    assert told.count("lamps[0].seen_by[") == MAX_PROBLEMS
    assert ("and 2 more" in told) is bool(more)
    assert "https://" not in told, "a model cannot follow a link"
