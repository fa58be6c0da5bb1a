"""Looks in folders for what sentences may come from that cite nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quaere.audit.cited_text import CitedSentence
from quaere.audit.sources import ReadSource, is_file
from quaere.domain.audit import CheckedSource
from quaere.domain.events import WarningRaised
from quaere.domain.question import MAX_QUESTION_CHARS, Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Passage, ReadStatus
from quaere.errors import SearchError
from quaere.ports.search import Preparable, SearchProvider
from quaere.search.fanout import prepare

HITS = 5
"""Passages that a sentence is compared with, of all that are found for it."""


@dataclass(frozen=True, slots=True)
class FoundSources:
    """The sentences of a text with what was found for those that cite nothing."""

    sentences: Sequence[CitedSentence]
    sources: Sequence[CheckedSource]
    """Those that the text does not cite."""
    texts: Mapping[int, ReadSource]
    """What was found in each of them, by its number."""
    warnings: Sequence[RunWarning]


class Finder:
    """Searches folders for each claim of a text that cites nothing."""

    def __init__(self, providers: Sequence[SearchProvider], itself: Path | None = None) -> None:
        """Search with ``providers``, whose hits bring their text.

        Args:
            providers: Those of folders; they are made ready first.
            itself: The file that holds the text; it cannot be a source for itself.
        """
        self._providers = tuple(providers)
        self._itself = itself

    async def find(
        self, sentences: Sequence[CitedSentence], *, cited: Sequence[CheckedSource], within_s: float
    ) -> FoundSources:
        """Return ``sentences``, each claim without a citation with the sources found for it.

        Args:
            sentences: Those of the text, in order.
            cited: What the text cites, numbered from 1; what is found anew is numbered after it.
            within_s: Seconds for getting ready and for searching.
        """
        until = time.monotonic() + within_s
        warnings = await self._make_ready(within_s)
        shelf, found = _Shelf(cited), dict[int, tuple[int, ...]]()
        uncited = [place for place, said in enumerate(sentences) if said.is_uncited]
        try:
            async with asyncio.timeout(until - time.monotonic()):
                for place in uncited:
                    found[place] = shelf.put(await self._hits(sentences[place].text))
        except SearchError as error:
            warnings.append(RunWarning(kind="search", message=error.message))
        except TimeoutError:
            message = f"time ran out before {len(uncited) - len(found)} sentences were looked up"
            warnings.append(RunWarning(kind="verify", message=message))
        looked_up = [replace(said, found=found.get(n)) for n, said in enumerate(sentences)]
        return FoundSources(looked_up, shelf.sources(), shelf.texts(), warnings)

    async def _make_ready(self, within_s: float) -> list[RunWarning]:
        return [
            event.warning
            for provider in self._providers
            if isinstance(provider, Preparable)
            async for event in prepare(provider, provider.name, within_s)
            if isinstance(event, WarningRaised)
        ]

    async def _hits(self, text: str) -> list[Hit]:
        """Return what is found for ``text`` with its words, best first."""
        query = Query(text=text[:MAX_QUESTION_CHARS])
        hits = [hit for each in self._providers for hit in await each.search(query, limit=HITS)]
        return [hit for hit in hits if hit.passages and not is_file(hit.url, self._itself)]


class _Shelf:
    """What was found, by the number of its source."""

    def __init__(self, cited: Sequence[CheckedSource]) -> None:
        self._numbers = {source.url: source.number for source in cited if source.url}
        self._first = len(cited) + 1
        self._passages: dict[int, dict[str, Passage]] = {}
        """Of the sources that the text does not cite, by their ids."""

    def put(self, hits: Sequence[Hit]) -> tuple[int, ...]:
        """Keep ``hits``; return the numbers of their sources, each once."""
        return tuple(dict.fromkeys(map(self._put, hits)))

    def _put(self, hit: Hit) -> int:
        number = self._numbers.setdefault(hit.url, self._first + len(self._passages))
        if number >= self._first:
            kept = self._passages.setdefault(number, {})
            kept.update((passage.id, passage) for passage in hit.passages)
        return number

    def sources(self) -> Sequence[CheckedSource]:
        """Return the sources that the text does not cite."""
        return [_source(number, [*kept.values()]) for number, kept in self._passages.items()]

    def texts(self) -> Mapping[int, ReadSource]:
        """Return what was found in each of them."""
        return {number: ReadSource([*kept.values()]) for number, kept in self._passages.items()}


def _source(number: int, passages: Sequence[Passage]) -> CheckedSource:
    page = passages[0]
    return CheckedSource(
        number=number,
        url=page.url,
        title=page.title,
        status=ReadStatus.PROVIDED,
        characters=max(passage.end for passage in passages),
        retrieved_at=page.retrieved_at,
        content_hash=page.content_hash,
        found=True,
    )


def listed(sources: Sequence[CheckedSource], used: Iterable[int]) -> Mapping[int, CheckedSource]:
    """Return the ``sources`` to list, by the numbers they had: found ones only where ``used``.

    Those that are left are numbered anew, from 1.
    """
    needed = set(used)
    told = [source for source in sources if not source.found or source.number in needed]
    return {
        source.number: source.model_copy(update={"number": number})
        for number, source in enumerate(told, 1)
    }
