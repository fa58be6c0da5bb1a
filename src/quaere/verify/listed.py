"""Figures that lists, names and bounds of a source give to a reader who understands.

Who reads a list of three items may write "three"; who reads "--chat-timeout=20" and
"--deep-timeout=150" may say that the one is 7.5 times the other; what exceeds 40 is at least 41;
and "mode12" names a twelfth mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, groupby
from operator import itemgetter
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.ground import Ground

MOST_ITEMS: Final = 12
"""Items of the longest list that a reader counts in words: "three", "a dozen"."""
MOST_ENTRIES: Final = 40
"""Lines with a figure each that are looked through for two of nearly the same name."""
AROUND: Final = 24
"""Characters before a figure in which the words that bound it stand."""

_ITEM: Final = lazy_regex(
    r"(?m)^(?P<indent>[ \t]*)(?P<mark>[-*+•·]|\(?\d{1,2}[.)]|\(?[a-z][.)])[ \t]+\S"
)
_ENTRY_WORD: Final = lazy_regex(r"[^\W\d_]+")
_MORE_THAN: Final = (
    r"(?:more|greater|larger|higher|longer|older|later) than|exceed\w*|over|above|beyond"
    r"|mehr als|größer als|höher als|länger als|über|plus de|más de|più di|mais de|meer dan|>"
)
_LESS_THAN: Final = (
    r"(?:less|fewer|smaller|lower|shorter|younger|earlier) than|under|below|before"
    r"|weniger als|kleiner als|kürzer als|unter|vor|moins de|menos de|meno di|minder dan|<"
)
_EXCEEDS_BEHIND: Final = lazy_regex(
    r"(?i)\s(?:\w+\s)?(?:übersteig\w*|überschreit\w*|exceeded|is exceeded)"
)
_ABOVE: Final = lazy_regex(rf"(?i)(?:^|[\s(])(?:{_MORE_THAN})\s?\W?\Z")
_BELOW: Final = lazy_regex(rf"(?i)(?:^|[\s(])(?:{_LESS_THAN})\s?\W?\Z")
_FROM: Final = lazy_regex(
    r"(?i)(?:\b(?:at least|no less than|no fewer than|minimum(?: of)?|from|mindestens|wenigstens|ab"
    r"|au moins|à partir de|al menos|almeno|pelo menos|minstens)|≥|>=)\s?\W?\Z"
)
_TO: Final = lazy_regex(
    r"(?i)(?:\b(?:at most|no more than|up to|maximum(?: of)?|until|höchstens|maximal|bis(?: zu)?"
    r"|au plus|jusqu['’]à|como máximo|al massimo|no máximo|hoogstens)|≤|<=)\s?\W?\Z"
)
_OR_MORE: Final = lazy_regex(r"(?i)\s(?:\w+\s)?(?:or|oder) (?:more|over|above|mehr)\b")
_OR_LESS: Final = lazy_regex(r"(?i)\s(?:\w+\s)?(?:or|oder) (?:less|fewer|under|weniger)\b")


def is_count_of_items(number: Number, claim: Ground, sources: Iterable[Ground]) -> bool:
    """Return whether ``number`` of ``claim`` is in words, and as many as a list has items."""
    in_words = claim.text[number.start : number.end].replace(" ", "").isalpha()
    if not in_words or number.unit or not 2 <= number.value <= MOST_ITEMS:
        return False
    return any(number.value in set(_lengths(source.text)) for source in sources)


def _lengths(text: str) -> Iterator[int]:
    """Yield of how many items each list of ``text`` is, those inside an item counted apart."""
    marks = [
        (len(m["indent"].expandtabs()), m["mark"].lstrip("(")[-1], m.start())
        for m in _ITEM.finditer(text)
    ]
    run: list[tuple[int, str, int]] = []
    for mark in marks:
        if run and (mark[0] < run[0][0] or _is_parted(text, run[-1][2], mark[2])):
            yield from _by_depth(run)
            run = []
        run.append(mark)
    yield from _by_depth(run)


def _by_depth(run: Iterable[tuple[int, str, int]]) -> Iterator[int]:
    for _, items in groupby(sorted(run, key=itemgetter(0, 1)), key=itemgetter(0, 1)):
        yield sum(1 for _ in items)


def _is_parted(text: str, start: int, end: int) -> bool:
    """Return whether two items have a line between them that is neither an item nor indented."""
    lines = text[start:end].splitlines()[1:]
    return any(line[:1].strip() for line in lines)


def parallel_entries(source: Ground) -> Iterator[tuple[Number, Number]]:
    """Yield the figures of two entries whose names differ in one word or one part of a name.

    An entry is a line with one figure after its name: "deep_timeout = 150  # seconds".
    """
    for one, other in combinations(_entries(source)[:MOST_ENTRIES], 2):
        shared = one[0] & other[0]
        apart = max(len(one[0] - other[0]), len(other[0] - one[0]))
        if shared and apart == 1:
            yield one[1], other[1]


def _entries(source: Ground) -> list[tuple[frozenset[str], Number]]:
    found: list[tuple[frozenset[str], Number]] = []
    start = 0
    for line in source.text.splitlines(keepends=True):
        held = [n for n in source.numbers if start <= n.start < start + len(line)]
        if len(held) == 1 and "|" not in line:
            name = source.text[start : held[0].start]
            found.append((frozenset(_ENTRY_WORD.findall(name.lower())), held[0]))
        start += len(line)
    return found


def is_named_by(number: Number, claim: Ground, sources: Iterable[Ground]) -> bool:
    """Return whether ``number`` ends a name that a source has in one word: 12 of "mode12"."""
    digits = claim.text[number.start : number.end]
    if len(digits) < 2 or not digits.isdigit():
        return False
    name = re.compile(rf"[^\W\d]{digits}(?![\d.,]?\d)")
    return any(name.search(source.text) for source in sources)


def is_next_whole(number: Number, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``number`` is the first whole one beyond a bound: over 40 is at least 41."""
    before = claim.text[max(0, number.start - AROUND) : number.start]
    behind = claim.text[number.end :]
    if _FROM.search(before) or _OR_MORE.match(behind):
        step = -1
    elif _TO.search(before) or _OR_LESS.match(behind):
        step = 1
    else:
        return False
    return any(
        bound.value == number.value + step and _is_bound(bound, source.text, above=step < 0)
        for source in sources
        for bound in source.counts
    )


def _is_bound(bound: Number, text: str, *, above: bool) -> bool:
    before = text[max(0, bound.start - AROUND) : bound.start]
    if above:
        behind = text[bound.end :]
        return bool(_ABOVE.search(before) or _EXCEEDS_BEHIND.match(behind))
    return _BELOW.search(before) is not None
