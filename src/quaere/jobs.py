"""Makes runs that others have asked for: any number of workers over one database.

A worker takes a run, keeps every answer that it gets in the database and every event in the run's
trace. When it dies or freezes, another one takes the run over when the lease is done, goes over the
kept answers and asks on from there: nothing is lost, and nothing is paid twice.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import cast
from uuid import uuid4

from quaere.domain.budget import Limits
from quaere.domain.trace import ENDED
from quaere.engine import Engine
from quaere.errors import QuaereError, StoreError, TraceConflict
from quaere.reason.llm.reasoner import ModelReasoner
from quaere.resilience.clock import SystemClock
from quaere.store.database import Database
from quaere.store.jobs import Job, JobJournal, Jobs
from quaere.store.journal import Journal
from quaere.store.pages import MemoryPageStore
from quaere.store.privacy import Privacy
from quaere.store.recorder import TraceLog
from quaere.store.run_file import RunRequest
from quaere.store.taking import Taker
from quaere.store.traces import Traces

RENEWALS = 3
"""How often a lease is renewed in its time: one that is missed does not cost the run."""
POLL_S = 0.5
"""How long a worker that found nothing to do waits before it looks again."""
TROUBLE_S = 2.0
"""The same when the database could not be used."""

logger = logging.getLogger(__name__)

EngineFactory = Callable[[RunRequest], Engine]
"""Makes the engine that a request asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerPolicy:
    """How a worker works."""

    concurrency: int = 2
    """Runs at a time."""
    lease_s: float = 15.0
    """After so many seconds without a sign of life another worker takes a run over."""
    per_user: int | None = None
    """Runs of one user that may be at work at a time, over all workers."""
    drain: bool = False
    """Whether to leave when nothing waits any more."""


class Worker:
    """Takes runs from a database and makes them, until it is cancelled."""

    def __init__(
        self,
        database: Database,
        engines: EngineFactory,
        policy: WorkerPolicy = WorkerPolicy(),
        privacy: Privacy | None = None,
    ) -> None:
        """Work for ``database`` with what ``engines`` makes, and keep what ``privacy`` allows."""
        self.name = f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:8]}"
        self._database = database
        self._engines = engines
        self._policy = policy
        self._privacy = privacy or Privacy()
        self._jobs = Jobs(database)

    async def run(self) -> None:
        """Work until cancelled, or until nothing waits where the policy says so.

        Runs that are at work then are given back at once, with all that they were told.
        """
        async with asyncio.TaskGroup() as slots:
            for _ in range(self._policy.concurrency):
                slots.create_task(self._slot())

    async def _slot(self) -> None:
        while True:
            try:
                job = await self._jobs.claim(
                    self.name, lease_s=self._policy.lease_s, per_user=self._policy.per_user
                )
                if job is None:
                    if self._policy.drain and not await self._jobs.waiting():
                        return
                    await asyncio.sleep(POLL_S)
                    continue
            except StoreError as error:
                logger.warning("worker %s waits for the database: %s", self.name, error.message)
                await asyncio.sleep(TROUBLE_S)
                continue
            await self._make(job)

    async def _make(self, job: Job) -> None:
        """Make the run of ``job``; whatever becomes of it, this worker goes on."""
        logger.info("run %s begins, attempt %d", job.run_id, job.attempt)
        making = asyncio.create_task(self._run(job))
        holding = asyncio.create_task(self._hold(job, making))
        try:
            await asyncio.wait([making])
        except asyncio.CancelledError:  # this worker leaves
            await _stopped(making)
            await self._give_back(job)
            raise
        finally:
            await _stopped(holding)
        if making.cancelled():
            return
        error = making.exception()
        if isinstance(error, StoreError):
            logger.warning("run %s is left to others: %s", job.run_id, error.message)
        elif error is None or isinstance(error, QuaereError):
            await self._settle(job, error)
        else:
            logger.error("bug in run %s", job.run_id, exc_info=error)

    async def _run(self, job: Job) -> None:
        past = await self._jobs.past(job)
        journal = Journal(JobJournal(self._database, job, len(past)), SystemClock(), past)
        pages = MemoryPageStore()
        taker = Taker(self._privacy, pages.passage)
        log = TraceLog(Traces(self._database), job.owner, job.run_id, fence=job.fence)
        request = job.request
        async with self._engines(request) as made:
            stream = journaled(made, journal, request.marks, pages).stream(
                request.question,
                context=request.context,
                profile=request.profile,
                limits=_limits(job),
                run_id=request.run_id,
                strategy=request.strategy,
            )
            async with aclosing(stream) as events:
                async for event in events:
                    await log.append_patiently([taker.take(event)])

    async def _settle(self, job: Job, error: QuaereError | None) -> None:
        """Put away what belongs to a run that is over; say why where its trace cannot know."""
        try:
            traces = Traces(self._database)
            if error and (await traces.get(job.owner, job.run_id)).status not in ENDED:
                await traces.fail(job.owner, job.run_id, error.message)
            await self._jobs.settle(job)
        except StoreError as trouble:
            logger.warning("run %s could not be put away: %s", job.run_id, trouble.message)

    async def _hold(self, job: Job, making: asyncio.Task[None]) -> None:
        """Renew the lease of ``job``; end its run when it is lost or cancelled."""
        while True:
            await asyncio.sleep(self._policy.lease_s / RENEWALS)
            try:
                wanted = await self._jobs.renew(job, lease_s=self._policy.lease_s)
            except TraceConflict as error:
                logger.warning("run %s is lost: %s", job.run_id, error.message)
                making.cancel()
                return
            except StoreError as error:  # nobody can take it over while the database is away
                logger.warning("run %s waits for the database: %s", job.run_id, error.message)
                continue
            if not wanted:
                await _stopped(making)
                await self._cancelled(job)
                return

    async def _cancelled(self, job: Job) -> None:
        try:
            await Traces(self._database).cancel(job.owner, job.run_id)
            await self._jobs.settle(job)
        except StoreError as error:
            logger.warning("run %s was cancelled: %s", job.run_id, error.message)

    async def _give_back(self, job: Job) -> None:
        try:
            await self._jobs.release(job)
        except StoreError as error:
            logger.warning("run %s could not be given back: %s", job.run_id, error.message)


async def _stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def journaled(engine: Engine, journal: Journal, marks: str, pages: MemoryPageStore) -> Engine:
    """Return ``engine`` for one run whose answers go through ``journal``."""
    reasoner = engine.reasoner
    if isinstance(reasoner, ModelReasoner):
        reasoner = reasoner.wrapped(journal.model)
    return replace(
        engine,
        providers=[journal.provider(provider) for provider in engine.providers],
        reader=journal.reader(engine.reader),
        reasoner=reasoner,
        clock=journal.clock,
        marks=marks,
        pages=lambda: pages,
    )


def _limits(job: Job) -> Limits:
    """Return the limits of the request; its time ends with the deadline at the latest."""
    limits = cast("Limits", dict(job.request.limits))
    if job.deadline is None:
        return limits
    left = max(1.0, (job.deadline - datetime.now(UTC)).total_seconds())
    wanted = limits.get("max_execution_time_s")
    limits["max_execution_time_s"] = min(left, wanted) if wanted else min(left, 3_600.0)
    return limits
