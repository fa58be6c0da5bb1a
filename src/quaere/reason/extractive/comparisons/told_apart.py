"""Finds what a manual says about two things that a question sets side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quaere.reason.extractive.comparisons.contrast import side_by_side
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.quality import needs_context, quality
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms, words

_ASKS = lazy_regex(r"(?i)\b(?:differ\w*|compare\w*|contrast|distinguish\w*|versus|vs)\b")
_BEFORE = frozenset(("a", "an", "the", "await", "new"))
"""Words that may come before what a line begins with."""
PROSE = 0.5
"""Least quality of a line that tells: labels and pictures come before it."""
NEAR = 4
"""Lines below a heading of which the first one that tells is taken."""


def find_told_apart(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return a line for each of the two things of which ``question`` asks how they differ.

    It begins with the thing, or stands below a heading that does. None unless both are told of so,
    and where the question says in what to compare.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    compared = side_by_side(question) if _ASKS.search(question) else None
    if compared is None or terms(compared.about):
        return ()
    first, second = words(compared.first), words(compared.second)
    if not (first and second) or first == second:
        return ()
    told = _told_of(first, second, pool), _told_of(second, first, pool)
    lines = [line for line in told if line is not None]
    return tuple(lines) if len(lines) == len(told) else ()


def _told_of(side: Sequence[str], other: Sequence[str], pool: Pool) -> Line | None:
    """Return the line that tells best of ``side``: that names little else before it tells."""
    found = [*_opened(side, other, pool), *_headed(side, other, pool)]
    return min(found, key=lambda each: each[0], default=(0, None))[1]


def _opened(side: Sequence[str], other: Sequence[str], pool: Pool) -> Iterator[tuple[int, Line]]:
    """Yield the lines that begin with ``side``, each with the words before it."""
    for line in pool.lines:
        said = line.flat.split()
        at = _place(side, said)
        if at is None or not _BEFORE.issuperset(said[:at]) or line.heading or quality(line) < PROSE:
            continue
        if not line.columns and _place(other, said) is None:
            yield at, line


def _headed(side: Sequence[str], other: Sequence[str], pool: Pool) -> Iterator[tuple[int, Line]]:
    """Yield the lines below headings that begin with ``side``, each with what else these say."""
    for lines in pool.lines_of:
        for heading in lines:
            said = heading.flat.split()
            if not heading.heading or said[: len(side)] != list(side):
                continue
            if _place(other, said) is None and (below := _below(heading, lines)):
                yield len(said) - len(side), _named(" ".join(said[: len(side)]), heading, below)


def _below(heading: Line, lines: Sequence[Line]) -> Line | None:
    """Return the first line below ``heading`` that tells something."""
    for line in lines[heading.place + 1 : heading.place + 1 + NEAR]:
        if line.heading and not line.columns:
            return None
        if quality(line) >= PROSE and not line.columns:
            return line
    return None


def _named(name: str, heading: Line, line: Line) -> Line:
    """Return ``line`` after the ``name`` in its ``heading``, with which its quote begins."""
    if needs_context(line.text) or not line.terms >= frozenset(terms(name)):
        text = f"{name}: {line.text}"
        return replace(line, start=heading.start, text=text, terms=line.terms | heading.terms)
    return line


def _place(side: Sequence[str], said: Sequence[str]) -> int | None:
    """Return where the words ``side`` begin in what is ``said``; None where they are not."""
    width = len(side)
    places = range(len(said) - width + 1)
    return next((at for at in places if list(said[at : at + width]) == list(side)), None)
