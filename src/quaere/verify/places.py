"""Where in a text a sentence comes from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from quaere.verify.ground import Ground, Line

WINDOW = 3
"""Sentences in a row that count as one place. One is too few for what goes on with "he" or "it"."""
HELD_AGAIN = 0.8
"""What a word counts for in one more sentence, once a sentence chosen before holds it."""


@dataclass(frozen=True, slots=True)
class Place:
    """The stretch ``[start, end)`` of a text that comes nearest to a sentence."""

    start: int
    end: int
    share: float
    """Share of the sentence's words that it holds."""
    lines: tuple[Line, ...]


def nearest(claim: Ground, source: Ground) -> Place:
    """Return the fewest sentences in a row of ``source``, up to WINDOW, nearest to ``claim``."""
    terms, lines = claim.terms, source.lines
    shared = [terms & line.terms for line in lines]
    best, most = range(0), 0
    for size in range(1, WINDOW + 1):
        for first in range(len(lines) - size + 1):
            found = len(frozenset[str]().union(*shared[first : first + size]))
            if found > most:
                best, most = range(first, first + size), found
    chosen = tuple(lines[index] for index in best)
    if not chosen:
        return Place(0, 0, 0.0, ())
    return Place(chosen[0].span.start, chosen[-1].span.end, most / len(terms), chosen)


def carriers(claim: frozenset[str], lines: Sequence[frozenset[str]], count: int) -> list[int]:
    """Return the ``count`` lines that most likely say what a sentence says, best first.

    A word counts the more, the fewer lines hold it, and less once a chosen line holds it: together
    they are to carry the whole sentence.

    Args:
        claim: Stems of the sentence's words, stop words left out.
        lines: The same of every line.
        count: How many are wanted; fewer come back when there are fewer.
    """
    holders = Counter(term for line in lines for term in line)
    weights = {term: math.log1p((len(lines) - n + 0.5) / (n + 0.5)) for term, n in holders.items()}
    left = dict(enumerate(line & claim for line in lines))
    chosen: list[int] = []
    while left and len(chosen) < count:
        # Summed in the order of the alphabet: floats added in another order may differ.
        best = max(left, key=lambda index: (sum(weights[t] for t in sorted(left[index])), -index))
        for term in left.pop(best):
            weights[term] *= HELD_AGAIN
        chosen.append(best)
    return chosen
