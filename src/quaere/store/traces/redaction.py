"""Redacts the events of a run for its trace, and lists the passages that its evidence rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quaere.domain.events import Event, RunEvent
from quaere.domain.evidence import Evidence
from quaere.domain.source import Passage
from quaere.domain.trace import Source
from quaere.domain.value import Value
from quaere.store.traces.privacy import Privacy

FindPassage = Callable[[str], Passage]
"""Returns the passage of an id; raises KeyError where there is none."""


class Kept(Value):
    """One event as it is kept, and the sources that came with it."""

    event: RunEvent
    sources: tuple[Source, ...] = ()


class TraceRedactor:
    """Redacts the events of one run."""

    def __init__(self, privacy: Privacy, find: FindPassage) -> None:
        """Keep what ``privacy`` allows; ``find`` has the passages of the run."""
        self._privacy = privacy
        self._find = find
        self._seen: set[str] = set()

    def take(self, event: Event) -> Kept:
        """Return ``event`` as it is kept, with the sources that were not in an earlier one."""
        kept = self._privacy.event(event)
        sources = [self._source(each, event.topic) for each in self._fresh(event.evidence_told)]
        return Kept.model_construct(event=kept, sources=tuple(sources))

    def _fresh(self, selected: Iterable[Evidence]) -> list[Evidence]:
        fresh: dict[str, Evidence] = {}
        for evidence in selected:
            if evidence.passage not in self._seen:
                fresh.setdefault(evidence.passage, evidence)
        self._seen |= fresh.keys()
        return list(fresh.values())

    def _source(self, evidence: Evidence, topic: str) -> Source:
        try:
            passage = self._find(evidence.passage)
        except KeyError:
            return self._privacy.source(Source(evidence=evidence, topic=topic))
        return self._privacy.source(
            Source(
                evidence=evidence,
                topic=topic,
                start=passage.start,
                end=passage.end,
                content_hash=passage.content_hash,
                retrieved_at=passage.retrieved_at,
                published=passage.published,
                provided=passage.provided,
                text=passage.text,
            )
        )
