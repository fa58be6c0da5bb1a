"""Takes in submitted runs: those that come while others are being written are written together.

A commit waits for the disk. Written one by one, a database takes as many runs a second as its disk
can confirm; together, as many as the processor can prepare.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from quaere.domain.access import UNLIMITED, KeyLimits
from quaere.domain.trace import Trace
from quaere.errors import StoreError, StoreUnavailable
from quaere.runtime.news import QUEUE, News
from quaere.store.carriers.carrier import Carrier
from quaere.store.db.database import Database
from quaere.store.entry import Entry
from quaere.store.fleet import Fleet
from quaere.store.jobs import Jobs

MAX_TOGETHER = 100
"""Runs in one transaction, so that other writers of a file get their turn."""


logger = logging.getLogger(__name__)

Added = list[Trace | StoreError]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Runs that are written together, and the task that writes them."""

    entries: list[Entry]
    writing: asyncio.Task[Added]


class Intake:
    """The way of runs into the queue, from one process."""

    def __init__(self, database: Database, carrier: Carrier, news: News) -> None:
        """Add runs to the queue in ``database``, and have ``carrier`` bring them to workers."""
        self._database = database
        self._jobs = Jobs(database)
        self._carrier = carrier
        self._news = news
        self._next: _Batch | None = None
        self._turn = asyncio.Lock()
        self._writing: set[asyncio.Task[Added]] = set()

    async def submit(self, entry: Entry, limits: KeyLimits = UNLIMITED) -> Trace:
        """Add a run to the queue; it is durable when this returns.

        Raises:
            QuotaExceeded: when the owner has as many runs as ``limits`` allow.
            TraceConflict: when another owner has a run with this id.
            StoreError: when it cannot be saved.
        """
        if limits == UNLIMITED:
            trace = await self._add(entry)
        else:
            trace = await self._jobs.submit_within(entry, limits)
        await self._offer(trace.id, entry.priority)
        return trace

    async def requeue(self, run_id: str) -> None:
        """Put a run that was given up back into the queue.

        Raises:
            NotFound: when no run of that id was given up.
            StoreError: when the database cannot be used.
        """
        await self._offer(run_id, await Fleet(self._database).requeue(run_id))

    async def aclose(self) -> None:
        """Wait until what was added is written, though nobody waits for it any more."""
        if self._writing:
            await asyncio.wait(self._writing)

    async def _offer(self, run_id: str, priority: int) -> None:
        """Have a run brought to a worker, now or, if the carrier is away, when it is swept."""
        self._news.ring(QUEUE)
        try:
            await self._carrier.offer(run_id, priority)
        except StoreError as error:
            logger.info("the run %s is not offered yet: %s", run_id, error.message)

    async def _add(self, entry: Entry) -> Trace:
        batch = self._next
        if batch is None or len(batch.entries) >= MAX_TOGETHER:
            batch = self._next = self._begun()
        place = len(batch.entries)
        batch.entries.append(entry)
        # A caller that is cut off meanwhile takes nothing from the others.
        added = (await asyncio.shield(batch.writing))[place]
        if isinstance(added, StoreError):
            raise added
        return added

    def _begun(self) -> _Batch:
        entries: list[Entry] = []
        writing = asyncio.create_task(self._written(entries))
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)
        return _Batch(entries, writing)

    async def _written(self, entries: list[Entry]) -> Added:
        async with self._turn:
            if self._next and self._next.entries is entries:
                self._next = None
            try:
                return [*await self._jobs.submit_together(entries)]
            except StoreError as error:
                if len(entries) == 1 or isinstance(error, StoreUnavailable):
                    return [error for _ in entries]
                # What is wrong with one of them is not to harm the others.
                return [await self._alone(entry) for entry in entries]

    async def _alone(self, entry: Entry) -> Trace | StoreError:
        try:
            (added,) = await self._jobs.submit_together([entry])
        except StoreError as error:
            return error
        return added
