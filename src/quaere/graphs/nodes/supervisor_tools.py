"""Has the dispatched topics researched and decides whether the supervisor is asked again."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Literal

from quaere.domain.budget import remaining
from quaere.domain.events import Evaluated, EvidenceCollected, Phase, PlanMade
from quaere.domain.question import ItemStatus
from quaere.domain.team import Topic
from quaere.domain.verdict import Stop
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Command, Runtime, Update
from quaere.graphs.messages import ToolAnswer, ToolCall, answered, conducts, stopped, unanswered
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
from quaere.graphs.state import SupervisorState
from quaere.graphs.views import passages_of, rounds_left, searchable
from quaere.plan.decide import Ending, Progress, completed, ending, is_hopeless
from quaere.plan.delegation import NoteSets, split
from quaere.resilience.thread import computed, in_slices

Next = Command[Literal["supervisor", "__end__"]]

logger = logging.getLogger(__name__)

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
    calls = unanswered(state["messages"])
    if calls:
        return await _research(calls, state, configuration, runtime)
    context = runtime.context
    if not conducts(state["messages"]) and not context.finishing:
        answered = bool(state["topics"]) and _answered(state["topics"])
        over = completed(answered=answered)
        return _after(state, over, _unresearched(state, over, context), ())
    shown = passages_of(state["selection"], context).values()
    left = searchable(context.remaining(state), state, context, (), shown)
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
    again = wanted_now == [state["question"].text] and state["opening"] is None
    budget = split(
        state["budget"],
        context.remaining(state),
        topics=len(calls),
        rounds_left=rounds_left(state) + 1,
        tool_calls=configuration.max_react_tool_calls,
        paid=1 if again else 0,
    )
    whole = is_whole(wanted_now, state)
    findings = await send_out(
        wanted_now, state, for_whole(budget, state) if whole else budget, runtime
    )
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
        remaining=searchable(left, state, context, calls, shown),
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
        messages.append(stopped(why, state["research_iterations"]))
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
