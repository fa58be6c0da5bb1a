"""Words that say one thing of two from either end."""

from __future__ import annotations

import pytest
from tests.verify.test_clash import kind

from quaere.verify.clash import Kind
from quaere.verify.rules.converses import ends_alike

RACE = "The Herons beat the Otters, who had lost to the Swans in May."


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("The Otters lost to the Herons.", 1),
        ("The Otters beat the Herons.", -1),
        ("The Swans beat the Otters in May.", 1),
        ("The Otters met the Herons.", 0),
    ],
)
def test_who_beats_and_who_loses_are_told_from_either_end(said: str, way: int) -> None:
    assert ends_alike(said, RACE) == way


@pytest.mark.parametrize(
    ("said", "held", "way"),
    [
        ("Zinc took the place of lead.", "The firm replaced lead with zinc.", 1),
        ("Lead took the place of zinc.", "The firm replaced lead with zinc.", -1),
        ("Ida Wolk was succeeded by Per Aas.", "Per Aas succeeded Ida Wolk.", 1),
        ("Per Aas worked for Ida Wolk.", "Ida Wolk hired Per Aas as a clerk.", 1),
        ("The Wolks' son Per was a pupil of Ida Aas.", "Per Wolk was a teacher of Ida Aas.", -1),
    ],
)
def test_relations_have_two_ends(said: str, held: str, way: int) -> None:
    assert ends_alike(said, held) == way


def test_the_other_end_is_no_opposite_and_an_exchange_is_found() -> None:
    held = "In 2011 the Herons defeated the Otters."
    assert kind("In 2011 the Otters lost to the Herons.", held) is None
    assert kind("In 2011 the Herons lost to the Otters.", held) is Kind.EXCHANGED
