"""Carriers: what brings runs to workers, all held to the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import select, update
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import Shelf
from tests.services.nats import Server as Nats
from tests.services.postgres import Server as Postgres

from quaere.domain.model import Completion
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import SettingsError, StoreUnavailable, TraceConflict
from quaere.runtime.engine import Engine
from quaere.runtime.wiring import Tap, tapped
from quaere.runtime.worker import Worker, WorkerPolicy
from quaere.store.carriers import QUEUE, Carrier, Delivery
from quaere.store.carriers.database import MAX_ATTEMPTS, DatabaseCarrier, Denied, take
from quaere.store.carriers.nats import LOOKS, Address, NatsCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, tool_traces
from quaere.store.jobs import Job, Jobs, Wish, end_run
from quaere.store.recording.entries import ModelAnswer, Recorded
from quaere.store.recording.job_journal import JobJournal
from quaere.store.submission import Entry
from quaere.store.traces.traces import Traces
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")
LEASE_S = 1.0
SOON_S = 20.0
"""How long a run may take that is certain to come: other tests keep the machine busy."""


@dataclass
class Fleet:
    """A database with runs, and carriers as several processes have them."""

    database: Database
    nats_url: str = ""

    def carrier(self) -> Carrier:
        if self.nats_url:
            return NatsCarrier(self.nats_url, self.database)
        return DatabaseCarrier(self.database)

    @property
    def jobs(self) -> Jobs:
        return Jobs(self.database)

    async def ask(
        self, name: str, owner: Owner = ANN, *, priority: int = 0, late_s: float | None = None
    ) -> None:
        """Keep a run in the database, and offer it to nobody."""
        deadline = None if late_s is None else datetime.now(UTC) - timedelta(seconds=late_s)
        spec = RunSpec.of(f"What is {name}?", run_id=name)
        await self.jobs.submit(
            Entry.of(owner, spec, params={}, priority=priority, deadline=deadline)
        )

    async def status(self, name: str, owner: Owner = ANN) -> TraceStatus:
        return (await Traces(self.database).get_trace(owner, name)).status


@pytest.fixture(params=["sqlite", "postgres", "nats"])
async def fleet(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Fleet]:
    if request.param == "sqlite":
        url, nats_url = f"sqlite:///{tmp_path / 'quaere.db'}", ""
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        url, nats_url = postgres.create(), ""
    if request.param == "nats":
        running: Nats = request.getfixturevalue("nats")
        nats_url = running.create()
    async with Database(url) as database:
        await database.upgrade()
        yield Fleet(database, nats_url)


@pytest.fixture
async def carrier(fleet: Fleet) -> AsyncGenerator[Carrier]:
    made = fleet.carrier()
    yield made
    await made.aclose()


@asynccontextmanager
async def another(fleet: Fleet) -> AsyncGenerator[Carrier]:
    """Yield the carrier of another process."""
    made = fleet.carrier()
    try:
        yield made
    finally:
        await made.aclose()


async def offered(fleet: Fleet, carrier: Carrier, *names: str, owner: Owner = ANN) -> None:
    for name in names:
        await fleet.ask(name, owner)
        await carrier.offer(name, 0)


async def taken(
    carrier: Carrier, worker: str = "w", *, lease_s: float = 60.0, per_user: int | None = None
) -> Delivery:
    """Return the next run, for which a lease may have to end first."""
    async with asyncio.timeout(SOON_S):
        while True:
            found = await carrier.take(worker, lease_s=lease_s, per_user=per_user)
            if found:
                return found
            await asyncio.sleep(0.05)


async def nothing(carrier: Carrier, *, lease_s: float = 60.0, per_user: int | None = None) -> bool:
    return await carrier.take("w", lease_s=lease_s, per_user=per_user) is None


async def test_a_run_that_is_offered_twice_is_brought_once(fleet: Fleet, carrier: Carrier) -> None:
    await offered(fleet, carrier, "a")
    async with another(fleet) as second:
        await second.offer("a", 0)
        await second.sweep()
        assert (await taken(carrier)).job.run_id == "a"
        await carrier.offer("a", 0)
        assert await nothing(carrier)
        assert await nothing(second)


async def test_ids_of_runs_may_hold_anything_printable(fleet: Fleet, carrier: Carrier) -> None:
    names = {"a.b", "*", ">", "a:b~c", "x" * 64}
    await offered(fleet, carrier, *names)
    assert {(await taken(carrier)).job.run_id for _ in names} == names


async def test_runs_are_brought_by_priority_then_by_age(fleet: Fleet, carrier: Carrier) -> None:
    for name, priority in (("a", 0), ("low", -3), ("b", 0), ("high", 7), ("c", 0)):
        await fleet.ask(name, priority=priority)
        await carrier.offer(name, priority)
    order = [(await taken(carrier)).job.run_id for _ in range(5)]
    assert order == ["high", "a", "b", "c", "low"]


async def test_many_workers_at_once_never_get_the_same_run(fleet: Fleet, carrier: Carrier) -> None:
    names = {f"run-{number}" for number in range(12)}
    await offered(fleet, carrier, *names)
    async with another(fleet) as second:
        each = [(carrier, second)[number % 2] for number in range(12)]
        found = await asyncio.gather(*(taken(one, f"w{n}") for n, one in enumerate(each)))
    assert {delivery.job.run_id for delivery in found} == names
    assert {delivery.job.fence for delivery in found} == {1}


async def test_a_run_stays_with_a_worker_that_gives_signs_of_life(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a")
    mine = await taken(carrier, lease_s=LEASE_S)
    async with another(fleet) as second:
        for _ in range(12):
            await asyncio.sleep(LEASE_S / 4)
            await carrier.beat([mine], lease_s=LEASE_S)
            assert await nothing(second, lease_s=LEASE_S)
        assert await fleet.jobs.wishes([mine.job]) == [Wish.CONTINUE]


async def test_a_run_of_a_silent_worker_goes_to_another_and_the_first_is_fenced(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a")
    first = await taken(carrier, "frozen", lease_s=LEASE_S)
    async with another(fleet) as other:
        second = await taken(other, lease_s=LEASE_S)
        assert (second.job.fence, second.job.attempt) == (2, 2)
        assert second.job.taken_over
        assert await fleet.jobs.wishes([first.job, second.job]) == [Wish.LEAVE, Wish.CONTINUE]
        for refused in (
            fleet.jobs.release(first.job),
            fleet.jobs.end(first.job, TraceStatus.FAILED),
        ):
            with pytest.raises(TraceConflict):
                await refused
        assert not await fleet.jobs.settle(first.job), "it may not say that the run is done"
        await carrier.beat([first], lease_s=LEASE_S)
        third = await taken(carrier, lease_s=LEASE_S)
        assert third.job.fence == 3, "a woken worker keeps nobody from taking over again"


async def test_an_idle_worker_knows_when_to_look_for_the_run_of_a_dead_one(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a")
    async with another(fleet) as other:
        assert await nothing(other, lease_s=LEASE_S) is False, "the first worker has it and dies"
        looks = 0
        async with asyncio.timeout(SOON_S):
            while await other.take("idle", lease_s=LEASE_S) is None:
                due_s = await other.due_s()
                assert due_s <= LEASE_S
                await asyncio.sleep(due_s + 0.01)
                looks += 1
    assert looks <= 2 * LOOKS, "it does not look all the time"


async def test_a_run_that_has_ended_is_brought_to_nobody(fleet: Fleet, carrier: Carrier) -> None:
    await offered(fleet, carrier, "a")
    mine = await taken(carrier, lease_s=LEASE_S)
    await fleet.jobs.end(mine.job, TraceStatus.FAILED, "it cannot begin")
    await mine.done()
    await carrier.offer("a", 0)  # as whoever swept a moment ago may
    await asyncio.sleep(2 * LEASE_S)
    assert await nothing(carrier, lease_s=LEASE_S)
    assert await fleet.status("a") is TraceStatus.FAILED


async def test_a_run_whose_end_was_not_told_is_not_made_again(
    fleet: Fleet, carrier: Carrier
) -> None:
    """Its worker was killed between the transaction and the acknowledgement."""
    await offered(fleet, carrier, "a")
    mine = await taken(carrier, lease_s=LEASE_S)
    await fleet.jobs.end(mine.job, TraceStatus.CANCELLED)
    await asyncio.sleep(2 * LEASE_S)
    assert await nothing(carrier, lease_s=LEASE_S)
    assert await fleet.status("a") is TraceStatus.CANCELLED


async def test_a_run_that_is_given_back_is_there_at_once_and_costs_no_attempt(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a")
    mine = await taken(carrier)
    await fleet.jobs.release(mine.job)
    await mine.back()
    async with another(fleet) as second, asyncio.timeout(SOON_S):
        again = await taken(second)
    assert (again.job.attempt, again.job.fence) == (1, 2)
    assert not again.job.taken_over


async def test_a_run_that_is_cancelled_while_it_waits_is_brought_to_nobody(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a", "b")
    await fleet.jobs.cancel(ANN, "a")
    await carrier.withdraw("a")
    assert (await taken(carrier)).job.run_id == "b"
    assert await nothing(carrier)


async def test_a_run_in_progress_is_cancelled_through_its_worker(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a")
    mine = await taken(carrier)
    await fleet.jobs.cancel(ANN, "a")
    assert await fleet.jobs.wishes([mine.job]) == [Wish.CANCEL]
    await fleet.jobs.end(mine.job, TraceStatus.CANCELLED)
    await mine.done()
    assert await fleet.status("a") is TraceStatus.CANCELLED


async def test_one_user_cannot_have_all_workers(fleet: Fleet, carrier: Carrier) -> None:
    await offered(fleet, carrier, "a", "b")
    await offered(fleet, carrier, "c", owner=BEN)
    first = await taken(carrier, per_user=1)
    assert (await taken(carrier, per_user=1)).job.run_id == "c"
    assert await nothing(carrier, per_user=1)
    await fleet.jobs.end(first.job, TraceStatus.FAILED)
    await first.done()
    assert (await taken(carrier, per_user=1)).job.run_id == "b"


async def test_workers_that_take_at_once_keep_to_the_limit_of_a_user(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, *(f"run-{number}" for number in range(6)))
    takes = (carrier.take(f"w{n}", lease_s=60.0, per_user=2) for n in range(6))
    assert sum(delivery is not None for delivery in await asyncio.gather(*takes)) == 2


async def test_a_run_whose_deadline_passed_is_ended_and_brought_to_nobody(
    fleet: Fleet, carrier: Carrier
) -> None:
    await fleet.ask("late", late_s=1.0)
    await carrier.offer("late", 0)
    await offered(fleet, carrier, "in-time")
    assert (await taken(carrier)).job.run_id == "in-time"
    assert await fleet.status("late") is TraceStatus.FAILED


async def test_a_run_that_kills_its_workers_is_given_up_r0_8(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a")
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert (await taken(carrier, lease_s=0.3)).job.attempt == attempt
    async with asyncio.timeout(SOON_S):
        while await fleet.status("a") is not TraceStatus.FAILED:
            assert await nothing(carrier, lease_s=0.3)
            await asyncio.sleep(0.1)
    await asyncio.sleep(0.6)
    assert await nothing(carrier, lease_s=0.3)


async def test_a_run_that_gets_further_is_not_given_up_however_many_workers_die_r0_8(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a")
    attempts = list[int]()
    for number in range(MAX_ATTEMPTS + 2):
        job = (await taken(carrier, lease_s=0.3)).job
        attempts.append(job.attempt)
        answer = ModelAnswer(model="m", request=f"k{number}", result=Completion(text="x"))
        journal = await JobJournal.open(fleet.database, job)
        await journal.append(Recorded(at=number + 1, answer=answer))
        journal.check()
    assert attempts == [1, *[2] * (MAX_ATTEMPTS + 1)]
    for attempt in range(2, MAX_ATTEMPTS + 1):
        assert (await taken(carrier, lease_s=0.3)).job.attempt == attempt


async def test_a_run_that_was_never_offered_is_found(fleet: Fleet, carrier: Carrier) -> None:
    """Who submitted it died between the transaction and the offer."""
    await fleet.ask("a")
    await carrier.sweep()
    assert (await taken(carrier)).job.run_id == "a"


async def test_news_reach_other_processes_and_are_not_heard_by_who_tells_them(
    fleet: Fleet, carrier: Carrier
) -> None:
    async with another(fleet) as second, aclosing(second.news()) as told:
        if fleet.database.sqlite:
            assert not second.wakes
            assert [subject async for subject in told] == []
            return
        async with asyncio.timeout(SOON_S):
            assert await anext(told) == "", "it listens now"
            await second.tell(["run-of-its-own"])
            await carrier.tell(["run-1", "wishes run-1"])
            assert {await anext(told), await anext(told)} == {"run-1", "wishes run-1"}
            await fleet.ask("a")
            await carrier.offer("a", 0)
            assert await anext(told) == QUEUE


async def test_a_carrier_that_is_away_loses_nothing(fleet: Fleet, nats: Nats) -> None:
    """It is killed with -9, its store deleted: the database has all there is to know."""
    if not fleet.nats_url:
        pytest.skip("the database is the carrier")
    names = {f"run-{number}" for number in range(6)}
    async with another(fleet) as carrier, another(fleet) as second:
        await offered(fleet, carrier, *names)
        first = await taken(carrier, "a", lease_s=LEASE_S)
        ended = await taken(carrier, "b", lease_s=LEASE_S)
        nats.kill(wipe=True)
        try:
            await fleet.ask("meanwhile")
            with pytest.raises(StoreUnavailable):
                await another_offer(fleet, "meanwhile")
            await fleet.jobs.end(ended.job, TraceStatus.FAILED, "it ended while NATS was away")
        finally:
            nats.start()
        await swept(second)
        left = (names | {"meanwhile"}) - {ended.job.run_id}
        found = [await taken(carrier, "c") for _ in left]
    assert {delivery.job.run_id for delivery in found} == left
    (again,) = (each for each in found if each.job.run_id == first.job.run_id)
    assert again.job.fence == first.job.fence + 1, "one of the two may go on"
    assert (await fleet.jobs.wishes([first.job])) == [Wish.LEAVE]


async def test_who_stops_waiting_for_a_carrier_that_is_silent_still_hears_of_it(
    fleet: Fleet, nats: Nats
) -> None:
    if not fleet.nats_url:
        pytest.skip("the database is the carrier")
    async with another(fleet) as carrier, another(fleet) as second:
        async with aclosing(second.news()) as told, asyncio.timeout(SOON_S):
            assert await anext(told) == "", "it listens now"
            await carrier.tell(["before"])
            with nats.silent():
                telling = asyncio.create_task(carrier.tell(["meanwhile"]))
                await asyncio.sleep(0.2)
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)
            await carrier.tell(["after"])
            heard = {await anext(told), await anext(told), await anext(told)}
            assert heard == {"before", "meanwhile", "after"}
        await offered(fleet, carrier, "a")
        assert (await taken(carrier)).job.run_id == "a"


@dataclass
class Noted:
    """A delivery that notes what the worker says of it."""

    inner: Delivery
    said: list[str]

    @property
    def job(self) -> Job:
        return self.inner.job

    async def done(self) -> None:
        self.said.append("done")
        await self.inner.done()

    async def back(self) -> None:
        self.said.append("back")
        await self.inner.back()


class Mute:
    """The carrier of a worker whose signs of life get lost; all else arrives."""

    def __init__(self, inner: Carrier, said: list[str]) -> None:
        self.inner, self.said = inner, said

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    async def take(
        self, worker: str, *, lease_s: float, per_user: int | None = None
    ) -> Delivery | None:
        found = await self.inner.take(worker, lease_s=lease_s, per_user=per_user)
        return Noted(found, self.said) if found else None

    async def beat(self, held: Sequence[Delivery], *, lease_s: float) -> None:
        del held, lease_s


def slow_engine(spec: RunSpec, tap: Tap) -> Engine:
    return tapped(thinking(ScriptedModel(Mind(), latency_s=60.0), Shelf()), spec, tap)


async def begun(fleet: Fleet, name: str) -> None:
    """Return when a worker has the run."""
    while await fleet.status(name) is not TraceStatus.IN_PROGRESS:  # noqa: ASYNC110 - it writes
        await asyncio.sleep(0.05)


async def test_a_worker_that_is_refused_settles_nothing(
    fleet: Fleet, carrier: Carrier, caplog: pytest.LogCaptureFixture
) -> None:
    """What it would settle may be the delivery of another: the run would be lost with that one."""
    await offered(fleet, carrier, "a")
    said: list[str] = []
    policy = WorkerPolicy(concurrency=1, lease_s=LEASE_S)
    mute = cast("Carrier", Mute(carrier, said))
    refused = asyncio.create_task(Worker(mute, slow_engine, policy).run())
    async with another(fleet) as second, asyncio.timeout(SOON_S):
        await begun(fleet, "a")
        stolen = await taken(second, lease_s=LEASE_S)
        while "goes on elsewhere" not in caplog.text:
            await second.beat([stolen], lease_s=LEASE_S)
            await asyncio.sleep(0.2)
        refused.cancel()
        await asyncio.gather(refused, return_exceptions=True)
        assert said == []
        third = await taken(second, lease_s=LEASE_S)  # the second worker is killed
    assert third.job.fence == stolen.job.fence + 1


async def test_a_worker_settles_a_run_after_its_end_is_kept(fleet: Fleet, carrier: Carrier) -> None:
    await offered(fleet, carrier, "a")
    seen: list[TraceStatus] = []

    class Late(Noted):
        async def done(self) -> None:
            seen.append(await fleet.status("a"))
            await super().done()

    class Delivering(Mute):
        async def take(
            self, worker: str, *, lease_s: float, per_user: int | None = None
        ) -> Delivery | None:
            found = await self.inner.take(worker, lease_s=lease_s, per_user=per_user)
            return Late(found, self.said) if found else None

    def engine(spec: RunSpec, tap: Tap) -> Engine:
        return tapped(thinking(ScriptedModel(Mind()), Shelf()), spec, tap)

    policy = WorkerPolicy(concurrency=1, lease_s=30.0, drain=True)
    said: list[str] = []
    worker = Worker(cast("Carrier", Delivering(carrier, said)), engine, policy)
    await asyncio.wait_for(worker.run(), 30)
    assert (seen, said) == ([TraceStatus.COMPLETED], ["done"])


async def test_a_run_that_was_given_up_is_kept_for_an_operator_and_not_offered(
    fleet: Fleet, carrier: Carrier
) -> None:
    await offered(fleet, carrier, "a")
    async with fleet.database.write() as connection:
        await connection.execute(update(jobs).values(attempts=MAX_ATTEMPTS))
    assert await nothing(carrier)
    await fleet.jobs.tidy()
    assert await fleet.jobs.listed("", 10) == {}
    await carrier.sweep()
    assert await nothing(carrier)
    assert await fleet.jobs.idle()
    async with fleet.database.read() as connection:
        (kept,) = (await connection.execute(select(jobs))).mappings()
    assert kept["given_up_at"]
    await fleet.jobs.tidy(given_up=True)
    async with fleet.database.read() as connection:
        assert (await connection.execute(select(jobs))).all() == []


async def another_offer(fleet: Fleet, name: str) -> None:
    async with another(fleet) as carrier:
        await carrier.offer(name, 0)


async def swept(carrier: Carrier) -> None:
    """Sweep as a worker does, once the carrier can be used again."""
    async with asyncio.timeout(SOON_S):
        while True:
            try:
                await carrier.sweep()
            except StoreUnavailable:
                await asyncio.sleep(0.2)
            else:
                return


def test_an_address_names_servers_and_an_installation_and_hides_its_password() -> None:
    address = Address.of("nats://ann:secret@n1:4222,n2,n3:4333/prod")
    assert address.servers == (
        "nats://ann:secret@n1:4222",
        "nats://ann:secret@n2",
        "nats://ann:secret@n3:4333",
    )
    assert address.name == "prod"
    assert str(address) == "n1:4222,n2,n3:4333"
    assert Address.of("tls://n1").name == "quaere"
    for wrong in ("", "n1:4222", "redis://n1", "nats://", "nats://n1/a.b", "nats://n1/a/b"):
        with pytest.raises(SettingsError):
            Address.of(wrong)


async def test_taking_a_run_while_it_ends_waits_and_blocks_nobody(postgres: Postgres) -> None:
    """Whoever ends a run locks its trace first, then its request; so must whoever takes it."""
    async with Database(postgres.create()) as database:
        await database.upgrade()
        await Fleet(database).ask("a")
        async with database.write() as connection:
            locked = select(tool_traces.c.id).where(tool_traces.c.id == "a").with_for_update()
            await connection.execute(locked)
            taking = asyncio.create_task(take(database, "a", "w"))
            await asyncio.sleep(0.3)
            assert not taking.done()
            await end_run(connection, "a", TraceStatus.CANCELLED, None)
        assert await taking is Denied.OVER
