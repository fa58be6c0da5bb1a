"""True sentences and their twins, which have the same words on another side."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.verify.support import weigh

MINUTES = (
    "Present: Mrs Orr (chair), Mr Vane, the treasurer. Apologies: Miss Lund. "
    "A guest said that the pump was stolen by a rival. The police have not confirmed this."
)
LEAFLET = (
    "Take the drops with or without water. Frequent (up to 1 in 8 people): itching, thirst. "
    "Seldom (up to 1 in 90): fever, swelling."
)
TOUR = (
    "Groups of tour 3b ride in the first boat, those of 3a and 3d in the third. If the ferry is "
    "late, the guide takes the tram instead of the bus. The tour was paid for by the Ahlberg Fund "
    "and thought up by the University of Turku. The office plans to shut the pier in May. "
    "The old bell is being recast."
)
RULES = (
    "The board decides by a simple majority, except the sale of land, which needs all votes. "
    "Above 30 °C the workshop is closed; below that it is open."
)
SATZUNG = (
    "Boote dürfen höchstens 7 Meter lang sein. Hunde dürfen an Bord gebracht werden. "
    "Der Steg muss mindestens 2 Meter breit sein."
)


@pytest.mark.parametrize(
    ("source", "true", "false"),
    [
        (MINUTES, "Mr Vane was present.", "Miss Lund was present."),
        (
            MINUTES,
            "A guest said that a rival had stolen the pump.",
            "The police confirmed that a rival had stolen the pump.",
        ),
        (
            LEAFLET,
            "The drops can be taken without water.",
            "The drops must be taken without water.",
        ),
        (LEAFLET, "Fever is seldom.", "Fever is frequent."),
        (LEAFLET, "Up to 1 in 90 people have fever.", "Up to 1 in 8 people have fever."),
        (TOUR, "Tour 3d rides in the third boat.", "Tour 3b rides in the third boat."),
        (
            TOUR,
            "If the ferry is late, the tram replaces the bus.",
            "If the ferry is late, the bus replaces the tram.",
        ),
        (TOUR, "The Ahlberg Fund paid for the tour.", "The Ahlberg Fund thought up the tour."),
        (TOUR, "The bell is being recast.", "The bell has been recast."),
        (TOUR, "The office is to shut the pier in May.", "The office shut the pier in May."),
        (
            RULES,
            "The workshop is closed when it is hotter than 30 °C.",
            "The workshop is closed when it is colder than 30 °C.",
        ),
        (
            SATZUNG,
            "Ein Boot darf nicht länger als 7 Meter sein.",
            "Ein Boot muss länger als 7 Meter sein.",
        ),
        (SATZUNG, "Hunde dürfen an Bord.", "Hunde müssen an Bord gebracht werden."),
        (
            SATZUNG,
            "Der Steg darf nicht weniger als 2 Meter breit sein.",
            "Der Steg darf höchstens 2 Meter breit sein.",
        ),
    ],
)
def test_what_is_on_the_other_side_is_not_supported(source: str, true: str, false: str) -> None:
    assert weigh(true, [passage(source)]).support.holds
    assert not weigh(false, [passage(source)]).support.holds


def test_what_an_exception_needs_is_not_what_the_rule_asks_for() -> None:
    found = weigh("The sale of land needs a simple majority.", [passage(RULES)])
    assert found.support is not Support.SUPPORTED
