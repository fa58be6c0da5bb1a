"""Lays checked sentences out in the form that was asked for.

Whatever the form, what is laid out are sentences, each checked and with its own citations: a table
has one in every row, next to the part of the question that it answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import attrgetter

from quaere.domain.question import AnswerForm, Checklist
from quaere.domain.report import Opens, Sentence
from quaere.synthesize.inert import plain
from quaere.text.markdown import tables

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
