"""When, and whether, something is open, as tables of hours tell it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, read

from quaere.reason.extractive.tables.rows import answer_over_rows, nearly_answered

MUSEUM = read(
    passage_of(
        "museum.md",
        "| Day | Galleries | Café |\n"
        "| Monday | closed | closed |\n"
        "| Tuesday | 10:00–13:00, 14:00–17:30 | 9:30–17:00 |\n"
        "| Thursday | 12:00–21:00 | 9:30–20:00 |\n"
        "| Sunday | 10:00–16:00 | – |",
    )
)
WORKSHOP = read(
    passage_of(
        "workshop.md",
        "| Branch | Weekdays | Saturday |\n| Brell | 8am to 5pm | 9am to 12pm |\n"
        "| Orrin | 7.30 – 16.00 | closed |",
    )
)


def told(question: str) -> str | None:
    answer = answer_over_rows(question, [*MUSEUM, *WORKSHOP])
    return answer and answer.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the museum open on Monday?", "No (Galleries: closed; Café: closed)"),
        ("Is the café open on Sundays?", "No (Café: –)"),
        ("Are the galleries open on Thursday evening?", "Yes (Galleries: 12:00–21:00)"),
        ("Are the galleries open on Sunday evening?", "No (Galleries: 10:00–16:00)"),
        (
            "Are the galleries open at 13:30 on Tuesday?",
            "No (Galleries: 10:00–13:00, 14:00–17:30)",
        ),
        (
            "Are the galleries closed at 1:30 pm on Tuesday?",
            "Yes (Galleries: 10:00–13:00, 14:00–17:30)",
        ),
        ("Is the café closed on Tuesday?", "No (Café: 9:30–17:00)"),
        ("Is the kitchen open on Monday?", None),
        ("Is the museum open on Friday?", None),
    ],
)
def test_whether_it_is_open_is_told_of_the_day_and_the_time(
    question: str, answer: str | None
) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("asked", "is_open"),
    [
        ("at 9:59", False),
        ("at 10:00", True),
        ("at 13:00", False),
        ("by 10:00", True),
        ("before 10:00", False),
        ("before 10:01", True),
        ("before noon", None),
        ("after 9:00", True),
        ("after 5 pm", True),
        ("after 17:30", False),
        ("past 17:30", False),
        ("at half past 10", None),
        ("at 2 pm", True),
        ("at 2 am", False),
        ("at 12 p.m.", True),
        ("at 12 a.m.", False),
    ],
)
def test_a_time_is_within_hours_from_the_first_minute_to_before_the_last(
    asked: str, *, is_open: bool | None
) -> None:
    said = told(f"Are the galleries open {asked} on Tuesday?")
    assert (said and said.partition(" ")[0]) == {True: "Yes", False: "No", None: None}[is_open]


@pytest.mark.parametrize(
    ("hours", "asked", "is_open"),
    [
        ("11:30–12:00", "morning", True),
        ("12:00–18:00", "morning", False),
        ("12:00–12:30", "afternoon", True),
        ("17:30–19:00", "afternoon", True),
        ("9:00–12:00", "afternoon", False),
        ("18:00–23:00", "afternoon", False),
        ("9:00–17:00", "evening", False),
        ("9:00–17:30", "evening", True),
        ("9:00–18:00", "night", False),
        ("9:00–18:05", "night", True),
        ("9:00–18:00", "late", False),
        ("9:00–18:05", "late", True),
        ("8:30–17:00", "early", True),
        ("9:00–17:00", "early", False),
        ("20:00–2:00", "at 19:59", False),
        ("20:00–2:00", "at 23:30", True),
        ("20:00–2:00", "night", True),
        ("8 pm to 2 am", "at 11 pm", True),
        ("8 pm to 2 am", "at 11 am", False),
    ],
)
def test_a_part_of_the_day_is_open_where_any_of_it_is(
    hours: str, asked: str, *, is_open: bool
) -> None:
    bar = read(passage_of("bar.md", f"| Day | Bar |\n| Monday | {hours} |\n| Sunday | closed |"))
    answer = answer_over_rows(f"Is the bar open {asked} on Monday?", bar)
    assert answer is not None
    assert answer.text == f"{'Yes' if is_open else 'No'} (Bar: {hours})"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the café open on Thursday?", "9:30 (Café: 9:30–20:00)"),
        ("What time do the galleries close on Tuesday?", None),
        ("How late are the galleries open on Thursday?", "21:00 (Galleries: 12:00–21:00)"),
        ("What hours is Brell open on Saturday?", "9am to 12pm (Saturday)"),
        ("When is Orrin open on Saturday?", "closed"),
    ],
)
def test_when_it_opens_and_closes_is_told(question: str, answer: str | None) -> None:
    if answer is None:
        assert (told(question) or "").startswith("17:30 (")
    else:
        assert told(question) == answer


BRANCHES = read(
    passage_of(
        "branches.md",
        "| Branch | Mon | Thu | Sat |\n| Brell | 9–19 | 9–18 | 10–16 |\n"
        "| Orrin | closed | 13:00–19:00 | 10:00–13:00 |\n| Tarn | 14:00–18:00 | closed | 9:30–12 |",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Tarn open on Thursdays?", "No (Thu: closed)"),
        ("Is Brell open on Monday?", "Yes (Mon: 9–19)"),
        ("What time does Orrin shut on a Saturday?", "13:00 (Sat: 10:00–13:00)"),
        ("Is Brell open on Sunday?", None),
    ],
)
def test_days_may_head_the_columns(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, BRANCHES)
    assert (found and found.text) == answer


def test_dates_and_ages_are_no_hours() -> None:
    tables = read(passage_of("digs.md", "| Dig | Season |\n| Tarn | 2004-09-30 |\n| Fell | 4–15 |"))
    assert answer_over_rows("Is the Tarn open?", tables) is None


def test_a_word_that_no_table_has_leaves_the_answer_unsure() -> None:
    question = "Can grandparents visit the café on Monday?"
    assert told(question) is None
    near = nearly_answered(question, MUSEUM)
    assert near is not None
    assert near.text == "No (Café: closed)"
    assert near.confidence < 0.6
    assert nearly_answered("Is the café open on Monday for Una?", MUSEUM) is None


BATH = read(
    passage_of(
        "bath.md",
        "| Day | Opens | Closes |\n| Mon–Fri | 6:30 | 21:00 |\n| Sat, Sun | 8:00 | 18:00 |",
    )
)
SHOPS = read(
    passage_of(
        "shops.md",
        "| Shop | From | To | Closed on |\n| Hask | 09:00 | 17:30 | Monday |\n"
        "| Orrin | 10:00 | 20:00 | Sunday |",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the bath close on Sunday?", "18:00 (Opens – Closes: 8:00–18:00)"),
        ("When does it open on Wednesday?", "6:30 (Opens – Closes: 6:30–21:00)"),
        ("Is the bath open on Sunday at 7 pm?", "No (Opens – Closes: 8:00–18:00)"),
        ("Is the bath open on Friday at 8 pm?", "Yes (Opens – Closes: 6:30–21:00)"),
        ("What are the opening hours at the weekend?", "8:00–18:00 (Opens – Closes)"),
        ("What are the opening hours of Hask?", "09:00–17:30 (From – To)"),
        ("Is Orrin open at 7pm?", "Yes (From – To: 10:00–20:00)"),
        ("Is Orrin open on Sunday?", None),
    ],
)
def test_hours_may_be_told_in_two_columns(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, BATH) or answer_over_rows(question, SHOPS)
    assert (found and found.text) == answer


LODGE = read(
    passage_of(
        "lodge.md",
        "| Day | opens | closes |\n| Monday | closed | |\n| Tuesday to Friday | 9 am | 6.30 pm |\n"
        "| Saturday | 8 am | noon |\n| Sunday | shut | shut |",
    )
)
OPEN = "Monday: closed, Tuesday to Friday: 9 am–6.30 pm, Saturday: 8 am–noon, Sunday: shut"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does it open on Wednesday?", "9 am (opens – closes: 9 am–6.30 pm)"),
        ("What time does it close on Tuesdays?", "6.30 pm (opens – closes: 9 am–6.30 pm)"),
        ("Is it open on Monday?", "No (opens – closes: closed)"),
        ("Is it closed on Sundays?", "Yes (opens – closes: shut)"),
        ("Is it open at 7 pm on Friday?", "No (opens – closes: 9 am–6.30 pm)"),
        ("How long is it open on Thursdays?", "9 h 30 min (9 am to 6.30 pm)"),
        ("Which days is it open?", "Tuesday to Friday, Saturday"),
        ("When is it closed?", "Monday, Sunday"),
        ("On what days is it shut?", "Monday, Sunday"),
        ("When is it open?", OPEN),
        ("What are the opening hours?", OPEN),
        ("When is it closed for repairs?", None),
        ("When was it opened by Ada Finch?", None),
        ("Which days are cheapest?", None),
    ],
)
def test_days_on_which_it_is_closed_are_told(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, LODGE)
    assert (found and found.text) == answer
    assert not found or {"opens", "closes"} <= found.columns


def test_the_hours_of_a_week_do_not_answer_for_what_the_table_does_not_name() -> None:
    assert nearly_answered("When does the sauna open?", LODGE) is None


def test_both_columns_of_the_hours_are_shown() -> None:
    found = answer_over_rows("Is the bath open on Sunday at 7 pm?", BATH)
    assert found is not None
    assert {"Opens", "Closes"} <= found.columns


CLASSES = read(
    passage_of(
        "classes.md",
        "| Group | Day | Time |\n| Potters | Thursday | 18:30-20:00 |\n"
        "| Weavers | Friday | 9:30-11:00 |",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When do the weavers start?", "Friday, 9:30 (Time: 9:30-11:00)"),
        ("What time do the weavers start?", "9:30 (Time: 9:30-11:00)"),
    ],
)
def test_when_is_told_with_the_day_of_the_week(question: str, answer: str) -> None:
    found = answer_over_rows(question, CLASSES)
    assert (found and found.text) == answer
    assert found is not None
    assert ("Day" in found.columns) is answer.startswith("Friday")
