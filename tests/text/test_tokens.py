"""Words with offsets, and the forms by which they are compared."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.odd_text import TEXTS
from tests.timing import cpu_s

from quaere.text.tokens import (
    STOP_WORDS,
    drawn_word,
    estimate_tokens,
    fold,
    is_stop_word,
    stem,
    stems,
    terms,
    tokenize,
    words,
)


@given(TEXTS)
def test_tokens_stand_where_they_say_and_in_order(text: str) -> None:
    tokens = tokenize(text)
    for token in tokens:
        assert 0 <= token.start < token.end <= len(text)
        assert text[token.start : token.end] == token.text
    starts = [token.start for token in tokens]
    assert starts == sorted(set(starts))


@given(TEXTS)
def test_every_letter_and_digit_but_the_mark_of_a_note_is_in_a_token(text: str) -> None:
    covered = {at for token in tokenize(text) for at in range(token.start, token.end)}
    missed = {char for at, char in enumerate(text) if char.isalnum() and at not in covered}
    assert missed <= set("⁰¹²³⁴⁵⁶⁷⁸⁹")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10⁶ m² and km²", ["10^6", "m2", "and", "km2"]),
        ("s⁻¹ at 10⁻³", ["s−1", "at", "10^−3"]),
        ("Novak.¹² The USA¹", ["novak", "the", "usa"]),
        ("2016³ and 1,200¹ m", ["2016", "and", "1200", "m"]),
    ],
)
def test_powers_are_told_apart_from_the_marks_of_notes(text: str, found: list[str]) -> None:
    assert words(text) == found


@given(TEXTS)
def test_words_are_the_folded_tokens(text: str) -> None:
    assert words(text) == [fold(token.text) for token in tokenize(text)]
    assert all(words(text))


@given(TEXTS)
def test_terms_are_stems_of_words_that_say_something(text: str) -> None:
    assert terms(text) == [stem(word) for word in words(text) if word not in STOP_WORDS]
    assert stems(words(text)) == [stem(word) for word in words(text)]


@given(TEXTS)
def test_folding_never_raises_and_stems_are_never_empty(text: str) -> None:
    assert not text or fold(text) or text.strip() != text or not text.isalnum()
    assert bool(stem(text)) == bool(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \n…!?", []),
        ("The tide, then.", ["The", "tide", "then"]),
        ("well-known", ["well", "known"]),
        ("snake_case", ["snake", "case"]),
        ("don't O’Neill's", ["don't", "O’Neill's"]),
        ("'quoted'", ["quoted"]),
        ("3,014.5 and 12", ["3,014.5", "and", "12"]),
        ("1998-99", ["1998", "99"]),
        ("1,2,3", ["1", "2", "3"]),
        ("1,0001", ["1", "0001"]),
        ("v1.2.3", ["v1", "2.3"]),
        ("in the U.S. Navy, e.g.", ["in", "the", "U.S.", "Navy", "e.g."]),
        ("19th B52 5bn", ["19th", "B52", "5bn"]),
        ("naïve cafe\u0301", ["naïve", "cafe\u0301"]),
        ("infor\u00admation", ["infor\u00admation"]),
        ("東京都", ["東京", "京都"]),
        ("東", ["東"]),
        ("GPSの位置", ["GPS", "の位", "位置"]),
        ("सुंदर नदी", ["सुंदर", "नदी"]),
        ("маяк 42", ["маяк", "42"]),
        ("בְּרֵאשִׁית יָם", ["בְּרֵאשִׁית", "יָם"]),
        ("مَنَارَةٌ", ["مَنَارَةٌ"]),
        ("ทะเล", ["ทะ", "ะเ", "เล"]),
        ("منارة البحر", ["منارة", "البحر"]),
    ],
)
def test_what_a_token_is(text: str, tokens: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == tokens


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("Tide", "tide"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ﬁne", "fine"),
        ("Ｗａｖｅ", "wave"),
        ("Neill's", "neill"),
        ("Neill’s", "neill"),
        ("don’t", "don't"),
        ("'s", "'s"),
        ("3,014.5", "3014.5"),
        ("U.S.", "us"),
        ("U.S", "us"),
        ("infor\u00admation", "information"),
        ("\u200d", "\u200d"),
    ],
)
def test_what_folding_does(word: str, folded: str) -> None:
    assert fold(word) == folded


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("lighthouses", "lighthous"),
        ("lighthouse", "lighthous"),
        ("generously", "generous"),
        ("happily", "happili"),
        ("running", "run"),
        ("skies", "sky"),
        ("dying", "die"),
        ("news", "news"),
        ("маяки", "маяки"),
        ("1990s", "1990s"),
        ("\ud800s", "\ud800s"),
        ("s" * 100, "s" * 100),
        ("", ""),
    ],
)
def test_stems_are_those_of_the_english_snowball_stemmer(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_terms_leave_stop_words_out() -> None:
    assert terms("Who kept the lighthouses of the U.S. in May?") == [
        "kept",
        "lighthous",
        "us",
        "may",
    ]


@pytest.mark.parametrize("word", ["the", "The", "OF", "don’t", "which", "It's"])
def test_stop_words_in_any_spelling(word: str) -> None:
    assert is_stop_word(word)


@pytest.mark.parametrize("word", ["tide", "us", "may", "", "thé"])
def test_words_that_are_kept(word: str) -> None:
    assert not is_stop_word(word)


def test_stop_words_are_folded_themselves() -> None:
    assert all(fold(word) == word for word in STOP_WORDS)


def test_import_is_light() -> None:
    """The stemmer is loaded by the first word that is stemmed, not by the import."""
    code = "import sys, quaere.text.tokens; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"tantivy", "snowballstemmer", "pydantic"} & set(done.stdout.split())


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
