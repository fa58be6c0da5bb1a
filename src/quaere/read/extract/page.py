"""Makes the pages that the extractors yield."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypedDict, Unpack

from quaere.domain.source import Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.clean import clean_line
from quaere.read.formats import Format, file_name


class About(TypedDict, total=False):
    """What a source declares about itself."""

    author: str
    published: str
    language: str


def make_page(
    body: Body,
    kind: Format,
    text: str,
    *,
    title: str = "",
    fragment: str = "",
    marks: Iterable[Mark] = (),
    **about: Unpack[About],
) -> Page:
    """Return the page of ``body``, or of its record ``fragment``, with ``text`` as it is.

    Without a ``title`` the page is called by its file name or address.
    """
    return Page(
        url=f"{body.url}#{fragment}" if fragment else body.url,
        title=clean_line(title) or name_of(body),
        text=text,
        content_type=str(kind),
        retrieved_at=body.retrieved_at,
        size=len(body.data),
        marks=tuple(marks),
        author=clean_line(about.get("author", "")),
        published=about.get("published", ""),
        language=about.get("language", ""),
    )


def at_most(limit: int, pages: Iterator[Page], body: Body) -> Iterator[Page]:
    """Yield the first ``limit`` of ``pages``.

    Raises:
        ReadError: ``too_large`` at the end when there are more.
    """
    yield from islice(pages, limit)
    if next(pages, None) is not None:
        message = f"{name_of(body)} holds more than {limit:,} records; the others were left out"
        raise ReadError(message, status=ReadStatus.TOO_LARGE)


def name_of(body: Body) -> str:
    """Return what to call ``body`` in a title or message: its file name, else its address."""
    return clean_line(file_name(body.url) or body.url)


def broken(body: Body, why: str) -> ReadError:
    """Return the error for a body that is not what its format demands."""
    return ReadError(f"{name_of(body)} {why}", status=ReadStatus.BROKEN)


def empty(body: Body, why: str = "holds no text") -> ReadError:
    """Return the error for a body without text."""
    return ReadError(f"{name_of(body)} {why}", status=ReadStatus.EMPTY)
