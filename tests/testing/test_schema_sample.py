from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal, cast
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, HttpUrl, JsonValue

from quaere.domain.question import Plan
from quaere.domain.report import Report
from quaere.domain.verdict import Reflection
from quaere.testing.schema_sample import obeyed, sample


class Colour(StrEnum):
    RED = "red"
    WHITE = "white"


class Lamp(BaseModel):
    model_config = ConfigDict(extra="forbid")

    colour: Colour
    reach: Annotated[float, Field(gt=0, lt=0.3)]
    flashes: Annotated[int, Field(ge=2, le=9)]
    keeper: Annotated[str, Field(min_length=3, max_length=8)]
    oil: str | None
    kind: Literal["lamp"]


class Beam(BaseModel):
    kind: Literal["beam"]
    at: tuple[float, float]


class Tower(BaseModel):
    code: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    built: date
    lit: datetime
    log: HttpUrl
    key: UUID
    light: Annotated[Lamp | Beam, Field(discriminator="kind")]
    spare: Annotated[list[Lamp], Field(min_length=2)]
    twin: Tower | None = None
    notes: dict[str, str] = {}
    visited: bool = False


MODELS: list[type[BaseModel]] = [Lamp, Beam, Tower, Plan, Reflection, Report]


@pytest.mark.parametrize("model", MODELS)
def test_samples_are_instances(model: type[BaseModel]) -> None:
    model.model_validate(sample(model.model_json_schema()))


@pytest.mark.parametrize("model", MODELS)
def test_what_is_obeyed_is_an_instance(model: type[BaseModel]) -> None:
    model.model_validate(obeyed(model.model_json_schema(), text="obey", parts={}))


def test_a_sample_is_as_small_as_may_be_and_says_what_is_what() -> None:
    assert sample(Lamp.model_json_schema()) == {
        "colour": "red",
        "reach": pytest.approx(0.15, abs=0.149),
        "flashes": 2,
        "keeper": "keeper",
        "oil": None,
        "kind": "lamp",
    }
    assert len(Tower.model_validate(sample(Tower.model_json_schema())).spare) == 2


def test_what_is_obeyed_says_it_everywhere() -> None:
    lamp = Lamp.model_validate(obeyed(Lamp.model_json_schema(), text="kneel, keeper", parts={}))
    assert (lamp.keeper, lamp.oil) == ("kneel, k", "kneel, keeper")
    assert lamp.flashes == 9
    tower = Tower.model_validate(obeyed(Tower.model_json_schema(), text="kneel", parts={}))
    assert tower.visited
    assert tower.twin


def test_of_several_types_a_sample_has_the_first_and_what_is_obeyed_says_something() -> None:
    either: list[list[JsonValue]] = [["null", "string"], ["string", "null"]]
    for types in either:
        assert obeyed({"type": types}, text="kneel", parts={}) == "kneel"
    assert sample({"type": ["null", "string"]}) is None
    assert isinstance(sample({"type": ["string", "null"]}), str)
    assert obeyed({"type": ["null"]}, text="kneel", parts={}) is None


def test_parts_stand_where_they_fit() -> None:
    parts: dict[str, JsonValue] = {
        "colour": "blue",
        "flashes": 4,
        "oil": "whale",
        "kind": 7,
        "keeper": ["a"],
    }
    lamp = Lamp.model_validate(obeyed(Lamp.model_json_schema(), text="kneel", parts=parts))
    assert (lamp.flashes, lamp.oil, lamp.keeper) == (4, "whale", "kneel")


@given(low=st.integers(-20, 20), room=st.integers(0, 5))
def test_numbers_keep_within_their_limits(low: int, room: int) -> None:
    schema = {"type": "integer", "minimum": low, "maximum": low + room}
    value = sample(schema)
    assert isinstance(value, int)
    assert low <= value <= low + room
    assert obeyed(schema, text="", parts={}) == low + room


def test_conjunctions_ask_for_all_of_it() -> None:
    part: JsonValue = {"properties": {"a": {"type": "string"}}, "required": ["a"]}
    other: JsonValue = {"properties": {"b": {"const": 7}}, "required": ["b"]}
    assert sample({"type": "object", "allOf": [part, other]}) == {"a": "a", "b": 7}


def test_a_format_that_nobody_knows_is_written_as_any_text() -> None:
    number: JsonValue = {"type": "string", "format": "phone"}
    assert sample({"type": "object", "properties": {"n": number}, "required": ["n"]}) == {"n": "n"}


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "string", "pattern": "^(?:x7){3}y$"}, "script the answer"),
        ({"$ref": "#/$defs/Gone"}, "does not hold"),
        ({"$ref": "#"}, "deep"),
    ],
)
def test_what_cannot_be_made_up_is_said(schema: dict[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        sample({**schema})


def listing(**keywords: JsonValue) -> dict[str, JsonValue]:
    return {"type": "array", "items": {"type": "string"}, **keywords}


def holding(*required: str, **properties: JsonValue) -> dict[str, JsonValue]:
    return {"type": "object", "properties": properties, "required": list(required)}


NULL: JsonValue = {"type": "null"}
TEXT: JsonValue = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "smallest", "fullest"),
    [
        pytest.param({"const": 7, "type": "string"}, 7, 7, id="constant"),
        pytest.param({"enum": ["red", "white"]}, "red", "red", id="first of an enumeration"),
        pytest.param({"enum": [], "type": "string"}, "text", "kneel", id="empty enumeration"),
        pytest.param({"type": "boolean"}, False, True, id="boolean"),
        pytest.param(NULL, None, None, id="null"),
        pytest.param({}, "text", "kneel", id="anything"),
        pytest.param(TEXT, "text", "kneel", id="text"),
        pytest.param({**holding("a", a=TEXT)}, {"a": "a"}, {"a": "kneel"}, id="object"),
        pytest.param({"properties": {"a": TEXT}}, {}, {"a": "kneel"}, id="object without type"),
        pytest.param(
            holding("late", "a_b", a_b=TEXT, c=TEXT),
            {"late": "late", "a_b": "a b"},
            {"a_b": "kneel", "c": "kneel", "late": "kneel"},
            id="required without a schema",
        ),
        pytest.param(holding("a", a=True), {"a": "a"}, {"a": "kneel"}, id="property of any kind"),
        pytest.param(listing(), [], ["kneel"], id="list"),
        pytest.param(listing(minItems=2), ["text"] * 2, ["kneel"] * 2, id="list of two"),
        pytest.param(listing(maxItems=0), [], [], id="list without room"),
        pytest.param(listing(maxItems=3), [], ["kneel"], id="list with room"),
        pytest.param(
            listing(prefixItems=[{"const": 1}, {"const": 2}], minItems=3),
            [1, 2, "text"],
            [1, 2, "kneel"],
            id="leading entries",
        ),
        pytest.param(
            {"type": "array", "minItems": 1}, ["text"], ["kneel"], id="entries of any kind"
        ),
        pytest.param(
            {"allOf": [holding("a", a=TEXT), {"properties": {"b": TEXT}}]},
            {"a": "a"},
            {"b": "kneel", "a": "kneel"},
            id="required in one part alone",
        ),
        pytest.param({"type": "string", "minLength": 7}, "textxxx", "kneelxx", id="shortest"),
        pytest.param({"type": "string", "maxLength": 3}, "tex", "kne", id="longest"),
        pytest.param(
            {"type": "string", "pattern": "^[a-z]+$"}, "text", "kneel", id="pattern that fits"
        ),
        pytest.param(
            {"type": "string", "pattern": "^a+$", "minLength": 3}, "aaa", "aaa", id="long enough"
        ),
        pytest.param(
            {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "a1" * 32, "a1" * 32, id="a hash"
        ),
        pytest.param(
            {"type": "string", "pattern": "^[A-Z0-9]+$", "maxLength": 1}, "1", "1", id="short"
        ),
        pytest.param({"type": "string", "format": "time"}, "03:02:01Z", "03:02:01Z", id="format"),
        pytest.param({"type": "integer"}, 0, 1, id="integer"),
        pytest.param({"type": "number"}, 0, 0, id="number"),
        pytest.param({"type": "integer", "minimum": 3}, 3, 3, id="at least"),
        pytest.param({"type": "integer", "exclusiveMinimum": 3}, 4, 4, id="more than"),
        pytest.param({"type": "number", "exclusiveMinimum": 3}, 3.001, 3.001, id="a bit more"),
        pytest.param({"type": "integer", "maximum": 3}, 0, 3, id="at most"),
        pytest.param({"type": "integer", "exclusiveMaximum": 3}, 0, 2, id="less than"),
        pytest.param({"type": "number", "exclusiveMaximum": 3}, 0, 2.999, id="a bit less"),
        pytest.param({"type": "number", "maximum": 2.5}, 0, 2.5, id="fraction"),
        pytest.param({"type": "integer", "maximum": -3}, -3, -3, id="below zero"),
        pytest.param({"type": "integer", "minimum": -3}, 0, 1, id="around zero"),
        pytest.param(
            {"type": "integer", "minimum": 3, "exclusiveMinimum": 1}, 3, 3, id="twice at least"
        ),
        pytest.param({"anyOf": [TEXT, NULL]}, None, "kneel", id="text or nothing"),
        pytest.param({"anyOf": [NULL, TEXT]}, None, "kneel", id="nothing or text"),
        pytest.param({"oneOf": [{"const": 1}, {"const": 2}]}, 1, 1, id="first of the alternatives"),
        pytest.param({"anyOf": [], "type": "boolean"}, False, True, id="no alternatives"),
        pytest.param(
            {"anyOf": [{"type": "string", "maxLength": 2}], "maxLength": 3},
            "tex",
            "kne",
            id="what stands beside an alternative",
        ),
        pytest.param(
            {"allOf": [holding("a", a=TEXT)], **holding("b", b=TEXT)},
            {"a": "a", "b": "b"},
            {"a": "kneel", "b": "kneel"},
            id="what stands beside a conjunction",
        ),
        pytest.param(
            {"$ref": "#/$defs/a~1b~0c", "$defs": {"a/b~c": {"const": 5}}}, 5, 5, id="reference"
        ),
        pytest.param(
            {"$ref": "#/$defs/A", "const": 6, "$defs": {"A": {"const": 5}}},
            6,
            6,
            id="what stands beside a reference",
        ),
    ],
)
def test_each_keyword_has_its_say(
    schema: dict[str, JsonValue], smallest: JsonValue, fullest: JsonValue
) -> None:
    for made, wanted in (
        (sample(schema), smallest),
        (obeyed(schema, text="kneel", parts={}), fullest),
    ):
        assert made == wanted
        assert type(made) is type(wanted) or isinstance(wanted, float)
        if isinstance(made, dict) and isinstance(wanted, dict):
            assert list(made) == list(wanted)


def nested(way: str, inner: JsonValue) -> dict[str, JsonValue]:
    match way:
        case "property":
            return holding("a", a=inner)
        case "entry":
            return {"type": "array", "minItems": 1, "items": inner}
        case _:
            return {way: [inner]}


@pytest.mark.parametrize("way", ["property", "entry", "allOf", "anyOf", "oneOf"])
def test_twelve_levels_are_written_and_no_more(way: str) -> None:
    schema: dict[str, JsonValue] = {"const": 7}
    for _ in range(12):
        schema = nested(way, schema)
    assert "7" in str(sample(schema))
    with pytest.raises(ValueError, match="more than 12 levels"):
        sample(nested(way, schema))


def test_twelve_references_are_followed_and_no_more() -> None:
    links: dict[str, JsonValue] = {str(n): {"$ref": f"#/$defs/{n + 1}"} for n in range(12)}
    defs: JsonValue = {**links, "12": {"const": 7}}
    assert sample({"$ref": "#/$defs/1", "$defs": defs}) == 7
    with pytest.raises(ValueError, match="more than 12 levels"):
        sample({"$ref": "#/$defs/0", "$defs": defs})


def test_half_of_the_levels_are_filled_in_with_what_is_optional() -> None:
    again: JsonValue = {"$ref": "#"}
    cases: list[tuple[dict[str, JsonValue], JsonValue]] = [
        ({"properties": {"a": again}}, {}),
        ({"properties": {"a": {"anyOf": [again, NULL]}}}, None),
        ({"type": "array", "items": again}, []),
    ]
    for schema, inmost in cases:
        value = obeyed(schema, text="kneel", parts={})
        for _ in range(6):
            (value,) = value.values() if isinstance(value, dict) else cast("list[JsonValue]", value)
        assert value == inmost


@pytest.mark.parametrize(
    ("own", "given", "written"),
    [
        pytest.param(TEXT, "lamp", "lamp", id="text"),
        pytest.param(TEXT, 7, "kneel", id="number for a text"),
        pytest.param(TEXT, None, "kneel", id="nothing"),
        pytest.param({"enum": ["x"], "type": "string"}, "lamp", "x", id="not enumerated"),
        pytest.param({"type": "number"}, 0.5, 0.5, id="number"),
        pytest.param({"type": "integer", "maximum": 9}, 0.5, 9, id="fraction for a whole number"),
        pytest.param({"type": "boolean"}, False, False, id="boolean"),
        pytest.param(holding(a=TEXT), {"b": 1}, {"b": 1}, id="object"),
        pytest.param(NULL, "lamp", None, id="text for nothing"),
        pytest.param({"anyOf": [NULL, TEXT]}, "lamp", "lamp", id="alternative"),
        pytest.param(listing(), ["a", 7], ["a", "7"], id="list"),
        pytest.param(listing(), [], [], id="empty list"),
        pytest.param(listing(maxItems=1), ["a", "b"], ["a"], id="list with room for one"),
        pytest.param(listing(), "lamp", ["kneel"], id="text for a list"),
        pytest.param({"type": ["null", "string"]}, "lamp", "lamp", id="nothing or text"),
        pytest.param({"type": ["null", "array"]}, ["a"], ["a"], id="nothing or a list"),
    ],
)
def test_a_part_takes_the_place_of_its_property(
    own: JsonValue, given: JsonValue, written: JsonValue
) -> None:
    assert obeyed(holding(a=own), text="kneel", parts={"a": given}) == {"a": written}


def test_nobody_is_made_to_say_anything() -> None:
    assert obeyed({"type": "string"}, text="", parts={}) == ""
