"""Metadata of a web page: its title, author, site and date, and where the headline stands."""

from __future__ import annotations

import re
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

from quaere.read.clean import clean_line
from quaere.read.extract.html_date import published
from quaere.read.extract.html_text import render
from quaere.read.extract.markup import Element

_BY = (
    *("author", "byl", "username", "bbl", "writer", "screenname", "channel-name", "journalist"),
    *("submitted-by", "posted-by", "zuozhe", "bianji", "xiaobian"),
)
"""Some of this is in every place where trafilatura looks for an author, at some expense."""
_JSON_ERRORS = (AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What trafilatura meets in JSON of a shape that it did not foresee."""


class About(Protocol):
    """Metadata of a page; None where unknown."""

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
    """Return the metadata of the page under ``root``, whose source is ``html``.

    Equals trafilatura's ``extract_metadata`` without categories, tags, licence and image.
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


_DASH = r"[|–—»«·•:-]"
_SET_OFF_BEFORE = re.compile(rf"(?:^|{_DASH})\s*$")
_SET_OFF_AFTER = re.compile(rf"\s*(?:{_DASH}|$)")
_FEW_WORDS = 3
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_HIGHEST = 0.25
"""A headline stands in the first part of a text; so much above it is crumbs, dates and notices."""


def headline(root: Element, declared: str, site: str) -> str:
    """Return the title of the page under ``root``; empty when it has none.

    Best is a first-rank heading that the page's ``<title>`` repeats, for that one carries the name
    of the site before or behind, and the first heading may be the site's own. Else it is what the
    page's metadata have ``declared``, without the name of the ``site``.
    """
    tag = page_title(root)
    headings = (clean_line(render(heading).lstrip("# ")) for heading in root.iter("h1"))
    repeated = [heading for heading in headings if heading and _is_part(heading, tag)]
    if repeated:
        return max(repeated, key=len)
    declared = clean_line(declared)
    is_strange = declared not in tag and len(tag.split()) >= _FEW_WORDS
    return _without(tag if is_strange else declared, clean_line(site))


def below_headline(text: str, title: str) -> str:
    """Return ``text`` from below the heading that equals ``title``, which is stored separately.

    All of it when there is no such heading high up, or nothing below it.
    """
    called = clean_line(title).casefold()
    for heading in _HEADING.finditer(text):
        if heading.start() > _HIGHEST * len(text):
            break
        if clean_line(heading[1]).casefold() == called:
            return text[heading.end() :].lstrip() or text
    return text


def page_title(root: Element) -> str:
    """Return what the page under ``root`` has as its ``<title>``."""
    found = root.find(".//title")
    return clean_line((found.text or "") if found is not None else "")


def _is_part(heading: str, tag: str) -> bool:
    """Whether ``tag`` is ``heading`` and, set off by a dash or a bar, something else."""
    before, same, after = tag.casefold().partition(heading.casefold())
    if not same:
        return False
    return bool(_SET_OFF_BEFORE.search(before) and _SET_OFF_AFTER.match(after))


def _without(title: str, site: str) -> str:
    if not site or not title.casefold().endswith(site.casefold()):
        return title
    return _SET_OFF_BEFORE.sub("", title[: -len(site)].rstrip()).rstrip() or title
