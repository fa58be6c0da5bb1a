"""What must be told of ended runs: when it is due, for how long it is tried, and whose it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import update

from quaere.domain.request import Listener, RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import NotFound
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database, database_time
from quaere.store.db.schema import webhooks as table
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.webhooks import AT_ONCE, HELD_S, WAITS_S, Webhook, Webhooks

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")
HOOK, OTHER = "https://hooks.example/", "https://other.example/"


@pytest.fixture
def webhooks(database: Database) -> Webhooks:
    return Webhooks(database)


async def ended(
    database: Database, *names: str, owner: Owner = ANN, listener: Listener | None = None
) -> None:
    """Have runs end of which ``listener`` is told."""
    jobs = Jobs(database)
    for name in names:
        spec = RunSpec.of("Who?", run_id=name).model_copy(update={"listener": listener})
        await jobs.submit(Entry.of(owner, spec, params={}))
    for _ in names:
        delivery = await DatabaseCarrier(database).take("w", lease_s=60.0)
        assert delivery
        await jobs.end(delivery.job, TraceStatus.COMPLETED)


async def told_at(database: Database, *names: str, owner: Owner = ANN, url: str = HOOK) -> None:
    await ended(database, *names, owner=owner, listener=Listener(url=url))


async def attempted(database: Database, webhook: Webhook, attempts: int) -> Webhook:
    """Return ``webhook`` as if it had been tried so often."""
    async with database.write() as connection:
        await connection.execute(update(table).values(attempts=attempts))
    return webhook.model_copy(update={"attempts": attempts})


async def due_in_s(database: Database, webhook: Webhook) -> float | None:
    (now_,) = [one for one in await Webhooks(database).of(ANN) if one.id == webhook.id]
    if now_.next_at is None:
        return None
    async with database.read() as connection:
        return (now_.next_at - await database_time(connection)).total_seconds()


def runs(found: Sequence[Webhook]) -> list[str]:
    return [each.run_id for each in found]


async def test_the_end_of_a_run_is_due_at_once_and_taken_once(
    database: Database, webhooks: Webhooks
) -> None:
    listener = Listener(url=HOOK, compared_to="earlier")
    await ended(database, "a", listener=listener)
    (taken,) = await webhooks.take()
    assert (taken.run_id, taken.owner, taken.url) == ("a", ANN, HOOK)
    assert (taken.compared_to, taken.attempts) == ("earlier", 1)
    assert taken.id.startswith("msg_")
    assert len(taken.id) == 36
    assert await webhooks.take() == ()
    held_s = await due_in_s(database, taken)
    assert held_s is not None
    assert HELD_S - 30 < held_s <= HELD_S
    (kept,) = await webhooks.of(ANN)
    assert kept.attempts == 1


async def test_nobody_is_told_who_did_not_ask(database: Database, webhooks: Webhooks) -> None:
    await ended(database, "a")
    assert await webhooks.take() == ()
    assert await webhooks.undelivered() == []


async def test_only_so_many_are_taken_at_once(database: Database, webhooks: Webhooks) -> None:
    await told_at(database, *(f"run-{n:02}" for n in range(AT_ONCE + 1)))
    assert len(await webhooks.take()) == AT_ONCE
    assert len(await webhooks.take()) == 1


@pytest.mark.parametrize(("attempts", "wait_s"), [*enumerate(WAITS_S, 1), (len(WAITS_S) + 1, None)])
async def test_each_attempt_that_fails_is_followed_by_a_longer_wait_and_the_last_by_none(
    database: Database, webhooks: Webhooks, attempts: int, wait_s: float | None
) -> None:
    await told_at(database, "a")
    (taken,) = await webhooks.take()
    await webhooks.failed(await attempted(database, taken, attempts), "nobody there")
    left_s = await due_in_s(database, taken)
    if wait_s is None:
        assert left_s is None
    else:
        assert left_s is not None
        assert wait_s - 60 < left_s <= wait_s
    (kept,) = await webhooks.undelivered()
    assert (kept.error, kept.delivered_at) == ("nobody there", None)


async def test_a_final_failure_is_tried_no_more(database: Database, webhooks: Webhooks) -> None:
    await told_at(database, "a")
    (taken,) = await webhooks.take()
    await webhooks.failed(taken, "gone", final=True)
    assert await due_in_s(database, taken) is None


async def test_what_was_told_is_over(database: Database, webhooks: Webhooks) -> None:
    await told_at(database, "a")
    (taken,) = await webhooks.take()
    await webhooks.failed(taken, "nobody there")
    await webhooks.mark_told(taken)
    assert await webhooks.undelivered() == []
    (told,) = await webhooks.of(ANN)
    assert told.delivered_at
    assert (told.next_at, told.error) == (None, None)


async def test_who_was_overtaken_changes_nothing(database: Database, webhooks: Webhooks) -> None:
    await told_at(database, "a")
    (taken,) = await webhooks.take()
    await attempted(database, taken, 2)
    await webhooks.mark_told(taken)
    assert runs(await webhooks.undelivered()) == ["a"]


async def test_a_list_is_of_one_owner_and_the_newest_come_first(
    database: Database, webhooks: Webhooks
) -> None:
    await told_at(database, "a", "b")
    await told_at(database, "c", owner=BEN)
    await told_at(database, "d", url=OTHER)
    async with database.write() as connection:
        for age, run_id in enumerate("dcba"):
            moment = await database_time(connection) - timedelta(minutes=age)
            aged = update(table).where(table.c.run_id == run_id).values(created_at=moment)
            await connection.execute(aged)
    assert runs(await webhooks.of(ANN)) == ["d", "b", "a"]
    assert runs(await webhooks.of(BEN)) == ["c"]
    assert runs(await webhooks.of(ANN, limit=2)) == ["d", "b"]
    assert runs(await webhooks.of(ANN, run_id="a")) == ["a"]
    assert runs(await webhooks.of(ANN, run_id="c")) == []
    assert runs(await webhooks.of(ANN, without=(OTHER,))) == ["b", "a"]
    assert runs(await webhooks.undelivered()) == ["d", "c", "b", "a"]
    for taken in await webhooks.take():
        if taken.run_id in {"b", "c"}:
            await webhooks.mark_told(taken)
    assert runs(await webhooks.of(ANN, delivered=True)) == ["b"]
    assert runs(await webhooks.of(ANN, delivered=False)) == ["d", "a"]
    assert runs(await webhooks.undelivered()) == ["d", "a"]


async def test_what_was_told_or_given_up_can_be_told_again(
    database: Database, webhooks: Webhooks
) -> None:
    await told_at(database, "a", "b")
    first, second = await webhooks.take()
    await webhooks.mark_told(first)
    await webhooks.failed(second, "gone", final=True)
    assert await webhooks.take() == ()
    await webhooks.redeliver(first.id)
    await webhooks.redeliver(second.id, ANN, without=(OTHER,))
    again = await webhooks.take()
    assert sorted(runs(again)) == ["a", "b"]
    assert {each.attempts for each in again} == {1}
    assert sorted(runs(await webhooks.undelivered())) == ["a", "b"]


async def test_only_what_is_there_and_ones_own_can_be_told_again(
    database: Database, webhooks: Webhooks
) -> None:
    await told_at(database, "a")
    (taken,) = await webhooks.take()
    await webhooks.mark_told(taken)
    with pytest.raises(NotFound, match="msg_0"):
        await webhooks.redeliver("msg_0", ANN)
    with pytest.raises(NotFound):
        await webhooks.redeliver(taken.id, BEN)
    with pytest.raises(NotFound):
        await webhooks.redeliver(taken.id, ANN, without=(HOOK,))
    assert await webhooks.take() == ()


def test_the_waits_are_those_of_the_standard() -> None:
    """After 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14, 20 and 24 hours."""
    minutes, hours = (5, 30), (2, 5, 10, 14, 20, 24)
    assert (5, *(60 * each for each in minutes), *(3600 * each for each in hours)) == WAITS_S
