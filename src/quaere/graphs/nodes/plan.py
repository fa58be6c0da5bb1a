"""Says what is to be found out: by following names, by a plan, by a brief that the user may change.

The first look is weighed while a brief is written. A question that need not be divided takes no
call more in a row than in the loop: what the loop would ask first is asked at the same time as the
brief. Where the first look holds the answer, the research is over; where one researcher gets the
whole question, it goes on from there (`quaere.graphs.researchers`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from quaere.domain.budget import ANSWERING_EARLY, ProfileName
from quaere.domain.events import InquiryAnswered, InquiryRaised, Phase, PlanMade
from quaere.domain.model import ModelCall
from quaere.domain.question import MAX_CONTEXT_CHARS, Checklist, Intent, Plan, Query
from quaere.domain.report import Degradation
from quaere.domain.team import Brief, Delegation, Inquiry, InquiryKind, Reply
from quaere.domain.verdict import Opening, Reflection
from quaere.errors import ReasonError, UsageError
from quaere.graphs.context import RunContext, answer_words, overview_of, passages_to_show
from quaere.graphs.flow import Command, Emitter, Runtime, Update
from quaere.graphs.reasoning import Reasoned, contract, reasoned, signed
from quaere.graphs.state import LoopState, SupervisorState
from quaere.graphs.telling import Telling
from quaere.models.meter import spend_of
from quaere.plan.delegation import choose_tier, is_team_work
from quaere.plan.queries import leads_to_follow, queries_to_follow, split, topped_up
from quaere.ports.reason import FirstLook, Reasoner, Supervisor
from quaere.reason.extractive.queries import bridge_queries
from quaere.reason.extractive.questions.parts import topics_of
from quaere.resilience.thread import computed

A = TypeVar("A")
B = TypeVar("B")

PLACES = 3
"""Places in the selection that each query's best passages get: what answers a query stood among
its best three in 96 % of 180 searches."""


async def follow(state: LoopState, runtime: Runtime) -> Command[Literal["search", "plan"]]:
    """Search once more for the strongest names that the first look has brought up, or go on.

    A question of two steps then takes one call of a model instead of two. Without a model nothing
    is saved by it: its plan follows names at once.
    """
    queries = await computed(lambda: _queries(state, runtime.context))
    if queries:
        return Command(goto="search", update={"pending": queries})
    return Command(goto="plan", update={})


def _queries(state: LoopState, context: RunContext) -> tuple[Query, ...]:
    followed = any(outcome.query.intent is Intent.BRIDGE for outcome in state["outcomes"])
    if followed or context.finishing or not context.asks_models:
        return ()
    limit = queries_to_follow(context.remaining(state), state["budget"])
    if not limit:
        return ()
    question = state["question"]
    asked = question.model_copy(update={"text": question.full_text})
    leads = leads_to_follow(asked.text, state["leads"], state["selection"], limit=limit)
    queries = bridge_queries(asked, leads, state["outcomes"], limit=limit)
    placed = (query.model_copy(update={"places": PLACES}) for query in queries)
    return split(tuple(placed), context.kinds)[:limit]


async def plan(state: LoopState, runtime: Runtime) -> Update:
    """Make the checklist and the first queries, on what the first look has found."""
    emitter = Emitter(Phase.PLANNING, state, runtime)
    emitter.begin()
    look = await first_look(state, runtime.context)
    drawn_up = await draw_up(look, state, runtime, emitter)
    made, reflection = drawn_up.result.plan, drawn_up.result.reflection
    emitter.emit(planned(made))
    profile = choose_tier(state["requested"], made.tier)
    return {
        "research_plan": made,
        "checklist": made.checklist,
        "profile": profile,
        "budget": runtime.context.profiles[profile].override(state["limits"]),
        "reflection": reflection
        and signed(reflection, drawn_up.calls, "plan", runtime.context.clock),
        "calls": drawn_up.calls,
        "spend": drawn_up.spend,
        "degradations": drawn_up.degradations,
    }


def planned(made: Plan) -> PlanMade:
    """Return the event that reports a plan."""
    return PlanMade(
        refined_question=made.refined_question, checklist=made.checklist, queries=made.queries
    )


async def first_look(state: LoopState, context: RunContext) -> FirstLook:
    """Return what a planner is shown."""
    left = context.remaining(state)
    return FirstLook(
        question=state["question"],
        evidence=state["selection"],
        passages=await computed(lambda: passages_to_show(state, context)),
        leads=state["leads"],
        outcomes=state["outcomes"],
        max_queries=left.queries,
        remaining=left,
        tier_wanted=state["requested"] is None,
        answer_words=answer_words(state),
        max_citations=state["budget"].max_citations,
        delegated=context.delegated,
        kinds=context.kinds,
    )


async def draw_up(
    look: FirstLook, state: LoopState, runtime: Runtime, emitter: Emitter
) -> Reasoned[Opening]:
    """Return the plan with its queries topped up, and what it made of the first look, unsigned.

    Raises:
        ReasonError: when there is nobody who can plan.
    """
    emitter.compacted(look.passages, runtime.context.store)
    telling = Telling(state, runtime)

    async def draw(reasoner: Reasoner) -> Opening:
        aloud = telling.aloud(reasoner)
        planning = aloud.plan_aloud(look, telling) if aloud else reasoner.plan(look)
        return contract(Opening, await planning)

    drawn_up = await reasoned("plan", state, runtime.context, draw, emitter.called)
    opening = telling.kept(drawn_up.result)
    made = _topped_up(opening, look.question.text)
    foreseen = _foreseen(opening.reflection, choose_tier(state["requested"], made.tier))
    return replace(drawn_up, result=Opening(plan=made, reflection=foreseen))


def _topped_up(opening: Opening, asked: str) -> Plan:
    """Return the plan with three to six queries, by any reasoner (R0.3, R2.2)."""
    made, reflection = opening.plan, opening.reflection
    standing = reflection.checklist if reflection else made.checklist
    return made.model_copy(update={"queries": topped_up(made, standing, asked)})


def _foreseen(reflection: Reflection | None, profile: ProfileName) -> Reflection | None:
    """Return what planning made of the first look; without its answer where a longer one is due."""
    if reflection is None or profile in ANSWERING_EARLY:
        return reflection
    return reflection.model_copy(update={"answer": ""})


async def follow_names(
    state: SupervisorState, runtime: Runtime
) -> Command[Literal["search", "write_brief"]]:
    """Search for the names that the first look has brought up, where it is weighed as a whole."""
    if not _weighs(state, runtime):
        return Command(goto="write_brief", update={})
    followed = await follow(state, runtime)
    goto = "search" if followed.goto == "search" else "write_brief"
    return Command(goto=goto, update=followed.update)


async def write_brief(state: SupervisorState, runtime: Runtime) -> Update:
    """Let the reasoner say what is to be found out, and by which topics it would begin."""
    emitter = Emitter(Phase.PLANNING, state, runtime)
    emitter.begin("writing the brief")
    look = await first_look(state, runtime.context) if _weighs(state, runtime) else None
    written, weighed = await _side_by_side(
        _written(state, runtime, emitter), _weighed(look, state, runtime, emitter)
    )
    text = " ".join(written.result.text.split()) or state["question"].text
    calls = (*written.calls, *weighed.calls)
    opening = weighed.result and _signed(weighed.result, calls, runtime.context)
    update: Update = {
        "brief": text,
        "clarification": written.result.clarification if _may_ask(state, runtime) else "",
        "delegation": written.result.delegation,
        "research_plan": Plan(refined_question=text, checklist=Checklist(), queries=()),
        "opening": opening,
        "calls": calls,
        "spend": spend_of(calls),
        "degradations": (*written.degradations, *weighed.degradations),
    }
    if opening is None or not is_answered(opening):
        return update
    emitter.emit(planned(opening.plan.model_copy(update={"queries": ()})))
    return {
        **update,
        "research_plan": opening.plan,
        "checklist": opening.plan.checklist,
        "reflection": opening.reflection,
    }


def is_answered(opening: Opening | None) -> bool:
    """Return whether the first look holds all that is needed."""
    return bool(opening and opening.reflection and opening.reflection.sufficient)


async def _written(state: SupervisorState, runtime: Runtime, emitter: Emitter) -> Reasoned[Brief]:
    overview = overview_of(state, runtime.configuration, runtime.context)

    async def write(reasoner: Reasoner) -> Brief:
        if not isinstance(reasoner, Supervisor):
            raise ReasonError("it cannot supervise research")
        return contract(Brief, await reasoner.brief(overview))

    return await reasoned("brief", state, runtime.context, write, emitter.called)


async def _side_by_side(
    brief: Coroutine[object, object, A], look: Coroutine[object, object, B]
) -> tuple[A, B]:
    """Return both results; neither is left behind where the other fails or the run is cancelled.

    They have one meter, so that they cannot together take more than is left: both open it before
    either of them calls a model. Which of them drains it first makes no difference to their sum.
    """
    tasks = asyncio.create_task(brief), asyncio.create_task(look)
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _signed(opening: Opening, calls: Sequence[ModelCall], context: RunContext) -> Opening:
    told = opening.reflection and signed(opening.reflection, calls, "plan", context.clock)
    return opening.model_copy(update={"reflection": told})


async def _weighed(
    look: FirstLook | None, state: SupervisorState, runtime: Runtime, emitter: Emitter
) -> Reasoned[Opening | None]:
    """Return what the loop would make of ``look``, in the profile that the run has."""
    if look is None:
        return Reasoned(None, (), ())
    fixed: SupervisorState = {**state, "requested": state["profile"]}
    try:
        drawn_up = await draw_up(look, fixed, runtime, emitter)
    except ReasonError as error:  # the brief alone is enough
        failed = Degradation(step="plan", reason=error.message)
        return Reasoned(None, (failed,), runtime.context.meter.drain())
    return Reasoned(drawn_up.result, drawn_up.degradations, drawn_up.calls)


def _weighs(state: SupervisorState, runtime: Runtime) -> bool:
    """Return whether the first look is weighed as a whole while the brief is written.

    It is not where people may have a say before anything is researched, and not for a question that
    by its own words falls apart: no single search holds all of that, and its researchers need the
    queries. Without a model no call is saved by it.
    """
    context = runtime.context
    if context.finishing or not context.asks_models:
        return False
    if runtime.configuration.approve_plan or _may_ask(state, runtime):
        return False
    return not is_team_work(topics_of(state["question"].text))


def _may_ask(state: SupervisorState, runtime: Runtime) -> bool:
    return overview_of(state, runtime.configuration, runtime.context).may_ask


async def clarify(state: SupervisorState, runtime: Runtime) -> Update:
    """Ask what the brief wants to know, and add the reply to what the question is asked for."""
    wanted = state["clarification"]
    inquiry = Inquiry(kind=InquiryKind.CLARIFICATION, text=wanted)
    reply = await _reply(inquiry, state, runtime)
    question = state["question"]
    said = f"Asked back: {wanted} Answer: {reply.text}" if reply.text else ""
    context = "\n".join(filter(None, (question.context, said)))[:MAX_CONTEXT_CHARS]
    return {
        "question": question.model_copy(update={"context": context}),
        "clarification": "",
        "clarified": True,
    }


async def approve(state: SupervisorState, runtime: Runtime) -> Update:
    """Show the first topics and take those that come back in their place."""
    first = state["delegation"]
    if first is None or runtime.context.finishing or not runtime.configuration.approve_plan:
        return {}
    shown = Inquiry(kind=InquiryKind.TOPICS, text=state["brief"], topics=first.topics)
    reply = await _reply(shown, state, runtime)
    return _changed(first, tuple(topic for topic in reply.topics if topic.strip()))


def _changed(first: Delegation, wanted: tuple[str, ...]) -> Update:
    """Return what the topics ``wanted`` change in those that were shown; no topic, no change."""
    if not wanted or wanted == first.topics:
        return {}
    return {
        "delegation": Delegation(thought=first.thought, topics=wanted, last=True),
        "approved_topics": wanted,
        "dropped_topics": tuple(topic for topic in first.topics if topic not in wanted),
    }


async def _reply(inquiry: Inquiry, state: SupervisorState, runtime: Runtime) -> Reply:
    """Return the reply to ``inquiry``; the run's time stands still until it is there.

    A run that is asked to finish waits no longer: the reply is empty.

    Raises:
        UsageError: when nobody can be asked.
    """
    human = runtime.context.human
    if human is None:
        raise UsageError("This run may ask for approval or clarification, but nobody can reply.")
    emitter = Emitter(Phase.PLANNING, state, runtime)
    emitter.emit(InquiryRaised(inquiry=inquiry))
    with runtime.context.waiting():
        reply = await runtime.context.unless_finishing(human.ask(inquiry)) or Reply()
    emitter.emit(InquiryAnswered(kind=inquiry.kind, reply=reply))
    return reply
