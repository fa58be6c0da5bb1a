"""On which condition something is said, in two statements."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.text.languages.language import languages, speaking
from quaere.verify.rules.conditions import conditioned, turns_condition
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
