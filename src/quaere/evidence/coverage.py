"""What a complete answer must contain, as terms that a passage can have or lack."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from quaere.domain.question import Checklist
from quaere.text.tokens import stem, terms


@dataclass(frozen=True, slots=True)
class Requirement:
    """A checklist item, or the whole question where there is no checklist yet."""

    id: str
    """Empty for the whole question."""
    terms: frozenset[str]
    """Stems of its words."""
    known: frozenset[str]
    """Stems of its words and of the question's."""
    ticked: tuple[str, ...] = ()
    """Ids of the passages that a reasoner has found to satisfy it."""

    def share(self, stems: AbstractSet[str]) -> float:
        """Return the share of its terms that are among ``stems``; 0.0 when it has none."""
        return len(self.terms & stems) / len(self.terms) if self.terms else 0.0

    def is_beyond(self, thing: str) -> bool:
        """Return whether ``thing``, in folded words, says more than question and item do."""
        return any(stem(word) not in self.known for word in thing.split())


def requirements(question: str, checklist: Checklist) -> tuple[Requirement, ...]:
    """Return the items of ``checklist``; the question itself when there are none."""
    asked = frozenset(terms(question))
    if not checklist.items:
        return (Requirement("", asked, asked),)
    found: list[Requirement] = []
    for item in checklist.items:
        own = frozenset(terms(" ".join(item.terms) or item.description))
        found.append(Requirement(item.id, own, own | asked, item.evidence))
    return tuple(found)


def completeness(items: Sequence[Requirement], stems: AbstractSet[str]) -> float:
    """Return how much of ``items`` a passage of these ``stems`` has words for: its mean share."""
    return sum(item.share(stems) for item in items) / len(items) if items else 0.0
