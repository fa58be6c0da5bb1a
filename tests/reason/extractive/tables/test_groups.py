"""Sums and averages of groups of rows, set against each other."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

FERRIES = read(
    passage_of(
        "ferries.csv",
        piped("""\
line,crossed,sex,late,passengers,fare
North,2024-01-05,male,no,40,9
North,2024-02-06,female,yes,44,11
South,2024-02-07,male,no,90,5
South,2025-01-08,female,no,8,7
East,2025-02-09,male,yes,50,6
East,2025-02-11,female,yes,30,8"""),
    )
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which line has the highest average fare?", "North (average of fare: 10 over 2 of 6"),
        ("Which line has the lowest fare on average?", "South (average of fare: 6 over 2 of 6"),
        ("Which line had the most passengers in total?", "South (sum of passengers: 98 over"),
        # North and East lead by a single crossing less than South does, and East by nothing.
        ("Which sex had the most passengers?", "male (passengers: 90)"),
        ("Which year had the most passengers in total?", "2024 (sum of passengers: 174 over"),
        ("Which month had the highest average fare?", "January 2024 (average of fare: 9 over"),
        ("What is the average fare per line?", "North: 10; South: 6; East: 7 (by line, over 6"),
        ("How many ferries are there by sex?", "male: 3; female: 3 (by sex, over 6 rows"),
        ("Do men or women pay more fare on average?", "female (average of fare: 8.67 against"),
        (
            "Is the average fare of women higher than that of men?",
            "Yes (average of fare: 8.67 against 6.67)",
        ),
        (
            "Do late ferries have a higher average fare than ferries that are not late?",
            "Yes (average of fare: 8.33 against 7)",
        ),
        ("Which month had the most passengers?", "February 2024 (sum of passengers: 134 over"),
        ("Which harbour has the highest average fare?", None),
        ("Which line has the highest average speed?", None),
    ],
)
def test_groups_are_compared_by_what_they_come_to(question: str, text: str | None) -> None:
    found = told(question, FERRIES)
    assert found is None if text is None else (found or "").startswith(text)


def test_no_group_leads_where_two_come_to_the_same() -> None:
    tied = read(passage_of("runs.csv", piped("team,points\nA,3\nA,5\nB,4\nB,4")))
    assert told("Which team has the highest average points?", tied) is None


def test_the_most_of_several_rows_is_their_sum() -> None:
    hours = read(
        passage_of("shifts.csv", piped("shift,owner,hours\n1,Ada,6\n2,Bo,4\n3,Bo,5\n4,Ada,1"))
    )
    assert (told("Which owner has the most hours?", hours) or "").startswith("Bo (sum of hours: 9")
    assert told("Which owner has the highest hours?", hours) == "Ada (hours: 6 h)"
