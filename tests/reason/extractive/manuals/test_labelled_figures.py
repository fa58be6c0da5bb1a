"""The figure behind a label, below a heading that says the rest."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.manuals.labelled import find_labelled_value

CRATES: Text = (
    "Orrin crates",
    (
        "# Orrin crates\n\n## What a crate costs\n\nNorway: £21\nPeru: £34\nCuba: ask us\n\n"
        "## Crates\n\nChile: 7\n\n## Gifts\n\nNorway: £5\n\n**Day ticket**\n\n"
        "Town: 5.20\nShore: 9 to 12\n\n"
        "Month ticket\n\nTown: 60\nLake: 70\nLake: 75\nMoor: 8 is the gate of it"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How much is a crate to Norway?", "£21"),
        ("What does a crate to Peru cost?", "£34"),
        ("How much is a crate to Cuba?", None),
        ("How much is a crate to Spain?", None),
        ("How much is a barrel to Norway?", None),
        ("How much is a month ticket for the town?", "60"),
        ("What does a day ticket for the town cost?", "5.20"),
        ("How much is a month ticket for the lake?", None),
        ("How much is a month ticket for the moor?", None),
        ("How many crates are there in Norway?", None),
        ("How many crates are there in Chile?", "7"),
        ("Who has a month ticket for the town?", None),
        ("", None),
    ],
)
def test_a_label_and_what_is_over_it_say_all_that_is_asked(question: str, told: str | None) -> None:
    found = find_labelled_value(question, pool(CRATES))
    assert (found.text if found else None) == told


TESTS: Text = (
    "Log",
    (
        "# Log\n\n## Car\n\nLast test: 22 June 2031\nNext test due: 22 June 2032\n"
        "Insurance: see the folder\n\n## Fees for 2029\n\nMoorings: £40\n\n"
        "## Fees for 2031\n\nMoorings: £55"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When was the last test?", "22 June 2031"),
        ("When is the next test?", "22 June 2032"),
        ("When is the test?", None),
        ("When is the insurance?", None),
        ("How much are moorings?", "£55"),
    ],
)
def test_the_date_after_a_label_and_the_latest_of_two_figures_are_told(
    question: str, told: str | None
) -> None:
    found = find_labelled_value(question, pool(TESTS))
    assert (found.text if found else None) == told
