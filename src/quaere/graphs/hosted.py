# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own builder open.
"""A whole run as a graph of one node, for servers that know nothing of what a run needs.

It takes a question, and a configuration instead of the ports; inside it runs the graph it is made
for, whose steps such a server shows below it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from contextvars import Context
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, Field, JsonValue

from quaere.domain.events import Event, RunFinished
from quaere.domain.team import Inquiry, Reply
from quaere.graphs.configuration import Configuration
from quaere.graphs.loop import LoopGraph
from quaere.graphs.supervisor import SupervisorGraph
from quaere.ports import Consult

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


Run = Callable[[Asked, Configuration, Consult | None], AsyncGenerator[Event]]
Environment = Callable[[], Mapping[str, str]]
HostedGraph = CompiledStateGraph[HostedState, Configuration, Asked, Told]


def build_hosted(
    inner: LoopGraph | SupervisorGraph, run: Run, environment: Environment
) -> HostedGraph:
    """Return a graph that does ``run``, which runs ``inner``; its custom stream has the events.

    It has no name of its own: a server names it as its configuration does.

    Args:
        inner: The graph whose steps are shown.
        run: Yields the events of a run, of which the last one carries the report; asks back whom it
            is given to consult.
        environment: Returns fields of `Configuration` that the operator has set.
    """

    async def research(state: Asked, runtime: Runtime[Configuration]) -> Told:
        # LangGraph draws the graphs that the code of a node names.
        logger.info("graph=%s", inner.name)
        report: dict[str, JsonValue] = {}
        configuration = Configuration.from_runnable_config(_config(runtime.context), environment())
        async with aclosing(_events(run, state, configuration)) as events:
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


def _events(run: Run, asked: Asked, configuration: Configuration) -> AsyncGenerator[Event]:
    """Yield the events of ``run``; the steps of one that asks nothing are shown below this one."""
    if configuration.allow_clarification or configuration.approve_plan:
        return _interrupting(lambda consult: run(asked, configuration, consult))
    return run(asked, configuration, None)


async def _interrupting(start: Callable[[Consult], AsyncGenerator[Event]]) -> AsyncGenerator[Event]:
    """Yield the events of a run and interrupt the graph for what it asks.

    A graph that is resumed does its node again, up to the question that it is now given a reply to.
    The run knows nothing of the graph, or its own interrupts would be taken for the graph's.
    """
    told: asyncio.Queue[Event | _Pending | None] = asyncio.Queue()

    async def consult(inquiry: Inquiry) -> Reply:
        pending = _Pending(inquiry, asyncio.get_running_loop().create_future())
        told.put_nowait(pending)
        return await pending.reply

    async def tell() -> None:
        try:
            async with aclosing(start(consult)) as events:
                async for event in events:
                    told.put_nowait(event)
        finally:
            told.put_nowait(None)

    task = asyncio.create_task(tell(), context=Context())
    try:
        while (item := await told.get()) is not None:
            if isinstance(item, Event):
                yield item
            else:
                item.reply.set_result(_replied(interrupt(item.inquiry.model_dump(mode="json"))))
        await task
    finally:
        task.cancel()
        await asyncio.wait([task])


@dataclass(frozen=True, slots=True)
class _Pending:
    inquiry: Inquiry
    reply: asyncio.Future[Reply]


def _replied(value: object) -> Reply:
    """Return a reply as an object or plain text."""
    return Reply(text=value) if isinstance(value, str) else Reply.model_validate(value)


def _config(context: Configuration | None) -> RunnableConfig:
    """Return what the run is configured with; of two ways to do so the context is the newer one."""
    given = get_config().get("configurable", {})
    newer = context.model_dump(exclude_unset=True) if context else {}
    return RunnableConfig(configurable={**given, **newer})
