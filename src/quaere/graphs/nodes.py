"""The steps of the loop. Each lets a policy or a port do the work, and tells what happened.

What can be decided without the outside world is decided elsewhere, by pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from langgraph.runtime import Runtime

from quaere.domain.budget import Remaining, Spend, remaining
from quaere.domain.events import (
    Evaluated,
    EvidenceCollected,
    Phase,
    PlanMade,
    SearchFinished,
    SentenceDrafted,
    SentenceWritten,
    SourceRead,
    Verified,
)
from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall
from quaere.domain.profile import ANSWERING_EARLY, ProfileName
from quaere.domain.question import Plan, Query
from quaere.domain.report import Degradation, RunWarning, Sentence, Step
from quaere.domain.source import Hit, Passage, ReadStatus
from quaere.domain.url import canonical_url
from quaere.domain.verdict import Continue, Opening, Reflection, Stop, StopReason
from quaere.errors import ReasonError
from quaere.evaluate.decide import Standing, decide, is_barren, is_degraded, is_settled
from quaere.evaluate.reserve import left_to_search
from quaere.evidence.compact import compact, estimate_tokens, is_pressed
from quaere.evidence.pool import rescore, select, take_in
from quaere.evidence.prior import priors
from quaere.evidence.promising import promising
from quaere.evidence.score import rank
from quaere.evidence.seats import seated
from quaere.graphs.context import RunContext
from quaere.graphs.narrator import Narrator
from quaere.graphs.reasoning import Reasoned, contract, reasoned
from quaere.graphs.state import LoopState
from quaere.plan.patience import patience_s
from quaere.plan.queries import admit
from quaere.plan.reads import reads_now
from quaere.plan.tiers import choose_tier
from quaere.ports import Assignment, FirstLook, Reasoner, Review
from quaere.read.batch import Reading, read_all
from quaere.search.fanout import Answer, fan_out
from quaere.search.merge import Merged, merge
from quaere.search.outcomes import summarize
from quaere.synthesize.compose import Draft, is_incomplete, is_limited
from quaere.verify.lead import led, spared
from quaere.verify.repair import counted, pool_of, verify_sentence

Update = dict[str, object]


async def search(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Ask the pending queries at all providers, side by side."""
    context, loop, queries = runtime.context, state["spend"].iterations, state["pending"]
    narrator = Narrator(Phase.ITERATING if loop else Phase.SEARCHING, state, runtime)
    narrator.begin(f"asking {len(queries)} {'query' if len(queries) == 1 else 'queries'}")
    results = await fan_out(
        queries,
        context.providers,
        limit=context.hits_per_query,
        timeout_s=patience_s(
            left_s=context.remaining(state).seconds, providers=len(context.providers)
        ),
    )
    found = merge(queries, [result for result in results if isinstance(result, Answer)])
    known = frozenset(state["considered"])
    outcomes, warnings = summarize(queries, results, known=known, iteration=loop)
    urls = dict.fromkeys(canonical_url(merged.hit.url) for merged in found)
    fresh = tuple(url for url in urls if url not in known)
    narrator.count(sources_considered=len(known) + len(fresh))
    for outcome in outcomes:
        narrator.tell(
            SearchFinished(
                query=outcome.query.text,
                intent=outcome.query.intent,
                hits=outcome.hits,
                fresh=outcome.fresh,
                error=outcome.error,
            )
        )
    narrator.warn(warnings)
    passages = [passage for merged in found for passage in merged.hit.passages]
    context.store.add(passages)
    passages += [passage for merged in found for passage in _kept(merged, queries, context)]
    return {
        "outcomes": outcomes,
        "considered": fresh,
        "unread": _untried(state, (merged.hit for merged in found)),
        "arrivals": tuple(passage.id for passage in passages),
        "warnings": warnings,
        "spend": Spend(queries=len(queries)),
    }


def _kept(merged: Merged, queries: Sequence[Query], context: RunContext) -> Sequence[Passage]:
    """Return what a page that was opened before holds for the queries that find it again."""
    if merged.hit.passages:
        return ()
    wanted = dict.fromkeys(queries[seen.query].text for seen in merged.sightings)
    return promising(context.store.of(merged.hit.url), *wanted)


def _untried(state: LoopState, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits that came without text and that no loop has tried to open."""
    tried = frozenset(state["tried"])
    return tuple(h for h in hits if not h.passages and canonical_url(h.url) not in tried)


async def read(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Open the hits that came without text, the most promising first, as far as the budget goes."""
    context, left = runtime.context, runtime.context.remaining(state)
    narrator = Narrator(Phase.READING, state, runtime)
    narrator.begin()
    hits = state["unread"][: reads_now(left=left.reads, loops_left=left.iterations)]
    readings = await read_all(hits, context.reader, context.cutter, timeout_s=left.seconds)
    wanted = [query.text for query in state["pending"]]
    for reading in readings:
        context.store.add(reading.passages)
    passages = [each for reading in readings for each in promising(reading.passages, *wanted)]
    arrivals = (*state["arrivals"], *(passage.id for passage in passages))
    provided = {context.store.passage(key).url for key in state["arrivals"]}
    opened = provided | {reading.hit.url for reading in readings if reading.status is ReadStatus.OK}
    fresh = {canonical_url(url) for url in opened} - set(state["opened"])
    narrator.count(sources_read=len(state["opened"]) + len(fresh))
    for reading in readings:
        narrator.tell(_source_read(reading))
    warnings = tuple(_unread(reading) for reading in readings if reading.reason)
    narrator.warn(warnings)
    return {
        "arrivals": arrivals,
        "opened": tuple(sorted(fresh)),
        "tried": tuple(canonical_url(hit.url) for hit in hits),
        "unread": (),
        "warnings": warnings,
        "spend": Spend(reads=len(readings)),
    }


def _source_read(reading: Reading) -> SourceRead:
    return SourceRead(
        url=reading.hit.url,
        title=reading.hit.title,
        status=reading.status,
        passages=len(reading.passages),
        reason=reading.reason,
    )


def _unread(reading: Reading) -> RunWarning:
    return RunWarning(kind="read", message=reading.reason, subject=reading.hit.url)


async def collect(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Take the loop's passages into the pool, score the whole pool anew and select from it."""
    context = runtime.context
    arrivals = [context.store.passage(key) for key in state["arrivals"]]
    pool = take_in(state["pool"], arrivals, iteration=state["spend"].iterations)
    passages = [context.store.passage(evidence.passage) for evidence in pool]
    listed = priors(passages, state["considered"])
    ranking = rank(state["question"].text, passages, context.document_share, listed)
    pool = rescore(pool, ranking.scores, ranking.parents)
    selection = select(
        pool,
        ranking.order,
        limit=state["budget"].max_sources,
        first=(*_bearing(state), *seated(state["pending"], arrivals, context.document_share)),
    )
    Narrator(Phase.READING, state, runtime).tell(
        EvidenceCollected(
            fresh=len(pool) - len(state["pool"]),
            pool=len(pool),
            selected=selection,
        )
    )
    return {"pool": pool, "selection": selection, "leads": ranking.leads, "arrivals": ()}


async def plan(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Make the checklist and the first queries, on what the first look has found."""
    narrator, left = Narrator(Phase.PLANNING, state, runtime), runtime.context.remaining(state)
    narrator.begin()
    look = FirstLook(
        question=state["question"],
        evidence=state["selection"],
        passages=_shown(state, runtime.context),
        leads=state["leads"],
        outcomes=state["outcomes"],
        max_queries=left.queries,
        remaining=left,
        tier_wanted=state["requested"] is None,
        answer_words=_answer_words(state),
    )

    async def draw_up(reasoner: Reasoner) -> Opening:
        return contract(Opening, await reasoner.plan(look))

    drawn_up = await reasoned("plan", state, runtime.context, draw_up)
    made = drawn_up.result.plan
    narrator.tell(
        PlanMade(
            refined_question=made.refined_question, checklist=made.checklist, queries=made.queries
        )
    )
    profile = choose_tier(state["requested"], made.tier)
    return {
        "research_plan": made,
        "checklist": made.checklist,
        "profile": profile,
        "budget": runtime.context.profiles[profile].override(state["limits"]),
        "reflection": _foreseen(drawn_up.result.reflection, profile),
        "calls": drawn_up.calls,
        "spend": drawn_up.spend,
        "degradations": drawn_up.degradations,
    }


def _foreseen(reflection: Reflection | None, profile: ProfileName) -> Reflection | None:
    """Return what planning made of the first look; without its answer where a longer one is due."""
    if reflection is None or profile in ANSWERING_EARLY:
        return reflection
    return reflection.model_copy(update={"answer": ""})


async def evaluate(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Weigh the evidence against the checklist and decide whether to go on."""
    context = runtime.context
    narrator = Narrator(Phase.EVALUATING, state, runtime)
    narrator.begin()
    review = _review(state, context)

    async def reflect(reasoner: Reasoner) -> Reflection:
        return contract(Reflection, await reasoner.evaluate(review))

    if state["reflection"] and not state["spend"].iterations:  # planning has weighed it already
        reflected = Reasoned(state["reflection"], (), ())
    else:
        reflected = await reasoned("evaluate", state, context, reflect)
    reflection = _dated(reflected, context)
    degraded = is_degraded(state["outcomes"])
    spent = _spent(reflected) + Spend(iterations=1)
    step = _step(state, reflection, review, context.elapsed())
    left = remaining(state["budget"], state["spend"] + spent, context.elapsed())
    decision = decide(
        Standing(
            reflection=reflection,
            remaining=_searchable(left, state, reflected.calls, review),
            settled=_settled((*state["steps"], step), review),
            degraded=degraded,
            next_queries=_next_queries(state, reflection, allowance=left.queries),
        )
    )
    pending = decision.queries if isinstance(decision, Continue) else ()
    narrator.tell(_evaluated(reflection, decision))
    return {
        "checklist": reflection.checklist,
        "reflection": reflection,
        "decision": decision,
        "pending": pending,
        "reviewed": tuple(evidence.id for evidence in state["selection"]),
        "steps": (step,),
        "calls": reflected.calls,
        "spend": spent,
        "degradations": reflected.degradations + (_search_degraded(state) if degraded else ()),
    }


def _dated(reflected: Reasoned[Reflection], context: RunContext) -> Reflection:
    """Return the reflection with who made it, when, and at how many tokens (R0.3)."""
    made, calls = reflected.result.metadata, reflected.calls
    known = {
        "timestamp": made.timestamp or context.clock.now().isoformat(timespec="milliseconds"),
        "model": calls[-1].model if calls else made.model,
        "token_count": reflected.spend.tokens if calls else made.token_count,
    }
    return reflected.result.model_copy(update={"metadata": made.model_copy(update=known)})


def _spent(reflected: Reasoned[Reflection]) -> Spend:
    """Return the cost of a reflection: of its calls, else of the text that was read for it."""
    if reflected.calls:
        return reflected.spend
    return Spend(tokens=reflected.result.metadata.token_count)


def _searchable(
    left: Remaining, state: LoopState, calls: Sequence[ModelCall], review: Review
) -> Remaining:
    """Return what is left for searching on, when an answer has to be written of it as well."""
    made = (*state["calls"], *calls)
    if not made:
        return left
    shown = estimate_tokens(review.passages.values())
    return left_to_search(
        left, calls=made, shown_tokens=shown, answer_words=state["budget"].answer_words
    )


def _settled(steps: Sequence[Step], review: Review) -> bool:
    """Whether searching has stopped to bring anything, as far as the reasoner can tell."""
    if steps[-1].findings is None:
        return review.settled
    return is_barren([step.findings for step in steps])


def _search_degraded(state: LoopState) -> tuple[Degradation, ...]:
    """Return the degradation of searching, once a run."""
    if any(known.step == "search" for known in state["degradations"]):
        return ()
    return (Degradation(step="search", reason="too many searches failed"),)


def _evaluated(reflection: Reflection, decision: Continue | Stop) -> Evaluated:
    going_on = isinstance(decision, Continue)
    return Evaluated(
        checklist=reflection.checklist,
        coverage=reflection.checklist.coverage,
        confidence=reflection.confidence,
        gaps=reflection.gaps,
        next_queries=tuple(query.text for query in decision.queries) if going_on else (),
        stop_reason=None if going_on else decision.reason,
        reason=reflection.reason,
    )


def _review(state: LoopState, context: RunContext) -> Review:
    reviewed, iteration = frozenset(state["reviewed"]), state["spend"].iterations + 1
    fresh = tuple(e.id for e in state["selection"] if e.id not in reviewed)
    return Review(
        question=state["question"],
        plan=_plan(state),
        checklist=state["checklist"],
        evidence=state["selection"],
        passages=_shown(state, context),
        fresh=fresh,
        settled=is_settled(fresh=len(fresh), iteration=iteration),
        leads=state["leads"],
        outcomes=state["outcomes"],
        iteration=iteration,
        remaining=context.remaining(state),
        answer_words=_answer_words(state),
    )


def _answer_words(state: LoopState) -> int | None:
    """Return the length of an answer that may come with an evaluation, if one may."""
    early = state["profile"] in ANSWERING_EARLY
    return state["budget"].answer_words if early else None


def _next_queries(state: LoopState, reflection: Reflection, *, allowance: int) -> tuple[Query, ...]:
    """Return what to ask next: after the first look the plan's queries come first."""
    planned = _plan(state).queries if state["spend"].iterations == 0 else ()
    asked = [outcome.query for outcome in state["outcomes"]]
    return admit((*planned, *reflection.queries), asked, allowance=allowance)


def _step(state: LoopState, reflection: Reflection, review: Review, elapsed: float) -> Step:
    loop, found = state["spend"].iterations, reflection.findings
    return Step(
        iteration=loop,
        queries=tuple(o.query.text for o in state["outcomes"] if o.iteration == loop),
        considered=len(state["considered"]),
        read=len(state["opened"]),
        evidence=tuple(evidence.id for evidence in state["selection"]),
        findings=None if found is None else len(frozenset(found) & frozenset(review.fresh)),
        coverage=reflection.checklist.coverage,
        confidence=reflection.confidence,
        seconds=elapsed - sum(step.seconds for step in state["steps"]),
    )


def after_collect(state: LoopState) -> str:
    """Name the node that follows collecting: the plan is made once."""
    return "evaluate" if state["research_plan"] else "plan"


def after_evaluate(state: LoopState) -> str:
    """Name the node that follows evaluating."""
    return "search" if isinstance(state["decision"], Continue) else "synthesize"


async def synthesize(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Let the reasoner write sentences on the selected evidence."""
    narrator, context = Narrator(Phase.SYNTHESIZING, state, runtime), runtime.context
    narrator.begin()
    assignment = _assignment(state, context)
    written: list[Sentence] = []

    async def write(reasoner: Reasoner) -> tuple[Sentence, ...]:
        written.clear()
        try:
            async for sentence in reasoner.synthesize(assignment):
                written.append(contract(Sentence, sentence))
                narrator.tell(SentenceDrafted(text=sentence.text, evidence=sentence.evidence))
        except ReasonError as error:
            if not any(sentence.evidence for sentence in written):
                raise
            broken.append(Degradation(step="synthesize", reason=f"cut short: {error.message}"))
        return tuple(written)

    broken: list[Degradation] = []
    drafts = await reasoned("synthesize", state, context, write)
    return {
        "drafts": drafts.result,
        "calls": drafts.calls,
        "spend": drafts.spend,
        "degradations": (*drafts.degradations, *broken),
    }


def _assignment(state: LoopState, context: RunContext) -> Assignment:
    budget, reflection, reason = state["budget"], state["reflection"], stop_reason(state)
    sufficient = reason is StopReason.SUFFICIENT
    return Assignment(
        question=state["question"],
        plan=_plan(state),
        checklist=state["checklist"],
        evidence=state["selection"],
        passages=_shown(state, context, writing=True),
        max_words=budget.answer_words,
        max_citations=budget.max_citations,
        partial=not sufficient,
        contradictions=reflection.contradictions if reflection else (),
        answer=reflection.answer if reflection and sufficient else "",
    )


async def verify(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Check every sentence against what it cites, and put the answer together from what holds."""
    narrator = Narrator(Phase.VERIFYING, state, runtime)
    narrator.begin()
    selection = state["selection"]
    passages = _passages(selection, runtime.context).values()
    pool = pool_of(selection, passages)
    draft = Draft(selection, passages)
    checked = [verify_sentence(sentence, pool) for sentence in led(state["drafts"])]
    outcomes = spared(state["drafts"], checked, pool)
    for shown in (outcome.sentence for outcome in outcomes if outcome.sentence):
        narrator.tell(SentenceWritten(text=draft.add(shown), sentence=shown))
    checks, reason = counted(outcomes), stop_reason(state)
    narrator.tell(Verified(checks=checks))
    composition = draft.finish(
        limited=is_limited(reason, state["degradations"]),
        incomplete=is_incomplete(reason, state["checklist"], _gaps(state)),
    )
    return {
        "sentences": composition.sentences,
        "checks": checks,
        "answer": composition.answer,
        "status": composition.status,
        "citations": composition.citations,
    }


def _gaps(state: LoopState) -> tuple[str, ...]:
    return state["reflection"].gaps if state["reflection"] else ()


def stop_reason(state: LoopState) -> StopReason:
    """Return why the search ended; an error where no decision was reached."""
    decision = state["decision"]
    return decision.reason if isinstance(decision, Stop) else StopReason.ERROR


def _plan(state: LoopState) -> Plan:
    plan_ = state["research_plan"]
    if plan_ is None:
        raise ReasonError("This step needs a plan, and the planning step has not run.")
    return plan_


def _passages(evidence: Sequence[Evidence], context: RunContext) -> dict[str, Passage]:
    return {item.passage: context.store.passage(item.passage) for item in evidence}


def _shown(state: LoopState, context: RunContext, *, writing: bool = False) -> dict[str, Passage]:
    """Return the selected passages as a reasoner is to see them: shortened when tokens run low."""
    passages = _passages(state["selection"], context)
    pressed = is_pressed(
        shown=estimate_tokens(passages.values()),
        left=context.remaining(state).tokens,
        budget=state["budget"].token_budget,
        writing=writing,
    )
    if not pressed:
        return passages
    bearing = _bearing(state) if state["calls"] else ()
    return compact(state["selection"], passages, state["question"].text, bearing=bearing)


def _bearing(state: LoopState) -> tuple[str, ...]:
    """Return the ids of the passages that the checklist rests on."""
    return tuple(key for item in state["checklist"].items for key in item.evidence)
