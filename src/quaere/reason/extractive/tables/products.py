"""What several pieces cost of which a row has the price of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, Asked, RowsAnswer, printed
from quaere.reason.extractive.tables.columns import Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.ranges import column_holding, is_of_pieces
from quaere.text.dates import years_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, undated_numbers
from quaere.text.tokens import stems_of

_COSTS = lazy_regex(
    r"(?i)^\W*(?:(?:how much|what)\b[^?]*\b(?:costs?|pay|is|are|was|were|would|be|for)\b"
    r"|what(?:'s| is) the (?:price|cost|total)\b)"
)
_WHOLE = stems_of("total value amount sum worth")
"""Words in the heads of columns that tell what all pieces come to."""
_PIECES = lazy_regex(r"(?i)^\s*(?:pieces?|pcs|units?|items?|copies)\b")
_MOST_PIECES = 10_000
"""Pieces that a question asks the price of, at most: a greater number is something else."""


def asks_for_a_product(text: str) -> bool:
    """Whether ``text`` may ask what several pieces cost."""
    counts = any(_is_count(n, text) for n in undated_numbers(text))
    return _COSTS.match(text) is not None and counts


def product_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return what several pieces cost of which ``table`` has the price of one.

    None where it asks for no such thing, or the table has the product itself.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    if not _COSTS.match(text):
        return None
    return next(_of_pieces(text, table), None)


def _of_pieces(text: str, table: Table) -> Iterator[RowsAnswer]:
    """Yield what so many of the thing cost of which a row has the price: "three single swims"."""
    for number in undated_numbers(text):
        if not _is_count(number, text):
            continue
        rest = f"{text[: number.start]} {_PIECES.sub('', text[number.end :])}"
        found = _priced(rest, number.value, table)
        if found is not None:
            told = found.column.like([found.cell], printed(found.total))
            answer = f"{told} ({found.factors})"
            yield found.asked.answered(DirectKind.NUMBER, answer, found.asked.rows, CALCULATED)


@dataclass(frozen=True, slots=True)
class _Priced:
    """So many of one thing, and the cell of its price."""

    asked: Asked
    column: Column
    pieces: Decimal
    price: Decimal

    @property
    def cell(self) -> str:
        """The price as it is written."""
        return self.asked.cell(self.column, self.asked.rows[0])

    @property
    def total(self) -> Decimal:
        """What all of them cost."""
        return self.pieces * self.price

    @property
    def factors(self) -> str:
        """How that comes about."""
        return f"{self.pieces} × {self.cell}"


def _priced(text: str, pieces: Decimal, table: Table) -> _Priced | None:
    """Return the price of the thing of which ``text`` asks, ``pieces`` of it being meant."""
    asked = Asked(text, table)
    column = _of_so_many(table, pieces) or asked.target() or asked.by_type()
    if len(asked.rows) != 1 or column is None or not _is_price(column, table):
        return None
    asked.by.append(column)
    price = column.values[asked.rows[0]]
    if price is None or not asked.is_accounted():
        return None
    return _Priced(asked, column, pieces, price[0])


def _of_so_many(table: Table, pieces: Decimal) -> Column | None:
    """Return the column of prices for so many ``pieces``, where there are some: "From 10"."""
    return column_holding(table, pieces) if any(map(is_of_pieces, table.columns)) else None


def _is_count(number: Number, text: str) -> bool:
    """Whether ``number`` counts pieces: a whole one without a unit, and no year."""
    if number.unit or number.value != number.value.to_integral():
        return False
    digits = text[number.start : number.end]
    return 2 <= number.value <= _MOST_PIECES and not years_in(digits)


def _is_price(column: Column, table: Table) -> bool:
    is_sum = column.type is Type.NUMBER and may_be_money(column, table)
    return is_sum and column.stems.isdisjoint(_WHOLE)
