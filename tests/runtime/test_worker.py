"""Workers: runs that others asked for are made, whatever happens to who makes them."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from sqlalchemy import func, insert, select, update
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP, Desk, Shelf

from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.events import Event, RunFailed, RunFinished, RunStarted
from quaere.domain.question import Query
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit, Page
from quaere.domain.trace import Owner, TraceStatus
from quaere.domain.verdict import StopReason
from quaere.errors import SettingsError
from quaere.runtime import worker as worker_module
from quaere.runtime.engine import Engine
from quaere.runtime.metrics import RunMetrics
from quaere.runtime.wiring import Tap, tapped
from quaere.runtime.worker import Worker, WorkerPolicy
from quaere.store.carriers import Delivery
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database, insert_new
from quaere.store.db.schema import run_answers, tool_traces
from quaere.store.fleet import Fleet, Orders, WorkerReport
from quaere.store.jobs import Job, Jobs
from quaere.store.submission import Entry
from quaere.store.traces.privacy import Privacy
from quaere.store.traces.traces import Traces
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

OWNER = Owner(user="ann")
QUICK = WorkerPolicy(concurrency=2, lease_s=0.6, drain=True)


class Narrow(Shelf):
    """Finds one document at a time, after a while."""

    def __init__(self, log: list[str], wait_s: float) -> None:
        super().__init__()
        self._log, self._wait_s = log, wait_s

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        found = (await super().search(query, limit=limit))[:1]
        await asyncio.sleep(self._wait_s)
        self._log.append(query.text)
        return found


class Counting(DatabaseCarrier):
    """Counts the signs of life of its worker."""

    beats = 0

    async def beat(self, held: Sequence[Delivery], *, lease_s: float) -> None:
        self.beats += 1
        await super().beat(held, lease_s=lease_s)


@dataclass
class Place:
    """A database with runs in it, and workers that share what the outside was asked."""

    database: Database
    wait_s: float = 0.0
    asked: list[str] = field(default_factory=list[str])
    models: list[ScriptedModel] = field(default_factory=list[ScriptedModel])

    def engine(self, spec: RunSpec, tap: Tap) -> Engine:
        if spec.request.models.general == "missing":
            raise SettingsError("There is no key for that model.")
        self.models.append(ScriptedModel(Mind(), latency_s=self.wait_s))
        return tapped(thinking(self.models[-1], Narrow(self.asked, self.wait_s)), spec, tap)

    def worker(self, policy: WorkerPolicy = QUICK) -> Worker:
        return Worker(DatabaseCarrier(self.database), self.engine, policy)

    async def submit(self, name: str, *, question: str = HOP, model: str | None = None) -> None:
        spec = RunSpec.of(question, run_id=name, models={"general": model})
        spec = spec.model_copy(update={"marks": "0a1b2c3d"})
        await Jobs(self.database).submit(Entry.of(OWNER, spec, params={"question": HOP}))

    async def statuses(self) -> list[TraceStatus]:
        return [trace.status for trace in (await Traces(self.database).list_traces(OWNER)).traces]

    def calls(self) -> int:
        return len(self.asked) + sum(len(model.requests) for model in self.models)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncGenerator[Place]:
    async with Database.file(tmp_path / "q.db") as database:
        yield Place(database)


async def finished(place: Place, name: str) -> str:
    events = await Traces(place.database).events(OWNER, name)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert isinstance(events[-1], RunFinished)
    return events[-1].report.answer


async def left_over(place: Place) -> int:
    """Return how many answers are kept of runs."""
    async with place.database.read() as connection:
        counted = await connection.execute(select(func.count()).select_from(run_answers))
        return counted.scalar_one()


async def test_runs_that_wait_are_made(place: Place) -> None:
    for name in ("a", "b", "c"):
        await place.submit(name)
    await asyncio.wait_for(place.worker().run(), 30)
    assert await place.statuses() == [TraceStatus.COMPLETED] * 3
    answers = {await finished(place, name) for name in ("a", "b", "c")}
    assert len(answers) == 1
    assert await Jobs(place.database).waiting() == 0
    assert await left_over(place) == 0


async def test_metrics_tell_of_no_run_that_was_given_back(place: Place) -> None:
    """R0.13. The log of a run that another worker continues does not end here."""
    place.wait_s = 0.2
    await place.submit("a")
    metrics = RunMetrics(registry := CollectorRegistry())
    carrier = DatabaseCarrier(place.database)
    begun = asyncio.Event()

    def watch(job: Job, event: Event) -> None:
        metrics.watch(job, event)
        begun.set()

    worker = Worker(carrier, place.engine, QUICK, watch=watch)
    metrics.follow(worker)
    making = asyncio.create_task(worker.run())
    await asyncio.wait_for(begun.wait(), 30)
    assert registry.get_sample_value("runs_in_progress") == 1
    making.cancel()
    await asyncio.wait([making])
    assert registry.get_sample_value("runs_in_progress") == 0


async def test_a_worker_that_leaves_gives_its_runs_back_and_another_goes_on(place: Place) -> None:
    await place.submit("whole")
    await asyncio.wait_for(place.worker().run(), 30)
    whole, calls = await finished(place, "whole"), place.calls()
    place.wait_s = 0.15
    await place.submit("a")
    leaving = asyncio.create_task(place.worker().run())
    await asyncio.sleep(0.4)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    assert place.calls() > calls
    await asyncio.wait_for(place.worker().run(), 30)
    assert await finished(place, "a") == whole
    assert place.calls() <= 2 * calls + 1, "only the call that was on its way is made again"


async def test_a_run_is_cancelled_within_two_seconds(place: Place) -> None:
    place.wait_s = 60.0
    await place.submit("a")
    policy = WorkerPolicy(concurrency=2, lease_s=60.0, drain=True)
    working = asyncio.create_task(place.worker(policy).run())
    await asyncio.sleep(0.4)
    assert place.models
    await Jobs(place.database).cancel(OWNER, "a")
    await asyncio.wait_for(working, 2.0)
    assert await place.statuses() == [TraceStatus.CANCELLED]
    assert await left_over(place) == 0


async def test_a_worker_that_looks_often_gives_no_more_signs_of_life(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign of life is written to the database; what is wanted of a run is only read there."""
    monkeypatch.setattr("quaere.runtime.worker.LOOK_S", 0.05)
    place.wait_s = 60.0
    await place.submit("a")
    carrier = Counting(place.database)
    policy = WorkerPolicy(concurrency=1, lease_s=60.0, drain=True)
    working = asyncio.create_task(Worker(carrier, place.engine, policy).run())
    for _ in range(500):
        if carrier.beats:
            break
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.4)  # it looks some times more
    await Jobs(place.database).cancel(OWNER, "a")
    await asyncio.wait_for(working, 10.0)
    assert carrier.beats == 1


async def test_a_wish_to_finish_outlives_the_worker_that_heard_it(place: Place) -> None:
    place.wait_s = 0.3
    await place.submit("a")
    leaving = asyncio.create_task(place.worker().run())
    for _ in range(500):
        if await left_over(place):
            break
        await asyncio.sleep(0.02)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    await Jobs(place.database).finish(OWNER, "a")
    asked = len(place.asked)
    await asyncio.wait_for(place.worker().run(), 30)
    (event,) = (await Traces(place.database).events(OWNER, "a"))[-1:]
    assert isinstance(event, RunFinished)
    assert event.report.stop_reason is StopReason.CANCELLED
    assert event.report.evidence, "what the first worker had found is there"
    assert len(place.asked) == asked


async def test_a_run_that_cannot_be_begun_fails_with_its_reason(place: Place) -> None:
    await place.submit("a", model="missing")
    await place.submit("b")
    await asyncio.wait_for(place.worker().run(), 30)
    trace = await Traces(place.database).get_trace(OWNER, "a")
    assert (trace.status, trace.error_message) == (
        TraceStatus.FAILED,
        "There is no key for that model.",
    )
    (only,) = await Traces(place.database).events(OWNER, "a")
    assert isinstance(only, RunFailed)
    assert (only.error_type, only.seq, only.run_id) == ("settings_error", 1, "a")
    assert (await Traces(place.database).get_trace(OWNER, "b")).status is TraceStatus.COMPLETED


async def test_a_run_that_cannot_go_on_elsewhere_has_its_reason_behind_what_was_told(
    place: Place,
) -> None:
    """The worker that takes a run over may lack the key of its model."""
    place.wait_s = 0.3
    await place.submit("a")
    async with asyncio.timeout(30):
        first = asyncio.create_task(place.worker().run())
        while not await Traces(place.database).events(OWNER, "a"):  # noqa: ASYNC110 - the worker writes them
            await asyncio.sleep(0.05)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        before = await Traces(place.database).events(OWNER, "a")

        def refuse(_spec: RunSpec, _tap: Tap) -> Engine:
            raise SettingsError("There is no key for that model.")

        await Worker(DatabaseCarrier(place.database), refuse, QUICK).run()
    events = await Traces(place.database).events(OWNER, "a")
    assert events[:-1] == before
    assert isinstance(events[-1], RunFailed)
    assert events[-1].seq == len(events)


async def test_two_workers_share_the_work_and_do_nothing_twice(place: Place) -> None:
    place.wait_s = 0.02
    for number in range(8):
        await place.submit(f"run-{number}")
    patient = replace(QUICK, lease_s=30.0)  # a busy machine is no dead worker
    workers = [place.worker(patient) for _ in range(2)]
    await asyncio.wait_for(asyncio.gather(*(each.run() for each in workers)), 60)
    assert await place.statuses() == [TraceStatus.COMPLETED] * 8
    assert place.asked.count(HOP) == 8


class Locking(Narrow):
    """Somebody else locks the database while the first search is on its way."""

    def __init__(self, place: Place, path: Path) -> None:
        super().__init__(place.asked, 0.0)
        self._path = path
        self._outsider: sqlite3.Connection | None = None

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        if self._outsider is None:
            self._outsider = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False
            )
            # Events may be being written, by a transaction that this task would wait for.
            await asyncio.to_thread(self._outsider.execute, "BEGIN EXCLUSIVE")
            asyncio.get_running_loop().call_later(1.0, self._outsider.close)
        return await super().search(query, limit=limit)


async def test_an_answer_that_cannot_be_kept_yet_is_no_search_that_failed(tmp_path: Path) -> None:
    path = tmp_path / "q.db"
    async with Database(f"sqlite:///{path}", busy_s=0.1) as database:
        place = Place(database)
        await place.submit("whole")
        await asyncio.wait_for(place.worker().run(), 30)
        await place.submit("a")
        engine = thinking(ScriptedModel(Mind()), Locking(place, path))
        await asyncio.wait_for(
            Worker(DatabaseCarrier(database), partial(tapped, engine), QUICK).run(), 30
        )
        assert await finished(place, "a") == await finished(place, "whole")
        assert set(Counter(place.asked).values()) == {2}, "once for each run"


OTHERS = 1_000
"""Number of an answer that another worker has kept."""


class Waking(Desk):
    """Another worker is given the run while a page is on its way, as to one that was frozen."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database

    async def read(self, hit: Hit) -> Page:
        async with self._database.write() as connection:
            await connection.execute(update(tool_traces).values(fence=tool_traces.c.fence + 1))
            kept = {"run_id": "a", "seq": OTHERS, "body": "{}"}  # by the worker that has it now
            await insert_new(connection, run_answers, [kept])
        return await super().read(hit)


async def test_what_a_fenced_worker_still_writes_is_no_bug(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    await place.submit("a")
    shelf = Shelf(with_text=False)
    engine = replace(thinking(ScriptedModel(Mind()), shelf), reader=Waking(place.database))
    working = asyncio.create_task(
        Worker(DatabaseCarrier(place.database), partial(tapped, engine), QUICK).run()
    )

    def warned() -> list[logging.LogRecord]:
        return [record for record in caplog.records if record.levelno >= logging.WARNING]

    async with asyncio.timeout(30.0):
        while not warned():  # noqa: ASYNC110 - the worker writes them
            await asyncio.sleep(0.05)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    (line,) = warned()
    assert line.getMessage().startswith("run a goes on elsewhere: ")
    assert (line.levelname, line.exc_info) == ("WARNING", None)
    assert await left_over(place) > 0, "for whoever has it now"


class Lingering(Engine):
    """Takes a while to end after its last event."""

    async def stream(self, spec: RunSpec) -> AsyncGenerator[Event]:
        async with aclosing(super().stream(spec)) as events:
            async for event in events:
                yield event
        await asyncio.sleep(3 * QUICK.lease_s)


async def test_a_run_that_has_ended_does_not_go_on_elsewhere(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """Its lease cannot be renewed any more, which is no sign of another worker."""
    await place.submit("a")
    made = thinking(ScriptedModel(Mind()), Shelf())
    engine = Lingering(**{each.name: getattr(made, each.name) for each in fields(made)})
    await asyncio.wait_for(
        Worker(DatabaseCarrier(place.database), partial(tapped, engine), QUICK).run(), 30
    )
    await finished(place, "a")
    assert await left_over(place) == 0
    assert [record.getMessage() for record in caplog.records if "elsewhere" in record.msg] == []


async def test_a_deadline_shortens_a_run_and_never_lengthens_it(place: Place) -> None:
    own_s = PROFILES[ProfileName.STANDARD].max_execution_time_s
    queue, now = Jobs(place.database), datetime.now(UTC)
    for name, left_s, limit_s in (("far", 3_000, None), ("near", 20, None), ("set", 3_000, 7.0)):
        request = RunSpec.of(HOP, run_id=name, limits={"max_execution_time_s": limit_s})
        await queue.submit(
            Entry.of(OWNER, request, params={}, deadline=now + timedelta(seconds=left_s))
        )
    await asyncio.wait_for(place.worker().run(), 30)
    given: dict[str, float] = {}
    for name in ("far", "near", "set"):
        begun = (await Traces(place.database).events(OWNER, name))[0]
        assert isinstance(begun, RunStarted)
        given[name] = begun.budget.max_execution_time_s
    assert given["far"] == own_s
    assert 10 < given["near"] <= 20 < own_s
    assert given["set"] == 7.0


async def test_no_secret_is_kept_with_the_reason_of_a_failure(place: Place) -> None:
    await place.submit("a", model="missing")
    privacy = Privacy(redact=lambda text: text.replace("key", "***"))
    await asyncio.wait_for(
        Worker(DatabaseCarrier(place.database), place.engine, QUICK, privacy).run(), 30
    )
    trace = await Traces(place.database).get_trace(OWNER, "a")
    assert trace.error_message == "There is no *** for that model."


async def test_a_run_with_an_answer_that_cannot_be_read_fails_at_once(place: Place) -> None:
    """Old and new workers may share a database."""
    await place.submit("a")
    row = {"run_id": "a", "seq": 0, "body": '{"at": 1, "answer": {"kind": "later"}}'}
    async with place.database.write() as connection:
        await connection.execute(insert(run_answers).values(row))
        await connection.execute(update(tool_traces).values(fence=1))  # a worker had it
    await asyncio.wait_for(place.worker().run(), 30)
    trace = await Traces(place.database).get_trace(OWNER, "a")
    assert trace.status is TraceStatus.FAILED
    assert "another version of Quaere" in (trace.error_message or "")
    assert await left_over(place) == 0


async def test_a_fleet_that_is_paused_takes_no_run_until_it_is_resumed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "REPORT_S", 0.1)
    fleet = Fleet(place.database)
    await fleet.pause()
    await place.submit("a")
    working = asyncio.create_task(place.worker().run())
    await asyncio.sleep(1.0)
    assert await place.statuses() == [TraceStatus.PENDING]
    (known,) = (await fleet.status()).workers
    assert (known.busy, known.places) == (0, 2)
    await fleet.resume()
    await asyncio.wait_for(working, 30)
    assert await place.statuses() == [TraceStatus.COMPLETED]
    assert (await fleet.status()).workers == (), "it has left"


async def test_a_worker_tells_how_many_runs_it_has_taken_over(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "REPORT_S", 0.05)
    reported: list[WorkerReport] = []

    async def note(self: Fleet, report: WorkerReport) -> Orders:
        reported.append(report)
        return Orders(paused=False, drain=False)

    monkeypatch.setattr(Fleet, "report", note)
    for name in ("lost", "waiting", "new"):
        await place.submit(name)
    async with place.database.write() as connection:
        died = update(tool_traces).where(tool_traces.c.id == "lost")
        await connection.execute(died.values(fence=1, status=str(TraceStatus.IN_PROGRESS)))
    working = asyncio.create_task(place.worker(WorkerPolicy(lease_s=5.0)).run())
    async with asyncio.timeout(20.0):
        while not (reported and reported[-1].ended == 3):  # noqa: ASYNC110 - the worker reports
            await asyncio.sleep(0.05)
    working.cancel()
    assert await place.statuses() == [TraceStatus.COMPLETED] * 3
    assert reported[-1].takeovers == 1


async def test_a_worker_that_is_drained_leaves_without_being_cancelled(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "REPORT_S", 0.1)
    fleet = Fleet(place.database)
    worker = place.worker(WorkerPolicy(concurrency=1, lease_s=5.0))
    working = asyncio.create_task(worker.run())
    async with asyncio.timeout(10.0):
        while not (await fleet.status()).workers:  # noqa: ASYNC110 - the worker reports
            await asyncio.sleep(0.05)
    await fleet.drain(worker.name)
    await asyncio.wait_for(working, 10)
    await place.submit("a")
    assert await place.statuses() == [TraceStatus.PENDING]
