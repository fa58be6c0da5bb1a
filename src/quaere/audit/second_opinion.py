"""Second opinions: of an embedder on what words leave in doubt, of a model on all but quotes."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from quaere.audit.cited_text import CitedSentence, without_attribution
from quaere.domain.audit import Place
from quaere.domain.evidence import Evidence, Score
from quaere.domain.model import ModelCall
from quaere.domain.report import CheckedBy, Ruling, Sentence, Support
from quaere.domain.source import Passage
from quaere.domain.verdict import Confidence
from quaere.errors import ReasonError, named
from quaere.models.meter import Meter
from quaere.models.similarity import cosines_of
from quaere.ports.model import Embedder, EntailmentModel
from quaere.ports.reason import Accountable, Checker, Inspection
from quaere.resilience.thread import computed
from quaere.verify.calibration import EmbeddingSignal
from quaere.verify.repair import Claim, Fate, Outcome, settled
from quaere.verify.second_opinion import (
    apply_rulings,
    candidate_lines,
    entailment_rulings,
    needs_embedder,
    open_claims,
    premises,
    weights_for,
)
from quaere.verify.support import Finding, compare, weigh

MOST = 40
"""Sentences of one request; the passages of more seldom fit into it."""
UNCITED = "it cites nothing"


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, and what was found of it."""

    said: CitedSentence
    finding: Finding | None = None
    """None when there was nothing to compare it with."""
    place: Place | None = None
    passages: Mapping[int, tuple[Passage, ...]] = field(
        default_factory=dict[int, tuple[Passage, ...]]
    )
    """What it was compared with, by number of the source."""
    by: CheckedBy = CheckedBy.WORDS
    """Whose finding it is."""
    ruled_likely: Confidence | None = None
    """How likely its sources say it, as one other than words has it that gave the verdict."""
    late: bool = False
    """Whether the time was over before it was compared."""

    @property
    def probability(self) -> Confidence | None:
        """How likely its sources say it, as who gave the verdict has it."""
        if self.by is not CheckedBy.WORDS:
            return self.ruled_likely
        return self.finding.probability if self.finding else None


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """What a model may take."""

    tokens: int = 100_000
    usd: float | None = None


class _Metered:
    """The base of what asks models about sentences, within limits and on account."""

    def __init__(self, meter: Meter | None, limits: JudgeLimits) -> None:
        self._meter = meter or Meter()
        self._limits = limits

    def _open(self) -> None:
        self._meter.open(self._limits.tokens, self._limits.usd)

    def calls(self) -> tuple[ModelCall, ...]:
        """Return the calls made since the last time."""
        return self._meter.drain()


class Judge(_Metered):
    """Asks a model about all sentences but those that are quoted, in as few calls as they fit."""

    def __init__(
        self,
        reasoner: Accountable,
        meter: Meter | None = None,
        limits: JudgeLimits = JudgeLimits(),
        *,
        marks: str = "",
    ) -> None:
        """Ask ``reasoner``.

        Args:
            reasoner: Asks the model.
            meter: Books its calls; one with that of an `Entailment` keeps both within ``limits``.
            limits: What may be taken.
            marks: As in `quaere.ports.reason.Accountable.for_run`.
        """
        super().__init__(meter, limits)
        self._reasoner = reasoner
        self._marks = marks

    async def rule(
        self, cases: Sequence[Case], *, within_s: float = math.inf
    ) -> tuple[Mapping[int, Ruling], str]:
        """Return what the model says of ``cases`` in ``within_s`` seconds, by their index.

        With it comes why it left out some of them; empty where it did not.
        """
        asked = open_claims([_outcome(case) for case in cases])
        checker = self._reasoner.for_run(self._meter, self._marks)
        if not isinstance(checker, Checker):
            return {}, f"{self._reasoner.name} does not check sentences."
        rulings: dict[int, Ruling] = {}
        if not asked:
            return rulings, ""
        self._open()
        until = time.monotonic() + within_s
        for first in range(0, len(asked), MOST):
            batch = list(asked)[first : first + MOST]
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    ruled = await checker.check(_inspection([cases[index] for index in batch]))
            except ReasonError as error:
                return rulings, error.message
            except TimeoutError:
                late = f"{len(asked) - first} of {len(asked)} sentences: time ran out"
                return rulings, f"{self._reasoner.name} did not judge {late}."
            rulings |= {i: each for i, each in zip(batch, ruled, strict=False) if each}
        return rulings, ""


NOT_ASKED: Final = "The entailment model was left out of the check:"
"""What begins the warning where it cannot be used at all."""


class Entailment(_Metered):
    """Asks an entailment model about the sentences that cite something and are not quoted."""

    def __init__(
        self,
        model: EntailmentModel,
        meter: Meter | None = None,
        limits: JudgeLimits = JudgeLimits(),
    ) -> None:
        """Ask ``model``, which may take what ``limits`` say; ``meter`` is as in `Judge`."""
        super().__init__(meter, limits)
        self._model = model

    async def rule(
        self, cases: Sequence[Case], *, within_s: float = math.inf
    ) -> tuple[Mapping[int, Ruling], str]:
        """Return what the model says of ``cases`` in ``within_s`` seconds, as far as it decides.

        The rulings are by index. With them comes of how many it did not tell, and why; empty where
        it told of all.
        """
        asked = await computed(lambda: _premises(cases))
        pairs = list(chain.from_iterable(asked.values()))
        if not pairs:
            return {}, ""
        self._open()
        within_s = min(MAX_TIME_S, within_s)
        try:
            told = await self._model.entail(pairs, self._meter, within_s=within_s)
        except ReasonError as error:
            return {}, f"{NOT_ASKED} {named(self._model.name, error.message)}"
        rulings, fault = entailment_rulings(asked, told)
        return rulings, f"{self._model.name} {fault}." if fault else ""


def _premises(cases: Sequence[Case]) -> dict[int, list[tuple[str, str]]]:
    """Return what an entailment model is asked about those of ``cases`` that cite something."""
    ids = _numbered(cases)
    pool = {ids[passage.id]: passage for case in cases for passage in _all_passages(case)}
    claims = open_claims([_outcome(case) for case in cases])
    return {
        index: premises(_numbered_as(claim, cases[index], ids), pool)
        for index, claim in claims.items()
        if cases[index].said.sources
    }


def _numbered_as(claim: Claim, case: Case, ids: Mapping[str, int]) -> Claim:
    """Return ``claim`` of ``case``, its passages by their numbers among all."""
    evidence = tuple(ids[passage.id] for passage in _passages(case))
    return claim.model_copy(
        update={"sentence": claim.sentence.model_copy(update={"evidence": evidence})}
    )


def apply_rulings_to_cases(cases: Sequence[Case], rulings: Mapping[int, Ruling]) -> list[Case]:
    """Return ``cases`` with ``rulings`` applied as in a run (`quaere.verify.second_opinion`)."""
    outcomes = apply_rulings([_outcome(case) for case in cases], rulings)
    return [
        _decided(case, outcome) if index in rulings else case
        for index, (case, outcome) in enumerate(zip(cases, outcomes, strict=True))
    ]


def _decided(case: Case, outcome: Outcome) -> Case:
    # A run drops what is ruled out; here it is said.
    said = outcome.sentence or outcome.dropped
    if said is None or said.by is CheckedBy.WORDS:
        return case
    reason = said.reason if case.said.cites else f"{UNCITED}; {said.reason}"
    found = outcome.finding or Finding(support=said.support)
    finding = found.model_copy(update={"support": said.support, "note": reason})
    by = said.by or CheckedBy.WORDS
    return replace(case, finding=finding, by=by, ruled_likely=said.probability)


def _outcome(case: Case) -> Outcome:
    """Return ``case`` as verification has it."""
    found, given = case.finding, bool(case.said.sources)
    if found is None and (given or not case.passages):
        return Outcome(sentence=None, fate=Fate.NO_CLAIM)
    text = without_attribution(case.said.text)
    found = found or weigh(text, _passages(case))
    ids = _numbered([case])
    sentence = Sentence(text=text, evidence=tuple(ids.values()))
    outcome = settled(sentence, found, Fate.MARKED, found.note)
    if given or outcome.claim is None:
        return outcome
    return outcome.model_copy(update={"claim": outcome.claim.model_copy(update={"cited": False})})


def _numbered(cases: Iterable[Case]) -> dict[str, int]:
    """Return a number for every passage of ``cases``, by its id."""
    passages = (p.id for case in cases for each in case.passages.values() for p in each)
    return {passage: number for number, passage in enumerate(dict.fromkeys(passages), 1)}


def _inspection(cases: Sequence[Case]) -> Inspection:
    """Return ``cases`` as a checker takes them: every passage is a piece of evidence."""
    passages = {passage.id: passage for case in cases for passage in _all_passages(case)}
    ids = _numbered(cases)
    evidence = tuple(
        Evidence(
            id=ids[p.id],
            passage=p.id,
            url=p.url,
            title=p.title,
            locator=p.locator,
            score=Score(),
        )
        for p in passages.values()
    )
    sentences = tuple(_sentence(case, ids) for case in cases)
    return Inspection(sentences=sentences, evidence=evidence, passages=passages)


def _sentence(case: Case, ids: Mapping[str, int]) -> Sentence:
    return Sentence(
        text=case.said.text,
        evidence=tuple(ids[passage.id] for passage in _all_passages(case)),
        support=case.finding.support if case.finding else Support.NOT_JUDGED,
    )


MAX_TIME_S = 60.0
"""What an embedder, and what an entailment model, may take for all sentences; what is left then is
judged by words."""


async def weigh_by_embedding(
    cases: Sequence[Case], embedder: Embedder, *, within_s: float = math.inf
) -> tuple[list[Case], str]:
    """Return ``cases``, those in doubt weighed with what ``embedder`` tells in that many seconds.

    With them comes why it was left out of the last of them; empty when it was not. One for which
    verification has no weights is not asked.
    """
    weights, looked_at = weights_for(embedder.name), list(cases)
    if weights is None:
        return looked_at, f"{embedder.name} was not measured: no sentence was checked with it."
    within_s = min(MAX_TIME_S, within_s)
    until = time.monotonic() + within_s
    for index, case in enumerate(cases):
        if not _needs_embedder(case):
            continue
        passages = _passages(case)
        text = without_attribution(case.said.text)
        texts = candidate_lines(compare(text, passages))
        try:
            async with asyncio.timeout(until - time.monotonic()):
                cosines = await cosines_of(embedder, texts)
        except ReasonError as error:
            return looked_at, error.message
        except TimeoutError:
            return looked_at, f"{embedder.name} took more than {within_s:.3g} s."
        if cosines:
            meaning = EmbeddingSignal(weights=weights, nearest_line=max(cosines))
            looked_at[index] = replace(case, finding=weigh(text, passages, meaning))
    return looked_at, ""


def _needs_embedder(case: Case) -> bool:
    return case.finding is not None and needs_embedder(case.finding)


def _passages(case: Case) -> list[Passage]:
    """Return what the finding of ``case`` rests on: one source that holds it, else all of them."""
    if case.finding and case.finding.support.holds and case.place:
        return list(case.passages[case.place.source])
    return _all_passages(case)


def _all_passages(case: Case) -> list[Passage]:
    return list(chain.from_iterable(case.passages.values()))
