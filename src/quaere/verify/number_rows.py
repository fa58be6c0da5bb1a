"""The rows of tables and records, and the figures of them that may be reckoned with together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations, groupby
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.text.tables import cells
from quaere.text.tokens import terms
from quaere.verify.ground import Ground

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
