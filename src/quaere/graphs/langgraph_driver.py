# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own builder open.
"""LangGraph's graphs of the declared ones, for Studio, hosted runs and applications.

Nothing else needs LangGraph: `quaere.graphs.flow.run_flow` drives the same declarations.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import cache
from typing import Annotated, Literal, TypeVar, cast

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.messages import ToolCall as LangChainToolCall
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime as LangGraphRuntime
from langgraph.types import Command as LangGraphCommand
from langgraph.types import interrupt
from pydantic import TypeAdapter, ValidationError

from quaere.domain.events import Event
from quaere.domain.team import Inquiry, Reply
from quaere.graphs.configuration import Configuration
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

S = TypeVar("S", bound=LoopState)

Graph = CompiledStateGraph[S, RunContext, S, S]

REPLIES = "A reply is text, or an object with `text`, or with `topics` as a list of texts."
ARGUMENTS: Mapping[str, str] = {THINK: "reflection", CONDUCT: "topic"}
"""What the tools call their argument; those that are not here take none."""

_REPLY: TypeAdapter[str | Reply] = TypeAdapter(str | Reply)


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
            reply = _REPLY.validate_python(said)
        except ValidationError:
            shown = {**shown, "fault": f"{type(said).__name__} is not a reply. {REPLIES}"}
        else:
            return Reply(text=reply) if isinstance(reply, str) else reply


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
    return SupervisorTurn(
        id=message.id or "",
        calls=tuple(
            ToolCall(
                id=call["id"] or "",
                name=call["name"],
                argument=str(call["args"].get(ARGUMENTS.get(call["name"], ""), "")),
            )
            for call in calls
        ),
    )
