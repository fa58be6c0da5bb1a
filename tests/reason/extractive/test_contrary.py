"""What tells of the contrary, or of another turn, does not answer for certain."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.contrary import (
    is_contrary,
    is_of_other_turn,
    is_of_present_state,
    is_of_those_without,
    lacks_turn,
)
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.ranking import Ranking
from quaere.text.languages.language import language_of, speaking


@pytest.mark.parametrize(
    ("question", "sentence", "contrary"),
    [
        ("When does the fair close?", "The fair opens at nine.", True),
        ("When does the fair open?", "The fair is closed on 3 May.", True),
        ("When does the fair close?", "The fair opens at nine and closes at ten.", False),
        ("When does the fair close?", "The fair is open from nine to ten.", False),
        ("When does the fair close?", "Open: 9:00-17:30", False),
        ("When does the fair close?", "Opening hours: nine to ten", False),
        ("When does the fair close?", "The fair is held close to the lake.", False),
        ("When do guests arrive?", "Guests leave by ten.", True),
        ("When does the course start?", "The course ends on 3 May.", True),
        ("What time is check-out?", "Check-in is from three.", True),
        ("When can skates be borrowed?", "Skates are returned by noon.", True),
        ("What is the latest boat?", "The earliest boat is at seven.", False),
        ("When was the last test?", "The next test is due on 3 May.", True),
        ("When is the next test?", "The last test was on 3 May.", True),
        ("When was the last show?", "It aired on Mondays, from 5 May to 8 July.", False),
        ("When was the last show?", "It is aired on Mondays.", True),
        ("When is the next test?", "Test: 3 May", False),
        ("Who plays the girl in Return to Oz?", "She collected stamps.", False),
        ("How does the fair close?", "The fair opens with a song.", False),
        ("Wann schließt der Markt?", "Der Markt opens at nine.", False),
        ("When does the fair close?", "from " * 20_000 + "opens", True),
        ("", "", False),
    ],
)
def test_what_tells_of_the_contrary_alone_is_known(
    question: str, sentence: str, *, contrary: bool
) -> None:
    with speaking(language_of(question)):
        assert is_contrary(question, sentence) is contrary


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("When is the next test?", "The next test is on 3 May.", False),
        ("When is the next test?", "Test due: 3 May", False),
        ("When is the next choir test?", "The choir test will be on 3 May.", False),
        ("When is the next training?", "Training: Tuesdays at six", False),
        ("When is the next test?", "Test: 3 May", True),
        ("When is the next test?", "The next regatta is on 3 May.", True),
        ("Where is the house next to the mill?", "The house was in Orrin.", False),
        ("When was the last test?", "Test: 3 May", False),
    ],
)
def test_the_next_turn_has_to_be_called_one(question: str, sentence: str, *, lacks: bool) -> None:
    assert lacks_turn(question, sentence) is lacks


BOILER: Text = (
    "Log of Rowan House",
    (
        "The boiler was serviced on 3 March 2031 by Dalby Works.\n\n"
        "The tea garden closes on 30 September."
    ),
)


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [
        ("When was the last boiler service?", True),
        ("When is the next boiler service?", False),
        ("When does the tea garden close?", True),
        ("When does the tea garden open?", False),
    ],
)
def test_an_answer_of_the_contrary_is_never_sure(question: str, *, is_sure: bool) -> None:
    direct = answer(question, BOILER)[0].direct
    assert direct is not None
    assert (direct.confidence >= SURE) is is_sure


def test_the_last_of_a_table_is_not_the_next() -> None:
    rows: Text = (
        "Works",
        "# Works\n\n| Date | Event |\n| --- | --- |\n| 3 May 2031 | Lamps replaced |",
    )
    read = pool(rows)
    question = "When is the next replacement of the lamps?"
    decision = decide(question, read, Ranking(read, question))
    assert decision.confidence < SURE
    assert is_of_other_turn(question, "Date Event 3 May 2031 Lamps replaced")


@pytest.mark.parametrize(
    ("question", "told", "is_other"),
    [
        ("When did the boat leave before the change?", "Departure 06:50", True),
        ("When did the boat originally leave?", "Departure 06:50; Original departure 07:40", False),
        ("When does the boat leave?", "Departure 06:50", False),
    ],
)
def test_what_is_so_tells_nothing_of_how_it_was(
    question: str, told: str, *, is_other: bool
) -> None:
    assert is_of_present_state(question, told) is is_other


@pytest.mark.parametrize(
    ("question", "sentence", "is_other"),
    [
        ("Which huts need a key?", "Brell and Orrin need no key.", True),
        ("Which huts need a key?", "Orrin can be entered without a brass key.", True),
        ("Which huts need a key?", "Brell needs no key, Orrin needs a key.", False),
        ("Which huts need a key?", "Orrin is locked: fetch its key.", False),
        ("Which huts need no key?", "Orrin needs a key.", True),
        ("Which huts need no key?", "Brell needs no key.", False),
        ("Which huts are locked?", "Brell has no lock.", False),
        ("Welche Hütten brauchen a key?", "Brell needs no key.", False),
        ("Which huts need a " + "key " * 10_000, "no " * 20_000, False),
    ],
)
def test_what_is_without_it_does_not_tell_which_have_it(
    question: str, sentence: str, *, is_other: bool
) -> None:
    with speaking(language_of(question)):
        assert is_of_those_without(question, sentence) is is_other


def test_of_two_lines_the_one_of_those_that_have_it_leads() -> None:
    huts: Text = (
        "Huts",
        "Of the huts, Brell and Orrin are those that need no key. Tarn and Skarrow need a key.",
    )
    first, *_ = answer("Which of the huts need a key?", huts)
    assert first.text == "Tarn and Skarrow need a key."
