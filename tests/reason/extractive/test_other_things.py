"""What is asked of one thing is not told for certain by what is said of another."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool
from tests.timing import cpu_s

from quaere.domain.report import SURE
from quaere.reason.extractive.other_things import (
    dates_another_deed,
    is_below_another,
    is_of_another_thing,
    is_of_other_model,
)
from quaere.reason.extractive.plain_answers import lacks_price
from quaere.reason.extractive.yes_no import decide_yes_no
from quaere.text.languages.language import language_of, speaking


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
        ("How much does the fair 2 cost?", "Programmes cost £2.", True),
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
        ("When was the kiosk built?", "The kiosk is in the fair, which was built in May.", True),
        ("When was the fair built?", "The kiosk is in the fair, which was built in May.", False),
        ("Was the kiosk built in May?", "The kiosk is in the fair, which was built in May.", True),
        ("Was the kiosk built in May?", "The fair was built in May.", True),
        ("Was the kiosk built in May?", "The kiosk on the quay, which was built in May.", False),
        ("How deep is the kiosk?", "The water below it is six metres deep.", True),
        ("How deep is the kiosk?", "It is six metres deep.", False),
        ("How deep is the kiosk?", "The building is six metres deep.", False),
        ("How wide is the kiosk?", "The water is six metres deep.", False),
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


@pytest.mark.parametrize(
    ("question", "sentence", "is_of_another"),
    [
        (
            "When was the mill rebuilt?",
            "The mill burned down in 1811 and was rebuilt by Hask.",
            True,
        ),
        ("When was the mill rebuilt?", "The mill was rebuilt in 1811.", False),
        ("When was the mill rebuilt?", "In 1811 the mill was sold and rebuilt.", False),
        ("When was the mill built?", "The mill was built and opened in 1811.", False),
        ("When was the mill rebuilt?", "It burned in 1811 and was rebuilt in 1820.", False),
        ("Who rebuilt the mill?", "The mill burned down in 1811 and was rebuilt by Hask.", False),
        ("", "", False),
    ],
)
def test_a_date_is_of_the_deed_that_it_is_told_of(
    question: str, sentence: str, *, is_of_another: bool
) -> None:
    assert dates_another_deed(question, sentence) is is_of_another


def test_a_date_of_another_deed_is_neither_printed_nor_certain() -> None:
    mill: Text = ("Mill", "The mill burned down in 1811 and was rebuilt by Hask. Oars are lent.")
    direct = answer("When was the mill rebuilt?", mill)[0].direct
    assert direct is not None
    assert direct.text != "1811"
    assert direct.confidence < SURE


SKIFFS: Text = (
    "Two skiffs: Nimbo and Torva",
    (
        "## Nimbo\n\nIts mast can be taken out. It is 4 m long.\n\n"
        "## Torva\n\nIt is steady in wind.\n\n## Storage\n\nThe skiffs lie in the shed."
    ),
)


@pytest.mark.parametrize(
    ("question", "beginning", "is_below"),
    [
        ("Can the mast of the Torva be taken out?", "Its mast", True),
        ("Can the mast of the Nimbo be taken out?", "Its mast", False),
        ("Can the mast be taken out?", "Its mast", False),
        ("Where does the Torva lie?", "The skiffs", False),
        ("Can the mast of the Ferrow be taken out?", "Its mast", False),
    ],
)
def test_what_is_below_the_name_of_one_thing_is_of_that(
    question: str, beginning: str, *, is_below: bool
) -> None:
    read = pool(SKIFFS)
    line = next(each for each in read.lines if each.text.startswith(beginning))
    assert is_below_another(question, line, read) is is_below


def test_of_another_thing_nothing_is_said_for_certain() -> None:
    for question in ("Can the mast of the Torva be taken out?", "How long is the Torva?"):
        direct = answer(question, SKIFFS)[0].direct
        assert direct is None or direct.confidence < SURE


@pytest.mark.parametrize(
    ("question", "is_other"),
    [
        ("How loud is the Aria Pro?", True),
        ("How loud is the Aria 2?", False),
        ("How loud is the Aria?", False),
        ("How loud is it?", False),
        ("Wie laut ist die Aria Pro?", False),
    ],
)
def test_what_is_said_of_one_model_is_not_said_of_another(question: str, *, is_other: bool) -> None:
    read = pool(("Pumps", "Aria 2: 9.5 kg. It is quiet: 58 decibels. Oars are lent."))
    line = next(each for each in read.lines if each.text.startswith("It is"))
    with speaking(language_of(question)):
        assert is_of_other_model(question, line, read) is is_other


def test_a_price_is_of_what_the_line_before_it_is_about() -> None:
    question = "How much does the kiosk cost?"
    for said, is_another in (("The fair is old.", True), ("The kiosk is white.", False)):
        text = f"{said} The price is 190 crowns. Beside the kiosk stands an oak."
        read = pool(("Sket", text))
        line = next(each for each in read.lines if each.text.startswith("The price"))
        around = read.over(line), read.before(line)
        assert is_of_another_thing(question, line.text, read.holds, line.led, *around) is is_another


def test_a_yes_is_not_said_of_the_house_that_a_thing_is_in() -> None:
    page: Text = ("Orrin", "The library is in the old mill, which was built in 1788. It is lit.")
    direct = answer("Was the library built in 1788?", page)[0].direct
    assert direct is not None
    assert direct.text != "Yes"
    assert not direct.is_sure


def test_the_day_of_one_deed_is_not_that_of_another() -> None:
    page: Text = ("Orrin hall", "The hall was built in 1902. Boats were renovated.")
    direct = answer("When was the hall renovated?", page)[0].direct
    assert direct is not None
    assert not direct.is_sure


@pytest.mark.parametrize("question", ["What is the height of the bell?", "How deep is the bell?"])
@pytest.mark.parametrize("text", ["in a ", "on in ", "is in ", "the hall is deep in "])
def test_a_long_line_is_compared_in_time(question: str, text: str) -> None:
    line = text * 5_000 + "is deep"
    assert cpu_s(lambda: is_of_another_thing(question, line, lambda _: True), enough_s=2) < 2


def test_many_relative_clauses_are_read_in_time() -> None:
    line = "who built the hall and " * 2_000 + "cost 3 pounds"
    question = "What did the bell cost?"
    assert cpu_s(lambda: is_of_another_thing(question, line, lambda _: True), enough_s=2) < 2


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("Several servers can share one store.", None),
        ("Several keepers can share one store.", True),
    ],
)
def test_what_is_asked_of_several_is_said_of_them(said: str, says: bool | None) -> None:
    page = ("Stores", f"A keeper has a store. {said}")
    found = decide_yes_no("Can several keepers share one store?", pool(page))
    assert (found and found.says) is says
