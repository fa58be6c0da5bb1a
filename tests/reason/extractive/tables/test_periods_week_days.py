"""Days of the week that a cell lists."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, read

from quaere.reason.extractive.tables.periods import week_days_of
from quaere.reason.extractive.tables.rows import answer_over_rows

COACHES = read(
    passage_of(
        "coaches.md",
        "| Coach | Runs to | Days |\n| A | Brell | Mon–Fri |\n| B | Orrin | daily |\n"
        "| C | Tarn | Sat, Sun |\n| D | Skarrow | Tues & Fri |\n| E | Fell | Saturday |",
    )
)


@pytest.mark.parametrize(
    ("cell", "days"),
    [
        ("Mon–Fri", {0, 1, 2, 3, 4}),
        ("Mo-We", {0, 1, 2}),
        ("Sat, Sun", {5, 6}),
        ("every day", set(range(7))),
        ("weekends", {5, 6}),
        ("Sunny Lane", set[int]()),
    ],
)
def test_the_days_of_a_cell_are_read(cell: str, days: set[int]) -> None:
    assert week_days_of(cell) == days


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which coaches run on Sundays?", "B, C (2 of 5 rows of coaches.md)"),
        (
            "Which coaches run on Tuesday?",
            "A, B, D (3 of 5 rows of coaches.md)",
        ),
        (
            "Which coaches do not run on Saturdays?",
            "A, D (2 of 5 rows of coaches.md)",
        ),
        ("Which coaches run only on Saturday?", "E (1 of 5 rows of coaches.md)"),
        (
            "How many coaches run on Fridays?",
            "3 (of 5 rows of coaches.md: A, B, D)",
        ),
        ("Does coach C run on Mondays?", "No"),
        ("Does the coach to Skarrow run on Fridays?", "Yes"),
        ("Which ferries run on Sundays?", None),
        (
            "Which coach goes to Skarrow and on which days?",
            "D (1 of 5 rows of coaches.md), Tues & Fri",
        ),
    ],
)
def test_rows_are_chosen_by_their_days(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, COACHES)
    assert (found and found.text) == answer


ROTA = read(
    passage_of(
        "plan.md",
        "| Name | Mon | Tue | Wed |\n| Ada | E | E | off |\n| Bo | L | N | N |\n| Cleo | | L | E |",
    )
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is off on Monday?", "Cleo"),
        ("Who is off on Wednesday?", "Ada"),
        ("Who is not off on Monday?", "Ada, Bo"),
        ("Who is working on Wednesday?", "Bo, Cleo"),
    ],
)
def test_a_cell_under_a_day_says_who_is_on_duty(question: str, names: str) -> None:
    found = answer_over_rows(question, ROTA)
    assert (found and found.text.partition(" (")[0]) == names


def test_two_columns_of_days_decide_nothing_where_no_day_is_asked_for() -> None:
    rows = "| Shop | Open | Deliveries | Town |\n| Quay | Mon-Fri | Mon, Wed | Orrin |\n"
    rows += "| Mill | Tue-Sat | Thu, Fri | Brell |"
    found = answer_over_rows("Which shop is in Brell?", read(passage_of("shops.md", rows)))
    assert found is not None
    assert found.text.startswith("Mill")


WALKS = read(
    passage_of(
        "walks.md",
        "| Day | From | To | Distance | Night |\n| Sunday 6 June | Vell | Orrin | 9 km | inn |\n"
        "| Monday 7 June | Orrin | Tarn | 14 km | hut |\n| Tuesday 8 June | rest day | | | hut |",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long is the walk on Monday?", "14 km"),
        ("How far is it on Sunday?", "9 km"),
        ("Where do we sleep on Monday?", "hut"),
        ("Which day is the longest?", "Monday 7 June (Distance: 14 km; 1 of 3 rows have none)"),
        ("Which is the shortest day?", "Sunday 6 June (Distance: 9 km; 1 of 3 rows have none)"),
        ("How long is the walk on Friday?", None),
    ],
)
def test_a_day_of_the_week_names_the_row_of_its_date(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, WALKS)
    assert (found and found.text) == answer
