"""Checks what was written and puts the answer together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from quaere.domain.events import Phase, Verified
from quaere.domain.evidence import Conflict, Evidence
from quaere.domain.question import Checklist
from quaere.domain.report import AnswerStatus, Degradation, Nearby, Ruling, Sentence
from quaere.domain.source import Passage
from quaere.errors import ReasonError, named
from quaere.evidence.appraise import appraise
from quaere.graphs.context import RunContext, gaps_of, passages_of, stop_reason, told_of
from quaere.graphs.flow import Emitter, Runtime, Update
from quaere.graphs.nodes.synthesize import assignment_of
from quaere.graphs.reasoning import Reasoned, attempt, compare, reasoned
from quaere.graphs.state import LoopState
from quaere.graphs.telling import event_of, inspection_of, take_outcomes, verified
from quaere.models.meter import Listener
from quaere.ports.reason import Checker, Reasoner
from quaere.resilience.thread import computed, in_slices
from quaere.synthesize.compose import Composition, Draft, is_limited
from quaere.synthesize.direct import is_incomplete
from quaere.synthesize.layout import Layout
from quaere.synthesize.nearest import nearest
from quaere.synthesize.standing import disagreements, refuted, standing
from quaere.verify.repair import (
    Outcome,
    Pool,
    counted,
    holds,
    none_holds,
    pool_of,
    verify_sentence,
)
from quaere.verify.second_opinion import (
    apply_rulings,
    embedder_pairs,
    entailment_rulings,
    open_claims,
    premises,
    reweigh,
    weights_for,
)
from quaere.verify.whole_answer import (
    keep_opening,
    repair_lead_ins,
    repair_leaning,
    within_citations,
)

UNCHECKED: Reasoned[tuple[Ruling | None, ...]] = Reasoned((), (), ())
UNWRITTEN: Reasoned[tuple[Outcome, ...]] = Reasoned((), (), ())


async def verify(state: LoopState, runtime: Runtime) -> Update:
    """Check every sentence against what it cites, and put the answer together from what holds."""
    context, emitter = runtime.context, Emitter(Phase.VERIFYING, state, runtime)
    emitter.begin()
    selection = state["selection"]
    passages = passages_of(selection, context)
    pool = await computed(lambda: pool_of(selection, passages.values()))
    checked = await _checked(state, context, pool, emitter.called)
    checks = counted(checked.result)
    asked, items, told = state["question"].full_text, state["checklist"], told_of(state)
    found = await computed(lambda: appraise(asked, items, selection, passages, told=told))
    composition = await computed(
        lambda: _composed(state, passages, checked.result, found.conflicts)
    )
    near = await computed(lambda: _nearest(asked, composition.status, found.evidence, passages))
    for each in composition.written[len(context.told.written) :]:
        emitter.emit(event_of(each))
    emitter.emit(Verified(checks=checks))
    Emitter(Phase.FINALIZING, state, runtime).begin()
    return {
        "selection": found.evidence,
        "agreements": found.agreements,
        "conflicts": found.conflicts,
        "sentences": composition.sentences,
        "dropped": composition.dropped,
        "checks": checks,
        "answer": composition.answer,
        "status": composition.status,
        "citations": composition.citations,
        "nearest": near,
        "calls": checked.calls,
        "spend": checked.spend,
        "degradations": checked.degradations,
    }


def _composed(
    state: LoopState,
    passages: Mapping[str, Passage],
    outcomes: Sequence[Outcome],
    conflicts: Sequence[Conflict],
) -> Composition:
    """Return the answer that the sentences of ``outcomes`` make, with what contradicts what."""
    question, reason = state["question"], stop_reason(state)
    draft = Draft(state["selection"], passages.values(), asked=question.text)
    take_outcomes(draft, outcomes)
    room = state["budget"].max_citations - len(draft.citations())
    if draft.sentences:
        for each in disagreements(
            conflicts, draft.sentences, state["selection"], passages, citations=room
        ):
            draft.add(each)
    is_open = is_incomplete(reason, state["checklist"], gaps_of(state), draft.sentences)
    left_out = [each.dropped for each in outcomes if each.dropped]
    checked = (draft.sentences, left_out, state["selection"])
    is_open = is_open or bool(refuted(state["checklist"], *checked))
    _, gaps = standing(state["checklist"], gaps_of(state), *checked)
    return draft.finish(
        limited=is_limited(reason, state["degradations"]),
        gaps=gaps if is_open else None,
        truncated=state["truncated"],
        layout=Layout(question.form, state["checklist"]),
    )


def _nearest(
    asked: str,
    status: AnswerStatus,
    selection: Sequence[Evidence],
    passages: Mapping[str, Passage],
) -> tuple[Nearby, ...]:
    """Return where to look for what nothing answers; nowhere when something does."""
    return nearest(asked, selection, passages) if status is AnswerStatus.NO_EVIDENCE else ()


def _opens_uncited(drafts: Sequence[Sentence]) -> bool:
    return not (drafts and drafts[0].evidence)


async def _checked(
    state: LoopState, context: RunContext, pool: Pool, told: Listener
) -> Reasoned[tuple[Outcome, ...]]:
    """Return the outcome of each sentence, after those that must precede them.

    Those that were told already stand; only the others are checked.
    """
    question, told_before = state["question"].text, context.told.outcomes
    drafts = state["drafts"][len(told_before) :]
    if told_before:
        first = await in_slices(verify_sentence(each, pool, question) for each in drafts)
    else:
        first = await verified(drafts, pool, question)
    found, compared = await _weighed_by_meaning(state, context, first, pool)
    found, failed = await _entailed(state, context, found, pool, told)
    second = await _judged(state, context, found, told)
    judged = zip(open_claims(found), second.result, strict=False)
    rulings = {index: ruling for index, ruling in judged if ruling}
    asked = state["question"].full_text
    kept = await computed(lambda: apply_rulings(found, rulings, pool, asked))
    if not told_before:
        kept = await computed(lambda: keep_opening(drafts, kept, pool))
    most = state["budget"].max_citations
    concludes = not told_before and _opens_uncited(drafts)
    fitting = await computed(
        lambda: within_citations(kept, most, pool, told=told_before, concludes=concludes)
    )
    fresh = repair_lead_ins(fitting)
    outcomes = await computed(lambda: repair_leaning((*told_before, *fresh), pool))
    anew = await _written_anew(state, context, outcomes, pool, told)
    return Reasoned(
        (*anew.result, *outcomes),
        (*compared, *failed, *second.degradations, *anew.degradations),
        (*second.calls, *anew.calls, *context.meter.drain()),
    )


async def _weighed_by_meaning(
    state: LoopState, context: RunContext, found: Sequence[Outcome], pool: Pool
) -> tuple[Sequence[Outcome], tuple[Degradation, ...]]:
    """Return ``found`` with what an embedder tells of sentences that words leave in doubt."""
    weights = weights_for(context.embedder.name) if context.embedder else None
    asked = embedder_pairs(found, pool) if weights else {}
    pairs = list(chain.from_iterable(asked.values()))
    compared = await compare(pairs, state, context)
    if weights is None or compared.cosines is None:
        return found, compared.degradations
    cosines = iter(compared.cosines)
    closest = {index: max(islice(cosines, len(texts))) for index, texts in asked.items()}
    return reweigh(found, pool, closest, weights), ()


ENTAILMENT_SHARE = 0.3
"""Share of the time left that an entailment model gets, and of the tokens and the money where a
model will check after it."""
MIN_GRACE_S = 1.0
"""Seconds beyond its share for an entailment model to return what it has."""


async def _entailed(
    state: LoopState,
    context: RunContext,
    found: Sequence[Outcome],
    pool: Pool,
    told: Listener,
) -> tuple[Sequence[Outcome], tuple[Degradation, ...]]:
    """Return ``found`` as an entailment model, where there is one, decides the open claims.

    Its calls stay on the meter, which counts them for those that come after it.
    """
    model, claims = context.entailment, open_claims(found)
    if model is None or not claims:
        return found, ()
    asked = await computed(lambda: {i: premises(claim, pool) for i, claim in claims.items()})
    pairs = list(chain.from_iterable(asked.values()))
    within_s = _open_for_entailment(state, context, told)
    telling = model.entail(pairs, context.meter, within_s=within_s)
    try:
        answers = await attempt(telling, within_s + max(MIN_GRACE_S, within_s))
    except ReasonError as error:
        reason = named(model.name, error.message)
        return found, (Degradation(step="entail", reason=reason),)
    rulings, fault = entailment_rulings(asked, answers)
    degradations: tuple[Degradation, ...] = ()
    if fault:
        context.meter.refusals.drain()  # or the next step would report the same
        degradations = (Degradation(step="entail", reason=f"{model.name} {fault}"),)
    asked_for = state["question"].full_text
    ruled = await computed(lambda: apply_rulings(found, rulings, pool, asked_for))
    return ruled, degradations


def _open_for_entailment(state: LoopState, context: RunContext, told: Listener) -> float:
    """Set what an entailment model may spend, and return the seconds that it may take."""
    left = context.remaining(state)
    share = ENTAILMENT_SHARE if isinstance(context.reasoner, Checker) else 1.0
    usd = None if left.usd is None else share * left.usd
    context.meter.open(int(share * left.tokens), usd)
    context.meter.listener = told
    return ENTAILMENT_SHARE * left.seconds


async def _judged(
    state: LoopState, context: RunContext, found: Sequence[Outcome], told: Listener
) -> Reasoned[tuple[Ruling | None, ...]]:
    """Return what a model makes of the claims that are open in ``found``, if there is a model.

    All go to it in one call, before any of them is marked, repaired or taken out.
    """
    sentences = tuple(claim.sentence for claim in open_claims(found).values())
    if not sentences or not isinstance(context.reasoner, Checker):
        return UNCHECKED
    passages = tuple(passages_of(state["selection"], context).values())
    inspection = inspection_of(state, sentences, (*context.told.outcomes, *found), passages)

    async def look(reasoner: Reasoner) -> tuple[Ruling | None, ...]:
        if not isinstance(reasoner, Checker):
            return ()
        return tuple(await reasoner.check(inspection))

    try:
        return await reasoned("check", state, context, look, told)
    except ReasonError as error:  # nobody else can check: what words came to stays
        degradation = Degradation(step="check", reason=error.message)
        return replace(UNCHECKED, degradations=(degradation,), calls=context.meter.drain())


async def _written_anew(
    state: LoopState,
    context: RunContext,
    outcomes: Sequence[Outcome],
    pool: Pool,
    told: Listener,
) -> Reasoned[tuple[Outcome, ...]]:
    """Return what the fallback writes to precede an answer of which not one sentence holds.

    It is not shown the checklist: a model that wrote it may have done what a page told it to.
    """
    if context.fallback is None or not none_holds(outcomes):
        return UNWRITTEN
    cited = {number for o in outcomes if o.sentence for number in o.sentence.evidence}
    whole = await computed(lambda: assignment_of(state, context))
    assignment = whole.model_copy(
        update={
            "checklist": Checklist(),
            "max_citations": max(1, state["budget"].max_citations - len(cited)),
        }
    )

    async def write(reasoner: Reasoner) -> tuple[Outcome, ...]:
        written = [sentence async for sentence in reasoner.synthesize(assignment)]
        verified = await in_slices(verify_sentence(sentence, pool) for sentence in written)
        return tuple(filter(holds, verified))

    alone = replace(context, reasoner=context.fallback, fallback=None)
    try:
        anew = await reasoned("synthesize", state, alone, write, told)
    except ReasonError:
        return replace(UNWRITTEN, calls=context.meter.drain())
    reason = f"{context.reasoner.name}: nothing that it wrote could be verified"
    degradation = Degradation(step="verify", reason=reason)
    return replace(anew, degradations=(degradation,)) if anew.result else anew
