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
