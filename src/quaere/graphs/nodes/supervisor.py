"""Asks the supervisor what to research next."""

from __future__ import annotations

from dataclasses import replace

from quaere.domain.events import Phase
from quaere.domain.report import Degradation
from quaere.domain.team import Delegation
from quaere.errors import ReasonError
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.messages import spoken
from quaere.graphs.reasoning import Reasoned, contract, reasoned
from quaere.graphs.state import SupervisorState
from quaere.graphs.views import overview_of
from quaere.models.meter import Listener
from quaere.ports.reason import Reasoner, Supervisor


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
        "messages": (spoken(decided.result, turn),),
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
