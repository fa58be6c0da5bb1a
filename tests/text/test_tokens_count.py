"""Estimating tokens: conservative, quick, and never at a loss."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.text.tokens import drawn_word, estimate_tokens

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("The keeper was Ada Brook", 6),
        ("1903", 4),
        ('{"id":[]}', 4),
        ("灯台は岩の上", 6),
        ("маяк", 4),
        ("🔬", 2),
        ("\x00\n\t ", 1),
        ("\ud800", 1),
    ],
)
def test_characters_weigh_by_their_kind(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


# Counted with two public vocabularies, o200k_base and cl100k_base; the larger of both.
COUNTED = [
    ("The lighthouse was painted white, and its keeper was called Ada Brook.", 15),
    ("人人生而自由，在尊严和权利上一律平等。", 21),
    ("| 17 | 62.9 | f | 2013-09-19 |\n| 18 | 66.6 | a | 2014-01-11 |", 38),
    ('{"type": "object", "properties": {"query": {"type": "string"}}}', 19),
]


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_the_estimate_is_near_what_real_vocabularies_count(text: str, counted: int) -> None:
    assert 0.9 * counted <= estimate_tokens(text) <= 1.25 * counted


@given(ANY_TEXT)
def test_every_text_has_a_size_between_a_quarter_and_two_of_its_characters(text: str) -> None:
    assert -(-len(text) // 4) <= estimate_tokens(text) <= 2 * len(text)


@given(ANY_TEXT, ANY_TEXT)
def test_parts_take_no_less_than_the_whole(a: str, b: str) -> None:
    whole = estimate_tokens(a + b)
    assert max(estimate_tokens(a), estimate_tokens(b)) <= whole
    assert whole <= estimate_tokens(a) + estimate_tokens(b)


def test_a_large_text_takes_no_time() -> None:
    text = "Ein Leuchtturm, 灯台 1903. " * 200_000
    assert cpu_s(lambda: estimate_tokens(text), enough_s=1) <= 1


def test_every_drawn_word_is_another_and_takes_as_many_tokens() -> None:
    drawn = [drawn_word() for _ in range(50)]
    assert len(set(drawn)) == 50
    assert {estimate_tokens(f"<data-{word} id=1>") for word in drawn} == {
        estimate_tokens("<data-qwertyui id=1>")
    }
