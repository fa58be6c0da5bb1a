"""Words that say one thing of two from either end: who beats another is the one to whom he loses.

Such words are often taken for opposites, or for the same: "A beat B" and "A lost to B" have the
words of each other. A sentence agrees with its source where the same thing is at the same end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from quaere.text.languages.language import spoken
from quaere.verify.align import stems
from quaere.verify.likeness import alike, root

_RELATIONS: Final[Sequence[tuple[str, str]]] = (
    (
        r"beats?|defeat(?:s|ed)?|(?:won|wins?) against|(?:ahead|in front) of|overc[ao]mes?",
        (
            r"(?:lost|loses?|losing) (?:to|against)|(?:came in|finish(?:ed|es)|ranks?|ranked)"
            r" behind|(?:beaten|defeated|overcome) by"
        ),
    ),
    (
        (
            r"succeed(?:s|ed)|(?:took|takes?|taken) (?:over (?:as (?:\w+ ){1,3})?from|the place of)"
            r"|followed|superseded"
            r"|successor (?:of|to)|replac(?:es|ed|ing)|c[ao]mes? after"
        ),
        (
            r"preced(?:es|ed)|predecessor (?:of|to)|ma[dk]es? way for|g[ai]ves? (?:way|place) to"
            r"|handed over to|(?:succeeded|followed|replaced|superseded) by"
        ),
    ),
    (
        r"hir(?:es|ed)|employ(?:s|ed)|appoint(?:s|ed)|engaged",
        r"work(?:s|ed) for|(?:hired|employed|appointed|engaged) by",
    ),
    (
        r"(?:mother|father|parent|aunt|uncle|teacher|master) of",
        r"(?:daughter|son|child|niece|nephew|pupil|student|apprentice) of",
    ),
    (
        r"includ(?:es|ed)|contain(?:s|ed)|consists? of|compris(?:es|ed)",
        r"(?:is|are|was|were) (?:a )?part of|(?:included|contained) in",
    ),
)
"""What may come between two things: from the first end of a relation, and from the second."""
_SUCCESSION: Final = 1
"""Place of the relation above that "replaced" belongs to."""
_EXCHANGE: Final = re.compile(r"(?i)\breplac(?:es|ed|ing)\s(?P<old>[^,;.]+?)\s(?:by|with)\s")
"""Names what is left before what comes: "replaced Redis with PostgreSQL"."""
_WORDS = """
beat beaten defeat overcome win won lose lost follow precede succeed replace supersede hire employ
appoint engage work mother father parent daughter son child include contain
"""
_STEMS: Final = frozenset(map(root, _WORDS.split()))
_NEAR: Final = re.compile(r"[,;:()–—]|\b(?:and|but|which|who|while|because|although)\b")


@dataclass(frozen=True, slots=True)
class _Ends:
    """The two things of a relation, as stems."""

    relation: int
    first: frozenset[str]
    second: frozenset[str]


def ends_alike(said: str, held: str) -> int:
    """Return 1 where a relation of both has the same thing at the same end, -1 where exchanged.

    0 where they have no relation in common, or its ends cannot be told.
    """
    if spoken() is not None:
        return 0
    ways = {_compared(a, b) for a in _ends(said) for b in _ends(held) if a.relation == b.relation}
    ways.discard(0)
    return ways.pop() if len(ways) == 1 else 0


def is_relation(stem: str) -> bool:
    """Return whether ``stem`` is of a word of a relation, which may pass for an opposite."""
    return stem in _STEMS


def _compared(said: _Ends, held: _Ends) -> int:
    shared = said.first & said.second | held.first & held.second
    first, second = said.first - shared, said.second - shared
    kept = alike(first, held.first) + alike(second, held.second)
    crossed = alike(first, held.second) + alike(second, held.first)
    return (kept > crossed) - (kept < crossed)


def _ends(text: str) -> Iterator[_Ends]:
    """Yield every relation that ``text`` names, with its two ends."""
    exchange = _EXCHANGE.search(text)
    if exchange:
        yield _Ends(_SUCCESSION, _first(text[exchange.end() :]), stems([exchange["old"]]))
        return
    marks = list(_longest(_marks(text)))
    for place, (start, end, relation, way) in enumerate(marks):
        low = marks[place - 1][1] if place else 0
        high = marks[place + 1][0] if place + 1 < len(marks) else len(text)
        before, behind = _last(text[low:start]), _first(text[end:high])
        if before and behind:
            yield _Ends(relation, *((before, behind) if way > 0 else (behind, before)))


_Mark = tuple[int, int, int, int]
"""Where words of a relation begin and end, its number, and 1 or -1: from which end they tell it."""


def _marks(text: str) -> Iterator[_Mark]:
    for relation, ways in enumerate(_RELATIONS):
        for pattern, way in zip(ways, (1, -1), strict=True):
            for match in re.finditer(rf"(?i)\b(?:{pattern})\b", text):
                yield *match.span(), relation, way


def _longest(marks: Iterable[_Mark]) -> Iterator[_Mark]:
    """Yield ``marks`` in order, without those that are within another: "followed by"."""
    last = 0
    for mark in sorted(marks, key=lambda each: (each[0], -each[1])):
        if mark[0] >= last:
            yield mark
            last = mark[1]


def _last(text: str) -> frozenset[str]:
    """Return the stems of what is last in ``text``: what "which" refers to precedes it."""
    parts = [found for part in _NEAR.split(text) if (found := stems([part]))]
    return parts[-1] if parts else frozenset()


def _first(text: str) -> frozenset[str]:
    parts = _NEAR.split(text)
    return stems(parts[:1])
