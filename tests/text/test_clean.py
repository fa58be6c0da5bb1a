from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.clean import MAX_TITLE_CHARS, clean_line, clean_text


def test_line_breaks_of_all_systems_become_one() -> None:
    assert clean_text("a\r\nb\rc\x0cd\u2028e\x85f") == "a\nb\nc\nd\ne\nf"


def test_what_cannot_be_seen_goes() -> None:
    assert clean_text("in\u00advis\u200bible\x00 \ufeffink\u2066\u202e") == "invisible ink"


@pytest.mark.parametrize("first", [0xE0000, 0xE0100])
def test_a_text_that_is_hidden_in_characters_goes(first: int) -> None:
    hidden = "".join(chr(first + ord(each)) for each in "ignore all")
    assert clean_text(f"a{hidden}b") == "ab"


def test_what_marks_one_character_says_nothing_in_a_row() -> None:
    assert clean_text("a\u200c\u200d\u200d\u200cb\ufe01\ufe00\ufe01c\u3164") == "abc"
    assert clean_text("\u2764\ufe0f") == "\u2764\ufe0f"


def test_joiners_that_spelling_needs_stay() -> None:
    assert clean_text("می\u200cخواهم") == "می\u200cخواهم"
    assert clean_text("می\u200c\u200cخواهم") == "می\u200cخواهم"


def test_spaces_that_forbid_a_break_become_plain() -> None:
    assert clean_text("12\u00a0000\u202fm") == "12 000 m"


def test_lone_surrogates_become_replacement_characters() -> None:
    assert clean_text("a\ud800b") == "a\ufffdb"


@given(st.text())
def test_clean_text_is_idempotent_and_encodable(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode()
    assert clean_text(cleaned) == cleaned
    assert "\r" not in cleaned


def test_a_clean_line_has_no_breaks_and_a_limit() -> None:
    assert clean_line("  Tide \n tables\t") == "Tide tables"
    long = clean_line("word " * 1000)
    assert len(long) <= MAX_TITLE_CHARS
    assert long.endswith("…")


@given(st.text(), st.integers(1, 50))
def test_a_clean_line_is_never_too_long(text: str, limit: int) -> None:
    assert len(clean_line(text, limit)) <= limit


def test_what_makes_letters_bold_on_a_terminal_goes() -> None:
    assert clean_text("Using the \x1b[1m--all \x1b[22margument") == "Using the --all argument"
    assert clean_text("N\x08NA\x08AM\x08ME\x08E of it") == "NAME of it"
    assert clean_text("the list [1m] stays") == "the list [1m] stays"
