"""The round of a supervisor: it chooses topics, they are dispatched, then researched and weighed.

Topics are written down before researchers are sent out for them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from quaere.domain.budget import Budget, remaining
from quaere.domain.events import Evaluated, EvidenceCollected, Phase, PlanMade
from quaere.domain.question import ItemStatus
from quaere.domain.report import Degradation
from quaere.domain.team import Delegation, Topic
from quaere.domain.verdict import Stop
from quaere.errors import ReasonError
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import (
    RunContext,
    budget_to_search,
    overview_of,
    passages_of,
    rounds_left,
)
from quaere.graphs.flow import Command, Emitter, Runtime, Update
from quaere.graphs.reasoning import Reasoned, compare, contract, reasoned
from quaere.graphs.researchers import Finding, for_whole, is_whole, send_out, wants_no_more
from quaere.graphs.rounds import (
    Round,
    broken_off,
    checklist_of,
    first_look,
    note_of,
    put_together,
    update_of,
)
from quaere.graphs.state import (
    SupervisorState,
    ToolAnswer,
    ToolCall,
    acknowledgements,
    answered,
    end_message,
    research_calls,
    supervisor_turn,
    unanswered_calls,
)
from quaere.models.meter import Listener
from quaere.plan.decide import Ending, Progress, completed, ending, is_hopeless
from quaere.plan.delegation import (
    NoteSets,
    Refusal,
    Similarity,
    meant_similarity,
    pairs_to_compare,
    screen,
    split,
    topic_similarity,
)
from quaere.ports.reason import Reasoner, Supervisor
from quaere.resilience.thread import computed, in_slices

logger = logging.getLogger(__name__)


async def supervisor(state: SupervisorState, runtime: Runtime) -> Update:
    """Let the supervisor delegate topics, or call the research complete."""
    emitter = Emitter(Phase.PLANNING, state, runtime)
    emitter.count(loop=max(1, state["spend"].iterations))  # no round begins before it is chosen
    emitter.begin("choosing what to research")
    configuration = runtime.configuration
    decided = await _decided(state, configuration, runtime.context, emitter.called)
    if not runtime.context.finishing:
        decided = _or_whole(decided, state)
    turn = state["research_iterations"] + 1
    return {
        "messages": (supervisor_turn(decided.result, turn),),
        "delegation": decided.result,
        "research_iterations": turn,
        "calls": decided.calls,
        "spend": decided.spend,
        "degradations": decided.degradations,
    }


def _or_whole(decided: Reasoned[Delegation], state: SupervisorState) -> Reasoned[Delegation]:
    """Return ``decided``; the question as the only topic where none has ever been named.

    One researcher on the whole of it is the loop. Nothing was looked for beyond the question itself
    until then, so that nothing can be complete.
    """
    named = any(topic.strip() for topic in decided.result.topics)
    if named or state["dispatched_topics"]:
        return decided
    whole = decided.result.model_copy(
        update={"topics": (state["question"].full_text,), "complete": False, "last": True}
    )
    told = Degradation(
        step="supervise", reason="no topic was named; the question was researched as a whole"
    )
    return replace(decided, result=whole, degradations=(*decided.degradations, told))


async def _decided(
    state: SupervisorState, configuration: Configuration, context: RunContext, told: Listener
) -> Reasoned[Delegation]:
    if context.finishing:
        return Reasoned(Delegation(), (), ())
    if state["delegation"] and not state["research_iterations"]:  # the brief has it already
        return Reasoned(state["delegation"], (), ())
    overview = overview_of(state, configuration, context)

    async def delegate(reasoner: Reasoner) -> Delegation:
        if not isinstance(reasoner, Supervisor):
            raise ReasonError("it cannot supervise research")
        return contract(Delegation, await reasoner.delegate(overview))

    return await reasoned("supervise", state, context, delegate, told)


async def dispatch(state: SupervisorState, runtime: Runtime) -> Update:
    """Refuse topics that repeat others, put off those that are too many, note down the rest."""
    configuration = runtime.configuration
    calls = research_calls(state["messages"])
    most = configuration.max_concurrent_research_units
    searches = max(0, state["budget"].max_queries - state["spend"].queries)
    proposed = [call.argument for call in calls]
    similarity, degradations = await _similarity(proposed, state, runtime.context)
    screening = screen(
        proposed,
        state["dispatched_topics"],
        threshold=configuration.duplicate_topic_similarity_threshold,
        at_once=min(most, searches),
        similarity=similarity,
    )
    refused = [
        _refused(calls[place], refusal, configuration.duplicate_topic_similarity_threshold)
        for place, refusal in screening.refused.items()
    ]
    put_off = [
        answered(
            calls[place],
            f"Not researched now: no more than {min(most, searches)} topics can be researched "
            "side by side. Ask for it again if it is still needed.",
            failed=True,
        )
        for place in screening.postponed
    ]
    return {
        "messages": (*acknowledgements(state["messages"]), *refused, *put_off),
        "dispatched_topics": tuple(calls[place].argument for place in screening.admitted),
        "skipped_topics": tuple(calls[place].argument for place in screening.refused),
        "degradations": degradations,
    }


async def _similarity(
    proposed: Sequence[str], state: SupervisorState, context: RunContext
) -> tuple[Similarity, tuple[Degradation, ...]]:
    """Return what tells topics apart: their words, and an embedder where there is one."""
    if context.same_cosine is None:
        return topic_similarity, ()
    pairs = pairs_to_compare(proposed, state["dispatched_topics"])
    found = await compare(pairs, state, context)
    if found.cosines is None:
        return topic_similarity, found.degradations
    cosines = dict(zip(pairs, found.cosines, strict=True))
    return meant_similarity(cosines, context.same_cosine), ()


def _refused(call: ToolCall, refusal: Refusal, threshold: float) -> ToolAnswer:
    logger.info(
        "duplicate topic refused: %r repeats %r, similarity %.2f, threshold %.2f",
        refusal.topic,
        refusal.repeats,
        refusal.similarity,
        threshold,
    )
    return answered(
        call,
        f"Refused as a duplicate: this topic repeats “{refusal.repeats}”, which has been "
        f"dispatched already (similarity {refusal.similarity:.2f}, threshold {threshold:.2f}). "
        "Ask for something else, or call the research complete.",
        failed=True,
    )


Next = Command[Literal["supervisor", "__end__"]]


_STANDING = {
    ItemStatus.SATISFIED: "Answered.",
    ItemStatus.PARTIAL: "Answered in part.",
    ItemStatus.UNSATISFIED: "Not answered.",
}


async def supervisor_tools(
    state: SupervisorState, runtime: Runtime
) -> Command[Literal["supervisor", "__end__"]]:
    """Send researchers out for the dispatched topics and take in what they find.

    The research ends where it is complete, brings nothing new or has used up its budget; else the
    supervisor is asked again.
    """
    configuration = runtime.configuration
    calls = unanswered_calls(state["messages"])
    if calls:
        return await _research(calls, state, configuration, runtime)
    context = runtime.context
    if not research_calls(state["messages"]) and not context.finishing:
        answered = bool(state["topics"]) and _answered(state["topics"])
        over = completed(answered=answered)
        return _after(state, over, _unresearched(state, over, context), ())
    shown = passages_of(state["selection"], context).values()
    left = budget_to_search(context.remaining(state), state, context, (), shown)
    progress = Progress(
        answered=False,
        rounds_left=rounds_left(state),
        remaining=left,
        finishing=context.finishing,
    )
    over = ending(progress, early=False, min_novelty=0.0)
    return _after(state, over, _unresearched(state, over, context), ())


async def _research(
    calls: Sequence[ToolCall],
    state: SupervisorState,
    configuration: Configuration,
    runtime: Runtime,
) -> Next:
    context = runtime.context
    phase = Phase.ITERATING if state["spend"].iterations else Phase.SEARCHING
    emitter = Emitter(phase, state, runtime)
    emitter.begin(f"researching {len(calls)} {'topic' if len(calls) == 1 else 'topics'}")
    wanted = (*state["topics"], *(Topic(text=call.argument) for call in calls))
    emitter.emit(
        PlanMade(refined_question=state["brief"], checklist=checklist_of(wanted), queries=())
    )
    wanted_now = [call.argument for call in calls]
    share = _share(wanted_now, state, configuration, context)
    findings = await send_out(wanted_now, state, share, runtime)
    found = await computed(lambda: put_together(state, findings, context))
    new = found.topics[len(state["topics"]) :]
    notes = tuple(await in_slices(note_of(topic, context) for topic in new))
    over = ending(
        _progress(state, found, findings, notes, context, last=wants_no_more(state)),
        early=configuration.enable_early_termination,
        min_novelty=configuration.min_novelty_threshold,
    )
    _tell(Emitter(Phase.EVALUATING, state, runtime), state, found, findings, over)
    update = update_of(state, findings, found, elapsed=context.elapsed())
    answers = [_answer(call, topic) for call, topic in zip(calls, new, strict=True)]
    return _after(state, over, {**update, "notes": notes}, answers)


def _share(
    topics: Sequence[str], state: SupervisorState, configuration: Configuration, context: RunContext
) -> Budget:
    """Return the budget of each researcher that is sent out for one of ``topics``."""
    again = topics == [state["question"].text] and state["opening"] is None
    budget = split(
        state["budget"],
        context.remaining(state),
        topics=len(topics),
        rounds_left=rounds_left(state) + 1,
        tool_calls=configuration.max_react_tool_calls,
        paid=1 if again else 0,
    )
    return for_whole(budget, state) if is_whole(topics, state) else budget


def _unresearched(state: SupervisorState, over: Ending | None, context: RunContext) -> Update:
    """Return what there is to say of a research that ends without a round: its first look."""
    if over is None or state["steps"]:
        return {}
    return {"steps": (first_look(state, elapsed=context.elapsed()),)}


def _progress(
    state: SupervisorState,
    found: Round,
    findings: Sequence[Finding],
    notes: Sequence[str],
    context: RunContext,
    *,
    last: bool,
) -> Progress:
    asked = [outcome for each in findings for outcome in each.state["outcomes"]]
    heard = [note for note, each in zip(notes, findings, strict=True) if not each.error]
    novelty = None  # unknown for a round in which all were interrupted
    if state["notes"] and heard:
        novelty = NoteSets(state["notes"]).novelty("\n".join(heard))
    left = remaining(state["budget"], state["spend"] + found.spend, context.elapsed())
    calls = [call for each in findings for call in each.calls]
    shown = passages_of(found.selection, context).values()
    return Progress(
        answered=found.answered,
        last=last,
        novelty=novelty,
        rounds_left=rounds_left(state),
        remaining=budget_to_search(left, state, context, calls, shown),
        hopeless=is_hopeless((*state["outcomes"], *asked), asked),
        finishing=context.finishing,
    )


def _after(
    state: SupervisorState, over: Ending | None, update: Update, answers: Sequence[ToolAnswer]
) -> Next:
    """Return the way on: to the supervisor, or out of the research with the reason in the trace."""
    if over is None:
        return Command(goto="supervisor", update={**update, "messages": tuple(answers)})
    messages = [*answers]
    if over.truncated:
        logger.info("early termination after round %d: %s", state["research_iterations"], over.why)
        why = f"The research was ended early: {over.why}"
        messages.append(end_message(why, state["research_iterations"]))
    return Command(
        goto="__end__",
        update={
            **update,
            "messages": tuple(messages),
            "decision": Stop(reason=over.reason),
            "truncated": over.truncated,
        },
    )


def _answered(topics: Sequence[Topic]) -> bool:
    return all(topic.status is ItemStatus.SATISFIED for topic in topics)


def _answer(call: ToolCall, topic: Topic) -> ToolAnswer:
    broken = f"The research was interrupted: {topic.error}." if topic.error else ""
    open_ = f"Open: {'; '.join(topic.gaps)}." if topic.gaps else ""
    said = " ".join(filter(None, (broken, _STANDING[topic.status], topic.finding, open_)))
    return answered(call, said, failed=bool(topic.error))


def _tell(
    emitter: Emitter,
    state: SupervisorState,
    found: Round,
    findings: Sequence[Finding],
    over: Ending | None,
) -> None:
    emitter.count(
        sources_considered=len(state["considered"]) + len(found.considered),
        sources_read=len(state["opened"]) + len(found.opened),
    )
    emitter.warn(broken_off(each) for each in findings if each.error)
    fresh = len(found.pool) - len(state["pool"])
    emitter.emit(
        EvidenceCollected.between(
            state["selection"], found.selection, fresh=fresh, pool=len(found.pool)
        )
    )
    reflection = found.reflection
    emitter.emit(
        Evaluated(
            checklist=reflection.checklist,
            coverage=reflection.checklist.coverage,
            confidence=reflection.confidence,
            gaps=reflection.gaps,
            next_queries=(),
            stop_reason=over.reason if over else None,
            reason=over.why if over else reflection.reason,
        )
    )
