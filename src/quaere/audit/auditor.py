"""Checks every sentence of a text against the sources that it cites."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from time import monotonic

from quaere.audit.cited_text import CitedSentence, CitedText, without_attribution
from quaere.audit.second_opinion import (
    UNCITED,
    Case,
    Entailment,
    Judge,
    apply_rulings_to_cases,
    weigh_by_embedding,
)
from quaere.audit.sources import AuditLimits, Finder, LocalFiles, SourceTexts, listed, read_sources
from quaere.domain.audit import Audit, CheckedSentence, CheckedSource, Place, summarized
from quaere.domain.report import RunWarning, Support
from quaere.domain.source import Passage
from quaere.ports.model import Embedder
from quaere.ports.read import Chunker, Reader
from quaere.read.batch import Reading
from quaere.resilience.thread import computed, in_slices
from quaere.text.tokens import terms
from quaere.verify.ground import ground, nearest
from quaere.verify.quotes import quoted
from quaere.verify.repair import CONTRIBUTES, NEAREST, NO_CLAIM, reason_of
from quaere.verify.support import Finding, weigh

NO_FILES = LocalFiles()
USUAL = AuditLimits()


NOWHERE = "it cites nothing, and nothing that was found says it"
MIN_STEP_S = 1.0
"""What comparing, and each that is asked again, gets when reading has taken all the time: some
hundred sentences."""


class Auditor:
    """Reads what a text cites and says for each sentence whether its sources support it."""

    def __init__(
        self,
        reader: Reader,
        chunker: Chunker,
        *,
        embedder: Embedder | None = None,
        entailment: Entailment | None = None,
        judge: Judge | None = None,
        finder: Finder | None = None,
    ) -> None:
        """Read with ``reader`` and divide pages with ``chunker``.

        Args:
            reader: Guards itself: a text cites whatever it likes.
            chunker: Makes passages of pages.
            embedder: Asked of the sentences that words leave in doubt.
            entailment: Asked of all sentences that cite something but quotes.
            judge: Asked for all sentences but quotes, those that cite nothing included.
            finder: Looks for sources of claims that cite nothing; without one, none are looked for.
        """
        self._reader = reader
        self._chunker = chunker
        self._embedder = embedder
        self._entailment = entailment
        self._judge = judge
        self._finder = finder

    async def audit(
        self,
        text: CitedText,
        *,
        local: LocalFiles = NO_FILES,
        limits: AuditLimits = USUAL,
        on_reading: Callable[[Reading], None] | None = None,
    ) -> Audit:
        """Return a verdict on every sentence of ``text``.

        Args:
            text: What ``cited_text`` makes of it.
            local: Where files may lie that it cites; without one, none is read.
            limits: What it may take. Sources beyond them count as not read.
            on_reading: Called with each source that was opened, as soon as it was.
        """
        began = monotonic()
        library = await read_sources(
            text.sources,
            self._reader,
            self._chunker,
            local=local,
            limits=limits,
            on_reading=on_reading,
        )
        left = _TimeLeft(began + limits.max_time_s)
        said, library, untold = await self._looked_up(text.sentences, library, left)
        cases = await _compared(said, library, left.seconds)
        late = sum(case.late for case in cases)
        cases, faults = await self._weighed_again(cases, library, left)
        sources = listed(library.sources, (case.place.source for case in cases if case.place))
        sentences = tuple(_checked(case, sources) for case in cases)
        return Audit(
            summary=summarized(sentences, tuple(sources.values())),
            sentences=sentences,
            sources=tuple(sources.values()),
            warnings=(*untold, *_warnings(late, faults)),
            calls=tuple(call for each in self._asked for call in each.calls()),
        )

    async def _looked_up(
        self, sentences: Sequence[CitedSentence], library: SourceTexts, left: _TimeLeft
    ) -> tuple[Sequence[CitedSentence], SourceTexts, Sequence[RunWarning]]:
        """Return ``sentences`` and ``library`` with what was found for those that cite nothing."""
        if self._finder is None:
            return sentences, library, ()
        found = await self._finder.find(
            sentences, cited=library.sources, within_s=left.shared_with(self)
        )
        sources = (*library.sources, *found.sources)
        texts = {**library.volumes, **found.texts}
        return found.sentences, SourceTexts(sources, texts), found.warnings

    @property
    def _asked(self) -> list[Entailment | Judge]:
        return [each for each in (self._entailment, self._judge) if each]

    async def _weighed_again(
        self, cases: list[Case], library: SourceTexts, left: _TimeLeft
    ) -> tuple[list[Case], list[str]]:
        """Return ``cases`` with the second opinions, and why one was left out."""
        faults: list[str] = []
        if self._embedder:
            share = left.shared_with(self._entailment, self._judge)
            cases, fault = await weigh_by_embedding(cases, self._embedder, within_s=share)
            faults.append(fault)
        if self._entailment:
            rulings, fault = await self._entailment.rule(
                cases, within_s=left.shared_with(self._judge)
            )
            cases = apply_rulings_to_cases(cases, rulings)
            faults.append(fault)
        if self._judge:
            shown = await computed(lambda: [_with_nearest(case, library) for case in cases])
            rulings, fault = await self._judge.rule(shown, within_s=left.seconds)
            cases = apply_rulings_to_cases(shown, rulings)
            faults.append(fault)
        return cases, list(filter(None, faults))


@dataclass(frozen=True, slots=True)
class _TimeLeft:
    """What is left of the time of an audit."""

    until: float
    """On the monotonic clock, in seconds."""

    @property
    def seconds(self) -> float:
        """What one step may take when nothing follows it."""
        return max(MIN_STEP_S, self.until - monotonic())

    def shared_with(self, *others: object) -> float:
        """Return what one step may take when those of ``others`` follow that are there."""
        return self.seconds / (1 + sum(map(bool, others)))


async def _compared(
    sentences: Sequence[CitedSentence], library: SourceTexts, seconds: float
) -> list[Case]:
    """Return a case for each of ``sentences``; without a finding those not reached in time."""
    cases: list[Case] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await in_slices(cases.append(_case(said, library)) for said in sentences)
    compared = cases.copy()
    return compared + [Case(said, late=bool(said.sources)) for said in sentences[len(compared) :]]


def _case(said: CitedSentence, library: SourceTexts) -> Case:
    """Return ``said`` with what its sources make of it: each alone, else all together."""
    volumes = {n: library.volumes[n] for n in said.sources if n in library.volumes}
    if not volumes:
        return Case(said)
    text = without_attribution(said.text)
    words = terms(text)
    picked = {number: tuple(volume.best(words)) for number, volume in volumes.items()}
    number, found = _best_finding(text, picked, together=bool(said.cites))
    nearby = picked if number is None else {number: picked[number]}
    return Case(said, found, _place(said, nearby), picked)


def _with_nearest(case: Case, library: SourceTexts) -> Case:
    """Return ``case``; a claim that cites nothing with what of all sources comes nearest to it."""
    if case.said.sources or not case.said.is_claim:
        return case
    claim = ground(case.said.text)
    words = terms(case.said.text)
    rated = [
        (-nearest(claim, ground(passage.text)).share, number, place, passage)
        for number, volume in library.volumes.items()
        for place, passage in enumerate(volume.best(words))
    ]
    picked: dict[int, tuple[Passage, ...]] = {}
    for share, number, _, passage in sorted(rated, key=lambda each: each[:3])[:NEAREST]:
        if share:
            picked[number] = (*picked.get(number, ()), passage)
    return replace(case, passages=picked)


def _best_finding(
    text: str, picked: Mapping[int, Sequence[Passage]], *, together: bool
) -> tuple[int | None, Finding]:
    """Return the one source that supports ``text`` best, None when none does, with the finding.

    Where no source supports it alone, the finding is that of all ``together``, if they were cited
    together; of those that were looked up, which have nothing to do with each other, the likeliest.
    """
    alone = {number: weigh(text, passages) for number, passages in picked.items()}
    best, found = max(alone.items(), key=_worth)
    if found.support.holds or not together:
        return best, found
    if len(alone) == 1:
        return None, found
    return None, weigh(text, [*chain.from_iterable(picked.values())])


def _worth(numbered: tuple[int, Finding]) -> tuple[bool, float, int]:
    """Return by what one of several findings is best: it holds, is likely, and comes first."""
    number, found = numbered
    return found.support.holds, found.probability or 0.0, -number


def _place(said: CitedSentence, picked: Mapping[int, Sequence[Passage]]) -> Place | None:
    """Return the words in ``picked`` that come nearest to ``said``, if any come near."""
    claim = ground(said.text)
    best: Place | None = None
    share = CONTRIBUTES
    for number, passages in picked.items():
        for passage in passages:
            near = nearest(claim, ground(passage.text))
            if near.lines and (near.share > share or (best is None and near.share == share)):
                quote = quoted(passage, near.start, near.end)
                share = near.share
                best = Place(
                    source=number,
                    text=quote.text,
                    start=quote.start,
                    end=quote.end,
                    locator=passage.locator,
                )
    return best


def _warnings(late: int, faults: Iterable[str]) -> Iterator[RunWarning]:
    """Yield what users should know: how many sentences came too late, and what has failed."""
    if late:
        message = f"time ran out before {late} sentences were compared"
        yield RunWarning(kind="verify", message=message)
    for fault in faults:
        yield RunWarning(kind="reason", message=fault)


def _checked(case: Case, sources: Mapping[int, CheckedSource]) -> CheckedSentence:
    said, found, place = case.said, case.finding, _renumbered(case.place, sources)
    verdict = found.support if found else _unfounded(said)
    reasons = (reason_of(found) if found else "", _without_finding(case, verdict, sources))
    return CheckedSentence(
        line=said.line,
        start=said.start,
        end=said.end,
        text=said.text,
        verdict=verdict,
        by=case.by if found or verdict is Support.NOT_A_CLAIM else None,
        reason="; ".join(filter(None, reasons)),
        cites=said.cites,
        found=_found(said, place),
        probability=case.probability,
        place=place,
        read=found is not None,
    )


def _found(said: CitedSentence, place: Place | None) -> tuple[int, ...]:
    return (place.source,) if place and not said.cites else ()


def _renumbered(place: Place | None, sources: Mapping[int, CheckedSource]) -> Place | None:
    """Return ``place`` with the number under which its source is listed."""
    return place and place.model_copy(update={"source": sources[place.source].number})


def _without_finding(case: Case, verdict: Support, sources: Mapping[int, CheckedSource]) -> str:
    """Return what else than its finding tells why ``case`` has its ``verdict``."""
    said, found = case.said, case.finding
    if case.late:
        return "not compared: time ran out"
    if not said.cites and (found is None or said.found is not None):
        return _uncited(said, verdict)
    return "" if verdict.holds else _unread(said, sources, any_read=found is not None)


def _uncited(said: CitedSentence, verdict: Support) -> str:
    """Return what else to say of ``said``, which cites nothing."""
    if not said.is_claim:
        return NO_CLAIM
    sought = said.found is not None
    return NOWHERE if sought and verdict is Support.NOT_JUDGED else UNCITED


def _unread(said: CitedSentence, sources: Mapping[int, CheckedSource], *, any_read: bool) -> str:
    """Return which sources of ``said`` were not read and why; empty when all were."""
    unread = [sources[number] for number in said.cites if not sources[number].url]
    if not unread:
        return ""
    reasons = dict.fromkeys(f"{source.status}: {source.reason}" for source in unread)
    which = f"{len(unread)} of {len(said.cites)} sources not read" if any_read else "not read"
    return f"{which} ({'; '.join(reasons)})"


def _unfounded(said: CitedSentence) -> Support:
    return Support.NOT_JUDGED if said.cites or said.is_claim else Support.NOT_A_CLAIM
