"""HTML: the article without what surrounds it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Protocol, cast

from trafilatura import bare_extraction
from trafilatura.external import try_readability

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.html_metadata import below_headline, describe, headline, page_title
from quaere.read.extract.html_text import render, spread_spans
from quaere.read.extract.page import empty, make_page, name_of
from quaere.read.extract.unseen import drop_hidden
from quaere.read.formats import Format
from quaere.text.clean import decode
from quaere.text.markup import (
    Element,
    drop_all,
    elements,
    inner_text,
    number,
    parse_html,
    raise_figures,
    texts,
)

_FEW_WORDS = 25
"""Fewer words than these are a caption or a notice about cookies, not an article."""
_LONG_CHARS = 1_000_000
_MANY_ELEMENTS = 50_000
"""A page beyond either, such as a book on one page, is taken whole: analysis takes minutes."""
_LARGE_ELEMENTS = 20_000
"""A page beyond this is analysed once: it takes seconds, and opinions on it as many again."""
_AGREED = 0.7
"""Likeness of two readings that found the same article. Chosen on one half of the evaluated sites;
.5 to .8 do as well there and on the other half."""
_MUCH_MORE = 2
"""So many times the words of a text in a page's paragraphs: part of the article was lost. 2 to 3 do
as well."""
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
_FEW_CELLS, _CELL_WORDS = 4, 12
"""Cells from which a page has a table, and words up to which one does not lay out a page."""
_MOST_HELD = 0.9
"""Share of the cells of a page from which a text has its tables."""
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
_CITING = elements("//a[@href] | //sup")
_COUNT = number("count(//*)")
_LENGTH = number("string-length(/*)")
_PARAGRAPHS = texts("//p//text()")
_CELLS_BESIDE = elements("//tr[count(td | th) > 1]/*[self::td or self::th]")
_FURNITURE = number(
    "count(//nav | //aside | //footer | //form | //main | //article"
    " | //*[@role='navigation' or @role='banner'])"
)
"""What tells an article from what a site puts around it. A file of this machine without any is a
document, such as a manual, and read whole: looking for the article in one loses lists and headings.
"""
_BELOW_HEADINGS = elements("(//h2 | //h3 | //h4)/following-sibling::*[1]")
_MARKED = number("count(//article | //main)")
_AROUND = ("nav", "aside", "footer", "form")
_LOST, _MOST_READ = 2, 0.6
"""Headings, at least, that an article lacks which has what stands below them; and its share of the
words of the page without what is ``_AROUND``, for that page to be no more than the article."""
_NOTICE_WORDS = 120
"""A page that is only a notice is shorter than this."""


class _Found(Protocol):
    """What trafilatura finds of a page's text."""

    body: Element


class _Extract(Protocol):
    def __call__(
        self, tree: Element, *, favor_precision: bool, fast: bool, include_comments: bool
    ) -> _Found | None: ...


class _Readable(Protocol):
    def __call__(self, htmlinput: Element) -> _Texts: ...


class _Texts(Protocol):
    """An element whose pieces of text are asked for."""

    def itertext(self) -> Iterator[str]: ...


# Both take an lxml tree, which has no type, and with one they fetch nothing.
_extract = cast("_Extract", bare_extraction)
_readable = cast("_Readable", try_readability)


@dataclass(frozen=True, slots=True)
class HtmlRules:
    """What is done on top of trafilatura; an evaluation leaves one out to see what it gains."""

    drop_hidden: bool = True
    """Takes out what a browser does not show."""
    prefer_precise: bool = True
    """Takes trafilatura's precise text where readability agrees with it."""
    below_headline: bool = True
    """Begins below the headline, which is the title of the page."""


class HtmlExtractor:
    """Reads web pages and HTML files."""

    def __init__(self, rules: HtmlRules = HtmlRules()) -> None:
        self._rules = rules

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
        if self._rules.drop_hidden:
            drop_hidden(root)
        if body.with_citations:
            _write_citations(root)
        else:
            raise_figures(root)
        spread_spans(root)
        read = self._read(body, html, root)
        _check(body, (read.title, page_title(root)), read.text)
        yield make_page(
            body,
            Format.HTML,
            below_headline(read.text, read.title) if self._rules.below_headline else read.text,
            title=read.title,
            author=read.author,
            published=read.date,
            language=root.get("lang", "")[:2].lower(),
        )

    def _read(self, body: Body, html: str, root: Element) -> _Read:
        """Return what ``root``, the tree of ``html``, says, and take what is unread out of it."""
        if _is_book(root):
            return _Read(render(root), headline(root, "", ""))
        about = describe(root, html, body.url if body.url.startswith("http") else None)
        title = headline(root, about.title or "", about.sitename or "")
        drop_all(root, _UNREAD)
        return _Read(self._text(body, root), title, about.author or "", about.date or "")

    def _text(self, body: Body, root: Element) -> str:
        if body.url.startswith("file:") and not _FURNITURE(root):
            return render(root)
        return _main_text(root, precise=self._rules.prefer_precise)


@dataclass(frozen=True, slots=True)
class _Read:
    """What a page says, and what is known of it."""

    text: str
    title: str
    author: str = ""
    date: str = ""


def _is_book(root: Element) -> bool:
    return _LENGTH(root) > _LONG_CHARS or _COUNT(root) > _MANY_ELEMENTS


def _main_text(root: Element, *, precise: bool) -> str:
    """Return the article in ``root``.

    That is trafilatura's precise text, where ``precise`` says so and no part of it may have been
    lost, else its balanced text, which takes twice as long. What is less than an article is the
    whole page.
    """
    is_large = _COUNT(root) > _LARGE_ELEMENTS
    text = _agreed(root) if precise and not is_large else ""
    text = text or _by_trafilatura(root, precision=False, fast=is_large)
    if len(text.split()) < _FEW_WORDS or _has_run_together(text, root):
        return max(text, render(root), key=len)
    return _with_sections(text, root)


def _with_sections(text: str, root: Element) -> str:
    """Return the article ``text``, or all of ``root`` but for what is around it.

    Where a page marks no article, and trafilatura finds none, it takes the paragraphs alone: the
    headings, and the lists below them, such as prices, are lost.
    """
    if _MARKED(root) or _is_whole(text, root):
        return text
    rest = copy(root)
    drop_all(rest, _AROUND)
    whole = render(rest)
    return whole if len(text.split()) >= _MOST_READ * len(whole.split()) else text


def _is_whole(text: str, root: Element) -> bool:
    """Whether ``text`` has a heading, or hardly any that it lacks is over something that it has."""
    if re.search(r"^##", text, re.MULTILINE):
        return True
    flat = " ".join(text.split())
    below = (" ".join("".join(inner_text(each)).split()) for each in _BELOW_HEADINGS(root))
    return sum(bool(said) and said in flat for said in below) < _LOST


def _has_run_together(text: str, root: Element) -> bool:
    """Whether ``text`` is one paragraph with the cells of a table in it.

    So trafilatura takes a page in which it finds no article, such as a heading and a table.
    """
    if "\n" in text:
        return False
    short = _short_cells(root)
    held = sum(each in text for each in short)
    return len(short) >= _FEW_CELLS and held >= _MOST_HELD * len(short)


def _short_cells(root: Element) -> list[str]:
    """Return the texts of the cells next to others, but for the empty and the long ones."""
    told = [" ".join("".join(inner_text(cell)).split()) for cell in _CELLS_BESIDE(root)]
    return [each for each in told if each and len(each.split()) <= _CELL_WORDS]


def _agreed(root: Element) -> str:
    """Return trafilatura's precise text.

    Empty where readability, which looks for an article in another way, found another one, and where
    most of the page's paragraphs were lost.
    """
    text = _by_trafilatura(root, precision=True, fast=True)
    if len(" ".join(_PARAGRAPHS(root)).split()) > _MUCH_MORE * len(text.split()):
        return ""
    return text if _likeness(text, _by_readability(root)) >= _AGREED else ""


def _likeness(text: str, other: str) -> float:
    """Return the Dice coefficient of the words of two texts, from 0 to 1."""
    words, others = Counter(text.split()), Counter(other.split())
    return 2 * (words & others).total() / max(1, words.total() + others.total())


def _by_trafilatura(root: Element, *, precision: bool, fast: bool) -> str:
    found = _extract(root, favor_precision=precision, fast=fast, include_comments=False)
    return render(found.body) if found else ""


def _by_readability(root: Element) -> str:
    """Return the words of the article that readability finds, without their order of lines."""
    return " ".join(_readable(copy(root)).itertext())


def _write_citations(root: Element) -> None:
    """Write links and raised numbers as Markdown does, where they would be words like others."""
    for element in _CITING(root):
        address = element.get("href", "").strip()
        if element.tag == "sup":
            _enclose(element, "<sup>", "</sup>")
        elif address and not address.startswith("#") and not any(map(str.isspace, address)):
            _enclose(element, "[", f"]({address})")


def _enclose(element: Element, before: str, after: str) -> None:
    """Write ``before`` and ``after`` around the words of ``element``."""
    element.text = before + (element.text or "")
    if len(element):
        last = list(element)[-1]
        last.tail = (last.tail or "") + after
    else:
        element.text += after


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
