from __future__ import annotations

import json
from typing import cast

import pytest
from pydantic import JsonValue

from quaere.models.structured.pieces import beyond, is_piece, was_meant


def piece(before: str, value: str, after: str, *, after_broken: bool = False) -> bool:
    text = before + value + after
    end = len(before) + len(value)
    read = cast("JsonValue", json.loads(value))
    return is_piece(text, len(before), end, read, after_broken=after_broken)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ('"lamp": ', '{"id": 1}', "}"),
        ('"lamp",\n  ', '{"id": 1}', "]"),
        ("", '{"id": 1}', ', "lit": true}'),
        ("", '{"id": 1}', "\n  ],\n  'lit': true}"),
        ("", '{"id": 1}', ' see", "lit": true}'),
        ("", '{"lamp": {"id": 1}}', "}"),
        ("", '[{"lamp": {"id": {}}}]', "]"),
        ('"', "[1, 2]", '"'),
    ],
)
def test_pieces(before: str, value: str, after: str) -> None:
    assert piece(before, value, after)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("", '{"id": 1}', ""),
        ("Final answer: ", '{"id": 1}', "\n\nThat is all."),
        ("{", '{"id": 1}', "}"),
        ("", '{"lamps": [{"id": 1}]}', " } ]"),
        ("'", '{"lamp": {"id": 1}}', "'"),
        ('"', '{"id": 1}', '"'),
        ("", '{"id": 1}', ', then "lit".'),
    ],
)
def test_wholes(before: str, value: str, after: str) -> None:
    assert not piece(before, value, after)


def test_after_something_broken_a_comma_or_bracket_is_enough() -> None:
    assert piece("", '{"id": 1}', ",\n {", after_broken=True)
    assert piece("", '{"id": 1}', "}", after_broken=True)
    assert not piece("", '{"id": 1}', ".", after_broken=True)


def test_brackets_in_prose_are_not_meant_as_json() -> None:
    assert not was_meant("{see below}, as in [x]", 0)
    assert was_meant('{"lamp', 0)
    assert was_meant("{ 'lamp", 0)
    assert was_meant('{> \n> "id": 1', 0)


def test_what_is_broken_ends_with_its_bracket_or_its_fence() -> None:
    assert beyond('{"a": x, "b}": [{}]} and {}', 0) == 20
    assert beyond('{"a": x\n```\n{}', 0) == 7
    assert beyond('{"a": [x}', 0) == 9
