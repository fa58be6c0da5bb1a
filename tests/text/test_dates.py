"""One date for one day, whatever its spelling."""

from __future__ import annotations

import datetime as dt
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.odd_text import TEXTS

from quaere.text.dates import (
    LONGEST_KEPT,
    Date,
    agrees,
    dates,
    entails,
    first_and_last_day,
    months_of,
    tells_a_life,
    years_in,
)
from quaere.text.languages.language import languages, speaking
from quaere.text.lexicon import MONTHS

Parts = tuple[int | None, int | None, int | None]

DATES = st.builds(
    Date,
    st.none() | st.integers(-50, 50),
    st.none() | st.integers(1, 3),
    st.none() | st.integers(1, 3),
    st.just(0),
    st.just(1),
    st.sampled_from([1, 10, 100]),
)


def read(text: str) -> list[Parts]:
    return [(date.year, date.month, date.day) for date in dates(text)]


def date(text: str) -> Date:
    (only,) = dates(text)
    return only


@given(TEXTS)
def test_dates_are_in_order_in_bounds_and_apart(text: str) -> None:
    end = 0
    for one in dates(text):
        assert end <= one.start < one.end <= len(text)
        assert one.month is None or 1 <= one.month <= 12
        assert one.day is None or 1 <= one.day <= 31
        end = one.end


@given(st.dates(dt.date(1000, 1, 1), dt.date(2099, 12, 31)))
def test_spelling_makes_no_difference(day: dt.date) -> None:
    month = MONTHS[day.month - 1].capitalize()
    for written in (
        f"{day.isoformat()}",
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{month[:3]} {day.day}, {day.year}",
        f"the {day.day}th of {month} {day.year}",
        f"{month.upper()} {day.day}, {day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ):
        assert read(f"It came on {written}, at last.") == [(day.year, day.month, day.day)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in May 2004", [(2004, 5, None)]),
        ("May, 2004", [(2004, 5, None)]),
        ("2004-11", [(2004, 11, None)]),
        ("on 4 July", [(None, 7, 4)]),
        ("July 4", [(None, 7, 4)]),
        ("since March", [(None, 3, None)]),
        ("in 1850", [(1850, None, None)]),
        ("(1340)", [(1340, None, None)]),
        ("in 970, he", [(970, None, None)]),
        ("44 BC", [(-44, None, None)]),
        ("15 March 44 BC", [(-44, 3, 15)]),
        ("AD 79, 79 CE", [(79, None, None), (79, None, None)]),
        ("13/2/2004, 2/13/2004", [(2004, 2, 13), (2004, 2, 13)]),
        ("1/2/2004", [(2004, None, None)]),
        ("12/11/2004, 11-12-2004", [(2004, None, None)] * 2),
        ("13/12/2004, 12/13/2004", [(2004, 12, 13), (2004, 12, 13)]),
        ("5/5/2004, 12/12/2004", [(2004, 5, 5), (2004, 12, 12)]),
        ("13/13/2004, 32.1.2004, 1.13.2004, 0.5.2004, 5.0.2004", []),
        ("1.12.2004, 31.1.2004", [(2004, 12, 1), (2004, 1, 31)]),
        ("4 july 2004", [(2004, 7, 4)]),
        ("15 March 44 B.C., 10 CE", [(-44, 3, 15), (10, None, None)]),
        ("by August", [(None, 8, None)]),
        ("2004-05-01T12:00:00Z", [(2004, 5, 1)]),
    ],
)
def test_parts_of_a_date(text: str, expected: list[Parts]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1914–1918", [(1914, None, None), (1918, None, None)]),
        ("1998-99", [(1998, None, None), (1999, None, None)]),
        ("2004-05", [(2004, None, None), (2005, None, None)]),
        ("2004-12", [(2004, 12, None)]),
        ("2004-01", [(2004, 1, None)]),
        ("2004-13", [(2004, None, None), (2013, None, None)]),
        ("2004/06", [(2004, None, None), (2006, None, None)]),
        ("1999-2000", [(1999, None, None), (2000, None, None)]),
        ("1914–14", [(1914, None, None)]),
        ("1914–12", [(1914, None, None)]),
        ("1898–1902", [(1898, None, None), (1902, None, None)]),
        ("1998-00", [(1998, None, None)]),
        ("from 1914 to 1918", [(1914, None, None), (1918, None, None)]),
        ("1–3 May 2004", [(2004, 5, 1), (2004, 5, 3)]),
        ("May 1–3, 2004", [(2004, 5, 1), (2004, 5, 3)]),
        ("3 April 1600 – 23 June 1680", [(1600, 4, 3), (1680, 6, 23)]),
    ],
)
def test_a_range_is_two_dates(text: str, expected: list[Parts]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "year", "years"),
    [
        ("the 1990s", 1990, 10),
        ("the '90s", 1990, 10),
        ("the 1900s", 1900, 100),
        ("the 2000s", 2000, 10),
        ("the 2010s", 2010, 10),
        ("the 1800s", 1800, 100),
        ("the 21st century", 2000, 100),
        ("the first century", 0, 100),
        ("the 1st century BC", -100, 100),
        ("the 19th century", 1800, 100),
        ("nineteenth-century lamps", 1800, 100),
        ("the 5th century BC", -500, 100),
    ],
)
def test_decades_and_centuries(text: str, year: int, years: int) -> None:
    one = date(text)
    assert (one.year, one.month, one.day, one.years) == (year, None, None, years)


@pytest.mark.parametrize(
    "text",
    [
        *["", "1800 men", "1,850", "$2004", "2004.5", "2004 km", "1984%", "12:30", "1.2.3", "3014"],
        *["1500 of them", "may 1 come", "they march 5", "room 850"],
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("a", "b", "agree"),
    [
        ("1 May 2004", "May 1, 2004", True),
        ("1 May 2004", "in May 2004", True),
        ("1 May 2004", "in 2004", True),
        ("1 May", "2004-05-01", True),
        ("in 1994", "the 1990s", True),
        ("the 1990s", "the 20th century", True),
        ("1 May 2004", "2 May 2004", False),
        ("1 May 2004", "1 June 2004", False),
        ("in 2004", "in 2005", False),
        ("in 2004", "the 1990s", False),
        ("44 BC", "AD 44", False),
    ],
)
def test_dates_agree_as_far_as_both_are_told(a: str, b: str, agree: bool) -> None:
    assert agrees(date(a), date(b)) is agree


@pytest.mark.parametrize(
    ("source", "claim", "holds"),
    [
        ("1 May 2004", "in 2004", True),
        ("in 2004", "1 May 2004", False),
        ("in 1994", "the 1990s", True),
        ("the 1990s", "in 1994", False),
        ("1 May", "in 2004", False),
        ("in 2004", "in 2005", False),
        ("1 May 2004", "4 May", False),
    ],
)
def test_what_a_source_says_of_a_claim(source: str, claim: str, holds: bool) -> None:
    assert entails(date(source), date(claim)) is holds


@given(DATES, DATES)
def test_what_entails_agrees_and_agreement_is_mutual(a: Date, b: Date) -> None:
    assert agrees(a, b) == agrees(b, a)
    assert agrees(a, a)
    assert entails(a, a)
    assert agrees(a, b) or not entails(a, b)


@given(DATES, DATES, DATES)
def test_entailment_is_passed_on(a: Date, b: Date, c: Date) -> None:
    assert entails(a, c) or not (entails(a, b) and entails(b, c))


def test_offsets_lead_back_to_the_text() -> None:
    text = "It stood from 1914–18, until 1 May 2004."
    assert [text[d.start : d.end] for d in dates(text)] == ["1914", "18", "1 May 2004"]


@given(st.dates())
def test_a_day_begins_and_ends_with_itself_and_lies_in_its_month_and_year(day: dt.date) -> None:
    assert first_and_last_day(day.year, day.month, day.day) == (day, day)
    first, last = first_and_last_day(day.year, day.month)
    assert (first.day, first <= day <= last) == (1, True)
    assert (last + dt.timedelta(days=1)).day == 1 if last < dt.date.max else last.day == 31
    assert first_and_last_day(day.year) == (dt.date(day.year, 1, 1), dt.date(day.year, 12, 31))


def test_a_day_that_no_calendar_has_is_refused() -> None:
    with pytest.raises(ValueError, match="day"):
        first_and_last_day(2023, 2, 29)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("the nineteen twenties", 1920),
        ("the eighteen sixties", 1860),
        ("the Nineteen-nineties", 1990),
    ],
)
def test_a_decade_in_words_has_its_century(text: str, year: int) -> None:
    assert (date(text).year, date(text).years) == (year, 10)


@pytest.mark.parametrize(
    ("head", "years"),
    [
        ("Year ended December 31, 2023", {2023}),
        ("31.12.2021", {2021}),
        ("31/12/21", {2021}),
        ("Jun-22", {2022}),
        ("FY2023", {2023}),
        ("FY’23", {2023}),
        ("2019/20", {2020}),
        ("2019–2020", {2019, 2020}),
        ("2022 vs 2021", {2021, 2022}),
        ("Dec. 31", set[int]()),
        ("2,021", set[int]()),
        ("12021", set[int]()),
        ("Berth 23", set[int]()),
    ],
)
def test_years_of_every_form(head: str, years: set[int]) -> None:
    assert years_in(head) == years


def test_months_are_named_alone_and_in_dates() -> None:
    assert months_of("The fee from September is that of 3 May.") == {5, 9}
    assert months_of("March on, you may go in 2031.") == frozenset()


@pytest.mark.parametrize("text", ["紀元前3世紀", "0世紀", "〇〇〇〇年"])
def test_what_is_no_date_after_christ_is_none(text: str) -> None:
    with speaking(languages()["ja"]):
        assert list(dates(text)) == []


@pytest.mark.parametrize(
    ("language", "text", "years"),
    [
        ("de", "Er wurde im Jahr 1402 geboren und zog um 1423 nach Ulm.", [1402, 1423]),
        ("de", "Um 1200 Euro wurde gestritten.", []),
        ("fr", "Né en 1402 à Lyon ; payé en 1200 livres.", [1402]),
        ("es", "Nació en 1402 en Ávila.", [1402]),
        ("it", "Nacque nel 1402 e morì nel 1467.", [1402, 1467]),
        ("pt", "Nasceu em 1402.", [1402]),
        ("nl", "Sinds 1402 is het een stad.", [1402]),
    ],
)
def test_an_early_year_is_told_by_what_is_before_it(
    language: str, text: str, years: list[int]
) -> None:
    with speaking(languages()[language]):
        assert [date.year for date in dates(text)] == years


def test_a_bracket_without_an_end_takes_no_longer_than_its_line() -> None:
    began = time.monotonic()
    assert not tells_a_life("(*Ab cd 1874 † " + "1234 " * 40_000)
    assert time.monotonic() - began < 2


def test_a_sentence_is_read_once_and_a_page_is_not_remembered() -> None:
    said = "The mill at Orrin opened on 3 May 1871."
    first = dates(said)
    assert dates(said)[0] is first[0]
    first.clear()
    assert len(dates(said)) == 1
    page = said.ljust(LONGEST_KEPT + 1)
    assert dates(page) == dates(said)
    assert dates(page)[0] is not dates(page)[0]
