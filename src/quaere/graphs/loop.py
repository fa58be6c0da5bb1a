# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own builder open.
"""The loop: search, read, collect, evaluate, and again; then synthesize and verify.

The raw question is searched and read before anything is planned, so that the plan is made on what
is there. From the second loop on, evaluating proposes the queries.
"""

from __future__ import annotations

from functools import cache

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from quaere.domain.verdict import Continue
from quaere.graphs.context import RunContext
from quaere.graphs.nodes.collect import collect
from quaere.graphs.nodes.evaluate import evaluate
from quaere.graphs.nodes.plan import plan
from quaere.graphs.nodes.read import read
from quaere.graphs.nodes.search import search
from quaere.graphs.nodes.synthesize import synthesize
from quaere.graphs.nodes.verify import verify
from quaere.graphs.state import LoopState

LoopGraph = CompiledStateGraph[LoopState, RunContext, LoopState, LoopState]

STEPS_PER_LOOP = 4
STEPS_ONCE = 4


@cache
def build_loop() -> LoopGraph:
    """Return the compiled loop graph, always the same one: it holds nothing of a run."""
    graph = _searching("synthesize")
    graph.add_node("synthesize", synthesize)
    graph.add_node("verify", verify)
    graph.add_edge("synthesize", "verify")
    graph.add_edge("verify", END)
    return graph.compile(name="quaere")


@cache
def build_researcher() -> LoopGraph:
    """Return the loop graph without its end: what it finds is written up by whoever sent it.

    It leaves no checkpoints. One that was over when its supervisor was cut off would have nothing
    left to do afterwards, and nothing to hand over.
    """
    return _searching(END).compile(name="researcher", checkpointer=False)


def _searching(then: str) -> StateGraph[LoopState, RunContext, LoopState, LoopState]:
    """Return the graph that searches until enough is found; ``then`` names what follows."""
    graph = StateGraph(LoopState, context_schema=RunContext)
    graph.add_node("search", search)
    graph.add_node("read", read)
    graph.add_node("collect", collect)
    graph.add_node("plan", plan)
    graph.add_node("evaluate", evaluate)
    graph.add_edge(START, "search")
    graph.add_edge("search", "read")
    graph.add_edge("read", "collect")
    graph.add_conditional_edges("collect", _after_collect, ["plan", "evaluate"])
    graph.add_edge("plan", "evaluate")
    graph.add_conditional_edges("evaluate", _after_evaluate, {"again": "search", "enough": then})
    return graph


def recursion_limit(max_iters: int) -> int:
    """Return how many graph steps a run of ``max_iters`` loops may take."""
    return STEPS_PER_LOOP * max_iters + STEPS_ONCE


def _after_collect(state: LoopState) -> str:
    """Name the node that follows collecting: the plan is made once."""
    return "evaluate" if state["research_plan"] else "plan"


def _after_evaluate(state: LoopState) -> str:
    """Tell whether to go round once more."""
    return "again" if isinstance(state["decision"], Continue) else "enough"
