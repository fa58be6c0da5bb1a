"""What search finds and reading keeps: hits, pages and the passages cut from them.

With what is over a passage in its page: its headings, and the sentence that leads in its list.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from quaere.domain.question import SourceKind
from quaere.domain.value import Outside, Value, text_hash


class ReadStatus(StrEnum):
    """How the reading of a source ended."""

    OK = "ok"
    PROVIDED = "provided"
    """The provider returned the text with its hit; nothing was fetched."""
    REFUSED = "refused"
    """By us: an address that may not be read, or a file outside the folders."""
    BLOCKED = "blocked_by_site"
    """By its site: robots.txt, a login, a limit on requests."""
    NOT_FOUND = "not_found"
    UNKNOWN_HOST = "unknown_host"
    """The host's name does not exist."""
    UNREACHABLE = "unreachable"
    """No connection: refused, no route, no valid certificate, no answer from DNS."""
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"
    ENCRYPTED = "encrypted"
    EMPTY = "empty"
    BROKEN = "broken"
    """Not what it says it is: an answer that is not HTTP, a failing server, a damaged document."""

    @classmethod
    def _missing_(cls, value: object) -> ReadStatus | None:
        """Return the member that older records call by another name."""
        return cls.BLOCKED if value == "blocked" else None


class Mark(Value):
    """From offset ``start`` of the text on, the reader is at ``label`` ("page 3", "row 12")."""

    start: Annotated[int, Field(ge=0)]
    label: str


class Page(Value):
    """The text of one source, as it was when it was read."""

    url: Outside
    title: Outside
    text: Outside
    content_type: str = "text/plain"
    status: ReadStatus = ReadStatus.OK
    retrieved_at: str = ""
    """ISO 8601, UTC; empty where the time is not known."""
    size: Annotated[int, Field(ge=0)] = 0
    """Bytes that were fetched for it, decoded; 0 where that is not known."""
    published: Outside = ""
    author: Outside = ""
    language: Outside = ""
    marks: tuple[Mark, ...] = ()
    """Places inside the text, by rising offset."""

    @property
    def content_hash(self) -> str:
        """SHA-256 of the text, in hex."""
        return text_hash(self.text)

    def label_at(self, offset: int) -> str:
        """Return the label of the last mark at or before ``offset``; empty when there is none."""
        return _label_at(self.marks, offset)


def _label_at(marks: Sequence[Mark], offset: int) -> str:
    return next((mark.label for mark in reversed(marks) if mark.start <= offset), "")


_COUNTED_ALIKE = re.compile(
    r"((?:.+ )?(?:page|slide|cell|line|row|record|item|message)) (\d+)\n\1 (\d+)"
)
"""Two labels of one noun with a number each; those of chapters are in any language."""


def spanned_label(first: str, last: str) -> str:
    """Return what a stretch is called that begins at the mark ``first`` and ends at ``last``.

    >>> spanned_label("row 2", "row 5")
    'rows 2-5'
    """
    if not first or not last or first == last:
        return first or last
    counted = _COUNTED_ALIKE.fullmatch(f"{first}\n{last}")
    return "{}s {}-{}".format(*counted.groups()) if counted else f"{first} to {last}"


class Passage(Value):
    """A stretch ``[start, end)`` of a page's text; ``text`` is exactly that stretch."""

    id: str
    url: str
    title: str
    text: str
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    locator: str = ""
    """Where in the source: "page 3", "lines 12-20", "row 7"; empty for a source without places."""
    content_hash: str = ""
    """Hash of the page it was cut from."""
    retrieved_at: str = ""
    published: str = ""
    author: str = ""
    """Who wrote its page, as the page says; empty where it does not."""
    table_head: str = ""
    """The row that heads the table in the middle of which it begins; empty elsewhere."""
    lead_in: str = ""
    """The sentence, ending with a colon, that leads in the list or table in the middle of which it
    begins; empty elsewhere."""
    headings: str = ""
    """The headings over the place at which it begins, the widest first, one a line, as written."""
    provided: bool = False
    """Whether the search provider returned it, so that the page itself was not opened."""
    whole_table: bool = False
    """Whether it is all of a table, as a search for tables brings it."""
    beside: str = ""
    """The paragraphs before and after a whole table, as far as they bear on it."""
    marks: tuple[Mark, ...] = ()
    """Where each row of a whole table begins on the page, and the places of a source, such as the
    chapters of a book, where there are several in the passage; lines and printed pages are none."""

    def place_at(self, start: int, end: int) -> str:
        """Return what is at ``[start, end)`` of the page is called: "row 3", "rows 2-5", "12:04".

        Empty where it has no marks.
        """
        return spanned_label(_label_at(self.marks, start), _label_at(self.marks, end - 1))

    def stretch(self, start: int, end: int) -> Passage:
        """Return ``[start, end)`` of its text, under its id and with its own place on the page."""
        within = all(line.startswith("|") for line in self.text[:start].splitlines())
        return self.model_copy(
            update={
                "text": self.text[start:end],
                "start": self.start + start,
                "end": self.start + end,
                "table_head": self.table_head if within else "",
                "lead_in": lead_in_over(self.text, start, self.lead_in),
                "headings": headings_over(self.text, start, self.headings),
            }
        )


def passage_id(url: str, start: int, text: str) -> str:
    """Return the id of a passage: the same words at the same place have one id in every run."""
    place = f"{url}\0{start}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(place, digest_size=8).hexdigest()


def table_id(url: str, start: int, text: str) -> str:
    """Return the id of a passage that is all of a table, by which it is told from other ones."""
    return passage_id(f"{url}#table", start, text)


class Hit(Value):
    """One result of one query at one provider."""

    url: Outside
    title: Outside
    snippet: Outside = ""
    provider: str
    rank: Annotated[int, Field(ge=0)]
    """Place in the provider's list, from 0."""
    score: float = 0.0
    """The provider's own score; 0.0 where it gives none."""
    kind: SourceKind = SourceKind.WEB
    published: Outside = ""
    passages: tuple[Passage, ...] = ()
    """Of the hit's full text, where the provider returns it; what fits the query best first."""
    incomplete: Outside = ""
    """Why the list that it is in may lack results; empty for a whole one."""
    full_text: Outside = ""
    """Where the open full text of the work is, of which the hit itself has the abstract."""

    @property
    def passage(self) -> Passage | None:
        """The passage that fits the query best."""
        return self.passages[0] if self.passages else None


_HEADING = re.compile(
    r"^(?:((#{2,6}) \S[^\n]{0,200})[^\n]*|(?P<section>[A-Z](?:[A-Z/&,'-]| (?! )){2,60}))\n"
    r"(?(section)(?=[ \t]{2}))",
    re.MULTILINE,
)
"""The first level is left out: it is the title of its page, or a comment in code. A line in
capitals heads what is indented below it, as in pages of a manual: "EXIT STATUS"."""
ITEM = re.compile(r"\s*(?:[-*+•]|\(?\d{1,2}[.)])\s+")
"""The mark with which an item of a list begins."""
LONGEST_LIST = 8_000
"""Characters before an item in which its lead-in is looked for."""
LONGEST_LEAD_IN = 300
"""Characters of a lead-in that is carried along."""

_ROW = "|"
_SENTENCE_END = re.compile(r"[.!?]\s+(?=\S)|[。！？]\s*(?=\S)")
_LEADS_IN = (":", "：", "とおりです。", "通りです。", "とおり。", "通り。")


def headings_over(text: str, end: int, path: str = "", *, start: int = 0) -> str:
    """Return the headings over place ``end`` of ``text``, the widest first, one a line.

    Args:
        text: A text, or a stretch of one.
        end: The place; what it begins itself is not over it.
        path: The headings over ``start``, as returned for it.
        start: A place before ``end``, not inside a heading, where the search for them begins.
    """
    for found in _HEADING.finditer(text, start, end):
        heading = found[1] or f"## {found['section']}"
        over = [line for line in path.splitlines() if _level(line) < _level(heading)]
        path = "\n".join([*over, heading.rstrip()])
    return path


def plain_headings(path: str) -> str:
    """Return the words of the headings in ``path``, one heading a line."""
    return "\n".join(line.lstrip("# ") for line in path.splitlines())


def _level(heading: str) -> int:
    return len(heading) - len(heading.lstrip("#"))


def lead_in_over(text: str, start: int, known: str = "") -> str:
    """Return the sentence that leads in the list or table in which a line at ``start`` is.

    It is the one above the list that ends with a colon, in Japanese also with "as follows"; empty
    where there is none, or where no item and no row begins at ``start``.

    Args:
        text: A text, or a stretch of one.
        start: Where in it a line begins.
        known: What is returned for the beginning of ``text``, if all before ``start`` is items.
    """
    if not _is_listed(text[start : start + 8]):
        return ""
    before = text[max(0, start - LONGEST_LIST) : start]
    above = above_the_list(before, _indent(before.rpartition("\n")[2] + text[start : start + 8]))
    if not above:
        return known
    lead = _SENTENCE_END.split(above.rpartition("\n\n")[2])[-1].strip()
    if _is_listed(last := lead.rpartition("\n")[2]):
        lead = ITEM.sub("", last, count=1)
    return lead if lead.endswith(_LEADS_IN) and len(lead) <= LONGEST_LEAD_IN else ""


def above_the_list(text: str, indent: int = 0) -> str:
    """Return ``text`` without the items and rows with which it ends, and their further lines.

    A list may stand within an item: what leads in to one whose items are at the column ``indent``
    is at most as far in.
    """
    lines = text.rstrip().split("\n")
    while lines and _is_further(lines[-1]) and not _leads_within(lines[-1], indent):
        lines.pop()
    return "\n".join(lines).rstrip()


def _leads_within(line: str, indent: int) -> bool:
    """Whether ``line`` is of an item and leads in to those at the column ``indent`` below it."""
    if not line.rstrip().endswith(_LEADS_IN):
        return False
    return _indent(line) < indent if _is_listed(line) else 0 < _indent(line) <= indent


def _indent(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs())


def _is_further(line: str) -> bool:
    return not line.strip() or _is_listed(line) or line[:1].isspace()


def _is_listed(line: str) -> bool:
    return line.startswith(_ROW) or ITEM.match(line) is not None
