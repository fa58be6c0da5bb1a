"""Questions that are asked again and again: whose they are, and when each is asked next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from quaere.domain.request import RunRequest
from quaere.domain.schedule import Timing
from quaere.domain.trace import Owner
from quaere.errors import NotAllowed, NotFound
from quaere.store.db.database import Database
from quaere.store.db.schema import schedules as table
from quaere.store.schedules import MAX_SCHEDULES, Schedule, Schedules

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mill"), Owner(user="ben")
HOURLY = Timing.of("every hour", "UTC")
WHO = RunRequest(question="Who?")


@pytest.fixture
def schedules(database: Database) -> Schedules:
    return Schedules(database)


async def make_due(database: Database, schedule: Schedule) -> Schedule:
    """Have the time of ``schedule`` come two hours ago."""
    past = schedule.next_at - timedelta(hours=2)
    async with database.write() as connection:
        due = update(table).where(table.c.id == schedule.id).values(next_at=past)
        await connection.execute(due)
    return schedule.model_copy(update={"next_at": past})


async def test_what_is_added_is_kept_as_it_was(schedules: Schedules) -> None:
    timing = Timing.of("every monday 8:00", "Europe/Berlin")
    before = datetime.now(UTC)
    added = await schedules.add(ANN, WHO, timing, "https://hooks.example/", key_id="key-1")
    assert await schedules.get(ANN, added.id) == added
    assert (added.owner, added.timing, added.request) == (ANN, timing, WHO)
    assert (added.webhook, added.key_id) == ("https://hooks.example/", "key-1")
    assert (added.last_run, added.baseline, added.error) == (None, None, None)
    assert before < added.next_at <= before + timedelta(days=8)
    plain = await schedules.add(ANN, WHO, timing)
    assert (plain.webhook, plain.key_id) == (None, None)
    assert len(plain.id) == 12


async def test_a_list_is_of_one_owner_the_oldest_first(
    database: Database, schedules: Schedules
) -> None:
    added = [await schedules.add(ANN, WHO, HOURLY) for _ in range(3)]
    await schedules.add(BEN, WHO, HOURLY)
    async with database.write() as connection:
        for age, each in enumerate(added):
            moment = datetime.now(UTC) - timedelta(minutes=age)
            aged = update(table).where(table.c.id == each.id).values(created_at=moment)
            await connection.execute(aged)
    assert [each.id for each in await schedules.listed(ANN)] == [
        each.id for each in reversed(added)
    ]
    assert await schedules.listed(Owner(user="ann")) == ()


async def test_only_its_owner_sees_and_removes_a_schedule(schedules: Schedules) -> None:
    added = await schedules.add(ANN, WHO, HOURLY)
    other = await schedules.add(ANN, WHO, HOURLY)
    for act in (schedules.get, schedules.remove):
        with pytest.raises(NotFound, match=added.id):
            await act(BEN, added.id)
    await schedules.remove(ANN, added.id)
    assert await schedules.listed(ANN) == (other,)
    for act in (schedules.get, schedules.remove):
        with pytest.raises(NotFound):
            await act(ANN, added.id)


async def test_an_owner_has_a_hundred_at_most(database: Database, schedules: Schedules) -> None:
    first = await schedules.add(ANN, WHO, HOURLY)
    async with database.write() as connection:
        row = (await connection.execute(table.select())).mappings().one()
        copies = [{**row, "id": f"copy-{n}"} for n in range(MAX_SCHEDULES - 2)]
        await connection.execute(table.insert(), copies)
    await schedules.add(ANN, WHO, HOURLY)
    with pytest.raises(NotAllowed, match="100"):
        await schedules.add(ANN, WHO, HOURLY)
    await schedules.add(BEN, WHO, HOURLY)
    await schedules.remove(ANN, first.id)
    await schedules.add(ANN, WHO, HOURLY)


async def test_what_is_due_is_everybodys_whose_time_has_come(
    database: Database, schedules: Schedules
) -> None:
    await schedules.add(ANN, WHO, HOURLY)
    assert await schedules.due() == ()
    due = await make_due(database, await schedules.add(BEN, WHO, HOURLY))
    assert await schedules.due() == (due,)


async def test_it_moves_on_to_its_next_time_and_tells_what_was_submitted(
    database: Database, schedules: Schedules
) -> None:
    due = await make_due(database, await schedules.add(ANN, WHO, HOURLY))
    await schedules.advance(due, baseline="run-0")
    moved = await schedules.get(ANN, due.id)
    assert moved.next_at - datetime.now(UTC) <= timedelta(hours=1)
    assert moved.next_at > due.next_at + timedelta(hours=1)
    assert (moved.last_run, moved.baseline, moved.error) == (due.next_run, "run-0", None)
    assert await schedules.due() == ()


async def test_a_failure_is_told_and_is_no_run(database: Database, schedules: Schedules) -> None:
    due = await make_due(database, await schedules.add(ANN, WHO, HOURLY))
    due = due.model_copy(update={"last_run": "run-0"})
    await schedules.advance(due, baseline=None, error="no room")
    moved = await schedules.get(ANN, due.id)
    assert (moved.last_run, moved.error) == ("run-0", "no room")
    assert moved.next_at > due.next_at


async def test_who_comes_second_moves_nothing(database: Database, schedules: Schedules) -> None:
    due = await make_due(database, await schedules.add(ANN, WHO, HOURLY))
    other = await schedules.add(ANN, WHO, HOURLY)
    await schedules.advance(due, baseline="run-1")
    await schedules.advance(due, baseline="run-2")
    assert (await schedules.get(ANN, due.id)).baseline == "run-1"
    assert await schedules.get(ANN, other.id) == other


async def test_the_next_run_has_one_name_whoever_submits_it(schedules: Schedules) -> None:
    added = await schedules.add(ANN, WHO, HOURLY)
    at = datetime(2031, 5, 4, 8, 30, tzinfo=UTC)
    assert added.model_copy(update={"id": "a", "next_at": at}).next_run == "a-20310504T0830Z"
