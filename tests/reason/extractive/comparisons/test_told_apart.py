"""What is said of each of two things."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.comparisons.contrast import find_told_apart, side_by_side

KELP: Text = (
    "kelp",
    (
        "# kelp\n\nBoth kelp moor and kelp drift need a rope.\n\n## Boats\n\n"
        "- `await boat.moor()` ties the boat to the pier.\n"
        "- `await boat.drift()` lets it go with the tide.\n"
        "- After boat.moor() nobody rows.\n- `boat.sink()` lets the water in\n"
        "- `boat.row()` takes it home\n\n"
        "## kelp moor [PIER]\n\nThis command will tie all boats to a pier.\n\n"
        "## kelp drift\n\n| option | meaning |\n|---|---|\n| `--far` | out of sight |\n\n"
        "Lets all boats go, one after the other.\n\n## kelp sink\n\n"
        "## kelp row\n\nIt rows.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the difference between boat.moor() and boat.drift()?",
         ["`await boat.moor()` ties the boat to the pier.",
          "`await boat.drift()` lets it go with the tide."]),
        ("How does kelp moor differ from kelp drift?",
         ["kelp moor: This command will tie all boats to a pier.",
          "kelp drift: Lets all boats go, one after the other."]),
        ("What is the difference between boat.sink() and boat.row()?",
         ["`boat.sink()` lets the water in", "`boat.row()` takes it home"]),
        ("What is the difference between kelp sink and kelp row?", []),
        ("What is the difference between kelp moor and kelp fly?", []),
        ("Which is faster, kelp moor or kelp drift?", []),
        ("What does kelp moor do?", []),
        ("What do kelp moor and kelp drift have in common?", []),
    ],
)  # fmt: skip
def test_each_of_two_things_is_told_of_by_a_line_of_its_own(question: str, told: list[str]) -> None:
    assert [line.text for line in find_told_apart(question, pool(KELP))] == told


@pytest.mark.parametrize("asked", ["kelp moor and kelp row", "kelp row and kelp moor"])
def test_the_heading_that_says_no_more_than_the_name_tells_best(asked: str) -> None:
    page = (
        "# kelp\n\nThe kelp moor command came late to kelp.\n\n"
        "## kelp moor at night\n\nBring a lamp, and leave it on.\n\n"
        "## kelp moor\n\nIt ties the boat to a pier.\n\n"
        "## kelp row\n\nIt takes the boat home.\n"
    )
    lines = find_told_apart(f"What is the difference between {asked}?", pool(("kelp", page)))
    assert {line.text for line in lines} == {
        "kelp moor: It ties the boat to a pier.",
        "kelp row: It takes the boat home.",
    }


@pytest.mark.parametrize(("pictures", "is_told"), [(3, True), (4, False)])
def test_what_tells_of_a_thing_is_near_below_its_heading(pictures: int, is_told: bool) -> None:
    shown = "![kelp](kelp.png)\n\n" * pictures
    page = f"## kelp moor\n\n{shown}It ties the boat to a pier.\n\n## kelp row\n\nIt rows home.\n"
    lines = find_told_apart("How does kelp moor differ from kelp row?", pool(("kelp", page)))
    assert bool(lines) is is_told


def test_both_lines_are_the_answer() -> None:
    first, second = answer("What is the difference between kelp moor and kelp drift?", KELP)
    assert first.text == "kelp moor: This command will tie all boats to a pier."
    assert second.quotes[0].text.startswith("## kelp drift") or second.quotes[0].text.startswith(
        "kelp drift"
    )


def test_years_between_which_something_changed_are_not_two_things() -> None:
    assert side_by_side("What is the difference between a cutter and a yawl?") is not None
    assert side_by_side("What is the difference in fees between 2021 and 2022?") is None
    assert side_by_side("What was the change between fiscal year 2021 and 2022?") is None
