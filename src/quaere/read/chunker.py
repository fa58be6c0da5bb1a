"""Cuts pages into passages of a length that can be ranked, quoted and read."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, islice
from math import inf
from typing import NamedTuple

from quaere.domain.source import (
    Mark,
    Page,
    Passage,
    headings_over,
    lead_in_over,
    passage_id,
    spanned_label,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import each_sentence
from quaere.text.tables import TableHeads

TARGET_WORDS = 115
MAX_WORDS = 150
WHOLE_WORDS = 200
"""A stretch of at most this many words stays whole: cutting it would leave two crumbs."""

_HARD = ("page ", "slide ")
"""Passages cross a mark whose label begins so only to end a sentence."""
_GOES_ON = lazy_regex(r"[^\n]\n")
_REACH = 1500
"""Characters before and after the end of a page in which a sentence that goes on over it is."""
_LINES = "line "
"""So begin the labels of lines."""

# A run of letters and digits counts as a word; so do two signs of scripts written without spaces,
# and so many signs between words that a page that has only those is cut as well.
_WORD = lazy_regex(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{1,2}"
    r"|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{1,20}"
    r"|\W{20}"
)
_PLAIN_WORD = lazy_regex(r"\w{1,20}|\W{20}")
_MARKED_HEADING = lazy_regex(r"#{1,6} \S")
_BARE_HEADING = lazy_regex(r"[^\W_a-z][^\n]{1,100}(?<![.!?:;,])")
_BARE_HEADING_WORDS = 12
_OPTION = lazy_regex(r"-{1,2}\w[^\n.]{0,70}")
"""An option on an indented line of its own, below which a manual tells what it does."""
_ASKED = lazy_regex(r"(?:(?!\n[ \t]*\n).){3,200}[?？]", re.DOTALL)
_BEGINS_PARAGRAPH = lazy_regex(r"(?:\A|\n[ \t]*\n)[ \t]*$")
_ENDS_PARAGRAPH = lazy_regex(r"[ \t]*\n[ \t]*\n")
_INDENT_CHARS = 12
"""Characters before a question in which the line above it has to end."""
_CLAUSE_END = lazy_regex(r"[,;:]\s+$")
_SPACE_END = lazy_regex(r"\s$")
_LOOK_BACK_WORDS = 40


# What a cut costs, against the square of the relative distance from TARGET_WORDS. Nothing is as
# dear as a heading that has lost its text; between sentences of one paragraph only when it must be.
_AT_HEADING = 0.0
_AT_PARAGRAPH = 0.15
_AT_LINE = 0.3
_AT_SENTENCE = 0.5
_AFTER_HEADING = 10.0
_INSIDE_SENTENCE = 1.0
_LOOSE = frozenset({_AT_LINE, _AT_SENTENCE})
_TINY_WORDS = 5
_MAX_UNITS = 60
"""Units that a passage may hold: crumbs that no rule joins must not make cutting quadratic."""
_BLOCK_UNITS = 400
"""Units among which the best cuts are looked for at once, a dozen passages at least ..."""
_OPEN_CUTS = 3
"""... of which the last so many may change with what follows."""


class _Unit(NamedTuple):
    """A stretch that is not cut: a sentence, or a piece of an overlong one."""

    start: int
    end: int
    words: int
    cut_cost: float
    """What it costs to begin a passage here."""


class PassageChunker:
    """Cuts at paragraphs where it can, else at sentences, and inside one only if it is too long."""

    def __call__(self, page: Page) -> list[Passage]:
        """Return the passages of ``page`` in page order.

        Each is some 80 to 150 words, begins and ends with a word, does not end with a heading, and
        crosses a page of a PDF or a slide only to end a sentence. A short page is one passage.
        """
        return list(chain.from_iterable(self.in_steps(page)))

    def in_steps(self, page: Page) -> Iterator[Sequence[Passage]]:
        """Yield the same in parts; see `quaere.ports.read.Chunker`."""
        labels = _Labels(page)
        content_hash, heads = page.content_hash, TableHeads(page.text)
        headings = _Headings(page.text)
        for low, high in _sections(page):
            for stretches in _cut(page.text, low, high):
                yield [
                    Passage(
                        id=passage_id(page.url, start, page.text[start:end]),
                        url=page.url,
                        title=page.title,
                        text=page.text[start:end],
                        start=start,
                        end=end,
                        locator=labels.between(start, end),
                        marks=labels.within(start, end),
                        content_hash=content_hash,
                        retrieved_at=page.retrieved_at,
                        published=page.published,
                        author=page.author,
                        table_head=heads.over(start),
                        lead_in=lead_in_over(page.text, start),
                        headings=headings.over(start),
                    )
                    for start, end in stretches
                ]


class _Headings:
    """Finds the headings over places of a text, which are asked for in rising order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._path, self._seen = "", 0

    def over(self, start: int) -> str:
        """Return the headings over ``start``, none of which begins there."""
        self._path = headings_over(self._text, start, self._path, start=self._seen)
        self._seen = start
        return self._path


class _Labels:
    """Says where in its source a stretch of a page stands."""

    def __init__(self, page: Page) -> None:
        self._marks = page.marks
        self._starts = [mark.start for mark in page.marks]

    def between(self, start: int, end: int) -> str:
        """Return "page 3", or "lines 12-20" for a stretch over several marks.

        Empty for one that begins before the first of them.
        """
        first = self._at(start)
        return first and spanned_label(first, self._at(end - 1))

    def within(self, start: int, end: int) -> tuple[Mark, ...]:
        """Return the marks of the stretch, from the one that holds where it begins.

        None where there is only that one, nor for lines: what is cited of them is a stretch.
        """
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_left(self._starts, end)
        if last - first < 2 or self._marks[first].label.startswith(_LINES):
            return ()
        return self._marks[first:last]

    def _at(self, offset: int) -> str:
        index = bisect_right(self._starts, offset) - 1
        return self._marks[index].label if index >= 0 else ""


def _sections(page: Page) -> Iterator[tuple[int, int]]:
    """Yield the stretches that passages keep within."""
    hard = (mark.start for mark in page.marks if mark.label.startswith(_HARD) and mark.start)
    bounds = list(accumulate((_sentence_end(page.text, start) for start in hard), max))
    yield from zip([0, *bounds], [*bounds, len(page.text)], strict=True)


def _sentence_end(text: str, at: int) -> int:
    """Return where the sentence ends that goes on over ``at``; ``at`` itself where none does.

    So it is with a page that begins after the end of a line alone, without an empty one.
    """
    if not _GOES_ON.fullmatch(text, at - 2, at):
        return at
    low, high = max(text.rfind("\n\n", 0, at), at - _REACH, 0), at + _REACH
    ends = (
        low + span.end
        for span in each_sentence(text[low:high])
        if low + span.start < at < low + span.end < high
    )
    return next(ends, at)


def _word(text: str) -> re.Pattern[str]:
    """Return what finds the words of ``text``: most texts have none of the scripts above."""
    return _PLAIN_WORD if text.isascii() else _WORD


def _cut(text: str, low: int, high: int) -> Iterator[Sequence[tuple[int, int]]]:
    """Yield the passages of ``text[low:high]``, some at a time."""
    stretch = text[low:high]
    start, end = high - len(stretch.lstrip()), low + len(stretch.rstrip())
    if start >= end:
        return
    words = _word(text).finditer(text, start, end)
    if next(islice(words, WHOLE_WORDS, None), None) is None:
        yield [(start, end)]
        return
    units: list[_Unit] = []
    for unit in _units(text, start, end):
        units.append(unit)
        if len(units) == _BLOCK_UNITS:
            cuts = _best_cuts(units)[:-_OPEN_CUTS]
            yield _stretches(units, cuts)
            units = units[cuts[-1][1] + 1 :]
    yield _stretches(units, _best_cuts(units))


def _stretches(
    units: Sequence[_Unit], cuts: Sequence[tuple[int, int]]
) -> Sequence[tuple[int, int]]:
    """Return where the passages of ``cuts``, as first and last unit, begin and end."""
    return [(units[first].start, units[last].end) for first, last in cuts]


def _units(text: str, start: int, end: int) -> Iterator[_Unit]:
    """Yield what is not to be cut: sentences, the tiny ones together with what follows them."""
    unit: _Unit | None = None
    for following in _sentence_units(text, start, end):
        if unit and unit.words < _TINY_WORDS and following.cut_cost in _LOOSE:
            words = unit.words + following.words
            unit = _Unit(unit.start, following.end, words, unit.cut_cost)
        else:
            if unit:
                yield unit
            unit = following
    if unit:
        yield unit


def _sentence_units(text: str, start: int, end: int) -> Iterator[_Unit]:
    """Yield the sentences of ``text[start:end]``, those that are too long in pieces."""
    before, after_heading = start, False
    for span in each_sentence(text[start:end]):
        low, high = start + span.start, start + span.end
        heading = _is_heading(text, low, high)
        cost = _AFTER_HEADING if after_heading else _cost(text[before:low], heading=heading)
        for piece, (piece_low, piece_high, words) in enumerate(_pieces(text, low, high)):
            yield _Unit(piece_low, piece_high, words, _INSIDE_SENTENCE if piece else cost)
        before, after_heading = high, heading


def _is_heading(text: str, low: int, high: int) -> bool:
    """Whether the sentence ``text[low:high]`` is marked as a heading or looks like one."""
    if _MARKED_HEADING.match(text, low, high) or _is_asked(text, low, high):
        return True
    if _OPTION.fullmatch(text, low, high):
        return text[text.rfind("\n", 0, low) + 1 : low].isspace() and text[high : high + 1] == "\n"
    if not _is_alone(text, low, high) or not _BARE_HEADING.fullmatch(text, low, high):
        return False
    return len(_word(text).findall(text, low, high)) <= _BARE_HEADING_WORDS


def _is_alone(text: str, low: int, high: int) -> bool:
    """Whether a line of text is no more than ``text[low:high]``, in its first column."""
    return text[max(0, low - 2) : low] in ("", "\n", "\n\n") and text[high : high + 1] == "\n"


def _is_asked(text: str, low: int, high: int) -> bool:
    """Whether ``text[low:high]`` is a question in a paragraph of its own, as manuals ask them."""
    if not (text[high - 1] in "?？" and _ENDS_PARAGRAPH.match(text, high)):
        return False
    begins = _BEGINS_PARAGRAPH.search(text[max(0, low - _INDENT_CHARS) : low])
    return begins is not None and _ASKED.fullmatch(text, low, high) is not None


def _cost(gap: str, *, heading: bool) -> float:
    if heading:
        return _AT_HEADING
    if gap.count("\n") > 1:
        return _AT_PARAGRAPH
    return _AT_LINE if "\n" in gap else _AT_SENTENCE


def _pieces(text: str, low: int, high: int) -> Iterator[tuple[int, int, int]]:
    """Yield ``text[low:high]`` as (start, end, words), in pieces if it is too long."""
    if high - low <= MAX_WORDS:  # a word has a character or more
        yield low, high, max(1, len(_word(text).findall(text, low, high)))
        return
    words = [match.start() for match in _word(text).finditer(text, low, high)]
    first = 0
    while len(words) - first > MAX_WORDS:
        after = _break(text, words, first + TARGET_WORDS)
        yield (
            low,
            words[after - 1] + len(text[words[after - 1] : words[after]].rstrip()),
            after - first,
        )
        low, first = words[after], after
    yield low, high, max(1, len(words) - first)


def _break(text: str, words: Sequence[int], target: int) -> int:
    """Return which of ``words`` begins a new piece: after a comma best, else after a space."""
    near = range(target, target - _LOOK_BACK_WORDS, -1)
    for pattern in (_CLAUSE_END, _SPACE_END):
        for number in near:
            if pattern.search(text, max(0, words[number] - 3), words[number]):
                return number
    return target


def _best_cuts(units: Sequence[_Unit]) -> list[tuple[int, int]]:
    """Return the passages, as first and last unit, whose costs have the smallest sum."""
    total = [0.0]
    first_of: list[int] = []
    for last in range(len(units)):
        best, best_first, words = inf, last, 0
        for first in range(last, max(-1, last - _MAX_UNITS), -1):
            words += units[first].words
            if words > MAX_WORDS and first < last:
                break
            cost = total[first] + units[first].cut_cost + (words / TARGET_WORDS - 1) ** 2
            if cost < best:
                best, best_first = cost, first
        total.append(best)
        first_of.append(best_first)
    cuts: list[tuple[int, int]] = []
    last = len(units) - 1
    while last >= 0:
        cuts.append((first_of[last], last))
        last = first_of[last] - 1
    return cuts[::-1]
