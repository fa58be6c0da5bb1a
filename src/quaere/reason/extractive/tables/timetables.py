"""Timetables: the first, last or next time of a stop, and when what leaves one is at another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from quaere.domain.report import DirectKind
from quaere.reason.extractive.denials import is_negative
from quaere.reason.extractive.pool import Line
from quaere.reason.extractive.tables.asked import CALCULATED, FOUND, Asked, RowsAnswer
from quaere.reason.extractive.tables.cell_values import Value, minutes_of_day
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import GENERAL, OF_TIME
from quaere.reason.extractive.tables.wording import HALF, Wording
from quaere.reason.extractive.weekdays import days_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stems_of, words

_ASKS = lazy_regex(r"(?i)^(?:[^?]*,)?\W*(?:when|(?:at )?what time)\b")
_AT = lazy_regex(r"(?<![\d:])(\d{1,2})[:.](\d\d)(?![\d:])")
_AFTER = lazy_regex(r"(?i)\b(?:next|after|later than)\b")
_IS_LAST = {"last": True, "latest": True, "first": False, "earliest": False}
"""Words that ask for a trip at either end of the day, and whether for the last one."""
_RIDES = stems_of("""
    bus train tram ferry boat coach service departure arrival flight shuttle one leave leaves depart
    departs arrive arrives get gets reach reaches stop stops call calls go goes set off come comes
    there after next from run runs board catch take takes am morning evening night
""")
"""What is said of any stop of a timetable, and names none."""

_HOW_LONG = lazy_regex(
    r"(?i)^\W*how (?:long|many (?:hours|minutes))\b[^?]*\b(?:takes?|lasts?|journey|open)\b"
)
_ARRIVES = word_set("arrive arrives arriving reach reaches get gets")
_TELLS_HOW_LONG = stems_of("duration minutes hours length")
_BEGINS = stems_of(
    "depart departs departure start starts begin begins open opens from leave leaves"
)
_ENDS = stems_of("arrive arrives arrival end ends finish finishes close closes until to")
_TAKES = word_set("take takes last lasts long journey hours minutes open")
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

    def moments(self) -> list[tuple[Decimal, int]]:
        """Return when each trip is there that stops there, in minutes of the day."""
        return [(value[0], trip) for trip, value in enumerate(self.times) if value is not None]


def asks_for_a_time(text: str) -> bool:
    """Whether ``text`` asks for the first, the last or another time of a timetable."""
    if not _ASKS.match(text):
        return False
    return _AT.search(text) is not None or not _IS_LAST.keys().isdisjoint(words(text))


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
    if not _is_on_its_days(wording, table):
        return None
    stops = _stops(wording, table)
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


def _is_on_its_days(wording: Wording, table: Table) -> bool:
    """Whether ``table`` is of the days that the question names, if it names any."""
    asked = days_in(wording.text)
    if not asked:
        return True
    wording.used.update(at for at in wording.free if days_in(wording.words[at]))
    own = _days_of(table)
    return bool(own) and (asked <= own or own <= asked)


def _days_of(table: Table) -> frozenset[int]:
    """Return the days of the week that ``table`` is of, as what is nearest over it tells them.

    What is denied next to it, "no boats on Sundays", tells none.
    """
    passage = table.pool.passages[table.lines[0].owner]
    beside = "" if is_negative(passage.beside) else passage.beside
    told = map(days_in, (table.pool.headings_over(table.lines[0]), beside, passage.title))
    return next((days for days in told if days), frozenset[int]())


def _stops(wording: Wording, table: Table) -> list[_Stop]:
    """Return the stops that the question names: heads over times, or rows with several times."""
    timed = table.of_type(Type.TIME)
    return [*_stops_of_heads(wording, table, timed)] or [*_stops_of_rows(wording, table, timed)]


def _stops_of_heads(wording: Wording, table: Table, timed: Sequence[Column]) -> Iterator[_Stop]:
    by_head = [(c, wording.heads(c)) for c in timed if wording.share_left(c) >= HALF]
    for column, places in sorted(by_head, key=lambda pair: min(pair[1])):
        wording.used.update(places)
        yield _Stop(column.head, column.values, column.cells, table.lines, min(places))


def _stops_of_rows(wording: Wording, table: Table, timed: Sequence[Column]) -> Iterator[_Stop]:
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
    """Return the stop and the trip that are asked for; None where the question names no such."""
    moment = _moment(wording.text)
    if moment is not None and not _AFTER.search(wording.text):
        return _at_another(stops, moment)
    stop = _start_of(wording, stops)
    if stop is None:
        return None
    trip = _outermost(wording, stop) if moment is None else _next_after(moment, stop)
    return None if trip is None else (stop, trip)


def _start_of(wording: Wording, stops: Sequence[_Stop]) -> _Stop | None:
    """Return the stop of which a time is asked, of two with the trips alone that call at both.

    It is the one that a trip leaves, unless it is asked when one arrives at the other.
    """
    if len(stops) != 2:
        return stops[0] if len(stops) == 1 else None
    start, end = sorted(stops, key=lambda stop: next(filter(None, stop.times), ()))
    asked, other = (end, start) if _ARRIVES.intersection(wording.words) else (start, end)
    both = zip(asked.times, other.times, strict=True)
    return replace(asked, times=tuple(own if also else None for own, also in both))


def _moment(text: str) -> Decimal | None:
    """Return the first time of day that ``text`` names, in minutes; None without one."""
    found = _AT.search(text)
    return minutes_of_day(found[1], found[2]) if found else None


def _outermost(wording: Wording, stop: _Stop) -> int | None:
    """Return the first or the last trip at ``stop``; None where neither, or both, are asked for."""
    asked = [_IS_LAST[word] for word in wording.words if word in _IS_LAST]
    known = stop.moments()
    if len(asked) != 1 or not known:
        return None
    return (max(known) if asked[0] else min(known))[1]


def _next_after(moment: Decimal, stop: _Stop) -> int | None:
    """Return the first trip at ``stop`` that is later than ``moment``."""
    later = [each for each in stop.moments() if each[0] > moment]
    return min(later)[1] if later else None


def _at_another(stops: Sequence[_Stop], moment: Decimal) -> tuple[_Stop, int] | None:
    """Return the second of two stops and the trip that is at the first one at that ``moment``."""
    if len(stops) != 2:
        return None
    start, end = stops
    trips = [trip for trip, value in enumerate(start.times) if value == (moment,)]
    if len(trips) != 1 or end.times[trips[0]] is None:
        return None
    return end, trips[0]


def _is_accounted(wording: Wording, table: Table) -> bool:
    told = table.things | table.beside | GENERAL | OF_TIME | _RIDES
    left = [at for at in wording.free if wording.stems[at] not in told]
    return all(wording.words[at] in _IS_LAST or wording.words[at].isdecimal() for at in left)


def lasting_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return how long the one row of ``text`` lasts, from the time it begins to that it ends.

    None where a column of figures tells that, or more than the row is asked for.

    Raises:
        Undecided: when several rows could be meant.
    """
    times = _begin_and_end(table) if asks_how_long(text) else None
    if times is None:
        return None
    asked = Asked(text, table)
    if len(asked.rows) != 1:
        return None
    (row,) = asked.rows
    asked.by += times
    asked.wording.used.update(at for at, word in enumerate(asked.wording.words) if word in _TAKES)
    start, end = (column.values[row] for column in times)
    if start is None or end is None or not asked.is_accounted():
        return None
    span = _span(int(end[0] - start[0]) % _DAY)
    answer = f"{span} ({times[0].cells[row]} to {times[1].cells[row]})"
    return asked.answered(DirectKind.NUMBER, answer, [row], CALCULATED)


def _begin_and_end(table: Table) -> tuple[Column, Column] | None:
    """Return the columns that tell when rows begin and end; None where another tells how long."""
    times = table.of_type(Type.TIME)
    is_told = any(
        not _TELLS_HOW_LONG.isdisjoint(column.alike) for column in table.of_type(Type.NUMBER)
    )
    if len(times) != 2 or is_told:
        return None
    begin, end = times
    is_so = not _BEGINS.isdisjoint(begin.alike) and not _ENDS.isdisjoint(end.alike)
    return (begin, end) if is_so else None


def _span(minutes: int) -> str:
    """Return so many ``minutes`` as they are told: "1 h 05 min"."""
    hours, rest = divmod(minutes, 60)
    return " ".join(
        [f"{hours} h"] * bool(hours) + [f"{rest:02} min" if hours else f"{rest} min"] * bool(rest)
    )
