from __future__ import annotations

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body

from quaere.domain.source import Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.extract.ical import CalendarExtractor
from quaere.read.formats import Format, sniff


def entry(*lines: str, kind: str = "VEVENT") -> str:
    return "\r\n".join([f"BEGIN:{kind}", *lines, f"END:{kind}", ""])


def calendar(*entries: str) -> str:
    zone = entry("TZID:Europe/Oslo", "DTSTART:19701025T030000", kind="VTIMEZONE")
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{zone}{''.join(entries)}END:VCALENDAR\r\n"


class TestCalendarExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> CalendarExtractor:
        return CalendarExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(
            calendar(
                entry("SUMMARY:Ferry", f"DESCRIPTION:{FACT}"),
                entry("SUMMARY:Paint", kind="VTODO"),
            ),
            "a.ics",
        )


def read(*lines: str, kind: str = "VEVENT") -> Page:
    return next(CalendarExtractor().extract(body(calendar(entry(*lines, kind=kind)), "a.ics")))


def test_an_event_tells_when_and_where_it_is_and_with_whom() -> None:
    page = read(
        "DTSTAMP:20250301T080000Z",
        "DTSTART;TZID=Europe/Oslo:20250304T090000",
        "DTEND;TZID=Europe/Oslo:20250304T103000",
        "SUMMARY:Meeting of the board",
        "LOCATION:Town hall\\, room 4",
        'ATTENDEE;CN="Lind: Mara";RSVP=TRUE:mailto:mara@pell.example',
        "ORGANIZER:MAILTO:ole@pell.example",
        "RRULE:FREQ=WEEKLY;UNTIL=20250601T000000Z",
        "STATUS:CONFIRMED",
        "DESCRIPTION:Agenda:\\n1. Dred",
        " ging",
        *("BEGIN:VALARM", "DESCRIPTION:Reminder", "DTSTART:20240101", "END:VALARM"),
    )
    assert page.text == (
        "event: Meeting of the board; when: 2025-03-04 09:00 (Europe/Oslo) to 10:30 (Europe/Oslo);"
        " repeats: weekly until 2025-06-01; where: Town hall, room 4;"
        " with: Lind: Mara, ole@pell.example; status: confirmed\n\nAgenda:\n1. Dredging"
    )
    assert (page.title, page.published) == ("Meeting of the board", "2025-03-01")
    assert page.url.endswith("#event=1")
    assert page.marks[0].label == "event 1"


@pytest.mark.parametrize(
    ("lines", "when"),
    [
        (["DTSTART;VALUE=DATE:20250517", "DTEND;VALUE=DATE:20250518"], "2025-05-17"),
        (["DTSTART;VALUE=DATE:20250517", "DTEND;VALUE=DATE:20250520"], "2025-05-17 to 2025-05-19"),
        (["DTSTART:20250517T090000Z"], "2025-05-17 09:00 UTC"),
        (
            ["DTSTART:20250517T220000", "DTEND:20250518T010000"],
            "2025-05-17 22:00 to 2025-05-18 01:00",
        ),
        (["DTSTART:20259999", "DTEND:00000000"], "2025-99-99"),
    ],
)
def test_a_time_is_told_as_people_write_it(lines: list[str], when: str) -> None:
    assert read("SUMMARY:Boat day", *lines).text == f"event: Boat day; when: {when}"


def test_a_task_tells_when_it_is_due() -> None:
    page = read("SUMMARY:Paint", "DUE;VALUE=DATE:20250517", kind="VTODO")
    assert page.text == "task: Paint; due: 2025-05-17"
    assert page.url.endswith("#task=1")


def test_entries_that_say_nothing_are_left_out() -> None:
    held = calendar(entry("DTSTART:20250517"), entry("SUMMARY:Boat day"))
    assert [page.title for page in CalendarExtractor().extract(body(held, "a.ics"))] == ["Boat day"]


@pytest.mark.parametrize(
    ("text", "status"),
    [(calendar(), ReadStatus.EMPTY), ("Boat day", ReadStatus.BROKEN), (" ", ReadStatus.EMPTY)],
)
def test_what_holds_no_entry_has_a_typed_error(text: str, status: str) -> None:
    pages, error = outcome(CalendarExtractor(), body(text, "a.ics"))
    assert not pages
    assert error is not None
    assert error.status == status


def test_its_name_or_its_first_line_tells_it() -> None:
    assert sniff(b"x", name="a.ics") is Format.CALENDAR
    assert sniff(b"BEGIN:VCALENDAR\r\n", "text/plain") is Format.CALENDAR


def test_a_whole_day_that_ends_on_itself_is_that_day() -> None:
    page = read("SUMMARY:Ferry", "DTSTART;VALUE=DATE:20250517", "DTEND;VALUE=DATE:20250517")
    assert page.text == "event: Ferry; when: 2025-05-17"


def test_an_end_may_be_earlier_by_the_clock_of_its_own_zone() -> None:
    begin = "DTSTART;TZID=America/New_York:20250517T090000"
    page = read("SUMMARY:Flight", begin, "DTEND;TZID=America/Denver:20250517T083000")
    told = "2025-05-17 09:00 (America/New_York) to 08:30 (America/Denver)"
    assert page.text == f"event: Flight; when: {told}"


def test_an_end_without_a_beginning_is_no_time() -> None:
    assert read("SUMMARY:Ferry", "DTEND:20250517T090000Z").text == "event: Ferry"


def test_nothing_is_published_on_a_day_that_no_calendar_has() -> None:
    assert not read("SUMMARY:Ferry", "DTSTAMP:20250230T090000Z").published


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("FREQ=DAILY;INTERVAL=1;COUNT=5", "daily, 5 times"),
        ("FREQ=YEARLY;INTERVAL=4;UNTIL=20400601", "every 4 years until 2040-06-01"),
        ("INTERVAL=30;FREQ=MINUTELY", "every 30 minutes"),
    ],
)
def test_how_often_it_is_held_counts_the_weeks_between(rule: str, told: str) -> None:
    assert read("SUMMARY:Ferry", f"RRULE:{rule}").text == f"event: Ferry; repeats: {told}"


def test_a_line_may_be_folded_within_a_character() -> None:
    data = calendar(entry("SUMMARY:Fähre")).encode().replace(b"\xc3", b"\xc3\r\n ")
    assert next(CalendarExtractor().extract(body(data, "a.ics"))).title == "Fähre"
