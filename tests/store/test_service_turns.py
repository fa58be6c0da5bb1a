"""Limits that hold over processes: turns of services, and requests by keys."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.trace import Owner
from quaere.errors import TraceConflict
from quaere.resilience.limits import Turn
from quaere.store import usage
from quaere.store.db.database import Database
from quaere.store.db.schema import key_requests, service_limits
from quaere.store.keys import Keys
from quaere.store.service_turns import ServiceTurns
from quaere.store.usage import Counted, count_request

pytestmark = pytest.mark.anyio

CALLS, PER_S, PROCESSES, EACH = 5, 1.0, 4, 5
CALLER = """
import asyncio, sys, time
from quaere.resilience.limits import SharedRateLimit
from quaere.store.db.database import Database
from quaere.store.service_turns import ServiceTurns

async def main(url, calls, per_s, each):
    async with Database(url) as database:
        async def turns():
            return ServiceTurns(database)
        limit = SharedRateLimit(int(calls), float(per_s), turns)
        async def call():
            await limit.wait("pubmed")
            print(repr(time.monotonic()), flush=True)
        await asyncio.gather(*(call() for _ in range(int(each))))

asyncio.run(main(*sys.argv[1:]))
"""


def test_four_processes_keep_to_one_limit(url: str, tmp_path: Path) -> None:
    asyncio.run(made(url))
    program = tmp_path / "caller.py"
    program.write_text(CALLER)
    command = [sys.executable, str(program), url, str(CALLS), str(PER_S), str(EACH)]
    callers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(PROCESSES)
    ]
    begun: list[float] = []
    for caller in callers:
        said, trouble = caller.communicate(timeout=120)
        assert not trouble, "no process fell back to a limit of its own, nor began late"
        begun += map(float, said.split())
    begun.sort()
    assert len(begun) == PROCESSES * EACH
    for first, beyond in zip(begun, begun[CALLS:], strict=False):
        assert beyond - first >= PER_S


async def made(url: str) -> None:
    async with Database(url) as database:
        await database.upgrade()


async def take(database: Database, name: str = "pubmed", ahead_s: float = 1.0) -> Turn:
    return await ServiceTurns(database).take(name, from_s=0.0, ahead_s=ahead_s, for_s=40.0)


async def test_turns_follow_one_another_and_far_ones_are_left(database: Database) -> None:
    first = await take(database)
    assert first.taken
    assert first.at == first.now
    second = await take(database)
    assert not second.taken
    assert second.at == pytest.approx(first.at + 40.0)
    again = await take(database, ahead_s=40.0)
    assert again.taken
    assert again.at == second.at, "to ask took no turn"
    other = await take(database, "arxiv")
    assert other.taken
    assert other.at == other.now


async def test_a_turn_does_not_come_before_its_caller_can_know(database: Database) -> None:
    turn = await ServiceTurns(database).take("pubmed", from_s=0.5, ahead_s=1.0, for_s=1.0)
    assert turn.at == pytest.approx(turn.now + 0.5)


async def test_a_turn_beyond_all_reason_is_not_waited_for(database: Database) -> None:
    await take(database)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    async with database.write() as connection:
        await connection.execute(update(service_limits).values(free_at=tomorrow))
    turn = await take(database)
    assert turn.taken
    assert turn.at == turn.now


async def test_requests_by_a_key_are_counted_over_all_servers(url: str) -> None:
    async with Database(url) as one, Database(url) as other:
        await one.upgrade()
        key, _ = await Keys(one).create(Owner(user="ann"), "fast")
        second, _ = await Keys(one).create(Owner(user="ann"), "other")
        counting = (count_request((one, other)[n % 2], key.id, 5) for n in range(12))
        counted = await asyncio.gather(*counting)
        assert sorted(each.left for each in counted if each.allowed) == [0, 1, 2, 3, 4]
        refused = [each for each in counted if not each.allowed]
        assert len(refused) == 7
        assert all(each.left == 0 and 0 < each.reset_s <= 61 for each in refused)
        assert (await count_request(other, second.id, 5)).left == 4, "another key has its own"


async def test_requests_of_a_minute_ago_no_longer_count(database: Database) -> None:
    key, _ = await Keys(database).create(Owner(user="ann"), "fast")
    await count_request(database, key.id, 2)
    now = int(datetime.now(UTC).timestamp())
    async with database.write() as connection:
        old = {str(now - 62): 2, str(now - 30): 1}
        await connection.execute(update(key_requests).values(seconds=old))
    assert (await count_request(database, key.id, 2)).allowed
    refused = await count_request(database, key.id, 2)
    assert not refused.allowed
    assert 25 <= refused.reset_s <= 31, "when the one of half a minute ago no longer counts"


async def test_a_request_counts_until_a_minute_after_its_second_is_over(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2031, 5, 4, 12, 0, 0, 900_000, UTC)

    async def told(connection: AsyncConnection) -> datetime:
        del connection
        return now

    monkeypatch.setattr(usage, "database_time", told)
    key, _ = await Keys(database).create(Owner(user="ann"), "fast")
    assert (await count_request(database, key.id, 1)) == Counted(allowed=True, left=0, reset_s=61)
    now += timedelta(seconds=59, milliseconds=600)
    assert (await count_request(database, key.id, 1)) == Counted(allowed=False, left=0, reset_s=1)
    now += timedelta(milliseconds=500)
    assert (await count_request(database, key.id, 1)).allowed


async def test_a_key_that_was_deleted_meanwhile_is_refused(database: Database) -> None:
    with pytest.raises(TraceConflict):
        await count_request(database, "gone", 5)
