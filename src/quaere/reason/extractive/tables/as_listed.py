"""Questions that speak of the table itself: "listed after Ada", "the first name on the chart".

What they say about it is set aside, and rows come before and after each other as they are written.
English alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import FOUND, RowsAnswer
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.reading import Reading
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stems_of

_PLACE = r"(?:table|chart|list|listing|spreadsheet|roster)"
_SHOWN = r"(?:listed|shown|given|mentioned|displayed|recorded|represented|covered)"
_MENTION = lazy_regex(
    rf"(?i)\b(?:according to|(?:{_SHOWN} )?(?:in|on|of|from)) (?:the|this) {_PLACE}\b(?! of\b)"
    r"|\b(?:is|are|was|were) listed\b|\blisted\b"
)
_TABLES = stems_of("table chart list listing spreadsheet roster listed")
_END = lazy_regex(
    r"(?i)\b(?:(?:at|on|in) the (?P<edge>top|bottom|beginning|end)\b|(?:the )?(?:very )?"
    r"(?P<place>first|last)\b)(?! of\b)"
)
_AT_END = frozenset({"bottom", "end", "last"})


class Mention(NamedTuple):
    """A question without what it says of the table that it is about."""

    text: str
    is_written: bool
    """Whether it says anything of it: rows are then as they are written."""


def set_aside(text: str, table: Table) -> Mention:
    """Return ``text`` without what it says of ``table`` itself; as it is where heads say that."""
    if any(not _TABLES.isdisjoint(column.stems) for column in table.columns):
        return Mention(text, is_written=False)
    plain = _MENTION.sub(" ", text)
    return Mention(" ".join(plain.split()), is_written=plain != text)


def end_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return what the first or last row of ``table`` is called, as ``text`` asks for it.

    None where dates or figures that are asked for put another row first.

    Raises:
        Undecided: when several columns could be meant.
    """
    found = _END.search(text)
    if found is None:
        return None
    asked = Reading(f"{text[: found.start()]} {text[found.end() :]}", table)
    told = asked.asked_column() or asked.target() or _first_called(asked)
    row = -1 if (found["edge"] or found["place"]).casefold() in _AT_END else 0
    if told is None or asked.held or _is_ordered_otherwise(told, row):
        return None
    return _end_told(asked, told, row % len(table.lines))


def _end_told(asked: Reading, told: Column, row: int) -> RowsAnswer | None:
    """Return what ``row`` is called in the column ``told``, if all else is accounted for."""
    asked.by.append(told)
    if is_empty(told.cells[row]) or not asked.is_accounted():
        return None
    answer = asked.answered(DirectKind.NAME, asked.named_as(told, row), [row], FOUND)
    return replace(answer, columns=answer.columns | {asked.table.columns[0].head})


def _first_called(asked: Reading) -> Column | None:
    """Return the key of the table where nothing but who or what is asked for."""
    return asked.table.key if not asked.wording.free else None


def _is_ordered_otherwise(column: Column, row: int) -> bool:
    """Whether values of ``column`` put another row than ``row`` at that end."""
    if column.type not in {Type.DATE, Type.TIME, Type.NUMBER}:
        return False
    known = [value for value in column.values if value is not None]
    lead = max(known) if row else min(known)
    return column.values[row] != lead
