# pyright: reportUnknownMemberType=false
"""What only NATS does: what its stream holds, how it is configured, and when it is away."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import nats as client
import pytest
from nats.aio.client import Client
from nats.js.api import RetentionPolicy, StreamConfig, StreamInfo
from tests.services.nats import Server as Nats
from tests.store.carriers.test_carriers import (
    ANN,
    BEN,
    LEASE_S,
    SOON_S,
    Fleet,
    another,
    nothing,
    offered,
    taken,
)

from quaere.domain.trace import TraceStatus
from quaere.errors import StoreUnavailable
from quaere.store.carriers import QUEUE
from quaere.store.carriers import nats as module
from quaere.store.carriers.nats import LOOKS, NatsCarrier
from quaere.store.db.database import Database

pytestmark = pytest.mark.anyio

NOWHERE = "nats://ann:pw@127.0.0.1:9/x"
"""The discard port, at which nobody listens."""


@pytest.fixture
async def fleet(nats: Nats, tmp_path: Path) -> AsyncGenerator[Fleet]:
    async with Database(f"sqlite:///{tmp_path / 'quaere.db'}") as database:
        await database.upgrade()
        yield Fleet(database, nats.create())


@pytest.fixture
async def carrier(fleet: Fleet) -> AsyncGenerator[NatsCarrier]:
    made = NatsCarrier(fleet.nats_url, fleet.database)
    yield made
    await made.aclose()


def named(fleet: Fleet) -> str:
    return fleet.nats_url.rpartition("/")[2]


@asynccontextmanager
async def connected(fleet: Fleet) -> AsyncGenerator[Client]:
    """Yield a client of the server itself."""
    made = await client.connect(fleet.nats_url.rpartition("/")[0])
    try:
        yield made
    finally:
        await made.close()


async def stream(fleet: Fleet) -> StreamInfo:
    async with connected(fleet) as made:
        return await made.jetstream().stream_info(f"{named(fleet)}-runs")


async def messages(fleet: Fleet) -> int:
    return (await stream(fleet)).state.messages


# What the stream holds


async def test_nothing_stays_in_the_stream_of_runs_that_have_ended(
    fleet: Fleet, carrier: NatsCarrier
) -> None:
    await offered(fleet, carrier, "made", "over", "waits")
    assert await messages(fleet) == 3
    made = await taken(carrier)
    await fleet.jobs.end(made.job, TraceStatus.FAILED)
    await made.done()
    assert await messages(fleet) == 2
    await fleet.jobs.cancel(ANN, "over")  # and its message is not withdrawn
    assert (await taken(carrier)).job.run_id == "waits"
    assert await messages(fleet) == 1


async def test_a_run_is_withdrawn_from_whatever_level_it_is_at(
    fleet: Fleet, carrier: NatsCarrier
) -> None:
    for name, priority in (("a", 1), ("b", 0), ("c", -1), ("d", 0)):
        await fleet.ask(name, priority=priority)
        await carrier.offer(name, priority)
    for name, left in (("a", 3), ("b", 2), ("c", 1), ("a", 1)):
        await carrier.withdraw(name)
        assert await messages(fleet) == left
    assert (await taken(carrier)).job.run_id == "d"


async def test_a_run_that_cannot_be_made_now_is_passed_over_and_comes_again(
    fleet: Fleet, carrier: NatsCarrier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REFUSED", 2)
    monkeypatch.setattr(module, "LATER_S", 0.2)
    await offered(fleet, carrier, "a", "b", "c", "d")
    await offered(fleet, carrier, "e", owner=BEN)
    first = await taken(carrier, per_user=1)
    assert first.job.run_id == "a"
    assert await nothing(carrier, per_user=1), "it looks at two"
    second = await taken(carrier, per_user=1)
    assert second.job.run_id == "e"
    await fleet.jobs.end(first.job, TraceStatus.FAILED)
    await first.done()
    assert (await taken(carrier, per_user=1)).job.owner == ANN
    assert await messages(fleet) == 4


async def test_a_database_that_fails_leaves_the_run_to_the_next_who_asks(
    fleet: Fleet, carrier: NatsCarrier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LATER_S", 0.2)
    await offered(fleet, carrier, "a")
    assign, failed = module.take, list[str]()

    async def failing(database: Database, run_id: str, worker: str, **fields: int | None) -> object:
        if not failed:
            failed.append(run_id)
            raise StoreUnavailable("The database is away.")
        return await assign(database, run_id, worker, **fields)

    monkeypatch.setattr(module, "take", failing)
    with pytest.raises(StoreUnavailable, match="The database is away"):
        await carrier.take("w", lease_s=60.0)
    began = time.monotonic()
    assert (await taken(carrier)).job.run_id == "a"
    assert 0.1 < time.monotonic() - began < SOON_S, "and not at the end of a lease"


async def test_one_that_asks_is_given_one_run(fleet: Fleet, carrier: NatsCarrier) -> None:
    """Another that came along would wait for the end of a lease."""
    await offered(fleet, carrier, "a", "b", "c")
    async with another(fleet) as second:
        for each in (carrier, second, carrier):
            async with asyncio.timeout(5):
                assert await each.take("w", lease_s=60.0)
        began = time.monotonic()
        assert await nothing(carrier)
        assert time.monotonic() - began < 4, "it does not wait for runs to come"


async def test_workers_that_agree_on_another_lease_have_that_one(
    fleet: Fleet, carrier: NatsCarrier
) -> None:
    assert await carrier.due_s() == 0.0
    assert await nothing(carrier, lease_s=60.0)
    assert await carrier.due_s() == 60.0 / LOOKS
    await offered(fleet, carrier, "a")
    assert (await taken(carrier, lease_s=LEASE_S)).job.attempt == 1
    assert await carrier.due_s() == LEASE_S / LOOKS
    assert (await taken(carrier, lease_s=LEASE_S)).job.attempt == 2


# What is offered again


async def test_all_that_was_lost_is_offered_again_page_by_page(
    fleet: Fleet, carrier: NatsCarrier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAGE", 4)
    monkeypatch.setattr(module, "AT_ONCE", 3)
    names = [f"run-{number}" for number in range(10)]
    for name in names:
        await fleet.ask(name)
    async with another(fleet) as second, aclosing(second.news()) as told:
        async with asyncio.timeout(SOON_S):
            assert await anext(told) == "", "it listens now"
            assert [await carrier.sweep() for _ in range(3)] == [True, True, False]
            assert await messages(fleet) == 10
            assert [await anext(told) for _ in range(3)] == [QUEUE] * 3
            assert [await carrier.sweep() for _ in range(3)] == [False] * 3
            await carrier.tell(["news"])
            assert await anext(told) == "news", "nobody is woken where nothing was lost"
    assert {(await taken(carrier)).job.run_id for _ in names} == set(names)


@pytest.mark.parametrize(("lost", "much"), [(3, True), (2, False)])
async def test_much_is_lost_when_more_than_half_of_a_page_is(
    fleet: Fleet, carrier: NatsCarrier, monkeypatch: pytest.MonkeyPatch, lost: int, *, much: bool
) -> None:
    monkeypatch.setattr(module, "PAGE", 4)
    await offered(fleet, carrier, *(f"there-{number}" for number in range(4 - lost)))
    for number in range(lost):
        await fleet.ask(f"lost-{number}")
    assert await carrier.sweep() is much


# How it is configured


async def test_the_stream_keeps_one_message_of_a_run_on_the_disk_until_it_is_done(
    fleet: Fleet, carrier: NatsCarrier
) -> None:
    await offered(fleet, carrier, "a")
    await carrier.offer("a", 0)
    config = (await stream(fleet)).config
    assert config.retention == RetentionPolicy.WORK_QUEUE
    assert (config.storage, config.num_replicas) == ("file", 1)
    assert (config.max_msgs_per_subject, config.discard_new_per_subject) == (1, True)
    assert await messages(fleet) == 1
    await nothing(carrier)
    async with connected(fleet) as made:
        consumers = await made.jetstream().consumers_info(f"{named(fleet)}-runs")
    assert {each.name for each in consumers} == {"high", "normal", "low"}
    for each in consumers:
        assert (each.config.max_deliver, each.config.max_ack_pending) == (-1, -1)


async def test_a_stream_that_is_there_in_another_form_is_used_as_it_is(
    fleet: Fleet, carrier: NatsCarrier
) -> None:
    """An operator may have given it other limits."""
    async with connected(fleet) as made:
        await made.jetstream().add_stream(
            StreamConfig(
                name=f"{named(fleet)}-runs",
                subjects=[f"{named(fleet)}.runs.*.*"],
                retention=RetentionPolicy.WORK_QUEUE,
                max_bytes=1_000_000,
            )
        )
    await offered(fleet, carrier, "a")
    assert (await taken(carrier)).job.run_id == "a"
    assert (await stream(fleet)).config.max_bytes == 1_000_000


@pytest.mark.parametrize("servers", [2, 3])
async def test_three_servers_keep_three_copies(fleet: Fleet, servers: int) -> None:
    """One that is alone refuses to keep three."""
    address, _, name = fleet.nats_url.rpartition("/")
    hosts = ",".join([address.removeprefix("nats://")] * servers)
    carrier = NatsCarrier(f"nats://{hosts}/{name}", fleet.database)
    await fleet.ask("a")
    try:
        if servers == 2:
            await carrier.offer("a", 0)
            assert await messages(fleet) == 1
        else:
            with pytest.raises(StoreUnavailable, match="replicas"):
                await carrier.offer("a", 0)
    finally:
        await carrier.aclose()


# When it is away


async def test_a_server_that_is_not_there_is_a_typed_error_without_its_password(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ANSWERS_S", 0.3)
    carrier = NatsCarrier(NOWHERE, fleet.database)
    assert carrier.name == "nats://127.0.0.1:9"
    assert not carrier.wakes
    with pytest.raises(StoreUnavailable, match=r"Not connected to nats://127\.0\.0\.1:9"):
        await carrier.beat([], lease_s=1.0)
    for doing in (carrier.offer("a", 0), carrier.tell(["x"]), carrier.take("w", lease_s=1.0)):
        with pytest.raises(StoreUnavailable, match=r"Cannot use NATS: .+") as refused:
            await doing
        assert "pw" not in refused.value.message
    await carrier.aclose()


async def test_what_was_closed_is_opened_anew(carrier: NatsCarrier) -> None:
    await asyncio.gather(*(carrier.tell([str(number)]) for number in range(5)))
    assert carrier.wakes
    await carrier.aclose()
    await carrier.aclose()
    assert not carrier.wakes
    await carrier.tell(["again"])
    assert carrier.wakes


async def test_who_listens_is_told_that_news_may_have_been_lost(
    fleet: Fleet, carrier: NatsCarrier, nats: Nats
) -> None:
    async with another(fleet) as second, aclosing(second.news()) as told:
        async with asyncio.timeout(SOON_S):
            assert await anext(told) == ""
            await carrier.tell(["one", "two"])
            assert [await anext(told), await anext(told)] == ["one", "two"]
            nats.kill()
            nats.start()
            assert await anext(told) == "", "it is connected again"
            while not carrier.wakes:  # noqa: ASYNC110 - it connects by itself
                await asyncio.sleep(0.05)
            await carrier.tell(["three"])
            assert await anext(told) == "three"


# Who leaves


async def test_who_is_cancelled_while_the_server_answers_ends(
    fleet: Fleet, carrier: NatsCarrier
) -> None:
    """However near its answer is: before 3.12, `asyncio.wait_for` may forget that."""
    await offered(fleet, carrier, "a")
    assert (await taken(carrier)).job.run_id == "a"
    cut_off = 0
    for turns in itertools.chain.from_iterable([range(200)] * 5):
        taking = asyncio.create_task(carrier.take("other", lease_s=LEASE_S))
        for _ in range(turns):
            await asyncio.sleep(0)
        cut_off += (asked := taking.cancel())
        await asyncio.wait([taking])
        assert taking.cancelled() or not asked, f"after {turns} turns"
    assert cut_off
