"""In what time something is so, in statements and in questions."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import language_of, speaking
from quaere.text.rates import has_other_span, rates


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("The pool costs 12 euros per week.", {"wk"}),
        ("It is cleaned three times a month.", {"mo"}),
        ("A yearly ticket is 390 euros, a weekly one 12.", {"yr", "wk"}),
        ("The week was long.", set[str]()),
    ],
)
def test_a_statement_tells_its_spans(text: str, spans: set[str]) -> None:
    assert rates(text) == spans


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("How much is the pool a year?", "The pool costs 12 euros per week.", True),
        ("How much is the pool a week?", "The pool costs 12 euros per week.", False),
        ("How much is the pool a year?", "It costs 12 euros per week and 390 per year.", False),
        ("How much is the pool?", "The pool costs 12 euros per week.", False),
        ("How long is a day?", "A day has 24 hours.", False),
        ("Was kostet das Bad pro Jahr?", "Das Bad kostet 12 Euro pro Woche.", True),
        ("Was kostet das Bad pro Jahr?", "Das Bad kostet 390 Euro pro Jahr.", False),
    ],
)
def test_a_question_for_one_span_is_not_answered_by_another(
    question: str, told: str, *, other: bool
) -> None:
    with speaking(language_of(question)):
        assert has_other_span(question, told) is other
