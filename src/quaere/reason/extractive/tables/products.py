"""What several pieces cost, and what a stock is worth: a figure of a row times another."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, Asked, RowsAnswer
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import named, stems_of
from quaere.reason.extractive.tables.printing import printed
from quaere.text.dates import dates
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, numbers
from quaere.text.years import years_in

_COSTS = lazy_regex(
    r"(?i)^\W*(?:(?:how much|what)\b[^?]*\b(?:costs?|pay|is|are|was|were|would|be|for)\b"
    r"|what(?:'s| is) the (?:price|cost|total)\b)"
)
_WORTH = lazy_regex(r"(?i)\b(?:worth|(?:total )?value of)\b")
_QUANTITY = stems_of("stock hand quantity qty store held pieces count stored left")
_WHOLE = stems_of("total value amount sum worth")
_ALL = named("all whole entire total complete altogether everything together")
_MOST_PIECES = 10_000


def asks_for_a_product(text: str) -> bool:
    """Whether ``text`` may ask what several pieces cost, or what a stock is worth."""
    if _WORTH.search(text):
        return True
    return _COSTS.match(text) is not None and any(_is_count(n, text) for n in numbers(text))


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
    for number in numbers(text):
        if not _is_count(number, text):
            continue
        asked = Asked(f"{text[: number.start]} {text[number.end :]}", table)
        column = asked.target() or asked.by_type()
        if len(asked.rows) != 1 or column is None or not _is_price(column):
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


def _is_count(number: Number, text: str) -> bool:
    """Whether ``number`` counts pieces: a whole one without a unit, and no date."""
    if number.unit or number.value != number.value.to_integral():
        return False
    dated = [(date.start, date.end) for date in dates(text)]
    if any(start <= number.start < end for start, end in dated):
        return False
    digits = text[number.start : number.end]
    return 2 <= number.value <= _MOST_PIECES and not years_in(digits)


def _is_price(column: Column) -> bool:
    return column.type is Type.NUMBER and column.is_money and column.stems.isdisjoint(_WHOLE)


def _value_of_stock(text: str, table: Table) -> RowsAnswer | None:
    """Return what there is of one row, or of all, times the price of one."""
    figures = table.of_type(Type.NUMBER)
    prices = [column for column in figures if _is_price(column)]
    counts = [c for c in figures if not c.is_money and not _QUANTITY.isdisjoint(c.alike)]
    is_told = any(c.is_money and not c.stems.isdisjoint(_WHOLE) for c in figures)
    if len(prices) != 1 or len(counts) != 1 or is_told:
        return None
    asked = Asked(_WORTH.sub(" ", text), table)
    asked.by += [counts[0], prices[0]]
    wording = asked.wording
    everything = (at for at, word in enumerate(wording.words) if word in _ALL)
    wording.used.update((*wording.head_places(asked.by), *everything))
    values = [_product(counts[0], prices[0], row) for row in asked.rows]
    if not asked.is_accounted() or not values or any(value is None for value in values):
        return None
    total = sum((value for value in values if value is not None), Decimal(0))
    told = prices[0].with_unit(printed(total))
    row = asked.rows[0]
    how = (
        f"{counts[0].cells[row]} × {asked.cell(prices[0], row)}"
        if len(values) == 1
        else f"{counts[0].head} × {prices[0].head} over {len(values)} rows of {table.name}"
    )
    return asked.answered(DirectKind.NUMBER, f"{told} ({how})", asked.rows, CALCULATED)


def _product(count: Column, price: Column, row: int) -> Decimal | None:
    pieces, each = count.values[row], price.values[row]
    return None if pieces is None or each is None else pieces[0] * each[0]
