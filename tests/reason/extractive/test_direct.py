"""What a question is answered with, before its proof."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import BORN, SHELF, Text, answer

from quaere.domain.report import Direct, DirectKind

FILMS: tuple[Text, ...] = (
    ("Harbour Lights", "Harbour Lights is a British film of 1934."),
    ("The Ninth Wheel", "The Ninth Wheel is an Italian film of 1929."),
)


def direct(question: str, *texts: Text) -> Direct:
    first = answer(question, *texts)[0].direct
    assert first is not None
    return first


def test_the_winner_of_a_comparison_is_named_and_both_dates_prove_it() -> None:
    found = direct("Which film came out first, Harbour Lights or The Ninth Wheel?", *FILMS)
    assert (found.kind, found.text) == (DirectKind.CHOICE, "The Ninth Wheel")
    assert [quote.text for quote in found.quotes] == [text for _, text in reversed(FILMS)]
    assert found.is_sure


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Are Harbour Lights and The Ninth Wheel both films?", "Yes"),
        ("Are Harbour Lights and The Ninth Wheel from the same country?", "No"),
    ],
)
def test_yes_and_no_rest_on_both_pages(question: str, said: str) -> None:
    found = direct(question, *FILMS)
    assert (found.kind, found.text, len(found.evidence)) == (DirectKind.YES_NO, said, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The dome turns on brass wheels.", "Yes"),
        ("The dome does not turn on brass wheels.", "No"),
        ("## Out of scope\n\nThe dome turns on brass wheels.", "No"),
    ],
)
def test_a_yes_or_no_agrees_with_what_is_asserted(text: str, said: str) -> None:
    """Denials turn it round, and so does a heading under which nothing holds."""
    assert direct("Does the dome turn on brass wheels?", ("Notes", text)).text == said


def test_a_sentence_that_says_something_else_is_no_yes() -> None:
    notes = ("Notes", "The dome turns on brass.")
    assert direct("Does the dome turn on brass wheels?", notes).kind is DirectKind.SENTENCE


def test_a_date_is_told_as_it_is_asked_for() -> None:
    works = ("Hask Lens Works", "The Hask Lens Works burned down on 3 May 1932.")
    assert direct("When did the Hask Lens Works burn down?", works).text == "3 May 1932"
    assert direct("In what year did the Hask Lens Works burn down?", works).text == "1932"


def test_where_nothing_shorter_is_clear_the_sentence_leads() -> None:
    found = direct("Why does Brell cheese ripen in caves?", *SHELF)
    first = answer("Why does Brell cheese ripen in caves?", *SHELF)[0]
    assert (found.kind, found.text) == (DirectKind.SENTENCE, first.text)
    assert not found.precedes


def test_only_the_first_sentence_carries_it() -> None:
    first, *others = answer(BORN, *SHELF)
    assert first.direct
    assert not any(sentence.direct for sentence in others)
