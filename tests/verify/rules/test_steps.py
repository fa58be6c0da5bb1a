"""Which of two steps comes first, however it is told."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import languages, speaking
from quaere.verify.rules.steps import turns_steps


@pytest.mark.parametrize(
    ("said", "held", "turns"),
    [
        ("First soak the reeds, then split them.", "Split the reeds after soaking them.", False),
        ("First split the reeds, then soak them.", "Split the reeds after soaking them.", True),
        ("Guests eat first and pay afterwards.", "Guests pay before they eat.", True),
        ("Guests pay first and eat afterwards.", "Guests pay before they eat.", False),
        ("Guests pay before they eat.", "Each guest eats, and only then pays.", True),
        ("The nave was painted before the choir.", "The nave was painted first, the choir next.",
         False),
        ("The choir was painted before the nave.", "The nave was painted first, the choir next.",
         True),
        ("Before they eat, guests pay.", "Guests eat first and pay afterwards.", True),
        ("Guests eat before they pay.", "Guests pay before they eat.", False),
        ("Guests eat and drink.", "Guests pay first and eat afterwards.", False),
    ],
)  # fmt: skip
def test_steps_are_turned_where_the_first_comes_second(said: str, held: str, turns: bool) -> None:
    # Two sentences with "before" or "after" are left to the rule for these words.
    assert turns_steps(said, held) is turns


def test_steps_are_told_in_english_alone() -> None:
    with speaking(languages()["de"]):
        assert not turns_steps("Guests eat first, then pay.", "Guests pay before they eat.")
