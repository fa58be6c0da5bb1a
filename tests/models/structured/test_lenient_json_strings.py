from __future__ import annotations

import pytest

from quaere.models.structured.lenient_json import Flaw, Unreadable, read_string, scalars


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
def test_reads(text: str, value: str) -> None:
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
