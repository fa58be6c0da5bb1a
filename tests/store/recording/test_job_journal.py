"""What a run was told waits for the database, and what could not be kept is known (R4.5)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select, update

from quaere.domain.model import Completion
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import StoreUnavailable, TraceConflict, UsageError
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, run_answers
from quaere.store.jobs import Job, Jobs
from quaere.store.recording.entries import ModelAnswer, Recorded
from quaere.store.recording.job_journal import SLOW_S, WAITS_S, JobJournal
from quaere.store.submission import Entry

pytestmark = pytest.mark.anyio

FIRST, SECOND = (
    Recorded(at=at, answer=ModelAnswer(model="m", request=f"k{at}", result=Completion(text="x")))
    for at in (1, 2)
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "q.db"


@pytest.fixture
async def impatient(path: Path) -> AsyncGenerator[Database]:
    async with Database(f"sqlite:///{path}", busy_s=0.05) as database:
        yield database


async def taken(database: Database) -> Job:
    request = RunSpec.of("What is a?", run_id="a")
    await Jobs(database).submit(Entry.of(Owner(), request, params={}))
    delivery = await DatabaseCarrier(database).take("w", lease_s=30.0)
    assert delivery
    return delivery.job


def locked(path: Path) -> sqlite3.Connection:
    outsider = sqlite3.connect(path, isolation_level=None)
    outsider.execute("BEGIN EXCLUSIVE")
    return outsider


async def given_up(journal: JobJournal, path: Path, *, after_s: float) -> None:
    """Wait so long for an answer to be written, while the database is locked."""
    with closing(locked(path)), pytest.raises(TimeoutError):
        await asyncio.wait_for(journal.append(FIRST), after_s)


async def kept(database: Database, job: Job) -> tuple[Recorded, ...]:
    """Return what another worker would go on with."""
    return (await JobJournal.open(database, job)).past


async def test_an_answer_waits_until_the_database_can_be_used(
    impatient: Database, path: Path
) -> None:
    job = await taken(impatient)
    journal = await JobJournal.open(impatient, job)
    outsider = locked(path)
    asyncio.get_running_loop().call_later(0.5, outsider.close)
    await asyncio.gather(journal.append(FIRST), journal.append(SECOND))
    journal.check()
    assert await kept(impatient, job) == (FIRST, SECOND)


async def test_an_answer_that_nobody_waits_for_any_more_is_known_to_be_lost(
    impatient: Database, path: Path
) -> None:
    job = await taken(impatient)
    journal = await JobJournal.open(impatient, job)
    await given_up(journal, path, after_s=2 * SLOW_S)
    with pytest.raises(StoreUnavailable):
        journal.check()
    await journal.append(SECOND)
    assert await kept(impatient, job) == ()


async def test_who_is_cancelled_at_once_has_not_the_database_to_blame(
    impatient: Database, path: Path
) -> None:
    job = await taken(impatient)
    journal = await JobJournal.open(impatient, job)
    await given_up(journal, path, after_s=SLOW_S / 10)
    journal.check()
    await journal.append(SECOND)
    assert await kept(impatient, job) == (SECOND,)


async def test_a_worker_goes_on_after_the_answers_of_the_one_before(impatient: Database) -> None:
    job = await taken(impatient)
    journal = await JobJournal.open(impatient, job)
    assert journal.past == ()
    await journal.append(FIRST)
    again = await JobJournal.open(impatient, job)
    assert again.past == (FIRST,)
    await again.append(SECOND)
    async with impatient.read() as connection:
        numbers = (await connection.execute(select(run_answers.c.seq))).scalars().all()
    assert sorted(numbers) == [0, 1]
    assert await kept(impatient, job) == (FIRST, SECOND)


async def test_an_answer_for_a_run_that_is_over_is_lost_without_a_wait(impatient: Database) -> None:
    job = await taken(impatient)
    journal = await JobJournal.open(impatient, job)
    await Jobs(impatient).end(job, TraceStatus.CANCELLED)
    await journal.append(FIRST)
    with pytest.raises(TraceConflict):
        journal.check()


async def test_a_database_that_is_away_for_long_is_waited_for_ever_longer(
    impatient: Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = await taken(impatient)
    journal = await JobJournal.open(impatient, job)
    outsider = locked(path)
    waited: list[float] = []
    sleep = asyncio.sleep

    async def wait(seconds: float) -> None:
        if seconds in WAITS_S:
            waited.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", wait)
    await journal.append(FIRST)
    outsider.close()
    assert tuple(waited) == WAITS_S == tuple(sorted(WAITS_S))
    assert 30 < sum(WAITS_S) < 60, "a restart of the database takes less"
    with pytest.raises(StoreUnavailable):
        journal.check()


@pytest.mark.parametrize(("attempt", "attempts"), [(1, 4), (4, 1)])
async def test_the_first_further_answer_makes_an_attempt_the_first_again(
    impatient: Database, attempt: int, attempts: int
) -> None:
    job = replace(await taken(impatient), attempt=attempt)
    async with impatient.write() as connection:
        await connection.execute(update(jobs).values(attempts=4))
    journal = await JobJournal.open(impatient, job)
    await journal.append(FIRST)
    async with impatient.write() as connection:
        assert (await connection.execute(select(jobs.c.attempts))).scalar_one() == attempts
        await connection.execute(update(jobs).values(attempts=3))
    await journal.append(SECOND)
    async with impatient.read() as connection:
        assert (await connection.execute(select(jobs.c.attempts))).scalar_one() == 3


async def test_an_answer_that_cannot_be_read_asks_for_another_run(impatient: Database) -> None:
    job = await taken(impatient)
    await (await JobJournal.open(impatient, job)).append(FIRST)
    async with impatient.write() as connection:
        await connection.execute(update(run_answers).values(body="{}"))
    with pytest.raises(UsageError, match="ask again"):
        await JobJournal.open(impatient, job)
