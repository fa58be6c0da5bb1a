"""Two sentences word by word: clauses, what each denies, and how much of one the other holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.verify.samples import ANYTHING

from quaere.text.languages.language import languages, speaking
from quaere.verify.align import agrees, align, clashes, content, stems, turned_share
from quaere.verify.ground import ground
from quaere.verify.quantities import explained


def signed(text: str, *, is_bounded: bool = True) -> str:
    """Return the stems of ``text``, denied ones with "-", its clauses apart by "|"."""
    told, clause = "", 0
    for word in content(text, is_bounded=is_bounded):
        told += " |" * (word.clause - clause) + (" -" if word.sign < 0 else " ") + word.stem
        clause = word.clause
    return told.strip()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The gate opens at dawn, and closes at dusk.", "gate open dawn | close dusk"),
        ("The gate is shut because the keeper left.", "gate shut | keeper leav"),
        ("The gate opens and is lit.", "gate open | lit"),
        ("The gate opens and closes.", "gate open close"),
        ("In the winter, the gate is closed.", "winter gate close"),
        ("In the winter, the gate, too, is closed.", "winter gate | | close"),
        ("It costs 3,500 crowns.", "cost 3500 crown"),
        ("It costs 3, rarely 4 crowns.", "cost 3 | rare 4 crown"),
        ("Diet A is salty.", "diet letter_a salti"),
        ("A diet is salty.", "diet salti"),
        ("It may have been lit.", "lit"),
        ("", ""),
    ],
)
def test_a_sentence_is_cut_into_clauses_of_the_words_that_say_something(
    text: str, words: str
) -> None:
    assert signed(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The gate does not open.", "-gate -open"),
        ("The gate does not open, and the bell rings.", "-gate -open | bell ring"),
        ("The gate never opens and nobody enters.", "gate open enter"),
        ("Neither the gate nor the door opens.", "-gate -door -open"),
        ("It keeps no log, trace or export.", "-keep -log -trace -export"),
        ("The gate is not only closed.", "gate close"),
        ("No doubt the gate opens.", "gate open"),
        ("No, the gate opens.", "| gate open"),
        ("The rates remain the same.", "-rate -chang"),
        ("The rates remain the same as before.", "rate remain"),
        ("The rates were still the same.", "-rate -chang"),
        ("The gate opens not long after the bell.", "gate open bell"),
        ("The bell is not long.", "-bell -long"),
    ],
)
def test_a_denial_turns_its_clause_and_two_of_them_none(text: str, words: str) -> None:
    assert signed(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The archive lacks a door.", "archiv -door"),
        ("The archive lacks no door.", "-archiv door"),
        ("It must avoid errors.", "-error"),
        ("The pump fails.", "pump fail"),
        ("The pump fails to start.", "pump fail -start"),
        ("The pump fails at night.", "pump fail night"),
        ("The keeper refused entry.", "keeper refus -entri"),
        ("The request was denied.", "-request deni"),
        ("The keeper was denied to enter.", "keeper -enter"),
        ("The plan was denied without a long hearing.", "-plan deni long hear"),
    ],
)
def test_some_verbs_deny_what_follows_or_in_the_passive_what_precedes(
    text: str, words: str
) -> None:
    assert signed(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It runs without scripts or styles here.", "run -script -style"),
        ("It runs without scripts or styles or frames.", "run -script -style frame"),
        ("A page without scripts that loads fast.", "page -script load fast"),
        ("It never runs without scripts.", "-run script"),
        ("Requests that carry no token are refused.", "-request -carri -token refus"),
        ("Requests carry no token.", "-request -carri -token"),
        ("Those that carry no token must wait.", "carri -token wait"),
    ],
)
def test_what_something_is_without_is_denied_alone(text: str, words: str) -> None:
    assert signed(text) == words


def test_the_words_before_a_verb_that_denies_are_known() -> None:
    lacking = content("The old archive lacks a door.")
    assert [(word.stem, word.lacks) for word in lacking] == [
        *(("old", True), ("archiv", True)),
        ("door", False),
    ]
    assert not any(word.lacks for word in content("The old archive has a door."))


@pytest.mark.parametrize(
    ("text", "bounded", "unbounded"),
    [
        ("The gate is not open until May.", "gate open month_may", "-gate -open -month_may"),
        ("The gate never opens before 7.", "gate open 7", "-gate -open -7"),
        ("The gate never opens before noon.", "-gate -open -noon", "-gate -open -noon"),
    ],
)
def test_what_is_denied_up_to_a_point_is_affirmed_from_there_on(
    text: str, bounded: str, unbounded: str
) -> None:
    assert signed(text) == bounded
    assert signed(text, is_bounded=False) == unbounded


@pytest.mark.parametrize(
    ("said", "held", "clash", "turned"),
    [
        ("The gate opens", "The gate closes", True, 0.44),
        ("The gate opens at dawn", "The gate does not open at dawn", True, 1),
        ("The gate does not open at dawn", "The gate opens at dawn", True, 1),
        ("The lamp burns oil", "The lamp burns no oil", True, 1),
        ("The lamp burns oil", "The lamp is red", False, 0),
        ("The lamp burns oil", "The bell rings", False, 0),
        ("The gate does not open", "The gate is closed", False, 0),
        ("The gate is closed until 7", "The gate never opens before 7", False, 0),
        ("The gate opens at 7", "The gate never opens before 7", False, 0),
        ("The archive lacks a door", "The archive has a door", False, 0.5),
        ("The archive lacks a door", "The archive has no door", False, 0),
        ("You need no account", "No account is needed", False, 0),
        ("It sees marks", "It never sees marks, and sees an address", True, 1),
        ("The gate opens, the bell rings", "The gate opens, the bell never rings", True, 0.5),
    ],
)
def test_two_sentences_clash_where_one_denies_what_the_other_says(
    said: str, held: str, *, clash: bool, turned: float
) -> None:
    alignment = align(said, held)
    assert clashes(alignment) is clash
    assert turned_share(alignment) == pytest.approx(turned, abs=0.01)
    assert agrees(alignment) is (turned == 0)


@pytest.mark.parametrize(
    ("said", "held", "around", "share", "own"),
    [
        ("The lamp burns oil", "The lamp burns oil", "", 1, 1),
        ("The lamp burns oil", "The lamp is red", "", 1 / 3, 1 / 3),
        ("The lamp burns oil", "The lamp is red", "Oil is dear", 1.75 / 3, 1 / 3),
        ("The lamp burns oil", "The bell rings", "", 0, 0),
        ("The lamp burns 5 litres", "The lamp burns 6 litres", "", 2.5 / 3, 2.5 / 3),
        ("The lamp is 5 km away", "The lamp is 5,000 m away", "", 1, 1),
        ("It takes oil", "It burns oil", "", 1 / 1.4, 1 / 1.4),
        ("The", "The lamp", "", 0, 0),
    ],
)
def test_how_much_of_a_sentence_its_source_holds(
    said: str, held: str, around: str, share: float, own: float
) -> None:
    alignment = align(said, held, stems([around]))
    assert alignment.share == pytest.approx(share)
    assert alignment.own == pytest.approx(own)


def test_of_two_words_alike_the_one_in_the_fuller_clause_and_then_the_nearer_is_taken() -> None:
    held = "The bell is old, and the lamp and the bell are red."
    (bell, _) = align("The bell is red", held).matches
    assert bell.held.start == held.rindex("bell")
    twice = "The bell, the bell"
    first, second = align("The bell and the bell", twice).matches
    assert (first.held.start, second.held.start) == (twice.index("bell"), twice.rindex("bell"))


@given(ANYTHING)
def test_a_sentence_agrees_with_itself(text: str) -> None:
    alignment = align(text, text)
    assert agrees(alignment)
    assert not clashes(alignment)
    assert turned_share(alignment) == 0
    assert alignment.share == pytest.approx(1 if alignment.words else 0)


def test_what_was_set_up_was_founded() -> None:
    assert align("The guild was set up in 1871.", "Lund founded it in 1871.").share > 0.6
    assert align("The key was found in 1871.", "Lund founded it in 1871.").share < 0.6


def test_words_of_little_weight_are_those_of_the_language_in_use() -> None:
    assert [word.weight for word in content("keep oil")] == [0.4, 1]
    with speaking(languages()["de"]):
        assert [word.weight for word in content("keep")] == [1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It keeps no log, trace or export, and the bell rings.",
         "-keep -log -trace -export | bell ring"),
        ("The bell rings, and it keeps no log, trace or export.",
         "bell ring | -keep -log -trace -export"),
    ],
)  # fmt: skip
def test_a_list_that_is_denied_is_one_clause_and_ends_with_its_last_item(
    text: str, words: str
) -> None:
    assert signed(text) == words


@pytest.mark.parametrize(
    ("said", "follows"),
    [
        ("That is a share of 87.5 percent.", True),
        ("That is a share of 88.4 percent.", False),
        ("It is 12.5 percent less.", True),
        ("It is 13.4 percent less.", False),
        ("Together they are 15.", True),
        ("The difference between them is 1.", True),
        ("There are 15.", False),
    ],
)
def test_what_follows_from_two_figures_is_exactly_that(said: str, follows: bool) -> None:
    held = [ground("The mill of Hask has 8 doors."), ground("Of these, 7 are open.")]
    figures = explained(ground(said), held)
    assert bool(figures) is follows


@pytest.mark.parametrize(
    ("said", "held", "share"),
    [
        ("The mill cost two thousand crowns.", "The mill cost nine hundred crowns.", 3 / 4),
        ("The mill burned on 3 May 1921.", "The mill burned on 5 June 1930.", 2 / 5),
        ("The mill burned in 1921.", "The mill burned in 1930.", 2 / 3),
    ],
)
def test_an_amount_that_is_not_told_is_one_word_and_a_date_several(
    said: str, held: str, share: float
) -> None:
    assert align(said, held).share == pytest.approx(share)
