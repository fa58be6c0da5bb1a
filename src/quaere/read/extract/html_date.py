"""When a web page was published, by what it says of itself."""

from __future__ import annotations

import re
from copy import copy
from datetime import datetime
from typing import Protocol, cast

from htmldate import find_date
from htmldate.core import compare_reference, search_page
from htmldate.utils import Extractor as Options
from htmldate.validators import check_extracted_reference, get_max_date, get_min_date

from quaere.read.extract.markup import Element, drop_all, html_of, texts

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
    r"[0-9][.ºª°]?\s+(?:d[ei]\s+)?([^\W\d_]{3,10})\.?,?\s+(?:del?\s+)?(?:19|20)[0-9]{2}"
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
