"""What processes tell each other of services that are down, by a real database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest
from sqlalchemy import update
from tests.resilience.fake_time import FakeTime

from quaere.errors import CircuitOpen, SearchError
from quaere.resilience import breaker
from quaere.resilience.breaker import (
    AWAY_S,
    LOOK_S,
    Breaker,
    BreakerPolicy,
    CircuitState,
    SharedBreakers,
)
from quaere.store.db.database import Database, database_time
from quaere.store.db.schema import service_limits
from quaere.store.service_turns import ServiceTurns

pytestmark = pytest.mark.anyio

POLICY = BreakerPolicy(consecutive=3)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests keep the machine busy."""
    monkeypatch.setattr(breaker, "WAITS_S", 30.0)


@dataclass
class Service:
    """Counts calls; fails while it is down."""

    down: bool = True
    calls: int = 0
    answers: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self) -> None:
        self.calls += 1
        await self.answers.wait()
        if self.down:
            raise SearchError("503")


class Process:
    """One of several that ask the same service."""

    def __init__(self, database: Database, service: Service) -> None:
        self.time = FakeTime()
        self.breaker = Breaker("pubmed", POLICY, self.time.timing.monotonic)
        self._service = service
        self._database = database
        self._shared = SharedBreakers(self._hints, self.time.timing)

    async def _hints(self) -> ServiceTurns:
        return ServiceTurns(self._database)

    async def ask(self, times: int) -> list[str]:
        """Ask so often at once; return how each call ended."""
        self._service.answers.clear()
        asking = [
            asyncio.create_task(self._shared.run(self.breaker, self._service.ask))
            for _ in range(times)
        ]
        before = self._service.calls
        async with asyncio.timeout(30.0):
            while self._service.calls - before + sum(each.done() for each in asking) < times:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        self._service.answers.set()
        ends = await asyncio.gather(*asking, return_exceptions=True)
        return [type(end).__name__ for end in ends]


@asynccontextmanager
async def unusable(database: Database) -> AsyncGenerator[None]:
    """Take the table of hints away for a while."""
    async with database.write() as connection:
        await connection.exec_driver_sql("ALTER TABLE service_limits RENAME TO away")
    yield
    async with database.write() as connection:
        await connection.exec_driver_sql("ALTER TABLE away RENAME TO service_limits")


async def test_who_finds_a_service_down_spares_it_the_calls_of_others(database: Database) -> None:
    service = Service()
    finds, hears = Process(database, service), Process(database, service)
    assert await finds.ask(3) == ["SearchError"] * 3
    assert finds.breaker.state is CircuitState.OPEN
    assert await ServiceTurns(database).down() == {"pubmed"}
    service.calls = 0
    assert sorted(await hears.ask(5)) == ["CircuitOpen"] * 4 + ["SearchError"]
    assert service.calls == 1, "one call is a probe, and the others are not made"
    assert hears.breaker.state is CircuitState.OPEN


async def test_a_probe_that_is_answered_ends_the_hint_for_all(database: Database) -> None:
    service = Service()
    await Process(database, service).ask(3)
    service.down = False
    probes = Process(database, service)
    assert sorted(await probes.ask(3)) == ["CircuitOpen"] * 2 + ["NoneType"]
    assert await probes.ask(3) == ["NoneType"] * 3
    assert await ServiceTurns(database).down() == frozenset()
    assert await Process(database, service).ask(3) == ["NoneType"] * 3


async def test_a_hint_expires(database: Database) -> None:
    service = Service()
    await Process(database, service).ask(3)
    async with database.write() as connection:
        now = await database_time(connection)
        await connection.execute(update(service_limits).values(free_at=now))
    service.down = False
    assert await Process(database, service).ask(3) == ["NoneType"] * 3


async def test_what_others_tell_is_looked_at_from_time_to_time(database: Database) -> None:
    service = Service(down=False)
    process = Process(database, service)
    await process.ask(1)
    await ServiceTurns(database).tell_down("pubmed", for_s=30)
    assert await process.ask(2) == ["NoneType"] * 2
    process.time.now += LOOK_S
    assert sorted(await process.ask(2)) == ["CircuitOpen", "NoneType"]


async def test_a_database_that_cannot_be_used_holds_no_call_back(database: Database) -> None:
    service = Service()
    process = Process(database, service)
    async with unusable(database):
        assert await process.ask(3) == ["SearchError"] * 3
        with suppress(CircuitOpen):
            await process.ask(1)
    assert await ServiceTurns(database).down() == frozenset(), "nothing could be told"
    process.time.now += AWAY_S + POLICY.cool_down_s
    assert await process.ask(1) == ["SearchError"]
    assert await ServiceTurns(database).down() == {"pubmed"}
