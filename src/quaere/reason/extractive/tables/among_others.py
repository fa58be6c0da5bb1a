"""A row that a question names among the others: the next one, those alike, its share of the whole.

"Which version came after Hask?", "Who has the same room as Ida?".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from quaere.domain.report import DirectKind
from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.reason.extractive.tables.asked import CALCULATED, RowsAnswer, listing, printed
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import TOTALS, Column, Table, Type
from quaere.reason.extractive.tables.conditions import days_named, numbers_named
from quaere.reason.extractive.tables.lexicon import OF_MONEY
from quaere.reason.extractive.tables.periods import in_order
from quaere.reason.extractive.tables.reading import LEVELS, Reading
from quaere.reason.extractive.tables.values import values_named
from quaere.reason.extractive.tables.wording import HALF, Undecided, Wording, foremost, sole
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


def _told_of(asked: Reading, by: Column) -> Column:
    """Return the column that answers for a row; where a date is asked for, one that has it."""
    if asked.kind is Kind.DATE:
        return asked.target() or asked.by_type() or by
    return asked.asked_column() or asked.table.key


def neighbour_answer(text: str, table: Table, *, as_written: bool = False) -> RowsAnswer | None:
    """Return what ``table`` has next to the row that ``text`` names, in the order of its dates.

    All rows on that side where it asks for several: "which releases", "who joined after Ada".

    Args:
        text: The question.
        table: The table.
        as_written: Whether rows are asked for in the order in which they are written.

    Raises:
        Undecided: when the rows are in no order, or several columns could be meant.
    """
    found, named = _BESIDE.search(text), row_named(text, table)
    if found is None or named is None:
        return None
    (row, others), (by, order) = named, _order_asked(table, as_written=as_written)
    asked = Reading(others, table)
    before, after = order[: order.index(row)], order[order.index(row) + 1 :]
    if not _SEVERAL.search(text):
        before, after = before[-1:], after[:1]
    asked.rows = after if found["after"] else before
    told = _told_of(asked, by)
    asked.by += [told, by]
    asked.wording.used.update(asked.wording.heads(by))
    held = [each for each in asked.held if len(each.rows) < len(table.lines)]
    if not asked.rows or held or not asked.is_accounted():
        return None
    answer = asked.answered(DirectKind.NAME, listing(asked.names_of(told, asked.rows)), asked.rows)
    lines = [table.lines[each] for each in sorted([row, *asked.rows], key=order.index)]
    return replace(answer, lines=tuple(lines))


def _order_asked(table: Table, *, as_written: bool) -> tuple[Column, list[int]]:
    if as_written:
        return table.columns[0], list(range(len(table.lines)))
    return _ordered(table)


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


_SAME = lazy_regex(
    r"(?i)^\W*(?P<asks>(?:which|what|who|whom|whose)\b[^?]{0,120}?)\bthe same\b"
    r"(?P<what>[^?]{0,60}?)\s(?:as|like)\s+(?P<row>[^?\s][^?]*)\?*\s*$"
)
_SHARE = lazy_regex(
    r"(?i)^\W*(?:what|which) (?:share|percentage|proportion|part|fraction|per ?cent) of\s+"
    r"(?:(?:all|the|total)\s+)*(?P<rest>[^?\s][^?]*)\?*\s*$"
)
_OWNER = lazy_regex(r"['’]s$")
_SHARES = frozenset({"share", "percentage", "percent", "proportion", "part", "fraction"})
_WHOLE = Decimal(100)


def asks_likewise(text: str) -> bool:
    """Whether ``text`` asks for what has the same as a row, or for the share of one."""
    return asks_for_the_same(text) or _SHARE.match(text) is not None


def asks_for_the_same(text: str) -> bool:
    """Whether ``text`` asks for what has the same as a row."""
    return _SAME.match(text) is not None


def same_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return the other rows that have the same as the one that ``text`` names, in one column.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    found = _SAME.match(text)
    if found is None:
        return None
    own = _row_named(Wording(_OWNER.sub("", found["row"].rstrip()), table))
    if own is None:
        return None
    asked = Reading(f"{found['asks']} {found['what']}", table)
    column = _column_named(asked.wording)
    return None if column is None else _others_with_same(asked, column, own)


def _others_with_same(asked: Reading, column: Column, own: int) -> RowsAnswer | None:
    """Return the rows that have in ``column`` what the row ``own`` has; None without any other."""
    cell = column.cells[own]
    others = [row for row in asked.rows if row != own and column.cells[row] == cell]
    if is_empty(cell) or not others:
        return None
    asked.wording.used.update(asked.wording.heads(column))
    asked.by = [column]
    if not asked.is_accounted():
        return None
    names = listing(list(map(asked.table.called, others)))
    answer = f"{names} ({column.head}: {asked.cell(column, own)})"
    return asked.answered(DirectKind.NAME, answer, sorted([own, *others]))


def _row_named(wording: Wording) -> int | None:
    """Return the one row that is named by all of ``wording``."""
    held = list(values_named(wording))
    rows = [
        row for row in range(len(wording.table.lines)) if all(row in each.rows for each in held)
    ]
    return rows[0] if held and len(rows) == 1 and not wording.free else None


def _column_named(wording: Wording) -> Column | None:
    """Return the column but the key that ``wording`` has most of, else the one of money it asks."""
    able = [column for column in wording.table.columns if column is not wording.table.key]
    named = foremost(able, wording.share_left, least=HALF)
    if not named and not OF_MONEY.isdisjoint(wording.stems):
        named = [column for column in able if column.is_money]
    return sole(named)


def share_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return what the rows that ``text`` names have of the whole of one column, in per cent.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    found = _SHARE.match(text)
    if found is None:
        return None
    if _tells_shares(Wording(text, table)):
        return None
    asked = Reading(f"how many {found['rest']}", table)
    if not asked.wording.content or not 0 < len(asked.rows) < len(table.lines):
        return None
    figures = _figures_asked(asked)
    return None if figures is None else _share_of(asked, *figures)


def _tells_shares(wording: Wording) -> bool:
    """Whether a column that ``wording`` names tells shares itself: "Passed (%)"."""
    return any(
        ("%" in column.head or not _SHARES.isdisjoint(column.said)) and wording.heads(column)
        for column in wording.table.columns
    )


def _share_of(
    asked: Reading, column: Column | None, values: Sequence[Decimal]
) -> RowsAnswer | None:
    """Return what the rows that hold have of all ``values``, those of ``column`` or one a row."""
    asked.by = [column] if column else []
    part, whole = sum((values[row] for row in asked.rows), Decimal(0)), sum(values, Decimal(0))
    if min(values) < 0 or not whole or not asked.is_accounted():
        return None
    of = f"{column.head}: " if column else ""
    told = f"{of}{printed(part)} of {printed(whole)} in {asked.table.name}"
    answer = f"{_WHOLE * part / whole:.1f} % ({told})"
    return asked.answered(DirectKind.NUMBER, answer, asked.rows, CALCULATED)


def _figures_asked(asked: Reading) -> tuple[Column | None, list[Decimal]] | None:
    """Return the column of which a share is ``asked``, and its figures; one for each row counted.

    None where a cell has none, or they do not add up.
    """
    noun = asked.wording.stems[asked.wording.content[0]]
    if noun in asked.table.key.alike and asked.counts_rows():
        return None, [Decimal(1)] * len(asked.table.lines)
    column = _column_shared(asked, noun)
    values = _parts_in(column) if column else None
    return None if values is None else (column, values)


def _column_shared(asked: Reading, noun: str) -> Column | None:
    """Return the column that is ``asked`` for by ``noun``; where none is, the only one of figures.

    None for a share of what the row itself has: of its games, those it won.
    """
    column = asked.target()
    if column is None:
        return _only_figures(asked.table)
    return column if noun in column.alike else None


def _parts_in(column: Column) -> list[Decimal] | None:
    """Return the figures of ``column``; None where a cell has none, or they do not add up."""
    if not LEVELS.isdisjoint(column.stems) or column.unit == "%" or column.is_numbering:
        return None
    values = [value[0] for value in column.values if value is not None]
    return values if len(values) == len(column.cells) else None


def _only_figures(table: Table) -> Column | None:
    """Return the only column of figures, or the one that is headed as their total."""
    figures = [column for column in table.of_type(Type.NUMBER) if column is not table.key]
    totals = [column for column in figures if not TOTALS.isdisjoint(column.said)]
    return next((each[0] for each in (figures, totals) if len(each) == 1), None)
