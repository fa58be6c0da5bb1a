"""Which words of a sentence are printed as the answer, and when none are clear enough."""

from __future__ import annotations

import pytest

from quaere.reason.extractive.answer_kinds import expected_kind
from quaere.reason.extractive.spans import clear_span, told


def span(question: str, sentence: str, titles: str = "") -> str | None:
    found = clear_span(expected_kind(question), question, sentence, frozenset(titles.split()))
    return found and found.text


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Hask was founded by Odile Varga.", "Odile Varga"),
        ("According to the Sorrel Gazette, Odile Varga founded the town.", "Odile Varga"),
        ("Hask was founded by Odile Varga and Anselm Pryce.", None),
        ("Odile Varga (1851–1919) founded the town.", None),
        ("The town was founded by the Swedish.", None),
    ],
)
def test_who_is_one_person_whom_the_sentence_does_not_define(
    sentence: str, said: str | None
) -> None:
    """Of two that are as near neither is clear; who reports it did not do it."""
    assert span("Who founded Hask?", sentence) == said


def test_what_a_page_is_about_is_no_answer_from_it() -> None:
    sentence = "It was founded by Odile Varga."
    assert span("Who founded Hask?", sentence, "hask lens works") == "Odile Varga"
    assert span("Who founded Hask?", sentence, "odile varga") is None
    assert span("Who founded Odile Varga?", sentence) is None


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Odile Varga once opened the fair.", "Odile Varga"),
        ("Odile Varga, who lived by the sea for many years, once opened the fair.", None),
        ("The fair was opened in spring before many guests had come by Odile Varga.", None),
    ],
)
def test_what_stands_far_from_the_words_of_the_question_is_not_clear(
    sentence: str, said: str | None
) -> None:
    assert span("Who opened the fair?", sentence) == said


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("What year was Hask founded?", "Hask was founded on 3 May 1851.", "1851"),
        ("When was Hask founded?", "Hask was founded on 3 May 1851.", "3 May 1851"),
        ("When was Hask founded?", "Hask was founded in May.", "May"),
        ("When did she die?", "She (3 May 1851 – 9 June 1919) died in Hask.", "9 June 1919"),
        ("When was she born?", "She was born (3 May 1851 – 9 June 1919) in Hask.", "3 May 1851"),
        ("When did she marry?", "She (3 May 1851 – 9 June 1919) did marry.", None),
    ],
)
def test_of_the_dates_of_a_life_the_one_that_is_asked_for_is_meant(
    question: str, sentence: str, said: str | None
) -> None:
    assert span(question, sentence) == said


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("How many wheels has the dome?", "The dome has 40 wheels.", "40"),
        (
            "How many wheels has the dome?",
            "The dome has 40 wheels and has a price of 30 euros.",
            "40",
        ),
        ("How much does the dome cost?", "The dome cost 30 euros.", "30 euros"),
        ("How much does the dome cost?", "The dome cost 30.", "30"),
        ("How long is the dome?", "The dome is 30 m long.", "30 m"),
        ("How long is the dome?", "The dome is 30 long.", None),
        ("How many more boats than ships were there?", "There were 40 boats.", None),
    ],
)
def test_a_figure_is_of_what_is_asked_for(question: str, sentence: str, said: str | None) -> None:
    """Money is no count, a bare number no measure, and a difference has to be computed."""
    assert span(question, sentence) == said


@pytest.mark.parametrize(
    ("asked", "sentence", "said"),
    [
        ("in 1931", "There were 40 boats in 1931, up from 12 in 1930.", "40"),
        ("in 1930", "In 1930 there were 12 boats, and in 1931 40 boats.", "12"),
        ("in 1931", "In 1930 there were 12 boats, and in 1931 40 boats.", "40"),
        ("in 1930 and 1931", "In 1930 there were 12 boats, and in 1931 40 boats.", None),
        ("", "In 1930 there were 12 boats, and in 1931 40 boats.", None),
    ],
)
def test_a_figure_is_of_the_year_that_is_asked_for(
    asked: str, sentence: str, said: str | None
) -> None:
    """A year belongs to what is before it, unless the sentence begins with one."""
    assert span(f"How many boats were there {asked}?", sentence) == said


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("Where is the works?", "The works is in Hask.", "Hask"),
        ("Where is the works?", "The works of Hask was sold.", None),
        ("Where is the works?", "The works is in Sweden.", "Sweden"),
        ("Where is the works?", "The works is in Swedish hands.", None),
        ("Which country is the works in?", "The works is Swedish.", "Swedish"),
        ("Which country is the works in?", "The works is in Hask.", None),
        (
            "Which company built the dome?",
            "The dome was built by Hask Works Ltd.",
            "Hask Works Ltd",
        ),
        ("Which company built the dome?", "The dome was built by Swedish workers.", None),
    ],
)
def test_a_place_is_where_something_is_and_a_people_is_a_country_alone(
    question: str, sentence: str, said: str | None
) -> None:
    assert span(question, sentence) == said


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("If there is no reply within six days, write again.", ", write again."),
        ("There is a reply within six days.", "There is a reply within six days."),
    ],
)
def test_what_is_supposed_is_not_told(sentence: str, rest: str) -> None:
    assert told(sentence) == rest


def test_a_figure_of_what_is_supposed_answers_nothing() -> None:
    question = "How long until there is a reply?"
    assert span(question, "If there is no reply within six days, write again.") is None
    assert span(question, "If nobody writes, there is a reply within six days.") == "six days"
