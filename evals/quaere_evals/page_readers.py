"""Reads pages two ways, in this process: as the engine does, and with the plain library."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Protocol, TypeVar, cast

from pypdfium2 import PdfDocument, PdfiumError
from trafilatura import bare_extraction

from quaere.domain.source import Page
from quaere.errors import ReadError
from quaere.ports.read import Body, Extractor
from quaere.read.extractor import SniffingExtractor

Made = TypeVar("Made")
Also = TypeVar("Also")

TURNS = 3
"""Readings of a body of which the shortest is told."""


@dataclass(frozen=True, slots=True)
class WebText:
    """What a reader made of a web page; empty where it found nothing."""

    text: str = ""
    title: str = ""
    author: str = ""
    published: str = ""
    """ISO 8601."""


class _Document(Protocol):
    """The little of trafilatura's document that is used here."""

    text: str | None
    title: str | None
    author: str | None
    date: str | None


class _Extract(Protocol):
    def __call__(
        self, data: bytes, *, url: str, include_comments: bool, with_metadata: bool
    ) -> _Document | None: ...


class _TextPage(Protocol):
    def get_text_bounded(self) -> str: ...


_plain_extract = cast("_Extract", bare_extraction)


def read_web_page(body: Body) -> WebText:
    """Return what the engine's extractor makes of ``body``."""
    page = _page(body, SniffingExtractor())
    if page is None:
        return WebText()
    return WebText(page.text, page.title, page.author, page.published)


def plain_web_page(body: Body) -> WebText:
    """Return what trafilatura makes of ``body``, text and metadata, with its own settings."""
    found = _plain_extract(body.data, url=body.url, include_comments=False, with_metadata=True)
    if found is None:
        return WebText()
    return WebText(found.text or "", found.title or "", found.author or "", found.date or "")


def read_pdf(body: Body) -> Sequence[str]:
    """Return the text of each printed page as the engine has it."""
    return printed_pages(SniffingExtractor(), body)


def printed_pages(extractor: Extractor, body: Body) -> Sequence[str]:
    """Return the text of each printed page, as the marks of the extracted page tell them apart."""
    page = _page(body, extractor)
    if page is None:
        return ()
    starts = [mark.start for mark in page.marks]
    return [page.text[start:end] for start, end in pairwise([*starts, len(page.text)])]


def plain_pdf(body: Body) -> Sequence[str]:
    """Return the text of each printed page as PDFium has it."""
    try:
        with PdfDocument(body.data) as document:
            pages = (cast("_TextPage", sheet.get_textpage()) for sheet in document)
            return [page.get_text_bounded() for page in pages]
    except PdfiumError:
        return ()


def timed(read: Callable[[Body], Made], bodies: Iterable[Body]) -> tuple[list[Made], float]:
    """Return what ``read`` makes of each body, and the seconds of processor time that took.

    The first body is read once more, so that nothing is loaded on the clock.
    """
    bodies = list(bodies)
    for body in bodies[:1]:
        read(body)
    started = time.process_time()
    made = [read(body) for body in bodies]
    return made, time.process_time() - started


def timed_by_turns(
    own: Callable[[Body], Made], plain: Callable[[Body], Also], body: Body
) -> tuple[tuple[Made, float], tuple[Also, float]]:
    """Return what both readers make of ``body``, each with its least seconds of processor time.

    They take turns, and the least of several readings counts: what else the machine does meanwhile
    can only make one longer, and would else be seen in the one reader and not in the other.
    """
    turns = [(_clocked(own, body), _clocked(plain, body)) for _ in range(TURNS)]
    owns, plains = zip(*turns, strict=True)
    return min(owns, key=itemgetter(1)), min(plains, key=itemgetter(1))


def _clocked(read: Callable[[Body], Made], body: Body) -> tuple[Made, float]:
    started = time.process_time()
    return read(body), time.process_time() - started


def _page(body: Body, extractor: Extractor) -> Page | None:
    try:
        return next(extractor.extract(body), None)
    except ReadError:
        return None
