"""Conditions, reservations, demands and duties in two aligned statements."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.text.languages.language import languages, speaking
from quaere.verify.align import align
from quaere.verify.rules.modality import (
    conditioned,
    demands,
    drops_reservation,
    leaves_open,
    strengthens,
    turns_condition,
)
from quaere.verify.support import weigh

BRIDGE = "Carts may cross the bridge unless the river is high."


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("Carts may cross the bridge except when the river is high.", 1),
        ("Carts may cross the bridge if the river is not high today.", 1),
        ("Carts may not cross the bridge if the river is high.", 1),
        ("If the river is high, carts may not cross the bridge.", 1),
        ("Carts may cross the bridge only when the river is high.", -1),
        ("Carts may cross the bridge even if the river is high.", -1),
        ("Carts may not cross the bridge unless the river is high.", -1),
        ("Carts may cross the bridge if the toll is paid.", 0),
        ("Carts may cross the bridge.", 0),
    ],
)
def test_a_condition_is_kept_or_turned_by_both_its_parts(said: str, way: int) -> None:
    assert conditioned(said, BRIDGE) == way


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("The pump is on only if the tank is empty.", 1),
        ("The pump is off as long as the tank is empty.", -1),
    ],
)
def test_what_is_off_is_not_on(said: str, way: int) -> None:
    assert conditioned(said, "The pump is off unless the tank is empty.") == way


def test_what_holds_even_then_is_left_open_where_nothing_is_excepted() -> None:
    said = "Carts may cross the bridge even if the river is high."
    assert conditioned(said, "Carts may cross the bridge if the river is high.") == 0


def test_one_line_with_the_same_condition_is_enough() -> None:
    said = "Carts may cross the bridge only when the river is high."
    assert turns_condition(said, [BRIDGE])
    assert not turns_condition(said, [BRIDGE, said])


def test_conditions_are_told_in_english_alone() -> None:
    with speaking(languages()["de"]):
        assert conditioned("Carts cross if it is dry.", "Carts cross unless it is dry.") == 0


def test_a_condition_told_the_other_way_round_is_no_contradiction() -> None:
    found = weigh("Carts may not cross the bridge if the river is high.", [passage(BRIDGE)])
    assert found.support is Support.SUPPORTED
    turned = weigh("Carts may cross the bridge only if the river is high.", [passage(BRIDGE)])
    assert turned.support is Support.NOT_JUDGED


@pytest.mark.parametrize(
    ("said", "held", "drops"),
    [
        ("The lake was formed by ice.", "The lake may have been formed by ice.", True),
        ("The cost rose.", "We suspect that the cost rose.", True),
        ("The cost rose.", "We estimate that the cost rose.", True),
        ("The cost rose.", "The estimated cost rose.", False),
        ("The lake was perhaps formed by ice.", "The lake may have been formed by ice.", False),
        # The reservation of another statement is not that of this one.
        ("The gate was repaired.", "The gate was repaired; the fence may follow next year.", False),
        # Whoever names the condition keeps it.
        ("A blinking lamp shows a full tank.", "If the lamp blinks, the tank is full.", False),
        ("The tank is full.", "If the lamp blinks, the tank is full.", True),
        ("You get a seat.", "If you want a seat, you get a seat at the desk.", False),
        # Other words reserve as much, and what is allowed stays so.
        ("The gate should be repaired.", "The gate may be repaired.", False),
        ("You can open the gate.", "You may open the gate.", False),
        ("Up to ten boats pass.", "Ten boats may pass.", False),
        ("Ten boats pass.", "Ten boats may pass.", True),
        # Half of what the condition names is enough, and each of two is asked for.
        ("A red lamp shows.", "If the red lamp of the tank breaks, the pump stops.", False),
        ("A lamp shows.", "If the red lamp of the tank breaks, the pump stops.", True),
        ("The pump stops.", "The pump stops, if the lamp breaks.", True),
        ("The lamp breaks and the pump stops.", "The pump stops, if the lamp breaks.", False),
        (
            "The pump stops and the lamp breaks.",
            "If the lamp breaks, the pump stops, if the door opens.",
            True,
        ),
        # Of statements that share a sentence's words, one with half as many as the most counts.
        ("The fence follows.", "The gate was repaired; the fence may follow next year.", True),
        ("The gate was old and green.", "The gate was old, and it may be green.", True),
        ("Gulls open and shut.", "Gulls may fly; gates open and shut.", True),
        (
            "The gate was old and green and tall.",
            "The gate was old and green, and it may be tall.",
            False,
        ),
    ],
)
def test_a_reservation_is_dropped_where_its_statement_is_said_without(
    said: str, held: str, drops: bool
) -> None:
    assert drops_reservation(align(said, held)) is drops


@pytest.mark.parametrize(
    ("said", "held", "stronger"),
    [
        ("The test proved it.", "The test indicated it.", True),
        ("Damp causes rust.", "Damp is linked to rust.", True),
        ("Damp causes rust.", "Damp certainly causes rust.", False),
        ("Damp always brings rust.", "Damp brings rust.", False),
        ("The lock ensures peace.", "The lock keeps the peace.", False),
    ],
)
def test_what_is_certain_is_stronger(said: str, held: str, stronger: bool) -> None:
    assert strengthens(align(said, held)) is stronger


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Divers may wear a belt.", "Divers must wear a belt."),
        ("Divers are free to wear a belt.", "Divers have to wear a belt."),
        ("A belt can be worn by divers.", "A belt is required to be worn by divers."),
        ("Divers need not touch the coral.", "Divers must not touch the coral."),
        ("Divers are not required to touch the coral.", "Divers are forbidden to touch the coral."),
    ],
)
def test_what_is_demanded_is_not_left_open(said: str, held: str) -> None:
    assert leaves_open(align(said, held))
    assert demands(align(held, said))


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Divers are obliged to wear a belt.", "Divers must wear a belt."),
        ("Divers are allowed to wear a belt.", "Divers may wear a belt."),
        ("Divers can rest once they have dived.", "Divers must sign before they can rest."),
        ("Divers may rest.", "Divers must wear a belt."),
        ("Divers cannot rest.", "Divers must not rest."),
    ],
)
def test_words_that_govern_another_verb_or_say_the_same_are_let_be(said: str, held: str) -> None:
    assert not leaves_open(align(said, held))
    assert not demands(align(said, held))


def test_duties_are_told_in_english_alone() -> None:
    with speaking(languages()["de"]):
        assert not leaves_open(align("Divers may dive.", "Divers must dive."))
