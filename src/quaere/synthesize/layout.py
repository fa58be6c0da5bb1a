"""Which sentences an answer contains, in which order, and in which form they are laid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, pairwise
from operator import attrgetter, itemgetter

from quaere.domain.question import AnswerForm, Checklist
from quaere.domain.report import Opens, Sentence
from quaere.synthesize.inert import plain
from quaere.text.lazy_regex import lazy_regex
from quaere.text.similarity import containment
from quaere.text.tables import tables
from quaere.text.tokens import stem, words

SAID = 0.85
"""Share of a sentence's words from which one earlier sentence makes it superfluous."""

# A character of a script without spaces counts as a word: kana, Han, Hangul, Thai to Khmer.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = lazy_regex(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
# What makes two sentences differ however much else they share.
_FIGURE = lazy_regex(r"\d")
_DENIAL = lazy_regex(r"no|not|never|none|nor|neither|without|cannot|.+n't")


def word_count(text: str) -> int:
    """Return the number of words of ``text``, separated by white space; never less than that."""
    return sum(1 for _ in _WORD.finditer(text))


def first_words(text: str, count: int) -> str:
    """Return ``text`` up to the end of its word number ``count``."""
    end = 0
    for match in islice(_WORD.finditer(text), count):
        end = match.end()
    return text[:end]


class Room:
    """What is left of an answer's length; for sentences that come one by one.

    The first sentence always fits, whatever the limits.
    """

    def __init__(self, *, max_words: int, max_citations: int) -> None:
        self._max_words = max_words
        self._max_citations = max_citations
        self._words = 0
        self._cited: set[int] = set()
        self._said: list[frozenset[str]] = []

    def takes(self, sentence: Sentence) -> bool:
        """Return whether ``sentence`` adds something and fits; one that does is counted."""
        said = frozenset(stem(word) for word in words(sentence.text))
        length = self._words + word_count(sentence.text)
        cited = self._cited.union(sentence.evidence)
        if any(_repeats(said, earlier) for earlier in self._said):
            return False
        if self._said and (length > self._max_words or len(cited) > self._max_citations):
            return False
        self._said.append(said)
        self._words, self._cited = length, cited
        return True


def outline(
    sentences: Iterable[Sentence], checklist: Checklist, *, max_words: int, max_citations: int
) -> tuple[Sentence, ...]:
    """Return the sentences of an answer in the order of the checklist.

    Sentences that say what another says are left out, then those that would exceed a limit: first
    those in doubt, then the later ones of each item, so that every item keeps its first. At least
    one stays. Sentences of one item keep their order; one of no item stays with the one before it.

    Args:
        sentences: Verified ones, in the order in which they were written.
        checklist: Its items give the order.
        max_words: The most words, markers not counted.
        max_citations: The most pieces of evidence cited.
    """
    placed = sorted(_placed(sentences, checklist), key=itemgetter(0))
    turns: Counter[int] = Counter()
    queue: list[tuple[bool, int, int]] = []
    for index, (place, sentence) in enumerate(placed):
        doubtful = sentence.is_claim and not sentence.support.holds
        queue.append((doubtful, turns[place], index))
        turns[place] += 1
    room = Room(max_words=max_words, max_citations=max_citations)
    chosen = [index for _, _, index in sorted(queue) if room.takes(placed[index][1])]
    return tuple(placed[index][1] for index in sorted(chosen))


def _placed(sentences: Iterable[Sentence], checklist: Checklist) -> Iterator[tuple[int, Sentence]]:
    """Yield each sentence after the place of its item; one of no item is with the one before."""
    places = {item.id: place for place, item in enumerate(checklist.items)}
    place = -1
    for sentence in sentences:
        place = places.get(sentence.item or "", place)
        yield place, sentence


def _repeats(said: frozenset[str], earlier: frozenset[str]) -> bool:
    if any(_FIGURE.search(word) for word in said - earlier):
        return False
    if any(_DENIAL.fullmatch(word) for word in said ^ earlier):
        return False
    return said == earlier or containment(said, earlier) >= SAID


_HEADING = "| Part | Finding |\n| --- | --- |"
_BLOCKS = frozenset({AnswerForm.REPORT, AnswerForm.LIST, AnswerForm.TABLE})


class Layout:
    """The form of one answer."""

    def __init__(self, form: AnswerForm | None, checklist: Checklist) -> None:
        """Lay out in ``form``, or as one paragraph; ``checklist`` names the parts of a table."""
        self._form = form
        self._parts = {item.id: item.description for item in checklist.items}

    @property
    def gap(self) -> str:
        """What separates the answer from the notices about the run before and after it."""
        return "\n\n" if self._form in _BLOCKS else " "

    @property
    def is_itemized(self) -> bool:
        """Whether each sentence is an item or a row by itself."""
        return self._form in {AnswerForm.LIST, AnswerForm.TABLE}

    def body(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[str]:
        """Return what each of ``texts``, which are ``sentences`` as shown, adds to their one text.

        Joined, the pieces are that text: each begins with what parts it from the one before.
        """
        opened = {sentence.opens for sentence in sentences} - {None}
        if self._form is AnswerForm.TABLE and Opens.ROW not in opened:
            return self._table(sentences, texts)
        if opened - {Opens.PARAGRAPH} or (opened and self._form is not AnswerForm.LIST):
            return _as_opened(sentences, texts)
        if self._form is AnswerForm.LIST:
            return apart("\n", [f"- {text}" for text in texts])
        if self._form is AnswerForm.REPORT:
            return _by_item(sentences, texts)
        return apart(" ", texts)

    def _table(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[str]:
        rows = [
            f"\n{_row((plain(self._parts.get(sentence.item or '', '')), text))}"
            for sentence, text in zip(sentences, texts, strict=True)
        ]
        return [f"{'' if place else _HEADING}{row}" for place, row in enumerate(rows)]


def _by_item(sentences: Sequence[Sentence], texts: Sequence[str]) -> list[str]:
    """Return ``texts`` with a paragraph for the sentences on each item of the checklist."""
    items = [sentence.item for sentence in sentences]
    gaps = [" " if now == before else "\n\n" for before, now in pairwise(items)]
    return [f"{gap}{text}" for gap, text in zip(["", *gaps], texts, strict=True)]


def apart(gap: str, texts: Iterable[str]) -> list[str]:
    """Return ``texts`` with ``gap`` in front of all but the first."""
    return [f"{gap if place else ''}{text}" for place, text in enumerate(texts)]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Sentences that belong together: a paragraph, or an item of a list; or a row, or code."""

    kind: Opens
    places: tuple[int, ...]
    """Of its sentences among all."""


def stretches(sentences: Sequence[Sentence]) -> list[Stretch]:
    """Return the paragraphs, items, rows and blocks of code of ``sentences``, in order."""
    found: list[Stretch] = []
    for place, sentence in enumerate(sentences):
        if sentence.opens or not found or found[-1].kind.is_whole:
            found.append(Stretch(sentence.opens or Opens.PARAGRAPH, (place,)))
        else:
            found[-1] = replace(found[-1], places=(*found[-1].places, place))
    return found


def _as_opened(sentences: Sequence[Sentence], texts: Sequence[str]) -> list[str]:
    """Return ``texts`` in the paragraphs, lists, tables and code in which they were written."""
    pieces: list[str] = []
    number = 1
    for kind, group in groupby(stretches(sentences), key=attrgetter("kind")):
        lines = [[texts[place] for place in each.places] for each in group]
        made = list(_pieces(kind, lines, number))
        pieces += [f"\n\n{made[0]}", *made[1:]] if pieces else made
        number = following_number(kind, number, len(lines))
    return pieces


def following_number(kind: Opens, number: int, lines: int) -> int:
    """Return the number of the next numbered item after ``lines`` of ``kind``, from ``number`` on.

    Code and other items belong to the item before them, so that the list goes on after them.
    """
    if kind in {Opens.CODE, Opens.ITEM}:
        return number
    return number + lines if kind is Opens.NUMBERED else 1


def _pieces(kind: Opens, lines: Sequence[Sequence[str]], number: int) -> Iterator[str]:
    """Yield what each text adds to the blocks that ``lines`` of one kind, one by one, make."""
    if kind is Opens.ROW:
        yield from _rows([" ".join(line) for line in lines])
        return
    gap = "\n" if kind in {Opens.ITEM, Opens.NUMBERED} else "\n\n"
    for n, line in enumerate(lines, number):
        mark = {Opens.ITEM: "- ", Opens.NUMBERED: f"{n}. "}.get(kind, "")
        first, *others = apart(" ", line)
        yield f"{gap if n > number else ''}{mark}{first}"
        yield from others


def _rows(lines: Sequence[str]) -> Iterator[str]:
    gap = ""
    for head, rows in tables(lines):
        above = "\n".join(map(_row, (head, ["---"] * len(head))))
        for place, row in enumerate(rows):
            yield f"\n{_row(row)}" if place else f"{gap}{above}\n{_row(row)}"
        gap = "\n\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


PARAGRAPH = Layout(None, Checklist())
"""The form of an answer for which none was asked."""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
