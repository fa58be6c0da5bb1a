"""What search providers need of an HTTP client, and how they read what it brings: JSON, XML, HTML.

The registry hands a client in for each of them. Fields are read without trusting the form of an
answer, dates included. Markup is parsed safely: entities are not expanded, no DTD is loaded and
nothing is fetched.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, cast
from urllib.parse import quote

from quaere.domain.scope import Scope
from quaere.errors import SearchError
from quaere.text.clean import clean_text
from quaere.text.dates import dates
from quaere.text.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from quaere.text.markup import Element

Pairs = Mapping[str, str] | Sequence[tuple[str, str]]


class Api(Protocol):
    """Requests to one service, below the base URL that an operator may set.

    All methods raise ``SearchTimeout`` when the answer did not come in time and ``SearchError`` for
    every other failure: with the HTTP ``status`` where there is one, with ``retry_after`` where the
    service asks for a wait, and not ``retryable`` for a bad key or a request that it rejects. No
    key is in any message.
    """

    @property
    def name(self) -> str:
        """Of the service, for messages."""
        ...

    async def get(
        self, path: str = "", params: Pairs = (), *, headers: Mapping[str, str] | None = None
    ) -> bytes:
        """Return the body of ``path``; empty for 204."""
        ...

    async def get_json(
        self, path: str = "", params: Pairs = (), *, headers: Mapping[str, str] | None = None
    ) -> object:
        """Return the parsed JSON body of ``path``."""
        ...

    async def post_json(self, path: str, payload: object) -> object:
        """Send ``payload`` as JSON to ``path`` and return the parsed answer."""
        ...

    async def aclose(self) -> None:
        """Close every connection."""
        ...


class Fields:
    """One JSON object. What is absent, or of another type than asked for, reads as empty."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def names(self) -> tuple[str, ...]:
        """Return the names of all fields."""
        return tuple(self._values)

    def text(self, name: str) -> str:
        """Return a string, or a whole number as one."""
        value = self._values.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value) if abs(value) < 10**18 else ""
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> float:
        """Return a finite number, else 0.0."""
        value = self._values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return 0.0
        try:
            return float(value) if math.isfinite(value) else 0.0
        except OverflowError:
            return 0.0

    def flag(self, name: str) -> bool:
        """Return whether the value is true, or a string that means it, as some services write."""
        value = self._values.get(name)
        return value is True or (isinstance(value, str) and value.lower() in {"true", "y", "yes"})

    def inner(self, *path: str) -> Fields:
        """Return the object at ``path``."""
        here = self
        for name in path:
            here = Fields(_mapping(here._values.get(name)) or {})
        return here

    def values(self, name: str) -> list[object]:
        """Return the members of a list."""
        value = self._values.get(name)
        return cast("list[object]", value) if isinstance(value, list) else []

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the strings in a list."""
        return tuple(value for value in self.values(name) if isinstance(value, str))

    def each(self, name: str) -> tuple[Fields, ...]:
        """Return the objects in a list."""
        objects = (_mapping(value) for value in self.values(name))
        return tuple(Fields(values) for values in objects if values is not None)

    def has_list(self, name: str) -> bool:
        """Return whether there is a list, be it an empty one."""
        return isinstance(self._values.get(name), list)


def fields_of(service: str, answer: object) -> Fields:
    """Return the fields of a parsed JSON answer.

    Raises:
        SearchError: when it is not an object.
    """
    values = _mapping(answer)
    if values is None:
        raise garbled(service)
    return Fields(values)


def items_of(service: str, fields: Fields, name: str) -> tuple[Fields, ...]:
    """Return the objects in the list ``name``, which every answer of ``service`` has.

    Raises:
        SearchError: when there is no such list, or nothing in it is an object.
    """
    items = fields.each(name)
    if not fields.has_list(name) or (fields.values(name) and not items):
        raise garbled(service)
    return items


def garbled(service: str) -> SearchError:
    """Return the error for an answer that is not of the form that ``service`` documents."""
    return SearchError(f"{service} returned an answer in an undocumented form.")


def _mapping(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


_ISO = lazy_regex(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


_LONG_AGO = date(1800, 1, 1)


def period(scope: Scope | None) -> tuple[date, date] | None:
    """Return the first and the last day of ``scope``, for services that require both.

    An open end is long ago, or today; ``None`` when the scope has no dates.
    """
    if scope is None or not scope.dated:
        return None
    today = datetime.now(UTC).date()
    first = scope.published_after or _LONG_AGO
    return first, scope.published_before or max(first, today)


def iso_date(text: str) -> str:
    """Return the first date in ``text`` as "2024", "2024-03" or "2024-03-05".

    Empty when it names none, such as "3 days ago".
    """
    text = text.strip()[:100]
    if match := _ISO.match(text):
        return from_parts(*match.groups(default=""))
    for found in dates(text):
        if found.year is not None and found.years == 1:
            return from_parts(str(found.year), str(found.month or ""), str(found.day or ""))
    return ""


def from_parts(year: str, month: str = "", day: str = "") -> str:
    """Return the date of ``year``, ``month`` (a number or an English name) and ``day``.

    Parts that cannot be, and all behind them, are left out.
    """
    if not re.fullmatch(r"[1-9]\d{3}", year):
        return ""
    number = _month(month)
    if not 1 <= number <= 12:
        return year
    try:
        return date(int(year), number, int(day)).isoformat()
    except ValueError:
        return f"{year}-{number:02d}"


def _month(month: str) -> int:
    if re.fullmatch(r"\d{1,2}", month):
        return int(month)
    name = month[:3].lower()
    return _MONTHS.index(name) + 1 if name in _MONTHS else 0


_ABSTRACT_CHARS = 300

_CODES = """
    ar:ara bg:bul bn:ben ca:cat cs:cze da:dan de:ger el:gre en:eng es:spa et:est fa:per fi:fin
    fr:fre he:heb hi:hin hr:hrv hu:hun id:ind is:ice it:ita ja:jpn ko:kor lt:lit lv:lav nl:dut
    no:nor pl:pol pt:por ro:rum ru:rus sk:slo sl:slv sr:srp sv:swe th:tha tr:tur uk:ukr vi:vie
    zh:chi
"""
MEDLINE_LANGUAGES = MappingProxyType({pair[:2]: pair[3:] for pair in _CODES.split()})
"""What MEDLINE, and with it PubMed and Europe PMC, calls the languages of ISO 639-1."""

_DOI = lazy_regex(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)


def doi_of(text: str) -> str:
    """Return the DOI that ``text`` is, without the resolver in front of it; empty if it is none."""
    match = _DOI.fullmatch(text.strip())
    return match[1] if match else ""


def doi_url(doi: str) -> str:
    """Return the address of the work with that ``doi``; empty for an empty one."""
    return "https://doi.org/" + quote(doi, safe="/:;()") if doi else ""


def described(abstract: str, *reference: str) -> str:
    """Return a snippet: the parts of the ``reference`` that are there, and how ``abstract`` begins.

    The reference adds what an abstract lacks: the journal, the date, the ids.
    """
    parts = [f"{part.rstrip('.')}." for part in map(line, reference) if part]
    head = shortened(" ".join(abstract.split()), _ABSTRACT_CHARS)
    return " ".join([*parts, head] if head else parts)


def parse_xml(service: str, data: bytes) -> Element:
    """Return the root of an XML answer.

    Raises:
        SearchError: when it is not well-formed, or declares entities.
    """
    from quaere.text import markup  # noqa: PLC0415 - lxml, slow to import, and often not needed

    try:
        return markup.parse_xml(data)
    except ValueError as error:
        message = f"{service} answered with XML that is broken or declares entities."
        raise SearchError(message) from error


def parse_html(service: str, data: bytes) -> Element:
    """Return the root of an HTML answer, comments left out.

    Raises:
        SearchError: when there is not a single element in it.
    """
    from quaere.text import markup  # noqa: PLC0415 - the same

    try:
        return markup.parse_html(data.decode(errors="replace"))
    except ValueError as error:
        raise SearchError(f"{service} answered with something that is not HTML.") from error


def words_of(element: Element | None) -> str:
    """Return all text inside ``element`` on one line; empty for None."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def words_at(element: Element, path: str) -> str:
    """Return the text of the first element at ``path``."""
    return words_of(element.find(path))


SNIPPET_CHARS = 600
MAX_TEXT_CHARS = 100_000

# A tag has a letter directly after its bracket; "p < 0.05" and "a<1" have none.
_TAG = lazy_regex(r"</?[A-Za-z][^<>]{0,2000}>|<!--[^<>]{0,2000}-->")
_HEADING = lazy_regex(
    r"<(h[1-6]|jats:title|title)\b[^<>]{0,200}>([^<>]{0,200})</\1>", re.IGNORECASE
)
_BLOCK = lazy_regex(
    r"</?(?:jats:)?(?:p|sec|div|br|li|ul|ol|list|list-item|tr|table|title)\b[^<>]{0,2000}>",
    re.IGNORECASE,
)
_SPACE = lazy_regex(r"[^\S\n]+")
_MARK = "\ufdd0"  # a noncharacter: no text contains it
_AFTER_HEADING = lazy_regex(_MARK + r":\s*")
_BREAKS = lazy_regex(r"\s*\n\s*")


def line(markup: str, limit: int = SNIPPET_CHARS) -> str:
    """Return the words of ``markup`` on one line of at most ``limit`` characters.

    Tags are gone and entities are the characters that they stand for. A longer text is cut after a
    word and ends with an ellipsis.
    """
    # What is cut off need not be cleaned first; tags can be several times as long as their words.
    words = _clean(_TAG.sub("", _BLOCK.sub(" ", markup[: limit * 20]))).split()
    return shortened(" ".join(words), limit)


def paragraphs(markup: str) -> str:
    """Return ``markup`` as paragraphs, a heading ("Methods: ") at the head of the one it opens."""
    text = _HEADING.sub(_headed, markup[:MAX_TEXT_CHARS])
    text = _SPACE.sub(" ", _clean(_TAG.sub("", _BLOCK.sub("\n", text))))
    text = _AFTER_HEADING.sub(": ", _BREAKS.sub("\n\n", text))
    return text.strip().removeprefix("Abstract: ")


def one_line(text: str) -> str:
    """Return plain ``text``, in which a bracket is a bracket, clean and on one line."""
    return " ".join(clean_text(text).split())


def shortened(text: str, limit: int) -> str:
    """Return ``text``, cut after a word if it is longer than ``limit`` characters."""
    if len(text) <= limit:
        return text
    head, space, _ = text[:limit].rpartition(" ")
    return (head if space else text[: limit - 1]) + "…"


def _headed(match: re.Match[str]) -> str:
    heading = match[2].strip().rstrip(":")
    return f"\n{heading}{_MARK}: " if heading else "\n"


def _clean(text: str) -> str:
    return clean_text(html.unescape(text))
