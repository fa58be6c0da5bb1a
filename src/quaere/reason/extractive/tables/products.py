"""What several pieces cost, and what a stock is worth: a figure of a row times another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, Asked, RowsAnswer
from quaere.reason.extractive.tables.columns import Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.lexicon import IN_STOCK, named, stems_of
from quaere.reason.extractive.tables.printing import printed
from quaere.reason.extractive.tables.ranges import column_holding, is_of_pieces
from quaere.text.dates import years_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, undated_numbers

_COSTS = lazy_regex(
    r"(?i)^\W*(?:(?:how much|what)\b[^?]*\b(?:costs?|pay|is|are|was|were|would|be|for)\b"
    r"|what(?:'s| is) the (?:price|cost|total)\b)"
)
_WORTH = lazy_regex(r"(?i)\b(?:worth|(?:total )?value of)\b")
_WHOLE = stems_of("total value amount sum worth")
"""Words in the heads of columns that tell what all pieces come to."""
_ALL = named("all whole entire total complete altogether everything together")
_PIECES = lazy_regex(r"(?i)^\s*(?:pieces?|pcs|units?|items?|copies)\b")
_MOST_PIECES = 10_000
"""Pieces that a question asks the price of, at most: a greater number is something else."""


def asks_for_a_product(text: str) -> bool:
    """Whether ``text`` may ask what several pieces cost, or what a stock is worth."""
    if _WORTH.search(text):
        return True
    return _COSTS.match(text) is not None and any(_is_count(n, text) for n in undated_numbers(text))


def product_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return what ``text`` asks to be multiplied, over one row of ``table`` or over all.

    None where it asks for no such thing, or the table has the product itself.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    if _WORTH.search(text):
        return _value_of_stock(text, table)
    return next(_of_pieces(text, table), None) if _COSTS.match(text) else None


def _of_pieces(text: str, table: Table) -> Iterator[RowsAnswer]:
    """Yield what so many of the thing cost of which a row has the price: "three single swims"."""
    for number in undated_numbers(text):
        if not _is_count(number, text):
            continue
        asked = Asked(f"{text[: number.start]} {_PIECES.sub('', text[number.end :])}", table)
        column = _of_so_many(table, number.value) or asked.target() or asked.by_type()
        if len(asked.rows) != 1 or column is None or not _is_price(column, table):
            continue
        asked.by.append(column)
        price = column.values[asked.rows[0]]
        if price is None or not asked.is_accounted():
            continue
        cell = asked.cell(column, asked.rows[0])
        told = column.like([cell], printed(number.value * price[0]))
        yield asked.answered(
            DirectKind.NUMBER, f"{told} ({number.value} × {cell})", asked.rows, CALCULATED
        )


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


@dataclass(frozen=True, slots=True)
class _Stock:
    """The column that tells how many there are of each thing, and that of the price of one."""

    count: Column
    price: Column

    def worth(self, rows: Sequence[int]) -> Decimal | None:
        """Return what all of ``rows`` are worth; None without any, or where a figure is missing."""
        pairs = [(self.count.values[row], self.price.values[row]) for row in rows]
        known = [pieces[0] * each[0] for pieces, each in pairs if pieces and each]
        return sum(known, Decimal(0)) if known and len(known) == len(pairs) else None


def _value_of_stock(text: str, table: Table) -> RowsAnswer | None:
    """Return what there is of one row, or of all, times the price of one."""
    stock = _stock_of(table)
    if stock is None:
        return None
    asked = Asked(_WORTH.sub(" ", text), table)
    asked.by += [stock.count, stock.price]
    wording = asked.wording
    everything = (at for at, word in enumerate(wording.words) if word in _ALL)
    wording.used.update((*wording.head_places(asked.by), *everything))
    worth = stock.worth(asked.rows)
    if worth is None or not asked.is_accounted():
        return None
    told = stock.price.with_unit(printed(worth))
    answer = f"{told} ({_factors(stock, asked)})"
    return asked.answered(DirectKind.NUMBER, answer, asked.rows, CALCULATED)


def _stock_of(table: Table) -> _Stock | None:
    """Return the only count and the only price of ``table``; None where it tells their product."""
    figures = table.of_type(Type.NUMBER)
    prices = [column for column in figures if column.is_money and _is_price(column, table)]
    counts = list(filter(_is_count_of_stock, figures))
    if len(prices) != 1 or len(counts) != 1 or any(map(_is_worth, figures)):
        return None
    return _Stock(counts[0], prices[0])


def _is_count_of_stock(column: Column) -> bool:
    return not column.is_money and not IN_STOCK.isdisjoint(column.alike)


def _is_worth(column: Column) -> bool:
    """Whether ``column`` tells what all pieces of a row come to."""
    return column.is_money and not column.stems.isdisjoint(_WHOLE)


def _factors(stock: _Stock, asked: Asked) -> str:
    """Return what is multiplied: the two cells of one row, or the heads of their columns."""
    if len(asked.rows) == 1:
        (row,) = asked.rows
        return f"{stock.count.cells[row]} × {asked.cell(stock.price, row)}"
    rows = f"{len(asked.rows)} rows of {asked.table.name}"
    return f"{stock.count.head} × {stock.price.head} over {rows}"
