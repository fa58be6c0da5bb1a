"""What one needs, and what is included, is told by the list below a heading that says so."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.manuals.kits import find_kit, lacks_kit, told_by_kit
from quaere.reason.extractive.ranking import Ranking
from quaere.text.languages.language import language_of, speaking

STATION: Text = (
    "Setting up the Heron weather mast",
    (
        "# Setting up the Heron weather mast\n\n## You will need\n\n- a pole\n- a screwdriver\n\n"
        "## Firmware\n\nUpdates need a charged phone and about eight minutes.\n"
    ),
)
TRIP: Text = (
    "Boat week",
    (
        "# Boat week on the Brill\n\n## What you get\n\n- Breakfast every day\n"
        "- A guide from Orrin\n\n## What you pay for yourself\n\n"
        "- Dinners and drinks\n- Insurance\n"
    ),
)
LODGE: Text = (
    "Otter Lodge",
    "The lodge sleeps six.\n\nIncluded in the rent: linen, logs and wi-fi. Towels are extra.",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What do I need to set up the weather mast?", ["a pole", "a screwdriver"]),
        ("What tools do I need for the weather mast?", ["a pole", "a screwdriver"]),
        ("What do I need to sail a dinghy?", []),
        ("What is included?", ["Breakfast every day", "A guide from Orrin"]),
        ("What is not included in the price?", ["Dinners and drinks", "Insurance"]),
        ("What does the boat week include?", ["Breakfast every day", "A guide from Orrin"]),
        ("Who needs a pole?", []),
        ("", []),
    ],
)
def test_the_list_below_a_set_heading_answers(question: str, told: list[str]) -> None:
    found = find_kit(question, pool(STATION, TRIP))
    assert [line.text for line in found] == told


def test_a_line_that_is_labelled_so_answers_as_well() -> None:
    direct = answer("What is included in the rent of the lodge?", LODGE)[0].direct
    assert direct is not None
    assert "linen, logs and wi-fi" in direct.text
    assert direct.confidence >= SURE


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is fuel included?", False),
        ("Is bedding included?", True),
        ("Is lunch included?", False),
        ("Is the test included?", True),
    ],
)
def test_a_line_that_names_all_says_whether_one_is_included(question: str, says: bool) -> None:
    prices = (
        "Included are bedding and gas. Not included are fuel and tolls.\n\n"
        "In the price: boat and test.\n\nExtra: lunch (9 euros a day)."
    )
    found = told_by_kit(question, pool(("Prices", prices)))
    assert found is not None
    assert found.says is says


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is a guide included?", True),
        ("Are drinks included?", False),
        ("Is a tent included?", None),
        ("Is a guide allowed?", None),
    ],
)
def test_where_it_is_listed_says_whether_it_is_included(question: str, says: bool | None) -> None:
    found = told_by_kit(question, pool(TRIP))
    assert (found and found.says) is says


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is lunch included in the river tour?", True),
        ("Is lunch included in the moor tour?", False),
        ("Is lunch included in the price of the moor tour?", False),
        ("Is lunch included in the castle tour?", None),
        ("Is lunch included?", None),
    ],
)
def test_the_list_of_another_thing_does_not_say_it(question: str, says: bool | None) -> None:
    tours = pool(
        ("River tour", "# River tour\n\nIncluded:\n\n- Lunch\n- A guide\n"),
        ("Moor tour", "# Moor tour\n\nNot included:\n\n- Lunch\n- Boots\n"),
    )
    found = told_by_kit(question, tours)
    assert (found and found.says) is says


def test_the_yes_or_no_is_told_with_the_heading() -> None:
    direct = answer("Are drinks included?", TRIP)[0].direct
    assert direct is not None
    assert (direct.text, direct.confidence >= SURE) == ("No", True)


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("What do I need for a pass?", "If it was stolen you need a report.", True),
        ("What do I need if it was stolen?", "If it was stolen you need a report.", False),
        ("What do I need for a pass?", "You need a photograph.", False),
        ("What does Gold include?", "Drinks are reserved for Gold.", True),
        ("What does Gold include?", "Gold includes the sauna.", False),
        ("Where is Gold?", "Drinks are reserved for Gold.", False),
        ("What is not included?", "Included are logs.", True),
        ("What is not included?", "Towels are extra.", False),
        ("How many logs are included?", "Every further log costs 25 cents.", True),
        ("How many logs are included?", "Twenty logs are included.", False),
    ],
)
def test_what_is_needed_only_then_is_not_what_is_needed(
    question: str, sentence: str, *, lacks: bool
) -> None:
    assert lacks_kit(question, sentence) is lacks


def test_other_languages_are_left_alone() -> None:
    with speaking(language_of("Was brauche ich für den Mast?")):
        assert not find_kit("What is included?", pool(TRIP))
        assert told_by_kit("Is a guide included?", pool(TRIP)) is None


def test_one_is_told_by_what_one_does_it_where_it_is_asked_what_one_needs_for_it() -> None:
    page: Text = (
        "Passports",
        "A passport takes four weeks.\n\nTo collect it, show your slip. The office is in Kiln Row.",
    )
    told = answer("What do I need to collect my passport?", page)
    assert told[0].text.endswith("To collect it, show your slip.")


SALVE: Text = (
    "Hask salve",
    (
        "# Hask salve\n\n## When not to use it\n\n- on the face\n- on open wounds\n\n"
        "## 2 What we do not pay for\n\n- Water that rises from the ground\n- Moths and rust\n\n"
        "## What we pay for\n\n"
        "- Fire and smoke\n- Storms\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Can I use the salve on my face?", False),
        ("Can the salve be used on open wounds?", False),
        ("Can I use the salve on my hands?", None),
        ("Is damage by rust insured?", False),
        ("Is damage by smoke covered?", True),
        ("Does the policy cover moths?", False),
        ("Does the policy cover storms?", True),
        ("Does the policy cover theft?", None),
        ("Does the warranty cover moths?", None),
    ],
)
def test_what_is_ruled_out_by_its_heading(question: str, *, says: bool | None) -> None:
    found = told_by_kit(question, pool(SALVE))
    assert (found.says if found else None) is says


BOAT: Text = (
    "Boat cover",
    (
        "# Boat cover\n\n## What we do not pay for\n\n- Damage by animals, other than otters\n"
        "- Ice, unless you bought the winter cover\n- Sails outside the shed\n"
        "- Skippers under 12\n\n"
        "## What we pay for\n\n- Broken masts, except in a regatta\n- Theft of oars\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is damage by animals covered?", "No"),
        ("Is damage by otters covered?", ""),
        ("Is ice covered?", "Ice, unless you bought the winter cover"),
        ("Are sails covered?", "Sails outside the shed"),
        ("Are sails outside the shed covered?", "No"),
        ("Are skippers over 12 covered?", ""),
        ("Are skippers under 12 covered?", "No"),
        ("Are broken masts covered?", "Yes"),
        ("Are broken masts covered in a regatta?", ""),
        ("Does it cover broken masts in a regatta?", ""),
    ],
)
def test_no_item_says_a_plain_no_of_what_it_leaves_out(question: str, told: str) -> None:
    read = pool(BOAT)
    found = decide(question, read, Ranking(read, question))
    assert (found.text if found.confidence >= SURE else "") == told
