"""Sentences taken apart: what they are about, and what they say that can be compared."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.evidence.statements import Statement, lines, statement
from quaere.text.tokens import stem

TOPIC = "quill observatory"


def made(sentence: str, topic: str = TOPIC) -> Statement:
    found = statement(sentence, topic)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("sentence", "lead"),
    [
        ("It was founded in 1902.", TOPIC),
        ("Its mirror came from Dunmere.", TOPIC),
        ("The observatory stands in Hask.", TOPIC),
        ("The Quill Observatory stands in Hask.", TOPIC),
        ("Quill was closed.", TOPIC),
        ("In 1902 Odile Varga founded it.", "odile varga"),
        ("The mirror of the Quill Observatory is old.", TOPIC),
        ("The school was moved to Hask.", ""),
        ("In 1950 it was closed.", TOPIC),
        ("Many people say that Hask is old.", ""),
    ],
)
def test_what_a_sentence_is_about(sentence: str, lead: str) -> None:
    assert made(sentence).lead == lead


def test_a_sentence_that_names_nothing_is_left_out() -> None:
    assert statement("They sell wool here.", "") is None


def test_questions_state_nothing() -> None:
    assert [line.text for line in lines("Hask", "Is Hask old? Hask is old.")] == ["Hask is old."]


def test_a_line_has_the_words_of_its_topic() -> None:
    (line,) = lines("Quill Observatory | Visit", "It is old.")
    assert line.topic == TOPIC
    assert line.stems >= {stem("quill"), stem("observatory"), stem("old")}


def test_numbers_go_by_their_unit_or_by_what_they_count() -> None:
    figures = made("Hask has five arches, 8,200 inhabitants and a tower of 30 metres.").figures
    assert {key: number.value for key, number in figures.items()} == {
        stem("arches"): Decimal(5),
        stem("inhabitants"): Decimal(8200),
        "m": Decimal(30),
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "Hask has about 8,200 inhabitants.",
        "Hask has more than 8,200 inhabitants.",
        "Hask has between 8,200 inhabitants and 9,000 inhabitants.",
        "Hask won its 3rd prize.",
        "Hask was a town in 1902.",
    ],
)
def test_what_is_no_exact_number_is_not_compared(sentence: str) -> None:
    assert made(sentence).figures == {}


def test_a_date_belongs_to_what_happened_before_it() -> None:
    events = made("Odile Varga was born in Tressel Ford in 1861 and died in 1930.").events
    assert {verb: date.year for verb, date in events.items()} == {
        stem("born"): 1861,
        stem("died"): 1930,
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "Odile Varga was born about 1861.",
        "Odile Varga was born in the 1860s.",
        "In 1861 Odile Varga was not yet born.",
        "Odile Varga visited Hask in 1861.",
    ],
)
def test_what_is_no_exact_year_of_a_thing_that_happens_once_is_not_compared(sentence: str) -> None:
    assert made(sentence).events == {}


def test_names_and_figures_tell() -> None:
    said = made("It was founded in 1902 by Odile Varga.")
    assert {"odile varga", "1902", TOPIC} <= said.telling
    assert stem("founded") in said.terms
    assert not said.terms & {"odile", "varga", "1902"}


@given(st.text(max_size=120), st.text(max_size=30))
def test_any_text_can_be_taken_apart(text: str, title: str) -> None:
    for line in lines(title, text):
        found = statement(line.text, line.topic)
        assert found is None or found.subjects
