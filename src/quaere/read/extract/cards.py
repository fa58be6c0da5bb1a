"""Cards in plain text, one paragraph for each person or thing: "Name: Ada", "Phone: 555 0101".

Each is shown as a record, "Name: Ada; Phone: 555 0101", as the rows of a table in a CSV file are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from quaere.text.lazy_regex import lazy_regex

FEWEST: Final = 2
"""Cards below each other, and lines of a card, at least."""
ALIKE: Final = 0.5
"""Share of the labels of the first card, at least, that each of the others has."""

_LINE = lazy_regex(
    r"(?P<label>[A-Za-z][\w'’-]{1,30}(?: [\w'’-]{1,30}){0,3}): +(?P<value>[^\s;][^;]{0,79})$"
)
"""A label and a short value, which has no mark that parts the fields of a record."""
_SENTENCE_ENDS: Final = (".", "?", "!", ":", ",")


def with_records(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return ``lines`` with their numbers, from 1 on, and each card as one line, the first of it.

    What is left of the others, and the blank lines between cards, is not among them.
    """
    shown = dict(enumerate(lines, 1))
    for run in _runs(lines):
        for number in range(run[0][0] + 1, run[-1][1] + 1):
            del shown[number]
        shown |= {start + 1: "; ".join(lines[start:end]) for start, end in run}
    return sorted(shown.items())


def _runs(lines: Sequence[str]) -> Iterator[Sequence[tuple[int, int]]]:
    """Yield where cards that follow each other begin and end, if there are enough of them."""
    run: list[tuple[int, int]] = []
    for start, end in _paragraphs(lines):
        labels = _labels(lines[start:end])
        first = _labels(lines[slice(*run[0])]) if run else labels
        if not (labels and first and _are_alike(labels, first)):
            yield from [run] if len(run) >= FEWEST else []
            run = []
        if labels:
            run.append((start, end))
    yield from [run] if len(run) >= FEWEST else []


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where the paragraphs of ``lines`` begin and end."""
    for is_told, places in groupby(range(len(lines)), key=lambda place: bool(lines[place].strip())):
        if is_told:
            first, *others = places
            yield first, (others[-1] if others else first) + 1


def _labels(lines: Sequence[str]) -> Sequence[str]:
    """Return the labels of a card; none where ``lines`` are another paragraph."""
    found = [_LINE.match(line) for line in lines]
    labels = [each["label"] for each in found if each and not each[0].endswith(_SENTENCE_ENDS)]
    is_card = len(labels) == len(lines) >= FEWEST and len(set(labels)) == len(labels)
    return labels if is_card else ()


def _are_alike(labels: Sequence[str], first: Sequence[str]) -> bool:
    shared = len(set(labels) & set(first))
    return labels[0] == first[0] and shared >= max(FEWEST, ALIKE * len(first))
