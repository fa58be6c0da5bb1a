"""Of how many two aligned statements say something."""

from __future__ import annotations

import pytest

from quaere.verify.align import align
from quaere.verify.rules.quantifiers import narrows, widens


@pytest.mark.parametrize(
    ("said", "held", "wider"),
    [
        ("All boats are new.", "Most boats are new.", True),
        ("Most boats are new.", "Nearly all boats are new.", False),
        ("All boats are new.", "Nearly all boats are new.", True),
        ("All boats are new.", "Not all boats are new.", True),
        ("All boats are new.", "Boats are new.", False),
        ("Boats are new.", "Some boats are new.", False),
        # What comes first is said of the boats.
        ("All boats are new in some years.", "Some boats are new.", True),
        ("Some boats are all new.", "Some boats are new.", False),
        ("Many boats are new.", "Few boats are new.", True),
        ("Many boats are new.", "A few boats are new.", False),
        ("Many boats are new.", "Several boats are new.", False),
        ("Most boats are new.", "Some boats are new.", True),
        ("Most boats are new.", "Half of the boats are new.", True),
        ("The great majority of boats are new.", "Nearly all boats are new.", False),
        # Of several things, each is compared with what is said of it.
        ("All boats are new.", "All boats and some ships are new.", False),
        ("All carts are new.", "All boats and some carts are new.", True),
        # One that holds for the sentence is enough, where none is of the same thing.
        ("All canoes are new.", "All boats and some ships are new.", False),
        # Who says "not every" says it of less than all, and most are not all.
        ("Not every boat is new.", "Most of the boats are new.", False),
        ("Every boat is new.", "Most of the boats are new.", True),
        # "Most are not" is "few are".
        ("Most boats are not new.", "Hardly any of the boats are new.", False),
        ("Most boats are new.", "Most of the boats are not new.", True),
        # Shares in words, in percent, and of a number are shares.
        ("The whole of the fleet is new.", "The fleet, of which a quarter is new, sails.", True),
        ("A majority of the boats is new.", "Two of the five boats are new.", True),
        ("A minority of the boats is new.", "Two of the five boats are new.", False),
        ("Most of the boats are new.", "80% of the boats are new.", False),
        ("All of the boats are new.", "80% of the boats are new.", True),
        # How often is not of how many, and the most of its kind not most.
        ("Every boat is new.", "Boats are painted every year in some ports.", True),
        ("Boats are painted every year.", "Some boats are painted.", False),
        ("The most modern boat is new.", "Some boats are new.", False),
    ],
)
def test_all_is_more_than_some_and_many_more_than_few(said: str, held: str, wider: bool) -> None:
    assert widens(align(said, held)) is wider


@pytest.mark.parametrize(
    ("said", "held", "narrower"),
    [
        ("Only some boats are new.", "All boats are new.", True),
        ("Not all boats are new.", "All boats are new.", True),
        ("Only some boats are new.", "Nearly all boats are new.", False),
        ("Only some boats are new.", "Boats are new.", False),
        ("Boats are new.", "All boats are new.", False),
        ("Some boats are new.", "All boats are new.", False),
        ("Few boats are new.", "Most of the boats are new.", True),
        ("A minority of the boats is new.", "Most of the boats are new.", True),
    ],
)
def test_a_part_is_less_than_all(said: str, held: str, narrower: bool) -> None:
    assert narrows(align(said, held)) is narrower
