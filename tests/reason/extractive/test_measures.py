"""An amount answers where it measures what is asked about, and in what is asked."""

from __future__ import annotations

import pytest

from quaere.reason.extractive.measures import lacks_measure
from quaere.reason.extractive.questions.kinds import Kind, expected_kind


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("How long does the climb take?", "Ropes are changed every six weeks.", True),
        ("How long does the climb take?", "The climb takes six weeks.", False),
        ("How long does it take to charge?", "The mast comes out; a second one costs £59.", True),
        ("How long does it take to charge?", "Charging takes a second.", False),
        ("How long is the meeting?", "The meeting is at six; guests speak for an hour.", True),
        ("How long is the meeting?", "The meeting is at six; it lasts for an hour.", False),
        ("How long is the meeting?", "Guests speak for an hour.", False),
        ("How deep is the bath?", "We have a 25 m bath.", True),
        ("How deep is the bath?", "The bath is 2 m deep.", False),
        ("How tall is the mill?", "The mill stands 200 m from the quay.", False),
        ("How wide is the gate?", "The gate is 2 m across.", False),
        ("What does the skiff weigh?", "The skiff is 4 m long.", True),
        ("What does the skiff weigh?", "The skiff weighs 90 kg.", False),
    ],
)
def test_an_amount_is_of_what_is_asked(question: str, sentence: str, *, lacks: bool) -> None:
    assert lacks_measure(question, sentence) is lacks


def test_what_something_weighs_is_a_number() -> None:
    assert expected_kind("What does the skiff weigh?") is Kind.NUMBER
