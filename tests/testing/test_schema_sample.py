from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal
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
