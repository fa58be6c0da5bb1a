"""Weighs the evidence and decides whether to go on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from quaere.domain.budget import Remaining, Spend, remaining
from quaere.domain.events import Evaluated, EvidenceCollected, Phase
from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import Query
from quaere.domain.report import Degradation, QueryOutcome, Step
from quaere.domain.verdict import Continue, Reflection, Stop
from quaere.evidence.pool import in_same_sources, select
from quaere.graphs.context import (
    RunContext,
    answer_words,
    budget_to_search,
    passages_to_show,
    plan_of,
)
from quaere.graphs.flow import Emitter, Runtime, Update
from quaere.graphs.reasoning import Reasoned, contract, reasoned, signed
from quaere.graphs.state import LoopState
from quaere.graphs.telling import Telling
from quaere.plan.decide import (
    Standing,
    decide,
    is_barren,
    is_degraded,
    is_hopeless,
    is_partial,
    is_settled,
    may_close,
)
from quaere.plan.queries import (
    LEAST_PLANNED,
    admit,
    aimed,
    first_round,
    is_split,
    needed,
    queries_now,
    split,
    with_gap,
)
from quaere.ports.reason import Reasoner, Review
from quaere.resilience.thread import computed
from quaere.text.lazy_regex import lazy_regex

_IDS = lazy_regex(r"\[\d{1,5}(?:\s*[,;]\s*\d{1,5})*\]")

SHORT_LOOPS = 2
"""Loops of a run that has to ask at once what it may need."""


async def evaluate(state: LoopState, runtime: Runtime) -> Update:
    """Weigh the evidence against the checklist and decide whether to go on."""
    context = runtime.context
    emitter = Emitter(Phase.EVALUATING, state, runtime)
    emitter.begin()
    review = await computed(lambda: _review(state, context))
    if known := await computed(lambda: _known(state, review)):
        reflected = Reasoned(known, (), ())
    else:
        reflected = await _reflected(state, runtime, review, emitter)
    reflection = signed(reflected.result, reflected.calls, "evaluate", context.clock)
    loop = _Loop(
        review=review,
        reflection=reflection,
        calls=reflected.calls,
        step=_step(state, reflection, review, context.elapsed()),
        spent=(Spend() if known else _spent(reflected)) + Spend(iterations=1),
    )
    decision = decide(_standing(state, context, loop))
    pending = decision.queries if isinstance(decision, Continue) else ()
    emitter.emit(_evaluated(reflection, decision))
    before = state["selection"]
    selection = before if pending else _kept(state, reflection, review)
    if selection != before:
        emitter.emit(EvidenceCollected.between(before, selection, fresh=0, pool=len(state["pool"])))
    return {
        "selection": selection,
        "checklist": reflection.checklist,
        "reflection": reflection,
        "decision": decision,
        "pending": pending,
        "reviewed": tuple(evidence.id for evidence in state["selection"]),
        "steps": (loop.step,),
        "calls": loop.calls,
        "spend": loop.spent,
        "degradations": (
            *reflected.degradations,
            *_search_degraded(state, goes_on=bool(pending)),
        ),
    }


class _Loop(NamedTuple):
    """A loop whose evidence was weighed."""

    review: Review
    """What was weighed."""
    reflection: Reflection
    calls: Sequence[ModelCall]
    step: Step
    spent: Spend


async def _reflected(
    state: LoopState, runtime: Runtime, review: Review, emitter: Emitter
) -> Reasoned[Reflection]:
    """Return what a reasoner thinks of the evidence, telling an answer that comes with it."""
    telling = Telling(state, runtime)

    async def reflect(reasoner: Reasoner) -> Reflection:
        aloud = telling.aloud(reasoner)
        judging = aloud.evaluate_aloud(review, telling) if aloud else reasoner.evaluate(review)
        return contract(Reflection, await judging)

    emitter.compacted(review.passages, runtime.context.store)
    reflected = await reasoned("evaluate", state, runtime.context, reflect, emitter.called)
    return replace(reflected, result=telling.kept(reflected.result))


def _standing(state: LoopState, context: RunContext, loop: _Loop) -> Standing:
    """Return what the decision to go on or to stop rests on."""
    left = remaining(state["budget"], state["spend"] + loop.spent, context.elapsed())
    outcomes, last = state["outcomes"], _of_last_loop(state)
    steps = (*state["steps"], loop.step)
    return Standing(
        reflection=loop.reflection,
        remaining=budget_to_search(left, state, context, loop.calls, loop.review.passages.values()),
        # A loop whose searches failed has brought nothing, and tells nothing either.
        settled=not is_partial(last) and _settled(steps, loop.review, answered=_answered(state)),
        hopeless=is_hopeless(outcomes, last),
        finishing=context.finishing,
        next_queries=_next_queries(
            state, loop.reflection, context, allowance=_allowance(left, state, loop.calls)
        ),
    )


def _kept(state: LoopState, reflection: Reflection, review: Review) -> tuple[Evidence, ...]:
    """Return what a run that ends keeps of its selection: of no more sources than it may have.

    While it went on, what was looked for stood next to what had been ticked. What the answer cites
    stays first, for it may have been told already, then what the checklist rests on.
    """
    selection = state["selection"]
    tables = [each.id for each in review.passages.values() if each.whole_table]
    limit = state["budget"].max_sources + len(tables)
    if len({each.url for each in selection}) <= limit:
        return selection
    told = frozenset(_cited(reflection.answer))
    resting = [each.passage for each in selection if each.id in told]
    resting += [key for item in reflection.checklist.items for key in item.evidence]
    first = (*resting, *in_same_sources(selection, resting), *tables)
    return select(selection, [each.passage for each in selection], limit=limit, first=first)


def _cited(answer: str) -> Iterator[int]:
    """Yield the ids that ``answer`` cites."""
    for several in _IDS.findall(answer):
        yield from map(int, re.findall(r"\d+", several))


def _of_last_loop(state: LoopState) -> Sequence[QueryOutcome]:
    """Return how the queries ended that were asked since the last evaluation."""
    return [each for each in state["outcomes"] if each.iteration == state["spend"].iterations]


def _spent(reflected: Reasoned[Reflection]) -> Spend:
    """Return the cost of a reflection: of its calls, else of the text that was read for it."""
    if reflected.calls:
        return reflected.spend
    return Spend(tokens=reflected.result.metadata.token_count)


def _allowance(left: Remaining, state: LoopState, calls: Sequence[ModelCall]) -> int:
    """Return how many queries may be asked now: all of them where no model is asked for more."""
    if not (state["calls"] or calls):
        return left.queries
    return queries_now(left=left.queries, loops_left=left.iterations)


def _settled(steps: Sequence[Step], review: Review, *, answered: bool) -> bool:
    """Whether searching has stopped to bring anything, as far as the reasoner can tell."""
    if steps[-1].findings is None:
        return review.settled
    return is_barren([step.findings for step in steps], answered=answered)


def _answered(state: LoopState) -> bool:
    """Whether the last reflection carried an answer already."""
    return bool(state["reflection"] and state["reflection"].answer)


def _known(state: LoopState, review: Review) -> Reflection | None:
    """Return what is thought of the evidence where it need not be weighed, or not once more."""
    if state["reflection"] and not state["spend"].iterations:  # planning has weighed it
        return state["reflection"]
    return _unheard(state, review) or _still_answered(state, review)


def _is_in_vain(outcomes: Sequence[QueryOutcome]) -> bool:
    """Return whether queries were asked and none of them was answered."""
    return bool(outcomes) and all(outcome.error for outcome in outcomes)


def _unheard(state: LoopState, review: Review) -> Reflection | None:
    """Return the last reflection, with the queries that nobody answered, to ask them again.

    A model that is shown what it was shown before would say the same, and its call would cost time
    and the queries that it puts in other words, although theirs were not at fault.
    """
    last, asked = state["reflection"], _of_last_loop(state)
    if last is None or review.fresh or not (state["calls"] and _is_in_vain(asked)):
        return None
    return last.model_copy(update={"queries": tuple(outcome.query for outcome in asked)})


def _still_answered(state: LoopState, review: Review) -> Reflection | None:
    """Return the last reflection where there is no need of another.

    Who writes the answer and would like to see more is given one search more. Where nothing of what
    it finds may close a gap, asking again would bring the same answer.
    """
    last = state["reflection"]
    if last is None or not last.answer or last.sufficient:
        return None
    fresh = (entry for entry in review.evidence if entry.id in review.fresh)
    texts = [review.passages[e.passage].text for e in fresh if e.passage in review.passages]
    if may_close(last.gaps, review.question.full_text, texts):
        return None
    return last.model_copy(update={"queries": ()})


def _search_degraded(state: LoopState, *, goes_on: bool) -> tuple[Degradation, ...]:
    """Return the degradation of searching, once a run: a partial one counts where the run ends."""
    outcomes = state["outcomes"]
    limited = is_degraded(outcomes) or (not goes_on and is_partial(outcomes))
    if not limited or any(known.step == "search" for known in state["degradations"]):
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
        metadata=reflection.metadata,
    )


def _review(state: LoopState, context: RunContext) -> Review:
    reviewed, iteration = frozenset(state["reviewed"]), state["spend"].iterations + 1
    fresh = tuple(e.id for e in state["selection"] if e.id not in reviewed)
    return Review(
        question=state["question"],
        plan=plan_of(state),
        checklist=state["checklist"],
        evidence=state["selection"],
        passages=passages_to_show(state, context),
        fresh=fresh,
        settled=is_settled(fresh=len(fresh), iteration=iteration),
        leads=state["leads"],
        outcomes=state["outcomes"],
        iteration=iteration,
        remaining=context.remaining(state),
        answer_words=answer_words(state),
        max_citations=state["budget"].max_citations,
        delegated=context.delegated,
        kinds=context.kinds,
    )


def _next_queries(
    state: LoopState, reflection: Reflection, context: RunContext, *, allowance: int
) -> tuple[Query, ...]:
    """Return what to ask next, and of which kinds of source."""
    is_first = state["spend"].iterations == 0
    choose = _after_first_look if is_first else _after_later_round
    chosen = choose(state, reflection, context, allowance)
    return split(aimed(chosen, reflection.target_source_types), context.kinds)[:allowance]


def _after_first_look(
    state: LoopState, reflection: Reflection, context: RunContext, allowance: int
) -> Sequence[Query]:
    """Return the plan's queries, without those that the first look has made needless, then others.

    A run of two loops, such as a brief one, asks three queries at least unless it has found what it
    needs (R2.2), and so does one whose first search has failed, which may be asked again; with more
    loops, better ones follow from what is found.
    """
    planned, asked = plan_of(state).queries, _asked(state)
    is_short = state["budget"].max_iters <= SHORT_LOOPS and not context.delegated
    least = LEAST_PLANNED - len(asked) if is_short or not asked else 1
    proposed = (*needed(planned, reflection.checklist), *reflection.queries)
    return first_round(planned, proposed, asked, allowance=allowance, least=least)


def _after_later_round(
    state: LoopState, reflection: Reflection, context: RunContext, allowance: int
) -> Sequence[Query]:
    """Return the queries of ``reflection``, then what of the plan had no place in a split round.

    Where a model proposes only what was asked already, the question is asked with what is missing.
    """
    asked = _asked(state)
    open_ = needed(plan_of(state).queries, reflection.checklist)
    put_off = open_ if is_split(context.kinds) else ()
    chosen = admit((*reflection.queries, *put_off), asked, allowance=allowance)
    if reflection.queries and not chosen and state["calls"] and allowance:
        return with_gap(state["question"].full_text, reflection.gaps, asked)
    return chosen


def _asked(state: LoopState) -> Sequence[Query]:
    """Return the queries that were answered."""
    return [outcome.query for outcome in state["outcomes"] if not outcome.error]


def _step(state: LoopState, reflection: Reflection, review: Review, elapsed: float) -> Step:
    """Return what the loop came to; one whose searches all failed says nothing about findings."""
    loop = state["spend"].iterations
    found = None if _is_in_vain(_of_last_loop(state)) else reflection.findings
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
