"""Rows that hold on days of the week, as a cell lists them ("Mon–Fri"), and who does what in one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quaere.reason.extractive.tables.columns import Column, Type
from quaere.reason.extractive.tables.wording import Condition, Wording, sole
from quaere.reason.extractive.weekdays import days_in
from quaere.text.lazy_regex import lazy_regex

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
    if column.type is not Type.TEXT or not filled or not all(map(week_days_of, filled)):
        return ()
    is_plain = all(cell.isalpha() and len(days_in(cell)) == 1 for cell in filled)
    return () if is_plain else tuple(map(week_days_of, column.cells))


def on_week_days(wording: Wording) -> Iterator[Condition]:
    """Yield the rows that are on the day of the week which ``wording`` names.

    Raises:
        Undecided: when several columns list days and none of them is named.
    """
    asked = days_in(wording.text)
    able = [(column, days) for column in wording.table.columns if (days := listed_days(column))]
    found = sole([each for each in able if wording.heads(each[0])] or able)
    if not asked or found is None:
        return
    column, listed = found
    places = [at for at in wording.free if days_in(wording.tokens[at].text)]
    wording.used.update(places, wording.heads(column), denied := wording.deniers(places[:1]))
    rows = {row for row, days in enumerate(listed) if _is_on(days, asked, wording) != bool(denied)}
    yield Condition(column, frozenset(rows))


def _is_on(days: frozenset[int], asked: frozenset[int], wording: Wording) -> bool:
    """Whether what is on ``days`` is on those ``asked`` for: on one of a weekend's at least."""
    if "only" in wording.words:
        return days == asked
    if _WEEKEND.search(wording.text):
        return bool(days & asked)
    return asked <= days


def in_roles(columns: Sequence[Column], row: int) -> str:
    """Return who is what in ``row``: "Ada Finch (Primary), Bo Marsh (Backup)"."""
    told = [(column.cells[row].strip(), column.head) for column in columns]
    return ", ".join(f"{who} ({head})" for who, head in told if who)
