"""Lays checked sentences out in the form that was asked for.

Whatever the form, what is laid out are sentences, each checked and with its own citations: a table
has one in every row, next to the part of the question that it answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from quaere.domain.question import AnswerForm, Checklist
from quaere.domain.report import Sentence
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
        if self._form is AnswerForm.LIST:
            return "\n".join(f"- {text}" for text in texts)
        if self._form is AnswerForm.TABLE:
            return self._table(sentences, texts)
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


PARAGRAPH = Layout(None, Checklist())
"""The form of an answer for which none was asked."""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
