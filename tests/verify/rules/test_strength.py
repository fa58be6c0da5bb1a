"""Reservations and demands of two aligned statements."""

from __future__ import annotations

import pytest

from quaere.verify.align import align
from quaere.verify.rules.strength import drops_reservation, strengthens


@pytest.mark.parametrize(
    ("said", "held", "drops"),
    [
        ("The lake was formed by ice.", "The lake may have been formed by ice.", True),
        ("The cost rose.", "We suspect that the cost rose.", True),
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
