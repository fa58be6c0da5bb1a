"""Which of two things is more."""

from __future__ import annotations

import pytest

from quaere.verify.align import align
from quaere.verify.comparisons import compares, comparison

HELD = "The pump is quieter at low speed than at high speed."


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("At high speed the pump makes more noise than at low speed.", 1),
        ("At low speed the pump makes more noise than at high speed.", -1),
        ("The pump is heavier at low speed than at high speed.", None),
        ("The pump is quiet at low speed.", None),
    ],
)
def test_the_two_sides_and_the_word_between_them_are_turned_together(
    said: str, way: int | None
) -> None:
    assert comparison(align(said, HELD)) == way


def test_slowly_compares_as_slow_does() -> None:
    held = "The east branch melts faster than the west branch."
    assert comparison(align("The west branch melts more slowly than the east branch.", held)) == 1


def test_what_has_a_figure_or_a_limit_compares_nothing_that_words_must_say() -> None:
    assert compares("Run 13 gave a smaller yield than run 14.")
    assert not compares("Nobody may run it for longer than half a minute.")
    assert not compares("The school has 550 pupils more than in 1962.")


@pytest.mark.parametrize(
    ("held", "said", "way"),
    [
        ("It made noise but used less power than the new cooler.",
         "The new cooler takes more power than it.", 1),
        ("The red car used twice as much fuel as the blue one.",
         "The blue car used half as much fuel as the red one.", 1),
        ("The red car used twice as much fuel as the blue one.",
         "The red car used half as much fuel as the blue one.", -1),
        ("The cellar is not as damp as the attic.", "The attic is damper than the cellar.", 1),
        ("Sales to hotels exceeded sales to shops by 12 litres.",
         "Hotels bought 12 litres less than shops.", -1),
    ],
)  # fmt: skip
def test_degrees_nouns_in_er_and_times_are_told_apart(held: str, said: str, way: int) -> None:
    assert comparison(align(said, held)) == way
