"""From the messages of a chat to a question, its context, and the conversation before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from quaere.domain.question import Turn
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.faces.server.context import Context
from quaere.faces.server.forms import MAX_TURNS
from quaere.faces.wire.cited import without_closing_list

RECENT = 50
"""Runs among which the one that an answer is from is looked for, the latest first."""


@dataclass(frozen=True, slots=True)
class Message:
    """What one side has said."""

    role: str
    """``user``, ``assistant``, ``system`` or ``developer``; all others are left out."""
    text: str


@dataclass(frozen=True, slots=True)
class Chat:
    """What a chat asks for."""

    question: str
    """Empty where the last message is not the user's."""
    context: str = ""
    """What system and developer messages say."""
    turns: tuple[Turn, ...] = field(default=())
    """What was asked and answered before, the oldest first."""


def chat_of(messages: Iterable[Message]) -> Chat:
    """Return what ``messages`` ask for: the last words of the user, after what went before."""
    context: list[str] = []
    turns: list[Turn] = []
    asked: list[str] = []
    for each in messages:
        text = each.text.strip()
        if each.role in {"system", "developer"} and text:
            context.append(text)
        elif each.role == "user" and text:
            asked.append(text)
        elif each.role == "assistant" and asked:
            answer = without_closing_list(text)
            turns.append(Turn(question="\n\n".join(asked), answer=answer))
            asked.clear()
    return Chat("\n\n".join(asked), "\n\n".join(context), tuple(turns[-MAX_TURNS:]))


async def continued(context: Context, owner: Owner, turns: Sequence[Turn]) -> str | None:
    """Return the id of the run that gave the last answer of ``turns``; None when none is known.

    Protocols whose clients send the whole conversation with every question name no run.
    """
    if not turns or not context.app.settings.stores_all:
        return None
    last = turns[-1]
    traces = await context.app.traces()
    page = await traces.list_traces(owner, status=TraceStatus.COMPLETED, limit=RECENT)
    for trace in page.traces:
        answer = str((trace.result or {}).get("answer", ""))
        if trace.question == last.question and context.places.masked(answer) == last.answer:
            return trace.id if has_evidence(trace) else None
    return None


def has_evidence(trace: Trace) -> bool:
    """Return whether another run can draw on what the run of ``trace`` has read."""
    return bool((trace.result or {}).get("sources"))
