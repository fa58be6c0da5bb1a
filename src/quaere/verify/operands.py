"""What a reader may reckon with: figures that belong together, and how many times an amount counts.

Figures belong together as cells of a row or a column, as entries of nearly the same name, or as
amounts of lines that a sentence names. How many times, the sentence says ("for both days"), or the
question with what its source counts ("for eight people" of a recipe that "serves four"); a part,
the sentence or the source near it ("reduced by one half").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import accumulate, combinations, groupby, product
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

from quaere.text.amounts import in_unit
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.text.tables import cells
from quaere.text.tokens import terms
from quaere.verify.ground import Ground, begins_within
from quaere.verify.quantities import MOST, is_digit_for_digit, rounds_to

MOST_ENTRIES: Final = 40
"""Lines with a figure each that are looked through for two of nearly the same name."""
_ENTRY_WORD: Final = lazy_regex(r"[^\W\d_]+")
MOST_ROWS: Final = 12
"""Rows of a table whose cells of one column are reckoned with."""
_FIELD: Final = lazy_regex(r"(?:(?<=^)|(?<=\n)|(?<=; ))(?P<name>[^:;\n]{1,60}): (?P<value>[^;\n]+)")


class Row(NamedTuple):
    """A row of a table."""

    name: frozenset[str]
    """Stems of its first cell."""
    cells: Sequence[tuple[int | str, Number]]
    """Its figures, each with the number of its column, or with the name of its field."""


def of_table(table: Sequence[Row], said: frozenset[str]) -> Iterator[Sequence[Number]]:
    """Yield the figures of each row of ``table``, and the columns of rows that ``said`` names.

    What stands first in a row names it and is not reckoned with.
    """
    rows = [row._replace(cells=[c for c in row.cells if c[0] not in {0, 1}]) for row in table]
    rows = _rows_about(rows, said)
    yield from ([number for _, number in row.cells] for row in rows)
    yield from _columns(rows)


def _rows_about(table: Sequence[Row], said: frozenset[str]) -> Sequence[Row]:
    return [row for row in table if row.cells and row.name & said] or table[:MOST_ROWS]


def _columns(rows: Iterable[Row]) -> Iterator[list[Number]]:
    """Yield the figures that ``rows`` have in each column."""
    held = sorted((cell for row in rows for cell in row.cells), key=itemgetter(0))
    for _, column in groupby(held, key=itemgetter(0)):
        yield [number for _, number in column]


def parallel_entries(source: Ground, said: frozenset[str]) -> Iterator[tuple[Number, Number]]:
    """Yield the figures of two entries whose names differ in one word or one part of a name.

    An entry is a line with one figure after its name: "deep_timeout = 150  # seconds". A word of
    the name is among those that are ``said``.
    """
    entries = [each for each in _entries(source) if each[2] & said]
    for one, other in combinations(entries[:MOST_ENTRIES], 2):
        shared = one[0] & other[0]
        apart = max(len(one[0] - other[0]), len(other[0] - one[0]))
        if shared and apart == 1:
            yield one[1], other[1]


def _entries(source: Ground) -> list[tuple[frozenset[str], Number, frozenset[str]]]:
    """Return the words of each name, the figure after it, and the stems of the words."""
    found: list[tuple[frozenset[str], Number, frozenset[str]]] = []
    for start, line in lines_at(source.text):
        held = between(source.measures, start, start + len(line))
        if len(held) == 1 and "|" not in line:
            name = source.text[start : held[0].start]
            parts = _ENTRY_WORD.findall(name.lower())
            found.append((frozenset(parts), held[0], frozenset(terms(" ".join(parts)))))
    return found


MOST_OF_ONE: Final = 4
"""Amounts of a sentence that are told together; of more, no one knows which is meant."""


def named(source: Ground, said: frozenset[str]) -> list[Number]:
    """Return the amounts of the sentences and lines of ``source`` that have a word of ``said``.

    As in "rent and repair", which are two lines of a statement that lists others as well.
    """
    rest = iter(outside_tables(source))
    number = next(rest, None)
    found: list[Number] = []
    for line in source.lines:
        own: list[Number] = []
        while number is not None and number.start < line.span.end:
            own.append(number)
            number = next(rest, None)
        if len(own) <= MOST_OF_ONE and line.terms & said:
            found.extend(own)
    return found


def outside_tables(source: Ground) -> list[Number]:
    """Return the amounts of ``source`` that are in no row of a table."""
    cells = {n.start for table in tables(source) for row in table for _, n in row.cells}
    return [number for number in source.measures if number.start not in cells]


def tables(source: Ground) -> Iterator[list[Row]]:
    """Yield the tables of ``source``, which other lines part."""
    table: list[Row] = []
    for start, line in lines_at(source.text):
        row = cells(line.rstrip("\n"))
        if row is not None:
            table.append(_row(source, row, start, start + len(line)))
        elif table:
            yield table
            table = []
    if table:
        yield table


def _row(source: Ground, row: Sequence[str], start: int, end: int) -> Row:
    figures = [_signed(n, source.text) for n in between(source.measures, start, end)]
    return Row(
        frozenset(terms("".join(row[:1]))),
        [(source.text.count("|", start, number.start), number) for number in figures],
    )


def _signed(number: Number, text: str) -> Number:
    """Return ``number``, below nothing if it is in brackets, as statements print a loss."""
    is_loss = text.endswith("(", 0, number.start) and text.startswith(")", number.end)
    return Number(-number.value, number.unit, number.start, number.end) if is_loss else number


def records(sources: Iterable[Ground]) -> list[Row]:
    """Return the rows of ``sources`` that are written as "field: value; field: value".

    Each row of a sheet may be a source by itself, so that they are one table across sources.
    """
    rows: list[Row] = []
    for source in sources:
        for start, line in lines_at(source.text):
            fields = list(_FIELD.finditer(source.text, start, start + len(line)))
            if len(fields) > 1:
                rows.append(_record(source, fields))
    return rows


def _record(source: Ground, fields: Sequence[re.Match[str]]) -> Row:
    figures = [
        (field["name"], number)
        for field in fields
        for number in between(source.measures, field.start("value"), field.end())
    ]
    return Row(frozenset(terms(fields[0]["value"])), figures)


def lines_at(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of ``text``, their ends included, each after where it begins."""
    lines = text.splitlines(keepends=True)
    yield from zip(accumulate(map(len, lines), initial=0), lines, strict=False)


_START = attrgetter("start")


def between(numbers: Sequence[Number], start: int, end: int) -> Sequence[Number]:
    """Return those of ``numbers``, in the order of a text, that begin in ``[start, end)``."""
    first = bisect_left(numbers, start, key=_START)
    return numbers[first : bisect_left(numbers, end, first, key=_START)]


LARGEST: Final = 1_000
"""The largest count that is multiplied with."""
MOST_FACTORS: Final = 24
"""Factors that are tried; among more, any figure would come up by chance."""

_COUNTS: Final = frozenset({"", "h", "d", "wk", "mo", "yr"})
_CLOCK: Final = lazy_regex(r"(?i)(?:[:/]\d|\s?(?:[ap]\.?m\b|uhr\b|o['’]clock\b))")
"""Follows the hours of a time of day, and the upper part of a ratio or a date."""
_TWICE: Final = lazy_regex(r"(?i)\b(?:both|twice|doubled?|beiden?|doppelt\w*|zweimal|deux fois)\b")
_THRICE: Final = lazy_regex(r"(?i)\b(?:thrice|tripled?|dreimal|dreifach\w*|trois fois)\b")


def factors(
    claim: Ground,
    own: Iterable[Number],
    asked: Ground,
    sources: Sequence[Ground],
    near: Sequence[Ground],
) -> tuple[Decimal, ...]:
    """Return by what a reader of ``claim`` may multiply an amount of its sources.

    Args:
        claim: A sentence.
        own: Those of its figures that are in its sources or in the question.
        asked: The question.
        sources: What it cites.
        near: The places of its sources that come nearest to it.
    """
    found = dict.fromkeys(
        (*_times(claim, own, asked), *_scales(asked, sources), *_parts(claim, near), *rates(near))
    )
    return tuple(each for each in found if each not in {0, 1})[:MOST_FACTORS]


def is_multiple(
    wanted: Number, group: Iterable[Number], by: Sequence[Decimal], *, is_rounded: bool
) -> bool:
    """Return whether an amount of ``group`` times one of ``by`` is ``wanted``, units converted.

    It is the amount in all its digits but where it ``is_rounded``. A share counts for nothing here.
    """
    if wanted.value == 1 or wanted.unit == "%":
        return False
    amounts = filter(_is_amount, group)
    comes_to = rounds_to if is_rounded else is_digit_for_digit
    return any(_is_product(wanted, *pair, comes_to) for pair in product(amounts, by))


def _is_amount(number: Number) -> bool:
    return number.unit != "%" and number.value not in {0, 1}


def _is_product(
    wanted: Number, amount: Number, factor: Decimal, comes_to: Callable[[Number, Decimal], bool]
) -> bool:
    value = abs(amount.value) * factor
    if wanted.unit and amount.unit:
        converted = in_unit(value, amount.unit, wanted.unit)
        return converted is not None and comes_to(wanted, converted)
    return comes_to(wanted, value)


def _times(claim: Ground, own: Iterable[Number], asked: Ground) -> Iterator[Decimal]:
    """Yield how many times the sentence or the question counts, and the parts that this makes."""
    if _TWICE.search(claim.text):
        yield Decimal(2)
    if _THRICE.search(claim.text):
        yield Decimal(3)
    in_words = (n for n in claim.measures if claim.text[n.start : n.end].isalpha())
    for count in (*_counts(claim, (*own, *in_words)), *_counts(asked, asked.numbers)):
        yield count
        yield 1 / count


def _scales(asked: Ground, sources: Sequence[Ground]) -> Iterator[Decimal]:
    """Yield how many times as much as the sources count the question asks about."""
    for wanted in _counts(asked, asked.numbers):
        for source in sources:
            bare = (number for number in source.numbers[:MOST] if not number.unit)
            yield from (wanted / held for held in _counts(source, bare))


def _counts(text: Ground, numbers: Iterable[Number]) -> Iterator[Decimal]:
    """Yield those of ``numbers`` of ``text`` that count things or spans of time."""
    for number in numbers:
        is_whole = number.value == number.value.to_integral_value()
        is_count = number.unit in _COUNTS and not begins_within(number, text.dates)
        if is_count and is_whole and 2 <= number.value <= LARGEST and not _is_part(number, text):
            yield number.value


_EACH: Final = lazy_regex(
    r"(?i)(?:\s[^\W\d]+)?\s?(?:/|\b(?:per|each|an?|every|times|pro|je|mal|par|chacune?|fois|por|cada"
    r"|veces|al?|im|volte|vezes|keer|elk)\b)"
)
_AT: Final = lazy_regex(r"(?i)(?:\b(?:at|of|zu|à|de|each|je)|[x×@])\s\W?\Z")


def rates(near: Iterable[Ground]) -> Iterator[Decimal]:
    """Yield what is told for each of several: 54 of "54 marks a tonne", 32 of "9 hours at 32"."""
    for text in near:
        for number in text.measures[:MOST]:
            before = text.text[max(0, number.start - 8) : number.start]
            if _EACH.match(text.text, number.end) or _AT.search(before):
                yield abs(number.value)


def _is_part(number: Number, text: Ground) -> bool:
    """Return whether ``number`` is of a time of day, of a ratio or of a date in figures."""
    before = text.text[max(0, number.start - 2) : number.start]
    is_behind = before[:1].isdigit() and before[-1:] in {":", "/"}
    return is_behind or _CLOCK.match(text.text, number.end) is not None


def _parts(claim: Ground, near: Sequence[Ground]) -> Iterator[Decimal]:
    """Yield the shares that are named, and what is left or comes to it by each."""
    for text in (claim, *near):
        for number in (*text.worded, *text.numbers):
            if number.unit == "%" and 0 < number.value < 100:
                share = number.value / 100
                yield from (share, 1 - share, 1 + share)
