# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own stream open.
"""Supervisors that follow a script, researchers that fail, and the trace of a supervised run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from types import MappingProxyType
from typing import cast

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from tests.graphs.world import HOP, PLAIN, Desk, Shelf

from quaere.domain.budget import PROFILES
from quaere.domain.question import Question
from quaere.domain.team import Brief, Delegation, Strategy
from quaere.domain.verdict import Opening
from quaere.graphs.configuration import Configuration
from quaere.graphs.langgraph_driver import MessagesState, langgraph_of
from quaere.graphs.state import supervisor_state
from quaere.graphs.supervisor import SUPERVISOR
from quaere.ports.reason import FirstLook, Overview, Reasoner
from quaere.ports.search import SearchProvider
from quaere.read.chunker import PassageChunker
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.timing import Clock, SystemClock
from quaere.runtime.engine import Engine

TWO = f"{HOP} {PLAIN}"
"""Two questions that one can research without knowing the answer to the other."""
FLAX = "What is flax spun into in the Maren valley?"
MARKET = "What does the weekly market of Hask sell?"
ORGAN = "Who built the organ of Hask?"
PEAK = "How high is Mount Sorrel?"
TOPICS = (HOP, PLAIN, FLAX, MARKET, ORGAN, PEAK)

Fault = Callable[[], Awaitable[object]]


class Led(ExtractiveReasoner):
    """Researches without a model; delegates what it was told, turn by turn, the last for ever."""

    def __init__(
        self,
        *turns: Delegation | Sequence[str],
        faults: Mapping[str, Fault] = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self.overviews: list[Overview] = []
        self.looked_at: list[str] = []
        """Topics that a researcher has begun to plan."""
        self._turns = [
            turn if isinstance(turn, Delegation) else Delegation(topics=tuple(turn))
            for turn in turns
        ]
        self._faults = faults

    async def brief(self, overview: Overview) -> Brief:
        """Say again what is asked."""
        return Brief(text=overview.question.text)

    async def delegate(self, overview: Overview) -> Delegation:
        """Follow the script."""
        self.overviews.append(overview)
        turn = min(len(self.overviews), len(self._turns)) - 1
        return self._turns[turn]

    async def plan(self, look: FirstLook) -> Opening:
        """Plan, unless there is a fault for the topic."""
        self.looked_at.append(look.question.text)
        fault = self._faults.get(look.question.text)
        if fault is not None:
            await fault()
        return await super().plan(look)


def team(
    reasoner: Reasoner,
    *providers: SearchProvider,
    fallback: Reasoner | None = None,
    clock: Clock | None = None,
    **configured: float,
) -> Engine:
    """Return an engine over the shelf that a supervisor leads as ``configured``."""
    return Engine(
        providers=providers or (Shelf(),),
        reasoner=reasoner,
        fallback=fallback,
        reader=Desk(),
        chunker=PassageChunker(),
        clock=clock or SystemClock(),
        strategy=Strategy.SUPERVISOR,
        configuration=Configuration.model_validate(configured),
    )


async def states(asked: Engine, question: str = TWO) -> list[MessagesState]:
    """Return the state of the research after each of its steps."""
    run = asked._run_context(asked.clock.monotonic(), shared=True)
    configuration = asked.configuration
    start = supervisor_state(
        Question(text=question),
        requested=None,
        limits={},
        configuration=configuration,
        profiles=PROFILES,
    )
    config = RunnableConfig(configurable=configuration.model_dump())
    found: list[MessagesState] = []
    stream = langgraph_of(SUPERVISOR).astream(
        start, config, context=run, stream_mode="values", subgraphs=True
    )
    async with aclosing(run.ahead):
        async for namespace, values in stream:
            if len(namespace) <= 1:  # not those of researchers
                found.append(cast("MessagesState", values))
    return found


def answers(state: MessagesState) -> list[ToolMessage]:
    """Return what the tools have answered, in order."""
    return [message for message in state["messages"] if isinstance(message, ToolMessage)]


def turns(state: MessagesState) -> list[AIMessage]:
    """Return what the supervisor has said, in order."""
    return [message for message in state["messages"] if isinstance(message, AIMessage)]
