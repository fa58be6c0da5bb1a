"""What a single cell holds, whatever table it is in."""

from __future__ import annotations

import pytest

from quaere.reason.extractive.tables.cell_values import (
    date_of,
    flag_of,
    is_empty,
    is_year,
    number_of,
    terms_of_cell,
    time_of,
)


@pytest.mark.parametrize("cell", ["", " ", "-", " – ", "—", "n/a", "N/A", "na", "/", "?", "..."])
def test_a_cell_that_says_nothing_is_empty(cell: str) -> None:
    assert is_empty(cell)


@pytest.mark.parametrize("cell", ["0", "no", "-5", "none", "nap", "A"])
def test_a_cell_that_says_anything_is_not_empty(cell: str) -> None:
    assert not is_empty(cell)


@pytest.mark.parametrize(
    ("cell", "flag"),
    [
        *((cell, True) for cell in ("yes", " Yes ", "TRUE", "y", "✓", "✔")),
        *((cell, False) for cell in ("no", "False", "N", "✗", "✘")),
        *((cell, None) for cell in ("", "none", "yes, on Mondays", "0", "-")),
    ],
)
def test_yes_and_no_are_told_from_the_rest(cell: str, flag: bool | None) -> None:
    assert flag_of(cell) is flag


@pytest.mark.parametrize(
    ("cell", "minutes"),
    [
        *(("8:30", 510), ("08:30", 510), ("18:05:59", 1085), ("0:00", 0), ("9.30 pm", 1290)),
        *(("9 am", 540), ("9 p.m.", 1260), ("12 am", 0), ("12 pm", 720), ("12:15 am", 15)),
        *(("18 Uhr", 1080), ("18.30 Uhr", 1110), ("9 o'clock", 540), ("9 o’clock", 540)),
        *(("noon", 720), ("Midday", 720), ("midnight", 1440)),
        *(("9", None), ("9.30", None), ("8:3", None), ("8:30 to 9:30", None), ("at 8:30", None)),
        ("", None),
    ],
)
def test_a_time_of_day_is_told_in_minutes(cell: str, minutes: int | None) -> None:
    assert time_of(cell) == (None if minutes is None else (minutes,))


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        *(("2027-11-04", (2027, 11, 4)), ("4 November 2027", (2027, 11, 4))),
        *(("Thursday, 4 November 2027", (2027, 11, 4)), ("Thu 2027-11-04", (2027, 11, 4))),
        *(("November 2027", (2027, 11, 0)), ("4 November", (0, 11, 4)), ("2027", (2027, 0, 0))),
        *(("2027-11-04 18:00", (2027, 11, 4)), ("2027-11-04T18:00:30Z", (2027, 11, 4))),
        *(("2027-11-04 18:00 to 19:30", (2027, 11, 4)), ("4 May 2027, at 6:00 pm", (2027, 5, 4))),
        *(("November", None), ("3027", None), ("927", None), ("since 2027", None), ("", None)),
        *(("4 to 6 November 2027", None), ("until 4 November 2027", None), ("1990s", None)),
    ],
)
def test_a_cell_that_is_nothing_but_a_date_is_told_by_its_parts(
    cell: str, parts: tuple[int, int, int] | None
) -> None:
    assert date_of(cell) == parts


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        *(("12", 12), ("1,200", 1200), ("€ 12.50", 12.5), ("12 km", 12), ("12 pers", 12)),
        *(("free", 0), ("Free of charge", 0), (" gratis ", 0), ("12 %", 12), ("(12)", 12)),
        *(("about 12", None), ("12 people", None), ("12 to 14", None), ("", None), ("none", None)),
    ],
)
def test_a_cell_that_is_a_number_with_a_short_unit_is_told_by_it(
    cell: str, number: float | None
) -> None:
    found = number_of(cell)
    assert (None if found is None else float(found[0])) == number


def test_a_year_is_between_the_first_and_the_last() -> None:
    assert [year for year in range(3000) if is_year(str(year))] == list(range(1500, 2101))


def test_terms_of_a_cell_are_its_words_where_all_are_stop_words() -> None:
    assert terms_of_cell("A") == {"a"}
    assert terms_of_cell("The mills") == {"mill"}
    assert terms_of_cell("2nd quarter") == terms_of_cell("Q2")
