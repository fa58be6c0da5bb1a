"""The words of two passages with which they contradict each other, as a reasoner has read them.

A figure often stands apart from what it is of: "Longest stay" over "in days, for guests", and
"Defaults to 30." after that. Where what they differ in has figures, the lines around one are
quoted with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import product
from typing import Final

from quaere.evidence.statements import Line
from quaere.text.similarity import jaccard
from quaere.text.tokens import terms

MOST_LINES: Final = 40
"""Sentences of a passage that are looked through."""
TOGETHER: Final = 3
"""Lines in a row that are quoted as one, with a figure in them."""
EACH_LINE: Final = 0.02
"""What a line more costs, as a share of all that a pair may be worth by its words."""

_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Side:
    """A passage that says one of two things."""

    text: str
    lines: Sequence[Line]
    """Its sentences, in order."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Lines in a row."""

    text: str
    stems: frozenset[str]
    figures: frozenset[str]
    length: int


def opposing(left: Side, right: Side, wanted: AbstractSet[str], what: str) -> tuple[str, str]:
    """Return the words of each that are most likely to contradict each other; empty without any.

    They have the figures of ``what``, share the most words, and have the most of those wanted.

    Args:
        left: One side.
        right: The other.
        wanted: Stems of what the contradiction is about.
        what: What they differ in, in the words of who has read both.
    """
    figures = _figures(what)
    sought = wanted | set(terms(what))

    def worth(pair: tuple[_Stretch, _Stretch]) -> float:
        one, other = pair
        told = len(figures & (one.figures | other.figures)) / max(1, len(figures))
        both = bool(figures & one.figures) and bool(figures & other.figures)
        about = len(sought & one.stems) + len(sought & other.stems)
        cost = EACH_LINE * (one.length + other.length)
        return (
            told + both + jaccard(one.stems, other.stems) + about / max(1, 2 * len(sought)) - cost
        )

    pairs = product(_stretches(left, figures), _stretches(right, figures))
    best = max(pairs, key=worth, default=None)
    return (best[0].text, best[1].text) if best else ("", "")


def _stretches(side: Side, figures: AbstractSet[str]) -> list[_Stretch]:
    """Return each line of ``side``, and the lines in a row of which one has one of ``figures``."""
    placed = list(_placed(side.text, side.lines[:MOST_LINES]))
    found: list[_Stretch] = []
    for length in range(1, TOGETHER + 1):
        for first in range(len(placed) - length + 1):
            run = placed[first : first + length]
            text = side.text[run[0][1] : run[-1][1] + len(run[-1][0].text)]
            held = _figures(text)
            if length == 1 or figures & held:
                stems = frozenset[str]().union(*(line.stems for line, _ in run))
                found.append(_Stretch(text, stems, held, length))
    return found


def _placed(text: str, lines: Iterable[Line]) -> Iterator[tuple[Line, int]]:
    """Yield each of ``lines``, which are in ``text`` in this order, with where it begins."""
    end = 0
    for line in lines:
        start = text.find(line.text, end)
        if start >= 0:
            yield line, start
            end = start + len(line.text)


def _figures(text: str) -> frozenset[str]:
    return frozenset(each.replace(",", "") for each in _FIGURE.findall(text))
