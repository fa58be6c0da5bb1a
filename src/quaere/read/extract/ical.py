"""Calendars (iCalendar, RFC 5545): each event, task or entry of a journal as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.extract.page import broken, empty, make_page, name_of
from quaere.read.extract.records import lines_of
from quaere.read.formats import Format
from quaere.text.clean import clean_line, clean_text, decode

_KINDS = {"VEVENT": "event", "VTODO": "task", "VJOURNAL": "entry"}
_STEPS = {"BEGIN": 1, "END": -1}
"""How far further in each goes."""
_LINE = re.compile(r"([A-Za-z0-9-]{1,60})((?:;(?:[^:\"]|\"[^\"]*\")*+)?):(.*)")
_ZONE = re.compile(r";TZID=\"?([^;:\"]{1,80})", re.IGNORECASE)
_NAMED = re.compile(r";CN=(?:\"([^\"]{1,200})\"|([^;:\"]{1,200}))", re.IGNORECASE)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?")
_OFTEN = re.compile(r"\bFREQ=([A-Z]{5,10})\b")
_EVERY = re.compile(r"\bINTERVAL=(\d{1,4})\b")
_TIMES = re.compile(r"\bCOUNT=(\d{1,6})\b")
_UNTIL = re.compile(r"\bUNTIL=(\d{8})")
_UNITS = {
    "SECONDLY": "seconds",
    "MINUTELY": "minutes",
    "HOURLY": "hours",
    "DAILY": "days",
    "WEEKLY": "weeks",
    "MONTHLY": "months",
    "YEARLY": "years",
}
_DAY_CHARS = len("2025-03-04")
_ESCAPED = re.compile(r"\\([\\;,nN])")
_FOLD = re.compile(rb"\r?\n[ \t]")
_MAX_PEOPLE = 30


class CalendarExtractor:
    """Reads calendars as records are read: "event: Boat day; when: 2025-05-17".

    A page has the fragment ``event=N``, ``task=N`` or ``entry=N``.
    """

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield a page for each entry that says anything.

        Raises:
            ReadError: ``empty`` for a calendar without entries, ``broken`` for what is none.
        """
        # A line may be folded within a character.
        text = decode(_FOLD.sub(b"", body.data), body.content_type)
        if not text.strip():
            raise empty(body)
        if "BEGIN:V" not in text:
            raise broken(body, "is not a calendar; export it again as iCalendar")
        number = 0
        for number, entry in enumerate(_entries(text), 1):
            yield entry.page(body, number)
        if not number:
            raise empty(body, "holds no events")


@dataclass(slots=True)
class _Entry:
    """What an entry of a calendar says."""

    noun: str
    told: dict[str, str] = field(default_factory=dict[str, str])
    people: list[str] = field(default_factory=list[str])

    def add(self, name: str, parameters: str, value: str) -> None:
        """Take a line of the entry."""
        if name in ("ATTENDEE", "ORGANIZER"):
            self._add_person(_person(parameters, value))
        elif name in ("DTSTART", "DTEND", "DUE"):
            zone = _ZONE.search(parameters)
            self.told.setdefault(name, _moment(value, zone[1] if zone else ""))
        else:
            self.told.setdefault(name, _ESCAPED.sub(_unescaped, value).strip())

    def _add_person(self, person: str) -> None:
        if len(self.people) < _MAX_PEOPLE and person not in self.people:
            self.people.append(person)

    def page(self, body: Body, number: int) -> Page:
        """Return its page, as entry ``number`` of the calendar ``body``."""
        told = self.told
        title = clean_line(told.get("SUMMARY", ""))
        fields = [
            (self.noun, title),
            ("when", _span(told.get("DTSTART", ""), told.get("DTEND", ""))),
            ("due", told.get("DUE", "")),
            ("repeats", _repeats(told.get("RRULE", ""))),
            ("where", clean_line(told.get("LOCATION", ""))),
            ("with", clean_line(", ".join(self.people))),
            ("status", told.get("STATUS", "").lower()),
        ]
        facts = "; ".join(f"{name}: {value}" for name, value in fields if value)
        place = f"{self.noun} {number}"
        return make_page(
            body,
            Format.CALENDAR,
            clean_text(f"{facts}\n\n{told.get('DESCRIPTION', '')}".strip()),
            title=title or f"{name_of(body)} {place}",
            fragment=f"{self.noun}={number}",
            marks=(Mark(start=0, label=place),),
            published=_day(told.get("LAST-MODIFIED") or told.get("DTSTAMP", "")),
        )

    @property
    def says_anything(self) -> bool:
        return any(self.told.get(name) for name in ("SUMMARY", "DESCRIPTION", "LOCATION"))


def _entries(text: str) -> Iterator[_Entry]:
    """Yield the entries that say anything."""
    lines = _lines(text)
    for name, _, value in lines:
        if name == "BEGIN" and (kind := _KINDS.get(value.upper())):
            entry = _Entry(kind)
            if _read_to_end(entry, lines) and entry.says_anything:
                yield entry


_Line = tuple[str, str, str]
"""A name, the parameters and the value."""


def _lines(text: str) -> Iterator[_Line]:
    for found in filter(None, map(_LINE.match, lines_of(text))):
        yield found[1].upper(), found[2], found[3].strip()


def _read_to_end(entry: _Entry, lines: Iterator[_Line]) -> bool:
    """Give ``entry`` its ``lines``; False where its end is missing.

    What is within an entry, such as an alarm, is left out.
    """
    depth = 0
    for name, parameters, value in lines:
        if name in _STEPS:
            depth += _STEPS[name]
            if depth < 0:
                return True
        elif not depth:
            entry.add(name, parameters, value)
    return False


def _person(parameters: str, value: str) -> str:
    """Return the name of somebody who takes part, else the address."""
    named = _NAMED.search(parameters)
    return (named[1] or named[2]) if named else re.sub("(?i)^mailto:", "", value)


def _unescaped(found: re.Match[str]) -> str:
    return "\n" if found[1] in "nN" else found[1]


def _moment(value: str, zone: str) -> str:
    """Return a time as "2025-03-04 09:00 UTC", or a day alone; empty for anything else."""
    found = _TIME.match(value)
    if not found:
        return ""
    year, month, day, hour, minute, is_utc = found.groups()
    told = f"{year}-{month}-{day}"
    if hour is None:
        return told
    where = " UTC" if is_utc else f" ({zone})" if zone else ""
    return f"{told} {hour}:{minute}{where}"


def _day(value: str) -> str:
    """Return the day of a time; empty where no calendar has it."""
    day = _moment(value, "")[:_DAY_CHARS]
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        return ""


def _span(begin: str, end: str) -> str:
    """Return from when to when; what ends on the day on which it begins, names that once.

    The end of whole days is the day after the last; some programs write the last itself for one.
    """
    if len(end) == _DAY_CHARS:
        end = max(_day_before(end), begin[:_DAY_CHARS])
    if not begin or not end or end == begin:
        return begin
    return f"{begin} to {end.removeprefix(begin[: _DAY_CHARS + 1])}"


def _day_before(day: str) -> str:
    try:
        return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return ""


def _repeats(rule: str) -> str:
    """Return how often an event is held: "weekly until 2025-06-01", "every 2 weeks, 5 times"."""
    often, until = _OFTEN.search(rule), _UNTIL.search(rule)
    if not often:
        return ""
    every, times = _EVERY.search(rule), _TIMES.search(rule)
    told = _every(often[1], int(every[1]) if every else 1)
    if times:
        told += f", {times[1]} times"
    last = _moment(until[1], "")[:_DAY_CHARS] if until else ""
    return f"{told} until {last}" if last else told


def _every(often: str, count: int) -> str:
    """Return "weekly", or "every 2 weeks" where it is held in one of a ``count`` of them."""
    is_each = count <= 1 or often not in _UNITS
    return often.lower() if is_each else f"every {count} {_UNITS[often]}"
