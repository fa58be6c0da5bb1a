"""JSON that is nearly JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from pydantic import JsonValue
from tests.models.structured.values import VALUES

from quaere.models.structured.lenient_json import (
    MAX_DEPTH,
    MAX_DIGITS,
    Flaw,
    LenientParser,
    Unreadable,
    read_string,
    same,
    scalars,
)


def parsed(text: str, *, whole: bool = True) -> JsonValue:
    parser = LenientParser(text, 0, whole=whole)
    value = parser.read()
    assert parser.at == len(text)
    return value


def flaw(text: str, *, whole: bool = True) -> Flaw:
    with pytest.raises(Unreadable) as raised:
        LenientParser(text, 0, whole=whole).read()
    return raised.value.flaw


@given(VALUES)
def test_reads_json_as_json_does(value: JsonValue) -> None:
    for text in (json.dumps([value]), json.dumps([value], ensure_ascii=False, indent=2)):
        assert same(parsed(text), json.loads(scalars(text)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": [2,],}', {"a": 1, "b": [2]}),
        ('{, "a": 1,, "b": 2}', {"a": 1, "b": 2}),
        ("{\"a\": 1 // one\n, /* two */ 'b': 2, # three\n}", {"a": 1, "b": 2}),
        ("{'a': (1, 2), 'b': None, 'c': True, 'd': (), 'e': (1,)}",
         {"a": [1, 2], "b": None, "c": True, "d": [], "e": [1]}),
        ("{a: 1, b-c: 2, d\": 3}", {"a": 1, "b-c": 2, "d": 3}),
        ('{"a": TRUE, "b": Null}', {"a": True, "b": None}),
        ('{"a": .5, "b": 1., "c": +2, "d": 1.e2}', {"a": 0.5, "b": 1.0, "c": 2, "d": 100.0}),
        ('{"a": "x"\n"b": "y" "c": 3}', {"a": "x", "b": "y", "c": 3}),
        ('["a"\n"b"]', ["a", "b"]),
        ('[{"a": 1} {"a": 2}]', [{"a": 1}, {"a": 2}]),
        ("[1\n2]", [1, 2]),
        ('{"a": 1, "a": 1}', {"a": 1}),
        (f'{{"a": {"9" * MAX_DIGITS}}}', {"a": int("9" * MAX_DIGITS)}),
        ('{\u00a0"a":\u200b1\x0b,\ufeff"b":2}', {"a": 1, "b": 2}),
        ('{\\n  "a": "x"\\n}', {"a": "x"}),
        ('["http://x.test/a//b#c"]', ["http://x.test/a//b#c"]),
    ],
)  # fmt: skip
def test_reads_over_what_can_mean_one_thing_only(text: str, value: JsonValue) -> None:
    assert same(parsed(text), value)


@pytest.mark.parametrize(
    "text",
    [
        f'{{"a": {"9" * (MAX_DIGITS + 1)}}}', "{a 1}",
        '{"a": NaN}', '{"a": -Infinity}', '{"a": 1e999}', f'{{"a": {"9" * 5000}}}',
        '{"a": 007}', '{"a": 1_000}', '{"a": 0x1F}', '{"a": 12/13}', '{"a": 5 km}', '{"a": 82%}',
        '{"a": 0,5}', '{"a": word}', '{"a": }', '{"a" 1}', '{"a": 1; "b": 2}', '{"a" = 1}',
        '{"a": 1, "a": 2}', '{"a": 1, "a": true}', '{"a": [1}, "b": 2}', "[(1)]", "[1 2]",
        '["a" "b"]', "[1, ...]", "[#1,\n#2]", "{'a', 'b'}", '[1 {"a": 2}]', '{"a": {"b": 1]}',
    ],
)  # fmt: skip
def test_rejects_what_could_mean_two_things(text: str) -> None:
    assert flaw(text) is Flaw.BROKEN


def test_brackets_forgotten_at_the_end_are_put_there() -> None:
    assert parsed('{"a": "x"') == {"a": "x"}
    assert parsed('{"a": ["x", "y"') == {"a": ["x", "y"]}
    assert parsed('{"a": 12 ') == {"a": 12}
    assert parsed('[{"a": 1}, "x"') == [{"a": 1}, "x"]
    parser = LenientParser('{"a": "x"\n```\nSo it is.', 0, whole=True)
    assert parser.read() == {"a": "x"}


@pytest.mark.parametrize(
    "text",
    ['{"a": [{"b": ["x"', '{"a": {"b": "x"', '{"a": {"b": 1, "c": "x"}', '{"a": [{"b": 1}',
     '{"a": 12', '{"a": "x', '{"a": "x",', '{"a": ', '{"a', "{", "[",
     "{a", "{a:", '["x", {"b": 1}',
     '{"a": tru', '{"a": "x" // and "b": 1}', '{"a": "x" /* and', '{"a": "\\u00'],
)  # fmt: skip
def test_nothing_is_put_where_more_may_be_missing(text: str) -> None:
    assert flaw(text) is Flaw.CUT


def test_a_text_that_was_cut_off_gets_no_brackets() -> None:
    assert flaw('{"a": "x"', whole=False) is Flaw.CUT
    assert parsed('{"a": "x"}', whole=False) == {"a": "x"}


def test_depth_is_limited() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parsed(deepest)
    assert flaw(f"[{deepest}]") is Flaw.TOO_LARGE
    objects = '{"a": ' * (MAX_DEPTH - 1) + "{}" + "}" * (MAX_DEPTH - 1)
    assert parsed(objects)
    assert flaw(f'{{"a": {objects}}}') is Flaw.TOO_LARGE


def test_the_complaint_says_what_and_where() -> None:
    with pytest.raises(Unreadable, match='expected "," or "}", near ') as raised:
        LenientParser('{"lamps": 3 of 4}', 0, whole=True).read()
    assert "'of 4}'" in raised.value.message
    assert raised.value.at == 12


@pytest.mark.parametrize("ending", [" 1", ":"])
def test_a_complaint_shows_the_begin_of_a_long_key(ending: str) -> None:
    with pytest.raises(Unreadable) as raised:
        LenientParser(f"{{{'k' * 59}yz{ending}", 0, whole=True).read()
    assert f"'{'k' * 59}y'" in raised.value.message.partition(", near")[0]


@pytest.mark.parametrize(
    ("text", "progressed"),
    [("{see below}", False), ("[see below]", False), ('{"a": see}', True), ('["a", see]', True)],
)
def test_a_key_or_an_element_tells_json_from_a_bracket_in_prose(
    text: str, progressed: bool
) -> None:
    parser = LenientParser(text, 0, whole=True)
    with pytest.raises(Unreadable):
        parser.read()
    assert parser.progressed is progressed


def test_one_is_not_true() -> None:
    assert not same(1, True)
    assert not same([1], [1.0])
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})


def string(text: str, closer: str = "}") -> str:
    value, end = read_string(text, 0, closer)
    assert end < len(text), "what closes the structure is not of the string"
    assert text[end:].strip() in {closer, "", ", 1]", "// x"}
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"plain"}', "plain"),
        ("'plain'}", "plain"),
        ("'it's plain'}", "it's plain"),
        ("“plain”}", "plain"),
        ("«plain»}", "plain"),
        ("‘it’s plain’}", "it’s plain"),
        ("`plain`}", "plain"),
        ('"""two\n"quoted" lines"""}', 'two\n"quoted" lines'),
        ('""""""}', ""),
        ('"raw\nline\tends"}', "raw\nline\tends"),
        ('"the "upper" lamp"}', 'the "upper" lamp'),
        ('"called "upper""}', 'called "upper"'),
        ('"see [x]("http://x.test")"}', 'see [x]("http://x.test")'),
        ('"said "yes", then left"}', 'said "yes", then left'),
        (r'"\d+ \"a\" \\ \/ \n\u00e9 \ud83c\udf0a"}', '\\d+ "a" \\ / \né \U0001f30a'),
        (r"'it\'s'}", "it's"),
        (r"“the \”lamp\“ \«here\»”}", "the ”lamp“ «here»"),
        ('"a" // x', "a"),
    ],
)
def test_strings_are_read_in_any_quotes(text: str, value: str) -> None:
    assert string(text) == value


@pytest.mark.parametrize(
    ("text", "closer"),
    [
        ('"a 24" wide lamp"}', "}"),
        ('"the "upper", "lower" lamp"]', "]"),
        ('"dusk, "state": "lit"}', "}"),
        ('"dusk," state"}', "}"),
        ('""doubled""}', "}"),
        ('"a, "b, "c"]', "]"),
        ('"a" + "b"}', "}"),
        ('"use "x"} or not"}', "}"),
        ('"a" "b"}', ":"),
        ("'rock 'n' roll'}", "}"),
        ("“a “b” c”}", "}"),
        (r'"\x41"}', "}"),
        (r'"\u12"}', "}"),
        ('"a \\\nb"}', "}"),
    ],
)
def test_rejects_strings_whose_end_or_meaning_is_a_guess(text: str, closer: str) -> None:
    with pytest.raises(Unreadable) as raised:
        read_string(text, 0, closer)
    assert raised.value.flaw is Flaw.BROKEN


@pytest.mark.parametrize("text", ['"a', '"a\\', "'a", '"""a""', '"a "b'])
def test_a_string_without_an_end_is_cut(text: str) -> None:
    with pytest.raises(Unreadable) as raised:
        read_string(text, 0, "}")
    assert raised.value.flaw is Flaw.CUT


def test_a_complaint_about_an_escape_is_about_its_place() -> None:
    with pytest.raises(Unreadable) as raised:
        read_string(r'["lamp", "oil \x41"]', 9, "]")
    assert raised.value.at == 14


def test_lone_surrogates_become_replacement_characters() -> None:
    assert string(r'"\udf0a\ud83c a \ud83c"}') == "\ufffd\ufffd a \ufffd"
    assert scalars("\ud83c\udf0a \udf0a") == "\U0001f30a \ufffd"
