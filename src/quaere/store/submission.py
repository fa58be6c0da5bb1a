"""A run on its way into the queue, and the keys by which a request sent twice begins one run.

The header ``Idempotency-Key`` carries them (draft-ietf-httpapi-idempotency-key-header).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from pydantic import JsonValue
from sqlalchemy import and_, delete, select

from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, Trace
from quaere.domain.value import text_hash
from quaere.errors import IdempotencyConflict, UsageError
from quaere.store.db.database import Database, database_time, insert_new
from quaere.store.db.schema import idempotency_keys
from quaere.store.traces.rows import new_trace


@dataclass(frozen=True, slots=True)
class Entry:
    """A run that will be added to the queue."""

    trace: Trace
    spec: RunSpec
    priority: int
    deadline: datetime | timedelta | None

    @classmethod
    def of(
        cls,
        owner: Owner,
        spec: RunSpec,
        *,
        params: Mapping[str, JsonValue],
        priority: int = 0,
        deadline: datetime | timedelta | None = None,
    ) -> Self:
        """Return what `Jobs.submit` adds for the same arguments.

        Raises:
            UsageError: when the id is too long or not printable.
        """
        return cls(
            new_trace(owner, params, tool=spec.tool, trace_id=spec.run_id), spec, priority, deadline
        )

    def added(self, now: datetime) -> Self:
        """Return it with the time at which it is added, which its deadline may count from."""
        late = now + self.deadline if isinstance(self.deadline, timedelta) else self.deadline
        trace = self.trace.model_copy(update={"created_at": now})
        return replace(self, trace=trace, deadline=late)

    @property
    def row(self) -> Mapping[str, object]:
        """The row of the table of jobs, of one that has the time at which it is added."""
        return {
            "run_id": self.trace.id,
            "request": self.spec.model_dump_json(exclude_defaults=True),
            "user_id": self.trace.user_id,
            "priority": self.priority,
            "queued_at": self.trace.created_at,
            "deadline": self.deadline,
            "webhook": self.spec.listener and self.spec.listener.url,
            "compared_to": self.spec.listener and self.spec.listener.compared_to,
        }


KEPT = timedelta(hours=24)
MAX_KEY_CHARS = 255


def unusable(key: str) -> str:
    """Return why ``key`` cannot be the key of a request, as a sentence; nothing when it can."""
    if key.isprintable() and 0 < len(key) <= MAX_KEY_CHARS:
        return ""
    return f"An Idempotency-Key must have 1 to {MAX_KEY_CHARS} printable characters."


@dataclass(frozen=True, slots=True)
class RequestKeys:
    """The keys in a database."""

    database: Database

    async def claim(self, owner: Owner, key: str, *, fingerprint: str, run_id: str) -> str:
        """Return the run that the request of this key begins: ``run_id``, or that of the first.

        Of several requests at the same time, one is the first.

        Args:
            owner: Who makes the request; keys of others are others.
            key: What the client calls the request, for 24 hours.
            fingerprint: Hash of all that the request asks for, 64 characters at most.
            run_id: The run that it begins if it is the first.

        Raises:
            UsageError: when ``key`` is empty, too long or not printable.
            IdempotencyConflict: when the first request of this key asked for something else.
            StoreError: when it cannot be saved.
        """
        if fault := unusable(key):
            raise UsageError(fault)
        account = account_of(owner)
        mine = and_(idempotency_keys.c.user_id == account, idempotency_keys.c.key == key)
        row = {"user_id": account, "key": key, "fingerprint": fingerprint, "run_id": run_id}
        async with self.database.write() as connection:
            now = await database_time(connection)
            old = idempotency_keys.c.created_at < now - KEPT
            await connection.execute(delete(idempotency_keys).where(old))
            await insert_new(connection, idempotency_keys, [row | {"created_at": now}])
            first = (
                (await connection.execute(select(idempotency_keys).where(mine))).mappings().one()
            )
        if first["fingerprint"] != fingerprint:
            raise IdempotencyConflict("This Idempotency-Key was used for another request.")
        return first["run_id"]


def account_of(owner: Owner) -> str:
    """Return what stands for ``owner`` in the table of keys, which has one column for both ids."""
    return text_hash(owner.model_dump_json())
