"""Finds parallel sentences about two things that a question sets side by side.

"An air pump costs 9,000 pounds" and "A ground pump costs 20,000 pounds" share all words
except the things themselves and their figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from quaere.reason.extractive.comparisons.compare import passages_about
from quaere.reason.extractive.comparisons.contrast import meant, side_by_side
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.quality import FIT_TO_SHOW, needs_context, quality
from quaere.reason.extractive.questions.parts import Comparison
from quaere.text.tokens import terms

ALIKE = 0.3
"""Share of its words that a sentence has in common with one of the other side, from which the two
are parallel. Chosen by reading: below it, most pairs are about different things."""
MOST = 3
"""Pairs that are told at most: six sentences are as long as an account."""
LEAST_PAIRS = 2
"""Pairs from which they answer a question that does not say in what to compare: one may be chance.
"""


def find_parallels(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the parallel lines about the two things in ``question``, one after the other.

    First those of the one, then those of the other, in the order of their pages; none where the
    sources have no parallel lines. Where the question names what to compare, only lines about it.

    Args:
        question: What was asked; one that asks for a decision has none.
        pool: The evidence, read.
    """
    compared = side_by_side(question)
    if compared is None:
        return ()
    pairs = _paired(*_lines_of(compared, pool), _subjects(compared))
    wanted = meant(compared.about)
    pairs = [pair for pair in pairs if _has_any(pair, wanted)] if wanted else pairs
    if len(pairs) < (1 if wanted else LEAST_PAIRS):
        return ()
    told = (sorted({pair[side] for pair in pairs[:MOST]}, key=_order) for side in (0, 1))
    return tuple(line for side in told for line in _introduced(side, pool))


def _has_any(pair: tuple[Line, Line], wanted: frozenset[str]) -> bool:
    return any(not wanted.isdisjoint(line.terms) for line in pair)


def _lines_of(compared: Comparison, pool: Pool) -> tuple[list[Line], list[Line]]:
    """Return the lines about one side alone, and those about the other.

    A line is about the side that it or the heading over it names, else about that of its page.
    """
    first = frozenset(passages_about(compared.first, pool, compared))
    second = frozenset(passages_about(compared.second, pool, compared))
    one, other = _cores(compared)
    sides: tuple[list[Line], list[Line]] = [], []
    for line in (line for owner in sorted(first | second) for line in _told(owner, pool)):
        said = line.terms | line.under
        names = one <= said, other <= said
        tells = names if any(names) else (line.owner in first, line.owner in second)
        if tells[0] != tells[1]:
            sides[tells[1]].append(line)
    return sides


def _cores(compared: Comparison) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems that tell the sides apart: "air" and "ground heat pumps" share the rest."""
    one, other = terms(compared.first), terms(compared.second)
    length = min(len(one), len(other))
    return frozenset(one[:length]), frozenset(other[:length])


def _told(owner: int, pool: Pool) -> Iterator[Line]:
    for line in pool.lines_of[owner]:
        if not (line.heading or line.columns or line.listed) and quality(line) >= FIT_TO_SHOW:
            yield line


def _subjects(compared: Comparison) -> frozenset[str]:
    return frozenset(terms(f"{compared.first} {compared.second}"))


def _paired(
    one: Sequence[Line], other: Sequence[Line], subjects: frozenset[str]
) -> list[tuple[Line, Line]]:
    """Return each line with the most similar one of the other side, the most similar pair first."""
    rated = [(_likeness(*pair, subjects), pair) for pair in product(one, other)]
    rated.sort(key=lambda each: -each[0])
    pairs: list[tuple[Line, Line]] = []
    for share, pair in rated:
        if share >= ALIKE and all(set(pair).isdisjoint(taken) for taken in pairs):
            pairs.append(pair)
    return pairs


def _likeness(first: Line, second: Line, subjects: frozenset[str]) -> float:
    """Return the share of words in common, without ``subjects``; 0 where nothing differs."""
    left, right = first.terms - subjects, second.terms - subjects
    union = left | right
    return len(left & right) / len(union) if union and left != right else 0.0


def _order(line: Line) -> tuple[int, int]:
    return line.owner, line.place


def _introduced(lines: Sequence[Line], pool: Pool) -> Iterator[Line]:
    """Yield ``lines``, after the line of their page that says what their "it" is."""
    for line in lines[:1]:
        before = pool.lines_of[line.owner][: line.place]
        named = [each for each in before if not (each.heading or needs_context(each.text))]
        if needs_context(line.text) and named:
            yield named[-1]
    yield from lines
