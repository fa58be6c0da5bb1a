"""Conversations by owner, with their messages and what the answers cite (R3.7).

An answer that its run has yet to give is a message without content. The transaction that ends the
run fills it in (`quaere.store.traces.log.fill_answers`), so that it is kept without any reader, by
the process that makes the run.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.conversation import (
    ChatMessage,
    ChatRole,
    ConversationList,
    NewMessage,
    StoredConversation,
)
from quaere.domain.trace import Owner
from quaere.domain.value import encodable
from quaere.errors import ConversationNotFound, UsageError
from quaere.store.db.database import Database, database_time
from quaere.store.db.schema import (
    chat_messages,
    conversations,
    owned_row,
    owner_columns,
    owner_is,
    tool_traces,
    value_of,
)
from quaere.store.traces.log import fill_answers, last_report
from quaere.store.traces.privacy import Privacy
from quaere.store.traces.rows import batched, locked, page
from quaere.text.sanitize import quoted

MAX_TITLE_CHARS = 200
MAX_MESSAGES = 1_000
"""The most messages of a conversation that are returned: the last ones."""
_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Conversations:
    """The conversations in a database, of which only what ``privacy`` allows is kept."""

    database: Database
    privacy: Privacy = field(default_factory=Privacy)

    async def start(self, owner: Owner, title: str = "") -> StoredConversation:
        """Begin a conversation without messages.

        Raises:
            StoreError: when it cannot be saved.
        """
        now = datetime.now(UTC)
        begun = StoredConversation(
            id=str(uuid.uuid4()), title=_title(title), created_at=now, updated_at=now
        )
        begun = self.privacy.kept(begun)
        row = begun.model_dump(exclude={"messages"})
        async with self.database.write() as connection:
            await connection.execute(insert(conversations).values(row | owner_columns(owner)))
        return begun

    async def list(
        self, owner: Owner, *, limit: int = 50, after: str | None = None
    ) -> ConversationList:
        """Return the conversations of ``owner`` without messages, the last one added to first.

        Args:
            owner: Whose conversations.
            limit: Page size, 200 at most.
            after: ``following`` of the page before.

        Raises:
            UsageError: when ``after`` is not the end of a page.
            StoreError: when the database cannot be used.
        """
        wanted = select(conversations).where(owner_is(conversations, owner))
        order = (conversations.c.updated_at, conversations.c.id)
        rows, following = await page(self.database, wanted, order, limit=limit, after=after)
        found = tuple(value_of(row, StoredConversation) for row in rows)
        return ConversationList(conversations=found, following=following)

    async def get(self, owner: Owner, conversation_id: str) -> StoredConversation:
        """Return a conversation with its messages.

        Raises:
            ConversationNotFound: when ``owner`` has no such conversation.
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            conversation = await _found(connection, owner, conversation_id)
            messages = await _messages(connection, conversation_id)
        return conversation.model_copy(update={"messages": messages})

    async def of_run(self, owner: Owner, trace_id: str) -> str | None:
        """Return the id of the conversation that waits for, or has, the answer of a run.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = (
            select(conversations.c.id)
            .join(chat_messages, chat_messages.c.conversation_id == conversations.c.id)
            .where(owner_is(conversations, owner), chat_messages.c.trace_id == trace_id)
            .limit(1)
        )
        async with self.database.read() as connection:
            return (await connection.execute(wanted)).scalar_one_or_none()

    async def add(
        self, owner: Owner, conversation_id: str, messages: Sequence[NewMessage]
    ) -> tuple[ChatMessage, ...]:
        """Add ``messages`` to the end of a conversation, all or none; return them as they are kept.

        An answer without content is filled in when its run ends, or now if that has ended.

        Raises:
            ConversationNotFound: when ``owner`` has no such conversation.
            TraceNotFound: when ``owner`` has no such run.
            StoreError: when they cannot be saved.
        """
        async with self.database.write() as connection:
            await _found(connection, owner, conversation_id, lock=True)
            at = await _next_time(connection, conversation_id)
            for number, message in enumerate(map(self._kept, messages)):
                if message.trace_id is not None:
                    await locked(connection, owner, message.trace_id)
                row = _row(owner, conversation_id, message, at + number * _TICK)
                await connection.execute(insert(chat_messages).values(row))
                if message.trace_id and (report := await last_report(connection, message.trace_id)):
                    await fill_answers(connection, message.trace_id, report)
            await connection.execute(
                update(conversations)
                .where(conversations.c.id == conversation_id)
                .values(updated_at=at)
            )
            kept = await _messages(connection, conversation_id)
        return kept[len(kept) - len(messages) :]

    async def rename(self, owner: Owner, conversation_id: str, title: str) -> StoredConversation:
        """Change the title of a conversation, and return it without messages.

        Raises:
            UsageError: when ``title`` is blank.
            ConversationNotFound: when ``owner`` has no such conversation.
            StoreError: when it cannot be saved.
        """
        if not (shown := _title(title)):
            raise UsageError("A conversation needs a title.")
        async with self.database.write() as connection:
            found = await _found(connection, owner, conversation_id, lock=True)
            renamed = self.privacy.kept(found.model_copy(update={"title": shown}))
            await connection.execute(
                update(conversations)
                .where(conversations.c.id == conversation_id)
                .values(title=renamed.title)
            )
        return renamed

    async def delete(self, owner: Owner, conversation_id: str) -> None:
        """Delete a conversation with its messages; the runs of its answers stay.

        Raises:
            ConversationNotFound: when ``owner`` has no such conversation.
            StoreError: when it cannot be deleted.
        """
        async with self.database.write() as connection:
            await _found(connection, owner, conversation_id, lock=True)
            here = chat_messages.c.conversation_id == conversation_id
            await connection.execute(delete(chat_messages).where(here))
            await connection.execute(
                delete(conversations).where(conversations.c.id == conversation_id)
            )

    async def prune(self, older_than: timedelta) -> int:
        """Delete the conversations of all owners to which nothing was added for so long.

        Those with an answer of a pinned run are kept.

        Returns:
            How many were deleted.

        Raises:
            StoreError: when they cannot be deleted.
        """
        from_run = chat_messages.join(tool_traces, tool_traces.c.id == chat_messages.c.trace_id)
        pinned = select(chat_messages.c.conversation_id).select_from(from_run)
        pinned = pinned.where(tool_traces.c.pinned)
        async with self.database.write() as connection:
            old = conversations.c.updated_at < await database_time(connection) - older_than
            going = delete(conversations).where(old, conversations.c.id.not_in(pinned))
            gone = (await connection.execute(going.returning(conversations.c.id))).scalars().all()
            for names in batched(gone):
                theirs = chat_messages.c.conversation_id.in_(names)
                await connection.execute(delete(chat_messages).where(theirs))
        return len(gone)

    def _kept(self, message: NewMessage) -> NewMessage:
        """Return ``message`` as it may be kept; an answer always is, as it is in a trace."""
        kept = self.privacy.kept(message)
        if message.role is ChatRole.USER:
            return kept
        content = self.privacy.redact(message.content)
        return kept.model_copy(update={"content": content})


def _missing(conversation_id: str) -> ConversationNotFound:
    return ConversationNotFound(f"There is no conversation {quoted(conversation_id)}.")


async def _found(
    connection: AsyncConnection, owner: Owner, conversation_id: str, *, lock: bool = False
) -> StoredConversation:
    """Return the conversation, without messages.

    One that is locked nobody else changes until the transaction ends.
    """
    wanted = select(conversations).where(owned_row(conversations, owner, conversation_id))
    if lock:
        wanted = wanted.with_for_update()
    row = (await connection.execute(wanted)).mappings().one_or_none()
    if row is None:
        raise _missing(conversation_id)
    return value_of(row, StoredConversation)


async def _next_time(connection: AsyncConnection, conversation_id: str) -> datetime:
    """Return the time of the next message, after all others whatever the clocks say."""
    wanted = (
        select(chat_messages.c.created_at)
        .where(chat_messages.c.conversation_id == conversation_id)
        .order_by(chat_messages.c.created_at.desc())
        .limit(1)
    )
    last = (await connection.execute(wanted)).scalar_one_or_none()
    now = datetime.now(UTC)
    return now if last is None else max(now, last + _TICK)


async def _messages(connection: AsyncConnection, conversation_id: str) -> tuple[ChatMessage, ...]:
    joined = chat_messages.join(
        tool_traces, tool_traces.c.id == chat_messages.c.trace_id, isouter=True
    )
    wanted = (
        select(chat_messages, tool_traces.c.status)
        .select_from(joined)
        .where(chat_messages.c.conversation_id == conversation_id)
        .order_by(chat_messages.c.created_at.desc(), chat_messages.c.id.desc())
        .limit(MAX_MESSAGES)
    )
    rows = (await connection.execute(wanted)).mappings().all()
    return tuple(value_of(row, ChatMessage) for row in reversed(rows))


def _row(
    owner: Owner, conversation_id: str, message: NewMessage, at: datetime
) -> dict[str, object]:
    return {
        **message.model_dump(mode="json"),
        "id": str(uuid.uuid4()),
        "conversation_id": conversation_id,
        **owner_columns(owner),
        "created_at": at,
    }


def _title(text: str) -> str:
    return encodable(" ".join(text.split()))[:MAX_TITLE_CHARS]
