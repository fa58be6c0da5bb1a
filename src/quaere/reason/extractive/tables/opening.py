"""Tables of when something is open: their cells are hours, or say that it is closed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from quaere.domain.report import DirectKind
from quaere.reason.extractive.questions.kinds import Kind
from quaere.reason.extractive.tables.asked import FOUND, Asked, RowsAnswer, listing, tells_days
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.periods import listed_days
from quaere.reason.extractive.tables.wording import Condition, Wording
from quaere.reason.extractive.weekdays import HOUR, HOUR_PARTS, minutes
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stems_of, words

_HOURS = lazy_regex(rf"(?i)(?<![\d.:/-]){HOUR}\s*(?:-|–|—|\bto\b|\buntil\b)\s*{HOUR}(?![\d:/-])")
_TIME = lazy_regex(r"(?i)\d[:.]\d\d(?!\d)|\d\s*[ap]\.?m\b")
"""What is written as nothing but a time is, in some of the cells that tell hours."""
_MOMENT = lazy_regex(
    rf"(?i)\b(?:at|by|(?P<before>before)|(?P<after>after|past))\s+(?={HOUR}(?![\d:])){HOUR}"
)
_NOON, _DAY = 12 * 60, 24 * 60
_CLOSED = word_set("closed shut none")
_CLOSE = lazy_regex(r"(?i)\b(?:close[sd]?|closing|shuts?)\b")
"""A cell that says "closed" is not named by it."""
_OPENS = lazy_regex(r"(?i)\b(?:opens?|opening|starts?|begins?)\b(?<!hours)")
_ENDS = lazy_regex(rf"{_CLOSE.pattern}|\b(?:until|till|ends?|how late|last)\b")
_BEGIN = lazy_regex(r"(?i)\b(?:open(?:s|ing)?|from)\b")
_END = lazy_regex(r"(?i)\b(?:clos(?:es?|ing)|until|till|to|shuts?)\b")
"""What heads the two columns of a table that tells in one when something opens."""
_ASKS = lazy_regex(
    r"(?i)^\W*(?:(?:until |at |from )?(?:when|what (?:time|hours))|how late"
    r"|what (?:are|is)\b.*\b(?:hours|opening times?))\b"
)
_WHEN = lazy_regex(r"(?i)^\W*when\b")
_WHICH_DAYS = lazy_regex(
    r"(?i)^\W*(?:on )?(?:(?:which|what) days?\b.*\b(?:open|closed|shut)"
    r"|when\b.*\b(?:closed|shut))\b"
)
_PARTS: Mapping[str, tuple[int, int]] = {
    "morning": (0, _NOON), "afternoon": (_NOON, 18 * 60), "evening": (17 * 60, _DAY),
    "late": (18 * 60, _DAY), "night": (18 * 60, _DAY), "early": (0, 9 * 60),
}  # fmt: skip
"""When parts of the day are, in minutes of it."""
_SAID = stems_of("""
    open opens opening opened hours time times see visit come there start starts end ends until late
    day today week session sessions
""")
"""What is said of any time at which something is open."""


def opening_answer(text: str, table: Table, *, spare: int = 0) -> RowsAnswer | None:
    """Return when, or whether, something is open on the day that ``text`` names.

    None where ``table`` does not tell hours, or where more is said than it tells, but for so many
    words to ``spare``.

    Raises:
        Undecided: when several rows or columns could be meant.
    """
    columns = [column for column in table.columns if _tells_hours(column)] or _joined(table)
    if not columns:
        return None
    asked = Asked(_CLOSE.sub(" ", _MOMENT.sub(" ", text)), table, spare=spare)
    way = _of_a_row if asked.held else _of_the_week
    found = way(text, asked, columns)
    heads = (column.head for pair in _both_ends(table) for column in pair)
    return found and replace(found, columns=found.columns.union(heads))


def _of_a_row(text: str, asked: Asked, columns: Sequence[Column]) -> RowsAnswer | None:
    if len(asked.rows) != 1 or not _is_of_one(asked.held):
        return None
    asked.by += _chosen(asked.wording, columns)
    parts = _parts(asked.wording, asked.by)
    return _answered(text, asked, parts) if asked.is_accounted() else None


def _of_the_week(text: str, asked: Asked, columns: Sequence[Column]) -> RowsAnswer | None:
    """Return on which days that is open, or closed, which ``text`` asks for, or the hours of all.

    None where it asks for neither, or ``columns`` are of several kinds of hours.
    """
    days = list(filter(tells_days, asked.table.columns))
    if asked.spare or (len(days), len(columns)) != (1, 1):
        return None
    _chosen(asked.wording, columns)
    asked.by += [*days, *columns]
    if not asked.is_accounted():
        return None
    hours = columns[0].cells
    if _WHICH_DAYS.match(text):
        rows, told = _rows_when(hours, closed=not _CLOSED.isdisjoint(words(text))), days[0].cells
    elif _ASKS.match(text):
        rows, told = list(range(len(hours))), tuple(map(_day_and_hours, days[0].cells, hours))
    else:
        return None
    names = listing(list(map(told.__getitem__, rows)))
    return asked.answered(DirectKind.NAME, names, rows) if rows else None


def _rows_when(hours: Sequence[str], *, closed: bool) -> list[int]:
    return [row for row, cell in enumerate(hours) if _is_closed(cell) == closed]


def _day_and_hours(day: str, hours: str) -> str:
    return f"{day}: {hours or 'closed'}"


def _answered(text: str, asked: Asked, parts: Sequence[str]) -> RowsAnswer | None:
    """Return when, or whether, the one row that is ``asked`` of is open, as ``text`` asks."""
    (row,) = asked.rows
    if _ASKS.match(text):
        told = _told(text, asked.by, row)
        day = _day_of(text, asked, row)
        return asked.answered(DirectKind.DATE, f"{day}, {told}" if day else told, [row])
    return _whether_open(text, asked, row, parts) if asked.kind is Kind.YES_NO else None


def _day_of(text: str, asked: Asked, row: int) -> str:
    """Return on which day of the week ``row`` is, where ``text`` asks "when" and names none.

    The column of days is then shown as well.
    """
    days = [column for column in asked.untaken() if tells_days(column)]
    if len(days) != 1 or not _WHEN.match(text) or is_empty(days[0].cells[row]):
        return ""
    asked.by += days
    return days[0].cells[row]


def _is_of_one(held: Sequence[Condition]) -> bool:
    """Whether a row is named, or the day of one; a day on which it is closed tells no hours."""
    if any(_CLOSE.search(each.column.head) for each in held):
        return False
    return any(each.is_row or listed_days(each.column) for each in held)


def _whether_open(text: str, asked: Asked, row: int, parts: Sequence[str]) -> RowsAnswer:
    """Return whether ``row`` is open, or closed, as ``text`` asks, in ``parts`` of the day."""
    times = map(_meant, _MOMENT.finditer(text))
    is_open = _is_open(asked.by, row, [*times, *(_PARTS[part] for part in parts)])
    says = is_open == _CLOSED.isdisjoint(words(text))
    answer = f"{'Yes' if says else 'No'} ({_headed(asked.by, row)})"
    found = asked.answered(DirectKind.YES_NO, answer, [row], FOUND)
    return replace(found, fit=found.fit - len(parts))  # a table with a column for them fits better


def _chosen(wording: Wording, columns: Sequence[Column]) -> Sequence[Column]:
    """Return those of ``columns`` that the question names, else all; all it says is read."""
    best = max(map(wording.share_left, columns))
    chosen = [column for column in columns if best and wording.share_left(column) == best]
    wording.used.update(wording.head_places(chosen))
    wording.used.update(at for at in wording.free if wording.stems[at] in _SAID)
    return chosen or columns


def _parts(wording: Wording, chosen: Sequence[Column]) -> list[str]:
    """Return the parts of the day that are named, but for those that head a ``chosen`` column."""
    heads = frozenset(word for column in chosen for word in column.said)
    places = [at for at, word in enumerate(wording.words) if word in _PARTS.keys() - heads]
    wording.used.update(places)
    return [wording.words[at] for at in places]


def _joined(table: Table) -> list[Column]:
    """Return as one column of hours what ``table`` has in two: when it opens and when it closes."""
    for first, last in _both_ends(table):
        cells = tuple(map(_hours_between, first.cells, last.cells))
        return [Column(first.at, f"{first.head} – {last.head}", cells)]
    return []


def _hours_between(opens: str, closes: str) -> str:
    """Return the hours between two times; what says that it is closed where one of them does."""
    told = [cell for cell in (opens, closes) if not is_empty(cell)]
    return next((cell for cell in told if _is_closed(cell)), "–".join(told))


def _both_ends(table: Table) -> Iterator[tuple[Column, Column]]:
    """Yield columns of times, the next one of which tells when that ends which begins then."""
    for first, last in pairwise(table.of_type(Type.TIME)):
        if _BEGIN.search(first.head) and _END.search(last.head):
            yield first, last


def _tells_hours(column: Column) -> bool:
    """Whether each cell of ``column`` has hours or says that it is closed, and one has hours."""
    is_open = [_HOURS.search(cell) is not None for cell in column.cells]
    is_of_times = any(map(_TIME.search, column.cells))
    return (
        any(is_open)
        and is_of_times
        and all(
            known or _is_closed(cell) for known, cell in zip(is_open, column.cells, strict=True)
        )
    )


def _is_closed(cell: str) -> bool:
    return is_empty(cell) or cell.strip().casefold() in _CLOSED


def _hours(columns: Sequence[Column], row: int) -> list[tuple[re.Match[str], re.Match[str]]]:
    """Return when any of ``columns`` opens and closes in ``row``, as it is written."""
    found = (told for column in columns for told in _HOURS.finditer(column.cells[row]))
    return [(first, last) for told in found for first, last in [HOUR_PARTS.finditer(told[0])]]


def _minute(time: str) -> int:
    """Return the minute of the day of what is written as "8.30 pm" is; "8" is in the morning."""
    return next(iter(minutes(time)), 0)


def _meant(moment: re.Match[str]) -> tuple[int, int]:
    """Return from which minute until which what is said of a time means."""
    at = _minute(moment[0])
    if moment["before"]:
        return 0, at
    return at, 2 * _DAY if moment["after"] else at + 1


def _is_open(columns: Sequence[Column], row: int, times: Sequence[tuple[int, int]]) -> bool:
    """Whether any of ``columns`` is open in ``row`` at one of the ``times``, or without any."""
    spans = [_lasting(first[0], last[0]) for first, last in _hours(columns, row)]
    wanted = times or [(0, 2 * _DAY)]
    return any(start < until and since < end for start, end in spans for since, until in wanted)


def _lasting(first: str, last: str) -> tuple[int, int]:
    """Return the minutes from ``first`` until ``last``, which may be after midnight."""
    start, end = _minute(first), _minute(last)
    return start, end if end > start else end + _DAY


def _told(text: str, columns: Sequence[Column], row: int) -> str:
    """Return the time at which ``row`` opens or closes, or its hours, as is asked."""
    told = [column for column in columns if not _is_closed(column.cells[row])]
    whole = ", ".join(f"{each.cells[row]} ({each.head})".replace(" ()", "") for each in told)
    hours = _hours(told, row)
    if not hours or "hours" in words(text):
        return whole or "closed"
    if _ENDS.search(text):
        latest = max(hours, key=lambda each: _minute(each[1][0]))
        return f"{latest[1][0].strip()} ({_headed(told, row)})"
    return f"{hours[0][0][0].strip()} ({_headed(told, row)})" if _OPENS.search(text) else whole


def _headed(columns: Sequence[Column], row: int) -> str:
    return "; ".join(f"{column.head}: {column.cells[row]}" for column in columns)
