"""Makes the checklist and the first queries."""

from __future__ import annotations

from dataclasses import replace

from quaere.domain.budget import ANSWERING_EARLY, ProfileName
from quaere.domain.events import Phase, PlanMade
from quaere.domain.question import Plan
from quaere.domain.verdict import Opening, Reflection
from quaere.graphs.context import RunContext
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.reasoning import Reasoned, contract, reasoned, signed
from quaere.graphs.state import LoopState
from quaere.graphs.telling import Telling
from quaere.graphs.views import answer_words, shown
from quaere.plan.delegation import choose_tier
from quaere.plan.queries import topped_up
from quaere.ports.reason import FirstLook, Outspoken, Reasoner
from quaere.resilience.thread import computed


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
        passages=await computed(lambda: shown(state, context)),
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
        if telling.listens and isinstance(reasoner, Outspoken):
            opening = await reasoner.plan_aloud(look, telling)
        else:
            opening = await reasoner.plan(look)
        return contract(Opening, opening)

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
