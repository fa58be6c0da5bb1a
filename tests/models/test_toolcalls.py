from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from quaere.models.toolcalls import ToolCalls

Fields = Mapping[str, object]


@dataclass
class Said:
    """What LangChain makes of a whole answer."""

    tool_calls: Sequence[Fields] = ()
    invalid_tool_calls: Sequence[Fields] = ()
    text: str = ""
    response_metadata: Fields = field(default_factory=dict[str, object])
    additional_kwargs: Fields = field(default_factory=dict[str, object])
    usage_metadata: Fields | None = None


@dataclass
class Piece(Said):
    """What it makes of a piece, whose calls it tries to read by itself as well."""

    tool_call_chunks: Sequence[Fields] = ()


def calls(*replies: Said) -> ToolCalls:
    found = ToolCalls()
    for reply in replies:
        found.add(reply)
    return found


FOOD: Fields = {"name": "food", "args": {"food": "lichen"}}


def test_the_arguments_of_one_call_are_json() -> None:
    assert calls(Said(tool_calls=[FOOD])).arguments_for("food") == '{"food": "lichen"}'


def test_arguments_that_could_not_be_read_are_given_as_written() -> None:
    broken: Fields = {"name": "food", "args": '{"food": "lichen"'}
    assert calls(Said(invalid_tool_calls=[broken])).arguments_for("food") == broken["args"]


def test_pieces_are_put_together_by_their_place() -> None:
    pieces = [
        Piece([FOOD], tool_call_chunks=[{"index": 0, "name": "food", "args": '{"fo'}]),
        Piece(tool_call_chunks=[{"index": 0, "name": None, "args": 'od": 1}'}]),
        Piece(),
    ]
    assert calls(*pieces).arguments_for("food") == '{"food": 1}'


@pytest.mark.parametrize(
    "made",
    [
        [],
        [FOOD, FOOD],
        [{"name": "shell", "args": {"food": "lichen"}}],
        [{"name": None, "args": {"food": "lichen"}}],
    ],
)
def test_other_tools_and_several_calls_are_no_answer(made: Sequence[Fields]) -> None:
    assert calls(Said(tool_calls=made)).arguments_for("food") == ""


def test_names_are_the_same_however_they_are_spelt() -> None:
    assert calls(Said(tool_calls=[{"name": "OpeningAnswer", "args": {}}])).arguments_for(
        "opening_answer"
    )
