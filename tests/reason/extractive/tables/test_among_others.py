"""What comes before or after a row that is named, and when nothing does."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read

from quaere.reason.extractive.tables.rows import answer_over_rows, nearly_answered

LOCKS = read(
    passage_of(
        "locks.csv",
        piped("""\
version,name,released,keeper
3,Weir,2019-05-02,Ada Finch
2,Sluice,2016-03-01,Bo Marsh
4,Lasher,2022-09-14,Cleo Hart
1,Paddle,2012-07-30,Ivy Lamb"""),
    )
)
TALKS = read(
    passage_of(
        "talks.csv",
        piped("""\
date,speaker,subject
2 May 2024,Ada Finch,Eels in ditches
6 June 2024,Bo Marsh,Salt marshes
4 July 2024,Cleo Hart,Old dykes"""),
    )
)
GUESTS = read(passage_of("guests.csv", piped("guest,room\nAda Finch,Blue\nBo Marsh,Red")))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What came after Sluice?", "Weir"),
        ("What comes after version 3?", "Lasher"),
        ("Which version came right before Weir?", "Sluice"),
        ("What is the version after Sluice?", "Weir"),
        ("Which versions came after Sluice?", "Weir, Lasher"),
        ("Which version was released after Sluice?", "Weir, Lasher"),
        ("When was the version after Weir released?", "2022-09-14"),
        ("What was before Weir?", "Sluice"),
        ("What came after Lasher?", None),
        ("What came after Spillway?", None),
        ("Which tunnel came after Sluice?", None),
        ("Which lock came after the lock Sluice?", "Weir"),
        ("What came after Sluice and Weir?", None),
        ("Did Weir come after Sluice?", None),
        ("Who keeps Weir?", "Ada Finch"),
    ],
)
def test_what_is_next_to_a_row_is_told_by_dates_however_the_rows_stand(
    question: str, text: str | None
) -> None:
    found = answer_over_rows(question, LOCKS)
    assert (found and found.text) == text


def test_the_row_that_is_named_is_shown_beside_the_one_that_is_told() -> None:
    found = answer_over_rows("What came before Weir?", LOCKS)
    assert found is not None
    assert [line.text for line in found.lines] == [
        "| 2 | Sluice | 2016-03-01 | Bo Marsh |",
        "| 3 | Weir | 2019-05-02 | Ada Finch |",
    ]
    assert "released" in found.columns


def test_a_row_may_be_named_by_its_day() -> None:
    found = answer_over_rows("When is the next talk after 2 May 2024?", TALKS)
    assert found is not None
    assert found.text == "6 June 2024"


def test_a_row_that_comes_after_another_in_no_order_is_not_guessed() -> None:
    question = "Which guest came after Ada Finch?"
    assert answer_over_rows(question, GUESTS) is None
    assert nearly_answered(question, GUESTS) is None


LOANS = read(
    passage_of(
        "Sket Rowers season.csv",
        piped("""\
from,until,name,won
3 May 2024,1 June 2024,Ada Finch,Won
9 May 2024,8 July 2024,Bo Marsh,Won
9 May 2024,2 June 2024,Ivy Lamb,Won
1 June 2024,4 June 2024,Cleo Hart,Won"""),
    )
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who came immediately before Cleo Hart?", "Ivy Lamb"),
        ("Who was the next loan after Bo Marsh?", "Ivy Lamb"),
        ("Who was the previous loan before Bo Marsh?", "Ada Finch"),
        ("Who won right before Bo Marsh?", "Ada Finch"),
    ],
)
def test_rows_in_the_order_of_their_first_dates_are_taken_as_they_stand(
    question: str, text: str
) -> None:
    found = answer_over_rows(question, LOANS)
    assert found is not None
    assert found.text == text


LATEST_FIRST = read(
    passage_of(
        "latest.csv",
        piped("""\
from,until,name
1 June 2024,4 June 2024,Cleo Hart
9 May 2024,2 June 2024,Ivy Lamb
9 May 2024,8 July 2024,Bo Marsh
3 May 2024,1 June 2024,Ada Finch"""),
    )
)
ONE_BEGINNING = read(
    passage_of(
        "one_beginning.csv",
        piped("""\
from,until,name
9 May 2024,4 June 2024,Cleo Hart
9 May 2024,2 June 2024,Ivy Lamb
9 May 2024,8 July 2024,Bo Marsh"""),
    )
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who came immediately before Cleo Hart?", "Ivy Lamb"),
        ("Who came right after Ada Finch?", "Bo Marsh"),
        ("Who was the previous loan before Ada Finch?", None),
    ],
)
def test_rows_with_the_latest_first_are_taken_backwards(question: str, text: str | None) -> None:
    found = answer_over_rows(question, LATEST_FIRST)
    assert (found and found.text) == text


def test_first_dates_that_are_all_the_same_put_rows_in_no_order() -> None:
    found = answer_over_rows("Who came immediately before Bo Marsh?", ONE_BEGINNING)
    assert found is not None
    assert found.text == "Cleo Hart"


KEEPERS = "month,keeper,boats\nJanuary,Ada Finch,3\nFebruary,Bo Marsh,7\nMarch,Ivy Lamb,1"
STEPS = "step,name,minutes\n3,Rinse,4\n1,Soak,9\n2,Scrub,7"
FERRIES = "ferry,pier,leaves\nMorn,North,14:10\nHask,South,09:30\nAlma,West,11:45"
KINGS = """\
king,crowned,died
Alma,2 May 1801,1 June 1830
Hask,4 May 1830,9 July 1844
Morn,8 July 1844,3 March 1850"""


@pytest.mark.parametrize(
    ("rows", "question", "text"),
    [
        (KEEPERS, "Who came after Bo Marsh?", "Ivy Lamb"),
        (KEEPERS, "Which month came after February?", "March"),
        (STEPS, "What comes after Soak?", "Scrub"),
        (STEPS, "Which step comes after Scrub?", "Rinse"),
        (FERRIES, "Which ferry comes after Hask?", "Alma"),
        (KINGS, "When did the king after Alma die?", "9 July 1844"),
        (KINGS, "When was the king after Alma crowned?", "4 May 1830"),
    ],
)
def test_rows_are_in_the_order_of_their_numbers_times_months_or_dates(
    rows: str, question: str, text: str
) -> None:
    found = answer_over_rows(question, read(passage_of("rows.csv", piped(rows))))
    assert found is not None
    assert found.text == text
