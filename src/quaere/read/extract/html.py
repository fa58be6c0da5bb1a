"""HTML: the article without what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Protocol, cast

from readability import Document as ReadableDocument
from readability.readability import Unparseable
from trafilatura import bare_extraction
from trafilatura.metadata import extract_metadata

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports import Body
from quaere.read.charset import decode
from quaere.read.extract.blocks import render
from quaere.read.extract.headline import below_headline, headline, page_title
from quaere.read.extract.markup import Element, drop, parse_html
from quaere.read.extract.page import empty, make_page, name_of
from quaere.read.sniff import Kind

_FEW_WORDS = 25
"""Fewer words than these are a caption or a notice about cookies, not an article."""
_LONG_CHARS = 1_000_000
_MANY_ELEMENTS = 50_000
"""A page beyond either, such as a book on one page, is taken whole: analysis takes minutes."""
_MOST = 0.4
_MORE = 1.05
_MUCH_MORE = 2.0
_SHOWN = "shown"
_HIDDEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])"
    r"|(?:left|top|text-indent)\s*:\s*-\d{4,})",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^(?:error\W*)?404\b|\b404\W*(?:error|not found)"
    r"|\bpage (?:was |is |could )?not (?:be )?found\b",
    re.IGNORECASE,
)
_GATE = re.compile(
    r"^(?:just a moment|attention required|access denied|are you a robot|verify you are human"
    r"|security check|robot check|403 forbidden)",
    re.IGNORECASE,
)
_NOTICE_WORDS = 120
"""A page that is only a notice is shorter than this."""


class _About(Protocol):
    """What trafilatura tells of a page."""

    @property
    def sitename(self) -> str | None: ...
    @property
    def title(self) -> str | None: ...
    @property
    def author(self) -> str | None: ...
    @property
    def date(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class _Unknown:
    """What is known of a page that nobody analysed."""

    sitename: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None


class _Found(Protocol):
    """What trafilatura finds of a page's text."""

    body: Element


class _Extract(Protocol):
    def __call__(
        self, tree: Element, *, favor_precision: bool, include_comments: bool
    ) -> _Found | None: ...


class _Describe(Protocol):
    def __call__(self, tree: Element, url: str | None) -> _About: ...


# Both take an lxml tree, which has no type; neither fetches anything.
_extract = cast("_Extract", bare_extraction)
_describe = cast("_Describe", extract_metadata)


class HtmlExtractor:
    """Reads web pages and HTML files."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``empty`` when there is no text, ``not_found`` and ``blocked`` for a page
                that only says so.
        """
        try:
            root = parse_html(decode(body.data, body.content_type))
        except ValueError as error:
            raise empty(body) from error
        _drop_hidden(root)
        everything = render(root)
        if len(everything) > _LONG_CHARS or sum(1 for _ in root.iter()) > _MANY_ELEMENTS:
            about, text = _Unknown(), everything
        else:
            about = _describe(copy(root), body.url if body.url.startswith("http") else None)
            text = _main_text(root, everything)
        title = headline(root, about.title or "", about.sitename or "")
        _check(body, (title, page_title(root)), text)
        yield make_page(
            body,
            Kind.HTML,
            below_headline(text, title),
            title=title,
            author=about.author or "",
            published=about.date or "",
            language=root.get("lang", "")[:2].lower(),
        )


def _main_text(root: Element, everything: str) -> str:
    """Return the article in ``root``, which as a whole reads ``everything``.

    Trafilatura in precision mode is right most often (token F1 .960 on the article benchmark).
    Where that is little of the page, and readability finds clearly more, it has missed something:
    then the two and trafilatura's balanced mode are weighed by their lengths (.975).
    """
    precise = _by_trafilatura(root, precision=True)
    sure = len(precise.split())
    if sure >= _FEW_WORDS and sure > _MOST * len(everything.split()):
        return precise
    readable = _by_readability(root)
    judge = len(readable.split())
    if sure < _FEW_WORDS:
        return readable if judge >= _FEW_WORDS else max(precise, readable, everything, key=len)
    return precise if judge <= _MORE * sure else _weighed(root, precise, readable)


def _weighed(root: Element, precise: str, readable: str) -> str:
    """Return the better of trafilatura's modes, or ``readable`` where both missed half of it."""
    sure, judge = len(precise.split()), len(readable.split())
    balanced = _by_trafilatura(root, precision=False)
    wide = len(balanced.split())
    best = balanced if wide > sure and abs(wide - judge) < abs(sure - judge) else precise
    return readable if judge > _MUCH_MORE * len(best.split()) else best


def _by_trafilatura(root: Element, *, precision: bool) -> str:
    found = _extract(root, favor_precision=precision, include_comments=False)
    return render(found.body) if found else ""


def _by_readability(root: Element) -> str:
    try:
        summary = cast("str", ReadableDocument(copy(root)).summary(html_partial=True))
        return render(parse_html(summary))
    except (Unparseable, ValueError):
        return ""


def _drop_hidden(root: Element) -> None:
    """Take out what a browser does not show: it is written for machines, not for readers."""
    hidden = [
        element
        for element in root.iter()
        if element.tag == "template"
        or element.get("hidden", _SHOWN) != _SHOWN
        or _HIDDEN.search(element.get("style", ""))
    ]
    for element in hidden:
        drop(element)


def _check(body: Body, titles: tuple[str, str], text: str) -> None:
    words = len(text.split())
    if not words:
        raise empty(body)
    if words > _NOTICE_WORDS:
        return
    if any(map(_GONE.search, titles)):
        message = f"{name_of(body)} is only a notice that the page does not exist"
        raise ReadError(message, status=ReadStatus.NOT_FOUND)
    if any(map(_GATE.match, titles)):
        message = f"{name_of(body)} is only a notice that keeps readers out; open it in a browser"
        raise ReadError(message, status=ReadStatus.BLOCKED)
