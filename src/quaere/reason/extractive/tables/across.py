"""Which of several columns alike leads in one row: the quarter, month or day of the most."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
    stems_of,
)
from quaere.reason.extractive.tables.wording import Wording
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS
from quaere.text.tokens import words

_ASKS = lazy_regex(r"(?i)^\W*(?:in |on |at )?(?:which|what) (\w+)\b")
_WHEN = lazy_regex(r"(?i)^\W*(?:when|(?:on )?(?:which|what) days?)\b")
_MONTHS = stems_of(" ".join((*MONTHS, *(name[:3] for name in MONTHS))).lower())
_HEADS: Mapping[str, re.Pattern[str]] = {
    "quarter": re.compile(r"(?i)q[1-4]\b.*|(?:1st|2nd|3rd|4th|first|second|third|fourth) quarter"),
    "year": re.compile(r"(?i)(?:fy ?)?[12]\d{3}(?:[/-]\d\d)?"),
    "week": re.compile(r"(?i)(?:week|wk|w) ?\d+"),
    "half": re.compile(r"(?i)h[12]\b.*"),
}


def asks_across(text: str) -> bool:
    """Whether ``text`` asks for the quarter, the year, the month or the day of the most."""
    found = _ASKS.match(text)
    noun = found[1].casefold() if found else ""
    return noun in {*_HEADS, "day", "month"} and any(
        _most(word) is not None for word in words(text)
    )


def across_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return which of the columns of one kind has the most, or least, in the one row of ``text``.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    found = _ASKS.match(text)
    columns = _columns_of(found[1].casefold(), table) if found else []
    if found is None or len(columns) < 2:
        return None
    asked = Asked(text, table)
    wording = asked.wording
    at = next((n for n, word in enumerate(wording.words) if _most(word) is not None), None)
    if at is None or len(asked.rows) != 1:
        return None
    wording.used.update((at, wording.words.index(found[1].casefold())))
    asked.by += columns
    row, most = asked.rows[0], bool(_most(wording.words[at]))
    told = [(value[0], column) for column in columns if (value := column.values[row]) is not None]
    if len(told) != len(columns) or not asked.is_accounted():
        return None
    best = (max if most else min)(value for value, _ in told)
    ahead = [column for value, column in told if value == best]
    heads = ", ".join(column.head for column in ahead)
    text = f"{heads} ({table.called(row)}: {asked.cell(ahead[0], row)})"
    return asked.answered(DirectKind.NAME, text, [row], FOUND)


def day_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return under which days of a rota the row of ``text`` has whom or what it names.

    Raises:
        Undecided: when several rows could be meant.
    """
    days = [column for column in table.columns if column.is_of_day]
    if not _WHEN.match(text) or len(days) < 2:
        return None
    wording = Wording(text, table)
    key = table.columns[0]
    rows = [row for row, own in enumerate(key.terms) if own and own <= set(wording.stems)]
    if len(rows) != 1:
        return None
    said = {wording.stems[at] for at in wording.free} - key.terms[rows[0]]
    told = [column for column in days if (own := column.terms[rows[0]]) and own <= said]
    left = said.difference(*(column.terms[rows[0]] for column in told), GENERAL, OF_TIME, OF_ROTAS)
    if not told or left - table.things - table.beside:
        return None
    asked = Asked(key.cells[rows[0]], table)
    asked.by += told
    return asked.answered(DirectKind.DATE, ", ".join(c.head for c in told), rows, FOUND)


def _columns_of(noun: str, table: Table) -> list[Column]:
    """Return the columns of figures that are headed as one ``noun`` is: Q1 to Q4 of "quarter"."""
    able = table.of_type(Type.NUMBER)
    noun = noun.removesuffix("s")
    if noun == "day":
        return [column for column in able if column.is_of_day]
    if noun == "month":
        return [column for column in able if len(column.stems) == 1 and column.stems <= _MONTHS]
    pattern = _HEADS.get(noun)
    return [column for column in able if pattern and pattern.fullmatch(column.head.strip())]


def _most(word: str) -> bool | None:
    """Return whether ``word`` asks for the most, False for the least, None for neither."""
    if word in MOST | {"best"}:
        return True
    if word in LEAST | {"worst"}:
        return False
    degree = degrees().get(base_of(word, "est"))
    return None if degree is None else degree.most
