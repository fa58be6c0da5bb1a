"""What a source is called where it is shown, and where it is."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from quaere.domain.evidence import Evidence
from quaere.domain.report import Quote
from quaere.domain.source import Passage
from quaere.synthesize.inert import plain, visible

MAX_TITLE_CHARS: Final = 200
"""Longer titles are cut: a page chooses its own, and some put an article there."""


def locator_of(entry: Evidence, passage: Passage, quote: Quote) -> str:
    """Return where in its source ``quote`` of ``passage`` is: "page 3", "rows 2-5"."""
    rows = passage.rows_at(quote.start, quote.end)
    return visible(rows or passage.locator or entry.locator)


def shown_title(entry: Evidence, passage: Passage, url: str, locator: str) -> str:
    """Return what a source is called where it is shown: its title, else where it is."""
    place = _place(url, located=bool(locator))
    title = plain(passage.title or entry.title) or plain(place) or "Untitled"
    if len(title) > MAX_TITLE_CHARS:
        return f"{title[: MAX_TITLE_CHARS - 1].rstrip()}…"
    return title


def location(url: str, locator: str) -> str:
    """Return where a source is, for people: its path or URL, and the place in it."""
    place = _place(url, located=bool(locator))
    return ", ".join(filter(None, (place or "no address", visible(locator))))


def _place(url: str, *, located: bool) -> str:
    """Return the path of a file, or the URL of anything else.

    The fragment names a record of the file; it goes when the record is ``located`` in words.
    """
    parts = urlsplit(url)
    if parts.scheme != "file":
        return url
    path = visible(url2pathname(parts.path))
    return path if located or not parts.fragment else f"{path}#{visible(unquote(parts.fragment))}"
