"""News of what other processes write: those who wait are woken, and need not poll."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import SecretStr
from tests.graphs.world import HOP, Shelf
from tests.services.nats import Server as Nats
from tests.services.postgres import Server as Postgres

from quaere.domain.events import RunFinished
from quaere.domain.question import Query
from quaere.domain.request import RunRequest
from quaere.domain.source import Hit
from quaere.domain.trace import Owner, TraceStatus
from quaere.runtime.app import App
from quaere.runtime.news import QUEUE, RARELY_S, News
from quaere.runtime.settings import Settings
from quaere.runtime.stored_runs import StoredRun
from quaere.runtime.worker import WorkerPolicy
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")
SOON_S = 30.0


@pytest.fixture(params=["postgres", "nats"])
async def settings(request: pytest.FixtureRequest, postgres: Postgres, tmp_path: Path) -> Settings:
    """Settings of several machines that share a database."""
    url = postgres.create()
    async with Database(url) as database:
        await database.upgrade()
    carrier: Nats | None = request.getfixturevalue("nats") if request.param == "nats" else None
    return Settings(
        data_dir=tmp_path,
        database_url=SecretStr(url),
        carrier=SecretStr(carrier.create()) if carrier else None,
        providers=("shelf",),
        model="none",
    )


class Hanging(Shelf):
    """Never answers."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        await asyncio.sleep(600.0)
        return await super().search(query, limit=limit)


async def listening(app: App) -> None:
    """Return when the news of others reach this process."""
    await app.carrier()
    async with asyncio.timeout(SOON_S):
        while app.news.look_s(0.01) < RARELY_S:  # noqa: ASYNC110 - a task of the App connects
            await asyncio.sleep(0.02)


async def changed(traces: Traces, run_id: str, before: TraceStatus) -> TraceStatus:
    """Return the status of a run once it is another one than before."""
    async with asyncio.timeout(SOON_S):
        while (await traces.get_trace(ANN, run_id)).status is before:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.05)
    return (await traces.get_trace(ANN, run_id)).status


async def test_any_server_streams_a_run_that_another_machine_makes(settings: Settings) -> None:
    async with (
        App.open(settings, providers=[Shelf()]) as served,
        App.open(settings, providers=[Shelf()]) as maker,
    ):
        await listening(served)
        await listening(maker)
        working = asyncio.create_task((await maker.worker(WorkerPolicy(concurrency=1))).run())
        trace = await served.submit(RunRequest.of(question=HOP), ANN)
        run = await served.run(trace.id, ANN)
        assert isinstance(run, StoredRun)
        async with asyncio.timeout(SOON_S):
            events = [event async for event in run.events()]
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        stored = await (await served.traces()).events(ANN, trace.id)
    assert [event.seq for event in events] == [event.seq for event in stored]
    assert isinstance(events[-1], RunFinished)


async def test_an_event_of_another_machine_wakes_a_reader(settings: Settings) -> None:
    async with App.open(settings) as served, App.open(settings) as maker:
        await listening(served)
        await listening(maker)
        with served.news.heard("run-1") as bell:
            began = time.monotonic()
            maker.news.tell("run-1")
            await bell.wait(SOON_S)
        assert time.monotonic() - began < RARELY_S


async def test_a_wish_reaches_a_worker_elsewhere_before_it_would_look(settings: Settings) -> None:
    async with App.open(settings) as served, App.open(settings, providers=[Hanging()]) as maker:
        await listening(served)
        await listening(maker)
        policy = WorkerPolicy(concurrency=1, lease_s=60.0)
        working = asyncio.create_task((await maker.worker(policy)).run())
        trace = await maker.submit(RunRequest.of(question=HOP), ANN)
        traces = await served.traces()
        assert await changed(traces, trace.id, TraceStatus.PENDING) is TraceStatus.IN_PROGRESS
        await asyncio.sleep(1.0)
        began = time.monotonic()
        await (await served.run(trace.id, ANN)).cancel()
        assert await changed(traces, trace.id, TraceStatus.IN_PROGRESS) is TraceStatus.CANCELLED
        assert time.monotonic() - began < RARELY_S, "it was woken"
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def test_a_process_alone_with_its_file_looks_often(tmp_path: Path) -> None:
    async with Database.file(tmp_path / "q.db") as database:
        news = News()
        news.connect(DatabaseCarrier(database))
        with news.heard(QUEUE) as bell:
            news.tell(QUEUE)
            async with asyncio.timeout(1.0):
                await bell.wait(60.0)
        assert news.look_s(0.25) == 0.25
        await news.aclose()
