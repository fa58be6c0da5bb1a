"""Runs that others make ask back, and their owners reply through the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.graphs.team import FLAX, TWO, team
from tests.graphs.world import HOP, PLAIN
from tests.runtime.test_worker import OWNER, QUICK, Place

from quaere.domain.events import InquiryRaised
from quaere.domain.request import RunSpec
from quaere.domain.team import Reply
from quaere.domain.trace import Owner
from quaere.errors import TraceConflict, TraceNotFound, UsageError
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.runtime.engine import Engine
from quaere.runtime.stored_runs import StoredRun
from quaere.runtime.wiring import Tap, tapped
from quaere.runtime.worker import WorkerPolicy
from quaere.store.db.database import Database
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[Database]:
    async with Database.file(tmp_path / "q.db") as database:
        yield database


class Approving(Place):
    """A place whose runs show their topics before they research them."""

    def engine(self, spec: RunSpec, tap: Tap) -> Engine:
        return tapped(team(ExtractiveReasoner(), approve_plan=True), spec, tap)

    async def submit(self, name: str, *, question: str = TWO, model: str | None = None) -> None:
        spec = RunSpec.of(question, run_id=name, strategy="supervisor")
        spec = spec.model_copy(update={"marks": "0a1b2c3d"})
        await Jobs(self.database).submit(Entry.of(OWNER, spec, params={}))


async def inquiry(run: StoredRun) -> InquiryRaised:
    async for event in run.events():
        if isinstance(event, InquiryRaised):
            return event
    raise AssertionError


async def asking_back(database: Database) -> tuple[Approving, StoredRun]:
    place = Approving(database)
    await place.submit("a")
    return place, StoredRun("a", OWNER, Traces(database))


@pytest.mark.parametrize("by_number", [True, False], ids=["by-number", "by-id"])
async def test_a_submitted_run_asks_back_and_its_owner_replies(
    database: Database, *, by_number: bool
) -> None:
    place, run = await asking_back(database)
    working = asyncio.create_task(place.worker(WorkerPolicy(drain=True)).run())
    asked = await asyncio.wait_for(inquiry(run), 30)
    assert asked.inquiry.topics == (HOP, PLAIN)
    name = str(asked.seq) if by_number else asked.inquiry.id
    with pytest.raises(UsageError, match="does not wait for 'other'"):
        await run.reply("other", Reply())
    with pytest.raises(TraceNotFound):
        await replace(run, owner=Owner(user="ben")).reply(name, Reply())
    await run.reply(name, Reply(topics=(FLAX,)))
    report = await asyncio.wait_for(run.report(), 30)
    assert report.dispatched_topics == (FLAX,)
    with pytest.raises(TraceConflict):
        await run.reply(name, Reply())
    await working


async def test_a_reply_outlives_the_worker_that_asked_for_it(database: Database) -> None:
    """It was given while nobody made the run."""
    place, run = await asking_back(database)
    working = asyncio.create_task(place.worker().run())
    asked = await asyncio.wait_for(inquiry(run), 30)
    working.cancel()
    await asyncio.wait([working])
    await run.reply(asked.inquiry.id, Reply(topics=(FLAX,)))
    await asyncio.wait_for(place.worker().run(), 30)
    assert (await run.report()).dispatched_topics == (FLAX,)


async def test_a_second_reply_before_the_first_is_taken_does_not_replace_it(
    database: Database,
) -> None:
    place, run = await asking_back(database)
    working = asyncio.create_task(place.worker().run())
    asked = await asyncio.wait_for(inquiry(run), 30)
    working.cancel()
    await asyncio.wait([working])
    await run.reply(asked.inquiry.id, Reply(topics=(FLAX,)))
    with pytest.raises(TraceConflict, match="already given another reply"):
        await run.reply(asked.inquiry.id, Reply(topics=(HOP,)))
    await run.reply(str(asked.seq), Reply(topics=(FLAX,)))  # as a client does that heard nothing
    await asyncio.wait_for(place.worker().run(), 30)
    assert (await run.report()).dispatched_topics == (FLAX,)


async def test_a_run_does_not_wait_for_a_reply_for_ever(database: Database) -> None:
    place, run = await asking_back(database)
    await asyncio.wait_for(place.worker(replace(QUICK, reply_s=0.2)).run(), 30)
    assert (await run.report()).dispatched_topics == (HOP, PLAIN)


async def test_a_run_that_asks_nothing_takes_no_reply(database: Database) -> None:
    place = Place(database)
    await place.submit("a")
    run = StoredRun("a", OWNER, Traces(database))
    with pytest.raises(UsageError, match="; it waits for nothing"):
        await run.reply("x", Reply())
