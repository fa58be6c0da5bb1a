"""Makes runs that others have asked for: any number of workers over one database.

A carrier delivers runs to a worker, which keeps every answer that it gets in the database and every
event in the run's trace. When it dies or freezes, the run is delivered to another one, which goes
over the kept answers and asks on from there: nothing is lost, and nothing is paid twice.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import platform
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from uuid import uuid4

from quaere.domain.budget import Limits
from quaere.domain.events import Event, InquiryRaised, Phase, RunFailed, RunFinished
from quaere.domain.report import EarlierRun
from quaere.domain.request import Reuse, RunSpec, Settled
from quaere.domain.trace import TraceStatus
from quaere.errors import (
    QuaereError,
    RunCancelled,
    StoreError,
    StoreUnavailable,
    TraceConflict,
)
from quaere.ports.read import MemoryPageStore
from quaere.resilience.timing import SystemClock
from quaere.runtime.engine import Engine, log_end
from quaere.runtime.logs import run_logged
from quaere.runtime.news import ENDED, QUEUE, Bell, News, Watch, wishes
from quaere.runtime.recorder import EventWriter
from quaere.runtime.redact import DiscreetHuman
from quaere.runtime.run import Inbox
from quaere.runtime.stored_runs import stored_run
from quaere.runtime.wiring import Tap, settled_of
from quaere.store.carriers import Carrier, Delivery
from quaere.store.fleet import Fleet, Orders, WorkerReport
from quaere.store.jobs import Job, Jobs, Wish, forget
from quaere.store.recording.job_journal import JobJournal
from quaere.store.recording.recording import Journal
from quaere.store.traces.privacy import Privacy, TraceRedactor
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.spool import Continuation
from quaere.store.traces.traces import Traces
from quaere.version import __version__
from quaere.view.reduce import Progress, Summary

BEATS = 3
"""Signs of life in the time of a lease: one that is missed does not cost the run."""
LOOK_S = 1.0
"""How often it is looked what is wanted of runs in progress, where nobody tells: one that is
cancelled is to end within two seconds."""
REPORT_S = 5.0
"""How often a worker reports itself, and hears what operators want of it."""
SWEEP_S = 5.0
"""How often some of the runs that are not over are offered to the carrier again."""
TIDY_S = 60.0
"""How often a worker that found nothing to do looks for what dead ones left behind."""
POLL_S = 0.25
"""How long a worker that found nothing to do waits before it looks again, where nobody tells."""
TROUBLE_S = 2.0
"""The same when the database could not be used."""
LEAST_S = 1.0
"""What a run that is begun is given at least, however near its deadline is."""

_OWN_NAMES: set[str] = set()
"""Workers of this process."""

logger = logging.getLogger(__name__)

T = TypeVar("T")

EngineFactory = Callable[[RunSpec, Tap], Engine]
"""Makes the engine for a run whose answers go through a tap."""


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
    """The parts of a run in progress through which the wishes of its owner reach it."""

    journal: Journal
    inbox: Inbox
    inquiry: InquiryRaised | None = None
    """What it has asked last, once its owner can see that."""


@dataclass(eq=False, slots=True)
class _Held:
    """A run in progress."""

    delivery: Delivery
    opened: asyncio.Future[Making]
    end: asyncio.Future[Wish]
    """`Wish.CANCEL` or `Wish.LEAVE`, once it is to end."""
    ended: bool = False
    """Whether its last event was kept, in the transaction that took it out of the queue."""


class Worker:
    """Takes runs from a database and makes them, until it is cancelled."""

    def __init__(
        self,
        carrier: Carrier,
        engines: EngineFactory,
        policy: WorkerPolicy = WorkerPolicy(),
        privacy: Privacy | None = None,
        news: News | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Make what ``carrier`` brings with what ``engines`` makes; keep what ``privacy`` allows.

        ``news`` tells others of each event, and this worker of new runs; ``watch`` is called with
        each event that was kept.
        """
        self.name = f"{platform.node()}-{os.getpid()}-{uuid4().hex[:8]}"
        _OWN_NAMES.add(self.name)
        self._carrier = carrier
        self._database = carrier.database
        self._engines = engines
        self._policy = policy
        self._privacy = privacy or Privacy()
        self._news = news or News()
        self._watch = watch
        self._jobs = Jobs(self._database)
        self._held: set[_Held] = set()
        self._wished = Bell()
        self._looking = asyncio.Lock()
        self._fleet = Fleet(self._database)
        self._orders = Orders(paused=False, drain=False)
        self._ended = self._takeovers = 0
        self._tidied = -TIDY_S

    async def run(self) -> None:
        """Work until cancelled, or until nothing waits where the policy says so.

        Unfinished runs are returned to the queue at once, with all recorded answers.
        """
        await self._succeed_the_dead()
        await self._reported()
        async with asyncio.TaskGroup() as tasks:
            doing = (self._hold(), self._sweep(), self._report())
            beside = [tasks.create_task(each) for each in doing]
            async with asyncio.TaskGroup() as slots:
                for _ in range(self._policy.concurrency):
                    slots.create_task(self._slot())
            for task in beside:
                task.cancel()

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
                delivery = await self._next()
            if delivery is None:
                return
            with run_logged(delivery.job.run_id):
                await self._make(delivery)

    async def _next(self) -> Delivery | None:
        """Wait for a run; None when none will come, where the policy is to leave then."""
        lease_s, per_user = self._policy.lease_s, self._policy.per_user
        with self._news.heard(QUEUE) as bell:
            while not self._orders.drain:
                try:
                    if self._orders.paused:
                        await bell.wait(POLL_S)
                        continue
                    taken = await self._carrier.take(self.name, lease_s=lease_s, per_user=per_user)
                    if taken:
                        return taken
                    await self._tidy()
                    if self._policy.drain and await self._jobs.idle():
                        return None
                    await bell.wait(await self._idle_s())
                except StoreError as error:
                    logger.warning("worker %s waits for runs: %s", self.name, error.message)
                    await asyncio.sleep(TROUBLE_S)
        return None

    async def _report(self) -> None:
        """Report this worker to its operators until it leaves."""
        try:
            while True:
                await asyncio.sleep(REPORT_S)
                await asyncio.shield(self._reported())
        finally:
            with suppress(StoreError):
                await self._fleet.leave(self.name)

    @property
    def busy(self) -> int:
        """The number of runs that it makes now."""
        return len(self._held)

    async def _reported(self) -> None:
        """Report this worker, and hear what it is to do."""
        report = WorkerReport(
            name=self.name,
            version=__version__,
            places=self._policy.concurrency,
            busy=self.busy,
            ended=self._ended,
            takeovers=self._takeovers,
        )
        try:
            self._orders = await self._fleet.report(report)
        except StoreError as error:
            logger.info("worker %s is not reported: %s", self.name, error.message)

    async def _idle_s(self) -> float:
        """Return how long to wait for a run: of one whose worker has died nobody tells."""
        look_s = self._news.look_s(POLL_S)
        if self._policy.drain or look_s <= POLL_S:
            return POLL_S
        return min(look_s, max(POLL_S, await self._carrier.due_s()))

    async def _sweep(self) -> None:
        """Offer runs again that the carrier may have lost."""
        while True:
            try:
                lost = await self._carrier.sweep()
            except StoreError as error:
                logger.info("runs are not offered again: %s", error.message)
                lost = False
            await asyncio.sleep(0 if lost else SWEEP_S)

    async def _tidy(self) -> None:
        now = time.monotonic()
        if now - self._tidied >= TIDY_S:
            self._tidied = now
            await self._jobs.tidy(given_up=not self._privacy.whole)
            await self._scrub()

    async def _scrub(self) -> None:
        """Let nothing stay of what a run was asked and told, where that is not to be kept."""
        if not self._privacy.whole:
            await self._database.scrub()

    async def _make(self, delivery: Delivery) -> None:
        """Make a run; whatever becomes of it, this worker goes on."""
        job, loop = delivery.job, asyncio.get_running_loop()
        logger.info("run %s begins, attempt %d", job.run_id, job.attempt)
        held = _Held(delivery, loop.create_future(), loop.create_future())
        self._held.add(held)
        self._takeovers += job.taken_over
        making = asyncio.create_task(self._run(held))
        try:
            with self._news.heard(wishes(job.run_id), self._wished):
                await asyncio.wait([making, held.end], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # this worker leaves
            await _stopped(making)
            await self._put_away(job, self._release(delivery))
            raise
        finally:
            self._held.discard(held)
        made = await _stopped(making)
        if isinstance(made, TraceConflict):
            await self._let_go(delivery, made.message)
        elif held.ended and made is None:
            await self._put_away(job, self._done(delivery))
        elif not isinstance(made, asyncio.CancelledError):
            await self._conclude(delivery, made)
        elif held.end.result() is Wish.CANCEL:
            await self._put_away(job, self._cancelled(delivery))
        else:
            await self._let_go(delivery, "It has ended, or another worker has it.")

    async def _let_go(self, delivery: Delivery, reason: str) -> None:
        """Leave a run that this worker can no longer write to, as it may one that froze.

        The delivery is not settled, as it may be another worker's by now. A run that has just ended
        here is not to be written to, either, but nobody else has it.
        """
        job = delivery.job
        try:
            ended = await self._jobs.ended(job)
        except StoreError as error:
            logger.warning("run %s is left to others: %s", job.run_id, error.message)
            return
        if ended:
            await self._conclude(delivery, None)
        else:
            logger.warning("run %s goes on elsewhere: %s", job.run_id, reason)

    async def _conclude(self, delivery: Delivery, error: BaseException | None) -> None:
        """Record the end of a run, which finished by itself or by ``error``."""
        job = delivery.job
        match error:
            case StoreUnavailable():
                logger.warning("run %s waits for the database: %s", job.run_id, error.message)
                await self._give_back(delivery)
            case StoreError():  # the attempt counts: the run may be one that no database takes
                logger.warning("run %s is left to others: %s", job.run_id, error.message)
            case None:
                await self._put_away(job, self._settle(delivery))
            case QuaereError():
                message = self._privacy.message(error.message)
                await self._put_away(job, self._fail(delivery, message))
            case _:
                logger.error("bug in run %s", job.run_id, exc_info=error)

    async def _run(self, held: _Held) -> None:
        job = held.delivery.job
        kept, making = await self._opened(held)
        journal = making.journal
        pages = MemoryPageStore()
        redactor = TraceRedactor(self._privacy, pages.passage)
        log, continuation = await self._log(job)
        left_s = may_take_s(job, max((recorded.at for recorded in kept.past), default=0.0))
        spec = _within(job.spec, left_s)
        try:
            made = await asyncio.to_thread(self._engines, spec, journal)
        except StoreError:
            raise
        except QuaereError as error:
            last = continuation.after_all(_unbegun(spec, error))
            async with EventWriter(log, partial(self._tell, job)) as writer:
                writer.add(redactor.take(last))
            held.ended = log.over
            return
        engine = replace(
            made,
            pages=lambda: pages,
            human=journal.human(DiscreetHuman(making.inbox, self._privacy)),
            stop_requested=lambda: journal.finishing,
            profiles=settled_of(spec).budgets,
        )
        async with (
            self._similar(job) as similar,
            EventWriter(log, partial(self._tell, job)) as writer,
            aclosing(engine.stream(spec)) as events,
        ):
            async for event in events:
                kept.check()
                placed, fresh = continuation.placed(event)
                if isinstance(placed, InquiryRaised):
                    making.inquiry = placed
                taken = redactor.take(await _with_earlier(placed, similar))
                if fresh:
                    writer.add(taken)
        held.ended = log.over

    async def _opened(self, held: _Held) -> tuple[JobJournal, Making]:
        """Return what is kept of a run, and the run to those that want something of it."""
        job, database = held.delivery.job, self._database
        kept = JobJournal(database, job, {}) if job.fresh else await JobJournal.open(database, job)
        journal = Journal(kept, SystemClock(), kept.past)
        making = Making(journal, Inbox(self._policy.reply_s))
        held.opened.set_result(making)
        if job.finish:
            await journal.finish_later()
        return kept, making

    def _tell(self, job: Job, events: Sequence[Event]) -> None:
        """Tell others in this process of events that were kept."""
        self._news.tell(job.run_id, events)
        for event in events:
            if self._watch:
                self._watch(job, event)

    async def _log(self, job: Job) -> tuple[TraceLog, Continuation]:
        """Return where the events of a run go, and what places them behind those it has."""
        traces = Traces(self._database, ending=forget)
        logged = () if job.fresh else await traces.events(job.owner, job.run_id)
        log = TraceLog(traces, job.owner, job.run_id, Summary(), fence=job.fence, events=logged)
        return log, Continuation(logged)

    @asynccontextmanager
    async def _similar(self, job: Job) -> AsyncGenerator[asyncio.Task[EarlierRun | None] | None]:
        """Look for an earlier run that asked nearly the same while the run is made."""
        request = job.spec.request
        if request.reuse is not Reuse.OFFER:
            yield None
            return
        looking = asyncio.create_task(
            stored_run(Traces(self._database), job.owner, request.question)
        )
        try:
            yield looking
        finally:
            await _stopped(looking)

    async def _hold(self) -> None:
        """Give signs of life of all runs in progress, and hear what is wanted of them."""
        every_s, given = self._policy.lease_s / BEATS, 0.0
        while True:
            await self._wished.wait(min(self._news.look_s(LOOK_S), every_s))
            held = [*self._held]
            if not held:
                continue
            beats = (now := time.monotonic()) - given >= every_s / 2
            given = now if beats else given
            # A transaction that is interrupted may keep the file locked for a while.
            await asyncio.shield(self._look(held, beats=beats))

    async def _look(self, held: Sequence[_Held], *, beats: bool) -> None:
        if beats:
            await self._beat(held)
        try:
            wanted = await self._jobs.wishes([each.delivery.job for each in held])
            for each, wish in zip(held, wanted, strict=True):
                await self._hear(each, wish)
        except StoreError as error:
            logger.warning("worker %s waits for the database: %s", self.name, error.message)

    async def _beat(self, held: Sequence[_Held]) -> None:
        deliveries = [each.delivery for each in held]
        try:
            await self._carrier.beat(deliveries, lease_s=self._policy.lease_s)
        except StoreError as error:  # with the database away, nobody can take them over
            logger.warning("worker %s gives no sign of life: %s", self.name, error.message)

    async def _hear(self, held: _Held, wish: Wish) -> None:
        """Have a run do what its owner wants."""
        if wish in (Wish.CANCEL, Wish.LEAVE):
            if not held.end.done():
                held.end.set_result(wish)
        elif held.opened.done():
            await self._deliver(held.delivery.job, wish, held.opened.result())

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

    async def _settle(self, delivery: Delivery) -> None:
        if await self._jobs.settle(delivery.job):
            await self._done(delivery)

    async def _done(self, delivery: Delivery) -> None:
        self._ended += 1
        await self._said(delivery, delivery.done())

    async def _cancelled(self, delivery: Delivery) -> None:
        await self._jobs.end(delivery.job, TraceStatus.CANCELLED)
        if self._watch:  # the log of a run that a worker cancels has no last event
            error = RunCancelled(f"The run {delivery.job.run_id} was cancelled.")
            end = RunFailed(error_type=error.type, message=error.message, retryable=False)
            self._watch(delivery.job, end)
        await self._said(delivery, delivery.done())

    async def _release(self, delivery: Delivery) -> None:
        await self._jobs.release(delivery.job)
        await self._said(delivery, delivery.back())

    async def _fail(self, delivery: Delivery, message: str) -> None:
        """Say why a run ended, where it could not say so itself."""
        with suppress(TraceConflict):
            await self._jobs.end(delivery.job, TraceStatus.FAILED, message)
        await self._settle(delivery)

    async def _said(self, delivery: Delivery, saying: Coroutine[None, None, None]) -> None:
        """Tell the carrier that a run has ended or was released, as the database says already."""
        try:
            await saying
        except StoreError as error:
            logger.info("run %s will be delivered again: %s", delivery.job.run_id, error.message)

    async def _give_back(self, delivery: Delivery) -> None:
        """Let a run wait until the database can be used again: else it costs an attempt."""
        while True:
            await asyncio.sleep(TROUBLE_S)
            try:
                return await self._release(delivery)
            except StoreUnavailable:
                continue
            except StoreError as error:
                message = error.message
                logger.warning("run %s is left to others: %s", delivery.job.run_id, message)
                return None

    async def _put_away(self, job: Job, doing: Coroutine[None, None, None]) -> None:
        try:
            await doing
        except TraceConflict:  # the worker that has it now stores its end
            logger.info("run %s is made elsewhere", job.run_id)
        except StoreError as error:
            logger.warning("the end of run %s could not be stored: %s", job.run_id, error.message)
        self._news.tell(job.run_id)
        self._news.ring(ENDED)
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


async def _stopped(task: asyncio.Task[T]) -> T | BaseException:
    """Cancel ``task`` if it is not over, and return how it ended."""
    task.cancel()
    (ended,) = await asyncio.gather(task, return_exceptions=True)
    return ended


async def _with_earlier(event: Event, similar: asyncio.Task[EarlierRun | None] | None) -> Event:
    """Return ``event``; the end of a run with an earlier one that asked nearly the same."""
    if similar is None or not isinstance(event, RunFinished):
        return event
    found = await similar
    return event.with_earlier(found) if found else event


def may_take_s(job: Job, spent_s: float) -> float:
    """Return how many seconds the run of ``job`` may take, those it has ``spent_s`` included."""
    return math.inf if job.left_s is None else spent_s + max(LEAST_S, job.left_s)


def _unbegun(spec: RunSpec, error: QuaereError) -> RunFailed:
    """Return the only event of a run that cannot begin, and log its end."""
    last = RunFailed(
        run_id=spec.run_id,
        at=SystemClock().now().isoformat(timespec="milliseconds"),
        phase=Phase.FINALIZING,
        error_type=error.type,
        message=error.message,
        retryable=error.retryable,
    )
    log_end(spec, Progress(), last)
    return last


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
