"""Questions that are asked again and again: whose they are, and when each is asked next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from quaere.domain.request import RunRequest
from quaere.domain.trace import Owner
from quaere.errors import NotAllowed, NotFound, UsageError
from quaere.store.db.database import Database
from quaere.store.db.schema import schedules as table
from quaere.store.schedules import MAX_SCHEDULES, Schedule, Schedules, Timing

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


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "after", "expected"),
    [
        ("every monday 8:00", "2031-05-04T12:00", "2031-05-05T08:00"),
        ("every monday 8:00", "2031-05-05T08:00", "2031-05-12T08:00"),
        ("Every  Monday at 08:00", "2031-05-04T12:00", "2031-05-05T08:00"),
        ("every monday and thursday 17:30", "2031-05-06T00:00", "2031-05-08T17:30"),
        ("every monday, tuesday and sunday 7:05", "2031-05-06T08:00", "2031-05-11T07:05"),
        ("every day 0:00", "2031-12-31T12:00", "2032-01-01T00:00"),
        ("every weekday 9:15", "2031-05-02T10:00", "2031-05-05T09:15"),
        ("every month 6:00", "2031-05-02T00:00", "2031-06-01T06:00"),
        ("every hour", "2031-05-04T12:30", "2031-05-04T13:00"),
        ("every 6 hours", "2031-05-04T12:30", "2031-05-04T18:00"),
        ("*/15 8-9 * * 1-5", "2031-05-05T08:16", "2031-05-05T08:30"),
    ],
)
def test_times_are_said_in_words_or_as_cron(text: str, after: str, expected: str) -> None:
    assert Timing.of(text, "UTC").after(at(after)) == at(expected)


@pytest.mark.parametrize(
    "text",
    [
        *("", "monday", "every monday", "every moonday 8:00", "every monday 25:00"),
        *("every monday 8:75", "every 0 hours", "every 30 hours", "8:00", "* * * *"),
        *("61 * * * *", "every monday and 8:00", "0 0 31 2 *", "every monday 8:00; rm"),
    ],
)
def test_what_says_no_time_is_refused_with_what_would(text: str) -> None:
    with pytest.raises(UsageError, match="every monday 8:00"):
        Timing.of(text, "UTC")


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "/etc/localtime"])
def test_unknown_time_zones_are_refused(zone: str) -> None:
    with pytest.raises(UsageError, match="time zone"):
        Timing.of("every hour", zone)


def test_times_are_those_of_their_zone_in_summer_and_winter() -> None:
    timing = Timing.of("every day 8:00", "Europe/Berlin")
    assert timing.after(at("2031-07-01T00:00")) == at("2031-07-01T06:00")
    assert timing.after(at("2031-12-01T00:00")) == at("2031-12-01T07:00")


def test_a_time_that_the_clocks_skip_or_repeat_comes_once() -> None:
    """In Berlin, 2:30 does not exist on 30 March 2031, and exists twice on 26 October."""
    timing = Timing.of("every day 2:30", "Europe/Berlin")
    for day in ("2031-03-29T12:00", "2031-10-25T12:00"):
        first = timing.after(at(day))
        second = timing.after(first)
        assert first - at(day) < timedelta(days=1)
        assert timedelta(hours=20) < second - first < timedelta(hours=28)


@given(
    st.sampled_from(["every day 2:30", "every 6 hours", "every monday 8:00", "30 1,2,3 * * *"]),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]),
    st.datetimes(datetime(2026, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001
)
def test_the_next_time_is_always_later(text: str, zone: str, moment: datetime) -> None:
    timing = Timing.of(text, zone)
    first = timing.after(moment.replace(tzinfo=UTC))
    assert first > moment.replace(tzinfo=UTC)
    assert timing.after(first) > first
