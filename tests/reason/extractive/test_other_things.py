"""What is asked of one thing is not told for certain by what is said of another."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer

from quaere.domain.report import SURE
from quaere.reason.extractive.other_things import is_of_another_thing
from quaere.reason.extractive.plain_answers import lacks_price


@pytest.mark.parametrize(
    ("question", "sentence", "is_another"),
    [
        ("When does the fair close?", "The kiosk closes at ten.", True),
        ("When does the fair close?", "At ten the kiosk is shut.", True),
        ("When does the fair close?", "The fair closes at ten, the kiosk at nine.", False),
        ("When does the fair close?", "It closes at ten.", False),
        ("When does the fair close?", "At ten sharp it closes.", False),
        ("When does the fair close?", "On weekdays we close at ten.", False),
        ("When does the fair close?", "Amund closes it at ten.", False),
        ("When does the circus close?", "The kiosk closes at ten.", False),
        ("When is the fair held?", "The kiosk is white.", False),
        ("When is the winter fair?", "The summer fair is in June.", False),
        ("When does the fair start?", "Fishing starts at ten.", True),
        ("How much does the fair cost?", "Programmes cost £2.", True),
        ("When does the fair close?", "The kiosk opens at 8:30 and closes at ten.", True),
        ("When does the fair close?", "The fair opens at 8:30 and closes at ten.", False),
        ("Where is the kiosk kept?", "The fair is kept in a shed.", True),
        ("Where is the kiosk kept?", "The kiosk is kept in a shed.", False),
        ("Who built the kiosk?", "The fair was built by Ada Moss.", True),
        ("Who built the kiosk?", "Ada Moss built the fair.", True),
        ("Who built the kiosk?", "Ada Moss built the fair and the kiosk.", False),
        ("Who built the kiosk?", "It was built by Ada Moss.", False),
        ("Who built the kiosk?", "Ada Moss built it.", False),
        ("Who runs the kiosk?", "The fair is white.", False),
        ("Wann endet der fair?", "The kiosk endet at ten.", False),
        ("", "", False),
        ("When does the fair close?", " " * 50_000 + "the kiosk " * 20_000 + "closes", True),
    ],
)
def test_a_sentence_about_another_thing_is_told_from_one_about_the_same(
    question: str, sentence: str, is_another: bool
) -> None:
    holds = frozenset(("fair", "kiosk")).__contains__
    assert is_of_another_thing(question, sentence, holds) is is_another


def test_what_another_thing_does_is_not_certain_and_comes_after_what_is_asked() -> None:
    page: Text = ("Orrin fair", "# Orrin fair\n\nThe kiosk closes at 22:00. There is a band.")
    said = answer("When does the fair close?", page)
    assert said[0].direct is not None
    assert said[0].direct.confidence < SURE
    rows = "| What | When |\n|---|---|\n| Fishing starts | 2 May |\n| Winter term begins | 9 May |"
    said = answer("When does term start?", ("School", f"# School\n\n{rows}"))
    assert "9 May" in said[0].text


def test_what_is_done_to_the_only_thing_of_a_page_may_be_in_other_words() -> None:
    question, sentence = "Who built the kiosk?", "The building was built by Ada Moss."
    assert is_of_another_thing(question, sentence, lambda _: True)
    over = frozenset({"kiosk"})
    assert not is_of_another_thing(question, sentence, lambda _: True, frozenset(), over)


def test_who_did_it_to_another_thing_is_not_told_for_certain() -> None:
    page: Text = (
        "Orrin and its houses",
        "The mill was opened in 1788.\n\nThe chapel was built by Owen Tudor.",
    )
    said = answer("Who built the mill?", page)
    assert not said or (said[0].direct and said[0].direct.confidence < SURE)
    assert "Owen Tudor" in answer("Who built the chapel?", page)[0].text


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("What does a canoe cost?", "A deposit of £20 is taken for each canoe.", True),
        ("What does a canoe cost?", "Canoes cost £9 an hour, and £20 deposit.", False),
        ("How much is the deposit?", "A deposit of £20 is taken.", False),
        ("How much is the bond?", "A deposit of £20 is taken.", False),
        ("How much do I have to pay for a canoe?", "Leave a deposit of £20.", False),
        ("How much is the canoe?", "The canoe has two seats.", True),
        ("How much is the canoe?", "The canoe is 90 crowns.", False),
        ("How much is the canoe?", "The canoe is free.", False),
        ("How much is the canoe?", "The canoe, with two paddles included, is red.", True),
        ("What does the canoe cost?", "The canoe is included.", False),
    ],
)
def test_a_deposit_is_no_price(question: str, sentence: str, lacks: bool) -> None:
    assert lacks_price(question, sentence) is lacks


def test_a_price_comes_before_a_deposit() -> None:
    page: Text = ("Canoes", "A deposit of £20 is taken for every canoe. Canoes are £9 each.")
    said = answer("How much is a canoe?", page)
    assert said[0].text == "Canoes are £9 each."


def test_a_pronoun_stands_for_another_thing_where_that_is_known() -> None:
    question, sentence = "How many goats does the barn hold?", "It holds forty."
    assert is_of_another_thing(question, "The hall holds forty.", lambda _: True)
    assert is_of_another_thing(question, sentence, lambda _: True, frozenset({"hall"}))
    assert not is_of_another_thing(question, sentence, lambda _: True, frozenset({"barn"}))
    assert not is_of_another_thing(question, sentence, lambda _: True)


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ("Save £20: the coat is £40.", False),
        ("Deposit: £20", True),
        ("The coat costs 40 pounds.", False),
    ],
)
def test_a_price_after_a_saving_is_one(sentence: str, *, lacks: bool) -> None:
    assert lacks_price("How much does the coat cost?", sentence) is lacks
