"""A conversation with the service that is kept: who said what, and what the answers cite (R3.7)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from quaere.domain.question import MAX_TURNS, Turn
from quaere.domain.report import Citation
from quaere.domain.trace import TraceStatus
from quaere.domain.value import Outside, Sensitivity, Value


class ChatRole(StrEnum):
    """Who wrote a message."""

    USER = "user"
    ASSISTANT = "assistant"


class NewMessage(Value):
    """A message that is added to a conversation."""

    role: ChatRole
    content: Annotated[Outside, Sensitivity.QUESTION] = ""
    """Markdown; empty for an answer that its run has yet to give."""
    citations: tuple[Citation, ...] = ()
    """In the order of the claims that they support."""
    trace_id: str | None = None
    """The run that gives the answer."""


class ChatMessage(NewMessage):
    """A message that is kept. Times are in UTC."""

    id: str
    created_at: datetime
    status: TraceStatus | None = None
    """Of its run; ``None`` for a message without one, or whose run was deleted."""


class StoredConversation(Value):
    """A stored conversation, with its messages if they were requested."""

    id: str
    title: Annotated[Outside, Sensitivity.QUESTION]
    created_at: datetime
    updated_at: datetime
    """When it was added to last."""
    messages: tuple[ChatMessage, ...] = ()
    """The oldest first."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The last questions that were answered, as a run that continues them is given them."""
        found: list[Turn] = []
        question = ""
        for message in self.messages:
            if message.role is ChatRole.USER:
                question = message.content
            elif question and message.content:
                found.append(Turn(question=question, answer=message.content))
                question = ""
        return tuple(found[-MAX_TURNS:])


class ConversationList(Value):
    """One page of conversations without their messages, the latest message first."""

    conversations: tuple[StoredConversation, ...]
    following: Annotated[str | None, Field(max_length=200)] = None
    """Asks for the page after this one; ``None`` on the last."""
