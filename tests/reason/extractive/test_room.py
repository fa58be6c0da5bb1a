"""How many something holds is told by the figure of that, not by a price or a year."""

from __future__ import annotations

from time import perf_counter

import pytest
from tests.reason.extractive.passages import Text, answer

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.room import lacks_room, room_words, rooms_told


@pytest.mark.parametrize(
    ("question", "sentence", "figures"),
    [
        ("How many people does the lodge sleep?", "It sleeps six in three rooms.", [6]),
        ("How many people does the lodge sleep?", "The rent is 420 a week.", []),
        ("How many people does the hall hold?", "It holds up to 120 people or 80 seated.", [120]),
        ("How many people fit in the lift?", "The lift takes eight people or 630 kg.", [8]),
        ("How many people fit in the lift?", "The ark has three lifts.", []),
        ("How many canoes fit in the shed?", "The shed has room for six canoes.", [6]),
        ("How many passengers does the ferry carry?", "She carries 96 passengers.", [96]),
        ("How many people does the ground hold?", "Its capacity is 21,500.", [21500]),
        ("How many wheels does the mill have?", "The mill has six wheels.", []),
        ("How much does the lodge cost?", "It sleeps six.", []),
        ("How many people does the bus carry?", "It carries 16 guests and 2 bikes.", [16]),
        ("How many bikes does the bus carry?", "It carries 16 guests and 2 bikes.", [2]),
        ("How many bikes does the bus carry?", "It carries 16 guests.", []),
        ("How many people does the shaft hold?", "It holds three lifts.", []),
        ("How many people does the studio seat?", "It seats 24 riders.", [24]),
        ("How many people does the hall seat?", "It seats 24 across two floors.", [24]),
        ("How many does it seat for dinner?", "It seats 120 for dinner and 180 for plays.", [120]),
        ("How many does it seat for plays?", "It seats 120 for dinner and 180 for plays.", [180]),
        ("How many does the barn seat?", "It seats 120 for dinner and 180 for plays.", [120]),
        ("How many people does the stew serve?", "Serves 6 - Cooking 45 minutes", [6]),
        ("How many people is the stew for?", "For 4. Half an hour.", [4]),
        ("How many people is the stew for?", "Add 2 tsp of salt.", []),
        ("How many pills may an adult take?", "It holds six.", []),
        ("How many nights may guests stay?", "It sleeps six.", []),
        ("How many people does the ark hold?", "Entry is 12 for adults, 7 for children.", []),
        ("How many people can climb at once?", "It is limited to 80 people at a time.", [80]),
        ("How many people can climb at once?", "It is open from May to June.", []),
        ("How many people does the lodge sleep?", "", []),
    ],
)
def test_the_figures_that_tell_it_are_picked(
    question: str, sentence: str, figures: list[int]
) -> None:
    assert [int(each.value) for each in rooms_told(question, sentence)] == figures


def test_what_asks_for_room_need_not_be_said() -> None:
    assert room_words("How many people does the lodge sleep?") == {"peopl", "sleep"}
    assert room_words("How many cars can park at the lodge?") == {"park"}
    assert not room_words("Who sleeps at the lodge?")
    assert not lacks_room("Who sleeps at the lodge?", "Ada does.")


def test_how_many_there_is_room_for_in_all_does_not_tell_it_for_one_purpose() -> None:
    assert lacks_room("How many people does it seat for plays?", "The foyer holds 60 people.")
    assert not lacks_room("How many people does it seat for plays?", "It seats 60 for plays.")


LODGE: Text = (
    "Otter Lodge",
    (
        "The rent is 640 a week in summer and 410 in winter.\n\n"
        "The lodge sleeps six in three rooms.\n\n"
        "The main hall costs 45 an hour. It holds 120 people.\n\n"
        "The barn can be hired for £400."
    ),
)


def test_the_count_leads_and_no_price_does() -> None:
    direct = answer("How many people does the lodge sleep?", LODGE)[0].direct
    assert direct is not None
    assert direct.kind is DirectKind.NUMBER
    assert direct.text == "six"
    assert direct.confidence >= SURE


def test_what_another_thing_holds_is_not_sure() -> None:
    direct = answer("How many people does the barn hold?", LODGE)[0].direct
    assert direct is not None
    assert direct.confidence < SURE


def test_of_two_figures_that_of_the_very_deed_is_told() -> None:
    said = "The hall holds 120 people standing or 80 seated at tables."
    seated = rooms_told("How many people can be seated in the hall?", said)
    assert [int(each.value) for each in seated] == [80]
    held = rooms_told("How many people does the hall hold?", said)
    assert [int(each.value) for each in held] == [120]


def test_the_figure_of_the_deed_is_printed() -> None:
    hall = ("Hall", "The hall holds 120 people standing or 80 seated at tables.")
    direct = answer("How many people can be seated in the hall?", hall)[0].direct
    assert direct is not None
    assert direct.text == "80"


def test_many_figures_take_no_longer_each_than_a_few() -> None:
    question, once = "How many people does the hall hold?", "It holds 5 people "
    begun = perf_counter()
    rooms_told(question, once * 4000)
    assert perf_counter() - begun < 10
