"""The questions that are put in one."""

from __future__ import annotations

import pytest

from quaere.reason.extractive.questions.several import MOST_CHARS, several
from quaere.text.languages.language import language_of, speaking


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "When does the mill open and what does it cost?",
            ("When does the mill open?", "What does the mill cost?"),
        ),
        ("When and where is the fair?", ("When is the fair?", "Where is the fair?")),
        (
            "Who built the mill, which kinds of corn are there, and how many sacks does Hask take?",
            (
                "Who built the mill?",
                "Which kinds of corn are there?",
                "How many sacks does Hask take?",
            ),
        ),
        (
            "Who built the mill, what colour is its door and when was it closed?",
            ("Who built the mill?", "What colour is the mill’s door?", "When was the mill closed?"),
        ),
        (
            "Who built the mill, which no ship can reach, and when was it closed?",
            (
                "Who built the mill, which no ship can reach?",
                "When was the mill, which no ship can reach closed?",
            ),
        ),
        (
            "In which room and on which day is Latin?",
            ("In which room is Latin?", "On which day is Latin?"),
        ),
        (
            "When does the mill open and close?",
            ("When does the mill open?", "When does the mill close?"),
        ),
        ("Who built the mill and when?", ("Who built the mill?", "When built the mill?")),
        (
            "Are goats admitted and what do tickets cost?",
            ("Are goats admitted?", "What do tickets cost?"),
        ),
        (
            "Who built the mill and when was the fair held?",
            ("Who built the mill?", "When was the fair held?"),
        ),
        (
            "Who built the mill, when does it open and what colour is it?",
            ("Who built the mill?", "When does the mill open?", "What colour is the mill?"),
        ),
        ("What are the costs and benefits of mills?", ()),
        ("Who wrote and directed the film?", ()),
        ("Where do I park and how much is it?", ()),
        ("When does the mill open?", ()),
        ("Wann öffnet die Mühle and what does it cost?", ()),
        ("When does the mill open and what does it cost?" + " " + "x" * MOST_CHARS, ()),
        ("", ()),
    ],
)
def test_each_question_stands_by_itself(question: str, asked: tuple[str, ...]) -> None:
    with speaking(language_of(question)):
        assert several(question) == asked
