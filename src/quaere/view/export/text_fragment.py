"""Links to the quoted words of a web page, which browsers scroll to and highlight.

The form is that of URL Fragment Text Directives (WICG, https://wicg.github.io/scroll-to-text-fragment):
``#:~:text=prefix-,start,end,-suffix``, of which only ``start`` must be there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit

from quaere.synthesize.inert import link, visible

EXACT_CHARS = 100
"""Longer quotes are given by their first and last words. A page holds notes, links and soft hyphens
between the words that reading it left out, so that a long stretch is rarely found as it stands."""
EDGE_CHARS = 40
"""Most characters of a long quote's beginning, and of its end."""
BLOCK_CHARS = 6
"""Shorter lines at either end of a quote (a cell, a date) would be found all over the page."""

# Where a stored text has left one element of its page for the next: lines and cells of a table.
_BETWEEN = re.compile(r"[\r\n|]+")
# Marks of headings, lists and quotations in stored text; no element of the page holds them.
_LEAD = re.compile(r"^(?:(?:#{1,6}|[-*+•>]|\d{1,3}[.)])\s+)+")
# Where a stretch without spaces may be cut.
_PAUSE = "、。，．；：！？・"
# Documents that a browser downloads, or shows in a viewer that knows no text directive.
_NOT_PAGES = frozenset(
    {".csv", ".doc", ".docx", ".epub", ".gz", ".json", ".jsonl", ".odt", ".pdf", ".ppt", ".pptx"}
    | {".ps", ".rtf", ".tsv", ".xls", ".xlsx", ".zip"}
)
_PLACES = ("page", "record", "row")


def fragment_link(
    url: str, words: str, *, locator: str = "", before: str = "", after: str = ""
) -> str:
    """Return ``url`` as a link to ``words`` on its page; empty unless it is http or https.

    An element that ``url`` names stays named. Documents other than web pages (a PDF, a table) are
    linked as they are.

    Args:
        url: The address of the page.
        words: The quote, as in the stored text.
        locator: The place of the quote inside its source; pages and rows are not those of the web.
        before: Text of the page in front of the quote, where it is known.
        after: Text of the page after it.
    """
    href = link(url)
    if not href or locator.startswith(_PLACES):
        return href
    if PurePosixPath(urlsplit(href).path).suffix.lower() in _NOT_PAGES:
        return href
    text = text_directive(words, before=before, after=after)
    if not text:
        return href
    base, _, element = href.partition("#")
    return f"{base}#{element.partition(':~:')[0]}:~:{text}"


def text_directive(words: str, *, before: str = "", after: str = "") -> str:
    """Return the directive ``text=…`` that finds ``words``; empty when they hold no word.

    Words that also occur in ``before`` get the words in front of them as their prefix: a browser
    takes the first place that fits. So does, by its suffix, an end that the quote has twice.
    """
    blocks = _blocks(words)
    if not blocks:
        return ""
    first, last = _chosen(blocks)
    leading, trailing = [*_blocks(before), *blocks[:first]], [*blocks[last + 1 :], *_blocks(after)]
    start, end = blocks[first], ""
    if first < last or len(start) > EXACT_CHARS:
        start, end = _opening(start), _closing(blocks[last])
    parts = [_encoded(start)]
    if leading and _holds(leading, start):
        parts.insert(0, f"{_encoded(_closing(leading[-1]))}-")
    if end:
        parts.append(_encoded(end))
    if trailing and end and _holds([*blocks[first:last], blocks[last][: -len(end)]], end):
        parts.append(f"-{_encoded(_opening(trailing[0]))}")
    return f"text={','.join(parts)}"


def _blocks(text: str) -> list[str]:
    """Return the parts of ``text`` that a page has in one element each, without their marks."""
    lines = (_LEAD.sub("", " ".join(visible(line).split())) for line in _BETWEEN.split(text))
    return [line for line in lines if any(char.isalnum() for char in line)]


def _chosen(blocks: Sequence[str]) -> tuple[int, int]:
    """Return the places of the first and the last block that are long enough to be found."""
    long = [place for place, block in enumerate(blocks) if len(block) >= BLOCK_CHARS]
    return (long[0], long[-1]) if long else (0, len(blocks) - 1)


def _opening(block: str) -> str:
    if len(block) <= EDGE_CHARS:
        return block
    cut = max(block.rfind(mark, 1, EDGE_CHARS + 1) for mark in f" {_PAUSE}")
    return block[:cut] if cut > 0 else block[:EDGE_CHARS]


def _closing(block: str) -> str:
    if len(block) <= EDGE_CHARS:
        return block
    tail = block[-EDGE_CHARS - 1 :]
    cuts = [place for mark in f" {_PAUSE}" if 0 <= (place := tail.find(mark)) < len(tail) - 1]
    return tail[min(cuts) + 1 :] if cuts else tail[1:]


def _holds(blocks: Sequence[str], words: str) -> bool:
    return words.casefold() in "\n".join(blocks).casefold()


def _encoded(text: str) -> str:
    # The hyphen, which quote() leaves alone, would part a prefix or suffix from the rest.
    return quote(text, safe="").replace("-", "%2D")
