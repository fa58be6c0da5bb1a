"""What a web page says of itself: its title, author, site and date."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol, cast

from trafilatura.metadata import (
    examine_meta,
    extract_author,
    extract_meta_json,
    extract_sitename,
    extract_title,
    extract_url,
)

from quaere.read.extract.dated import published
from quaere.read.extract.markup import Element

_BY = (
    *("author", "byl", "username", "bbl", "writer", "screenname", "channel-name", "journalist"),
    *("submitted-by", "posted-by", "zuozhe", "bianji", "xiaobian"),
)
"""Some of this is in every place where trafilatura looks for an author, at some expense."""
_JSON_ERRORS = (AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What trafilatura meets in JSON of a shape that it did not foresee."""


class About(Protocol):
    """What is known of a page; None where it is not."""

    title: str | None
    author: str | None
    sitename: str | None
    date: str | None
    url: str | None


class _Document(About, Protocol):
    def clean_and_trim(self) -> None: ...


class _Examine(Protocol):
    def __call__(self, tree: Element) -> _Document: ...


class _Fill(Protocol):
    def __call__(self, tree: Element, metadata: _Document) -> _Document: ...


class _Tell(Protocol):
    def __call__(self, tree: Element) -> str | None: ...


class _Locate(Protocol):
    def __call__(self, tree: Element, default_url: str | None) -> str | None: ...


# They take an lxml tree, which has no type; none fetches anything.
_examine = cast("_Examine", examine_meta)
_fill_from_json = cast("_Fill", extract_meta_json)
_title = cast("_Tell", extract_title)
_author = cast("_Tell", extract_author)
_site = cast("_Tell", extract_sitename)
_url = cast("_Locate", extract_url)


def describe(root: Element, html: str, url: str | None) -> About:
    """Return what the page under ``root``, as text ``html``, says of itself.

    That is trafilatura's ``extract_metadata`` without what nobody asks for here: categories, tags,
    licence, image.
    """
    about = _examine(root)
    if about.author and " " not in about.author:
        about.author = None
    with suppress(*_JSON_ERRORS):
        about = _fill_from_json(root, about)
    about.url = about.url or _url(root, url)
    about.date = published(root, html, about.url)
    about.title = about.title or _title(root)
    if not about.author and any(map(html.lower().__contains__, _BY)):
        about.author = _author(root)
    about.sitename = (about.sitename or _site(root) or "").lstrip("@")  # as a Twitter account
    about.clean_and_trim()
    return about
