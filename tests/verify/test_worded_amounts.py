"""Amounts in words are those in figures, and no others."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.verify.support import weigh
from quaere.verify.worded_amounts import worded_amounts

SAID = "The walkers used {} of the rope."
SAME = [
    ("three quarters", "75 percent"),
    ("two thirds", "67 percent"),
    ("one in five", "20 percent"),
    ("four out of five", "80 %"),
    ("1/4", "25 %"),
    ("half", "50 percent"),
    ("a fortnight", "14 days"),
    ("a week", "seven days"),
    ("two decades", "20 years"),
    ("an hour and a half", "90 minutes"),
    ("half a million", "500,000"),
    ("half an hour", "30 minutes"),
    ("6 pm", "18:00"),
    ("noon", "12:00"),
    ("4 hectares", "40,000 square metres"),
    ("3 litres", "3,000 ml"),
    ("12 miles", "19 km"),
    ("a quarter of an hour", "15 minutes"),
    ("three quarters of a minute", "45 seconds"),
    ("one in twenty", "5 percent"),
    ("3 in a hundred", "3 percent"),
    ("1 in 1,000", "0.1 percent"),
    ("a sixth", "17 percent"),
    ("three twentieths", "15 percent"),
    ("3 MB", "3,000 kB"),
    ("2 MW", "2,000 kW"),
    ("5 MWh", "5,000 kWh"),
]
OTHER = [
    ("25 percent", "one in five"),
    ("two thirds", "75 percent"),
    ("half", "60 percent"),
    ("an hour and a half", "80 minutes"),
    ("a century", "90 years"),
    ("6 pm", "19:00"),
    ("4 hectares", "30,000 square metres"),
    ("13 miles", "19 km"),
    ("two years", "22 months"),
    ("a quarter of an hour", "25 minutes"),
    ("one in twenty", "20 percent"),
    ("one in four hundred", "25 percent"),
    ("a sixth", "60 percent"),
    ("3 MB", "300 kB"),
]


@pytest.mark.parametrize(("one", "other"), [*SAME, *(pair[::-1] for pair in SAME)])
def test_words_and_figures_of_one_amount_are_the_same(one: str, other: str) -> None:
    found = weigh(SAID.format(one), [passage(SAID.format(other))])
    assert (found.figures, found.support) == ((), Support.SUPPORTED)


@pytest.mark.parametrize(("one", "other"), [*OTHER, *(pair[::-1] for pair in OTHER)])
def test_another_amount_is_not_supported(one: str, other: str) -> None:
    assert not weigh(SAID.format(one), [passage(SAID.format(other))]).support.holds


def test_values_have_their_units() -> None:
    told = "From noon, half a dozen of 1/2 and three decades."
    amounts = [(amount.value, amount.unit) for amount in worded_amounts(told)]
    assert amounts == [
        (Decimal(720), "clock"),
        (Decimal(6), ""),
        (Decimal(50), "%"),
        (Decimal(30), "yr"),
    ]


def test_a_rare_ordinal_is_no_share_but_behind_a_count() -> None:
    assert not list(worded_amounts("The sixth lamp and the twentieth year."))
