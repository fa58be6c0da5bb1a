"""Which column of one row a question puts first, where several are alike.

The quarter, the month or the day of the most; and the days under which a rota has somebody.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from operator import itemgetter

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import FOUND, Asked, RowsAnswer
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import (
    GENERAL,
    LEAST,
    MOST,
    OF_ROTAS,
    OF_TIME,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.wording import Wording
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS
from quaere.text.tokens import stems_of, words

_ASKS = lazy_regex(r"(?i)^\W*(?:in |on |at )?(?:which|what) (\w+)\b")
_WHEN = lazy_regex(r"(?i)^\W*(?:when|(?:on )?(?:which|what) days?)\b")
_MONTHS = stems_of(" ".join((*MONTHS, *(name[:3] for name in MONTHS))).lower())
"""Months in full and in short."""
_HEADS: Mapping[str, re.Pattern[str]] = {
    "quarter": re.compile(r"(?i)q[1-4]\b.*|(?:1st|2nd|3rd|4th|first|second|third|fourth) quarter"),
    "year": re.compile(r"(?i)(?:fy ?)?[12]\d{3}(?:[/-]\d\d)?"),
    "week": re.compile(r"(?i)(?:week|wk|w) ?\d+"),
    "half": re.compile(r"(?i)h[12]\b.*"),
}
"""How columns are headed that are one quarter, one year and so on each."""


def asks_across(text: str) -> bool:
    """Whether ``text`` asks for the quarter, the year, the month or the day of the most."""
    is_of_columns = _noun_asked(text) in {*_HEADS, "day", "month"}
    return is_of_columns and any(_most(word) is not None for word in words(text))


def across_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return which of the columns of one kind has the most, or least, in the one row of ``text``.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    noun = _noun_asked(text)
    columns = _columns_of(noun, table)
    if len(columns) < 2:
        return None
    asked = Asked(text, table)
    wording = asked.wording
    at = _place_of_most(wording)
    if at is None or len(asked.rows) != 1:
        return None
    (row,) = asked.rows
    wording.used.update((at, wording.words.index(noun)))
    asked.by += columns
    ahead = _ahead(columns, row, most=bool(_most(wording.words[at])))
    if not ahead or not asked.is_accounted():
        return None
    heads = ", ".join(column.head for column in ahead)
    answer = f"{heads} ({table.called(row)}: {asked.cell(ahead[0], row)})"
    return asked.answered(DirectKind.NAME, answer, [row], FOUND)


def _place_of_most(wording: Wording) -> int | None:
    """Return the place of the first word that asks for the most or the least."""
    return next((at for at, word in enumerate(wording.words) if _most(word) is not None), None)


def _noun_asked(text: str) -> str:
    """Return the word behind "which" or "what" with which ``text`` opens; else nothing."""
    found = _ASKS.match(text)
    return found[1].casefold() if found else ""


def _ahead(columns: Sequence[Column], row: int, *, most: bool) -> list[Column]:
    """Return those of ``columns`` with the most, or least, in ``row``; none where one is empty."""
    told = [(value, column) for column in columns if (value := column.values[row]) is not None]
    if len(told) != len(columns):
        return []
    first = max if most else min
    best, _ = first(told, key=itemgetter(0))
    return [column for value, column in told if value == best]


def day_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return under which days of a rota the row of ``text`` has whom or what it names.

    Raises:
        Undecided: when several rows could be meant.
    """
    if not _WHEN.match(text) or len(table.days) < 2:
        return None
    wording = Wording(text, table)
    rows = _rows_called(wording)
    if len(rows) != 1:
        return None
    told = _days_told(wording, rows[0])
    if not told:
        return None
    asked = Asked(table.columns[0].cells[rows[0]], table)
    asked.by += told
    return asked.answered(DirectKind.DATE, ", ".join(c.head for c in told), rows, FOUND)


def _rows_called(wording: Wording) -> list[int]:
    """Return the rows of which the question has all of the first cell."""
    said = frozenset(wording.stems)
    first = wording.table.columns[0]
    return [row for row, own in enumerate(first.terms) if own and own <= said]


def _days_told(wording: Wording, row: int) -> list[Column]:
    """Return the days under which ``row`` has what is named; none where more is said than that."""
    table = wording.table
    said = {wording.stems[at] for at in wording.free} - table.columns[0].terms[row]
    told = [day for day in table.days if day.terms[row] and day.terms[row] <= said]
    known = (table.things, table.beside, GENERAL, OF_TIME, OF_ROTAS)
    left = said.difference(*(day.terms[row] for day in told), *known)
    return [] if left else told


def _columns_of(noun: str, table: Table) -> list[Column]:
    """Return the columns of figures that are headed as one ``noun`` is: Q1 to Q4 of "quarter"."""
    single = noun.removesuffix("s")
    return [column for column in table.of_type(Type.NUMBER) if _is_headed_by_a(single, column)]


def column_kind(columns: Sequence[Column]) -> str:
    """Return what heads each of ``columns``, such as one year each; nothing where nothing does."""
    kinds = (*_HEADS, "day", "month")
    return next((kind for kind in kinds if all(_is_headed_by_a(kind, c) for c in columns)), "")


def _is_headed_by_a(noun: str, column: Column) -> bool:
    """Whether one ``noun`` heads ``column``: "Q1" is a quarter."""
    if noun == "day":
        return column.is_of_day
    if noun == "month":
        return len(column.stems) == 1 and column.stems <= _MONTHS
    pattern = _HEADS.get(noun)
    return pattern is not None and pattern.fullmatch(column.head.strip()) is not None


def _most(word: str) -> bool | None:
    """Return whether ``word`` asks for the most, False for the least, None for neither."""
    if word in MOST | {"best"}:
        return True
    if word in LEAST | {"worst"}:
        return False
    degree = degrees().get(base_of(word, "est"))
    return None if degree is None else degree.most
