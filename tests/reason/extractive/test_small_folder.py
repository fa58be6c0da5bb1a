"""What people ask of a few pages of their own: one short handbook and a list of prices."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer

from quaere.domain.report import DirectKind

FIRM: Text = (
    "Larkfield Boats",
    (
        "Larkfield Boats builds rowing boats in Whitby. It was founded in 1962 by Edith Larkfield."
        " The company employs 43 people and has two workshops.\n\n"
        "Edith Larkfield led the company until 1991. The company is owned by its employees through"
        " a trust.\n\n"
        "The Tern weighs 18 kg and the Gannet weighs 74 kg. The Gannet costs £8,400 and the Tern"
        " £5,250. The hulls are made of larch because larch resists rot without treatment."
    ),
)
CARE: Text = (
    "Caring for your boat",
    (
        "## Varnish\n\nVarnish the hull once a year. To varnish it:\n\n"
        "1. Sand the hull with fine paper.\n2. Wipe it with a damp cloth.\n3. Apply two coats.\n\n"
        "A coat of varnish dries in about 14 hours.\n\n"
        "## Warranty\n\nThe warranty lasts five years and does not cover damage by frost."
    ),
)
PRICES: tuple[Text, ...] = tuple(
    ("prices", f"item: {item}; price: {price}; delivery: {weeks} weeks")
    for item, price, weeks in (("Tern", "£5250", 6), ("Gannet", "£8400", 10), ("Eider", "£6100", 8))
)
REPORT: Text = (
    "Annual report 2030",
    (
        "The ferry carried 14,320 passengers in 2030, up from 12,980 in 2029. The number of"
        " complaints fell from 61 to 38. Leave of more than seven days requires a note.\n\n"
        "Present: Helen Marsh, Joan Ives\nAbsent: Tom Alder\n\nJoan Ives voted against it."
    ),
)
BRIDGE: Text = (
    "The bridge at Lunne",
    (
        "The first bridge was a wooden one and was swept away by a flood in 1498. Building the"
        " stone bridge took six years. Eleven workers died during construction.\n\n"
        "Its designer's brother was a painter. Two arches were blown up by troops."
    ),
)
PAGES = (FIRM, CARE)


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which is heavier, the Tern or the Gannet?", "The Gannet"),
        ("Which is heavier, the Gannet or the Tern?", "The Gannet"),
        ("Which is lighter, the Tern or the Gannet?", "The Tern"),
        ("Which is cheaper, the Tern or the Gannet?", "The Tern"),
        ("Which costs more, the Tern or the Gannet?", "The Gannet"),
    ],
)
def test_of_two_that_one_sentence_names_each_has_its_own_figure(question: str, winner: str) -> None:
    first, *_ = answer(question, *PAGES)
    assert first.direct
    assert (first.direct.kind, first.direct.text) == (DirectKind.CHOICE, winner)


def test_records_of_a_list_decide_and_are_shown_side_by_side() -> None:
    first, *_ = answer("Which is cheaper, the Eider or the Gannet?", *PAGES, *PRICES)
    assert first.direct
    assert first.direct.text == "The Eider"
    rows = answer("How do the Tern and the Eider differ in price?", *PRICES)
    assert [row.text for row in rows] == ["item: Tern; price: £5250", "item: Eider; price: £6100"]


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("How long does varnish take to dry?", "A coat of varnish dries in about 14 hours."),
        ("How often should I varnish the hull?", "Varnish the hull once a year."),
        ("How heavy is the Tern?", "The Tern weighs 18 kg and the Gannet weighs 74 kg."),
        (
            "Who owns the company?",
            "The company is owned by its employees through a trust.",
        ),
        (
            "Why are the hulls made of larch?",
            "The hulls are made of larch because larch resists rot without treatment.",
        ),
        ("How do I varnish the hull?", "Sand the hull with fine paper."),
    ],
)
def test_the_answer_begins_with_the_sentence_that_says_it(question: str, lead: str) -> None:
    assert answer(question, *PAGES)[0].text == lead


def test_who_owns_something_is_not_who_once_led_it() -> None:
    first, *_ = answer("Who owns the company?", *PAGES)
    assert first.direct
    assert first.direct.kind is DirectKind.SENTENCE


def test_steps_are_given_in_order() -> None:
    told = [sentence.text for sentence in answer("How do I varnish the hull?", *PAGES)]
    assert told == [
        "Sand the hull with fine paper.",
        "Wipe it with a damp cloth.",
        "Apply two coats.",
    ]


def test_of_several_years_the_figure_of_another_one_is_not_told() -> None:
    said = {
        year: answer(f"How many passengers did the ferry carry in {year}?", REPORT)[0].direct
        for year in (2029, 2030)
    }
    assert said[2029]
    assert said[2030]
    assert said[2030].text == "14,320"
    assert said[2029].text != "14,320"


@pytest.mark.parametrize(
    "question",
    [
        "How many more passengers did the ferry carry in 2030 than in 2029?",
        "Did complaints rise or fall?",
        "Does leave of three days require a note?",
        "How long did the construction take?",
        "Was the designer's sister a painter?",
    ],
)
def test_what_no_sentence_says_is_not_said_in_a_word(question: str) -> None:
    first, *_ = answer(question, REPORT, BRIDGE)
    assert first.direct
    assert first.direct.kind is DirectKind.SENTENCE


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who was absent?", "Absent: Tom Alder"),
        ("Did complaints rise or fall?", "The number of complaints fell from 61 to 38."),
    ],
)
def test_labels_and_irregular_verbs_are_read(question: str, lead: str) -> None:
    assert answer(question, REPORT)[0].text == lead


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        (
            "What happened to the first bridge?",
            "The first bridge was a wooden one and was swept away by a flood in 1498.",
        ),
        ("Who blew up the arches?", "Two arches were blown up by troops."),
    ],
)
def test_what_happened_and_who_did_it_is_told(question: str, lead: str) -> None:
    assert answer(question, BRIDGE)[0].text == lead
