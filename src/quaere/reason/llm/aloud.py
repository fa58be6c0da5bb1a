"""Reads the answer that comes with a judgement while the model writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from quaere.domain.report import Sentence
from quaere.domain.verdict import Opening, Reflection
from quaere.ports.reason import FirstLook, Listener, Review
from quaere.reason.llm.contracts import MAX_ITEMS, Answering
from quaere.reason.llm.sentences import Numbering, SentenceReader
from quaere.reason.llm.writing import Length, items_of, shared_items, shown_text

A = TypeVar("A", bound=Answering)


class SpokenAnswer(Generic[A]):
    """Cuts the answer into sentences for ``listener``, once it knows that the answer is due."""

    field = "answer"

    def __init__(
        self,
        listener: Listener,
        judge: Callable[[A], Opening | Reflection],
        of: FirstLook | Review,
        shown: Numbering,
    ) -> None:
        """Listen to an answer on what ``of`` shows, by the numbers of ``shown``.

        Args:
            listener: Takes the sentences.
            judge: Makes a judgement of what was written before the answer.
            of: What the model was shown.
            shown: The numbers under which it was.
        """
        self._listener = listener
        self._judge = judge
        self._of = of
        self._shown = shown
        max_citations = of.max_citations or len(of.evidence)
        self._length = Length(of.answer_words or 0, max_citations, of.question.text)
        self._reader = SentenceReader({})
        self._has_begun = False

    def begins(self, so_far: A) -> bool:
        """Return whether the evidence is sufficient, so that the answer counts."""
        judged = self._judge(so_far)
        reflection = _reflection(judged)
        if reflection is None or not reflection.sufficient or not self._listener.wants(judged):
            return False
        self._has_begun = True
        bearing_on = (reflection.checklist, self._shown.evidence, self._of.passages)
        known, shared = items_of(*bearing_on), shared_items(*bearing_on)
        self._reader = SentenceReader(known, shown_text(self._of.passages), shared)
        return True

    def standing(self, written: A) -> A:
        """Return what was ``written``, the evidence as sufficient as it was when the answer began.

        What is told is not taken back: ticks that come after it do not open an item again.
        """
        if not self._has_begun:
            return written
        reflection = _reflection(self._judge(written))
        if reflection and reflection.sufficient:
            return written
        return written.model_copy(update={"satisfied": list(range(1, MAX_ITEMS + 1))})

    async def take(self, text: str) -> None:
        """Give the listener what ``text`` completes."""
        for sentence in self._reader.feed(text):
            await self._hear(self._shown.with_ids(sentence))

    async def ends(self) -> None:
        """Give the listener the last sentence."""
        for sentence in self._reader.close():
            await self._hear(self._shown.with_ids(sentence))
        await self._listener.ends()

    def breaks_off(self, error: str) -> bool:
        """Tell the listener, and return whether what it took stands."""
        self._has_begun = self._listener.breaks_off(error)
        return self._has_begun

    async def _hear(self, sentence: Sentence) -> None:
        if kept := self._length.taken(sentence):
            await self._listener.hear(kept)


def _reflection(judged: Opening | Reflection) -> Reflection | None:
    return judged.reflection if isinstance(judged, Opening) else judged
