"""Where sentences begin and end.

A rule, not a model: a full stop ends a sentence unless it belongs to an abbreviation, an initial or
a number, or the next word goes on in lower case. List items, headings, table rows and paragraphs
are boundaries of their own. Every step looks at a bounded stretch of text, so that the time taken
is linear whatever the text is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from quaere.text.tokens import STOP_WORDS

# Never the end of a sentence.
_BEFORE_NAME: Final = frozenset(
    """
    mr mrs ms dr prof st mt ft gen sen rep lt col capt cmdr sgt maj gov pres rev hon fr sr. msgr mme
    mlle messrs vs e.g i.e cf viz approx ca c al
    """.split()
)
# The end unless a number follows.
_BEFORE_NUMBER: Final = frozenset(
    """
    no nos fig figs eq eqs sec ch vol vols art pp p pg ed par ver jan feb mar apr jun jul aug sep
    sept oct nov dec
    """.split()
)
# The end only before a word that often begins a sentence.
_AMBIGUOUS: Final = frozenset(
    """
    etc inc ltd co corp bros jr sr dept univ assn ave blvd rd est esq min max gmbh s.a
    """.split()
)
_OPENERS: Final = "\"'“‘«„(["
_CLOSERS: Final = "\"'”’»)]"
_STOP = re.compile(
    rf"([.!?…]++)[{re.escape(_CLOSERS)}]*+(?:\[\d{{1,3}}\])*+|[。！？｡]++[」』”）]*+"
)
_BLANK = re.compile(r"\n[^\S\n]*+\n\s*+|\f")
_MARKER = re.compile(r"\s*+(?:[-*+•‣◦▪–—·]\s|\(?\d{1,3}[.)]\s|\(?[a-zA-Z][)]\s|#{1,6}\s|\||>\s)")
_OWN_LINE = re.compile(r"\s*+(?:#{1,6}\s|\|)")
_REACH: Final = 40
"""Characters looked at around a full stop: more than any abbreviation needs."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch ``[start, end)`` of a text."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """Return the sentences of ``text`` in their order, without the white space around them."""
    spans: list[Span] = []
    for start, end in _blocks(text):
        cut = start
        for match in _STOP.finditer(text, start, end):
            if match.end() < end and _ends_sentence(text, match, end):
                _append(spans, text, cut, match.end())
                cut = match.end()
        _append(spans, text, cut, end)
    return spans


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        spans.append(Span(left, right))


def _ends_sentence(text: str, match: re.Match[str], end: int) -> bool:
    stop = match[1]
    if stop is None:
        return True
    ahead = text[match.end() : min(end, match.end() + _REACH)]
    if not ahead[0].isspace():
        return False
    following = ahead.lstrip().lstrip(_OPENERS)
    if not following:
        return True
    if following[0].islower():
        return False
    if stop != ".":
        return True
    before = text[max(0, match.start() - _REACH) : match.start()].rsplit(None, 1)
    return not before or _may_end(before[-1].lstrip(_OPENERS), following)


def _may_end(word: str, following: str) -> bool:
    lower = word.lower()
    if lower in _BEFORE_NAME:
        return False
    if lower in _BEFORE_NUMBER:
        return not following[0].isdigit()
    initials = "." in word[:-1] and all(len(part) <= 2 for part in word.split("."))
    if lower in _AMBIGUOUS or initials or (len(word) == 1 and word.isupper()):
        return re.split(r"\W", following, maxsplit=1)[0].lower() in STOP_WORDS
    return True


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _BLANK.finditer(text):
        yield from _lines(text, start, match.start())
        start = match.end()
    yield from _lines(text, start, len(text))


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part a paragraph where a line break is more than the wrapping of a long line."""
    edges = [start - 1, *(m.start() for m in re.finditer("\n", text[start:end])), end]
    edges[1:-1] = [start + edge for edge in edges[1:-1]]
    width = max((b - a - 1 for a, b in pairwise(edges)), default=0)
    begun = start
    for (left, right), (_, after) in pairwise(pairwise(edges)):
        if _breaks(text[left + 1 : right], text[right + 1 : after], width):
            yield begun, right
            begun = right + 1
    yield begun, end


def _breaks(line: str, following: str, width: int) -> bool:
    if _MARKER.match(following) or _OWN_LINE.match(line):
        return True
    head = following[:_REACH].split(None, 1)
    if not head or head[0][0].islower():
        return False
    return len(line.rstrip()) + 1 + len(head[0]) < 0.8 * width
