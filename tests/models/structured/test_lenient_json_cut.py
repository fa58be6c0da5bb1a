"""Objects of JSON that end in the middle."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from quaere.models.structured.find_json import MAX_CHARS
from quaere.models.structured.lenient_json import whole_part

JUDGED = (
    '{"checklist": ["who, and when", "why"], "findings": [{"id": 1, "items": [1, 2]}, {"id": 2}], '
    '"gaps": [], "answer": "It is \\"old\\" [1]. It was built in 1788 [2]. It then", "sure": true}'
)


@pytest.mark.parametrize(
    ("until", "fields"),
    [
        ("", {}),
        ('{"checklist": ["who', {"checklist": []}),
        ('when", "wh', {"checklist": ["who, and when"]}),
        ('{"id": 1, "items": [1', {"checklist": ["who, and when", "why"], "findings": []}),
        ('{"id": 2', {"findings": [{"id": 1, "items": [1, 2]}]}),
        ('"gaps": []', {"findings": [{"id": 1, "items": [1, 2]}, {"id": 2}]}),
        ("It is", {"gaps": []}),
        ("It was built", {"gaps": []}),
        ("It th", {"gaps": []}),
        (JUDGED[-4:], {"sure": True}),
    ],
)
def test_what_is_whole_is_kept(until: str, fields: dict[str, JsonValue]) -> None:
    found = whole_part(JUDGED[: JUDGED.index(until) + len(until)])
    assert fields.items() <= found.items()
    assert len(found) <= 5


def test_thoughts_before_it_and_words_after_it_do_not_matter() -> None:
    assert whole_part('Here: {"gaps": ["a"], "b": [1, 2') == {"gaps": ["a"], "b": [1]}
    assert whole_part('{"gaps": []} and {"b": 1') == {"gaps": []}
    assert whole_part("no object") == whole_part('{"a": ]') == {}


@given(st.text(alphabet='{}[],:"\\ab1 \n', max_size=80))
def test_whatever_comes_is_no_error(text: str) -> None:
    json.dumps(whole_part(text))


@pytest.mark.parametrize("piece", ['{"a": [', '"a, [', "\\", '{"a": "b. '])
def test_the_longest_that_is_read_takes_no_longer_than_it_has_to(piece: str) -> None:
    began = time.monotonic()
    whole_part('{"a": [1, 2], ' + piece * (MAX_CHARS // len(piece)))
    assert time.monotonic() - began < 2


def test_half_of_an_answer_is_not_taken_for_all_of_it() -> None:
    assert "answer" not in whole_part(JUDGED[: JUDGED.index("It then")])


def test_what_is_nested_too_deep_is_nothing() -> None:
    assert whole_part('{"a": ' + "[" * 100_000 + "]" * 100_000 + ', "b": "c') == {}
