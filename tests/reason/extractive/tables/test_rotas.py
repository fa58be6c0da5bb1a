"""Who is on duty and when, by rotas as people keep them."""

from __future__ import annotations

import re

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables.columns import Table

_PLAN = """\
Name,Mon,Tue,Wed,Thu
Ada,E,E,off,L
Bo,L,N,N,off
Cleo,off,L,E,E"""
_WATCH = """\
Week from,First,Second,Notes
3 March 2025,Ada Finch,Bo Marsh,
10 March 2025,Cleo Hart,Ada Finch,new moon
17 March 2025,Bo Marsh,Cleo Hart,"""
_GUARDS = """\
From,To,Guard
1 June,14 June,Ivy Lamb
15 June,30 June,Bo Marsh"""
KEY = "Lamp room. E = early, L = late (until ten), N = night"


def one(name: str, rows: str, beside: str = "") -> tuple[Table, ...]:
    return read(passage_of(name, piped(rows)).model_copy(update={"beside": beside}))


PLAN, WATCH = one("plan.txt", _PLAN, KEY), one("watch_rota.md", _WATCH)
GUARDS = one("guard_duty.csv", _GUARDS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is off on Monday?", "Cleo"),
        ("Who is working on Wednesday?", "Bo, Cleo"),
        ("Who is not working on Thursday?", "Bo"),
        ("Who is on late on Tuesday?", "Cleo"),
        ("Who works nights on Tuesday?", "Bo"),
        ("How many people work on Monday?", "2"),
        ("Is Cleo working on Monday?", "No"),
        ("What shift does Ada have on Thursday?", "L (late)"),
        ("Who is off on Sunday?", None),
        ("Who is working in Orrin on Monday?", None),
    ],
)
def test_days_head_the_columns(question: str, answer: str | None) -> None:
    found = told(question, PLAN)
    assert (found and re.sub(r" \((?:\d )?of .*", "", found)) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is on duty in the week of 10 March?", "Cleo Hart (First), Ada Finch (Second)"),
        ("Who is on call on 12 March?", "Cleo Hart (First), Ada Finch (Second)"),
        ("Who is second on 23 March 2025?", "Cleo Hart"),
        ("Who is on duty on 24 March?", None),
        ("Who is on duty on 1 March?", None),
        ("When is Cleo Hart first?", "10 March 2025"),
        ("How many times is Ada Finch first?", "1 (of 3 rows of watch_rota.md: 3 March 2025)"),
    ],
)
def test_weeks_are_told_by_the_day_on_which_they_begin(question: str, answer: str | None) -> None:
    assert told(question, WATCH) == answer


@pytest.mark.parametrize(
    ("days", "guard"),
    [
        (("1 March", "2 March", "6 March"), None),
        (("1 March", "3 March", "7 March"), "Bo Marsh"),
        (("2 February", "3 March", "3 April"), "Bo Marsh"),
        (("2 February", "3 March", "4 April"), None),
    ],
)
def test_periods_begin_two_to_thirty_one_days_apart(
    days: tuple[str, str, str], guard: str | None
) -> None:
    guards = zip(days, ("Ivy Lamb", "Bo Marsh", "Cleo Hart"), strict=True)
    rows = "\n".join(["Week from,Guard", *map(",".join, guards)])
    assert told("Who is on duty on 4 March?", one("watch_rota.md", rows)) == guard


def test_a_period_lasts_from_one_day_to_another() -> None:
    assert told("Who is on duty on 20 June?", GUARDS) == "Bo Marsh"
    assert told("Who is on duty on 2 July?", GUARDS) is None


def test_ships_are_nobody_on_duty() -> None:
    ships = one("sailings.csv", _WATCH.replace("First", "Ship").replace("Second", "Port"))
    assert told("Who sails on 10 March?", ships) is None


_HOUSE = """\
Task,Monday,Wednesday,Friday
Bins,Kit,Ama,Kit
Kitchen,Lou,Kit,Ama"""
HOUSE = one("house_chores.md", _HOUSE)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who does the kitchen on Friday?", "Ama"),
        ("Whose turn is it for the bins on Wednesday?", "Ama"),
        ("When does Kit do the bins?", "Monday, Friday"),
        ("On which day does Lou do the kitchen?", "Monday"),
        ("When does Lou do the bins?", None),
        ("When does Kit paint the bins?", None),
    ],
)
def test_tasks_are_rows_and_those_who_do_them_cells(question: str, answer: str | None) -> None:
    assert told(question, HOUSE) == answer


_WEEKS = """\
Week,Mon,Tue,Wed
1,Rae,Rae,Tom
2,Una,Tom,Rae"""


def test_where_rows_are_weeks_nobody_is_called_by_the_first_day() -> None:
    found = told("Who is on duty on Wednesday of week 2?", one("duty.md", _WEEKS))
    assert found is None
