"""Lays checked sentences out in the form that was asked for.

Whatever the form, what is laid out are sentences, each checked and with its own citations: a table
has one in every row, next to the part of the question that it answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from quaere.domain.question import AnswerForm, Checklist
from quaere.domain.report import Opens, Sentence
from quaere.synthesize.inert import plain

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
        if self._form is AnswerForm.TABLE:
            return self._table(sentences, texts)
        opened = {sentence.opens for sentence in sentences} - {None}
        if opened - {Opens.PARAGRAPH} or (opened and self._form is not AnswerForm.LIST):
            return _as_opened(sentences, texts)
        if self._form is AnswerForm.LIST:
            return apart("\n", [f"- {text}" for text in texts])
        if self._form is AnswerForm.REPORT:
            items = [sentence.item for sentence in sentences]
            gaps = [" " if now == before else "\n\n" for before, now in pairwise(items)]
            return [f"{gap}{text}" for gap, text in zip(["", *gaps], texts, strict=True)]
        return apart(" ", texts)

    def _table(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> list[str]:
        rows = [
            f"\n| {_cell(plain(self._parts.get(sentence.item or '', '')))} | {_cell(text)} |"
            for sentence, text in zip(sentences, texts, strict=True)
        ]
        return [f"{'' if place else _HEADING}{row}" for place, row in enumerate(rows)]


def apart(gap: str, texts: Iterable[str]) -> list[str]:
    """Return ``texts`` with ``gap`` in front of all but the first."""
    return [f"{gap if place else ''}{text}" for place, text in enumerate(texts)]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Sentences that belong together: a paragraph, or an item of a list."""

    kind: Opens
    places: tuple[int, ...]
    """Of its sentences among all."""


def stretches(sentences: Sequence[Sentence]) -> list[Stretch]:
    """Return the paragraphs and items of ``sentences``, in order."""
    found: list[Stretch] = []
    for place, sentence in enumerate(sentences):
        if sentence.opens or not found:
            found.append(Stretch(sentence.opens or Opens.PARAGRAPH, (place,)))
        else:
            found[-1] = replace(found[-1], places=(*found[-1].places, place))
    return found


def _as_opened(sentences: Sequence[Sentence], texts: Sequence[str]) -> list[str]:
    """Return ``texts`` in the paragraphs and lists in which they were written."""
    pieces: list[str] = []
    before: Opens | None = None
    number = 0
    for each in stretches(sentences):
        goes_on = each.kind is before
        number = number + 1 if goes_on else 1
        mark = {Opens.ITEM: "- ", Opens.NUMBERED: f"{number}. "}.get(each.kind, "")
        gap = "\n" if goes_on and mark else "\n\n"
        first, *others = apart(" ", [texts[place] for place in each.places])
        pieces += [f"{gap if pieces else ''}{mark}{first}", *others]
        before = each.kind
    return pieces


PARAGRAPH = Layout(None, Checklist())
"""The form of an answer for which none was asked."""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
