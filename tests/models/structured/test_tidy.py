from __future__ import annotations

import pytest
from hypothesis import given
from pydantic import JsonValue
from tests.models.structured.contracts import SURVEY, Survey
from tests.models.structured.values import OBJECTS, VALUES

from quaere.models.structured.lenient import same
from quaere.models.structured.schema import output_schema
from quaere.models.structured.tidy import tidy

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
