# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own stream open.
"""The two ways that a run can take: one loop, or a supervisor with a team of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from quaere.domain.budget import MAX_LOOPS, Budget, Limits
from quaere.domain.events import Event
from quaere.domain.profile import ProfileName
from quaere.domain.question import Question
from quaere.domain.report import Report
from quaere.domain.team import Inquiry
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.loop import build_loop, recursion_limit
from quaere.graphs.result import to_report, to_supervised_report
from quaere.graphs.state import LoopState, initial_state
from quaere.graphs.supervisor import build_supervisor
from quaere.graphs.supervisor_state import SupervisorState, supervisor_state
from quaere.ports.human import Consult

S = TypeVar("S", bound=LoopState)


class Reporting(Protocol):
    """Turns the last state into a report."""

    def __call__(self, *, run_id: str, seconds: float, reasoner: str) -> Report:
        """Return the report of a run that has come to its end."""
        ...


@dataclass(frozen=True, slots=True)
class Course(Generic[S]):
    """A graph, and the state that it starts from and leaves its last values in."""

    graph: CompiledStateGraph[S, RunContext, S, S]
    state: S
    config: RunnableConfig
    report: Reporting
    shared: bool
    """Whether several ask the same providers, so that what one has asked serves all."""

    consult: Consult | None = None
    """Who is asked what the graph has to ask."""

    async def drive(self, run: RunContext) -> AsyncGenerator[Event]:
        """Run the graph, yield its events and leave its last values in ``state``."""
        if self.consult is None:
            async with aclosing(self._events(self.graph, self.state, run)) as events:
                async for event in events:
                    yield event
            return
        # What an inquiry interrupts goes on from here.
        graph = self.graph.builder.compile(checkpointer=InMemorySaver())
        given: S | Command[str] = self.state
        while True:
            async with aclosing(self._events(graph, given, run)) as events:
                async for event in events:
                    yield event
            asked = (await graph.aget_state(self.config)).interrupts
            if not asked:
                return
            began = run.clock.monotonic()
            reply = await self.consult(Inquiry.model_validate(asked[0].value))
            run = replace(run, started=run.started + run.clock.monotonic() - began)
            given = Command(resume=reply.model_dump())

    async def _events(
        self,
        graph: CompiledStateGraph[S, RunContext, S, S],
        given: S | Command[str],
        run: RunContext,
    ) -> AsyncGenerator[Event]:
        stream = graph.astream(
            given, context=run, stream_mode=["custom", "values"], config=self.config
        )
        async with aclosing(cast("AsyncGenerator[tuple[str, object]]", stream)) as chunks:
            async for mode, chunk in chunks:
                if mode == "custom":
                    yield cast("Event", chunk)
                elif "__interrupt__" not in cast("S", chunk):
                    self.state.update(cast("S", chunk))


AnyCourse = Course[LoopState] | Course[SupervisorState]


def follow_loop(
    question: Question,
    requested: ProfileName | None,
    limits: Limits,
    profiles: Mapping[ProfileName, Budget],
) -> Course[LoopState]:
    """Return the way of one loop.

    Raises:
        SettingsError: when a limit is out of its range.
    """
    state = initial_state(question, requested=requested, limits=limits, profiles=profiles)

    def report(*, run_id: str, seconds: float, reasoner: str) -> Report:
        return to_report(state, run_id=run_id, seconds=seconds, reasoner=reasoner)

    config = RunnableConfig(recursion_limit=recursion_limit(MAX_LOOPS))
    return Course(build_loop(), state, config, report, shared=False)


def follow_supervisor(
    question: Question,
    requested: ProfileName | None,
    limits: Limits,
    profiles: Mapping[ProfileName, Budget],
    configuration: Configuration,
    consult: Consult | None = None,
) -> Course[SupervisorState]:
    """Return the way of a supervisor; nothing is asked where there is no ``consult`` to ask.

    Raises:
        SettingsError: when a limit is out of its range.
    """
    state = supervisor_state(
        question,
        requested=requested,
        limits=limits,
        configuration=configuration,
        profiles=profiles,
    )

    def report(*, run_id: str, seconds: float, reasoner: str) -> Report:
        return to_supervised_report(state, run_id=run_id, seconds=seconds, reasoner=reasoner)

    asking = configuration.allow_clarification or configuration.approve_plan
    asker = consult if asking else None
    if asker is None:
        silent = {"allow_clarification": False, "approve_plan": False}
        configuration = configuration.model_copy(update=silent)
    config = RunnableConfig(configurable={**configuration.model_dump(), "thread_id": "run"})
    return Course(build_supervisor(), state, config, report, shared=True, consult=asker)
