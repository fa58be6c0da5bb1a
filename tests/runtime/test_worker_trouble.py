"""Workers among dead ones, with carriers that lose runs, databases that fail, and bugs."""

from __future__ import annotations

import asyncio
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import cast

import pytest
from sqlalchemy import select, update
from tests.graphs.team import FLAX, TWO, team
from tests.graphs.world import HOP
from tests.runtime.test_worker import OWNER, QUICK, Narrow, Place, finished, left_over
from tests.services.postgres import Server
from tests.store.job import first_job

from quaere.domain.events import Event, InquiryRaised, RunFailed
from quaere.domain.request import RunSpec
from quaere.domain.team import Reply
from quaere.domain.trace import TraceStatus
from quaere.errors import SearchError, StoreError, StoreUnavailable
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.runtime import worker as worker_module
from quaere.runtime.engine import Engine
from quaere.runtime.news import News
from quaere.runtime.stored_runs import StoredRun
from quaere.runtime.wiring import Tap, tapped
from quaere.runtime.worker import LEAST_S, Worker, WorkerPolicy, may_take_s
from quaere.store.carriers import Carrier, Delivery
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, tool_traces
from quaere.store.fleet import Fleet
from quaere.store.jobs import Job, Jobs
from quaere.store.submission import Entry
from quaere.store.traces.privacy import Privacy
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

SOON_S = 30.0
STAYING = WorkerPolicy(concurrency=1, lease_s=60.0)


@pytest.fixture
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Place]:
    async with Database.file(tmp_path_factory.mktemp("data") / "q.db") as database:
        yield Place(database)


@asynccontextmanager
async def working(worker: Worker) -> AsyncGenerator[None]:
    """Have ``worker`` work meanwhile."""
    task = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


# The dead


def ended_process() -> int:
    """Return the number of a process that is not there any more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


async def holders(place: Place, *names: str) -> set[str]:
    """Return who of the workers ``names`` still holds a run after a new one has begun."""
    await Fleet(place.database).pause()  # it takes no run
    for number, name in enumerate(names):
        await place.submit(f"run-{number}")
        taken = await DatabaseCarrier(place.database).take(name, lease_s=3_600.0)
        assert taken
    async with working(place.worker(STAYING)), asyncio.timeout(SOON_S):
        while not (await Fleet(place.database).status()).workers:  # noqa: ASYNC110 - it reports
            await asyncio.sleep(0.02)
    return set(await Jobs(place.database).holders())


async def test_runs_of_dead_processes_of_this_machine_are_free_at_once(place: Place) -> None:
    node, dead, parent = platform.node(), ended_process(), os.getppid()
    living = {
        f"elsewhere-{dead}-1a2b3c4d",
        f"{node}-{parent}-1a2b3c4d",
        f"{node}-x{dead}-1a2b3c4d",
        place.worker().name,  # of this process, which is there
    }
    assert await holders(place, *living, f"{node}-{dead}-1a2b3c4d") == living


async def test_a_container_that_starts_again_has_another_worker_of_the_same_number(
    place: Place,
) -> None:
    assert await holders(place, f"{platform.node()}-{os.getpid()}-1a2b3c4d") == set()


async def test_who_is_dead_is_not_known_of_workers_of_many_machines(postgres: Server) -> None:
    """Two containers may have the same name and numbers."""
    async with Database(postgres.create()) as database:
        await database.upgrade()
        name = f"{platform.node()}-{ended_process()}-1a2b3c4d"
        assert await holders(Place(database), name) == {name}


# What carriers lose


class Losing(DatabaseCarrier):
    """Says at each sweep what the next of ``says`` is, or raises it; then that all is there."""

    def __init__(self, database: Database, *says: bool | StoreError) -> None:
        super().__init__(database)
        self.says = [*says]
        self.swept = 0

    async def sweep(self) -> bool:
        self.swept += 1
        said = self.says.pop(0) if self.says else False
        if isinstance(said, StoreError):
            raise said
        return said


async def test_a_carrier_that_has_lost_much_is_given_all_of_it_without_a_pause(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "SWEEP_S", 100.0)
    carrier = Losing(place.database, *[True] * 50)
    began = time.monotonic()
    async with working(Worker(carrier, place.engine, STAYING)), asyncio.timeout(SOON_S):
        while carrier.swept < 51:  # noqa: ASYNC110 - the worker does it
            await asyncio.sleep(0.01)
        assert time.monotonic() - began < 25
        await asyncio.sleep(0.2)
        assert carrier.swept == 51, "then it waits"


async def test_a_sweep_that_fails_is_made_again_later(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "SWEEP_S", 0.1)
    carrier = Losing(place.database, StoreUnavailable("away"), StoreUnavailable("away"))
    began = time.monotonic()
    async with working(Worker(carrier, place.engine, STAYING)), asyncio.timeout(SOON_S):
        while carrier.swept < 4:  # noqa: ASYNC110 - the worker does it
            await asyncio.sleep(0.01)
    assert time.monotonic() - began >= 0.29


# Looking for runs


class Idle(DatabaseCarrier):
    """Counts how often it is asked for a run."""

    def __init__(self, database: Database, due_s: float) -> None:
        super().__init__(database)
        self.looks = 0
        self._due_s = due_s

    async def take(
        self, worker: str, *, lease_s: float, per_user: int | None = None
    ) -> Delivery | None:
        self.looks += 1
        return None

    async def due_s(self) -> float:
        return self._due_s


class Waking(News):
    """Has others tell of what is new."""

    def look_s(self, seconds: float) -> float:
        return max(seconds, 60.0)


@pytest.mark.parametrize(
    ("told", "due_s", "often"),
    [(False, math.inf, True), (True, math.inf, False), (True, 0.0, True), (True, 0.2, True)],
    ids=["nobody tells", "told", "due now", "due soon"],
)
async def test_an_idle_worker_looks_when_a_run_may_be_there_of_which_nobody_tells(
    place: Place, monkeypatch: pytest.MonkeyPatch, *, told: bool, due_s: float, often: bool
) -> None:
    monkeypatch.setattr(worker_module, "POLL_S", 0.05)
    carrier = Idle(place.database, due_s)
    news = Waking() if told else News()
    worker = Worker(carrier, place.engine, STAYING, news=news)
    async with working(worker), asyncio.timeout(SOON_S):
        while not carrier.looks:  # noqa: ASYNC110 - the worker does it
            await asyncio.sleep(0.01)
        began = time.monotonic()
        while often and carrier.looks < 4:  # noqa: ASYNC110 - the worker does it
            await asyncio.sleep(0.01)
        took_s = time.monotonic() - began
        await asyncio.sleep(0.3)
    assert often or carrier.looks == 1
    if often:
        assert took_s >= 3 * max(due_s if told else 0.0, 0.05) * 0.9, "and not all the time"


# What dead workers leave


@pytest.mark.parametrize(
    "privacy",
    [Privacy(), Privacy(questions=False), Privacy(pages=False)],
    ids=["kept", "questions withheld", "pages withheld"],
)
async def test_what_dead_workers_left_is_cleared_away_now_and_then(
    place: Place, monkeypatch: pytest.MonkeyPatch, privacy: Privacy
) -> None:
    """What was given up stays for an operator, where all that it holds may be kept."""
    all_kept = privacy == Privacy()
    monkeypatch.setattr(worker_module, "POLL_S", 0.02)
    tidied: list[bool] = []
    scrubbed: list[bool] = []
    tidy = Jobs.tidy

    async def noted(self: Jobs, *, given_up: bool = False) -> None:
        tidied.append(given_up)
        await tidy(self, given_up=given_up)

    async def scrub(_: Database) -> None:
        scrubbed.append(True)

    monkeypatch.setattr(Jobs, "tidy", noted)
    monkeypatch.setattr(Database, "scrub", scrub)
    for name in ("ended", "given-up"):
        await place.submit(name)
    async with place.database.write() as connection:
        await connection.execute(update(tool_traces).values(status=str(TraceStatus.FAILED)))
        late = update(jobs).where(jobs.c.run_id == "given-up")
        await connection.execute(late.values(given_up_at=datetime.now(UTC)))
    idle = Idle(place.database, math.inf)
    worker = Worker(idle, place.engine, STAYING, privacy)
    async with working(worker), asyncio.timeout(SOON_S):
        while idle.looks < 5:  # noqa: ASYNC110 - the worker does it
            await asyncio.sleep(0.01)
    assert tidied == [not all_kept], "once a minute"
    assert bool(scrubbed) is not all_kept
    async with place.database.read() as connection:
        left = (await connection.execute(select(jobs.c.run_id))).scalars().all()
    assert left == (["given-up"] if all_kept else [])
    monkeypatch.setattr(worker_module, "TIDY_S", 0.0)
    async with working(worker), asyncio.timeout(SOON_S):
        while len(tidied) < 3:  # noqa: ASYNC110 - the worker does it
            await asyncio.sleep(0.01)


# Runs that fail


@dataclass
class Failing:
    """Makes no engine the first time, and those of a place later."""

    place: Place
    error: Exception
    times: int = 1
    made: int = 0

    def __call__(self, spec: RunSpec, tap: Tap) -> Engine:
        self.made += 1
        if self.made <= self.times:
            raise self.error
        return self.place.engine(spec, tap)


def worker_of(place: Place, engines: Failing, policy: WorkerPolicy = QUICK) -> Worker:
    return Worker(DatabaseCarrier(place.database), engines, policy)


async def attempts(place: Place) -> list[int]:
    async with place.database.read() as connection:
        return list((await connection.execute(select(jobs.c.attempts))).scalars())


async def test_a_database_that_is_away_costs_a_run_no_attempt(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "TROUBLE_S", 0.1)
    release, refused = Jobs.release, [StoreUnavailable("still away")] * 2

    async def released(self: Jobs, job: Job) -> None:
        assert await attempts(place) == [1]
        if refused:
            raise refused.pop()
        await release(self, job)
        assert await attempts(place) == [0]

    monkeypatch.setattr(Jobs, "release", released)
    await place.submit("a")
    engines = Failing(place, StoreUnavailable("away"))
    began = time.monotonic()
    policy = replace(QUICK, lease_s=60.0)
    await asyncio.wait_for(worker_of(place, engines, policy).run(), SOON_S)
    assert time.monotonic() - began >= 0.29, "it waits each time"
    assert (engines.made, refused) == (2, [])
    await finished(place, "a")


async def test_a_run_that_cannot_be_given_back_is_left_to_whom_its_lease_leaves_it(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker_module, "TROUBLE_S", 0.05)

    async def released(_self: Jobs, _job: Job) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Jobs, "release", released)
    await place.submit("a")
    engines = Failing(place, StoreUnavailable("away"))
    await asyncio.wait_for(worker_of(place, engines).run(), SOON_S)
    await finished(place, "a")
    assert "run a is left to others: the disk is full" in caplog.text


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (StoreError("no database takes it"), "run a is left to others: no database takes it"),
        (ZeroDivisionError("oops"), "bug in run a"),
    ],
)
async def test_a_run_that_broke_in_one_worker_is_tried_by_another_at_the_end_of_its_lease(
    place: Place, caplog: pytest.LogCaptureFixture, error: Exception, told: str
) -> None:
    await place.submit("a")
    engines = Failing(place, error)
    began = time.monotonic()
    await asyncio.wait_for(worker_of(place, engines).run(), SOON_S)
    assert time.monotonic() - began >= QUICK.lease_s * 0.9
    assert engines.made == 2
    assert told in caplog.text
    await finished(place, "a")


class Refused(DatabaseCarrier):
    """Cannot be told that a run has ended."""

    async def take(
        self, worker: str, *, lease_s: float, per_user: int | None = None
    ) -> Delivery | None:
        found = await super().take(worker, lease_s=lease_s, per_user=per_user)
        return cast("Delivery", Silent(found.job)) if found else None


@dataclass
class Silent:
    """A delivery of which nothing can be said."""

    job: Job

    async def done(self) -> None:
        raise StoreUnavailable("the carrier is away")

    async def back(self) -> None:
        raise StoreUnavailable("the carrier is away")


async def test_a_carrier_that_cannot_be_told_of_an_end_costs_nothing(place: Place) -> None:
    for name in ("a", "b"):
        await place.submit(name)
    worker = Worker(Refused(place.database), place.engine, replace(QUICK, concurrency=1))
    await asyncio.wait_for(worker.run(), SOON_S)
    assert await place.statuses() == [TraceStatus.COMPLETED] * 2
    assert await left_over(place) == 0


async def test_what_goes_wrong_within_a_run_is_the_reason_of_its_end(place: Place) -> None:
    class Breaking(Engine):
        async def stream(self, spec: RunSpec) -> AsyncGenerator[Event]:
            if spec:
                raise SearchError("Nobody answers qk_secret.")
            async for event in super().stream(spec):
                yield event

    def engines(spec: RunSpec, tap: Tap) -> Engine:
        made = place.engine(spec, tap)
        return Breaking(**{each.name: getattr(made, each.name) for each in fields(made)})

    await place.submit("a")
    privacy = Privacy(redact=lambda text: text.replace("qk_secret", "***"))
    worker = Worker(DatabaseCarrier(place.database), engines, QUICK, privacy)
    await asyncio.wait_for(worker.run(), SOON_S)
    trace = await Traces(place.database).get_trace(OWNER, "a")
    assert (trace.status, trace.error_message) == (TraceStatus.FAILED, "Nobody answers ***.")
    assert await attempts(place) == [], "it is out of the queue"


async def test_who_watches_is_told_of_a_run_that_is_cancelled(place: Place) -> None:
    place.wait_s = 60.0
    told: list[Event] = []
    worker = Worker(
        DatabaseCarrier(place.database),
        place.engine,
        replace(QUICK, lease_s=60.0),
        watch=lambda _job, event: told.append(event),
    )
    await place.submit("a")
    making = asyncio.create_task(worker.run())
    async with asyncio.timeout(SOON_S):
        while not told:  # noqa: ASYNC110 - the worker tells
            await asyncio.sleep(0.02)
        await Jobs(place.database).cancel(OWNER, "a")
        await making
    last = told[-1]
    assert isinstance(last, RunFailed)
    assert (last.error_type, last.retryable) == ("run_cancelled", False)
    assert last.message == "The run a was cancelled."
    assert sum(isinstance(each, RunFailed) for each in told) == 1


class Approving(Place):
    """A place whose runs show their topics before they research them, at leisure."""

    def engine(self, spec: RunSpec, tap: Tap) -> Engine:
        made = team(ExtractiveReasoner(), Narrow(self.asked, self.wait_s), approve_plan=True)
        return tapped(made, spec, tap)


async def test_a_reply_is_handed_over_once_however_often_it_is_looked_for(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run goes on for a while after it, and waits for nothing."""
    monkeypatch.setattr(worker_module, "LOOK_S", 0.02)
    approving = Approving(place.database, wait_s=0.2)
    spec = RunSpec.of(TWO, run_id="a", strategy="supervisor")
    await Jobs(place.database).submit(Entry.of(OWNER, spec, params={}))
    making = asyncio.create_task(approving.worker(replace(QUICK, lease_s=60.0)).run())
    run = StoredRun("a", OWNER, Traces(place.database))
    async with asyncio.timeout(SOON_S):
        async for event in run.events():
            if isinstance(event, InquiryRaised):
                await run.reply(event.inquiry.id, Reply(topics=(FLAX,)))
                break
        assert (await run.report()).dispatched_topics == (FLAX,)
        await making
    assert await place.statuses() == [TraceStatus.COMPLETED]


# Time


class Beating(DatabaseCarrier):
    """Notes when its worker gives signs of life."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.at: list[float] = []

    async def beat(self, held: Sequence[Delivery], *, lease_s: float) -> None:
        self.at.append(time.monotonic())
        await super().beat(held, lease_s=lease_s)


async def test_signs_of_life_come_three_times_in_a_lease(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "LOOK_S", 60.0)
    place.wait_s = 60.0
    await place.submit("a")
    carrier = Beating(place.database)
    worker = Worker(cast("Carrier", carrier), place.engine, replace(STAYING, lease_s=1.5))
    async with working(worker), asyncio.timeout(10.0):
        while len(carrier.at) < 4:  # noqa: ASYNC110 - the worker gives them
            await asyncio.sleep(0.02)
    assert carrier.at[3] - carrier.at[0] >= 3 * 0.45


@pytest.mark.parametrize(
    ("left_s", "spent_s", "whole_s"),
    [(None, 7.0, math.inf), (90.0, 0.0, 90.0), (90.0, 7.0, 97.0), (-3.0, 7.0, 7.0 + LEAST_S)],
)
def test_a_run_may_take_what_it_has_spent_and_what_is_left_to_its_deadline(
    left_s: float | None, spent_s: float, whole_s: float
) -> None:
    job = replace(first_job(RunSpec.of(HOP)), left_s=left_s)
    assert may_take_s(job, spent_s) == whole_s
