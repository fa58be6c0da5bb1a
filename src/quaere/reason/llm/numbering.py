"""Numbers evidence 1 to n for one call, in the order in which it is shown.

Small models count rather than copy: of passages 7, 23 and 41 they name 1, 2 and 3. So every call
has numbers of its own, and ids are translated on the way in and on the way out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from quaere.domain.evidence import Evidence
from quaere.domain.report import Sentence
from quaere.domain.source import Passage
from quaere.domain.verdict import Reflection
from quaere.reason.llm.sentences import with_ids


@dataclass(frozen=True, slots=True)
class Numbering:
    """The evidence of one call whose text is there, numbered."""

    evidence: tuple[Evidence, ...]
    """In the order of the numbers, which stand where the ids were."""
    ids: Mapping[int, int]
    """The id of each number."""
    numbers: Mapping[int, int]
    """The number of each id."""

    @classmethod
    def of(cls, evidence: Sequence[Evidence], passages: Mapping[str, Passage]) -> Numbering:
        """Number ``evidence``; what has no text among ``passages`` is not shown and has none."""
        shown = [entry for entry in evidence if entry.passage in passages]
        ids = {number: entry.id for number, entry in enumerate(shown, 1)}
        return cls(
            tuple(entry.model_copy(update={"id": n}) for n, entry in enumerate(shown, 1)),
            ids,
            {own: number for number, own in ids.items()},
        )

    def numbered(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Return the numbers of ``ids``, without those that are not shown."""
        return tuple(self.numbers[own] for own in ids if own in self.numbers)

    def pairs(self, pairs: Collection[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Return the numbers of those ``pairs`` of ids of which both are shown."""
        return tuple(
            (self.numbers[a], self.numbers[b])
            for a, b in pairs
            if a in self.numbers and b in self.numbers
        )

    def with_numbers(self, sentence: Sentence) -> Sentence:
        """Return ``sentence`` as the model is shown it."""
        return sentence.model_copy(update={"evidence": self.numbered(sentence.evidence)})

    def with_ids(self, sentence: Sentence) -> Sentence:
        """Return ``sentence`` as the model wrote it, with the ids that it meant."""
        meant = tuple(self.ids[number] for number in sentence.evidence)
        return sentence.model_copy(update={"evidence": meant})

    def meant(self, reflection: Reflection) -> Reflection:
        """Return ``reflection``, made of numbers, with the ids that they stand for."""
        found = reflection.findings
        pairs = ((self.ids[a], self.ids[b]) for a, b in reflection.contradictions)
        return reflection.model_copy(
            update={
                "findings": None if found is None else tuple(self.ids[n] for n in found),
                "facts": tuple(
                    fact.model_copy(update={"evidence": self.ids[fact.evidence]})
                    for fact in reflection.facts
                ),
                "contradictions": tuple(sorted((min(pair), max(pair)) for pair in pairs)),
                "answer": with_ids(reflection.answer, self.ids),
            }
        )
