"""When two figures are one amount, and which figures follow from others."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.numbers import Number
from quaere.verify.ground import ground
from quaere.verify.quantities import (
    comes_to,
    conflicting,
    explained,
    is_equal,
    kind_of,
    moved_years,
    rounds_to,
    same_kind,
    same_kind_of_date,
    told_amounts,
)

UNITS = ["", "%", "km", "m", "mi", "ft", "kg", "lb", "d", "yr", "°C", "°F", "USD", "GBP", "th"]
NUMBERS = st.builds(
    Number, st.decimals(0, 10**6, places=2), st.sampled_from(UNITS), st.just(0), st.just(1)
)


def number(text: str) -> Number:
    (only,) = ground(text).numbers
    return only


@given(NUMBERS, NUMBERS)
def test_equality_has_two_ways_and_stays_within_a_kind(a: Number, b: Number) -> None:
    assert is_equal(a, a)
    assert is_equal(a, b) == is_equal(b, a)
    if is_equal(a, b) and a.unit and b.unit and {a.unit, b.unit} != {"lb", "GBP"}:
        assert kind_of(a) == kind_of(b)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 km", "5,000 m"),
        ("2 tonnes", "2,000 kg"),
        ("100 pounds", "45 kg"),
        ("1 mile", "1.6 km"),
        ("5 miles", "7.6 km"),
        ("0 km", "0 m"),
        ("2 weeks", "14 days"),
        ("3 years", "36 months"),
        ("100 °C", "212 °F"),
        ("20 °C", "69 °F"),
        ("£30", "30 pounds"),
        ("5", "5 km"),
    ],
)
def test_one_amount_in_two_units_is_equal(one: str, other: str) -> None:
    assert is_equal(number(one), number(other))
    assert is_equal(number(other), number(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 km", "5 m"),
        ("5 km", "5 kg"),
        ("5 km", "5,031 m"),
        ("1,000 m", "994 m"),
        ("21 miles", "32 km"),
        ("103 pounds", "46 kg"),
        ("20 °C", "70 °F"),
        ("£30", "31 pounds"),
        ("5 USD", "5 EUR"),
        ("12 months", "365 days"),
    ],
)
def test_amounts_that_are_not_one_are_not_equal(one: str, other: str) -> None:
    assert not is_equal(number(one), number(other))
    assert not is_equal(number(other), number(one))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("3 ft", "m"),
        ("3 lb", "kg"),
        ("3 hours", "s"),
        ("3 months", "mo"),
        ("$3", "money"),
        ("€3", "money"),
        ("3 °F", "temperature"),
        ("3 %", "%"),
        ("3", ""),
    ],
)
def test_what_a_figure_measures(text: str, kind: str) -> None:
    assert kind_of(number(text)) == kind


@pytest.mark.parametrize(
    ("said", "held", "conflict"),
    [
        ("It is 5 km long.", "It is 6 km long.", True),
        ("It is 5 km long.", "It is 6,000 m long.", True),
        ("It is 5 km long.", "It is 5,000 m long.", False),
        ("It is 5 km long.", "It weighs 6 kg.", False),
        ("It is 5 km long.", "It is 5 km long and 6 km wide.", False),
        ("It is 5 km long and 6 km wide.", "It is 5 km long.", False),
        ("One of them has 5 gates.", "It has 5 gates and 7 towers.", False),
        ("About 3,500 came.", "In all 3,512 came.", False),
        ("It has 5 gates.", "It has 3 gates to the east and 2 to the west.", True),
        ("In all it has 5 gates.", "It has 3 gates to the east and 2 to the west.", False),
        ("It fell in 1891.", "It fell in 1892.", True),
        ("It fell in 1891.", "It fell in 1891 and rose in 1892.", False),
        ("It fell in 1891.", "It fell.", False),
        ("It fell.", "It fell in 1892.", False),
    ],
)
def test_a_conflict_is_another_figure_of_the_kind(said: str, held: str, *, conflict: bool) -> None:
    assert conflicting(ground(said), ground(held)) is conflict


def test_what_is_told_of_each_amount_and_date() -> None:
    said = "In 1891 it was 5 km long, and half of it 3 m wide."
    found = told_amounts(said, "In May 1891, 5,000 m were built; half was 4 m wide.")
    assert [(said[each.start : each.end], each.told, each.is_date) for each in found] == [
        ("half", True, False),
        ("5 km", True, False),
        ("3 m", False, False),
        ("1891", True, True),
    ]


@pytest.mark.parametrize(
    ("said", "held", "is_told"),
    [
        ("67 percent of the boats leak.", "Two thirds of the boats leak.", True),
        ("Two thirds of the boats leak.", "67 percent of the boats leak.", True),
        ("66 percent of the boats leak.", "Two thirds of the boats leak.", False),
        ("They dug 12 km.", "They dug 12.4 km.", False),
    ],
)
def test_a_share_may_be_rounded_and_nothing_else(said: str, held: str, *, is_told: bool) -> None:
    (figure,) = told_amounts(said, held)
    assert figure.told is is_told


@pytest.mark.parametrize(
    ("said", "follows"),
    [
        ("Together they have 17 rooms.", True),
        ("They have 17 rooms.", False),
        ("Together they have 18 rooms.", False),
        ("The inn has 7 rooms more.", True),
        ("The inn has 3 rooms more.", False),
        ("The inn has 2.4 times as many.", True),
        ("The inn has 240 percent of them.", True),
        ("The inn has 140 percent of them.", True),
        ("The inn has 42 percent of them.", True),
        ("The inn has 58 percent of them.", True),
        ("The inn has 45 percent of them.", False),
    ],
)
def test_what_a_sentence_says_was_reckoned_is_reckoned(said: str, *, follows: bool) -> None:
    sources = [ground("The mill has 5 rooms."), ground("The inn has 12 rooms.")]
    figures = {said[each.start : each.end] for each in ground(said).numbers}
    assert (explained(ground(said), sources) == figures) is follows


@pytest.mark.parametrize(
    ("total", "follows"),
    [("3,500", True), ("3,400", False), ("3,000", False), ("3,456", False), ("3,460.4", False)],
)
def test_a_result_may_be_rounded_but_not_by_much(total: str, *, follows: bool) -> None:
    said = f"Together they have {total} rooms."
    sources = [ground("The mill has 1,690 rooms."), ground("The inn has 1,770 rooms.")]
    assert (explained(ground(said), sources) == {total}) is follows


def test_only_what_a_source_has_in_another_unit_is_explained() -> None:
    said = ground("It is 5 km long and 3 m wide; three quarters are dry.")
    assert explained(said, [ground("5,000 m long, 75 percent dry")]) == {"5 km", "three"}


@pytest.mark.parametrize(
    ("said", "caption", "follows"),
    [
        ("It earned $7,200,000.", "In millions of dollars", True),
        ("It earned $7.2 million.", "In millions of dollars", True),
        ("It earned $7,200.", "In thousands", True),
        ("It earned $7,200.", "in $'000s", True),
        ("It earned $7.2 billion.", "In billions", True),
        ("It earned $7.2 billion.", "In millions", False),
        ("It earned $7.2 billion.", "", False),
    ],
)
def test_a_caption_scales_the_figures_below_it(said: str, caption: str, *, follows: bool) -> None:
    rows = [ground("| Earnings | 7.2 |")]
    assert bool(explained(ground(said), rows, [ground(caption)])) is follows


@pytest.mark.parametrize(
    ("said", "follows"),
    [
        ("It has three colours: red, green and blue.", True),
        ("It has three colours: red, green, and blue.", True),
        ("It has two colours: red or green.", True),
        ("It has four colours: red, green and blue.", False),
        ("It has three colours.", False),
        ("It has three colours; they are: red, green and blue.", False),
    ],
)
def test_what_a_sentence_lists_bears_its_count_out(said: str, *, follows: bool) -> None:
    assert bool(explained(ground(said), [ground("It is painted.")])) is follows


@pytest.mark.parametrize(
    ("source", "years"),
    [
        ("She came in 1940 and left three years later.", [1943]),
        ("She came in 1940; her brother had come 2 years earlier.", [1938]),
        ("She came in 1940, and left a year later.", [1941]),
        ("Three years after the war of 1945 she left.", [1948]),
        ("Three years before the war of 1914 she left.", [1911]),
        ("In 1948, three years after her sister, she left.", [1945]),
        ("In 1948, three years before her sister, she left.", [1951]),
        ("In 1912 and in 1948, three years after her sister, she left.", [1945]),
        ("Three years after the wars of 1945 and 1950 she left.", [1948]),
        ("Three years later she left; it was 1948.", []),
        ("She left 10 years later than in 1948.", []),
        ("1940 she came, and left three years later.", [1943]),
        ("Three years after 1945, she left.", [1948]),
    ],
)
def test_years_told_from_another(source: str, years: list[int]) -> None:
    assert list(moved_years([ground(source)])) == years


@pytest.mark.parametrize(
    ("source", "figure", "follows"),
    [
        ("The inn has 812 beds, 96 fewer than the mill.", "908", True),
        ("The inn has 812 beds, 96 more than the mill.", "716", True),
        ("The inn has 812 beds in 4 halls, 96 fewer than the mill.", "908", True),
        ("The inn has 812 beds, 96 more than the mill.", "908", False),
        ("The inn has 812 beds and the mill 96.", "908", False),
        ("The inn has 812 beds, 96 fewer than the mill in its 14 rooms and 5 huts.", "908", False),
    ],
)
def test_a_figure_is_given_by_another_and_a_difference(
    source: str, figure: str, *, follows: bool
) -> None:
    said = f"The mill has {figure} beds."
    assert (explained(ground(said), [ground(source)]) == {figure}) is follows


@pytest.mark.parametrize(
    ("said", "part", "other", "same"),
    [
        ("The mill has 5 rooms.", "The mill has 5 rooms", "the inn has 12", True),
        ("The mill has 5 rooms.", "The mill has 5 rooms", "the inn has 5", False),
        ("The mill has 5 rooms.", "The mill has 6 rooms", "the inn has 12", False),
        ("The mill is 5 km away.", "The mill is 5 km away", "the inn has 12 rooms", False),
        ("The mill has 5 rooms, 3 dark.", "It has 5 rooms, 3 dark", "the inn 12", False),
        ("Milk is 5 euros.", "Milk is 5 euros", "water is free", True),
        ("It has 1 peak.", "It has 1 peak", "the other has two peaks", True),
        ("It is 1 of many.", "It is 1 of many", "the other has two peaks", False),
    ],
)
def test_one_amount_stands_against_another_of_its_kind(
    said: str, part: str, other: str, *, same: bool
) -> None:
    assert same_kind(ground(said), ground(part), ground(other)) is same


@pytest.mark.parametrize(
    ("said", "part", "other", "same"),
    [
        ("It fell in 1891.", "It fell in 1891", "it rose in 1880", True),
        ("It fell in 1891.", "It fell in May 1891", "it rose in 1880", True),
        ("It fell in 1891.", "It fell in 1890", "it rose in 1880", False),
        ("It fell in 1891.", "It fell in 1891", "it rose in 1891", False),
        ("It fell in 1891.", "It fell in 1891", "it rose on 4 May", False),
        ("It fell in 1891.", "It fell in 1891", "it rose on 4 May 1880", False),
        ("From 1891 to 1893.", "It fell in 1891", "it rose in 1880", False),
        ("It fell.", "It fell in 1891", "it rose in 1880", False),
    ],
)
def test_one_date_stands_against_another_as_precise(
    said: str, part: str, other: str, *, same: bool
) -> None:
    assert same_kind_of_date(ground(said), ground(part), ground(other)) is same


@pytest.mark.parametrize(
    ("figure", "least", "most"),
    [
        ("7", "6.5", "7.5"),
        ("7.3", "7.25", "7.35"),
        ("12,300", "12250", "12350"),
        ("1,000", "953", "1052"),  # by a twentieth of the value at most
        ("0", "0", "0"),
    ],
)
def test_a_value_is_rounded_to_the_digits_that_a_figure_has(
    figure: str, least: str, most: str
) -> None:
    beyond = Decimal("0.01") if "." in figure else Decimal(1)
    assert rounds_to(number(figure), Decimal(least))
    assert rounds_to(number(figure), Decimal(most))
    assert not rounds_to(number(figure), Decimal(least) - beyond)
    assert not rounds_to(number(figure), Decimal(most) + beyond)


def test_something_is_never_rounded_to_nothing() -> None:
    assert not rounds_to(number("0"), Decimal("0.4"))
    assert not rounds_to(number("0.3"), Decimal(0))


@pytest.mark.parametrize(
    ("figure", "value", "comes"),
    [("990", "994", False), ("990", "990.5", True), ("1,000", "1004", True)],
)
def test_from_a_thousand_on_a_figure_may_be_rounded_to_whole_tens(
    figure: str, value: str, *, comes: bool
) -> None:
    assert comes_to(number(figure), Decimal(value)) is comes
