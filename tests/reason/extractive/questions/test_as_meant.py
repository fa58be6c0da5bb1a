"""Questions as they were typed, and as they were meant."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.questions.as_meant import as_meant, as_written, is_slip
from quaere.text.languages.language import language_of, speaking

TIDES: Text = (
    "Tides",
    "The default harbour of the ferries is Morn. A trail leads to the castle in Hask county.",
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Wich harbour is it?", "Which harbour is it?"),
        ("whats the defualt harbour?", "what is the default harbour?"),
        ("What is the defaullt harbor?", "What is the default harbour?"),
        ("Which haarbour has feries?", "Which harbour has ferries?"),
        ("Is there a herbour?", "Is there a herbour?"),
        ("Where is the trial?", "Where is the trial?"),
        ("Which castles are there?", "Which castles are there?"),
        ("Is there a pier?", "Is there a pier?"),
        ("Who is at harbour2 or harbour's?", "Who is at harbour2 or harbour's?"),
        ("Is it in the same country?", "Is it in the same country?"),
        ("", ""),
    ],
)
def test_a_slip_is_read_as_what_the_sources_have(typed: str, meant: str) -> None:
    assert as_meant(typed, pool(TIDES)) == meant


class _Everywhere:
    def document_share(self, word: str) -> float:
        return 0.1


def test_what_stands_elsewhere_in_what_was_searched_is_no_slip() -> None:
    assert as_meant("What is defualt?", pool(TIDES), _Everywhere()) == "What is defualt?"


def test_two_words_that_it_may_be_leave_it_as_it_is() -> None:
    two = ("Piers", "A harbor is not a harbour.")
    assert as_meant("What is a harbuor?", pool(two)) == "What is a harbuor?"
    assert as_meant("What is a haarbour?", pool(two)) == "What is a harbour?"


class _American:
    def document_share(self, word: str) -> float:
        return 0.1 if word in {"color", "license", "boat"} else 0.0


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("What colour is the boat?", "What color is the boat?"),
        ("Whose licence is a licence?", "Whose license is a license?"),
        ("What color is the ship's armour?", "What color is the ship's armour?"),
    ],
)
def test_a_question_is_asked_in_the_spelling_of_what_is_searched(asked: str, written: str) -> None:
    assert as_written(asked, _American()) == written


@pytest.mark.parametrize(
    ("typed", "text", "meant"),
    [
        ("Wo ist der Leuchturm?", "Der Leuchtturm steht am Kap.", "Wo ist der leuchtturm?"),
        ("Wo ist die Mühel?", "Die Mühle steht am Bach.", "Wo ist die Mühel?"),
        ("Où est le thâtre ?", "Le théâtre est au port.", "Où est le théâtre ?"),
        ("Onde fica o relogio?", "O relógio fica no cais.", "Onde fica o relogio?"),
        ("Où sont les bateuax ?", "Les bateaux sont au port.", "Où sont les bateaux ?"),
        ("灯塔在哪里布雷尔雷？", "灯塔在哪里。", "灯塔在哪里布雷尔雷？"),
    ],
)
def test_slips_are_mended_in_every_language_with_spaces(typed: str, text: str, meant: str) -> None:
    with speaking(language_of(typed)):
        assert as_meant(typed, pool(("x", text))) == meant


def test_how_questions_begin_is_mended_in_english_alone() -> None:
    with speaking(language_of("Hoe hoog is de toren in het dorp?")):
        assert as_meant("Hoe hoog is hij?", pool(TIDES)) == "Hoe hoog is hij?"


@pytest.mark.parametrize(
    ("typed", "meant", "slip"),
    [("ferry", "fery", True), ("frery", "ferry", True), ("ferry", "ferry", False),
     ("berry", "ferry", False), ("ferryy", "ferr", False), ("ferr1", "ferr1y", False)],
)  # fmt: skip
def test_a_slip_is_one_letter_more_or_less_or_two_swapped(
    typed: str, meant: str, *, slip: bool
) -> None:
    assert is_slip(typed, meant) is slip
