"""Makes runs that others have asked for: any number of workers over one database.

A worker takes a run, keeps every answer that it gets in the database and every event in the run's
trace. When it dies or freezes, another one takes the run over when the lease is done, goes over the
kept answers and asks on from there: nothing is lost, and nothing is paid twice.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import platform
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

from quaere.domain.budget import Limits
from quaere.domain.events import Event, InquiryRaised, RunFinished
from quaere.domain.request import Reuse, RunSpec, Settled
from quaere.domain.trace import TraceStatus
from quaere.errors import QuaereError, StoreError, StoreUnavailable, TraceConflict
from quaere.resilience.timing import SystemClock
from quaere.runtime.earlier import stored_run
from quaere.runtime.engine import Engine
from quaere.runtime.event_writer import EventWriter
from quaere.runtime.news import QUEUE, News, wishes
from quaere.runtime.redact import DiscreetHuman
from quaere.runtime.run import Inbox
from quaere.runtime.wiring import Tap, settled_of
from quaere.store.db.database import Database
from quaere.store.jobs import Job, Jobs, Wish
from quaere.store.pages import MemoryPageStore
from quaere.store.recording.job_journal import JobJournal
from quaere.store.recording.recording import Journal
from quaere.store.traces.privacy import Privacy, TraceRedactor
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.traces import Traces
from quaere.view.summary import Summary

RENEWALS = 3
"""How often a lease is renewed in its time: one that is missed does not cost the run."""
LOOK_S = 1.0
"""How often it is renewed at least: a run that is cancelled is to end within two seconds."""
TIDY_S = 60.0
"""How often a worker that found nothing to do looks for what dead ones left behind."""
POLL_S = 0.25
"""How long a worker that found nothing to do waits before it looks again."""
TROUBLE_S = 2.0
"""The same when the database could not be used."""
LEAST_S = 1.0
"""What a run that is begun is given at least, however near its deadline is."""

_OWN_NAMES: set[str] = set()
"""Workers of this process."""

logger = logging.getLogger(__name__)

EngineFactory = Callable[[RunSpec, Tap], Engine]
"""Makes the engine for a run whose answers go through a tap."""
Watch = Callable[[Job, Event], None]
"""Counts what runs do; must neither raise nor take long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerPolicy:
    """How a worker works."""

    concurrency: int = 2
    """Runs at a time."""
    lease_s: float = 15.0
    """After so many seconds without a sign of life another worker takes a run over."""
    per_user: int | None = None
    """Runs of one user that may be in progress at a time, over all workers."""
    reply_s: float = 600.0
    """How long a run waits for a reply of its owner; then it goes on as it has proposed."""
    drain: bool = False
    """Whether to leave when nothing waits any more."""


@dataclass(slots=True)
class Making:
    """A run that is being made, as far as what its owner wants concerns it."""

    journal: Journal
    inbox: Inbox
    inquiry: InquiryRaised | None = None
    """What it has asked last, once its owner can see that."""


class Worker:
    """Takes runs from a database and makes them, until it is cancelled."""

    def __init__(
        self,
        database: Database,
        engines: EngineFactory,
        policy: WorkerPolicy = WorkerPolicy(),
        privacy: Privacy | None = None,
        news: News | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Work for ``database`` with what ``engines`` makes, and keep what ``privacy`` allows.

        ``news`` tells others in this process of each event, and this worker of new runs; ``watch``
        is called with each event that was kept.
        """
        self.name = f"{platform.node()}-{os.getpid()}-{uuid4().hex[:8]}"
        _OWN_NAMES.add(self.name)
        self._database = database
        self._engines = engines
        self._policy = policy
        self._privacy = privacy or Privacy()
        self._news = news or News()
        self._watch = watch
        self._jobs = Jobs(database)
        self._looking = asyncio.Lock()
        self._tidied = -TIDY_S

    async def run(self) -> None:
        """Work until cancelled, or until nothing waits where the policy says so.

        Unfinished runs are returned to the queue at once, with all recorded answers.
        """
        await self._succeed_the_dead()
        async with asyncio.TaskGroup() as slots:
            for _ in range(self._policy.concurrency):
                slots.create_task(self._slot())

    async def _succeed_the_dead(self) -> None:
        """Take over at once from processes of this machine that are gone, as after a restart.

        Only where the database is a file: on one machine a process that is not there is dead.
        """
        if not self._database.sqlite:
            return
        try:
            for name in await self._jobs.holders():
                if _is_dead(name):
                    await self._jobs.expire(name)
        except StoreError as error:  # their leases end by themselves
            logger.info("leases of dead workers could not be ended: %s", error.message)

    async def _slot(self) -> None:
        while True:
            async with self._looking:  # however many slots are free, one of them asks for all
                job = await self._next()
            if job is None:
                return
            await self._make(job)

    async def _next(self) -> Job | None:
        """Wait for a run; None when none will come, where the policy is to leave then."""
        lease_s, per_user = self._policy.lease_s, self._policy.per_user
        with self._news.heard(QUEUE) as bell:
            while True:
                try:
                    if job := await self._jobs.claim(self.name, lease_s=lease_s, per_user=per_user):
                        return job
                    await self._tidy()
                    if self._policy.drain and not await self._jobs.waiting():
                        return None
                    await bell.wait(POLL_S)
                except StoreError as error:
                    logger.warning("worker %s waits for the database: %s", self.name, error.message)
                    await asyncio.sleep(TROUBLE_S)

    async def _tidy(self) -> None:
        now = time.monotonic()
        if now - self._tidied >= TIDY_S:
            self._tidied = now
            await self._jobs.tidy()
            await self._scrub()

    async def _scrub(self) -> None:
        """Let nothing stay of what a run was asked and told, where that is not to be kept."""
        if not self._privacy.whole:
            await self._database.scrub()

    async def _make(self, job: Job) -> None:
        """Make the run of ``job``; whatever becomes of it, this worker goes on."""
        logger.info("run %s begins, attempt %d", job.run_id, job.attempt)
        opened = asyncio.get_running_loop().create_future()
        making = asyncio.create_task(self._run(job, opened))
        holding = asyncio.create_task(self._hold(job, opened))
        try:
            await asyncio.wait([making, holding], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # this worker leaves
            await _stopped(making, holding)
            await self._put_away(job, self._jobs.release(job))
            raise
        made, held = await _stopped(making, holding)
        end = held if isinstance(made, asyncio.CancelledError) else made
        if isinstance(end, TraceConflict):
            await self._let_go(job, end)
        elif not isinstance(made, asyncio.CancelledError):
            await self._conclude(job, made)
        elif held is None:
            await self._put_away(job, self._jobs.end(job, TraceStatus.CANCELLED))
        else:
            logger.error("internal error in run %s", job.run_id, exc_info=held)

    async def _let_go(self, job: Job, conflict: TraceConflict) -> None:
        """Leave a run that this worker can no longer write to, as it may one that froze.

        A run that has just ended here is refused a longer lease, too, but nobody else has it.
        """
        try:
            ended = await self._jobs.ended(job)
        except StoreError as error:
            logger.warning("run %s is left to others: %s", job.run_id, error.message)
            return
        if ended:
            await self._conclude(job, None)
        else:
            logger.warning("run %s goes on elsewhere: %s", job.run_id, conflict.message)

    async def _conclude(self, job: Job, error: BaseException | None) -> None:
        """Record the end of a run, which finished by itself or by ``error``."""
        match error:
            case StoreUnavailable():
                logger.warning("run %s waits for the database: %s", job.run_id, error.message)
                await self._give_back(job)
            case StoreError():  # the attempt counts: the run may be one that no database takes
                logger.warning("run %s is left to others: %s", job.run_id, error.message)
            case None:
                await self._put_away(job, self._jobs.settle(job))
            case QuaereError():
                await self._put_away(job, self._fail(job, self._privacy.message(error.message)))
            case _:
                logger.error("bug in run %s", job.run_id, exc_info=error)

    async def _run(self, job: Job, opened: asyncio.Future[Making]) -> None:
        kept = await JobJournal.open(self._database, job)
        journal = Journal(kept, SystemClock(), kept.past)
        making = Making(journal, Inbox(self._policy.reply_s))
        opened.set_result(making)
        if job.finish:
            await journal.finish_later()
        pages = MemoryPageStore()
        redactor = TraceRedactor(self._privacy, pages.passage)
        log = TraceLog(Traces(self._database), job.owner, job.run_id, Summary(), fence=job.fence)
        left_s = _left_s(job, max((recorded.at for recorded in kept.past), default=0.0))
        spec = _within(job.spec, left_s)
        made = await asyncio.to_thread(self._engines, spec, journal)
        engine = replace(
            made,
            pages=lambda: pages,
            human=journal.human(DiscreetHuman(making.inbox, self._privacy)),
            stop_requested=lambda: journal.finishing,
            profiles=settled_of(spec).budgets,
        )
        async with (
            EventWriter(log, partial(self._tell, job)) as writer,
            aclosing(engine.stream(spec)) as events,
        ):
            async for event in events:
                kept.check()
                if isinstance(event, InquiryRaised):
                    making.inquiry = event
                writer.add(redactor.take(await self._with_earlier(job, event)))

    def _tell(self, job: Job, events: Sequence[Event]) -> None:
        """Tell others in this process of events that were kept."""
        self._news.tell(job.run_id, events)
        for event in events:
            if self._watch:
                self._watch(job, event)

    async def _with_earlier(self, job: Job, event: Event) -> Event:
        """Return ``event``; the end of a run with an earlier one that asked nearly the same."""
        request = job.spec.request
        if not isinstance(event, RunFinished) or request.reuse is not Reuse.OFFER:
            return event
        found = await stored_run(Traces(self._database), job.owner, request.question)
        return event.with_earlier(found) if found else event

    async def _hold(self, job: Job, opened: asyncio.Future[Making]) -> None:
        """Renew the lease of ``job`` until it must be cancelled; end its search where asked to.

        Raises:
            TraceConflict: when it is over, or another worker has it.
        """
        with self._news.heard(wishes(job.run_id)) as bell:
            while True:
                await bell.wait(min(LOOK_S, self._policy.lease_s / RENEWALS))
                try:
                    wish = await self._jobs.renew(job, lease_s=self._policy.lease_s)
                except TraceConflict:
                    raise
                except StoreError as error:  # nobody can take it over while the database is away
                    logger.warning("run %s waits for the database: %s", job.run_id, error.message)
                    continue
                if wish is Wish.CANCEL:
                    return
                if opened.done():
                    await self._deliver(job, wish, opened.result())

    async def _deliver(self, job: Job, wish: Wish, making: Making) -> None:
        """Tell the run of ``job`` what its owner wants, and hand it a reply that it waits for."""
        if wish is Wish.FINISH:
            await making.journal.finish()
        asked = making.inquiry
        if asked is None or not making.inbox.waits:
            return
        try:
            given = await self._jobs.given_reply(job)
        except StoreError as error:
            logger.warning("a reply to run %s waits: %s", job.run_id, error.message)
            return
        if given and given.seq == asked.seq:  # and not one to what was asked before
            making.inbox.reply(asked.inquiry.id, given.reply)

    async def _fail(self, job: Job, message: str) -> None:
        """Say why a run ended, where it could not say so itself."""
        with suppress(TraceConflict):
            await self._jobs.end(job, TraceStatus.FAILED, message)
        await self._jobs.settle(job)

    async def _give_back(self, job: Job) -> None:
        """Let a run wait until the database can be used again: else it costs an attempt."""
        while True:
            await asyncio.sleep(TROUBLE_S)
            try:
                return await self._jobs.release(job)
            except StoreUnavailable:
                continue
            except StoreError as error:
                logger.warning("run %s is left to others: %s", job.run_id, error.message)
                return None

    async def _put_away(self, job: Job, doing: Coroutine[None, None, None]) -> None:
        try:
            await doing
        except TraceConflict:  # the worker that has it now stores its end
            logger.info("run %s is made elsewhere", job.run_id)
        except StoreError as error:
            logger.warning("the end of run %s could not be stored: %s", job.run_id, error.message)
        self._news.tell(job.run_id)
        await self._scrub()


def _is_dead(worker: str) -> bool:
    """Return whether a worker of that name was on this machine, and its process is gone.

    In a container a process has the same number after each restart, but its worker another name.
    """
    place, _, _ = worker.rpartition("-")
    node, _, pid = place.rpartition("-")
    if node != platform.node() or not pid.isdigit() or os.name != "posix":
        return False
    if int(pid) == os.getpid():
        return worker not in _OWN_NAMES
    try:
        os.kill(int(pid), 0)  # asks whether the process is there, and sends nothing
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


async def _stopped(*tasks: asyncio.Task[None]) -> list[BaseException | None]:
    """Cancel what is not over, and return how each ended."""
    for task in tasks:
        task.cancel()
    return await asyncio.gather(*tasks, return_exceptions=True)


def _left_s(job: Job, spent_s: float) -> float:
    """Return how many seconds the run of ``job`` may take, those it has ``spent_s`` included."""
    if job.deadline is None:
        return math.inf
    return spent_s + max(LEAST_S, (job.deadline - datetime.now(UTC)).total_seconds())


def _within(spec: RunSpec, seconds: float) -> RunSpec:
    """Return ``spec`` with times of at most ``seconds``."""
    settled = spec.settled or Settled.without_settings(spec.request)
    budgets = {
        name: budget.override({"max_execution_time_s": min(seconds, budget.max_execution_time_s)})
        for name, budget in settled.budgets.items()
    }
    limits = Limits(**settled.limits)
    if wanted := limits.get("max_execution_time_s"):
        limits["max_execution_time_s"] = min(seconds, wanted)
    within = settled.model_copy(update={"budgets": budgets, "limits": limits})
    return spec.model_copy(update={"settled": within})
