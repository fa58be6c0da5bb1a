"""Timetables: the first, last or next time of a stop, and when what leaves one is at another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from quaere.domain.report import DirectKind
from quaere.reason.extractive.pool import Line
from quaere.reason.extractive.tables.asked import CALCULATED, FOUND, Asked, RowsAnswer
from quaere.reason.extractive.tables.columns import Table, Type, Value
from quaere.reason.extractive.tables.lexicon import GENERAL, OF_TIME, stems_of
from quaere.reason.extractive.tables.wording import HALF, Wording
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import words

_ASKS = lazy_regex(r"(?i)^\W*(?:when|(?:at )?what time)\b")
_AT = lazy_regex(r"(?<![\d:])(\d{1,2})[:.](\d\d)(?![\d:])")
_AFTER = lazy_regex(r"(?i)\b(?:next|after|later than)\b")
_ENDS = {"last": True, "latest": True, "first": False, "earliest": False}
_RIDES = stems_of("""
    bus train tram ferry boat coach service departure arrival flight shuttle one leave leaves depart
    departs arrive arrives get gets reach reaches stop stops call calls go goes set off come comes
    there after next from run runs board catch morning evening night
""")

_HOW_LONG = lazy_regex(
    r"(?i)^\W*how (?:long|many (?:hours|minutes))\b[^?]*\b(?:takes?|lasts?|journey|open)\b"
)
_LASTS = stems_of("duration minutes hours length")
_BEGINS = stems_of(
    "depart departs departure start starts begin begins open opens from leave leaves"
)
_ENDS_HEADS = stems_of("arrive arrives arrival end ends finish finishes close closes until to")
_TAKES = frozenset(
    {"take", "takes", "last", "lasts", "long", "journey", "hours", "minutes", "open"}
)
_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class _Stop:
    """The times of one stop, in the order of the trips, with the line of each."""

    name: str
    times: tuple[Value | None, ...]
    cells: tuple[str, ...]
    lines: tuple[Line, ...]
    at: int
    """Where the question names it."""


def asks_for_a_time(text: str) -> bool:
    """Whether ``text`` asks for the first, the last or another time of a timetable."""
    if not _ASKS.match(text):
        return False
    return _AT.search(text) is not None or not _ENDS.keys().isdisjoint(words(text))


def asks_how_long(text: str) -> bool:
    """Whether ``text`` may ask how long it is from one time of a row to another."""
    return _HOW_LONG.match(text) is not None


def time_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return the time that ``text`` asks for in a timetable; None where ``table`` is none.

    Raises:
        Undecided: when several stops could be meant.
    """
    if not asks_for_a_time(text) or sum(c.type is Type.TIME for c in table.columns) < 2:
        return None
    wording = Wording(text, table)
    stops = list(_stops(wording, table))
    told = _asked_of(wording, stops)
    if told is None or not _is_accounted(wording, table):
        return None
    stop, trip = told
    return RowsAnswer(
        kind=DirectKind.DATE,
        text=f"{stop.cells[trip]} ({stop.name})",
        table=table,
        lines=(stop.lines[trip],),
        columns=frozenset(column.head for column in table.columns),
        confidence=FOUND,
        fit=len(wording.used),
    )


def _stops(wording: Wording, table: Table) -> Iterator[_Stop]:
    """Yield the stops that the question names: rows with several times, or heads over times."""
    timed = [column for column in table.columns if column.type is Type.TIME]
    by_head = [(c, wording.heads(c)) for c in timed if wording.share_left(c) >= HALF]
    for column, places in sorted(by_head, key=lambda pair: min(pair[1])):
        wording.used.update(places)
        yield _Stop(column.head, column.values, column.cells, table.lines, min(places))
    if by_head:
        return
    for row, at in _rows_named(wording, table):
        yield _Stop(
            table.called(row),
            tuple(column.values[row] for column in timed),
            tuple(column.cells[row] for column in timed),
            (table.lines[row],) * len(timed),
            at,
        )


def _rows_named(wording: Wording, table: Table) -> list[tuple[int, int]]:
    """Return the rows that the question names, each with where, in its order.

    A row is named by all words of its name, or by such as no other row has.
    """
    terms_of = table.key.terms
    counts = Counter(term for terms in terms_of for term in terms)
    found: list[tuple[int, int]] = []
    for row, terms in enumerate(terms_of):
        places = [at for at in wording.free if wording.stems[at] in terms]
        said = {wording.stems[at] for at in places}
        if places and (said >= terms or any(counts[own] == 1 for own in said)):
            wording.used.update(places)
            found.append((row, min(places)))
    return sorted(found, key=lambda pair: pair[1])


def _asked_of(wording: Wording, stops: Sequence[_Stop]) -> tuple[_Stop, int] | None:
    """Return the stop and the trip that are asked for."""
    if not stops:
        return None
    told = _AT.search(wording.text)
    moment = Decimal(60 * int(told[1]) + int(told[2])) if told else None
    if moment is not None and not _AFTER.search(wording.text):
        return _at_another(stops, moment) if len(stops) == 2 else None
    if len(stops) != 1:
        return None
    known = [(v[0], trip) for trip, v in enumerate(stops[0].times) if v is not None]
    known = [pair for pair in known if moment is None or pair[0] > moment]
    if not known:
        return None
    if moment is not None:
        return stops[0], min(known)[1]
    ends = [_ENDS[word] for word in wording.words if word in _ENDS]
    return (stops[0], (max if ends[0] else min)(known)[1]) if len(ends) == 1 else None


def _at_another(stops: Sequence[_Stop], moment: Decimal) -> tuple[_Stop, int] | None:
    """Return the second stop and the trip that is at the first one at that ``moment``."""
    start, end = stops
    trips = [trip for trip, value in enumerate(start.times) if value == (moment,)]
    if len(trips) != 1 or end.times[trips[0]] is None:
        return None
    return end, trips[0]


def _is_accounted(wording: Wording, table: Table) -> bool:
    told = table.things | table.beside | GENERAL | OF_TIME | _RIDES
    left = [at for at in wording.free if wording.stems[at] not in told]
    return all(wording.words[at] in _ENDS or wording.words[at].isdecimal() for at in left)


def lasting_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return how long the one row of ``text`` lasts, from the time it begins to that it ends.

    None where a column of figures tells that, or more than the row is asked for.

    Raises:
        Undecided: when several rows could be meant.
    """
    times = table.of_type(Type.TIME)
    if not asks_how_long(text) or len(times) != 2:
        return None
    asked = Asked(text, table)
    told = any(not _LASTS.isdisjoint(column.alike) for column in table.of_type(Type.NUMBER))
    begins = not _BEGINS.isdisjoint(times[0].alike) and not _ENDS_HEADS.isdisjoint(times[1].alike)
    if told or not begins or len(asked.rows) != 1:
        return None
    start, end = (column.values[asked.rows[0]] for column in times)
    asked.by += times
    asked.wording.used.update(at for at, word in enumerate(asked.wording.words) if word in _TAKES)
    if start is None or end is None or not asked.is_accounted():
        return None
    minutes = int(end[0] - start[0]) % _DAY
    span = f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"
    row = asked.rows[0]
    text = f"{span} ({times[0].cells[row]} to {times[1].cells[row]})"
    return asked.answered(DirectKind.NUMBER, text, [row], CALCULATED)
