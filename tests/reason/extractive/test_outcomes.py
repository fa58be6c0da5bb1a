"""What was decided is told by whatever verb says how it ended."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer

from quaere.reason.extractive.outcomes import lacks_outcome, outcome_words
from quaere.text.languages.language import language_of, speaking

MINUTES: Text = (
    "Minutes of Poplar Court",
    (
        "Offers for the roof had been obtained. The roof will be relaid in May by Dachwerk.\n\n"
        "The idea of a van was turned down by 87 votes.\n\nThe doors are loud."
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was decided about the roof?", "will be relaid in May"),
        ("What happened to the idea of a van?", "turned down"),
    ],
)
def test_how_it_ended_leads_for_certain(question: str, told: str) -> None:
    direct = answer(question, MINUTES)[0].direct
    assert direct is not None
    assert told in direct.text
    assert direct.is_sure


def test_what_ended_in_nothing_is_not_certain() -> None:
    told = answer("What was decided about the doors?", MINUTES)
    assert not told or (told[0].direct and not told[0].direct.is_sure)


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("What was agreed on the dogs?", "Dogs are loud.", True),
        ("What was agreed on the dogs?", "Dogs stay on a lead.", False),
        ("What did the council decide on dogs?", "Dogs are to be on a lead.", False),
        ("What has the study concluded?", "The study concluded that dogs help.", False),
        ("What was the decision of the court?", "The court ruled that dogs may stay.", False),
        ("What did the council decide to buy?", "Dogs are loud.", False),
        ("Who decided it?", "Dogs are loud.", False),
        ("What happened to the plan for a kennel?", "Dogs are loud.", True),
        ("What happened to the mill?", "The mill burned down in 1931.", False),
        ("", "", False),
    ],
)
def test_a_line_may_lack_an_outcome(question: str, sentence: str, *, lacks: bool) -> None:
    assert lacks_outcome(question, sentence) is lacks


def test_the_words_for_deciding_need_not_be_said() -> None:
    assert outcome_words("What was decided about the roof?") == {"decid"}
    assert not outcome_words("Who decided about the roof?")
    with speaking(language_of("Was wurde beschlossen?")):
        assert not outcome_words("What was decided about the roof?")
