# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own builder open.
"""A whole run as a graph of one node, for servers that know nothing of what a run needs.

It takes a question, and a configuration instead of the ports; inside it runs the graph it is made
for, whose steps such a server shows below it.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing

from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from pydantic import BaseModel, Field, JsonValue

from quaere.domain.events import Event, RunFinished
from quaere.graphs.configuration import Configuration
from quaere.graphs.loop import LoopGraph
from quaere.graphs.supervisor import SupervisorGraph

logger = logging.getLogger(__name__)


class Asked(BaseModel):
    """What a run starts from."""

    question: str
    context: str = ""
    """What the answer is needed for."""


class Told(BaseModel):
    """What a run comes to."""

    answer: str = ""
    """With the numbers of its sources in brackets."""
    report: dict[str, JsonValue] = Field(default_factory=dict)
    """All of `quaere.domain.report.Report`."""


class HostedState(Asked, Told):
    """State of the graph."""


Run = Callable[[Asked, Configuration], AsyncGenerator[Event]]
Environment = Callable[[], Mapping[str, str]]
HostedGraph = CompiledStateGraph[HostedState, Configuration, Asked, Told]


def build_hosted(
    inner: LoopGraph | SupervisorGraph, run: Run, environment: Environment
) -> HostedGraph:
    """Return a graph that does ``run``, which runs ``inner``; its custom stream has the events.

    It has no name of its own: a server names it as its configuration does.

    Args:
        inner: The graph whose steps are shown.
        run: Yields the events of a run, of which the last one carries the report.
        environment: Returns fields of `Configuration` that the operator has set.
    """

    async def research(state: Asked, runtime: Runtime[Configuration]) -> Told:
        # LangGraph draws the graphs that the code of a node names.
        logger.info("graph=%s", inner.name)
        report: dict[str, JsonValue] = {}
        configuration = Configuration.from_runnable_config(_config(runtime.context), environment())
        async with aclosing(run(state, configuration)) as events:
            async for event in events:
                runtime.stream_writer(event.model_dump(mode="json"))
                if isinstance(event, RunFinished):
                    report = event.report.model_dump(mode="json")
        return Told(answer=str(report["answer"]), report=report)

    graph = StateGraph(
        HostedState, context_schema=Configuration, input_schema=Asked, output_schema=Told
    )
    graph.add_node("research", research)
    graph.add_edge(START, "research")
    graph.add_edge("research", END)
    return graph.compile()


def _config(context: Configuration | None) -> RunnableConfig:
    """Return what the run is configured with; of two ways to do so the context is the newer one."""
    given = get_config().get("configurable", {})
    newer = context.model_dump(exclude_unset=True) if context else {}
    return RunnableConfig(configurable={**given, **newer})
