"""A document between a report and its forms: sections, paragraphs, tables and sources.

All text in it is inert (``quaere.synthesize.inert.plain``); every address leads to the web or to a
local file. What a form needs escaped it escapes itself.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from quaere.text.languages.phrases import ENGLISH_ACCOUNT, Account


class Tone(StrEnum):
    """How words are meant, besides what they say."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"
    """Beside the point: a figure, a place, a time."""
    DOUBT = "doubt"
    """Not verified, contradicted or missing."""
    CODE = "code"
    """Code, each character as it is."""


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of text."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Marker:
    """A citation marker, ``[1]``, with the words that it points to."""

    number: int
    quote: str
    """Empty where nothing in particular is quoted."""
    source: str
    """Title and place of the source."""


Inline: TypeAlias = Words | Marker
Line: TypeAlias = tuple[Inline, ...]
"""Text of one paragraph, item or cell."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    line: Line


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[Line, ...]
    numbered: bool = False
    first: int = 1
    """Number of the first item."""


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code."""

    text: str
    """With its line breaks."""
    signs: Line
    """The verdict on it and its markers."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a heading for every column."""

    title: str
    """Empty where the section has no other table, or prose introduces it."""
    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class Source:
    """An entry of the list of sources."""

    number: int
    title: str
    href: str
    """http or https, to the quoted words where that can be; empty for everything else."""
    file: str
    """``file:`` URL of a document on this machine; empty for everything else."""
    place: str
    quote: str
    facts: tuple[str, ...]
    """When it was read, and the hash of what was read."""


Block: TypeAlias = Paragraph | Bullets | Code | Table | Source


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading, and the sections below it."""

    id: str
    """Unique in its document: ASCII letters, figures and hyphens."""
    title: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A document: what was asked, and the sections that answer it."""

    title: str
    summary: Line
    """One line on how the report stands."""
    sections: tuple[Section, ...]
    written: str
    """ISO 8601 time of the last retrieval, the nearest that is known to when it was written."""
    language: str = "en"
    """ISO 639-1 code of the language of its headings."""
    said: Account = ENGLISH_ACCOUNT
    """What names its parts, in that language."""


def words(text: str, tone: Tone = Tone.PLAIN) -> Line:
    """Return ``text`` as a line of its own."""
    return (Words(text, tone),)


def runs_leftwards(text: str) -> bool:
    """Return whether the first letter of ``text`` is of a script from right to left."""
    sides = map(unicodedata.bidirectional, text)
    return next((side for side in sides if side in {"L", "R", "AL"}), "L") != "L"
