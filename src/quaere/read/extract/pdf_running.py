"""Heads and feet that run over the pages of a PDF, and the sentences that they part.

"Annual Review 1999" and "Page 2 of 10" part the two halves of what goes on over a page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from operator import add
from typing import NamedTuple

from quaere.text.tokens import is_stop_word

EDGE = 4
"""Lines at either end of a page that may be of its head or foot."""
FEWEST, APART = 3, 2
"""Pages that have a line alike, at least, and from one to the next of them, at most: a head may
stand on the left pages alone."""
MOST_NUMBERS = 6
"""Numbers of a line that may be of a head or foot."""
PARTED = "\n\n"
"""What parts two pages."""
FULL = 0.6
"""Share of the longest line of a page from which its last line may go on over the page."""
_NUMBER = re.compile(r"\d+")
_WORDED = re.compile(r"[^\W\d_]")
_OF_LAYOUT = ("|", "#")
_BEGINS_ANEW = re.compile(r"\s*(?:[|#•▪◦●*-]|\(?(?:\d{1,3}|[a-z])[.)]\s|\d{1,2}(?:\.\d{1,2})+\s)")


class _Place(NamedTuple):
    page: int
    line: int


def joined_pages(pages: Sequence[str]) -> list[str]:
    """Return ``pages``, each with what parts it from the next: the end of a line, or two.

    Where a sentence goes on over a page, one does, and the foot and the head between its halves are
    left out: lines that end or open at least `FEWEST` pages close together, with at most one number
    that counts the pages.
    """
    lines = [page.split("\n") for page in pages]
    alike = _alike(lines)
    told = [slice(0, len(own)) for own in lines]
    gaps = [PARTED] * (len(pages) - 1) + [""]
    for page, (own, following) in enumerate(pairwise(lines)):
        end = len(own) - _run(own[::-1], [(page, at) in alike for at in reversed(range(len(own)))])
        begin = _run(following, [(page + 1, at) in alike for at in range(len(following))])
        if goes_on("\n".join(own[:end]), "\n".join(following[begin:])):
            told[page] = slice(told[page].start, end)
            told[page + 1] = slice(begin, len(following))
            gaps[page] = "\n"
    shown = ("\n".join(own[kept]).strip("\n") for own, kept in zip(lines, told, strict=True))
    return list(map(add, shown, gaps))


def goes_on(page: str, following: str) -> bool:
    """Return whether what ``page`` ends with may go on in what is ``following``."""
    lines = page.rstrip().split("\n")
    is_full = len(lines[-1]) >= FULL * max(map(len, lines))
    is_open = lines[-1][-1:].isalpha() or lines[-1].endswith(",")
    if not (is_full and is_open and following) or _BEGINS_ANEW.match(following):
        return False
    return not following.lstrip()[:1].isupper() or _may_name_next(lines[-1])


def _may_name_next(line: str) -> bool:
    """Whether a capital after ``line`` may begin a name in its sentence, and not a heading.

    It ends with a word or a comma that no sentence ends with, or is itself within a sentence: the
    lines of slides and lists begin with capitals.
    """
    last = line.rsplit(maxsplit=1)[-1]
    return line.endswith(",") or is_stop_word(last.lower()) or line.lstrip()[:1].islower()


def _alike(pages: Sequence[Sequence[str]]) -> set[_Place]:
    """Return which lines at the edges of ``pages`` are alike over several of them."""
    places = defaultdict[tuple[str, ...], list[_Place]](list)
    for page, lines in enumerate(pages):
        for at in _edges(lines):
            for key in _keys(lines[at], page):
                places[key].append(_Place(page, at))
    return {place for of_key in places.values() for place in _in_a_row(of_key)}


def _edges(lines: Sequence[str]) -> set[int]:
    told = [at for at, line in enumerate(lines) if line.strip()]
    return {*told[:EDGE], *told[-EDGE:]}


def _keys(line: str, page: int) -> Iterator[tuple[str, ...]]:
    """Yield what ``line`` is compared by: as it is, and with each number as one of the pages."""
    words = " ".join(line.lower().split())
    if words.startswith(_OF_LAYOUT):
        return
    numbers = _NUMBER.findall(words)
    if len(numbers) > MOST_NUMBERS or any(len(number) > MOST_NUMBERS for number in numbers):
        return
    shape = _NUMBER.sub("0", words)
    if _WORDED.search(words):
        yield (shape, *numbers)
    for at, number in enumerate(numbers):
        yield (shape, *numbers[:at], f"+{int(number) - page}", *numbers[at + 1 :])


def _in_a_row(places: Sequence[_Place]) -> Iterator[_Place]:
    """Yield those of ``places`` that are on enough pages close together."""
    rows = [list(places[:1])]
    for before, place in pairwise(places):
        if place.page - before.page > APART:
            rows.append([])
        rows[-1].append(place)
    for row in rows:
        if len({place.page for place in row}) >= FEWEST:
            yield from row


def _run(lines: Sequence[str], are_alike: Sequence[bool]) -> int:
    """Return how many of ``lines`` before the first that is neither empty nor alike are to go.

    "(in millions)" below the titles of three statements is of no head.
    """
    head = list(takewhile(lambda at: are_alike[at] or not lines[at].strip(), range(len(lines))))
    return len(head)
