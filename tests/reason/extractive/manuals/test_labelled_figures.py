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
