"""Rows that stand for a stretch of amounts: "2 to 5 years", "over 20 kg", "10+"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from quaere.reason.extractive.tables.columns import Column
from quaere.reason.extractive.tables.lexicon import stems_of
from quaere.reason.extractive.tables.wording import Condition, Undecided, Wording
from quaere.text.dates import dates
from quaere.text.numbers import numbers

_BELOW = re.compile(
    r"(?i)^\W*(?:(?:less|fewer|lower|younger) than|under|below|before)\b|^\s*<(?!=)"
)
_UP_TO = re.compile(r"(?i)^\W*(?:up to|at most|no more than|until|max(?:imum|\.)?)\b|^\s*(?:<=|≤)")
_ABOVE = re.compile(r"(?i)^\W*(?:(?:more|greater|older) than|over|above|beyond)\b|^\s*>(?!=)")
_FROM = re.compile(r"(?i)^\W*(?:from|at least|no less than|min(?:imum|\.)?)\b|^\s*(?:>=|≥)")
_OR_MORE = re.compile(
    r"(?i)\d\s*\w{0,3}\s*\+|\b(?:or|and) (?:more|over|above|older|up(?:wards)?)\b"
)
_OR_LESS = re.compile(r"(?i)\b(?:or|and) (?:less|fewer|under|below|younger)\b")
_TO = re.compile(r"(?i)\d\D{0,6}?(?:-|–|—|\bto\b|\band\b)\D{0,3}\d")
_SCALES: Mapping[str, Decimal] = {
    "mg": Decimal("0.000001"), "g": Decimal("0.001"), "t": Decimal(1000),
    "mm": Decimal("0.001"), "cm": Decimal("0.01"), "km": Decimal(1000),
    "ml": Decimal("0.001"), "cl": Decimal("0.01"),
}  # fmt: skip
"""Of units, in kilograms, metres and litres."""
_SPANS = stems_of("minute hour day week month year")
_FEWEST = 2
"""Rows that are stretches, at least, for a column to be of them."""
_OF_STRETCHES = 0.9


@dataclass(frozen=True, slots=True)
class Stretch:
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


def stretch_of(cell: str, unit: str = "") -> Stretch | None:
    """Return the amounts for which ``cell`` stands; None where it names none.

    Args:
        cell: As "251 g to 1 kg"; grams are told in kilograms, and so on.
        unit: That of figures which have none.
    """
    told = numbers(cell.replace("–", "-").replace("+", " + "))
    own = next((number.unit for number in reversed(told) if number.unit), unit)
    found = [_scaled(number.value, number.unit or own) for number in told]
    if len(found) == 2 and _TO.search(cell):
        first, second = found[0], abs(found[1])
        return Stretch(first, second) if first <= second else None
    if len(found) != 1:
        return None
    (only,) = found
    if _BELOW.search(cell):
        return Stretch(None, only, most_is_in=False)
    if _UP_TO.search(cell) or _OR_LESS.search(cell):
        return Stretch(None, only)
    if _ABOVE.search(cell):
        return Stretch(only, None, least_is_in=False)
    if _FROM.search(cell) or _OR_MORE.search(cell):
        return Stretch(only, None)
    return Stretch(only, only)


def _scaled(value: Decimal, unit: str) -> Decimal:
    return value * _SCALES.get(unit, Decimal(1))


def in_stretches(wording: Wording) -> Iterator[Condition]:
    """Yield the row in whose stretch an amount of the question is, of the only column of such.

    Raises:
        Undecided: when two stretches hold it, as at the end of one and the beginning of the next.
    """
    told = [(column, found) for column in wording.table.columns if (found := _stretches(column))]
    amounts = list(_amounts(wording))
    if len(told) != 1 or len(amounts) != 1:
        return
    (column, stretches), (places, amount) = told[0], amounts[0]
    rows = frozenset(
        row for row, stretch in enumerate(stretches) if stretch and stretch.holds(amount)
    )
    if len(rows) > 1:
        raise Undecided
    if rows and _is_in_its_unit(wording, column, places[-1]):
        wording.used.update((*places, *wording.heads(column)))
        yield Condition(column, rows, is_value=True)


def _is_in_its_unit(wording: Wording, column: Column, at: int) -> bool:
    """Whether the time told at ``at`` is in the unit of ``column``: "6 months" is not of years."""
    told = _SPANS.intersection(wording.stems[at : at + 2])
    own = _SPANS.intersection(column.stems.union(*column.terms))
    return not told or not own or bool(told & own)


def _stretches(column: Column) -> list[Stretch | None]:
    """Return what the cells of ``column`` stand for; nothing where they are not of stretches."""
    found = [stretch_of(cell, column.unit) for cell in column.cells]
    open_ones = [each for each in found if each and each.least != each.most]
    known = sum(each is not None for each in found)
    is_of_them = len(open_ones) >= _FEWEST and known >= _OF_STRETCHES * len(found)
    return found if is_of_them else []


def _amounts(wording: Wording) -> Iterator[tuple[list[int], Decimal]]:
    """Yield the amounts of the question that nothing accounts for, each with where it is said."""
    dated = [(date.start, date.end) for date in dates(wording.text)]
    for number in numbers(wording.text):
        if any(start <= number.start < end for start, end in dated):
            continue
        starts = enumerate(token.start for token in wording.tokens)
        places = [at for at, start in starts if number.start <= start < number.end]
        if places and wording.used.isdisjoint(places):
            yield places, _scaled(number.value, number.unit)
