"""A figure is one of the thing that is asked of, or of what is named."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer

from quaere.reason.extractive.asked_of import AskedOf
from quaere.text.languages.language import language_of, speaking
from quaere.text.tokens import terms


@pytest.mark.parametrize(
    ("question", "sentence", "is_told"),
    [
        ("How much tar do I need for the hull?", "250 ml tar", True),
        ("How much tar do I need for the hull?", "The hull has 12 planks.", False),
        ("When does the boat get to Orrin?", "It is in Orrin at 14:06.", True),
        ("When does the boat get to Orrin?", "We arrive at 12:30.", False),
        ("How much rope does the Tern have?", "The Auk has 3 m of rope.", False),
        ("How much rope does the Tern have?", "The Tern comes with 40 m.", True),
        ("How many people does the boat take?", "It takes six.", True),
        ("How many people does the boat take?", "It is 6 m long.", False),
    ],
)
def test_a_line_tells_of_it_or_not(question: str, sentence: str, *, is_told: bool) -> None:
    asked = AskedOf(question)
    assert bool(asked)
    assert asked.is_told_by(sentence, frozenset(terms(sentence))) is is_told


def test_where_nothing_is_named_nothing_is_wanted() -> None:
    assert not AskedOf("How long does it take?")
    assert not AskedOf("")
    with speaking(language_of("Wie viel Teer brauche ich für das Boot?")):
        assert not AskedOf("How much tar do I need?")


CAKE: Text = (
    "Ship's cake",
    "# Ship's cake\n\nMakes 12 cakes.\n\n- 250 ml milk\n- 3 eggs\n- 90 g lard\n\nBake for an hour.",
)


def test_the_line_of_what_is_asked_leads() -> None:
    assert "250 ml" in answer("How much milk do I need for the cake?", CAKE)[0].text
