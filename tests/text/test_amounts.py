"""Amounts in other units, in words, and for a span of time."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.timing import cpu_s
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.text.amounts import has_other_span, has_other_unit, in_unit, rates, worded_amounts
from quaere.text.languages.language import language_of, speaking
from quaere.verify.support import weigh


@pytest.mark.parametrize(
    ("value", "unit", "other", "told"),
    [
        ("40", "km", "m", "40000"),
        ("90", "min", "h", "1.5"),
        ("2", "ft", "cm", "60.96"),
        ("3", "yr", "mo", "36"),
        ("12", "furlong", "furlong", "12"),
        ("1", "km", "kg", None),
        ("1", "mo", "d", None),
        ("1", "furlong", "m", None),
        ("12", "km", "nm", None),
    ],
)
def test_an_amount_is_told_in_another_unit_of_its_kind(
    value: str, unit: str, other: str, told: str | None
) -> None:
    assert in_unit(Decimal(value), unit, other) == (told and Decimal(told))


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("The pool costs 12 euros per week.", {"wk"}),
        ("It is cleaned three times a month.", {"mo"}),
        ("A yearly ticket is 390 euros, a weekly one 12.", {"yr", "wk"}),
        ("The week was long.", set[str]()),
    ],
)
def test_a_statement_tells_its_spans(text: str, spans: set[str]) -> None:
    assert rates(text) == spans


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("How much is the pool a year?", "The pool costs 12 euros per week.", True),
        ("How much is the pool a week?", "The pool costs 12 euros per week.", False),
        ("How much is the pool a year?", "It costs 12 euros per week and 390 per year.", False),
        ("How much is the pool?", "The pool costs 12 euros per week.", False),
        ("How long is a day?", "A day has 24 hours.", False),
        ("Was kostet das Bad pro Jahr?", "Das Bad kostet 12 Euro pro Woche.", True),
        ("Was kostet das Bad pro Jahr?", "Das Bad kostet 390 Euro pro Jahr.", False),
    ],
)
def test_a_question_for_one_span_is_not_answered_by_another(
    question: str, told: str, *, other: bool
) -> None:
    with speaking(language_of(question)):
        assert has_other_span(question, told) is other


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


@given(st.integers(0, 23), st.integers(0, 59))
@example(0, 0)
@example(12, 0)
@example(23, 59)
def test_a_time_of_day_is_the_same_by_either_clock(hour: int, minute: int) -> None:
    half = "p.m." if hour >= 12 else "a.m."
    by_halves = f"It leaves at {hour % 12 or 12}:{minute:02} {half}"
    by_day = f"It leaves at {hour}:{minute:02}"
    told = [[amount.value for amount in worded_amounts(text)] for text in (by_halves, by_day)]
    assert told == [[60 * hour + minute]] * 2


@given(st.integers(1, 99), st.integers(1, 99))
def test_so_many_out_of_so_many_are_a_share(some: int, of: int) -> None:
    written = [*worded_amounts(f"{some} out of {of} boats"), *worded_amounts(f"{some}/{of}")]
    assert [amount.unit for amount in written] == ["%", "%"]
    assert all(round(amount.value * of, 9) == 100 * some for amount in written)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("half", "50", "%"),
        ("three halves", "150", "%"),
        ("a third", "33.3333", "%"),
        ("two fifths", "40", "%"),
        ("a tenth", "10", "%"),
        ("a sixth", "16.6667", "%"),
        ("a seventh", "14.2857", "%"),
        ("an eighth", "12.5", "%"),
        ("a ninth", "11.1111", "%"),
        ("a twelfth", "8.3333", "%"),
        ("a twentieth", "5", "%"),
        ("a fiftieth", "2", "%"),
        ("two hundredths", "2", "%"),
        ("two thousandths", "0.2", "%"),
        ("one in thirty", "3.3333", "%"),
        ("one in a hundred", "1", "%"),
        ("one in hundred", "1", "%"),
        ("one in a thousand", "0.1", "%"),
        ("one in thousand", "0.1", "%"),
        ("1/0", "0", "%"),
        ("half a dozen", "6", ""),
        ("half a hundred", "50", ""),
        ("half a thousand", "500", ""),
        ("half a million", "500000", ""),
        ("two fortnights", "28", "d"),
        ("three decades", "30", "yr"),
        ("two-century", "200", "yr"),
        ("midnight", "0", "clock"),
        ("noon", "720", "clock"),
        ("12 am", "0", "clock"),
        ("12:30 p.m", "750", "clock"),
        ("1 am", "60", "clock"),
        ("23:59", "1439", "clock"),
        ("two weeks and a half", "2.5", "wk"),
    ],
)
def test_each_amount_has_its_value_and_unit(text: str, value: str, unit: str) -> None:
    (found,) = worded_amounts(f"It was {text}.")
    assert found.value == pytest.approx(Decimal(value), abs=Decimal("0.0001"))
    assert found.unit == unit


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("What do I get after three years?", "Ask three months before.", True),
        ("What do I get after three years?", "After three years, and three months before.", False),
        ("What do I get after three years?", "After two months.", False),
        ("What do I get?", "Three months.", False),
    ],
)
def test_a_figure_of_another_unit_is_another_amount(
    question: str, told: str, *, other: bool
) -> None:
    assert has_other_unit(question, told) is other


def test_pounds_are_no_other_unit_of_a_sum_of_money() -> None:
    assert not has_other_unit("What does the 20 pound ticket cover?", "The £20 ticket covers tea.")


@pytest.mark.parametrize("unit", ["a", "1", "1,"])
@pytest.mark.parametrize("code", ["en", "de", "es"])
def test_a_rate_is_looked_for_in_no_more_time_than_the_text_is_long(unit: str, code: str) -> None:
    with speaking(language_of(code)):
        assert cpu_s(lambda: rates(unit * 10_000), enough_s=0.6) < 0.6
