"""Scheduled questions, with one process and with several, over both databases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from pydantic import SecretStr
from sqlalchemy import select, update

from quaere.domain.request import RunRequest
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import NotAllowed, NotFound, StoreUnavailable
from quaere.runtime.app import App
from quaere.runtime.schedules import submit_due
from quaere.runtime.settings import Settings
from quaere.store import schedules as kept
from quaere.store.carriers.database import take
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, schedules, tool_traces
from quaere.store.jobs import Job, Jobs
from quaere.store.schedules import Schedule, Schedules, Timing

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")
MONDAYS = Timing.of("every monday 8:00", "UTC")
REQUEST = RunRequest.of(question="When was the weir rebuilt?")
HOOK = "https://hooks.example/ann"


@dataclass
class Place:
    database: Database
    settings: Settings

    @property
    def schedules(self) -> Schedules:
        return Schedules(self.database)

    async def add(self, webhook: str | None = None) -> Schedule:
        return await self.schedules.add(ANN, REQUEST, MONDAYS, webhook)

    async def come(self, ago: timedelta = timedelta(minutes=1)) -> None:
        """Let the time of all schedules come."""
        async with self.database.write() as connection:
            past = datetime.now(UTC) - ago
            await connection.execute(update(schedules).values(next_at=past))

    async def submit(self) -> tuple[str, ...]:
        """Submit what is due, as a process that has just started does."""
        async with App.open(self.settings) as app:
            return await submit_due(app)

    async def runs(self) -> list[str]:
        async with self.database.read() as connection:
            found = await connection.execute(select(tool_traces.c.id).order_by(tool_traces.c.id))
            return list(found.scalars())

    async def compared_to(self, run_id: str) -> str | None:
        wanted = select(jobs.c.compared_to).where(jobs.c.run_id == run_id)
        async with self.database.read() as connection:
            return (await connection.execute(wanted)).scalar_one()

    async def end(self, run_id: str, status: TraceStatus) -> None:
        job = await take(self.database, run_id, "w")
        assert isinstance(job, Job)
        await Jobs(self.database).end(job, status)


@pytest.fixture(params=["sqlite", "postgres"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Place]:
    url = f"sqlite:///{tmp_path / 'quaere.db'}"
    if request.param == "postgres":
        url = request.getfixturevalue("postgres").create()
    settings = Settings(
        database_url=SecretStr(url),
        webhook_secret=SecretStr(f"whsec_{'A' * 40}"),
        data_dir=tmp_path / "data",
        cache_dir=tmp_path / "cache",
    )
    async with Database(url) as database:
        await database.upgrade()
        yield Place(database, settings)


async def test_a_question_is_asked_when_its_time_has_come_and_not_before(place: Place) -> None:
    await place.add()
    assert await place.submit() == ()
    await place.come()
    (run,) = await place.submit()
    assert await place.runs() == [run]
    assert await place.submit() == ()
    (kept,) = await place.schedules.listed(ANN)
    assert kept.last_run == run
    assert kept.next_at == MONDAYS.after(datetime.now(UTC))


async def test_many_processes_ask_it_once(place: Place) -> None:
    await place.add()
    await place.come()
    async with AsyncExitStack() as exits:
        apps = [await exits.enter_async_context(App.open(place.settings)) for _ in range(4)]
        await asyncio.gather(*map(submit_due, apps))
    assert len(await place.runs()) == 1
    assert await place.submit() == ()


async def test_a_process_that_dies_in_between_costs_no_run_and_adds_none(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    await place.add()
    await place.come()

    async def dies(*_: object, **__: object) -> NoReturn:
        raise StoreUnavailable("it dies")

    with monkeypatch.context() as patched:
        patched.setattr(Schedules, "advance", dies)
        with pytest.raises(StoreUnavailable):
            await place.submit()
    first = await place.runs()
    assert len(first) == 1
    await place.submit()
    assert await place.runs() == first


async def test_times_that_were_missed_bring_one_run(place: Place) -> None:
    await place.add()
    await place.come(ago=timedelta(days=100))
    await place.submit()
    await place.submit()
    assert len(await place.runs()) == 1


async def test_a_run_is_compared_to_the_last_one_that_came_to_an_answer(place: Place) -> None:
    await place.add(webhook=HOOK)
    runs: list[str] = []
    for minutes, end in enumerate((TraceStatus.COMPLETED, TraceStatus.FAILED, None)):
        await place.come(ago=timedelta(minutes=9 - minutes))
        (run,) = await place.submit()
        runs.append(run)
        if end is None:
            break
        assert await place.compared_to(run) == (runs[0] if minutes else None)
        await place.end(run, end)
    assert await place.compared_to(runs[2]) == runs[0]


async def test_what_cannot_be_asked_is_told_and_tried_the_next_time(place: Place) -> None:
    await place.add(webhook="http://10.0.0.1/")
    await place.come()
    assert await place.submit() == ()
    (kept,) = await place.schedules.listed(ANN)
    assert "webhook" in (kept.error or "")
    assert kept.next_at > datetime.now(UTC)
    assert kept.last_run is None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"request": '{"question": "q?", "colour": "red"}'}, "not understood: colour"),
        ({"zone": "Mars/Base"}, "There is no time zone 'Mars/Base'."),
    ],
)
async def test_one_that_cannot_be_read_here_holds_up_no_other_and_stays_due(
    place: Place, caplog: pytest.LogCaptureFixture, changed: dict[str, str], told: str
) -> None:
    odd, plain = await place.add(), await place.add()
    before = {"request": REQUEST.model_dump_json(exclude_defaults=True), "zone": "UTC"}
    its_own = schedules.c.id == odd.id
    async with place.database.write() as connection:
        await connection.execute(update(schedules).where(its_own).values(changed))
    await place.come()
    (run,) = await place.submit()
    assert run.startswith(f"{plain.id}-")
    assert await place.submit() == ()
    assert f"schedule {odd.id} cannot be read here: {told}" in caplog.text
    assert [each.id for each in await place.schedules.listed(ANN)] == [plain.id]
    async with place.database.write() as connection:  # as one that can read it sees it
        await connection.execute(update(schedules).where(its_own).values(before))
    (late,) = await place.submit()
    assert late.startswith(f"{odd.id}-")


async def test_a_schedule_is_its_owners(place: Place) -> None:
    made = await place.add()
    assert await place.schedules.listed(BEN) == ()
    with pytest.raises(NotFound):
        await place.schedules.remove(BEN, made.id)
    await place.schedules.remove(ANN, made.id)
    await place.come()
    assert await place.submit() == ()


async def test_of_many_asked_for_at_once_no_more_are_kept_than_one_may_have(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MAX_SCHEDULES", 3)
    ends = await asyncio.gather(*(place.add() for _ in range(12)), return_exceptions=True)
    assert sum(isinstance(end, NotAllowed) for end in ends) == 9
    assert len(await place.schedules.listed(ANN)) == 3
