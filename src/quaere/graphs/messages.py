"""What supervisor and tools say to each other; LangGraph Studio shows it as messages (FR-12).

No model is bound to these tools: a supervisor gives a `Delegation`, whatever model it asks, and its
calls are made of that here.
"""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.team import Delegation
from quaere.domain.value import Value

CONDUCT = "ConductResearch"
COMPLETE = "ResearchComplete"
THINK = "think_tool"
STOPPED = "early_termination"
"""Name of the message by which the engine tells why it ends the research."""


class ToolCall(Value):
    """A call that the supervisor makes of one of its tools."""

    id: str
    name: str
    argument: str = ""
    """The topic, or the reflection."""


class SupervisorTurn(Value):
    """What the supervisor says in one of its turns."""

    id: str
    calls: tuple[ToolCall, ...]


class ToolAnswer(Value):
    """What a tool answers to a call."""

    id: str
    call: str
    """Id of the call."""
    text: str
    name: str = ""
    failed: bool = False


Message = SupervisorTurn | ToolAnswer


def answered(call: ToolCall, text: str, *, failed: bool = False) -> ToolAnswer:
    """Return the answer to a call of ``ConductResearch``."""
    return ToolAnswer(id=f"answer-{call.id}", call=call.id, text=text, name=CONDUCT, failed=failed)


def spoken(delegation: Delegation, turn: int) -> SupervisorTurn:
    """Return what the supervisor says in its ``turn``, which makes the ids of its calls."""
    calls: list[tuple[str, str]] = []
    if delegation.thought:
        calls.append((THINK, delegation.thought))
    if delegation.complete:
        calls.append((COMPLETE, ""))
    else:
        topics = (" ".join(topic.split()) for topic in delegation.topics)
        calls += [(CONDUCT, topic) for topic in topics if topic]
    return SupervisorTurn(
        id=f"supervisor-{turn}",
        calls=tuple(
            ToolCall(id=f"call-{turn}-{place}", name=name, argument=argument)
            for place, (name, argument) in enumerate(calls, 1)
        ),
    )


def acknowledged(messages: Sequence[Message]) -> list[ToolAnswer]:
    """Return the answers to the calls of the last turn that ask for no research."""
    said = {THINK: "Reflection recorded.", COMPLETE: "The research is complete."}
    return [
        ToolAnswer(id=f"answer-{call.id}", call=call.id, text=said[call.name])
        for call in _last_calls(messages)
        if call.name in said
    ]


def conducts(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return the calls of the last turn that ask for research."""
    return tuple(call for call in _last_calls(messages) if call.name == CONDUCT)


def unanswered(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return those of them that no message answers yet."""
    answers = {each.call for each in messages if isinstance(each, ToolAnswer)}
    return tuple(call for call in conducts(messages) if call.id not in answers)


def stopped(why: str, turn: int) -> ToolAnswer:
    """Return the message by which the engine ends the research after ``turn``."""
    place = f"{STOPPED}-{turn}"
    return ToolAnswer(id=place, call=place, text=why, name=STOPPED)


def _last_calls(messages: Sequence[Message]) -> Sequence[ToolCall]:
    turns = [message for message in messages if isinstance(message, SupervisorTurn)]
    return turns[-1].calls if turns else ()
