"""Second opinions on sentences that their words leave in doubt: of an embedder, and of a model."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from quaere.audit.cited_text import CitedSentence, without_attribution
from quaere.audit.verdict import Place
from quaere.domain.evidence import Evidence, Score
from quaere.domain.model import NO_PRICES, ModelCall, Prices
from quaere.domain.report import Sentence, Support
from quaere.domain.source import Passage
from quaere.errors import ReasonError
from quaere.models.meter import Meter
from quaere.models.similarity import cosines_of
from quaere.ports.model import Embedder
from quaere.ports.reason import Accountable, Checker, Inspection
from quaere.verify.repair import Claim, Fate, Outcome
from quaere.verify.second_opinion import (
    RULING_NOTES,
    apply_rulings,
    candidate_lines,
    doubtful,
    needs_embedder,
    weights_for,
)
from quaere.verify.support import EmbeddingSignal, Finding, compare, in_doubt, weigh

MOST = 40
"""Sentences that a model is asked about; the passages of more seldom fit into one request."""


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
    late: bool = False
    """Whether the time was over before it was compared."""


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """What a model may take."""

    tokens: int = 100_000
    usd: float | None = None


class Judge:
    """Asks a model for all sentences in doubt at once."""

    def __init__(
        self,
        reasoner: Accountable,
        prices: Prices = NO_PRICES,
        limits: JudgeLimits = JudgeLimits(),
    ) -> None:
        self._reasoner = reasoner
        self._meter = Meter(prices)
        self._limits = limits

    async def rule(self, cases: Sequence[Case]) -> Mapping[int, Support]:
        """Return what the model says of the first MOST cases in doubt, by their index.

        Raises:
            ReasonError: when it says nothing that can be used.
        """
        doubts = list(islice(doubtful([_outcome(case) for case in cases]), MOST))
        if not doubts:
            return {}
        checker = self._reasoner.for_run(self._meter)
        if not isinstance(checker, Checker):
            raise ReasonError(f"{self._reasoner.name} does not check sentences.")
        self._meter.open(self._limits.tokens, self._limits.usd)
        supports = await checker.check(_inspection([cases[index] for index in doubts]))
        ruled = zip(doubts, supports, strict=False)
        return {index: support for index, support in ruled if support}

    def calls(self) -> tuple[ModelCall, ...]:
        """Return the calls made since the last time."""
        return self._meter.drain()


def apply_rulings_to_cases(cases: Sequence[Case], rulings: Mapping[int, Support]) -> list[Case]:
    """Return ``cases`` with ``rulings`` applied as in a run (`quaere.verify.second_opinion`)."""
    outcomes = apply_rulings([_outcome(case) for case in cases], rulings)
    return [
        _decided(case, outcome, rulings[index]) if index in rulings else case
        for index, (case, outcome) in enumerate(zip(cases, outcomes, strict=True))
    ]


def _decided(case: Case, outcome: Outcome, ruling: Support) -> Case:
    if case.finding is None:
        return case
    # A run drops what is ruled out; here it is said.
    support = outcome.sentence.support if outcome.sentence else ruling
    note = outcome.sentence.note if outcome.sentence else outcome.objection or RULING_NOTES[ruling]
    return replace(case, finding=case.finding.model_copy(update={"support": support, "note": note}))


def _outcome(case: Case) -> Outcome:
    found = case.finding
    if found is None:
        return Outcome(sentence=None, fate=Fate.NO_CLAIM)
    fate = Fate.SUPPORTED if found.support is Support.SUPPORTED else Fate.MARKED
    sentence = Sentence(text=case.said.text, support=found.support, note=found.note)
    claim = Claim(sentence=sentence, finding=found) if in_doubt(found) else None
    return Outcome(sentence=sentence, fate=fate, objection=found.note, finding=found, claim=claim)


def _inspection(cases: Sequence[Case]) -> Inspection:
    """Return ``cases`` as a checker takes them: every passage is a piece of evidence."""
    passages = {passage.id: passage for case in cases for passage in _all_passages(case)}
    ids = {passage: number for number, passage in enumerate(passages, 1)}
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
        support=case.finding.support if case.finding else Support.UNVERIFIABLE,
    )


MAX_TIME_S = 60.0
"""What an embedder may take for all sentences; what is left then is judged by words."""


async def weigh_by_embedding(cases: Sequence[Case], embedder: Embedder) -> tuple[list[Case], str]:
    """Return ``cases``, those in doubt weighed with what ``embedder`` tells.

    With them comes why it was left out of the last of them; empty when it was not. One for which
    verification has no weights is not asked.
    """
    weights, looked_at = weights_for(embedder.name), list(cases)
    if weights is None:
        return looked_at, f"{embedder.name} was not measured: no sentence was checked with it."
    began = time.monotonic()
    for index, case in enumerate(cases):
        if not _needs_embedder(case):
            continue
        passages = _passages(case)
        text = without_attribution(case.said.text)
        texts = candidate_lines(compare(text, passages))
        if time.monotonic() - began > MAX_TIME_S:
            return looked_at, f"{embedder.name} took more than {MAX_TIME_S:g} s."
        try:
            cosines = await cosines_of(embedder, texts)
        except ReasonError as error:
            return looked_at, error.message
        if cosines:
            meaning = EmbeddingSignal(weights=weights, nearest_line=max(cosines))
            looked_at[index] = replace(case, finding=weigh(text, passages, meaning))
    return looked_at, ""


def _needs_embedder(case: Case) -> bool:
    return case.finding is not None and needs_embedder(case.finding)


def _passages(case: Case) -> list[Passage]:
    """Return what the finding of ``case`` rests on: one source that holds it, else all of them."""
    if case.finding and case.finding.support is Support.SUPPORTED and case.place:
        return list(case.passages[case.place.source])
    return _all_passages(case)


def _all_passages(case: Case) -> list[Passage]:
    return list(chain.from_iterable(case.passages.values()))
