"""A limit is told by figures without the words for it, and never by the other limit."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import answer

from quaere.reason.extractive.limits import lacks_by, lacks_limit, limit_words
from quaere.text.languages.language import language_of, speaking


def test_a_limit_may_be_told_without_the_words_that_ask_for_it() -> None:
    assert limit_words("What is the minimum length of a password?") == {"minimum", "length"}
    assert not limit_words("What is the length of a password?")
    rules = "Codes must have no fewer than 14 signs. Doors must be shut."
    told = answer("What is the minimum length of a code?", ("Rules", rules))
    assert told[0].text.startswith("Codes must have")
    assert told[0].direct is not None
    assert told[0].direct.is_sure


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("What is the maximum length of a code?", "Codes have at least 14 signs.", True),
        ("What is the minimum length of a code?", "Codes have at most 14 signs.", True),
        ("What is the minimum length of a code?", "Codes have 8 to 14 signs.", False),
        ("What is the maximum length of a code?", "Codes have at most 14 signs.", False),
        (
            "What is the maximum length of a code?",
            "Codes have at least 8, at most 14 signs.",
            False,
        ),
        ("What is the speed limit?", "The average speed of trains was 62 km/h.", True),
        ("What is the speed limit?", "Trains may go no faster than 62 km/h.", False),
        ("What is the speed limit?", "Drive slowly.", True),
        ("What is the weight limit?", "Luggage over 20 kg costs extra.", False),
        ("What is the max size of a file?", "Files may be of 4 MB.", False),
        ("What is the max size of a file?", "Files may be of any size.", False),
        ("What is the limit of the budget?", "The budget is small.", True),
        ("What is the limit of the budget?", "The budget is limited.", False),
        ("How long is a code?", "Codes are short.", False),
    ],
)
def test_a_line_may_tell_no_limit_or_the_other_one(
    question: str, sentence: str, *, lacks: bool
) -> None:
    assert lacks_limit(question, sentence) is lacks


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("By when must bids be in?", "Bids are valid for 90 days.", True),
        ("By when must bids be in?", "Bids: until 17 October, 14:00", False),
        ("By which date must bids be in?", "Send bids 14 days before the fair.", False),
        ("Until when is the kiosk open?", "The kiosk is open to all.", True),
        ("Until when is the kiosk open?", "Kiosk: 9:00-17:00", False),
        ("When are bids opened?", "Bids are valid for 90 days.", False),
    ],
)
def test_a_line_may_tell_no_end(question: str, sentence: str, *, lacks: bool) -> None:
    assert lacks_by(question, sentence) is lacks


def test_the_other_limit_is_no_sure_answer() -> None:
    rules = ("Rules", "Codes must have at least 14 signs. Doors must be shut.")
    told = answer("What is the maximum length of a code?", rules)
    assert not told or (told[0].direct and not told[0].direct.is_sure)


def test_other_languages_have_other_words() -> None:
    with speaking(language_of("Wie lang ist ein Code?")):
        assert not limit_words("What is the minimum length of a code?")
        assert not lacks_limit("What is the minimum length of a code?", "Codes are short.")
