from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from tests.models.structured.values import OBJECTS
from tests.timing import cpu_s

from quaere.domain.model import Finish
from quaere.models.structured.find_json import MAX_CHARS, beyond, is_piece, read, visible, was_meant
from quaere.models.structured.lenient_json import Flaw, Unreadable, same

LAMP = '{"lamp": "upper", "seen": [2, 3], "why": "{x} says <b>so</b>, at [1]"}'
VALUE = json.loads(LAMP)

WRAPPERS: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: text,
    "space": lambda text: f"\n\t \u00a0{text}\u00a0\n",
    "byte order mark": lambda text: f"\ufeff{text}",
    "prose": lambda text: f"Of course (see {{below}}):\n\n{text}\n\nThat's [all].",
    "fence": lambda text: f"```json\n{text}\n```",
    "fence in prose": lambda text: f"Here.\n~~~\n{text}\n~~~\nThere.",
    "reasoning": lambda text: f'<think>\nmaybe {{"lamp": "lower"}}\n</think>\n{text}',
    "reasoning begun before": lambda text: f'maybe {{"lamp": "lower"}} </think>{text}',
    "nested reasoning": lambda text: f"<think>a<think>b</think> [] c</think>{text}",
    "other reasoning": lambda text: f'[THINK]{{"a": 1}}[/THINK]{text}',
    "channels": lambda text: (
        '<|channel|>analysis<|message|>{"a": 1}<|end|><|start|>assistant'
        f"<|channel|>final<|message|>{text}<|return|>"
    ),
    "template's end": lambda text: f"{text}<|im_end|><|im_start|>",
    "tag": lambda text: f'<output kind="json">{text}</output>',
    "call": lambda text: f"print({text});",
    "assignment": lambda text: f"const lamp = {text};",
    "bullet": lambda text: f"- {text}",
    "twice": lambda text: f"{text}\n{text}",
    "surplus bracket": lambda text: f"{text}]",
    "surplus brackets": lambda text: f"{{{text}}}",
    "JSON string": json.dumps,
    "escaped": lambda text: json.dumps(text)[1:-1],
    "quoted": lambda text: f"'{text}'",
    "example before": lambda text: f'Like {{"lamp": <name>}}, so:\n{text}',
}


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=list(WRAPPERS))
def test_finds_the_value_in_what_is_around_it(wrap: Callable[[str], str]) -> None:
    assert read(wrap(LAMP)) == [VALUE]
    assert read(wrap(json.dumps(VALUE, indent=2))) == [VALUE]


def test_finds_it_escaped_for_a_page() -> None:
    assert read(LAMP.replace("<", "&lt;").replace('"', "&quot;")) == [VALUE]


@given(OBJECTS, st.sampled_from(["nothing", "space", "fence", "reasoning", "tag", "call", "twice"]))
def test_any_object_in_anything_comes_back_as_it_is(value: JsonValue, name: str) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=1)):
        (found,) = read(WRAPPERS[name](text))
        assert same(found, value)


@given(OBJECTS, st.data())
def test_a_cut_text_gives_the_whole_object_or_none(value: JsonValue, data: st.DataObject) -> None:
    text = json.dumps(value)
    prefix = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(Unreadable):
        read(prefix, Finish.LENGTH)
    (found,) = read(f"{text} That is all.", Finish.LENGTH)
    assert same(found, value)


@given(OBJECTS, st.data())
def test_what_a_model_leaves_open_is_closed_without_a_change(
    value: JsonValue, data: st.DataObject
) -> None:
    text = json.dumps(value)
    prefix = text[: data.draw(st.integers(0, len(text) - 1))]
    try:
        (found,) = read(prefix)
    except Unreadable:
        return
    assert_part(found, value)


def assert_part(part: JsonValue, whole: JsonValue) -> None:
    """Hold every key, element and scalar of ``part`` to be the one of ``whole``."""
    if isinstance(part, dict) and isinstance(whole, dict):
        for key, inner in part.items():
            assert_part(inner, whole[key])
    elif isinstance(part, list) and isinstance(whole, list):
        for inner, other in zip(part, whole, strict=False):
            assert_part(inner, other)
        assert len(part) <= len(whole)
    else:
        assert same(part, whole)


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("", Flaw.EMPTY),
        (" \n", Flaw.EMPTY),
        ("The lamp is lit.", Flaw.NO_JSON),
        ('"lit"', Flaw.NO_JSON),
        ("17", Flaw.NO_JSON),
        ("```json\n```", Flaw.NO_JSON),
        ("lamp: upper\nseen: 2", Flaw.NO_JSON),
        ("<lamp><seen>2</seen></lamp>", Flaw.NO_JSON),
        ("<think>so I write", Flaw.NO_JSON),
        (f"<think>{LAMP}", Flaw.NO_JSON),
        (f"<think>{LAMP}</think>", Flaw.NO_JSON),
        ("I'm sorry, but I can't help with lamps.", Flaw.DECLINED),
        ("As a keeper I will not say that.", Flaw.DECLINED),
        ("I won't.", Flaw.DECLINED),
        ("The lamp is lit. " * 30 + "We can't see it.", Flaw.NO_JSON),
        ("{", Flaw.CUT),
        ("[" * 1000, Flaw.TOO_LARGE),
        (f"{LAMP}{' ' * MAX_CHARS}.", Flaw.TOO_LARGE),
        ('{"lamp": upper, "other": {"lamp": "lower"}}', Flaw.BROKEN),
        ('{"lamp": "a"}, "other": {"lamp": "b"}}', Flaw.BROKEN),
        ('"other": {"lamp": "b"}', Flaw.BROKEN),
        ('"[1, 2,]"', Flaw.BROKEN),
        ('{"lamp": {"id": 1}, "lit": true}}', Flaw.BROKEN),
        ('"lamps": [], "lamp: {"id": 1}}', Flaw.BROKEN),
        (f'{LAMP}\nNo, wait:\n{{"lamp": lower}}', Flaw.BROKEN),
        (f'{LAMP}\nNo, wait:\n{{"lamp": "lo', Flaw.CUT),
        ('> {\n> "lamp": "see [2]"\n> }', Flaw.BROKEN),
        ('{\\"lamp\\": \\"upper}', Flaw.BROKEN),
    ],
)
def test_says_why_there_is_no_value(text: str, flaw: Flaw) -> None:
    with pytest.raises(Unreadable) as raised:
        read(text)
    assert raised.value.flaw is flaw
    assert len(raised.value.message) < 200


@pytest.mark.parametrize("text", ["", "I can't.", LAMP[:-9], f"No: {LAMP}", "{}", "[" * 100_000])
def test_a_refusal_is_not_read(text: str) -> None:
    with pytest.raises(Unreadable) as raised:
        read(text, Finish.REFUSAL)
    assert raised.value.flaw is Flaw.DECLINED


def test_a_filter_that_speaks_up_after_a_whole_object_has_declined_nothing() -> None:
    assert read(f" {LAMP}\n", Finish.REFUSAL) == [VALUE]


def test_different_values_are_all_told() -> None:
    assert read('{"a": 1} [2] {"a": 1.0} {"a": 1}') == [{"a": 1}, [2], {"a": 1.0}]


def test_the_visible_part_is_behind_the_reasoning() -> None:
    assert visible(f"<think>a</think>\n{LAMP}") == LAMP
    assert visible(LAMP) == LAMP


def damaged(text: str) -> Iterator[str]:
    """Yield ``text`` with one of its brackets, commas, colons or quotes lost, changed or added."""
    within = False
    for at, char in enumerate(text):
        within ^= char == '"'
        if within and char != '"':
            continue
        for other in '{}[]:,"':
            yield text[:at] + other + text[at:]
            if char in '{}[]:,"':
                yield text[:at] + other + text[at + 1 :]
        if char in '{}[]:,"':
            yield text[:at] + text[at + 1 :]


@pytest.mark.parametrize(
    "value",
    [
        {"lamps": [{"id": 1, "seen": [4, 5]}, {"id": 2}], "lit": True, "note": None},
        {"a": ["x y", "p, q", "it's"], "b": "two {words}", "c": {"d": "e", "f": ["g", "h"]}},
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_one_wrong_character_never_gives_another_value(
    value: JsonValue, indent: int | None
) -> None:
    read_anyway = 0
    for text in damaged(json.dumps(value, indent=indent)):
        with suppress(ValueError):
            json.loads(text)
            continue
        with suppress(Unreadable):
            found = [item for item in read(text) if isinstance(item, dict)]
            assert found in ([value], []), text
            read_anyway += 1
    assert read_anyway > 30


PIECES = [
    *'[{"\\,( \n', "{ ", '{"a":', "[1,", "[] ", "{a}", '{"a"}', '{"a":x}', '{"a":1}', "<think>",
    "</think>", "<think ", '" x', '"b ', '[\\"', '{\\"a\\":1}', "{&quot;", "/*", "{/*", "[x/*",
    "/**/", "//\n", "# \n", "'", "b'b", '{"a":"""', "{```", "\n```", "\u00a0", '"a":{', "{},",
    "\\u0041", "\udc00", '"x": ', '"\n"b', "(1,),", "9", "x", '"' + " " * 50,
]  # fmt: skip


@pytest.mark.parametrize("finish", [Finish.STOP, Finish.LENGTH])
@pytest.mark.parametrize("begin", ["", '{"a": "', "[", "{"])
def test_takes_time_in_proportion_to_the_length(begin: str, finish: Finish) -> None:
    """Eight times the text takes some eight times as long: sixty-four times would be quadratic."""

    def reading(text: str) -> None:
        with suppress(Unreadable):
            read(text, finish)

    for piece in PIECES:
        short, long = (begin + piece * (size // len(piece)) for size in (2_500, 20_000))
        limit_s = 24 * cpu_s(partial(reading, short), enough_s=0) + 0.05
        assert cpu_s(partial(reading, long), enough_s=limit_s) <= limit_s, piece


@pytest.mark.parametrize("piece", ["[]", "{ ", '[\\"', "{a}", '{"a":1}', "[1,"])
def test_the_longest_text_is_read_soon(piece: str) -> None:
    def reading() -> None:
        with suppress(Unreadable):
            read(piece * (MAX_CHARS // len(piece)))

    assert cpu_s(reading, enough_s=2) <= 2  # a few times what it takes


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
def test_what_stands_inside_something_larger_is_a_piece(
    before: str, value: str, after: str
) -> None:
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
def test_what_stands_by_itself_is_whole(before: str, value: str, after: str) -> None:
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
