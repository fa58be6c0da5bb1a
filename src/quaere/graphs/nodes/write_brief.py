"""Writes down what is to be found out, and weighs the first look while that is done.

Not one call more in a row is taken for a question that need not be divided: what the loop would ask
first is asked beside the brief. Where the first look holds the answer, the research is over; where
one researcher gets the whole question, it goes on from there (`quaere.graphs.researchers`).
"""

from __future__ import annotations

import asyncio
from typing import Literal

from quaere.domain.events import Phase
from quaere.domain.question import Checklist, Plan
from quaere.domain.report import Degradation
from quaere.domain.team import Brief
from quaere.domain.verdict import Opening
from quaere.errors import ReasonError
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Command, Runtime, Update
from quaere.graphs.nodes.follow import follow
from quaere.graphs.nodes.plan import draw_up, planned
from quaere.graphs.reasoning import Reasoned, contract, reasoned
from quaere.graphs.state import SupervisorState
from quaere.graphs.views import overview_of
from quaere.models.meter import spend_of
from quaere.plan.delegation import is_team_work
from quaere.ports.reason import Reasoner, Supervisor
from quaere.reason.extractive.questions.topics import topics_of


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
    brief = asyncio.create_task(_written(state, runtime, emitter))
    look = asyncio.create_task(_weighed(state, runtime, emitter))
    try:
        written, weighed = await brief, await look
    finally:  # the other is not left behind by one that fails
        brief.cancel()
        look.cancel()
    text = " ".join(written.result.text.split()) or state["question"].text
    calls = (*written.calls, *weighed.calls)
    update: Update = {
        "brief": text,
        "clarification": written.result.clarification if _may_ask(state, runtime) else "",
        "delegation": written.result.delegation,
        "research_plan": Plan(refined_question=text, checklist=Checklist(), queries=()),
        "opening": weighed.result,
        "calls": calls,
        "spend": spend_of(calls),
        "degradations": (*written.degradations, *weighed.degradations),
    }
    opening = weighed.result
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


async def _weighed(
    state: SupervisorState, runtime: Runtime, emitter: Emitter
) -> Reasoned[Opening | None]:
    """Return what the loop would make of the first look, in the profile that the run has.

    Its calls and those of the brief are on one meter, so that they cannot together take more than
    is left; which of both drains it first makes no difference to their sum.
    """
    if not _weighs(state, runtime):
        return Reasoned(None, (), ())
    fixed: SupervisorState = {**state, "requested": state["profile"]}
    try:
        drawn_up = await draw_up(fixed, runtime, emitter)
    except ReasonError as error:  # the brief alone is enough to go on with
        failed = Degradation(step="plan", reason=error.message)
        return Reasoned(None, (failed,), runtime.context.meter.drain())
    return Reasoned(drawn_up.result, drawn_up.degradations, drawn_up.calls)


def _weighs(state: SupervisorState, runtime: Runtime) -> bool:
    """Return whether the first look is weighed as a whole beside the brief.

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
