"""Records of tables and lists as pages: one record as readable text, and errors in the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.extract.page import broken, empty, make_page, name_of
from quaere.read.formats import Format

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
