from __future__ import annotations

import json

import pytest
from hypothesis import given
from pydantic import BaseModel, JsonValue
from tests.models.structured.contracts import SURVEY, Colour, Lamp, Survey
from tests.models.structured.values import OBJECTS, VALUES
from tests.timing import cpu_s

from quaere.domain.model import Finish
from quaere.errors import ContractError
from quaere.models.structured.ask import output_schema, parse, tidy
from quaere.models.structured.lenient_json import same


def surveyed(**changes: JsonValue) -> Survey:
    return parse(json.dumps(SURVEY | changes), Finish.STOP, Survey)


def complaint(text: str, finish: Finish = Finish.STOP) -> str:
    with pytest.raises(ContractError) as raised:
        parse(text, finish, Survey)
    return raised.value.message


def complaint_of(**changes: JsonValue) -> str:
    return complaint(json.dumps(SURVEY | changes))


def test_what_keeps_the_contract_is_returned() -> None:
    survey = surveyed()
    assert survey.lamps == (Lamp(id=1, colour=Colour.RED, seen_by=[4, 5]),)
    assert survey.certainty == 0.5
    assert survey.note is None


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"certainty": "0.5"}, "certainty: should be a valid number"),
        ({"certainty": None}, "certainty: should be a valid number"),
        ({"certainty": 1.7}, "certainty: should be less than or equal to 1"),
        ({"certainty": True}, "certainty: should be a valid number"),
        ({"lamps": [{"id": "3"}]}, "lamps[0].id: should be a valid integer"),
        ({"lamps": [{"id": 1}, {"id": 1.5}]}, "lamps[1].id: should be a valid integer"),
        ({"lamps": [{"id": True}]}, "lamps[0].id: should be a valid integer"),
        ({"lamps": [{"id": 10}]}, "lamps[0].id: should be less than or equal to 9"),
        ({"lamps": [{"colour": "red"}]}, "lamps[0].id: Field required"),
        ({"lamps": {"id": 1}}, "lamps: should be a valid"),
        ({"state": "dim"}, "state: should be 'lit' or 'dark', but is \"dim\""),
        ({"state": "lit|dark"}, "state"),
        ({"title": ""}, "title"),
        ({"title": 5}, "title: should be a valid string"),
        ({"note": True}, "note: should be a valid string"),
        ({"tags": "sea"}, "tags: should be a valid array"),
    ],
)
def test_types_are_strict_and_the_place_is_told(changes: dict[str, JsonValue], place: str) -> None:
    assert place in complaint_of(**changes)


def test_null_in_an_optional_field_means_absent() -> None:
    survey = surveyed(note=None, tags=None, lamps=[{"id": 2, "colour": None, "seen_by": None}])
    assert survey.tags == []
    assert survey.lamps[0].colour is Colour.WHITE
    assert survey.model_fields_set == {"title", "lamps", "certainty", "state"}


def test_numbers_that_json_does_not_have_are_never_accepted() -> None:
    for number in ("NaN", "Infinity", "-Infinity", "1e999"):
        text = json.dumps(SURVEY).replace("0.5", number)
        assert number in complaint(text)


@pytest.mark.parametrize("value", ["...", "string", "<title>", "…", " String "])
def test_placeholders_are_not_values(value: str) -> None:
    assert "title holds a placeholder" in complaint_of(title=value)
    assert "tags[1] holds a placeholder" in complaint_of(tags=["sea", value])


def test_only_so_many_problems_are_told() -> None:
    message = complaint_of(
        lamps=[{"id": "x" * 500} for _ in range(4)], state=1, title=2, certainty=[]
    )
    assert message.count("; ") == 5
    assert message.endswith("; and 2 more.")
    assert len(message) < 600


def test_an_object_of_something_else_is_told() -> None:
    schema = json.dumps(Survey.model_json_schema())
    for text in ("{}", '{"name": "survey"}', schema):
        assert complaint(text).startswith(("The object has none", "lamps", "certainty"))
    assert "[1, 2]" in complaint("[1, 2]")


def test_one_of_several_values_may_fit() -> None:
    example = json.dumps(SURVEY | {"certainty": "0..1"})
    answer = json.dumps(SURVEY)
    text = f"As in [1]:\n{example}\n\n{answer}\n[1] {{}}"
    assert parse(text, Finish.STOP, Survey) == surveyed()


def test_two_different_answers_are_none() -> None:
    other = json.dumps(SURVEY | {"state": "dark"})
    assert "2 different answers" in complaint(f"{json.dumps(SURVEY)}\nor\n{other}")
    assert parse(f"{other}\n{other}", Finish.STOP, Survey) == surveyed(state="dark")


def test_envelopes_and_lists_of_one_are_opened() -> None:
    for wrapped in ([SURVEY], [SURVEY, SURVEY], {"survey": SURVEY}, {"result": SURVEY}):
        assert parse(json.dumps(wrapped), Finish.STOP, Survey) == surveyed()
    assert complaint(json.dumps({"example": SURVEY}))


def test_a_cut_answer_is_told_as_cut() -> None:
    text = json.dumps(SURVEY)
    assert "not complete" in complaint(text[:-1], Finish.LENGTH)
    assert parse(f"{text}\n\nI hope", Finish.LENGTH, Survey) == surveyed()


def test_checks_take_part() -> None:
    def known(survey: Survey) -> None:
        if survey.lamps[0].id != 2:
            raise ContractError("lamps[0].id: there is no lamp 1.")

    assert parse(json.dumps(SURVEY), Finish.STOP, Survey).lamps[0].id == 1
    with pytest.raises(ContractError, match="there is no lamp 1"):
        parse(json.dumps(SURVEY), Finish.STOP, Survey, known)


def test_a_contract_that_requires_nothing_is_not_kept_by_saying_nothing() -> None:
    class Remarks(BaseModel):
        remarks: list[str] = []

    with pytest.raises(ContractError, match="none of the fields remarks"):
        parse("{}", Finish.STOP, Remarks)
    assert parse('{"remarks": []}', Finish.STOP, Remarks).remarks == []


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f'{{"title": "t{number}"}}' for number in range(10_000)),
        json.dumps(SURVEY | {"tags": list(range(30_000))}),
        json.dumps({f"k{number}": number for number in range(12_000)}),
    ],
    ids=["many objects", "many problems", "many fields"],
)
def test_much_of_everything_is_judged_soon(text: str) -> None:
    assert len(complaint(text)) < 1_000
    assert cpu_s(lambda: complaint(text), enough_s=2) <= 2  # a few times what it takes


SCHEMA = output_schema(Survey).definition


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"extra": 1, "more": {}}, {}),
        ({"note": None, "tags": None}, {}),
        ({"certainty": None}, {"certainty": None}),
        ({"state": " LIT "}, {"state": "lit"}),
        ({"state": "lit."}, {"state": "lit."}),
        ({"tags": ["a", " ", "", "b"]}, {"tags": ["a", "b"]}),
        ({"lamps": [{"id": 2.0, "Colour": "RED"}]}, {"lamps": [{"id": 2, "colour": "red"}]}),
        ({"lamps": [{"id": 2.5}]}, {"lamps": [{"id": 2.5}]}),
        ({"lamps": [{"id": "2"}]}, {"lamps": [{"id": "2"}]}),
    ],
)
def test_puts_right_what_has_one_reading(
    changes: dict[str, JsonValue], kept: dict[str, JsonValue]
) -> None:
    assert same(tidy({**SURVEY, **changes}, SCHEMA), {**SURVEY, **kept})


def test_names_are_told_apart_by_their_spelling_alone() -> None:
    assert tidy({" Title": "A"}, SCHEMA) == {"title": "A"}
    assert tidy({"title": "A", "Title": "B"}, SCHEMA) == {"title": "A"}
    assert tidy({"TITLE": "A", "Title": "B"}, SCHEMA) == {}


@given(OBJECTS)
def test_doing_it_twice_changes_nothing(value: dict[str, JsonValue]) -> None:
    once = tidy(SURVEY | value, SCHEMA)
    assert same(tidy(once, SCHEMA), once)


@given(VALUES)
def test_where_a_schema_allows_everything_only_blanks_go(value: JsonValue) -> None:
    assert same(tidy({"a": value}, {}), {"a": value})


def test_control_characters_do_not_get_into_values() -> None:
    said = SURVEY | {"title": "Skar\x00holm \x1bquay\x85", "state": "lit"}
    assert parse(json.dumps(said), Finish.STOP, Survey).title == "Skarholm quay"
