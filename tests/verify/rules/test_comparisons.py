"""Which of two things is more."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaere.verify.align import align
from quaere.verify.rules.comparisons import (
    compares,
    compares_the_same_two,
    comparison,
    puts_first,
)

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


def test_one_of_the_longest_is_not_the_longest() -> None:
    longest, one_of_them = "It is the longest pier.", "It is one of the longest piers."
    assert puts_first(longest, one_of_them)
    assert not puts_first(one_of_them, longest)
    assert not puts_first(longest, longest)


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
        ("The pass is longer than the valley road, but more dangerous.",
         "The valley road is more dangerous than the pass.", -1),
        ("The pass is longer than the valley road, but more dangerous.",
         "The pass is more dangerous than the valley road.", 1),
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


LENGTHS = st.integers(2, 900)
TURNS = [
    ("longer", "shorter"),
    ("wider", "narrower"),
    ("deeper", "shallower"),
    ("heavier", "lighter"),
    ("older", "younger"),
    ("faster", "slower"),
    ("more expensive", "cheaper"),
    ("louder", "quieter"),
]


@pytest.mark.parametrize(("more", "less"), TURNS)
def test_a_contrary_compares_the_same_way_with_the_two_exchanged(more: str, less: str) -> None:
    held = f"The north barge is {more} than the south boat."
    ways = {
        said: comparison(align(said, held))
        for said in (
            held,
            f"The south boat is {less} than the north barge.",
            f"The north barge is {less} than the south boat.",
            f"The south boat is {more} than the north barge.",
        )
    }
    assert list(ways.values()) == [1, 1, -1, -1], ways


@given(st.tuples(LENGTHS, LENGTHS).filter(lambda two: two[0] != two[1]))
@example((40, 41))
def test_two_figures_say_which_is_more(two: tuple[int, int]) -> None:
    north, south = two
    held = f"The north barge measures {north} m, the south boat {south} m."
    way = 1 if north > south else -1
    assert comparison(align("The north barge is longer than the south boat.", held)) == way
    assert comparison(align("The south boat is longer than the north barge.", held)) == -way
    assert comparison(align("The north barge is shorter than the south boat.", held)) == -way
    assert comparison(align("The north barge is heavier than the south boat.", held)) is None


def test_equal_figures_and_figures_of_different_kinds_say_nothing() -> None:
    said = "The north barge is longer than the south boat."
    for held in (
        "The north barge measures 40 m, the south boat 40 m.",
        "The north barge measures 40 m, the south boat 30 kg.",
        "The north barge measures 40 m.",
    ):
        assert comparison(align(said, held)) is None, held


@pytest.mark.parametrize(
    ("said", "held", "same"),
    [
        ("Sund is older than Rugen.", "Rugen is older than Sund.", True),
        ("Sund is older than Rugen.", "Sund is older than Rugen.", True),
        ("Sund is older than Rugen.", "Rugen is older than Hask.", False),
        ("Sund is older than Rugen.", "Hask is older than Rugen.", False),
        ("Sund is older than Rugen.", "Sund is old.", False),
        ("Old Sund is larger than new Sund.", "New Sund is larger than old Sund.", True),
    ],
)
def test_both_of_two_that_are_compared_have_to_be_named(said: str, held: str, same: bool) -> None:
    assert compares_the_same_two(align(said, held)) is same
