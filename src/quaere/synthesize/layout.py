"""Lays checked sentences out in the form that was asked for.

Whatever the form, what is laid out are sentences, each checked and with its own citations: a table
has one in every row, next to the part of the question that it answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from quaere.domain.question import AnswerForm, Checklist
from quaere.domain.report import Opens, Sentence
from quaere.synthesize.inert import plain

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

    def body(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> str:
        """Return ``texts``, which are ``sentences`` as they are shown, as one text."""
        if self._form is AnswerForm.TABLE:
            return self._table(sentences, texts)
        opened = {sentence.opens for sentence in sentences} - {None}
        if opened - {Opens.PARAGRAPH} or (opened and self._form is not AnswerForm.LIST):
            return _as_opened(sentences, texts)
        if self._form is AnswerForm.LIST:
            return "\n".join(f"- {text}" for text in texts)
        if self._form is AnswerForm.REPORT:
            pairs = groupby(zip(sentences, texts, strict=True), key=lambda pair: pair[0].item)
            return "\n\n".join(" ".join(text for _, text in pairs_) for _, pairs_ in pairs)
        return " ".join(texts)

    def _table(self, sentences: Sequence[Sentence], texts: Sequence[str]) -> str:
        rows = [
            f"| {_cell(plain(self._parts.get(sentence.item or '', '')))} | {_cell(text)} |"
            for sentence, text in zip(sentences, texts, strict=True)
        ]
        return "\n".join(["| Part | Finding |", "| --- | --- |", *rows])


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


def _as_opened(sentences: Sequence[Sentence], texts: Sequence[str]) -> str:
    """Return ``texts`` in the paragraphs and lists in which they were written."""
    body, before, number = "", None, 0
    for each in stretches(sentences):
        number = number + 1 if each.kind is before is Opens.NUMBERED else 1
        mark = {Opens.ITEM: "- ", Opens.NUMBERED: f"{number}. "}.get(each.kind, "")
        gap = "\n" if each.kind is before and mark else "\n\n"
        body += f"{gap if body else ''}{mark}{' '.join(texts[n] for n in each.places)}"
        before = each.kind
    return body


PARAGRAPH = Layout(None, Checklist())
"""The form of an answer for which none was asked."""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
