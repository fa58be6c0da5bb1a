"""When each line of the sources was said, as its document tells.

By the heading or the mail header over it, else by the title, the name of the file, the head of the
page or its front matter; never by when the file was written. English alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from quaere.domain.source import Passage
from quaere.reason.extractive.pool import Line, Pool, file_name, file_stem, page_of
from quaere.text.dates import Date, dates
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS
from quaere.text.tokens import stem, terms, words

HEAD_LINES, HEAD_CHARS = 8, 100
"""Lines at the head of a page of which one may date it, and the characters of the longest."""
_MARKED = lazy_regex(
    r"(?m)^[ \t]*(?P<mark>#{1,6}(?=[ \t])|(?:Date|Sent)(?=[ \t]*:))?[ \t:]*(?:\*\*)?"
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},?[ \t]+)?(?P<said>[^\n]{0,100})"
)
"""A line, with what marks it as a heading or as the date of a mail."""
_OVER = lazy_regex(r"\s*(?:\*\*)?\s*(?:[:–—-]|\Z)")
"""What follows the date over an entry: "8 March 2026: the pump leaks"."""
_DATES_IT = lazy_regex(
    r"(?i)\b(?:adopted|amended|as (?:of|at)|dated?|effective|in force|issued|printed|revised"
    r"|updated|valid|version)\b"
)
_AT_END = lazy_regex(r"(?:\A|[,|–—-])\s*\Z")
"""What is before the date that ends the head of a letter."""
_VERSION = lazy_regex(
    r"(?i)(?<![^\W_])(?:v|ver|version|rev|revision|edition|issue|draft)[ ._-]?"
    r"(\d{1,4}(?:\.\d{1,4}){0,3})(?![^\W_])"
)
_OF_EDITIONS = frozenset(MONTHS) | frozenset(
    ("v", "ver", "version", "rev", "revision", "edition", "issue", "draft", "final", "updated")
)
_RECORDS = frozenset(
    stem(word)
    for word in (
        *("account", "attendance", "bill", "diary", "invoice", "journal", "log", "payslip"),
        *("receipt", "record", "report", "result", "return", "review", "score", "statement"),
    )
)
"""What is called so tells of one time or one event, and another one of another."""
_PLAIN_ENTRY = 7
"""Level of an entry that no heading marks: any heading ends it."""

_Day = tuple[int, int, int]
_UNDATED: _Day = (0, 0, 0)


class Edition(NamedTuple):
    """When something was said."""

    day: _Day
    """Year, month and day; 0 for what is not known."""
    version: tuple[int, ...]
    """Number of the version in title or file name; empty without one."""
    names: tuple[frozenset[str], frozenset[str]]
    """Words of the title and of the file name that tell no edition."""
    place: str
    """The address of the page; and of an entry its date."""
    label: str
    """How a reader is told where it stands."""
    is_sent: bool = False
    """Whether it is the date of a mail."""

    @property
    def page(self) -> str:
        """The address of its page."""
        return self.place.partition("#")[0]

    def is_later_than(self, other: Edition) -> bool | None:
        """Return whether it is later than ``other``; None where neither dates nor versions tell.

        Two records, such as yearly reports or invoices, are each of its own time.
        """
        if self._is_record_beside(other):
            return None
        for own, its in takewhile(all, zip(self.day, other.day, strict=True)):
            if own != its:
                return own > its
        return self._is_higher_than(other) if self.is_of(other) else None

    def _is_higher_than(self, other: Edition) -> bool | None:
        if not (self.version and other.version) or self.version == other.version:
            return None
        return self.version > other.version

    def _is_record_beside(self, other: Edition) -> bool:
        called = self.names[0] | self.names[1]
        return self.page != other.page and not called.isdisjoint(_RECORDS) and self.is_of(other)

    def may_replace(self, other: Edition) -> bool:
        """Return whether what it states may replace what ``other`` does, though it does not say so.

        An entry of the same page does not, but for a mail, and nor does a document of the same
        kind that is called after something else: "Chess club" after "Rowing club".
        """
        if self.page == other.page:
            return self.is_sent
        own, its = self.names[0], other.names[0]
        return own.isdisjoint(its) or own <= its or its <= own

    def is_of(self, other: Edition) -> bool:
        """Return whether both are editions of one document, called alike but for the edition."""
        pairs = zip(self.names, other.names, strict=True)
        return any(own == its and bool(own) for own, its in pairs)


def editions(pool: Pool) -> dict[Line, Edition]:
    """Return the edition of each line of ``pool`` that has one."""
    heads = {page_of(each): each.text for each in pool.passages if not each.start}
    found = dict[Line, Edition]()
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        own = _of_page(passage, heads.get(page_of(passage), ""))
        found.update(_with_edition(lines, [*_entries(passage, own)]))
    return found


def _with_edition(
    lines: Iterable[Line], entries: Sequence[tuple[int, Edition]]
) -> Iterator[tuple[Line, Edition]]:
    """Yield those of ``lines`` that are of a dated or numbered one of ``entries``, with that."""
    starts = [start for start, _ in entries]
    for line in lines:
        edition = entries[bisect_right(starts, line.start) - 1][1]
        if edition.day != _UNDATED or edition.version:
            yield line, edition


def _of_page(passage: Passage, head: str) -> Edition:
    title, name = passage.title, file_stem(passage).replace("_", " ")
    days = (_day(title), _day(name), _day_at(head), _day(passage.published))
    version = _VERSION.search(title) or _VERSION.search(file_name(passage).replace("_", " "))
    return Edition(
        day=next((day for day in days if day != _UNDATED), _UNDATED),
        version=tuple(map(int, version[1].split("."))) if version else (),
        names=(_called(title), _called(name)),
        place=page_of(passage),
        label=title,
    )


def _called(name: str) -> frozenset[str]:
    kept = (word for word in words(name) if word.isalpha() and word not in _OF_EDITIONS)
    return frozenset(terms(" ".join(kept)))


def _entries(passage: Passage, page: Edition) -> Iterator[tuple[int, Edition]]:
    """Yield from which offset of ``passage`` on what edition is told, the first from 0."""
    over, level = page, 0
    for heading in passage.headings.splitlines():
        over, level = _next_entry(heading, over, level, page)
    yield 0, over
    for line in _MARKED.finditer(passage.text):
        entry = _next_entry(line[0], over, level, page)
        if entry[0] is not over:
            over, level = entry
            yield line.start(), over


def _next_entry(line: str, over: Edition, level: int, page: Edition) -> tuple[Edition, int]:
    """Return what edition is told from ``line`` on, and at which level of headings it began."""
    read = _MARKED.match(line)
    mark, said = (read["mark"] or "", read["said"]) if read else ("", "")
    is_heading = mark.startswith("#")
    own = len(mark) if is_heading else _PLAIN_ENTRY
    entry = _entry(mark, said, page) if own > 1 else None
    if entry is not None:
        return entry, own
    return (page, 0) if is_heading and own <= level else (over, level)


def _entry(mark: str, said: str, page: Edition) -> Edition | None:
    """Return the entry of ``page`` that begins with a line that is ``said``, if one does."""
    first = next(iter(dates(said)), None) if _has_digit(said) else None
    if first is None or not _begins_entry(first, said, mark):
        return None
    told = said[first.start : first.end]
    is_sent = bool(mark) and not mark.startswith("#")
    return Edition(_as_day(first), (), page.names, f"{page.place}#{told}", told, is_sent)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _begins_entry(date: Date, said: str, mark: str) -> bool:
    if date.year is None or (date.month is None and not mark):
        return False
    return bool(mark) or (date.start == 0 and _OVER.match(said, date.end) is not None)


def _as_day(date: Date) -> _Day:
    return (date.year or 0, date.month or 0, date.day or 0)


def _day(text: str) -> _Day:
    """Return the last day or year that ``text`` names."""
    days = [_as_day(date) for date in dates(text) if date.year and date.years == 1]
    return max(days, default=_UNDATED)


def _day_at(head: str) -> _Day:
    """Return the day by which the ``head`` of a page dates it."""
    first = head[: HEAD_LINES * HEAD_CHARS].splitlines()
    lines = [line.strip("#*_ \t") for line in first if line.strip() and not line.startswith("##")]
    return next(
        (day for line in lines[:HEAD_LINES] if (day := _day_told(line)) != _UNDATED), _UNDATED
    )


def _day_told(line: str) -> _Day:
    is_short = len(line) <= HEAD_CHARS and _has_digit(line)
    told = [date for date in dates(line) if date.year] if is_short else []
    if not told:
        return _UNDATED
    is_head = not line[told[-1].end :].strip() and _AT_END.search(line[: told[-1].start])
    return _as_day(told[-1]) if is_head or _DATES_IT.search(line) else _UNDATED
