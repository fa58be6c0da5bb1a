"""Records of CSV, TSV, JSON and JSON Lines as pages: one as readable text, errors in the others."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TypeGuard, cast

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.extract.grids import joined_heads, said_once
from quaere.read.extract.page import broken, empty, make_page, name_of
from quaere.read.formats import Format
from quaere.text.clean import clean_line, clean_text, decode

Field = tuple[str, str]
"""Name and value."""
MAX_NAME = 200
"""Characters of a name: it is repeated in every record, and may not make these long."""

_TITLES = ("title", "name", "heading", "headline", "label")
_BODIES = ("text", "body", "content", "abstract", "passage", "paragraph", "article")
_AUTHORS = ("author", "authors", "byline", "creator")
_DATES = ("published", "date", "published_at", "publication_date", "date_published", "created_at")
_LANGUAGES = ("language", "lang")

# Identifiers and bookkeeping, which mean nothing to a reader.
_BOOKKEEPING = re.compile(
    r"(?:.*[_.-])?(?:id|ids|uid|uuid|guid|key|hash|sha\d*|md5|checksum|etag|index|idx|rank|score"
    r"|dataset|split|shard|source|src|type|version|url|uri|link|href|embedding|vector|offset)",
    re.IGNORECASE,
)
_MAX_SHORT = 80
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


@dataclass(frozen=True, slots=True)
class Record:
    """What a record shows."""

    title: str
    text: str
    author: str = ""
    published: str = ""
    language: str = ""


def render(fields: Iterable[Field]) -> Record:
    """Return the record that ``fields`` make up; ``text`` is empty when no field has a value.

    A record with a body is its body, followed by its other short fields unless they only keep the
    books. One without is all its fields, as ``name: value; name: value``.
    """
    filled = [(name, value.strip()) for name, value in fields if value.strip()]
    places = {name.lower(): place for place, (name, _) in reversed([*enumerate(filled)])}
    title, body_at = _value(filled, places, _TITLES), _body_at(filled, places)
    about = {
        "author": _value(filled, places, _AUTHORS),
        "published": _date(_value(filled, places, _DATES)),
        "language": _value(filled, places, _LANGUAGES)[:2].lower(),
    }
    if body_at is None:
        return Record(title, _listed(filled), **about)
    rest = _listed(_others(filled, without=(_first(places, _TITLES), body_at)))
    text = filled[body_at][1]
    return Record(title, f"{text}\n\n{rest}" if rest else text, **about)


def _body_at(fields: Sequence[Field], places: Mapping[str, int]) -> int | None:
    """Return the place of the field that is a text to read; None without one."""
    at = _first(places, _BODIES)
    return None if at is None or _is_ware(*fields[at]) else at


def _others(fields: Sequence[Field], without: Sequence[int | None]) -> Iterator[Field]:
    """Yield the fields that add something to a body, but for those at the places ``without``."""
    for place, field in enumerate(fields):
        if place not in without and _adds_something(*field):
            yield field


def _is_ware(name: str, value: str) -> bool:
    """Whether an "article" is one that is sold, and not one that is read."""
    return name.lower() == "article" and len(value) <= _MAX_SHORT


def _first(places: Mapping[str, int], names: Sequence[str]) -> int | None:
    """Return the place of the field that bears the first of ``names`` found."""
    return next((places[name] for name in names if name in places), None)


def _value(fields: Sequence[Field], places: Mapping[str, int], names: Sequence[str]) -> str:
    place = _first(places, names)
    return "" if place is None else fields[place][1]


def _date(value: str) -> str:
    """Return the ISO date that ``value`` begins with; empty for other spellings."""
    found = _DATE.match(value)
    return found[0] if found else ""


def _listed(fields: Iterable[Field]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in fields)


def _adds_something(name: str, value: str) -> bool:
    if max(len(name), len(value)) > _MAX_SHORT or "\n" in value or name.lower() in _LANGUAGES:
        return False
    return not _keeps_books(name)


@lru_cache(maxsize=1000)
def _keeps_books(name: str) -> bool:
    return _BOOKKEEPING.fullmatch(name) is not None


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of ``text`` without their ends."""
    at = 0
    while at < len(text):
        line, at = line_at(text, at)
        yield line


def line_at(text: str, at: int) -> tuple[str, int]:
    """Return the line that begins at offset ``at``, and where the next one begins."""
    end = text.find("\n", at)
    return (text[at:], len(text)) if end < 0 else (text[at:end], end + 1)


_TOLD = 3


class RecordPages:
    """Makes a page of each record of ``body``; ``noun`` and number make its fragment and mark."""

    def __init__(self, body: Body, kind: Format, noun: str) -> None:
        self._body, self._kind, self._noun = body, kind, noun
        self._name = name_of(body)
        self._good = self._lost = 0
        self._told: list[str] = []

    def page(self, number: int, fields: Iterable[Field]) -> Page | None:
        """Return the page of record ``number``; None when none of its fields has a value."""
        record = render(fields)
        if not record.text:
            return None
        self._good += 1
        place = f"{self._noun} {number}"
        return make_page(
            self._body,
            self._kind,
            record.text,
            title=record.title or f"{self._name} {place}",
            fragment=f"{self._noun}={number}",
            marks=(Mark(start=0, label=place),),
            author=record.author,
            published=record.published,
            language=record.language,
        )

    def lose(self, place: str, why: object) -> None:
        """Count the record at ``place`` as one that could not be read."""
        self._lost += 1
        if len(self._told) < _TOLD:
            self._told.append(f"{place}: {why}")

    def close(self) -> None:
        """Report the records that could not be read.

        Raises:
            ReadError: ``broken`` when records were lost, ``empty`` when there were none.
        """
        if self._lost:
            more = "; ..." if self._lost > len(self._told) else ""
            raise broken(
                self._body,
                f"was read but for {self._lost} of {self._lost + self._good} records"
                f" ({'; '.join(self._told)}{more}); correct these",
            )
        if not self._good:
            raise empty(self._body)


Json = dict[str, "Json"] | list["Json"] | str | bool | None
"""A parsed value. Numbers stay the text they were: 1.10 is not 1.1, and 10^5000 parses."""

_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)
_MAX_DEPTH = 50
_WRAPPER_FIELDS = 5
_NESTED = "."


def parse(text: str) -> Json:
    """Return the value that ``text`` spells.

    Raises:
        ValueError: when it is not JSON, or is nested deeper than Python's parser goes.
    """
    try:
        return cast("Json", _DECODER.decode(text))
    except RecursionError as error:
        message = "nested too deep"
        raise ValueError(message) from error


class JsonLinesExtractor:
    """Reads one JSON value a line; each is a page with the fragment ``line=N``."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield a page for each line that holds a record with text.

        Raises:
            ReadError: ``broken`` at the end when lines were not JSON; ``empty`` when none had text.
        """
        records = RecordPages(body, Format.JSONL, "line")
        for number, line in enumerate(lines_of(decode(body.data, body.content_type)), 1):
            if not line.strip():
                continue
            try:
                page = records.page(number, flatten(parse(line)))
            except ValueError as error:
                records.lose(f"line {number}", error)
                continue
            if page:
                yield page
        records.close()


class JsonExtractor:
    """Reads a JSON file: an array of objects as records, ``item=N``; anything else as one page."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield a page for each object of an array, or the one page of another value.

        Raises:
            ReadError: ``broken`` when it is not JSON, ``empty`` when it holds no words.
        """
        try:
            value = parse(decode(body.data, body.content_type))
        except ValueError as error:
            raise broken(body, f"is not valid JSON: {error}; correct it or leave it out") from error
        items = _records(value)
        if items is None:
            yield _whole(body, value)
            return
        records = RecordPages(body, Format.JSON, "item")
        for number, item in enumerate(items, 1):
            if page := records.page(number, flatten(item)):
                yield page
        records.close()


def flatten(value: Json) -> Iterator[Field]:
    """Yield the scalars of ``value`` under dotted names; a list of scalars is one value."""
    yield from _flatten(value, "", 0)


def _flatten(value: Json, name: str, depth: int) -> Iterator[Field]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            inner_name = f"{name}{_NESTED}{key}" if name else key
            yield from _flatten(inner, inner_name[:MAX_NAME], depth + 1)
    elif isinstance(value, list):
        yield from _flatten_list(value, name, depth)
    else:
        yield name, _scalar(value)


def _flatten_list(values: Sequence[Json], name: str, depth: int) -> Iterator[Field]:
    if not any(isinstance(inner, (dict, list)) for inner in values):
        yield name, ", ".join(scalar for inner in values if (scalar := _scalar(inner)))
        return
    for number, inner in enumerate(values, 1):
        yield from _flatten(inner, f"{name} {number}".strip(), depth + 1)


def _scalar(value: Json) -> str:
    if isinstance(value, str):
        return clean_text(value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else ""


def _records(value: Json) -> list[Json] | None:
    """Return the objects of an array, or of the one array that a small object wraps."""
    if isinstance(value, dict) and len(value) <= _WRAPPER_FIELDS:
        arrays = [inner for inner in value.values() if _are_records(inner)]
        value = arrays[0] if len(arrays) == 1 else value
    return value if _are_records(value) else None


def _are_records(value: Json) -> TypeGuard[list[Json]]:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def _whole(body: Body, value: Json) -> Page:
    fields = [(name, text) for name, text in flatten(value) if text.strip()]
    if not fields:
        raise empty(body)
    lines = [f"{name}: {text}" if name else text for name, text in fields]
    title = render(fields).title
    return make_page(body, Format.JSON, "\n".join(lines), title=title)


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
