# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own builder open.
"""The supervisor: a brief, rounds of researchers on topics, then one report on all they found.

As in the loop the raw question is searched first, for what is said of its parts together. Each
researcher is the loop without its end. The research is a graph inside the graph, so that its
end is not the end of the run; what it adds is what leaves it, for both keep the same sums.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import cache
from typing import cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from quaere.graphs.context import RunContext
from quaere.graphs.nodes.collect import collect
from quaere.graphs.nodes.consult import approve, clarify
from quaere.graphs.nodes.dispatch import dispatch
from quaere.graphs.nodes.read import read
from quaere.graphs.nodes.search import search
from quaere.graphs.nodes.supervisor import supervisor
from quaere.graphs.nodes.supervisor_tools import supervisor_tools
from quaere.graphs.nodes.synthesize import synthesize
from quaere.graphs.nodes.update import Update
from quaere.graphs.nodes.verify import verify
from quaere.graphs.nodes.write_brief import write_brief
from quaere.graphs.supervisor_state import SupervisorState

SupervisorGraph = CompiledStateGraph[SupervisorState, RunContext, SupervisorState, SupervisorState]

STEPS_PER_ROUND = 3
STEPS_ONCE = 6

GROWING = (
    *("outcomes", "considered", "opened", "tried", "steps", "calls", "warnings", "degradations"),
    *("dispatched_topics", "skipped_topics", "notes"),
)
"""Keys to which a step adds."""


@cache
def build_supervisor() -> SupervisorGraph:
    """Return the compiled supervisor graph, always the same one: it holds nothing of a run."""
    graph = StateGraph(SupervisorState, context_schema=RunContext)
    graph.add_node("search", search)
    graph.add_node("read", read)
    graph.add_node("collect", collect)
    graph.add_node("write_brief", write_brief)
    graph.add_node("research", research)
    graph.add_node("synthesize", synthesize)
    graph.add_node("verify", verify)
    graph.add_edge(START, "search")
    graph.add_edge("search", "read")
    graph.add_edge("read", "collect")
    graph.add_edge("collect", "write_brief")
    graph.add_node("clarify", clarify)
    graph.add_node("approve", approve)
    graph.add_conditional_edges("write_brief", _after_brief, ["clarify", "approve"])
    graph.add_edge("clarify", "write_brief")
    graph.add_edge("approve", "research")
    graph.add_edge("research", "synthesize")
    graph.add_edge("synthesize", "verify")
    graph.add_edge("verify", END)
    return graph.compile(name="supervisor")


@cache
def build_research() -> SupervisorGraph:
    """Return the compiled graph of supervisor and tools."""
    graph = StateGraph(SupervisorState, context_schema=RunContext)
    graph.add_node("supervisor", supervisor)
    graph.add_node("dispatch", dispatch)
    graph.add_node("supervisor_tools", supervisor_tools)
    graph.add_edge(START, "supervisor")
    graph.add_edge("supervisor", "dispatch")
    graph.add_edge("dispatch", "supervisor_tools")
    return graph.compile(name="research")


async def research(state: SupervisorState, runtime: Runtime[RunContext]) -> Update:
    """Run rounds of research until they end, and return what they have added."""
    after = state
    stream = build_research().astream(
        state,
        {"recursion_limit": STEPS_PER_ROUND * state["budget"].max_iters + STEPS_ONCE},
        context=runtime.context,
        stream_mode=["custom", "values"],
    )
    async with aclosing(cast("AsyncGenerator[tuple[str, object]]", stream)) as chunks:
        async for mode, chunk in chunks:
            if mode == "custom":
                runtime.stream_writer(chunk)
            else:
                after = cast("SupervisorState", chunk)
    return added(state, after)


def _after_brief(state: SupervisorState) -> str:
    """Name the node that follows the brief."""
    return "clarify" if state["clarification"] else "approve"


def added(before: SupervisorState, after: SupervisorState) -> Update:
    """Return what has to be added to ``before`` to have ``after``."""
    update: Update = {key: value for key, value in after.items() if value is not before.get(key)}
    for key in GROWING:
        old, new = (cast("Sequence[object]", each[key]) for each in (before, after))
        update[key] = tuple(new[len(old) :])
    update["spend"] = after["spend"] - before["spend"]
    return update
