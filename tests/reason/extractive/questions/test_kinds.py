from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.reason.extractive.questions.kinds import (
    Kind,
    compared_kind,
    expected_kind,
    last_question,
    measure_words,
    sought_classes,
)
from quaere.text.languages.language import language_of, speaking


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who founded Quill Observatory?", Kind.PERSON),
        ("The dome was designed by whom?", Kind.PERSON),
        ("What is the name of the founder of Orbis?", Kind.PERSON),
        ("Which architect drew the plans?", Kind.PERSON),
        ("Where was Odile Varga born?", Kind.PLACE),
        ("What is the place of birth of Odile Varga?", Kind.PLACE),
        ("Which country Odile Varga's husband is from?", Kind.PLACE),
        ("The works stand in which river town?", Kind.PLACE),
        ("Which company bought the lens works?", Kind.ORGANIZATION),
        ("When did the lens works burn down?", Kind.DATE),
        ("In what year was the dome built?", Kind.DATE),
        ("How many wheels carry the dome?", Kind.NUMBER),
        ("What is the population of Tarnholm?", Kind.NUMBER),
        ("For how long was the tower the tallest?", Kind.NUMBER),
        ("Until when can the name on a ticket be changed?", Kind.DATE),
        (
            "According to the census, what was the population of the town in which she lived?",
            Kind.NUMBER,
        ),
        ("In the novel of 1903, when did the man who built it die?", Kind.DATE),
        ("The lens, which was ground in Brell, was bought by which company?", Kind.ORGANIZATION),
        ("Is the dome made of brass?", Kind.YES_NO),
        ("Could a clockmaker grind a lens?", Kind.YES_NO),
        ("What is an astrolabe?", Kind.DEFINITION),
        ("What does parallax mean?", Kind.DEFINITION),
        ("What was the result of the fire?", Kind.STATEMENT),
        ("What is the long rusted iron bar beside the gate?", Kind.STATEMENT),
        ("Why does the cheese ripen in caves?", Kind.REASON),
        ("What causes the tides?", Kind.REASON),
        ("How is a lens ground?", Kind.MANNER),
        ("What are the effects of salt on brass?", Kind.LIST),
        ("List the keepers of the lighthouse", Kind.LIST),
        ("Compare brass with iron", Kind.COMPARISON),
        ("Which film came out first, Harbour Lights or The Ninth Wheel?", Kind.COMPARISON),
        ("Between Ada Brandt and Odile Varga, which astronomer was older?", Kind.COMPARISON),
        ("Which film shows the fire?", Kind.NAME),
        ("The fire at the lens works", Kind.STATEMENT),
        ("Summarize what is known of the fire.", Kind.STATEMENT),
    ],
)
def test_the_wording_tells_the_kind(question: str, kind: Kind) -> None:
    assert expected_kind(question) is kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Wer gründete die Sternwarte?", Kind.PERSON),
        ("Wie viele Räder hat die Kuppel?", Kind.NUMBER),
        ("Warum brannte das Werk?", Kind.REASON),
        ("Où est né Odile Varga ?", Kind.PLACE),
        ("Quand la coupole fut-elle bâtie ?", Kind.DATE),
        ("Когда сгорел завод?", Kind.DATE),
        ("Кто основал обсерваторию?", Kind.PERSON),
        ("为什么奶酪在山洞里成熟？", Kind.REASON),
        ("天文台在哪里？", Kind.PLACE),
        ("متى احترق المصنع؟", Kind.DATE),
    ],
)
def test_other_languages_have_their_interrogatives(question: str, kind: Kind) -> None:
    assert expected_kind(question) is kind


def test_the_question_at_the_end_of_a_story_counts() -> None:
    story = "Dr. A. Brandt keeps a lens at home. She wonders who made it. When was it ground?"
    assert last_question(story) == "When was it ground?"
    assert expected_kind(story) is Kind.DATE


def test_initials_do_not_cut_a_question() -> None:
    assert expected_kind("How many keepers guard the lamp of John H. Brandt?") is Kind.NUMBER


@pytest.mark.parametrize(
    ("wording", "kind"),
    [
        ("Who was born earlier", Kind.DATE),
        ("which is older", Kind.DATE),
        ("Which has more wheels", Kind.NUMBER),
        ("from the same country", Kind.PLACE),
        ("Which is made of brass", Kind.STATEMENT),
    ],
)
def test_what_decides_a_comparison(wording: str, kind: Kind) -> None:
    assert compared_kind(wording) is kind


def test_the_class_that_is_sought() -> None:
    assert sought_classes("Which brass company made the dome?") == ("company",)
    assert sought_classes("Who made the dome?") == ()


@given(st.text(max_size=200))
def test_any_text_has_a_kind(text: str) -> None:
    assert expected_kind(text) in Kind


def test_what_is_measured_need_not_be_said_again() -> None:
    assert measure_words("How long are logs kept?") == ("long",)
    assert measure_words("How many logs are kept?") == ()
    assert measure_words("Who kept the long log?") == ()


@pytest.mark.parametrize(
    ("question", "kind", "sought"),
    [
        ("What is the name of the river?", Kind.PLACE, ()),
        ("What are the rules?", Kind.LIST, ()),
        ("What is an astrolabe?", Kind.DEFINITION, ()),
        ("What is the use of x?", Kind.STATEMENT, ()),
        ("What is it that the old keeper of the lamp does?", Kind.STATEMENT, ()),
        ("What happened?", Kind.STATEMENT, ()),
        ("What can it do?", Kind.STATEMENT, ()),
        ("What does it mean?", Kind.DEFINITION, ()),
        ("What Canadian city hosts it?", Kind.PLACE, ("city",)),
        ("Which Harbour Lights actor sang?", Kind.PERSON, ("actor",)),
        ("Which lamp is lit?", Kind.NAME, ()),
        ("Ada was born in which town?", Kind.PLACE, ("town",)),
        ("What colour and what city?", Kind.PLACE, ("city", "city")),
        ("In what year?", Kind.DATE, ("year",)),
        ("The keeper is who?", Kind.PERSON, ()),
        ("Is it lit?", Kind.YES_NO, ()),
        ("lamps", Kind.STATEMENT, ()),
        ("Show what city", Kind.STATEMENT, ("city",)),
        ("Somewhat odd.", Kind.STATEMENT, ()),
    ],
)
def test_the_kind_is_that_of_the_noun_behind_the_interrogative(
    question: str, kind: Kind, sought: tuple[str, ...]
) -> None:
    assert expected_kind(question) is kind
    assert sought_classes(question) == sought


@pytest.mark.parametrize(
    ("wording", "kind"),
    [
        ("früher geboren", Kind.DATE),
        ("später", Kind.DATE),
        ("länger", Kind.NUMBER),
        ("weniger Lampen", Kind.NUMBER),
        ("blau", Kind.STATEMENT),
    ],
)
def test_a_fact_that_decides_is_told_in_other_languages(wording: str, kind: Kind) -> None:
    with speaking(language_of("Warum wurde die Mühle geschlossen?")):
        assert compared_kind(wording) is kind
        assert measure_words("How long is it?") == ()


def test_words_of_degree_are_told_in_small_letters() -> None:
    assert measure_words("How LONG does it take?") == ("long", "take")
    assert measure_words("How heavy is it?") == ("heavy",)
    assert measure_words("Does it take long?") == ()
