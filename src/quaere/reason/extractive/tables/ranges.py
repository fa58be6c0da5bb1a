"""Rows that stand for a stretch of amounts, and rows of which one cell is set against another.

"2 to 5 years", "over 20 kg", "10+"; "below their reorder level", "over budget".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from quaere.reason.extractive.tables.columns import ORDERED, Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.wording import (
    HALF,
    Condition,
    Undecided,
    Wording,
    foremost,
    sole,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.numbers import numbers, undated_numbers
from quaere.text.tokens import stems_of

_TO = lazy_regex(r"(?i)\d\D{0,6}?(?:-|–|—|\bto\b|\band\b)\D{0,3}\d")
_SCALES: Mapping[str, Decimal] = {
    "mg": Decimal("0.000001"), "g": Decimal("0.001"), "t": Decimal(1000),
    "mm": Decimal("0.001"), "cm": Decimal("0.01"), "km": Decimal(1000),
    "ml": Decimal("0.001"), "cl": Decimal("0.01"),
}  # fmt: skip
"""What one of each unit comes to in kilograms, metres or litres."""
_SPANS = stems_of("minute hour day week month year")
_AGED = _SPANS | stems_of("old yr yo aged age pieces people persons")
"""What an amount is of that needs not be in the head of its column."""
_OF_PIECES = lazy_regex(
    r"(?i)^\W*(?:from\s+)?\d[\d\s–-]*\+?$|\b(?:from|pieces?|pcs|units?|items?|copies)\b"
)
"""Heads what holds from so many pieces on; "Over 65" heads what is for people of an age."""
_IN_A_NAME = lazy_regex(r"[^\W\d_][\w/]*-?$")
"""What a figure is part of that counts nothing: the "HM-" of "HM-5"."""
_FEWEST = 2
"""Rows that are stretches, at least, for a column to be of them."""
_OF_STRETCHES = 0.9
"""Share of the cells of such a column that name amounts, at least."""


class Stretch(NamedTuple):
    """Amounts from ``least`` to ``most``; None where they have no end on that side."""

    least: Decimal | None
    most: Decimal | None
    least_is_in: bool = True
    most_is_in: bool = True

    def holds(self, amount: Decimal) -> bool:
        """Whether ``amount`` is one of them."""
        if self.least is not None and (amount < self.least or self._is_out(amount, self.least)):
            return False
        return self.most is None or amount < self.most or (amount == self.most and self.most_is_in)

    def _is_out(self, amount: Decimal, least: Decimal) -> bool:
        return amount == least and not self.least_is_in


class _OpenEnd(NamedTuple):
    """A wording of a stretch of which one end alone is told."""

    pattern: re.Pattern[str]
    is_least: bool
    """Whether the end that is told is the least amount, and not the greatest."""
    is_in: bool = True
    """Whether that amount is of the stretch itself."""

    def stretch(self, end: Decimal) -> Stretch:
        """Return the stretch that ends, or begins, with the amount ``end``."""
        if self.is_least:
            return Stretch(end, None, least_is_in=self.is_in)
        return Stretch(None, end, most_is_in=self.is_in)


_OPEN_ENDS = (
    _OpenEnd(
        lazy_regex(
            r"(?i)^\W*(?:(?:less|fewer|lower|younger) than|under|below|before)\b|^\s*<(?!=)"
        ),
        is_least=False,
        is_in=False,
    ),
    _OpenEnd(
        lazy_regex(
            r"(?i)^\W*(?:up to|at most|no more than|until|max(?:imum|\.)?)\b|^\s*(?:<=|≤)"
            r"|\b(?:or|and) (?:less|fewer|under|below|younger)\b"
        ),
        is_least=False,
    ),
    _OpenEnd(
        lazy_regex(r"(?i)^\W*(?:(?:more|greater|older) than|over|above|beyond)\b|^\s*>(?!=)"),
        is_least=True,
        is_in=False,
    ),
    _OpenEnd(
        lazy_regex(
            r"(?i)^\W*(?:from|at least|no less than|min(?:imum|\.)?)\b|^\s*(?:>=|≥)"
            r"|\d\s*\w{0,3}\s*\+|\b(?:or|and) (?:more|over|above|older|up(?:wards)?)\b"
        ),
        is_least=True,
    ),
)
"""In the order in which they are tried."""


def stretch_of(cell: str, unit: str = "") -> Stretch | None:
    """Return the amounts for which ``cell`` stands; None where it names none.

    Args:
        cell: As "251 g to 1 kg"; grams are told in kilograms, and so on.
        unit: That of figures which have none.
    """
    found = _amounts_in(cell, unit)
    if len(found) == 2 and _TO.search(cell):
        first, second = found[0], abs(found[1])
        return Stretch(first, second) if first <= second else None
    if len(found) != 1:
        return None
    (only,) = found
    told = (each.stretch(only) for each in _OPEN_ENDS if each.pattern.search(cell))
    return next(told, Stretch(only, only))


def _amounts_in(cell: str, unit: str) -> list[Decimal]:
    """Return the figures of ``cell`` to scale: in the last unit it has, else in ``unit``."""
    told = numbers(cell.replace("–", "-").replace("+", " + "))
    own = next((number.unit for number in reversed(told) if number.unit), unit)
    return [_scaled(number.value, number.unit or own) for number in told]


def _scaled(value: Decimal, unit: str) -> Decimal:
    return value * _SCALES.get(unit, Decimal(1))


def in_stretches(wording: Wording) -> Iterator[Condition]:
    """Yield the row in whose stretch an amount of the question is, of the only column of such.

    Raises:
        Undecided: when two stretches hold it, as at the end of one and the beginning of the next.
    """
    amounts = list(_amounts(wording))
    if len(amounts) != 1:
        return  # before any cell is read, for few questions name an amount and tables are long
    told = [(column, found) for column in wording.table.columns if (found := _stretches(column))]
    if len(told) != 1:
        return
    (column, stretches), (places, amount) = told[0], amounts[0]
    rows = _rows_holding(amount, stretches)
    if rows and _is_in_its_unit(wording, column, places[-1]):
        wording.used.update((*places, *wording.heads(column)))
        yield Condition(column, rows, is_value=True)


def column_holding(table: Table, amount: Decimal) -> Column | None:
    """Return the column of figures whose head stands for ``amount``: "From 10 pieces" of 12.

    Of several that from the greatest amount on; where none does, the only one that stands for no
    stretch.

    Raises:
        Undecided: when several do as well.
    """
    figures = table.of_type(Type.NUMBER)
    told = [(column, stretch) for column in figures if (stretch := _stretch_of_head(column))]
    begins = [(column, each.least or Decimal(0)) for column, each in told if each.holds(amount)]
    if told and not begins:
        return _only_other(figures, [column for column, _ in told])
    last = max((begin for _, begin in begins), default=Decimal(0))
    return sole([column for column, begin in begins if begin == last])


def _only_other(figures: Sequence[Column], known: Sequence[Column]) -> Column | None:
    """Return the one of ``figures`` that is not ``known`` and is of the same, money or not."""
    others = [c for c in figures if c not in known and c.is_money == known[0].is_money]
    return others[0] if len(others) == 1 else None


def is_of_pieces(column: Column) -> bool:
    """Whether ``column`` is of so many pieces, by a head that stands for a stretch of amounts."""
    return _stretch_of_head(column) is not None and _OF_PIECES.search(column.head) is not None


def _stretch_of_head(column: Column) -> Stretch | None:
    found = stretch_of(column.head)
    return found if found and found.least != found.most else None


def column_of_amount(wording: Wording) -> Column | None:
    """Return the column whose head stands for the only amount of ``wording``: "Over 65" of 70.

    The amount is accounted for, with what it is of.

    Raises:
        Undecided: when several columns do.
    """
    amounts = list(_amounts(wording))
    if len(amounts) != 1:
        return None
    (places, amount) = amounts[0]
    column = column_holding(wording.table, amount)
    if column is not None:
        end = places[-1] + 1
        behind = range(end, min(end + 2, len(wording.stems)))
        beside = (at for at in behind if wording.stems[at] in _AGED)
        wording.used.update((*places, *beside, *wording.heads(column)))
    return column


def _rows_holding(amount: Decimal, stretches: Sequence[Stretch | None]) -> frozenset[int]:
    """Return the row of the stretch that ``amount`` is in; none without such a row.

    Raises:
        Undecided: when several hold it.
    """
    rows = [row for row, stretch in enumerate(stretches) if stretch and stretch.holds(amount)]
    if len(rows) > 1:
        raise Undecided
    return frozenset(rows)


def _is_in_its_unit(wording: Wording, column: Column, at: int) -> bool:
    """Whether the time told at ``at`` is in the unit of ``column``: "6 months" is not of years."""
    told = _SPANS.intersection(wording.stems[at : at + 2])
    own = _SPANS.intersection(column.stems.union(*column.terms))
    return not told or not own or bool(told & own)


def _stretches(column: Column) -> list[Stretch | None]:
    """Return what the cells of ``column`` stand for; nothing where they are not of stretches."""
    found = [stretch_of(cell, column.unit) for cell in column.cells]
    open_ones = [each for each in found if each and each.least != each.most]
    known = len(found) - found.count(None)
    is_of_them = len(open_ones) >= _FEWEST and known >= _OF_STRETCHES * len(found)
    return found if is_of_them else []


def _amounts(wording: Wording) -> Iterator[tuple[list[int], Decimal]]:
    """Yield the amounts of the question that nothing accounts for, each with where it is said."""
    for number in undated_numbers(wording.text):
        starts = enumerate(token.start for token in wording.tokens)
        places = [at for at, start in starts if number.start <= start < number.end]
        if _IN_A_NAME.search(wording.text[: number.start]):
            continue
        if places and wording.used.isdisjoint(places):
            yield places, _scaled(number.value, number.unit)


_AGAINST = lazy_regex(
    r"(?i)\b(?:(?:fell|fall(?:en|s|ing)?|dropp(?:ed|ing)|drops?|sunk|risen|rose|gone|went|run|ran)\s+)?"
    r"(?P<level>at or )?"
    r"(?:(?P<below>(?:less|fewer|lower|smaller|earlier|cheaper|shorter) than"
    r"|under|below|short of|behind|beneath)"
    r"|(?:(?:more|greater|higher|later|larger|longer|dearer|better) than|over|above|beyond"
    r"|exceed(?:s|ed|ing)?|past|ahead of))\s+"
    r"(?:(?:their|its|his|her|the|what (?:was|were|is)|was|were|is)\s+){0,2}(?P<rest>[^?]+)"
)
_LIMITS = word_set("stock level limit point mark threshold value figure target amount")
"""Words that follow the name of a bound: the "level" of "reorder level"."""
_NEAR = 3
"""How many words after the comparative such a word is of the bound, at most."""


def against_each_other(wording: Wording) -> Iterator[Condition]:
    """Yield the rows in which one column is below, or above, another that the question names.

    Raises:
        Undecided: when several columns may be set against it.
    """
    found = _AGAINST.search(wording.text)
    if found is None:
        return
    behind = [at for at in wording.free if wording.tokens[at].start >= found.start("rest")]
    sides = _sides(wording, behind)
    if sides is None:
        return
    column, bound = sides
    wording.use(found.start(), found.start("rest"), column)
    limits = (at for at in behind[:_NEAR] if wording.words[at] in _LIMITS)
    wording.used.update((*wording.heads(bound), *limits))
    rows = _rows_beyond(column, bound, below=found["below"] is not None)
    yield Condition(column, rows | _rows_level(column, bound) if found["level"] else rows)


def _sides(wording: Wording, behind: Sequence[int]) -> tuple[Column, Column] | None:
    """Return the column that is compared, and its bound, which the words at ``behind`` name."""
    bound = _bound(wording, behind)
    if bound is None:
        return None
    column = _compared(wording, bound, [at for at in wording.free if at not in behind])
    return None if column is None else (column, bound)


def _rows_beyond(column: Column, bound: Column, *, below: bool) -> frozenset[int]:
    """Return the rows whose cell in ``column`` is below that in ``bound``, or else above it."""
    sides = enumerate(zip(column.values, bound.values, strict=True))
    known = [(row, own, other) for row, (own, other) in sides if own and other]
    return frozenset(row for row, own, other in known if (own < other if below else own > other))


def _rows_level(column: Column, bound: Column) -> frozenset[int]:
    """Return the rows that have the same in ``column`` and in ``bound``."""
    sides = enumerate(zip(column.values, bound.values, strict=True))
    return frozenset(row for row, (own, other) in sides if own and own == other)


def _bound(wording: Wording, places: Sequence[int]) -> Column | None:
    """Return the column whose head the words at ``places`` begin with; None without one.

    A value is not one: what comes after it has a figure.
    """
    if any(any(map(str.isdigit, wording.words[at])) for at in places[:1]):
        return None
    able = wording.table.of_type(*ORDERED)
    first = [column for column in able if wording.heads(column, places[:1])]
    told = first or [column for column in able if wording.heads(column, places[:2])]
    return sole(foremost(told, lambda c: wording.share(c, places), least=HALF))


def _compared(wording: Wording, bound: Column, places: Sequence[int]) -> Column | None:
    """Return the column that is set against ``bound``: one that is named, else the only such."""
    able = [
        column
        for column in wording.table.of_type(bound.type)
        if column is not bound
        and may_be_money(column, wording.table) == may_be_money(bound, wording.table)
    ]
    told = [column for column in able if wording.heads(column, places)]
    return sole(foremost(told, lambda c: wording.share(c, places)) or able)
