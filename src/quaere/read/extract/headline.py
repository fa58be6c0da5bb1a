"""Finds the title of an article among what its page is called, and where the article begins."""

from __future__ import annotations

import re

from quaere.read.clean import clean_line
from quaere.read.extract.blocks import render
from quaere.read.extract.markup import Element

_DASH = r"[|–—»«·•:-]"
_SET_OFF_BEFORE = re.compile(rf"(?:^|{_DASH})\s*$")
_SET_OFF_AFTER = re.compile(rf"\s*(?:{_DASH}|$)")
_FEW_WORDS = 3
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_HIGHEST = 0.25
"""A headline stands in the first part of a text; so much above it is crumbs, dates and notices."""


def headline(root: Element, told: str, site: str) -> str:
    """Return the title of the page under ``root``; empty when it has none.

    Best is a first-rank heading that the page's ``<title>`` repeats, for that one carries the name
    of the site before or behind, and the first heading may be the site's own. Else it is what the
    page's metadata have ``told``, without the name of the ``site``.
    """
    tag = page_title(root)
    headings = (clean_line(render(heading).lstrip("# ")) for heading in root.iter("h1"))
    repeated = [heading for heading in headings if heading and _is_part(heading, tag)]
    if repeated:
        return max(repeated, key=len)
    told = clean_line(told)
    is_strange = told not in tag and len(tag.split()) >= _FEW_WORDS
    return _without(tag if is_strange else told, clean_line(site))


def below_headline(text: str, title: str) -> str:
    """Return ``text`` from below the heading that is ``title``, which the page tells beside it.

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
