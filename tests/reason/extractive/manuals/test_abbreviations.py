"""What an abbreviation stands for is spelt by the first letters of words next to it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.manuals.abbreviations import (
    expansion_in,
    find_expansion,
    lacks_expansion,
)
from quaere.text.languages.language import language_of, speaking

PROTOCOL: Text = (
    "Protocol Heron",
    (
        "The QSB meets every six months and may stop the study.\n\n"
        "Abbreviations\n\nAE      adverse event\nQSB     quality and safety board\n\n"
        "Each PI keeps a log."
    ),
)


@pytest.mark.parametrize(
    ("short", "text", "told"),
    [
        ("QSB", "The quality and safety board (QSB) meets.", "quality and safety board"),
        ("FOS", "The ombudsman (FOS, the Fair Office Service) helps.", "Fair Office Service"),
        (
            "SECO",
            "The SECO (special education co-ordinator) is in.",
            "special education co-ordinator",
        ),
        ("PTA", "The PTA raised money; parents, teachers and others came.", ""),
        ("PTA", "Parents, take a seat. The PTA meets.", ""),
        ("IT", "The IT team is in the office.", ""),
        ("PC", "Turn on the PC. Press Ctrl.", ""),
        ("US", "In the US, unions say so.", ""),
        ("AI", "The AI answers in seconds.", ""),
        ("UN", "The UN: under the roof.", ""),
        ("AI", "AI is short for artificial intelligence.", "artificial intelligence"),
        ("AE", "An adverse event, also called AE, is told.", "adverse event"),
        ("AE", "AE adverse event", "adverse event"),
        ("TBA", "TBA = to be announced", "to be announced"),
        ("PTA", "", ""),
    ],
)
def test_first_letters_spell_it(short: str, text: str, told: str) -> None:
    assert expansion_in(short, text) == told


def test_it_is_told_in_its_words_and_not_by_a_line_that_uses_it() -> None:
    direct = answer("What does QSB stand for?", PROTOCOL)[0].direct
    assert direct is not None
    assert direct.text == "quality and safety board"
    assert direct.confidence >= SURE
    unknown = answer("What does PI stand for?", PROTOCOL)
    assert not unknown or (unknown[0].direct and unknown[0].direct.confidence < SURE)


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("What does NB stand for?", "NB stands for nota bene.", False),
        ("What does QX mean?", "QX: the last turn.", False),
        ("What does QX mean?", "The QX is green.", True),
        ("What does Qx mean?", "The Qx is green.", False),
        ("Where is the QX?", "The QX is green.", False),
    ],
)
def test_a_line_that_says_what_it_means_may_tell_it(
    question: str, sentence: str, *, lacks: bool
) -> None:
    assert lacks_expansion(question, sentence) is lacks


def test_none_is_found_where_none_is_asked_for() -> None:
    assert find_expansion("Who is on the QSB?", pool(PROTOCOL)) is None
    with speaking(language_of("Wofür steht QSB?")):
        assert find_expansion("What does QSB stand for?", pool(PROTOCOL)) is None
