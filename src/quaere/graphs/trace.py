"""What supervisor and tools say to each other, as messages that LangGraph Studio shows.

No model is bound to these tools: a supervisor gives a `Delegation`, whatever model it asks, and its
calls are made of that here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage

from quaere.domain.team import Delegation

CONDUCT = "ConductResearch"
COMPLETE = "ResearchComplete"
THINK = "think_tool"
STOPPED = "early_termination"
"""Name of the message by which the engine tells why it ends the research."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """A call of ``ConductResearch``."""

    id: str
    topic: str

    def answered(self, text: str, *, failed: bool = False) -> ToolMessage:
        """Return the answer to the call."""
        return ToolMessage(
            text,
            id=f"answer-{self.id}",
            name=CONDUCT,
            tool_call_id=self.id,
            status="error" if failed else "success",
        )


def spoken(delegation: Delegation, turn: int) -> AIMessage:
    """Return what the supervisor says in its ``turn``, which makes the ids of its calls."""
    calls: list[tuple[str, dict[str, str]]] = []
    if delegation.thought:
        calls.append((THINK, {"reflection": delegation.thought}))
    if delegation.complete:
        calls.append((COMPLETE, {}))
    else:
        topics = (" ".join(topic.split()) for topic in delegation.topics)
        calls += [(CONDUCT, {"topic": topic}) for topic in topics if topic]
    return AIMessage(
        "",
        id=f"supervisor-{turn}",
        tool_calls=[
            ToolCall(name=name, args=args, id=f"call-{turn}-{place}")
            for place, (name, args) in enumerate(calls, 1)
        ],
    )


def acknowledged(messages: Sequence[AnyMessage]) -> list[ToolMessage]:
    """Return the answers to the calls of the last turn that ask for no research."""
    said = {THINK: "Reflection recorded.", COMPLETE: "The research is complete."}
    return [
        ToolMessage(said[call["name"]], id=f"answer-{call['id']}", tool_call_id=call["id"] or "")
        for call in _last_turn(messages)
        if call["name"] in said
    ]


def conducts(messages: Sequence[AnyMessage]) -> tuple[Conduct, ...]:
    """Return the topics that the last turn of the supervisor asks for."""
    return tuple(
        Conduct(call["id"] or "", str(call["args"].get("topic", "")))
        for call in _last_turn(messages)
        if call["name"] == CONDUCT
    )


def unanswered(messages: Sequence[AnyMessage]) -> tuple[Conduct, ...]:
    """Return those of them that no message answers yet."""
    answers = {each.tool_call_id for each in messages if isinstance(each, ToolMessage)}
    return tuple(call for call in conducts(messages) if call.id not in answers)


def stopped(why: str, turn: int) -> ToolMessage:
    """Return the message by which the engine ends the research after ``turn``."""
    place = f"{STOPPED}-{turn}"
    return ToolMessage(why, id=place, name=STOPPED, tool_call_id=place)


def _last_turn(messages: Sequence[AnyMessage]) -> Sequence[ToolCall]:
    turns = [message for message in messages if isinstance(message, AIMessage)]
    return turns[-1].tool_calls if turns else ()
