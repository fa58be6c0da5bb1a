"""What a run was told waits for the database, and what could not be kept is known (R4.5)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from quaere.domain.model import Completion
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner
from quaere.errors import StoreUnavailable
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.jobs import Job, Jobs
from quaere.store.recording.entries import ModelAnswer, Recorded
from quaere.store.recording.job_journal import SLOW_S, JobJournal

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
    await Jobs(database).submit(Owner(), request, params={})
    delivery = await DatabaseCarrier(database).take("w", lease_s=30.0)
    assert delivery
    return delivery.job


def locked(path: Path) -> sqlite3.Connection:
    outsider = sqlite3.connect(path, isolation_level=None)
    outsider.execute("BEGIN EXCLUSIVE")
    return outsider


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
    outsider = locked(path)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(journal.append(FIRST), 2 * SLOW_S)
    outsider.close()
    with pytest.raises(StoreUnavailable):
        journal.check()
    await journal.append(SECOND)
    assert await kept(impatient, job) == ()
