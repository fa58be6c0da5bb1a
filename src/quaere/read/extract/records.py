"""One record of a table or list as readable text: its title, its body, its fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Field = tuple[str, str]
"""Name and value."""

_TITLES = ("title", "name", "heading", "headline", "label")
_BODIES = ("text", "body", "content", "abstract", "passage", "paragraph", "article")
_AUTHORS = ("author", "authors", "byline", "creator")
_DATES = ("published", "date", "published_at", "publication_date", "date_published", "created_at")
_LANGUAGES = ("language", "lang")

# What tells records apart or keeps the books, and means nothing to a reader.
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
    title_at, body_at = _find(filled, _TITLES), _find(filled, _BODIES)
    title = filled[title_at][1] if title_at is not None else ""
    about = {
        "author": _value(filled, _AUTHORS),
        "published": _date(_value(filled, _DATES)),
        "language": _value(filled, _LANGUAGES)[:2].lower(),
    }
    if body_at is None:
        return Record(title, _listed(filled), **about)
    rest = [
        field
        for index, field in enumerate(filled)
        if index not in (title_at, body_at) and _adds_something(field)
    ]
    text = "\n\n".join(part for part in (filled[body_at][1], _listed(rest)) if part)
    return Record(title, text, **about)


def _find(fields: Sequence[Field], names: Sequence[str]) -> int | None:
    """Return the index of the field that bears the first of ``names`` found."""
    by_name = {name.lower().strip(): index for index, (name, _) in reversed([*enumerate(fields)])}
    return next((by_name[name] for name in names if name in by_name), None)


def _value(fields: Sequence[Field], names: Sequence[str]) -> str:
    index = _find(fields, names)
    return "" if index is None else fields[index][1]


def _date(value: str) -> str:
    """Return the ISO date that ``value`` begins with; empty for other spellings."""
    found = _DATE.match(value)
    return found[0] if found else ""


def _listed(fields: Iterable[Field]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in fields)


def _adds_something(field: Field) -> bool:
    name, value = field
    known = (*_LANGUAGES,)
    if name.lower() in known or len(value) > _MAX_SHORT or "\n" in value:
        return False
    return not _BOOKKEEPING.fullmatch(name)
