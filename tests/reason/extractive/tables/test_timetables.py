"""The times of a timetable, whether its stops are rows or heads."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

_STOPS = """\
Pier,(1),(2),(3)
Orrin quay,06:40,10:15,17:30
Skarrow light,07:05,,17:55
Brell harbour,07:50,11:10,18:40"""
_TRIPS = """\
Boat,Orrin quay,Brell harbour
Auk,06:40,07:50
Eider,10:15,11:10
Grebe,17:30,18:40"""


@pytest.mark.parametrize("rows", [_STOPS, _TRIPS], ids=["stops are rows", "stops are heads"])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the last ferry leave Orrin quay?", "17:30 (Orrin quay)"),
        ("When does the latest ferry leave Orrin quay?", "17:30 (Orrin quay)"),
        ("What time is the first ferry from Brell?", "07:50 (Brell harbour)"),
        ("When does the 10:15 from Orrin quay get to Brell harbour?", "11:10 (Brell harbour)"),
        ("When is the next ferry from Orrin quay after 07:00?", "10:15 (Orrin quay)"),
        ("When is the next ferry from Orrin quay after 19:00?", None),
        ("When does the 10:20 from Orrin quay get to Brell harbour?", None),
        ("When does the last ferry leave Hask?", None),
        ("When does the last ferry to Norway leave Orrin quay?", None),
    ],
)
def test_times_are_found(question: str, answer: str | None, rows: str) -> None:
    assert told(question, read(passage_of("ferries.txt", piped(rows)))) == answer


def test_a_trip_that_does_not_call_has_no_time_there() -> None:
    table = read(passage_of("ferries.txt", piped(_STOPS)))
    assert told("When does the 10:15 from Orrin quay get to Skarrow light?", table) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long does the Auk take?", "1 h 10 min (06:40 to 07:50)"),
        ("How long does the Eider take?", "55 min (10:15 to 11:10)"),
        ("How long does the Grebe take?", "1 h 10 min (23:30 to 00:40)"),
        ("How long does the Skua take?", "2 h (9 am to 11 am)"),
        ("How long does the Heron take?", None),
        ("How long is the Auk?", None),
    ],
)
def test_how_long_it_takes_is_from_one_time_to_the_other(question: str, answer: str | None) -> None:
    rows = (
        "Boat,Departs,Arrives\nAuk,06:40,07:50\nEider,10:15,11:10\nGrebe,23:30,00:40\n"
        "Skua,9 am,11 am"
    )
    assert told(question, read(passage_of("ferries.csv", piped(rows)))) == answer


_TRAMS = """\
Halt,9,9A,9
Orrin quay,07:10,08:00,16:05
Tarn road,07:20,,16:15
Brell,07:40,08:25,16:40"""
TRAMS = read(
    passage_of("trams.md", piped(_TRAMS)).model_copy(update={"headings": "Mondays to Fridays"})
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the last tram leave Tarn road for Brell?", "16:15 (Tarn road)"),
        ("What time does the first tram from Orrin quay get to Tarn road?", "07:20 (Tarn road)"),
        ("When is the last tram from Orrin quay on a weekday?", "16:05 (Orrin quay)"),
        ("When is the last tram from Orrin quay on Sundays?", None),
        ("If I take the 08:00 from Orrin quay, when am I at Brell?", "08:25 (Brell)"),
    ],
)
def test_trips_are_of_two_stops_and_of_the_days_over_them(
    question: str, answer: str | None
) -> None:
    assert told(question, TRAMS) == answer


@pytest.mark.parametrize(
    ("told_of_days", "answer"),
    [
        ({"title": "Trams on weekdays"}, None),
        ({"title": "Trams on Sundays"}, "16:05 (Orrin quay)"),
        ({"beside": "Monday to Friday"}, None),
        ({"beside": "Sundays and holidays"}, "16:05 (Orrin quay)"),
        ({"beside": "There are no trams on Sundays."}, None),
        ({}, None),
    ],
)
def test_a_day_that_is_asked_for_has_to_be_told_over_the_times(
    told_of_days: dict[str, str], answer: str | None
) -> None:
    trams = passage_of("trams.md", piped(_TRAMS)).model_copy(update=told_of_days)
    assert told("When is the last tram from Orrin quay on Sunday?", read(trams)) == answer
