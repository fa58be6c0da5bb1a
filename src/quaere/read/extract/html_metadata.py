"""Metadata of a web page: its title, author, site and date, and where the headline stands."""

from __future__ import annotations

import re
from contextlib import suppress
from copy import copy
from datetime import datetime
from typing import Protocol, cast

from htmldate import find_date
from htmldate.core import compare_reference, search_page
from htmldate.utils import Extractor as Options
from htmldate.validators import check_extracted_reference, get_max_date, get_min_date
from trafilatura.metadata import (
    examine_meta,
    extract_author,
    extract_meta_json,
    extract_sitename,
    extract_title,
    extract_url,
)

from quaere.read.extract.html_text import render
from quaere.text.clean import clean_line
from quaere.text.markup import Element, drop_all, html_of, texts

# htmldate reads English, French, German, Indonesian and Turkish names of months by itself. Others
# it leaves to dateparser, which takes seconds of processor time to load its languages.
_MONTHS = (
    "enero ene janeiro gennaio gen januari stycznia sty января",
    "febrero fevereiro fev febbraio februari lutego lut февраля",
    "marzo março marts maart marca marec марта",
    "abril abr aprile april kwietnia kwi апреля",
    "mayo maio maggio mag maj mei maja мая",
    "junio junho giugno giu juni czerwca cze июня",
    "julio julho luglio lug juli lipca lip июля",
    "agosto ago augustus augusti sierpnia sie августа",
    "septiembre setiembre setembro settembre set septembre września wrz сентября",
    "octubre outubro out ottobre ott oktober października paź октября",
    "noviembre novembro novembre listopada lis ноября",
    "diciembre dic dezembro dicembre grudnia gru декабря",
)
_MONTH_NUMBER = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_IN_WORDS = re.compile(
    r"(?<!\d)(?P<day>[0-3]?\d)[.ºª°]?\s+(?:d[ei]\s+)?"
    rf"(?P<month>{'|'.join(sorted(_MONTH_NUMBER, key=lambda name: (-len(name), name)))})"
    r"\.?,?\s+(?:del?\s+)?(?P<year>(?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
# Both begin with a set of characters, for which a megabyte is searched in no time.
_LIKE_WORDS = re.compile(
    r"[0-9][.ºª°]?\s+(?:d[ei]\s+)?([^\W\d_]{3,12})\.?,?\s+(?:del?\s+)?(?:19|20)[0-9]{2}"
)
_FULL_DATE = re.compile(
    r"[0-9](?:(?<=[12])[09][0-9]{2}(?:\D{1,3}[01]?[0-9]\D{1,3}[0-3]?[0-9]|[01][0-9][0-3][0-9])"
    r"|[0-9]?\D{1,20}(?:19|20)[0-9]{2}|[0-9]?[./-][0-3]?[0-9][./-][0-9]{2})(?![0-9])"
)
"""Day, month and year together. A page with no such thing has at most a copyright to date it."""
_UNREAD = ("audio", "canvas", "embed", "iframe", "math", "object", "picture", "svg", "video")
_TEXTS = texts(
    ".//*[self::div or self::h2 or self::h3 or self::h4 or self::li or self::p or self::span"
    " or self::time or self::ul]/text()"
)
_SHORT = range(7, 52)
"""Characters of a text that is little more than a date, as htmldate has it."""


class _Find(Protocol):
    def __call__(
        self, tree: Element, *, url: str | None, original_date: bool, extensive_search: bool
    ) -> str | None: ...


# Takes an lxml tree, which has no type, and with one it fetches nothing.
_find = cast("_Find", find_date)


def published(root: Element, html: str, url: str | None) -> str:
    """Return the ISO date on which the page under ``root`` was published; empty when unknown.

    Args:
        root: The whole page; it is left as it is.
        html: The same as text.
        url: Where the page is; many an address holds a date.
    """
    is_foreign = any(word.lower() in _MONTH_NUMBER for word in _LIKE_WORDS.findall(html))
    tree = _in_figures(root) if is_foreign else root
    found = _find(tree, url=url, original_date=True, extensive_search=False)
    if not found and _FULL_DATE.search(html):
        found = _guessed(tree)
    return found or ""


def _in_figures(root: Element) -> Element:
    """Return a copy of ``root`` with the dates in it that htmldate cannot read made ISO dates."""
    tree = copy(root)
    for element in tree.iter():
        if element.text:
            element.text = _IN_WORDS.sub(_iso, element.text)
        if element.tail:
            element.tail = _IN_WORDS.sub(_iso, element.tail)
    return tree


def _iso(match: re.Match[str]) -> str:
    month = _MONTH_NUMBER[match["month"].lower()]
    return f"{match['year']}-{month:02}-{int(match['day']):02}"


def _guessed(root: Element) -> str | None:
    """Return the earliest date that stands alone, else what dates in the page look likeliest.

    The last steps of htmldate's extensive search, without its resort to dateparser.
    """
    options = Options(
        extensive=False,
        max=get_max_date(None),
        min=get_min_date(None),
        original=True,
        format="%Y-%m-%d",
    )
    tree = copy(root)
    drop_all(tree, _UNREAD)
    earliest: datetime | None = None
    for text in map(str.strip, _TEXTS(tree)):
        if len(text) in _SHORT:
            earliest = compare_reference(earliest, text, options)
    return check_extracted_reference(earliest, options) or search_page(html_of(tree), options)


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
"""A headline is in the first part of a text; so much above it is crumbs, dates and notices."""


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
