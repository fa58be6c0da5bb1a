"""Writes down what is to be found out."""

from __future__ import annotations

from quaere.domain.events import Phase
from quaere.domain.question import Checklist, Plan
from quaere.domain.team import Brief
from quaere.errors import ReasonError
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.reasoning import contract, reasoned
from quaere.graphs.state import SupervisorState
from quaere.graphs.views import overview_of
from quaere.ports.reason import Reasoner, Supervisor


async def write_brief(state: SupervisorState, runtime: Runtime) -> Update:
    """Let the reasoner say what is to be found out, and by which topics it would begin."""
    emitter = Emitter(Phase.PLANNING, state, runtime)
    emitter.begin("writing the brief")
    overview = overview_of(state, runtime.configuration, runtime.context)

    async def write(reasoner: Reasoner) -> Brief:
        if not isinstance(reasoner, Supervisor):
            raise ReasonError("it cannot supervise research")
        return contract(Brief, await reasoner.brief(overview))

    written = await reasoned("brief", state, runtime.context, write, emitter.called)
    text = " ".join(written.result.text.split()) or state["question"].text
    return {
        "brief": text,
        "clarification": written.result.clarification if overview.may_ask else "",
        "delegation": written.result.delegation,
        "research_plan": Plan(refined_question=text, checklist=Checklist(), queries=()),
        "calls": written.calls,
        "spend": written.spend,
        "degradations": written.degradations,
    }
