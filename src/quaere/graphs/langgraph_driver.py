# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own builder open.
"""LangGraph's graphs: of the declared ones, for Studio and applications, and of a whole hosted run.

Nothing else needs LangGraph: `quaere.graphs.flow.run_flow` drives the same declarations.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Annotated, Literal, TypeVar, cast
from uuid import uuid4

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.messages import ToolCall as LangChainToolCall
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime as LangGraphRuntime
from langgraph.types import Command as LangGraphCommand
from langgraph.types import interrupt
from pydantic import BaseModel, Field, JsonValue, ValidationError

from quaere.domain.events import Event, InquiryRaised, RunFailed, RunFinished
from quaere.domain.question import MAX_TURNS, AnswerForm, Turn
from quaere.domain.request import Reuse
from quaere.domain.team import Inquiry, Reply
from quaere.errors import UsageError, error_of
from quaere.graphs.configuration import Configuration, Listed, choice, studio_field
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Branch, Command, Flow, Node, Runtime, Update, step
from quaere.graphs.state import (
    CONDUCT,
    THINK,
    LoopState,
    Message,
    SupervisorState,
    SupervisorTurn,
    TeamState,
    ToolAnswer,
    ToolCall,
)
from quaere.store.recording.entries import RECORDED, Recorded
from quaere.text.tokens import drawn_word

S = TypeVar("S", bound=LoopState)

Graph = CompiledStateGraph[S, RunContext, S, S]

ARGUMENTS: Mapping[str, str] = {THINK: "reflection", CONDUCT: "topic"}
"""What the tools call their argument; those that are not here take none."""


class MessagesState(TeamState):
    """State of the supervisor graph as LangGraph keeps it: with messages that Studio can show."""

    messages: Annotated[list[AnyMessage], add_messages]


@cache
def langgraph_of(flow: Flow[S]) -> Graph[S]:
    """Return LangGraph's graph of ``flow``, always the same one: it holds nothing of a run.

    It is run with a `RunContext` as its context and fields of `Configuration` as its
    ``configurable`` part. Its custom stream has the events. Where the context has nobody to ask,
    an inquiry interrupts the graph.
    """
    schema = cast("type[S]", MessagesState) if flow.state is SupervisorState else flow.state
    graph = StateGraph(schema, context_schema=RunContext)
    for name, node in flow.nodes.items():
        graph.add_node(name, _node(flow, name, node, schema))
    graph.add_edge(START, flow.start)
    for name, goal in flow.edges.items():
        graph.add_edge(name, goal)
    for name, branch in flow.branches.items():
        graph.add_conditional_edges(name, _branch(branch, schema), {**branch.targets})
    return graph.compile(name=flow.name, checkpointer=None if flow.checkpointed else False)


async def drive(flow: Flow[S], state: S, runtime: Runtime, note: Callable[[S], None]) -> S:
    """Run ``flow`` as LangGraph's graph, inside that whose node calls this, if any.

    Raises:
        RecursionError: when ``flow`` goes in circles.
    """
    config = RunnableConfig(
        configurable=runtime.configuration.model_dump(),
        recursion_limit=flow.max_steps + 1,  # LangGraph counts its end as a step
    )
    stream = langgraph_of(flow).astream(
        cast("S", _encoded(cast("Update", state))),
        config,
        context=runtime.context,
        stream_mode=["custom", "values"],
    )
    async with aclosing(cast("AsyncGenerator[tuple[str, object]]", stream)) as chunks:
        async for mode, chunk in chunks:
            if mode == "custom":
                runtime.emit(cast("Event", chunk))
            else:
                state = cast("S", _decoded(chunk))
                note(state)
    return state


class Interrupting:
    """The `Human` port of a graph with a checkpointer: the reply is what resumes the graph."""

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Interrupt the graph; once it is resumed, return the reply."""
        return interrupted(inquiry)


def interrupted(inquiry: Inquiry) -> Reply:
    """Interrupt the graph with ``inquiry`` until it is resumed with a reply, and return that.

    An invalid reply is answered with the same inquiry again, which gives the reason as ``fault``.
    A graph that is resumed does its node once more from the start, so nothing that costs anything
    belongs before this.
    """
    shown = inquiry.model_dump(mode="json")
    while True:
        said: object = interrupt(shown)
        try:
            return inquiry.meant(said)
        except UsageError as error:
            shown = {**shown, "fault": str(error)}


def _node(
    flow: Flow[S], name: str, node: Node[S], schema: type[S]
) -> Callable[..., Awaitable[object]]:
    """Return ``node`` as LangGraph calls it."""

    async def call(state: S, runtime: LangGraphRuntime[RunContext]) -> object:
        context = runtime.context
        own = Runtime(
            context if context.human else replace(context, human=Interrupting()),
            runtime.stream_writer,
            drive,
            Configuration.from_runnable_config(get_config()),
        )
        returned = await step(node, cast("S", _decoded(state)), own)
        if isinstance(returned, Command):
            return LangGraphCommand(goto=returned.goto, update=_encoded(returned.update))
        return _encoded(returned)

    # LangGraph reads from them what a node takes and where it may lead.
    goals = flow.goals(name)
    returns = LangGraphCommand[Literal[goals]] if goals else Update
    call.__annotations__ = {
        "state": schema,
        "runtime": LangGraphRuntime[RunContext],
        "return": returns,
    }
    return call


def _branch(branch: Branch[S], schema: type[S]) -> Callable[[S], str]:
    """Return the choice of ``branch`` as LangGraph calls it."""

    def choose(state: S) -> str:
        return branch.choose(cast("S", _decoded(state)))

    choose.__annotations__ = {"state": schema, "return": str}
    return choose


def _encoded(values: Update) -> Update:
    """Return ``values`` of the state with messages as LangChain has them."""
    if "messages" not in values:
        return values
    messages = cast("Sequence[Message]", values["messages"])
    return {**values, "messages": [_to_langchain(each) for each in messages]}


def _decoded(values: object) -> Update:
    """Return a state of LangGraph with messages as the nodes have them."""
    state = cast("Update", values)
    if "messages" not in state:
        return state
    messages = cast("Sequence[AnyMessage]", state["messages"])
    return {**state, "messages": tuple(map(_from_langchain, messages))}


def _to_langchain(message: Message) -> AnyMessage:
    if isinstance(message, ToolAnswer):
        return ToolMessage(
            message.text,
            id=message.id,
            name=message.name or None,
            tool_call_id=message.call,
            status="error" if message.failed else "success",
        )
    calls = [
        LangChainToolCall(
            name=call.name,
            args={ARGUMENTS[call.name]: call.argument} if call.name in ARGUMENTS else {},
            id=call.id,
        )
        for call in message.calls
    ]
    return AIMessage("", id=message.id, tool_calls=calls)


def _from_langchain(message: AnyMessage) -> Message:
    """Return a message of the graph's own; applications that mount the graph add none."""
    if isinstance(message, ToolMessage):
        return ToolAnswer(
            id=message.id or "",
            call=message.tool_call_id,
            text=str(message.content),
            name=message.name or "",
            failed=message.status == "error",
        )
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return SupervisorTurn(id=message.id or "", calls=tuple(map(_call_of, calls)))


def _call_of(call: LangChainToolCall) -> ToolCall:
    return ToolCall(
        id=call["id"] or "",
        name=call["name"],
        argument=str(call["args"].get(ARGUMENTS.get(call["name"], ""), "")),
    )


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

    language: Annotated[str | None, studio_field("text", placeholder="de")] = None
    """Language of the answer; that of the question when left out."""
    form: Annotated[AnswerForm | None, choice(AnswerForm)] = None
    """Layout of the answer; chosen to fit the question when left out."""
    urls: Listed = ()
    """Web pages to answer from, separated by commas; nothing else is searched then."""
    sites: Listed = ()
    """Use pages of these sites only."""
    prefer_sites: Listed = ()
    """Rank results of these sites first."""
    exclude_sites: Listed = ()
    """Use no pages of these sites."""
    published_after: Annotated[date | None, studio_field("text", placeholder="2024-01-31")] = None
    """First day of publication."""
    published_before: Annotated[date | None, studio_field("text", placeholder="2024-12-31")] = None
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

    It is for servers that know nothing of what a run needs: it takes a question, and a
    configuration instead of the ports, and the steps of ``inner`` are shown below its own. A run
    that has something to ask ends there; a node asks, and then the run starts again with every
    answer that it got before, so that nothing is searched, read or paid for twice.

    It has no name of its own: a server names it as its configuration does.

    Args:
        inner: The graph that ``run`` runs, whose steps are drawn.
        run: Yields the events of a run, of which the last one carries the report. Given a
            `HostedRun`, it replays the answers kept there, adds new ones, and asks it for replies.
        environment: Returns fields of `Configuration` that the operator has set.
    """
    drawn = langgraph_of(inner)

    async def research(
        state: HostedState, runtime: LangGraphRuntime[HostedConfiguration]
    ) -> Update:
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
    return {
        "inquiry": {},
        "replies": [*state.replies, reply.model_dump(mode="json", exclude_unset=True)],
    }


def _config(context: HostedConfiguration | None) -> RunnableConfig:
    """Return what the run is configured with; of two ways to do so the context is the newer one."""
    given = get_config().get("configurable", {})
    newer = context.model_dump(exclude_unset=True) if context else {}
    return RunnableConfig(configurable={**given, **newer})
