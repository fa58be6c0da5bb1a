"""HTML: the article without what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from typing import Protocol, cast

from readability import Document
from readability.readability import Unparseable
from trafilatura import bare_extraction

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.charset import decode
from quaere.read.extract.html_metadata import below_headline, describe, headline, page_title
from quaere.read.extract.html_text import render
from quaere.read.extract.markup import (
    Element,
    drop,
    drop_all,
    elements,
    number,
    parse_html,
    texts,
)
from quaere.read.extract.page import empty, make_page, name_of
from quaere.read.formats import Format

_FEW_WORDS = 25
"""Fewer words than these are a caption or a notice about cookies, not an article."""
_LONG_CHARS = 1_000_000
_MANY_ELEMENTS = 50_000
"""A page beyond either, such as a book on one page, is taken whole: analysis takes minutes."""
_MUCH_MORE = 1.9
"""Of one text compared to another: it has something that the other missed. 1.7 to 2 do as well."""
_UNREAD = (
    "script",
    "style",
    "noscript",
    "svg",
    "iframe",
    "object",
    "embed",
    "canvas",
    "link",
    "meta",
)
"""No text for readers is in these, and taking them out makes every later step faster."""
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
_CONCEALED = elements("//template | //*[@hidden or @style]")
_COUNT = number("count(//*)")
_LENGTH = number("string-length(/*)")
_PROSE = texts(
    "//body//text()[not(ancestor::a or ancestor::nav or ancestor::footer or ancestor::form"
    " or ancestor::button or ancestor::select)]"
)
_NOTICE_WORDS = 120
"""A page that is only a notice is shorter than this."""


class _Found(Protocol):
    """What trafilatura finds of a page's text."""

    body: Element


class _Extract(Protocol):
    def __call__(
        self, tree: Element, *, favor_precision: bool, fast: bool, include_comments: bool
    ) -> _Found | None: ...


class _Readable(Document):
    """readability, spared the cleaning that its tree has already been through."""

    def _parse(self, input: Element) -> Element:  # noqa: A002 - its name there
        return copy(input)


# Takes an lxml tree, which has no type, and with one it fetches nothing.
_extract = cast("_Extract", bare_extraction)


class HtmlExtractor:
    """Reads web pages and HTML files."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``empty`` when there is no text, ``not_found`` and ``blocked`` for a page
                that only says so.
        """
        html = decode(body.data, body.content_type)
        try:
            root = parse_html(html)
        except ValueError as error:
            raise empty(body) from error
        _drop_hidden(root)
        title, author, date = headline(root, "", ""), "", ""
        if _LENGTH(root) > _LONG_CHARS or _COUNT(root) > _MANY_ELEMENTS:
            text = render(root)
        else:
            about = describe(root, html, body.url if body.url.startswith("http") else None)
            title = headline(root, about.title or "", about.sitename or "")
            author, date = about.author or "", about.date or ""
            drop_all(root, _UNREAD)
            text = _main_text(root)
        _check(body, (title, page_title(root)), text)
        yield make_page(
            body,
            Format.HTML,
            below_headline(text, title),
            title=title,
            author=author,
            published=date,
            language=root.get("lang", "")[:2].lower(),
        )


def _main_text(root: Element) -> str:
    """Return the article in ``root``.

    Trafilatura's precision mode finds it on most pages, even without its own second opinions. Only
    where that leaves out nearly half of the page's prose they are asked, then readability and
    trafilatura's balanced mode.
    """
    prose = sum(len(text.split()) for text in _PROSE(root))
    precise = _by_trafilatura(root, precision=True, fast=True)
    if not _is_enough(precise, prose):
        precise = _by_trafilatura(root, precision=True)
    if _is_enough(precise, prose):
        return precise
    readable = _by_readability(root)
    if len(precise.split()) >= _FEW_WORDS:
        balanced = _by_trafilatura(root, precision=False)
        best = balanced if _is_much_more(balanced, precise) else precise
        return readable if _is_much_more(readable, best) else best
    if len(readable.split()) >= _FEW_WORDS:
        return readable
    return max(precise, readable, render(root), key=len)


def _is_enough(text: str, prose: int) -> bool:
    """Whether ``text`` has most of a page with so many words of ``prose``."""
    words = len(text.split())
    return words >= _FEW_WORDS and prose <= _MUCH_MORE * words


def _is_much_more(text: str, other: str) -> bool:
    return len(text.split()) > _MUCH_MORE * len(other.split())


def _by_trafilatura(root: Element, *, precision: bool, fast: bool = False) -> str:
    found = _extract(root, favor_precision=precision, fast=fast, include_comments=False)
    return render(found.body) if found else ""


def _by_readability(root: Element) -> str:
    try:
        summary = cast("str", _Readable(root).summary(html_partial=True))
        return render(parse_html(summary))
    except (Unparseable, ValueError):
        return ""


def _drop_hidden(root: Element) -> None:
    """Take out what a browser does not show: it is written for machines, not for readers."""
    for element in _CONCEALED(root):
        if (
            element.tag == "template"
            or element.get("hidden", _SHOWN) != _SHOWN
            or _HIDDEN.search(element.get("style", ""))
        ):
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
