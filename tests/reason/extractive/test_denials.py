"""Which sentences deny what a question asks."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.denials import (
    denies_of,
    denies_which,
    is_maybe,
    is_told_of,
    lacks_denial,
)
from quaere.reason.extractive.line_context import denied_by_itself
from quaere.reason.extractive.yes_no import decide_yes_no
from quaere.text.languages.language import language_of, speaking


@pytest.mark.parametrize(
    ("said", "question", "denies"),
    [
        ("The foghorn is off by default.", "Is the foghorn on by default?", True),
        ("The foghorn is off by default.", "Is the foghorn off by default?", False),
        ("The foghorn is on by default.", "Is the foghorn off?", True),
        ("The foghorn is disabled.", "Is the foghorn enabled?", True),
        ("It is not enabled by default.", "Is the foghorn disabled by default?", False),
        ("It is not disabled by default.", "Is the foghorn on by default?", False),
        ("It is off by default and can be turned on.", "Is the foghorn on by default?", True),
        ("The foghorn is not on the list.", "Is the foghorn enabled?", False),
        ("The sauna is closed in May.", "Is the sauna open in May?", True),
        ("The sauna is open in May.", "Is the sauna closed in May?", True),
        ("The sauna is not open in May.", "Is the sauna closed in May?", False),
        ("The sauna is closed in May.", "Is the sauna closed in May?", False),
        ("The sauna is open in May, closed in June.", "Is the sauna open in May?", False),
        ("It is not meant for use at sea.", "Can the foghorn be used at sea?", True),
        ("It is not suitable for children.", "Can children use the foghorn?", True),
        ("Salt should be avoided.", "Can I use salt?", True),
        ("Diving is not, unless you ask.", "Is diving covered?", True),
        ("Rowing is covered, diving is not.", "Is rowing covered?", False),
        ("Rowing is covered, diving is not.", "Is diving covered?", True),
    ],
)
def test_what_is_off_is_not_on(said: str, question: str, denies: bool) -> None:
    assert denies_of(said, question) is denies


@pytest.mark.parametrize(
    ("said", "question", "denies"),
    [
        ("Torn sails are excluded.", "Does the policy cover torn sails?", True),
        ("Torn sails are covered.", "Does the policy cover torn sails?", False),
        ("Torn sails are excluded.", "Are torn sails excluded?", False),
        ("The club lends oars for nothing.", "Do I have to pay for oars?", True),
        ("Price: £6, tea included; cakes are extra.", "Are cakes included in the price?", True),
        ("Price: £6, tea included; cakes are extra.", "Is tea included in the price?", False),
        ("Price: £6, tea included; cakes are extra.", "Is it included?", False),
        ("Rowers get in free, but pay for the sauna.", "Do rowers pay for the sauna?", False),
        ("Oars and knives stay at home.", "Are knives allowed?", True),
        ("Cadets wear vests; skippers need not.", "Do skippers have to wear vests?", True),
        ("Cadets wear vests; skippers need not.", "Do cadets have to wear vests?", False),
        ("Neither may be used on wet floors.", "Can I use the pump on wet floors?", True),
    ],
)
def test_what_is_excluded_is_not_covered(said: str, question: str, denies: bool) -> None:
    assert denies_of(said, question) is denies


@pytest.mark.parametrize(
    ("word", "said", "tells"),
    [
        ("cover", "Torn sails are excluded.", True),
        ("free", "The club lends oars for nothing.", True),
        ("free", "The club lends oars for a week.", False),
        ("free", "The oars were good for nobody.", False),
        ("allowed", "Dogs may sail.", True),
        ("allowed", "Dogs MAY sail.", True),
        ("allowed", "Dogs sail in May.", False),
    ],
)
def test_rights_and_prices_are_told_in_other_words(word: str, said: str, tells: bool) -> None:
    assert is_told_of(word, said) is tells


@pytest.mark.parametrize(
    ("said", "question", "is_open"),
    [
        ("The ferry might call at Sorrel.", "Does the ferry call at Sorrel?", True),
        ("The ferry may call at Sorrel.", "Does the ferry call at Sorrel?", True),
        ("The ferry may call at Sorrel.", "May the ferry call at Sorrel?", False),
        ("The ferry may call at Sorrel.", "Is the ferry allowed to call at Sorrel?", False),
        ("Perhaps the ferry may call at Sorrel.", "Can we call at Sorrel?", True),
        ("The ferry calls at Sorrel from May on.", "Does the ferry call at Sorrel?", False),
        ("May 3 is when it calls at Sorrel.", "Does the ferry call at Sorrel?", False),
    ],
)
def test_what_may_be_is_left_open_and_what_is_in_may_is_not(
    said: str, question: str, *, is_open: bool
) -> None:
    assert is_maybe(said, question) is is_open


@pytest.mark.parametrize(
    ("said", "denies"),
    [
        ("The ferry does not call at Sorrel.", True),
        ("The ferry calls at Sorrel.", False),
        ("The ferry does not call at any harbour but Sorrel.", False),
    ],
)
def test_which_is_not_so_does_not_tell_which_is(said: str, denies: bool) -> None:
    assert denies_which(said, "Which harbours does the ferry call at?") is denies
    assert not denies_which(said, "Which harbours does the ferry not call at?")


@pytest.mark.parametrize(
    ("said", "denies"),
    [("Prams may not stand in the hall.", True), ("Prams stand in the hall.", False)],
)
def test_where_a_thing_may_not_be_does_not_tell_where_it_is(said: str, denies: bool) -> None:
    assert denies_which(said, "Where do prams go?") is denies
    assert not denies_which(said, "Where may prams not stand?")


def test_words_that_lead_in_to_a_denial_tell_nothing_besides_it() -> None:
    said = "In other words, gully does not support old systems."
    assert denies_which(said, "Which systems does gully support?")


def test_a_line_that_tells_which_is_and_which_is_not_denies_nothing() -> None:
    said = "For the ferry you need a passport, and do not need a visa."
    assert not denies_which(said, "What documents do I need for the ferry?")


def test_a_long_sentence_without_a_verb_before_its_denial_is_read_at_once() -> None:
    started = time.perf_counter()
    assert denied_by_itself("oar " * 5000 + "is not.").strip().endswith("oar")
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    "said",
    [
        "It is not decided whether the desk gets a screen.",
        "It is still open whether the desk gets a screen.",
        "The board is undecided whether the desk gets a screen.",
    ],
)
def test_what_is_not_decided_says_neither_yes_nor_no(said: str) -> None:
    found = decide_yes_no("Does the desk get a screen?", pool(("Desk", said)))
    assert found is None or found.says is None


def test_that_a_setting_decides_whether_says_neither_yes_nor_no() -> None:
    said = "Indicate if a shed should be built for new members."
    found = decide_yes_no("Is a shed built for new members?", pool(("Sheds", said)))
    assert found is None or found.says is None


@pytest.mark.parametrize("said", ["does not apply to", "doesn't extend to"])
def test_what_is_not_for_those_who_are_asked_about_is_a_no(said: str) -> None:
    shed = ("Sheds", f"The free use of a shed {said} guests.")
    found = decide_yes_no("Is the use of a shed free for guests?", pool(shed))
    assert found is not None
    assert found.says is False


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("Is the pump old?", False),
        ("Is the fan old?", True),
        ("Are the pump and the fan old?", True),
    ],
)
def test_what_is_denied_of_another_thing_at_the_end_is_not_denied_of_this(
    question: str, *, denied: bool
) -> None:
    assert denies_of("The pump is old, but the fan is not.", question) is denied


@pytest.mark.parametrize(
    ("question", "said", "lacks"),
    [
        ("Which rooms can be used without a key?", "The hall is opened with a key.", True),
        ("Which rooms can be used without a key?", "The hall needs no key.", False),
        ("Which rooms can be used without a key?", "A key is needed in the hall.", False),
        ("Which rooms can be used with a key?", "The hall is opened with a key.", False),
        ("What is not kept in the hall?", "Ropes are kept in the hall.", True),
        ("What is not kept in the hall?", "Ropes must not be kept in the hall.", False),
        ("Why is the hall not open?", "The roof leaks.", False),
        ("Welche Räume sind nicht offen?", "Der Saal ist offen.", False),
    ],
)
def test_what_denies_nothing_does_not_tell_what_is_not_so(
    question: str, said: str, *, lacks: bool
) -> None:
    with speaking(language_of(question)):
        assert lacks_denial(said, question) is lacks


def test_a_line_and_a_meaning_that_deny_nothing_are_not_sure() -> None:
    hall: Text = ("Rooms", "The hall of the mill can be used with a key.")
    words: Text = ("Words", "| term | meaning |\n|---|---|\n| shed | what is kept of a mill |")
    for question, text in (
        ("Which rooms of the mill can be used without a key?", hall),
        ("What is not kept in a shed?", words),
    ):
        (first, *_) = answer(question, text)
        assert first.direct is not None
        assert not first.direct.is_sure
