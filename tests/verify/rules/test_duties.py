"""What must, may, need not or must not be done, in two aligned statements."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import languages, speaking
from quaere.verify.align import align
from quaere.verify.rules.duties import demands, leaves_open


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Divers may wear a belt.", "Divers must wear a belt."),
        ("Divers are free to wear a belt.", "Divers have to wear a belt."),
        ("A belt can be worn by divers.", "A belt is required to be worn by divers."),
        ("Divers need not touch the coral.", "Divers must not touch the coral."),
        ("Divers are not required to touch the coral.", "Divers are forbidden to touch the coral."),
    ],
)
def test_what_is_demanded_is_not_left_open(said: str, held: str) -> None:
    assert leaves_open(align(said, held))
    assert demands(align(held, said))


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Divers are obliged to wear a belt.", "Divers must wear a belt."),
        ("Divers are allowed to wear a belt.", "Divers may wear a belt."),
        ("Divers can rest once they have dived.", "Divers must sign before they can rest."),
        ("Divers may rest.", "Divers must wear a belt."),
        ("Divers cannot rest.", "Divers must not rest."),
    ],
)
def test_words_that_govern_another_verb_or_say_the_same_are_let_be(said: str, held: str) -> None:
    assert not leaves_open(align(said, held))
    assert not demands(align(said, held))


def test_duties_are_told_in_english_alone() -> None:
    with speaking(languages()["de"]):
        assert not leaves_open(align("Divers may dive.", "Divers must dive."))
