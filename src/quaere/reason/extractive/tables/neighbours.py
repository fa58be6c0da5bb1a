"""What comes before or after a row that a question names: "Which version came after Hask?"."""

from __future__ import annotations

from dataclasses import replace

from quaere.domain.report import DirectKind
from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.reason.extractive.tables.asked import RowsAnswer, listing
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.conditions import days_named, numbers_named
from quaere.reason.extractive.tables.periods import in_order
from quaere.reason.extractive.tables.reading import Reading
from quaere.reason.extractive.tables.values import values_named
from quaere.reason.extractive.tables.wording import Undecided, Wording, sole
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem

_BESIDE = lazy_regex(
    r"(?i)(?:\b(?:right|directly|immediately) )?\b(?:(?P<after>after|follow(?:s|ed|ing)?)"
    r"|before|preced(?:es|ed|ing)|prior to)\s+(?P<what>[^?]+)"
)
_NEAREST = lazy_regex(r"(?i)\b(?:next|last|previous|come|comes|came)\b")
_NOUN = lazy_regex(r"(?i)\b(?:next|last|previous) (?P<noun>\w+)\s*$")
"""What rows are, before the one that is named: "the previous loan before Ada"."""
_SEVERAL = lazy_regex(
    r"(?i)^\W*which \w+[^\Ws]s\b|^(?!.*\b(?:next|came)\b).* \w+ed\b.* (?:aft|bef)"
)


def _numbering(table: Table) -> list[Column]:
    return [each for each in table.columns[:1] if each.type is Type.NUMBER]


def _order_of(column: Column) -> tuple[int, ...]:
    """Return the rows by what ``column`` has; none where two have the same or one has nothing."""
    known = [value for value in column.values if value is not None]
    if len(set(known)) != len(column.cells):
        return ()
    return tuple(sorted(range(len(known)), key=known.__getitem__))


def _order_written(column: Column) -> list[int]:
    """Return the rows as they are written, or backwards, if ``column`` goes one way so.

    Some may have the same in it: what is written first came first then.
    """
    known = [value for value in column.values if value is not None]
    rows = list(range(len(column.cells)))
    if len(known) < len(rows) or known[:1] == known[-1:]:
        return []
    if known == sorted(known):
        return rows
    return rows[::-1] if known == sorted(known, reverse=True) else []


def row_named(text: str, table: Table) -> tuple[int, str] | None:
    """Return the row that ``text`` names right after "before" or "after", and the other words."""
    found = _BESIDE.search(text)
    if found is None or expected_kind(text) is Kind.YES_NO:
        return None
    wording = Wording(found["what"], table)
    rows = _rows_named(wording, is_day=_NEAREST.search(text) is not None)
    left = [at for at in wording.free if wording.stems[at] not in table.things]
    if len(rows) != 1 or left[:1] == wording.content[:1]:
        return None
    rest = " ".join(wording.words[at] for at in left)
    asked, noun = text[: found.start()], _NOUN.search(text[: found.start()].rstrip())
    if noun and not any(stem(noun["noun"]) in column.stems for column in table.columns):
        asked = asked[: noun.start()]
    return next(iter(rows)), f"{_NEAREST.sub(' ', asked)} {rest} ?"


def _rows_named(wording: Wording, *, is_day: bool) -> frozenset[int]:
    """Return the rows that have all the values, or else the day, that are named."""
    try:
        held = [*values_named(wording), *numbers_named(wording)]
        if not held and is_day:
            held = list(days_named(wording))
    except Undecided:
        return frozenset()
    return frozenset[int].intersection(*(each.rows for each in held)) if held else frozenset()


def neighbour_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return what ``table`` has next to the row that ``text`` names, in the order of its dates.

    All rows on that side where it asks for several: "which releases", "who joined after Ada".

    Raises:
        Undecided: when the rows are in no order, or several columns could be meant.
    """
    found, named = _BESIDE.search(text), row_named(text, table)
    if found is None or named is None:
        return None
    (row, others), (by, order) = named, _ordered(table)
    at, asked = order.index(row), Reading(others, table)
    before, after = order[:at], order[at + 1 :]
    if not _SEVERAL.search(text):
        before, after = before[-1:], after[:1]
    asked.rows = after if found["after"] else before
    told = asked.asked_column() or table.key
    if asked.kind is Kind.DATE:
        told = asked.target() or asked.by_type() or by
    asked.by += [told, by]
    asked.wording.used.update(asked.wording.heads(by))
    held = [each for each in asked.held if len(each.rows) < len(table.lines)]
    if not asked.rows or held or not asked.is_accounted():
        return None
    answer = asked.answered(DirectKind.NAME, listing(asked.names_of(told, asked.rows)), asked.rows)
    lines = [table.lines[each] for each in sorted([row, *asked.rows], key=order.index)]
    return replace(answer, lines=tuple(lines))


def _ordered(table: Table) -> tuple[Column, list[int]]:
    """Return the dates of ``table``, or the figures in its first column, and the rows by them.

    Where the rows are already in the order of their first column, it is that one.
    """
    first = table.columns[0]
    if first.type is Type.DATE and (order := _order_written(first)):
        return first, order
    orders = _orders(table)
    order = sole(list(orders))
    if not order:
        raise Undecided
    return orders[order], list(order)


def _orders(table: Table) -> dict[tuple[int, ...], Column]:
    """Return the columns of dates, times or figures that count, by the order they put the rows in.

    Without any, the first where it names months, or days of the week, one after the other.
    """
    found: dict[tuple[int, ...], Column] = {}
    for column in table.of_type(Type.DATE) or _numbering(table) or table.of_type(Type.TIME):
        if order := _order_of(column):
            found.setdefault(tuple(order), column)
    if not found and in_order(table.columns[0].cells):
        found[tuple(range(len(table.lines)))] = table.columns[0]
    return found
