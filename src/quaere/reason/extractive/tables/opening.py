"""Tables of when something is open: their cells are hours or say that it is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from quaere.domain.report import DirectKind
from quaere.reason.extractive.questions.kinds import Kind
from quaere.reason.extractive.tables.asked import FOUND, Asked, RowsAnswer
from quaere.reason.extractive.tables.columns import Column, Table, is_empty
from quaere.reason.extractive.tables.lexicon import named, stems_of
from quaere.reason.extractive.tables.wording import Wording
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import words

_HOUR = r"(\d{1,2})(?:[:.](\d\d))?\s*(am|pm|a\.m\.|p\.m\.)?"
_HOURS = lazy_regex(
    rf"(?i)(?<![\d.:/-])(?=[^;,]*(?:[:.]\d\d|[ap]\.?m)){_HOUR}\s*(?:-|–|—|\bto\b|\buntil\b)\s*"
    rf"{_HOUR}(?![\d:/-])"
)
"""Two times of day, one of which is written as nothing but a time is."""
_MOMENT = lazy_regex(rf"(?i)\b(?:at|before|after|by|past)\s+{_HOUR}(?![\d:])")
_NOON, _DAY = 12 * 60, 24 * 60
_CLOSED = named("closed shut none")
_CLOSE = lazy_regex(r"(?i)\b(?:close[sd]?|closing|shuts?)\b")
"""A cell that says "closed" is not named by it."""
_OPENS = lazy_regex(r"(?i)\b(?:open|opens|opening|starts?|begins?)\b")
_ENDS = lazy_regex(r"(?i)\b(?:close|closes|closing|shuts?|until|till|ends?|how late|last)\b")
_HOURS_ASKED = lazy_regex(r"(?i)\bhours\b")
_ASKS = lazy_regex(
    r"(?i)^\W*(?:when|(?:until |till |from )?(?:at )?what (?:time|hours)|until when|how late)\b"
)
_PARTS: Mapping[str, tuple[int, int]] = {
    "morning": (0, _NOON), "afternoon": (_NOON, 18 * 60), "evening": (17 * 60, _DAY),
    "late": (18 * 60, _DAY), "night": (18 * 60, _DAY), "early": (0, 9 * 60),
}  # fmt: skip
"""When parts of the day are, in minutes of it."""
_SAID = stems_of("""
    open opens opening opened hours time times close closes closing closed shut shuts see visit come
    there start starts end ends until late day today week session sessions
""")
"""What is said of any time at which something is open."""


@dataclass(frozen=True, slots=True)
class _Span:
    """From when until when something is open, in minutes of the day, with both as written."""

    start: int
    end: int
    written: tuple[str, str]

    def meets(self, first: int, end: int) -> bool:
        """Whether it is open at some time from the minute ``first`` until ``end``."""
        return self.start < end and first < self.end


def opening_answer(text: str, table: Table, *, spare: int = 0) -> RowsAnswer | None:
    """Return when, or whether, something is open on the day that ``text`` names.

    None where ``table`` does not tell hours, or where more is said than it tells, but for so many
    words to ``spare``.

    Raises:
        Undecided: when several rows or columns could be meant.
    """
    columns = [column for column in table.columns if _tells_hours(column)]
    if not columns:
        return None
    times = [(at := _minute(m[1], m[2], m[3]), at + 1) for m in _MOMENT.finditer(text)]
    asked = Asked(_CLOSE.sub(" ", _MOMENT.sub(" ", text)), table, spare=spare)
    wants_time = _ASKS.match(text) is not None
    if len(asked.rows) != 1 or not (wants_time or asked.kind is Kind.YES_NO):
        return None
    if not any(each.is_row for each in asked.held):
        return None
    (row,) = asked.rows
    chosen = _chosen(asked, columns)
    asked.by += chosen
    said = asked.wording.stems
    asked.wording.used.update(at for at in asked.wording.free if said[at] in _SAID)
    parts = _parts(asked.wording, chosen)
    times += [_PARTS[word] for word in parts]
    if not asked.is_accounted():
        return None
    if wants_time:
        told = _told(text, chosen, row)
        return asked.answered(DirectKind.DATE, told, [row], FOUND) if told else None
    is_open = _is_open(chosen, row, times)
    says = is_open != bool(_CLOSED.intersection(words(text)))
    cells = "; ".join(f"{column.head}: {column.cells[row]}" for column in chosen)
    answer = f"{'Yes' if says else 'No'} ({cells})"
    found = asked.answered(DirectKind.YES_NO, answer, [row], FOUND)
    return replace(found, fit=found.fit - len(parts))  # a table with a column for them fits better


def _chosen(asked: Asked, columns: Sequence[Column]) -> list[Column]:
    """Return those of the ``columns`` that the question names, else all of them."""
    shares = {column.at: asked.wording.share_left(column) for column in columns}
    best = max(shares.values())
    chosen = [column for column in columns if best and shares[column.at] == best]
    asked.wording.used.update(asked.wording.head_places(chosen))
    return chosen or list(columns)


def _tells_hours(column: Column) -> bool:
    """Whether each cell of ``column`` has hours or says that it is closed, and one has hours."""
    spans = [bool(_HOURS.search(cell)) for cell in column.cells]
    pairs = zip(spans, column.cells, strict=True)
    return any(spans) and all(is_open or _is_closed(cell) for is_open, cell in pairs)


def _is_closed(cell: str) -> bool:
    return is_empty(cell) or cell.strip().casefold() in _CLOSED


def _spans(cell: str) -> list[_Span]:
    """Return when ``cell`` says that something is open, from the first time to the last."""
    found: list[_Span] = []
    for told in _HOURS.finditer(cell):
        half = told[3] or (told[6] if told[6] and int(told[1]) < int(told[4]) else "")
        start, end = _minute(told[1], told[2], half), _minute(told[4], told[5], told[6])
        first, _, last = (part.strip() for part in _parted(told[0]))
        found.append(_Span(start, end if end > start else end + _DAY, (first, last)))
    return found


def _parted(hours: str) -> tuple[str, str, str]:
    sign = next(each for each in ("–", "—", "-", " to ", " until ") if each in hours)
    return hours.partition(sign)


def _minute(hour: str, minute: str | None, half: str | None) -> int:
    """Return the minute of the day of a time: of "8" and "30" and "pm"."""
    total = int(hour) * 60 + int(minute or 0)
    if not half:
        return total
    return total % _NOON + (_NOON if half[0] in "pP" else 0)


def _parts(wording: Wording, chosen: Sequence[Column]) -> list[str]:
    """Return the parts of the day that are named, but for those that head a ``chosen`` column."""
    heads = frozenset(word for column in chosen for word in column.said)
    said = ((at, word) for at, word in enumerate(wording.words) if word in _PARTS)
    places = [at for at, word in said if word not in heads]
    wording.used.update(places)
    return [wording.words[at] for at in places]


def _is_open(columns: Sequence[Column], row: int, times: Sequence[tuple[int, int]]) -> bool:
    """Whether any of ``columns`` is open in ``row`` at one of the ``times``, or without any."""
    spans = [span for column in columns for span in _spans(column.cells[row])]
    if not times:
        return bool(spans)
    return any(span.meets(*time) for span in spans for time in times)


def _told(text: str, columns: Sequence[Column], row: int) -> str:
    """Return the time at which ``row`` opens or closes, or its hours, as is asked."""
    spans = [span for column in columns for span in _spans(column.cells[row])]
    whole = ", ".join(
        f"{column.cells[row]} ({column.head})" if column.head else column.cells[row]
        for column in columns
        if not _is_closed(column.cells[row])
    )
    if not spans or _HOURS_ASKED.search(text):
        return whole or "closed"
    if _ENDS.search(text):
        return f"{max(spans, key=lambda span: span.end).written[1]} ({whole})"
    return f"{spans[0].written[0]} ({whole})" if _OPENS.search(text) else whole
