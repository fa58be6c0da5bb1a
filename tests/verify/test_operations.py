"""Whether a figure that comes of others was reckoned, or comes up by chance."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.verify.samples import passage

from quaere.text.numbers import Number
from quaere.verify.accounted import unaccounted
from quaere.verify.ground import Ground, ground
from quaere.verify.operations import Reckoning, is_telling
from quaere.verify.signals import Pair
from quaere.verify.support import compare


def number(value: str) -> Number:
    return Number(Decimal(value), "", 0, 0)


def measures(text: str) -> list[str]:
    return [str(each.value) for each in Ground(text).measures]


def pair(text: str, source: str) -> Pair:
    return compare(text, [passage(source)])


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("The two come to 12.", Reckoning.SUM),
        ("Zusammen sind es 12.", Reckoning.SUM),
        ("Cela fait 12 au total.", Reckoning.SUM),
        ("En total son 12.", Reckoning.SUM),
        ("共有12个。", Reckoning.SUM),
        ("It is 12 longer than that.", Reckoning.DIFFERENCE),
        ("Es bleiben 12 übrig.", Reckoning.DIFFERENCE),
        ("C'est 12 de plus.", Reckoning.DIFFERENCE),
        ("Son 12 menos.", Reckoning.DIFFERENCE),
        ("It is 12 per boat.", Reckoning.RATIO),
        ("Das sind 12 pro Boot.", Reckoning.RATIO),
        ("Le double fait 12 par bateau.", Reckoning.RATIO),
        ("Son 12 por barco.", Reckoning.RATIO),
    ],
)
def test_an_operation_is_told_by_its_words(text: str, way: Reckoning) -> None:
    assert way.is_told(text)
    assert not way.is_told("The barn holds 12 carts.")


def test_what_comes_up_for_most_figures_tells_nothing() -> None:
    assert is_telling(number("47"), lambda each: each.value == 47)
    assert not is_telling(number("47"), lambda each: each.value != 48)
    assert not is_telling(number("47"), lambda each: each.value == 48)
    assert is_telling(number("0"), lambda each: each.value == 0)
    assert is_telling(number("47"), lambda each: each.value in {47, 48, 41})
    assert not is_telling(number("47"), lambda each: each.value in {47, 48, 41, 27})


@pytest.mark.parametrize(
    ("figure", "others"),
    [
        ("7", {*range(1, 10)} - {7}),
        ("47", {*range(40, 50), *range(17, 100, 10)} - {47}),
        ("347", {*range(340, 350), *range(307, 400, 10)} - {347}),
    ],
)
def test_others_differ_by_one_of_the_last_two_digits(figure: str, others: set[int]) -> None:
    tried: list[int] = []

    def comes_up(each: Number) -> bool:
        tried.append(int(each.value))
        return True

    is_telling(number(figure), comes_up)
    assert sorted(tried[1:]) == sorted(others)


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("Run 13 took 40 minutes.", ["40"]),
        ("At 22:47 pump 2 lifted 9 litres.", ["9"]),
        ("Seite 14 nennt 30 Boote.", ["30"]),
        ("Section 3 lists 8 boats in 2 rows.", ["8", "2"]),
        ("", []),
        ("  " * 2_000, []),
    ],
)
def test_labels_and_times_of_day_are_nothing_to_reckon_with(text: str, amounts: list[str]) -> None:
    assert measures(text) == amounts


PUMP = "21:14 pump at rest\n22:47 alarm raised, pump stopped\n23:36 pump started, 300 litres"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("The alarm was raised at 22:47.", ()),
        ("The alarm was raised at 10:47 p.m.", ()),
        ("The alarm was raised at 21:47.", ("21:47",)),
        ("The alarm was raised at 22:14.", ("22:14",)),
        ("The pump lifted 47 litres.", ("47 litres",)),
    ],
)
def test_a_time_of_day_is_one_figure(text: str, missing: tuple[str, ...]) -> None:
    assert pair(text, PUMP).figures_missing == missing


@pytest.mark.parametrize(
    ("text", "figure", "follows"),
    [
        ("The pump stood still for 49 minutes.", "49 minutes", True),
        ("The pump stood still for 48 minutes.", "48 minutes", False),
        ("The pump stood still for 49 hours.", "49 hours", False),
    ],
)
def test_minutes_are_counted_between_times_of_lines_that_are_named(
    text: str, figure: str, *, follows: bool
) -> None:
    assert (unaccounted([figure], text, [PUMP], [PUMP]) == ()) is follows


STATEMENT = (
    "Opening balance: 815.60\n03 May  Rent of the barn  -640.00\n09 May  Paint  -87.35\n"
    "17 May  Entry fees  +210.00\n29 May  Repair of the roof  -1,124.50\nClosing balance: -826.25\n"
)


@pytest.mark.parametrize(
    ("text", "figure", "follows"),
    [
        ("Rent and repair come to 1,764.50 together.", "1,764.50", True),
        ("Rent and repair come to 1,774.50 together.", "1,774.50", False),
        ("The repair cost 484.50 more than the rent.", "484.50", True),
        ("The repair cost 494.50 more than the rent.", "494.50", False),
        ("The rent was 553.", "553", False),
    ],
)
def test_lines_that_a_sentence_names_are_reckoned_with_together(
    text: str, figure: str, *, follows: bool
) -> None:
    assert (unaccounted([figure], text, [STATEMENT], []) == ()) is follows


@pytest.mark.parametrize(
    ("text", "figure", "follows"),
    [
        ("The salt brought 42,120 marks.", "42,120", True),
        ("The salt brought 42,130 marks.", "42,130", False),
        ("She lay 14 years in the harbour after 1869.", "14 years", True),
        ("She lay 15 years in the harbour after 1869.", "15 years", False),
    ],
)
def test_rates_and_years_are_reckoned_with(text: str, figure: str, *, follows: bool) -> None:
    source = "In May 1883 the salt, 780 tonnes of it, was sold at 54 marks a tonne."
    assert (unaccounted([figure], text, [source], [source]) == ()) is follows


def test_what_stands_first_in_a_row_is_its_name() -> None:
    table = "| Boat | Km |\n| --- | --- |\n| 103 | 34 |\n| 107 | 38 |\n"
    for text, figure, follows in (
        ("The one sails 4 km more than the other.", "4 km", True),
        ("Boat 107 sails 69 km less than that.", "69 km", False),
        ("Both boats sail 210 km in all.", "210 km", False),
    ):
        assert (unaccounted([figure], text, [table], []) == ()) is follows


def test_words_alone_reckon_with_one_kind_of_unit() -> None:
    source = "The first load is 40 kg, the other 25 kg, and both are left for 25 minutes."
    text = "The other load is left {} less than the first."
    assert pair(text.format("15 kg"), source).figures_missing == ()
    assert pair(text.format("15 minutes"), source).figures_missing == ("15 minutes",)


def test_a_moment_without_figures_is_none() -> None:
    assert ground("It opens at noon and shuts at 18:00.").moments[0].value == 18 * 60
