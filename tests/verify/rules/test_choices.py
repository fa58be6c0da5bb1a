"""Whether two things are asked for together, or one of them is enough."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import languages, speaking
from quaere.verify.align import align
from quaere.verify.rules.choices import turns_choice

BOTH = "Guests must bring a towel and a cap."
ONE = "Guests must bring a towel or a cap."


@pytest.mark.parametrize(
    ("said", "held", "turns"),
    [
        (BOTH, ONE, True),
        (ONE, BOTH, True),
        (BOTH, BOTH, False),
        ("Guests must bring a towel as well as a cap.", ONE, True),
        ("Guests must bring a cap and a towel.", ONE, True),
        ("Guests must bring a coat and a scarf.", ONE, False),
        # What may be had is had either way, unless the one shuts the other out.
        ("Guests get a towel and a cap.", "Guests get a towel or a cap.", False),
        ("Guests get a towel and a cap.", "Guests get either a towel or a cap.", True),
        ("The bell rings if it is hot or wet.", "The bell rings if it is hot and wet.", True),
        # Under a denial the two say the same, and between two ends nothing is chosen.
        ("Guests must not bring a towel or a cap.", BOTH, False),
        ("Guests must choose between a towel and a cap.", ONE, False),
        # "Or more" and "and so on" join nothing.
        ("Guests must bring two caps or more.", "Guests must bring two caps and more.", False),
        # One place of the source that joins them as the sentence does is enough.
        (BOTH, "Guests must bring a towel or a cap; boys must bring a towel and a cap.", False),
    ],
)
def test_and_is_not_or_where_something_is_demanded(said: str, held: str, turns: bool) -> None:
    assert turns_choice(align(said, held)) is turns


def test_other_languages_are_left_alone() -> None:
    with speaking(languages()["de"]):
        assert not turns_choice(align(BOTH, ONE))
