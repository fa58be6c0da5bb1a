"""What several pieces cost, and what a stock is worth: a figure of a row times another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, Asked, RowsAnswer, printed
from quaere.reason.extractive.tables.columns import Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.lexicon import IN_STOCK
from quaere.reason.extractive.tables.ranges import column_holding, is_of_pieces
from quaere.text.dates import years_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.numbers import Number, numbers, undated_numbers
from quaere.text.tokens import stems_of

_COSTS = lazy_regex(
    r"(?i)^\W*(?:(?:how much|what)\b[^?]*\b(?:costs?|pay|is|are|was|were|would|be|for)\b"
    r"|what(?:'s| is) the (?:price|cost|total)\b)"
)
_WORTH = lazy_regex(r"(?i)\b(?:worth|value of|total (?:cost|price|value)(?: of)?)\b")
_WHOLE = stems_of("total value amount sum worth")
"""Words in the heads of columns that tell what all pieces come to."""
_ALL = word_set("all whole entire total complete altogether everything together")
_PIECES = lazy_regex(r"(?i)^\s*(?:pieces?|pcs|units?|items?|copies)\b")
_HOW_MANY = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
_COUNTED = lazy_regex(rf"(?i)\b(?P<count>{_HOW_MANY}) (?P<what>[a-z-]+)")
_PARTY = lazy_regex(rf"(?i)\b{_HOW_MANY} [a-z-]+(?:(?:,| and|, and| plus) {_HOW_MANY} [a-z-]+)+")
"""Things of several sorts: "two adults and a child"."""
_ONE = frozenset({"a", "an", "one"})
_MOST_PIECES = 10_000
"""Pieces that a question asks the price of, at most: a greater number is something else."""


def asks_for_a_product(text: str) -> bool:
    """Whether ``text`` may ask what several pieces cost, or what a stock is worth."""
    if _WORTH.search(text):
        return True
    counts = any(_is_count(n, text) for n in undated_numbers(text)) or _PARTY.search(text)
    return _COSTS.match(text) is not None and bool(counts)


def product_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return what several pieces cost of which ``table`` has the price of one.

    None where it asks for no such thing, or the table has the product itself.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    if not _COSTS.match(text):
        return None
    party = _PARTY.search(text)
    return _of_party(text, party, table) if party else next(_of_pieces(text, table), None)


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


def _of_party(text: str, party: re.Match[str], table: Table) -> RowsAnswer | None:
    """Return what all of a ``party`` cost together: "two adults and a child"."""
    found = list[_Priced]()
    for part in _COUNTED.finditer(party[0]):
        one = f"{text[: party.start()]}{part['what']}{text[party.end() :]}"
        value = Decimal(1) if part["count"].casefold() in _ONE else numbers(part["count"])[0].value
        priced = _priced(one, value, table)
        if priced is None:
            return None
        found.append(priced)
    rows = sorted({row for each in found for row in each.asked.rows})
    total = printed(sum((each.total for each in found), Decimal(0)))
    told = found[0].column.like([each.cell for each in found], total)
    factors = " + ".join(each.factors for each in found)
    answer = found[0].asked.answered(DirectKind.NUMBER, f"{told} ({factors})", rows, CALCULATED)
    return replace(answer, columns=answer.columns.union(each.column.head for each in found))


class _Priced(NamedTuple):
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
    column = _price_asked(asked, pieces)
    if len(asked.rows) != 1 or column is None:
        return None
    asked.by.append(column)
    price = column.values[asked.rows[0]]
    is_told = price is not None and asked.is_accounted()
    return _Priced(asked, column, pieces, price[0]) if price and is_told else None


def _price_asked(asked: Asked, pieces: Decimal) -> Column | None:
    """Return the column of prices that is asked for, ``pieces`` being meant."""
    column = _of_so_many(asked.table, pieces) or asked.target() or asked.by_type()
    return column if column is not None and _is_price(column, asked.table) else None


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


def worth_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return what a stock is worth: what there is of one row, or of all, times the price of one.

    Raises:
        Undecided: when several columns or rows could be meant.
    """
    stock = _stock_of(table) if _WORTH.search(text) else None
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
    counts = list(filter(_is_count_of_stock, figures))
    prices = [c for c in figures if c not in counts and _is_price(c, table)]
    if len(prices) != 1 or len(counts) != 1 or any(map(_is_worth, figures)):
        return None
    return _Stock(counts[0], prices[0])


def _is_count_of_stock(column: Column) -> bool:
    return not column.is_money and not IN_STOCK.isdisjoint(column.alike)


def _is_worth(column: Column) -> bool:
    """Whether ``column`` tells what all pieces of a row come to."""
    return not _is_count_of_stock(column) and not column.stems.isdisjoint(_WHOLE)


def _factors(stock: _Stock, asked: Asked) -> str:
    """Return what is multiplied: the two cells of one row, or the heads of their columns."""
    if len(asked.rows) == 1:
        (row,) = asked.rows
        return f"{stock.count.cells[row]} × {asked.cell(stock.price, row)}"
    rows = f"{len(asked.rows)} rows of {asked.table.name}"
    return f"{stock.count.head} × {stock.price.head} over {rows}"
