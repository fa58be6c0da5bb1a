"""Tells the answer while it is being written: each sentence as soon as its verdict is final.

What is told is never taken back, so it is always the beginning of the answer: a sentence waits for
those before it. What a source has word for word is settled at once. A first sentence that cites
nothing draws a conclusion, and rests on what the judgement that it comes with has found: a model
checks it while the rest is being written. Where that does not carry it, it is settled together with
the next few, on what they cite, if they quote: then nothing else is likely to need a check. The
first other sentence that quotes nothing ends the telling, so that one call checks all that is left
once it is written. Long answers alone take a call more, for the sentences that they begin with.

All of this depends on the order of what is written, not on the clock, so that a run that is made
again tells the same.

A first sentence that cites nothing but draws a conclusion rests on what the next ones cite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from quaere.domain.budget import ANSWERING_EARLY
from quaere.domain.events import Phase, SentenceDrafted, SentenceWritten
from quaere.domain.evidence import of_same_sources
from quaere.domain.question import AnswerForm
from quaere.domain.report import Opens, Sentence
from quaere.domain.source import Passage
from quaere.domain.url import source_keys
from quaere.domain.verdict import Opening, Reflection, Stop
from quaere.errors import ReasonError
from quaere.graphs.context import passages_of, stop_reason
from quaere.graphs.flow import Emitter, Runtime
from quaere.graphs.state import LoopState
from quaere.plan.decide import is_degraded, is_partial
from quaere.plan.delegation import choose_tier
from quaere.ports.reason import Checker, Inspection, Outspoken, Reasoner
from quaere.resilience.thread import computed, in_slices
from quaere.synthesize.compose import Draft, Written, is_limited
from quaere.synthesize.layout import Layout
from quaere.verify.repair import Outcome, Pool, holds, pool_of, verify_sentence
from quaere.verify.second_opinion import apply_rulings, open_claims
from quaere.verify.whole_answer import citing, repair_leaning, resting_on, within_citations


async def verified(sentences: Sequence[Sentence], pool: Pool, asked: str) -> list[Outcome]:
    """Return what words alone make of ``sentences``, without holding up the event loop.

    A first one that cites nothing rests on what is found to carry the next ones, which are
    therefore checked before it.

    Args:
        sentences: The beginning of an answer, or all of it.
        pool: What they may cite.
        asked: The question.
    """
    first, rest = sentences[:1], sentences[1:]
    following = await in_slices(verify_sentence(each, pool, asked) for each in rest)
    concluded = [resting_on(each, rest, following) for each in first]
    opening = await in_slices(verify_sentence(each, pool, asked) for each in concluded)
    return [*opening, *following]


def one_of_each_source(concluded: Sentence, found: Sequence[int], pool: Pool) -> Sentence:
    """Return ``concluded`` with one citation of each of its sources.

    Args:
        concluded: It cites all that its sources were seen with, what decided first.
        found: Ids of the passages that speak for the other sources.
        pool: What may be cited.
    """
    decided, *others = concluded.evidence
    ranked = (decided, *sorted(others, key=lambda number: number not in found))
    chosen: list[int] = []
    seen: frozenset[str] = frozenset()
    for number in ranked:
        keys = source_keys(pool[number].title, pool[number].url)
        if seen.isdisjoint(keys):
            chosen.append(number)
        seen |= keys
    return citing(chosen, concluded, pool)


J = TypeVar("J", Opening, Reflection)

GROUNDS = 4
"""Passages on which a conclusion that cites nothing may rest; of more it would not be clear which
of them say it."""
OPENING = 3
"""Sentences that are settled together: the first, and two on which it may rest. Where these do not
carry it, it waits for others (see `quaere.verify.whole_answer`)."""
LONG = 300
"""Words from which an answer is worth a check of its own for its opening: the rest of a shorter one
is written in about the time that a call takes, some two seconds."""


@dataclass(slots=True)
class _Composing:
    """An answer in the making: each sentence is composed once, however often more is told."""

    draft: Draft
    taken: int = 0
    """Outcomes that are in ``draft``."""
    opens: Opens | None = None
    """What the next sentence begins, where those before it that did were dropped."""

    def take(self, outcomes: Sequence[Outcome]) -> None:
        """Add those of ``outcomes``, all from the first on, that are not there yet."""
        self.opens = take_outcomes(self.draft, outcomes[self.taken :], self.opens)
        self.taken = len(outcomes)


class Telling:
    """Listens to an answer for one step of a run."""

    def __init__(self, state: LoopState, runtime: Runtime, *, at_hand: bool = False) -> None:
        """Tell what is written on the evidence that is selected in ``state``.

        Args:
            state: Of the run.
            runtime: What the step works with.
            at_hand: Whether the whole answer was written before. A check of its beginning would
                then save no time: one call checks all of it.
        """
        self._state = state
        self._at_hand = at_hand
        self._context = runtime.context
        self._told = runtime.context.told
        self._emitter = Emitter(Phase.SYNTHESIZING, state, runtime)
        self._passages: Sequence[Passage] = ()
        self._pool: Pool = {}
        self._under_way: Opening | Reflection | None = None
        self._composing: _Composing | None = None

    def wants(self, judged: Opening | Reflection) -> bool:
        """Return whether the answer that comes with ``judged`` will be the run's answer."""
        wanted = self.listens
        if isinstance(judged, Opening):
            profile = choose_tier(self._state["requested"], judged.plan.tier)
            wanted = wanted and profile in ANSWERING_EARLY
        if wanted:
            self.forget()
            self._under_way = judged
        return wanted

    def forget(self) -> None:
        """Forget what was heard and not told: it will be written again."""
        if not self._told.written:
            self._told.outcomes.clear()
            self._composing = None
            self._told.is_held = False
        self._told.drafts[:] = self._told.settled

    def kept(self, judged: J) -> J:
        """Return ``judged``, or what was judged before an answer that was told and has no end.

        Who hangs in the middle of an answer is given up, and another judges in its place; but what
        was told stands, and so does that the evidence is sufficient.
        """
        if self._told.written and isinstance(self._under_way, type(judged)):
            self._told.broken = self._told.broken or "its end did not come in time"
            return self._under_way
        return judged

    @property
    def listens(self) -> bool:
        """Whether an answer is told while it is written.

        It is where it begins with its first sentence and keeps its order. Without a model all is
        written and checked in no time, and a researcher writes no answer.
        """
        state, context = self._state, self._context
        plain = state["question"].form in {None, AnswerForm.SHORT}
        reasoner = context.reasoner
        can_check = isinstance(reasoner, Checker) and reasoner.tells_early
        return can_check and plain and not context.delegated and not _is_limited(state)

    def aloud(self, reasoner: Reasoner) -> Outspoken | None:
        """Return ``reasoner`` where its answer is heard while it is written."""
        return reasoner if self.listens and isinstance(reasoner, Outspoken) else None

    def begin(self) -> None:
        """Announce the phase, once a run."""
        if not self._told.is_begun:
            self._told.is_begun = True
            self._emitter.begin()

    async def hear(self, sentence: Sentence) -> None:
        """Take the next sentence; tell what is settled by it."""
        self.begin()
        self._emitter.emit(SentenceDrafted(text=sentence.text, evidence=sentence.evidence))
        self._told.drafts.append(sentence)
        if self.listens and not self._told.is_held:
            await self._settle(len(self._told.drafts))

    async def ends(self) -> None:
        """Settle an answer that is over before its opening was whole."""
        self._under_way = None
        heard = len(self._told.drafts)
        if 0 < heard < OPENING and not self._told.outcomes and not self._told.is_held:
            await self._settle_opening(whole=True)

    def breaks_off(self, error: str) -> bool:
        """Keep what was heard, if some of it was told: there will be no more."""
        self._under_way = None
        if not self._told.written:
            self.forget()
            return False
        self._told.broken = error
        return True

    async def _settle(self, heard: int) -> None:
        """Settle what can be settled after ``heard`` sentences."""
        if heard == 1 and not self._told.drafts[0].evidence:
            if self._at_hand:
                self._told.is_held = True
            else:
                await self._settle_conclusion()
        elif heard == 1 + len(self._told.outcomes):
            await self._settle_last(heard)
        elif heard == OPENING:
            await self._settle_opening()

    async def _settle_last(self, heard: int) -> None:
        """Tell the last sentence, all before which is told, where words alone can settle it."""
        (outcome,) = await self._verified(self._told.drafts[-1:])
        if outcome.claim is None and outcome.sentence is not None:
            await self._tell((outcome,))
        elif heard > 1 or not self._is_long:
            self._told.is_held = True

    @property
    def _is_long(self) -> bool:
        return self._state["budget"].answer_words >= LONG and not self._at_hand

    async def _settle_conclusion(self) -> None:
        """Settle a first sentence that cites nothing, if what was found to bear carries it."""
        if not (found := self._found()):
            return
        grounds = of_same_sources(found, self._state["selection"])
        cited = self._told.drafts[0].model_copy(update={"evidence": grounds})
        checked = await self._verified([cited])
        try:
            (ruled,) = await self._ruled(checked)
        except ReasonError:  # asked about again, together with what follows it
            return
        if ruled.sentence and holds(ruled):
            shown = one_of_each_source(ruled.sentence, found, self._pool)
            await self._tell((ruled.model_copy(update={"sentence": shown}),))

    def _found(self) -> tuple[int, ...]:
        """Return the evidence that the judgement under way has found, unless it is too much."""
        judged = self._under_way
        reflection = judged.reflection if isinstance(judged, Opening) else judged
        found = (reflection.findings if reflection else None) or ()
        return tuple(found) if len(found) <= GROUNDS else ()

    async def _settle_opening(self, *, whole: bool = False) -> None:
        """Settle the first sentences, unless others will have to be checked after them."""
        written = self._told.drafts[:OPENING]
        found = await self._verified(written)
        if open_claims(found[1:]) and not (whole or self._is_long):
            self._told.is_held = True
            return
        try:
            ruled = await self._ruled(found)
        except ReasonError:  # all are asked about in the end, and its error is told then
            self._told.is_held = True
            return
        if not (written[0].evidence or holds(ruled[0])):  # it may rest on what is still to come
            self._told.is_held = True
        else:
            await self._tell(ruled)

    async def _verified(self, sentences: Sequence[Sentence]) -> list[Outcome]:
        if not self._pool:
            selection = self._state["selection"]
            self._passages = tuple(passages_of(selection, self._context).values())
            self._pool = await computed(lambda: pool_of(selection, self._passages))
        return await verified(sentences, self._pool, self._state["question"].text)

    async def _ruled(self, found: Sequence[Outcome]) -> tuple[Outcome, ...]:
        """Return ``found`` as a model rules on the claims in it that words leave open.

        Raises:
            ReasonError: when it cannot, or when others must be asked before it.
        """
        claims = open_claims(found)
        if not claims:
            return tuple(found)
        context = self._context
        if context.embedder or context.entailment or not isinstance(context.reasoner, Checker):
            raise ReasonError("others decide before a model does")
        sentences = tuple(claim.sentence for claim in claims.values())
        inspection = inspection_of(self._state, sentences, found, self._passages)
        rulings = await context.reasoner.check(inspection)
        ruled = zip(claims, rulings, strict=False)
        given = {index: ruling for index, ruling in ruled if ruling}
        asked = self._state["question"].full_text
        return await computed(lambda: apply_rulings(found, given, self._pool, asked))

    async def _tell(self, outcomes: Sequence[Outcome]) -> None:
        """Add ``outcomes`` to what is settled, and tell it once there is a claim that holds."""
        self._told.outcomes += await computed(lambda: self._standing(outcomes))
        if any(map(holds, self._told.outcomes)):
            made = await computed(self._composed)
            for each in made[len(self._told.written) :]:
                self._emitter.emit(event_of(each))
            self._told.written = list(made)

    def _standing(self, outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
        """Return ``outcomes`` as they stand after those that are settled."""
        settled, most = self._told.outcomes, self._state["budget"].max_citations
        concludes = not (settled or self._told.drafts[0].evidence)
        fitting = within_citations(outcomes, most, self._pool, told=settled, concludes=concludes)
        return repair_leaning((*settled, *fitting), self._pool)[len(settled) :]

    def _composed(self) -> tuple[Written, ...]:
        state = self._state
        if self._composing is None:
            draft = Draft(state["selection"], self._passages, asked=state["question"].text)
            self._composing = _Composing(draft)
        composing = self._composing
        composing.take(tuple(self._told.outcomes))
        layout = Layout(state["question"].form, state["checklist"])
        return composing.draft.finish(layout=layout).written


def _is_limited(state: LoopState) -> bool:
    """Return whether the answer will begin with a notice that the search was limited."""
    if isinstance(state["decision"], Stop):
        return is_limited(stop_reason(state), state["degradations"])
    searched = (is_degraded(state["outcomes"]), is_partial(state["outcomes"]))
    return any(searched) or any(each.step == "search" for each in state["degradations"])


def event_of(written: Written) -> SentenceWritten:
    """Return the event that tells a sentence of the answer."""
    return SentenceWritten(text=written.text, sentence=written.sentence, appended=written.appended)


def take_outcomes(
    draft: Draft, outcomes: Sequence[Outcome], opens: Opens | None = None
) -> Opens | None:
    """Add the sentences of ``outcomes`` to ``draft``; those that were dropped are listed apart.

    A paragraph or an item begins with what is left of it: ``opens`` is what was to begin before
    these, and what is returned is for those after them.
    """
    for each in outcomes:
        if each.dropped:
            draft.leave_out(each.dropped)
            opens = each.dropped.opens or opens
        elif each.sentence:
            begun = {"opens": each.sentence.opens or opens}
            draft.add(each.sentence.model_copy(update=begun))
            opens = None
    return opens


def inspection_of(
    state: LoopState,
    sentences: tuple[Sentence, ...],
    found: Sequence[Outcome],
    passages: Sequence[Passage],
) -> Inspection:
    """Return ``sentences`` as a model that checks is shown them, among the texts of ``found``."""
    cited = {number for sentence in sentences for number in sentence.evidence}
    evidence = tuple(entry for entry in state["selection"] if entry.id in cited)
    texts = {each.id: each for each in passages}
    return Inspection(
        sentences=sentences,
        evidence=evidence,
        passages={entry.passage: texts[entry.passage] for entry in evidence},
        question=state["question"].text,
        answer=_said(found),
    )


def _said(found: Iterable[Outcome]) -> tuple[str, ...]:
    """Return the texts of the sentences in ``found``, those that are still to be judged too."""
    sentences = (o.claim.sentence if o.claim else o.sentence for o in found)
    return tuple(sentence.text for sentence in sentences if sentence)
