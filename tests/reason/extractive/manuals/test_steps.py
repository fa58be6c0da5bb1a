"""Steps are told whole, in their order, and with their numbers."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer

from quaere.domain.report import Opens

KILN: Text = (
    "Kiln manual",
    (
        "# Kiln manual\n\n## Emptying the kiln\n\n"
        "1. Switch the kiln off. Wait until the lamp is dark.\n"
        "2. Open both vents.\n   - The upper one turns left.\n   - The lower one turns right.\n"
        "3. Wait one hour.\n   Do not open the door.\n"
        "4. Lift the shelves out.\n"
        "5. Wait one hour.\n"
        "\nAsk the potter if a shelf sticks.\n"
    ),
)


def test_items_of_several_sentences_are_one_list_of_steps() -> None:
    said = answer("How do I empty the kiln?", KILN)
    assert [(each.opens, each.text) for each in said] == [
        (Opens.NUMBERED, "Switch the kiln off. Wait until the lamp is dark."),
        (Opens.NUMBERED, "Open both vents."),
        (Opens.ITEM, "The upper one turns left."),
        (Opens.ITEM, "The lower one turns right."),
        (Opens.NUMBERED, "Wait one hour. Do not open the door."),
        (Opens.NUMBERED, "Lift the shelves out."),
        (Opens.NUMBERED, "Wait one hour."),
    ]


def test_no_step_is_left_out_of_a_short_answer() -> None:
    steps = [f"Turn valve {n} until the needle of its gauge is at the red mark." for n in range(9)]
    listed = "\n".join(f"{n}. {step}" for n, step in enumerate(steps, 1))
    page: Text = ("Boiler", f"# Boiler\n\n## Draining the boiler\n\n{listed}\n")
    said = answer("How do I drain the boiler?", page, max_words=45)
    assert [each.text for each in said] == steps


@pytest.mark.parametrize(
    ("aside", "told"),
    [
        ("\n\nMind the gap.\n\n", "Turn it. Mind the gap."),
        ("\n\n> Mind the gap.\n\n", "Turn it. Mind the gap."),
        ("\n   ```sh\n   turn it\n   ```\n", "Turn it. turn it"),
        ("\n```\nturn it\n```\n", "Turn it. turn it"),
    ],
)
def test_steps_after_a_note_or_code_are_told_as_well(aside: str, told: str) -> None:
    listed = f"1. Open it.\n2. Turn it.{aside}3. Close it.\n4. Wait.\n"
    said = answer("How do I drain the boiler?", ("Boiler", f"# Draining the boiler\n\n{listed}"))
    assert [each.text for each in said] == ["Open it.", told, "Close it.", "Wait."]
    assert {each.opens for each in said} == {Opens.NUMBERED}


def test_what_does_not_go_on_counting_is_another_list() -> None:
    listed = "1. Open it.\n2. Turn it.\n\nOr so:\n\n1. Close it.\n2. Wait.\n"
    said = answer("How do I drain the boiler?", ("Boiler", f"# Draining the boiler\n\n{listed}"))
    assert [each.text for each in said] == ["Open it.", "Turn it."]


def test_what_is_no_list_of_steps_has_no_numbers() -> None:
    page: Text = ("Tea", "# Tea\n\n## Which teas are there?\n\n- Assam\n- Oolong\n")
    assert [each.opens for each in answer("Which teas are there?", page)] == [None, None]
