"""Questions in verbs of two words, over sources that have one."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.questions.as_meant import in_one_word, without_purpose
from quaere.text.languages.language import language_of, speaking

LOCKS: Text = (
    "Locks",
    (
        "A key is revoked by the keeper. Old logs are deleted. The pump will retry twice. To limit"
        " the flow, turn the wheel. The firm had its initial public offering in 1903."
    ),
)


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("How do I throw away old logs?", "How do I delete old logs?"),
        ("Who threw the old logs away?", "Who delete the old logs?"),
        ("How do I take back a key?", "How do I revoke a key?"),
        ("How can I slow the pump down?", "How can I limit the pump?"),
        ("How often does it try again?", "How often does it retry?"),
        ("When did the firm go public?", "When did the firm initial public offering?"),
        ("Who is taken back to Morn?", "Who is taken back to Morn?"),
        ("How do I take the key, and come back?", "How do I take the key, and come back?"),
        ("How do I turn off the pump?", "How do I turn off the pump?"),
        ("Who do I ask about the pump?", "Who is responsible for the pump?"),
        ("Whom can we talk to about a key?", "Who is responsible for a key?"),
        ("Who do I ask about?", "Who do I ask about?"),
        ("Again?", "Again?"),
        ("", ""),
    ],
)
def test_two_words_are_read_as_the_one_of_the_sources(asked: str, read: str) -> None:
    assert in_one_word(asked, pool(LOCKS)) == read


def test_whom_one_asks_stays_where_a_line_says_whom_to_ask() -> None:
    told = pool(("Locks", "Questions about the pump are answered by Ida Holt."))
    asked = "Who do I ask about the pump?"
    assert in_one_word(asked, told) == asked


def test_a_verb_that_a_line_has_with_what_is_asked_stays() -> None:
    said = ("Logs", "Old logs are thrown away in May. Notes are deleted.")
    assert in_one_word("When are logs thrown away?", pool(said)) == "When are logs thrown away?"
    beside = ("Logs", "Nobody throws away a boat. Old logs are deleted.")
    assert in_one_word("How do I throw away old logs?", pool(beside)) == "How do I delete old logs?"


class _Searched:
    def document_share(self, word: str) -> float:
        return 0.1 if word == "revoke" else 0.0


def test_a_word_that_is_searched_and_not_found_yet_is_read() -> None:
    empty = ("Boats", "Boats are wet.")
    assert in_one_word("Can I take back a key?", pool(empty), _Searched()) == "Can I revoke a key?"


def test_where_a_firm_is_based_is_where_its_headquarters_are() -> None:
    firm = ("Hask", "The headquarters of Hask are in Morn. It is judged on criteria.")
    assert in_one_word("Where is Hask based?", pool(firm)) == "Where is Hask headquarters?"
    assert in_one_word("What is Hask based on?", pool(firm)) == "What is Hask based on?"


def test_other_languages_stay() -> None:
    asked = "Wer hat die Schlüssel wo verloren, try again?"
    with speaking(language_of(asked)):
        assert in_one_word(asked, pool(LOCKS)) == asked


@pytest.mark.parametrize(
    ("text", "asked", "read"),
    [
        (
            "Our principal headquarters are in Brell.",
            "Where is the head office of Hask?",
            "Where is the headquarters of Hask?",
        ),
        (
            "Hask was incorporated in 1903. More is to be found in Note 5.",
            "When was Hask founded?",
            "When was Hask incorporated?",
        ),
        (
            "Hask was founded in 1899 and incorporated in 1903.",
            "When was Hask founded?",
            "When was Hask founded?",
        ),
        (
            "Hask was incorporated in 1903.",
            "Who founded Hask?",
            "Who founded Hask?",
        ),
        (
            "Hask was established in 1899. A note is incorporated by reference.",
            "When was Hask founded?",
            "When was Hask founded?",
        ),
        (
            "The head office is in Brell, the headquarters of the guild in Orrin.",
            "Where is the head office of Hask?",
            "Where is the head office of Hask?",
        ),
    ],
)
def test_a_firm_is_asked_about_in_its_own_words(text: str, asked: str, read: str) -> None:
    assert in_one_word(asked, pool(("Hask", text))) == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("How do I keep it from looking up names?", "How do I keep it from lookup names?"),
        ("How do I back the tapes up?", "How do I backup the tapes?"),
        ("Where do I look in the drawer?", "Where do I look in the drawer?"),
        ("Are charts and tides read at the same time?", "Are charts and tides read parallel?"),
    ],
)
def test_a_verb_and_its_particle_may_be_written_as_one(asked: str, read: str) -> None:
    said = ("hask", "A name lookup is slow. Make a backup of each tape. All run in parallel.")
    assert in_one_word(asked, pool(said)) == read


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("How do I block a key so that it stops working?", "How do I block a key?"),
        ("How do I search packed files such as .gz?", "How do I search packed files?"),
        ("How do I do so that it stops?", "How do I do so that it stops?"),
        ("Why is it shut so the cat stays?", "Why is it shut so the cat stays?"),
    ],
)
def test_the_purpose_is_no_part_of_how_something_is_done(asked: str, read: str) -> None:
    assert without_purpose(asked) == read
