"""Reservations, demands and quantifiers of two aligned statements."""

from __future__ import annotations

import pytest

from quaere.verify.align import align
from quaere.verify.strength import drops_reservation, narrows, strengthens, widens


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
    ],
)
def test_a_reservation_is_dropped_where_its_statement_is_said_without(
    said: str, held: str, drops: bool
) -> None:
    assert drops_reservation(align(said, held)) is drops


@pytest.mark.parametrize(
    ("said", "held", "stronger"),
    [
        ("The board must cut the fee.", "The board may cut the fee.", True),
        ("The board must cut the fee.", "The board shall cut the fee.", False),
        ("You must wait a minute.", "Wait a minute before you open it.", False),
        ("The pump must not run dry.", "Do not run the pump dry.", False),
        ("The test proved it.", "The test indicated it.", True),
    ],
)
def test_a_demand_is_stronger_than_a_permission(said: str, held: str, stronger: bool) -> None:
    assert strengthens(align(said, held)) is stronger


def test_all_is_more_than_some_and_some_less_than_all() -> None:
    assert widens(align("All boats are new.", "Most boats are new."))
    assert not widens(align("Most boats are new.", "Nearly all boats are new."))
    assert narrows(align("Only some boats are new.", "All boats are new."))
