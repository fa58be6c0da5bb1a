"""Writes down what is to be found out, and weighs the first look while that is done.

A question that need not be divided takes no call more in a row than in the loop: what the loop
would ask first is asked at the same time as the brief. Where the first look holds the answer, the
research is over; where one researcher gets the whole question, it goes on from there
(`quaere.graphs.researchers`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Literal, TypeVar

from quaere.domain.events import Phase
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, Plan
from quaere.domain.report import Degradation
from quaere.domain.team import Brief
from quaere.domain.verdict import Opening
from quaere.errors import ReasonError
from quaere.graphs.context import RunContext
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Command, Runtime, Update
from quaere.graphs.nodes.follow import follow
from quaere.graphs.nodes.plan import draw_up, first_look, planned
from quaere.graphs.reasoning import Reasoned, contract, reasoned, signed
from quaere.graphs.state import SupervisorState
from quaere.graphs.views import overview_of
from quaere.models.meter import spend_of
from quaere.plan.delegation import is_team_work
from quaere.ports.reason import FirstLook, Reasoner, Supervisor
from quaere.reason.extractive.questions.topics import topics_of

A = TypeVar("A")
B = TypeVar("B")


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
