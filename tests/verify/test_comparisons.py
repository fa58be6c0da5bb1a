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
