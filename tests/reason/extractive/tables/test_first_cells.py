"""Which tables list what there is."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.described_rows import find_keys, names_of

TRIPS: Text = (
    "Trips",
    (
        "# Trips\n\n## How trips end\n\n| trip end | what happened |\n|---|---|\n"
        "| `no_wind` | the sails hung |\n| `low_tide` | the keel touched the ground |\n"
        "\n## Boats of the ferry\n\n| boat | crew |\n|---|---|\n| Auk | 4 |\n| Grebe | 5 |\n"
    ),
)
RACES: Text = (
    "Races",
    "# Races\n\n## Boats of the race\n\n| boat | crew |\n|---|---|\n| Eider | 1 |\n| Smew | 2 |\n",
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which trip ends are there?", "`no_wind`, `low_tide`"),
        ("List all trip ends.", "`no_wind`, `low_tide`"),
        ("What are the possible trip ends?", "`no_wind`, `low_tide`"),
        ("What boats does the race have?", "Eider, Smew"),
        ("Which boats are there?", ""),
        ("Which ends are there?", ""),
        ("Which boat has a crew of 4?", ""),
        ("Why do trips end?", ""),
    ],
)
def test_a_first_column_lists_what_heads_it(question: str, names: str) -> None:
    assert names_of(find_keys(question, pool(TRIPS, RACES))) == names


def test_names_are_told_before_their_rows() -> None:
    first, second = answer("Which trip ends are there?", TRIPS)
    assert first.direct is not None
    assert (first.direct.kind, first.direct.text) == (DirectKind.NAME, "`no_wind`, `low_tide`")
    assert second.quotes[0].text == "| `low_tide` | the keel touched the ground |"
