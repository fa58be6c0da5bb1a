"""What a manual says under the heading of a function."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.manuals.functions import find_function

PUMP: Text = (
    "Pump",
    (
        "# Pump\n\n## `pump.start(speed[, wait])`\n\n- `speed` {number} Turns a minute.\n"
        "- `wait` {number} **Default:** `0`.\n- Returns: {Flow}\n\n"
        "Starts the pump after `wait` seconds. The valve is opened first.\n\n"
        "An `Overflow` is raised if `speed` is above 90.\n\n"
        "## `pump.isDry()`\n\n- Returns: {boolean}\n\nWhether no water is left.\n\n"
        "If the tank is closed, nothing is returned.\n\n"
        "The `pump.isDry()` method returns what the last reading told.\n\n"
        "## Other pumps\n\n### `spare.pump.start()`\n\nStarts the spare pump.\n\n"
        "## open(path)\n\nOpens the door.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("What does pump.start do?",
         ["Starts the pump after `wait` seconds.", "The valve is opened first."]),
        ("What is the function `pump.start()` for?",
         ["Starts the pump after `wait` seconds.", "The valve is opened first."]),
        ("What does spare.pump.start do?", ["Starts the spare pump."]),
        ("What does isDry do?",
         ["Whether no water is left.", "If the tank is closed, nothing is returned."]),
        ("What does pump.isDry return?",
         ["The `pump.isDry()` method returns what the last reading told.", "Returns: {boolean}"]),
        ("What does pump.start raise?", ["An `Overflow` is raised if `speed` is above 90."]),
        ("What does pump.stop do?", []),
        ("What does the pump do?", []),
        ("What does open do?", []),
    ],
)  # fmt: skip
def test_what_a_function_does_is_told_under_its_heading_but_for_its_parameters(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_function(question, pool(PUMP))] == lines


def test_of_two_functions_that_end_alike_none_answers() -> None:
    twins = (
        "Twins",
        "# Twins\n\n## left.turnOn()\n\nLights it.\n\n## right.turnOn()\n\nHeats it.\n",
    )
    assert find_function("What does turnOn do?", pool(twins)) == ()
    assert find_function("What does right.turnOn do?", pool(twins))[0].text == "Heats it."


def test_what_a_function_does_leads_the_answer() -> None:
    first = answer("What does pump.start do?", PUMP)[0]
    assert first.text == "Starts the pump after `wait` seconds."


def test_a_hostile_heading_takes_no_time() -> None:
    hostile = pool(("Pump", f"# Pump\n\n## a{'.' * 50_000}\n\nStarts the pump.\n"))
    began = time.process_time()
    assert find_function("What does pump.start do?", hostile) == ()
    assert time.process_time() - began < 0.5
