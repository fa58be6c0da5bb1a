# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own stream open.
"""The two ways that a run can take: one loop, or a supervisor with a team of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from quaere.domain.budget import MAX_LOOPS, Budget, Limits
from quaere.domain.events import Event
from quaere.domain.profile import ProfileName
from quaere.domain.question import Question
from quaere.domain.report import Report
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.loop import build_loop, recursion_limit
from quaere.graphs.result import to_report, to_supervised_report
from quaere.graphs.state import LoopState, initial_state
from quaere.graphs.supervisor import build_supervisor
from quaere.graphs.supervisor_state import SupervisorState, supervisor_state

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

    async def drive(self, run: RunContext) -> AsyncGenerator[Event]:
        """Run the graph, yield its events and leave its last values in ``state``."""
        stream = self.graph.astream(
            self.state, context=run, stream_mode=["custom", "values"], config=self.config
        )
        async with aclosing(cast("AsyncGenerator[tuple[str, object]]", stream)) as chunks:
            async for mode, chunk in chunks:
                if mode == "custom":
                    yield cast("Event", chunk)
                else:
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
) -> Course[SupervisorState]:
    """Return the way of a supervisor.

    Raises:
        SettingsError: when a limit is out of its range.
    """
    state = supervisor_state(
        question,
        requested=requested,
        limits=limits,
        rounds=configuration.max_researcher_iterations,
        profiles=profiles,
    )

    def report(*, run_id: str, seconds: float, reasoner: str) -> Report:
        return to_supervised_report(state, run_id=run_id, seconds=seconds, reasoner=reasoner)

    config = RunnableConfig(configurable=configuration.model_dump())
    return Course(build_supervisor(), state, config, report, shared=True)
