"""CSV and TSV: a page for each record."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.charset import decode
from quaere.read.clean import clean_line
from quaere.read.extract.grids import joined_heads, said_once
from quaere.read.extract.records import MAX_NAME, Field, RecordPages, line_at, lines_of
from quaere.read.formats import Format

_DELIMITERS = ",\t;|"
_SAMPLE_LINES = 20
# A quote that is never closed swallows what follows it; no honest cell is this long.
_MAX_RECORD_LINES = 1000
_MAX_RECORD_CHARS = 1_000_000
"""A longer line is none of a table; a million cells on one would take a gigabyte."""
# After so many broken records quotes mean nothing in this file, and each line stands for itself.
_MAX_RETRIES = 50
_QUOTED = re.compile(r'"[^"]*"')
_NUMBER = re.compile(r"[-+]?[\d.,]*\d[\d.,]*\s*%?")


class CsvExtractor:
    """Reads values separated by commas, tabs, semicolons or bars; a record has fragment ``row=N``.

    N counts records from 1, the header not among them.
    """

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield a page for each record that has a value.

        Raises:
            ReadError: ``broken`` at the end when records were malformed; ``empty`` when there were
                none.
        """
        text = decode(body.data, body.content_type)
        delimiter = _delimiter(text)
        kind = Format.TSV if delimiter == "\t" else Format.CSV
        columns, rows = _header(_rows(text, delimiter))
        records = RecordPages(body, kind, "row")
        for number, row in enumerate(rows, 1):
            if row.error:
                records.lose(f"row {number} (line {row.line})", row.error)
            elif page := records.page(number, _named(columns, row.cells)):
                yield page
        records.close()


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    """Number of its first line in the file."""
    cells: Sequence[str] = ()
    error: str = ""


def _rows(text: str, delimiter: str) -> Iterator[_Row]:
    """Yield the records of ``text``; a malformed one costs its own first line only."""
    at = retries = 0
    number = 1
    while at < len(text):
        line, after = line_at(text, at)
        used = 1
        if len(line) > _MAX_RECORD_CHARS:
            yield _Row(number, error=f"longer than {_MAX_RECORD_CHARS:,} characters")
        elif '"' not in line:
            if line.strip():
                yield _Row(number, line.split(delimiter))
        else:
            ends: list[int] = []
            span = _MAX_RECORD_LINES if retries < _MAX_RETRIES else 1
            reader = csv.reader(_fed(text, at, span, ends), delimiter=delimiter, strict=True)
            try:
                yield _Row(number, next(reader))
                used, after = reader.line_num, ends[reader.line_num - 1]
            except csv.Error as error:
                retries += 1
                yield _Row(number, error=str(error))
        at, number = after, number + used


def _fed(text: str, at: int, count: int, ends: list[int]) -> Iterator[str]:
    """Yield up to ``count`` lines of ``text`` from offset ``at``, noting where each ends."""
    last = min(len(text), at + _MAX_RECORD_CHARS)
    while at < last and len(ends) < count:
        line, at = line_at(text, at)
        ends.append(at)
        yield f"{line}\n"


def _delimiter(text: str) -> str:
    """Return the delimiter that cuts most of the first lines into equally many cells."""
    sample = [_QUOTED.sub("", line) for line in islice(lines_of(text), _SAMPLE_LINES)]
    best, best_score = ",", (0, 0)
    for delimiter in _DELIMITERS:
        counts = Counter(line.count(delimiter) for line in sample if delimiter in line)
        for cells, agreeing in counts.most_common(1):
            if (agreeing, cells) > best_score:
                best, best_score = delimiter, (agreeing, cells)
    return best


def _header(rows: Iterator[_Row]) -> tuple[Sequence[str], Iterator[_Row]]:
    """Return the names of the columns and the rows under them.

    A first row that begins with a number, or is broken, is data; its columns have no names then.
    Names may be in two rows, of which the first has some that go over several columns.
    """
    first = next(rows, None)
    if first is None:
        return (), rows
    if first.error or _NUMBER.fullmatch(first.cells[0].strip()):
        return (), _chained(first, rows)
    names = [clean_line(cell, MAX_NAME) for cell in first.cells]
    second = next(rows, None) if "" in said_once(names) else None
    if second is None:
        return _told_apart(names), rows
    joined = joined_heads(names, [clean_line(cell, MAX_NAME) for cell in second.cells])
    return (joined, rows) if joined else (_told_apart(names), _chained(second, rows))


def _told_apart(names: Sequence[str]) -> list[str]:
    """Return ``names`` with a number after one that is there already: a field has a name."""
    counts = Counter[str]()
    told = list[str]()
    for name in names:
        counts[name] += 1
        told.append(f"{name} ({counts[name]})" if name and counts[name] > 1 else name)
    return told


def _chained(first: _Row, rows: Iterator[_Row]) -> Iterator[_Row]:
    yield first
    yield from rows


def _named(columns: Sequence[str], cells: Sequence[str]) -> Iterator[Field]:
    """Yield the cells with the names of their columns, or with numbers where there are none."""
    for at, value in enumerate(cells):
        yield (columns[at] if at < len(columns) else "") or f"column {at + 1}", value
