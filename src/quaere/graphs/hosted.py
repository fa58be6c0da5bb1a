# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own builder open.
"""A whole run as a graph, for servers that know nothing of what a run needs.

It takes a question, and a configuration instead of the ports; one of its nodes runs the graph it is
made for, whose steps such a server shows below it. A run that has something to ask ends there; a
node of its own asks, and then the run starts again with every answer that it got before, so that
nothing is searched, read or paid for twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from datetime import date
from typing import Annotated, TypeVar
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from pydantic import BaseModel, Field, JsonValue, ValidationError

from quaere.domain.events import Event, InquiryRaised, RunFailed, RunFinished
from quaere.domain.question import MAX_TURNS, AnswerForm, Turn
from quaere.domain.request import Reuse
from quaere.domain.team import Inquiry, Reply
from quaere.errors import UsageError, error_of
from quaere.graphs.configuration import Configuration, Listed, choice, shown
from quaere.graphs.flow import Flow, Update
from quaere.graphs.langgraph_driver import interrupted, langgraph_of
from quaere.graphs.state import LoopState
from quaere.store.recording.entries import RECORDED, Recorded
from quaere.text.tokens import drawn_word

S = TypeVar("S", bound=LoopState)

logger = logging.getLogger(__name__)

Json = dict[str, JsonValue]


class Asked(BaseModel):
    """What a run starts from."""

    question: str
    context: str = ""
    """What the answer is needed for."""
    conversation: list[Turn] = Field(default_factory=list[Turn])
    """What was asked and answered before, the oldest first."""


class HostedConfiguration(Configuration):
    """How a question is researched, and what is wanted of its sources and of its answer."""

    language: Annotated[str | None, shown("text", placeholder="de")] = None
    """Language of the answer; that of the question when left out."""
    form: Annotated[AnswerForm | None, choice(AnswerForm)] = None
    """Layout of the answer; chosen to fit the question when left out."""
    urls: Listed = ()
    """Web pages to answer from, with commas between them; nothing else is searched then."""
    sites: Listed = ()
    """Use pages of these sites only."""
    prefer_sites: Listed = ()
    """Rank results of these sites first."""
    exclude_sites: Listed = ()
    """Use no pages of these sites."""
    published_after: Annotated[date | None, shown("text", placeholder="2024-01-31")] = None
    """First day of publication."""
    published_before: Annotated[date | None, shown("text", placeholder="2024-12-31")] = None
    """Last day of publication."""
    source_languages: Listed = ()
    """Languages that sources may be in, such as en."""
    reuse: Annotated[Reuse, choice(Reuse)] = Reuse.NEVER
    """What to do with a recent run that asked nearly the same: leave it alone, name it in the
    report, or search its sources as well."""


class Told(BaseModel):
    """What a run comes to."""

    answer: str = ""
    """With the numbers of its sources in brackets."""
    report: Json = Field(default_factory=dict)
    """All of `quaere.domain.report.Report`."""


class HostedState(Asked, Told):
    """State of the graph; the rest is there only while a run waits for a reply."""

    turns: list[Turn] = Field(default_factory=list[Turn])
    """The conversation of the thread, which outlives the input of its next run."""
    run_id: str = ""
    marks: str = ""
    """The random word of the run's data marks; another one would make other prompts."""
    kept: list[str] = Field(default_factory=list[str])
    """What ports have answered, as `quaere.store.recording.entries.Recorded` in JSON."""
    inquiry: Json = Field(default_factory=dict)
    """What waits for a reply, as `quaere.domain.team.Inquiry`; empty when nothing does."""
    replies: list[Json] = Field(default_factory=list[Json])
    """Those of `quaere.domain.team.Reply` so far."""


class HostedRun:
    """One execution of a run: to its end, or to an inquiry without a reply.

    It is a `quaere.store.recording.recording.JournalSink` and a `quaere.ports.human.Human`.
    """

    def __init__(self, state: HostedState) -> None:
        """Go on from what ``state`` keeps.

        Raises:
            UsageError: when that cannot be read.
        """
        self.run_id, self.marks = state.run_id, state.marks
        self.inquiry: Inquiry | None = None
        """What it has asked that waits for a reply."""
        self.kept = list(state.kept)
        try:
            self.past = [RECORDED.validate_json(each) for each in state.kept]
            self._replies = deque(Reply.model_validate(each) for each in state.replies)
        except ValidationError as error:
            raise UsageError(
                "The state of this thread cannot be read; ask in a new thread."
            ) from error
        self._told: asyncio.Queue[Event | None] = asyncio.Queue()

    async def append(self, recorded: Recorded) -> None:
        """Keep an answer."""
        self.kept.append(recorded.model_dump_json())

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Return the next reply; where there is none, wait until this is cancelled."""
        if self._replies:
            return self._replies.popleft()
        logger.info("waiting for a reply: %s", inquiry.kind)
        return await asyncio.get_running_loop().create_future()

    async def events(self, run: AsyncGenerator[Event]) -> AsyncGenerator[Event]:
        """Yield the events of ``run`` up to its end or to an inquiry without a reply."""
        unanswered = len(self._replies) + 1
        task = asyncio.create_task(self._tell(run))
        try:
            while (event := await self._told.get()) is not None:
                yield event
                unanswered -= isinstance(event, InquiryRaised)
                if isinstance(event, InquiryRaised) and not unanswered:
                    self.inquiry = event.inquiry
                    return
            await task
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _tell(self, run: AsyncGenerator[Event]) -> None:
        try:
            async with aclosing(run) as events:
                async for event in events:
                    self._told.put_nowait(event)
        finally:
            self._told.put_nowait(None)


Run = Callable[[Asked, HostedConfiguration, HostedRun | None], AsyncGenerator[Event]]
Environment = Callable[[], Mapping[str, str]]
HostedGraph = CompiledStateGraph[HostedState, HostedConfiguration, Asked, Told]


def build_hosted(inner: Flow[S], run: Run, environment: Environment) -> HostedGraph:
    """Return a graph that does ``run``, which runs ``inner``; its custom stream has the events.

    It has no name of its own: a server names it as its configuration does.

    Args:
        inner: The graph that ``run`` runs, whose steps are drawn.
        run: Yields the events of a run, of which the last one carries the report. Given a
            `HostedRun`, it replays the answers kept there, adds new ones, and asks it for replies.
        environment: Returns fields of `Configuration` that the operator has set.
    """
    drawn = langgraph_of(inner)

    async def research(state: HostedState, runtime: Runtime[HostedConfiguration]) -> Update:
        # LangGraph draws the graphs that the code of a node names.
        logger.info("graph=%s", drawn.name)
        report: Json = {}
        settings = _config(runtime.context)
        configuration = HostedConfiguration.from_runnable_config(settings, environment())
        asking = configuration.allow_clarification or configuration.approve_plan
        hosted = HostedRun(state) if asking else None
        events = run(state, configuration, hosted)
        async with aclosing(hosted.events(events) if hosted else events) as told:
            async for event in told:
                runtime.stream_writer(event.model_dump(mode="json"))
                if isinstance(event, RunFinished):
                    report = event.report.model_dump(mode="json")
                elif isinstance(event, RunFailed):
                    raise error_of(event.error_type, event.message)
        if hosted and hosted.inquiry:
            return {"inquiry": hosted.inquiry.model_dump(mode="json"), "kept": hosted.kept}
        return {"answer": report["answer"], "report": report, "kept": [], "replies": []}

    graph = StateGraph(
        HostedState, context_schema=HostedConfiguration, input_schema=Asked, output_schema=Told
    )
    graph.add_node("begin", _begin)
    graph.add_node("research", research)
    graph.add_node("ask", _ask)
    graph.add_edge(START, "begin")
    graph.add_edge("begin", "research")
    graph.add_conditional_edges("research", _after_research, ["ask", END])
    graph.add_edge("ask", "research")
    return graph.compile()


def _begin(state: HostedState) -> Update:
    """Forget the run before, which may still wait for a reply, but for what it has answered."""
    turns = _conversation(state)
    fresh = HostedState(
        question=state.question,
        context=state.context,
        conversation=turns,
        turns=turns,
        run_id=str(uuid4()),
        marks=drawn_word(),
    )
    return fresh.model_dump()


def _conversation(state: HostedState) -> list[Turn]:
    """Return the conversation so far: of the thread, with its last answer, and as it was given."""
    turns = [*state.turns, *state.conversation]
    if state.report:
        last = Turn(question=str(state.report["question"]), answer=state.answer)
        turns.insert(len(state.turns), last)
    return list(dict.fromkeys(turns))[-MAX_TURNS:]


def _after_research(state: HostedState) -> str:
    return "ask" if state.inquiry else END


def _ask(state: HostedState) -> Update:
    reply = interrupted(Inquiry.model_validate(state.inquiry))
    return {"inquiry": {}, "replies": [*state.replies, reply.model_dump(mode="json")]}


def _config(context: HostedConfiguration | None) -> RunnableConfig:
    """Return what the run is configured with; of two ways to do so the context is the newer one."""
    given = get_config().get("configurable", {})
    newer = context.model_dump(exclude_unset=True) if context else {}
    return RunnableConfig(configurable={**given, **newer})
