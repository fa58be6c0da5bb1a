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


@pytest.mark.parametrize(
    ("held", "said", "way"),
    [
        ("The mule was slower than the horse.", "The horse was the faster of the two.", 1),
        ("The mule was slower than the horse.", "The horse was the slower of the two.", -1),
        ("Oak is the hardest wood, pine the softest.", "Pine is harder than oak.", -1),
        ("Gold is the most expensive metal.", "Gold is dearer than iron.", 1),
        ("No rider was faster than Ines Roth.", "Ines Roth was the fastest rider of all.", 1),
        ("No rider was faster than Ines Roth.", "Ines Roth was the slowest rider of all.", -1),
        ("The mule is not faster than the horse.", "The mule is faster than the horse.", -1),
        ("The mule is not faster than the horse.", "The horse is faster than the mule.", None),
        ("The horse is faster than the mule.", "The mule is not faster than the horse.", 1),
        ("Winter milk is fatter than summer milk.", "Summer milk has less fat than winter milk.",
         1),
        ("The second lap took less time than the first.",
         "The first lap was slower than the second.", 1),
        ("The old fan was noisier but used less power than the new fan.",
         "The new fan is quieter than the old fan.", 1),
        ("The pass is longer than the valley road, but less steep.",
         "The valley road is steeper than the pass.", 1),
    ],
)  # fmt: skip
def test_superlatives_denials_and_what_is_left_out_are_compared(
    held: str, said: str, way: int | None
) -> None:
    assert comparison(align(said, held)) == way


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("The north hall holds more people than the south hall.", 1),
        ("The south hall holds more people than the north hall.", -1),
        ("The south hall is smaller than the north hall.", 1),
        ("The north hall is not larger than the south hall.", -1),
        ("The north hall is dearer than the south hall.", None),
        ("The north hall is larger than the west hall.", None),
    ],
)
def test_figures_of_both_bear_a_comparison_out(said: str, way: int | None) -> None:
    held = "The north hall holds 4,000 people and the south hall 2,500."
    assert comparison(align(said, held)) == way


def test_what_tells_when_may_stand_on_either_side() -> None:
    held = "Fewer plays than operas were staged last season."
    assert comparison(align("Last season more operas than plays were staged.", held)) == 1
    assert comparison(align("Last season more plays than operas were staged.", held)) == -1
