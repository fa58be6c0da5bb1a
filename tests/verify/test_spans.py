"""Days, weeks, months and years that lie between two dates of a source."""

from __future__ import annotations

from time import thread_time

import pytest
from tests.verify.samples import passage, sentence

from quaere.domain.report import Ruling, Support
from quaere.verify.accounted import unaccounted
from quaere.verify.ground import ground
from quaere.verify.repair import verify_sentence
from quaere.verify.second_opinion import apply_rulings
from quaere.verify.spans import is_moved, is_span

ROWS = (
    "ferry: Alma; laid down: 2001-02-03; launched: 2003-03-10; broken up: 2019-05-14",
    "ferry: Brise; laid down: 2004-06-30; launched: 2006-01-02; broken up: 2021-11-01",
    "ferry: Corsa; laid down: 2010-10-10; launched: 2012-12-12",
)
PROSE = (
    "The lock was opened on 4 May 1891.\nIt was closed for repairs from 1 June 1903 to 2 July 1903."
)


def left(text: str, *figures: str, sources: tuple[str, ...] = ROWS) -> tuple[str, ...]:
    return unaccounted(figures, text, sources, [])


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("The Alma took 765 days to build.", ["765 days"]),
        ("The Alma was on the stocks for 109 weeks.", ["109 weeks"]),
        ("The Alma served a good sixteen years and two months.", ["sixteen years", "two months"]),
        ("Her building took 25 months.", ["25 months"]),
        (
            "The Alma took 214 days more than the Brise and 29 fewer than the Corsa.",
            ["214 days", "29"],
        ),
        ("On average the three took 703 days.", ["three", "703 days"]),
        ("Together they took 2,110 days.", ["2,110 days"]),
        ("Der Bau der Alma dauerte 765 Tage.", ["765"]),
    ],
)
def test_what_lies_between_two_dates_of_a_row_is_accounted_for(
    text: str, figures: list[str]
) -> None:
    assert left(text, *figures) == ()


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("The Alma took 765 weeks to build.", "765 weeks"),
        ("The Alma took 756 days to build.", "756 days"),
        ("The Alma served for thirteen years.", "thirteen years"),
        ("The Alma cost 765 crowns.", "765"),
        ("On average the four took 703 days.", "four"),
    ],
)
def test_another_unit_or_another_figure_is_not(text: str, figure: str) -> None:
    assert left(text, figure) == (figure,)


def test_days_of_one_line_and_of_the_sentence_are_counted() -> None:
    closed = "It was closed for 31 days in 1903."
    assert left(closed, "31 days", sources=(PROSE,)) == ()
    apart = "From 4 May 1891 to 1 June 1903 lie 4,410 days."
    assert left(apart, "4,410 days", sources=(PROSE,)) == ()
    assert left("It was first closed after 4,410 days.", "4,410 days", sources=(PROSE,)) != ()


@pytest.mark.parametrize(
    ("text", "figure", "told"),
    [
        ("The Alma takes 85 minutes to Orrin.", "85 minutes", True),
        ("The Alma takes an hour and 25 minutes to Orrin.", "25 minutes", True),
        ("The Alma takes 1 hour and some to Orrin.", "1 hour", True),
        ("The Alma takes 95 minutes to Orrin.", "95 minutes", False),
        ("The Alma takes 5 hours to Orrin.", "5 hours", False),
    ],
)
def test_what_lies_between_two_times_of_day_is_accounted_for(
    text: str, figure: str, *, told: bool
) -> None:
    row = "boat: Alma; leaves Hask: 08:15; arrives at Orrin: 09:40"
    assert left(text, figure, sources=(row,)) == (() if told else (figure,))


@pytest.mark.parametrize(
    ("said", "source", "is_it"),
    [
        ("It ends on 31 August 2027.", "Three years from 1 September 2024.", True),
        ("It ends on 1 September 2027.", "Three years from 1 September 2024.", True),
        ("It ends on 2 September 2027.", "Three years from 1 September 2024.", False),
        ("It ends on 31 August 2028.", "Three years from 1 September 2024.", False),
        ("Fourteen days after that is 17 May 2024.", "It was sent on 3 May 2024.", True),
        ("Fourteen days after that is 18 May 2024.", "It was sent on 3 May 2024.", False),
        ("Two weeks before is 19 April 2024.", "It is due on 3 May 2024.", True),
        ("Two weeks before is 20 April 2024.", "It is due on 3 May 2024.", True),
        ("Two weeks before is 21 April 2024.", "It is due on 3 May 2024.", False),
        ("It ends on 3 January 2025.", "Two months from 3 November 2024.", True),
        ("It began on 3 November 2023.", "Two months up to 3 January 2024.", True),
        ("It ends on 28 February 2025.", "One month from 31 January 2025.", False),
        ("It ends on 29 February 2024.", "Three months from 30 November 2023.", False),
        ("It ends on 28 February 2025.", "One year from 29 February 2024.", False),
        ("It ends on 1 March 2025.", "One month from 31 January 2025.", False),
        ("It ends on 17 May.", "Sent on 3 May 2024; fourteen days.", True),
        ("It ends on 17 May 2024.", "Sent on 3 May; fourteen days. In 2024.", True),
        ("It ends on 17 May 2025.", "Sent on 3 May; fourteen days. In 2024.", False),
        ("It ends on 17 May 2025.", "Sent on 3 May 2024; fourteen days. In 2025.", False),
        ("It ends on 17 May 2024.", "Sent on 3 May 2024.\nFourteen days.", False),
        ("It ends on 17 May 2024.", "Sent in May 2024; fourteen days.", False),
        ("It ends on 3 May 3025.", "Sent on 3 May 2024; 1,001 years.", False),
        ("It began on 3 May 8990.", "Sent on 3 May 9990; 1,000 years.", True),
    ],
)
def test_a_date_is_a_span_after_or_before_a_day(said: str, source: str, *, is_it: bool) -> None:
    claim = ground(said)
    assert any(is_moved(date, claim, (ground(source),)) for date in claim.dates) is is_it


def test_time_is_linear_in_the_lines_of_a_source() -> None:
    rows = ground("\n".join(f"{n % 28 + 1} May {1700 + n % 300}: {n} days" for n in range(6_000)))
    claim = ground("It was closed for 31,000 days, until 3 June 1999.")
    assert len(rows.dates) == len(rows.numbers) == 6_000
    began = thread_time()
    assert not is_span(claim.numbers[0], claim, (rows,))
    assert not is_moved(claim.dates[0], claim, (rows,))
    assert thread_time() - began < 1.0  # in quadratic time five


def test_dates_that_no_calendar_has_are_passed_over() -> None:
    assert left("It took 3 days.", "3 days", sources=("from 2001-02-30 to 2001-02-27",)) != ()


def test_a_model_is_believed_of_days_that_lie_between_two_dates() -> None:
    pool = {1: passage(ROWS[0], title="ferries.csv row 1")}
    for days in ("765", "756"):
        written = verify_sentence(sentence(f"The building of the Alma took {days} days.", 1), pool)
        (ruled,) = apply_rulings([written], {0: Ruling(support=Support.SUPPORTED, evidence=1)})
        holds = ruled.sentence is not None and ruled.sentence.support.holds
        assert holds is (days == "765")
