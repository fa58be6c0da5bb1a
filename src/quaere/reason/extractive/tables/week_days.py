"""Rows that hold on days of the week, as a cell lists them ("Mon–Fri") or as heads name them.

The second are rotas: who is on duty and who is not, where days head the columns, and who does what
in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quaere.reason.extractive.tables.columns import Column, Type
from quaere.reason.extractive.tables.wording import Condition, Wording, sole
from quaere.reason.extractive.weekdays import days_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set

_SHORT = lazy_regex(
    r"\b(?:(?i:(mon|tue|wed|thu|fri|sat|sun)(?:s|r|rs|nes)?)|(Mo|Tu|We|Th|Fr|Sa|Su))\b\.?"
)
_DAILY = lazy_regex(r"(?i)\b(?:daily|(?:every|each|all|any) ?days?|all week)\b")
_WEEKEND = lazy_regex(r"(?i)\bweekends?\b")
_FULL: Mapping[str, str] = {
    "mo": "Monday", "tu": "Tuesday", "we": "Wednesday", "th": "Thursday", "fr": "Friday",
    "sa": "Saturday", "su": "Sunday",
}  # fmt: skip
_WEEK = frozenset(range(7))


def week_days_of(cell: str) -> frozenset[int]:
    """Return the days of the week on which ``cell`` says something is, Monday being 0."""
    if _DAILY.search(cell):
        return _WEEK
    return days_in(_SHORT.sub(lambda short: _FULL[short[0][:2].casefold()], cell))


def listed_days(column: Column) -> tuple[frozenset[int], ...]:
    """Return the days that each cell of ``column`` lists; nothing where they are of another kind.

    A column of single days in full is one of names, which are named as they are written.
    """
    filled = column.filled
    may_tell = column.type in {Type.TEXT, Type.DATE}  # "Thursday 10 June"
    if not may_tell or not filled or not all(map(week_days_of, filled)):
        return ()
    is_plain = all(cell.isalpha() and len(days_in(cell)) == 1 for cell in filled)
    return () if is_plain else tuple(map(week_days_of, column.cells))


def on_week_days(wording: Wording) -> Iterator[Condition]:
    """Yield the rows that are on the day of the week which ``wording`` names.

    Raises:
        Undecided: when several columns list days and none of them is named.
    """
    asked = days_in(wording.text)
    column = _of_days(wording) if asked else None
    if column is None:
        return
    places = [at for at in wording.free if days_in(wording.tokens[at].text)]
    wording.used.update(places, wording.heads(column), denied := wording.deniers(places[:1]))
    are_on = [_is_on(days, asked, wording) for days in listed_days(column)]
    yield Condition(column, frozenset(r for r, is_on in enumerate(are_on) if is_on != bool(denied)))


def _of_days(wording: Wording) -> Column | None:
    """Return the column that lists days: one that is named, else the only such."""
    able = list(filter(listed_days, wording.table.columns))
    return sole(list(filter(wording.heads, able)) or able)


def _is_on(days: frozenset[int], asked: frozenset[int], wording: Wording) -> bool:
    """Whether what is on ``days`` is on those ``asked`` for: on one of a weekend's at least."""
    if "only" in wording.words:
        return days == asked
    if _WEEKEND.search(wording.text):
        return bool(days & asked)
    return asked <= days


_ASK = word_set("who how which is are was were does do did will")
_WHO = word_set("who whom whose")
_WORKING = word_set("work works working in available duty there here")
_RESTING = word_set("off free away absent")
_NO_DUTY = word_set("off free x - – — rest leave holiday away none")
"""What a cell says of somebody who is not on duty; an empty one says the same."""


def of_duty(wording: Wording, *, of_row: bool) -> Iterator[Condition]:
    """Yield whose cell under the day that is named has a duty, or has none, as is asked.

    Args:
        wording: The question.
        of_row: Whether it names a row: who has that duty on a day is then in its cell.
    """
    day = _day_asked(wording)
    if day is None:
        return
    off, working = _places(wording, _RESTING), _places(wording, _WORKING)
    is_of_duty = not of_row if wording.words[0] in _WHO else bool(off or working)
    if not is_of_duty:
        return
    denied = wording.deniers(off or working)
    wording.used.update(wording.heads(day), off, working, denied)
    yield Condition(day, _rows(day, working=bool(off) == bool(denied)), is_value=True)


def _day_asked(wording: Wording) -> Column | None:
    """Return the one day of a rota that is named by what opens as a question; None without one.

    Where a day heads the cells that call the rows, these are weeks or tasks and nobody's own.
    """
    table = wording.table
    named_days = list(filter(wording.heads, table.days))
    if len(named_days) != 1 or wording.words[0] not in _ASK:
        return None
    return named_days[0] if table.is_rota and not table.key.is_of_day else None


def _places(wording: Wording, said: frozenset[str]) -> list[int]:
    return [at for at, word in enumerate(wording.words) if word in said and at not in wording.used]


def _rows(column: Column, *, working: bool) -> frozenset[int]:
    told = enumerate(column.cells)
    return frozenset(row for row, cell in told if working == _is_duty(cell))


def _is_duty(cell: str) -> bool:
    plain = cell.strip().casefold()
    return bool(plain) and plain not in _NO_DUTY and "off" not in plain.split()


def in_roles(columns: Sequence[Column], row: int) -> str:
    """Return who is what in ``row``: "Ada Finch (Primary), Bo Marsh (Backup)"."""
    told = [(column.cells[row].strip(), column.head) for column in columns]
    return ", ".join(f"{who} ({head})" for who, head in told if who)
