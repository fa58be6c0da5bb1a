"""What operators see of the queue, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.store.test_jobs import ANN, BEN, LEASE_S, claim, put, taken

from quaere.domain.trace import TraceStatus
from quaere.store import fleet
from quaere.store.db.database import Database
from quaere.store.fleet import QueueView
from quaere.store.jobs import Jobs

pytestmark = pytest.mark.anyio


@pytest.fixture
def queue(database: Database) -> Jobs:
    return Jobs(database)


@pytest.fixture
def view(database: Database) -> QueueView:
    return QueueView(database)


async def names(view: QueueView) -> list[str]:
    return [run.run_id for run in await view.runs()]


async def test_runs_are_seen_as_they_are_taken_those_that_wait_and_those_at_work(
    queue: Jobs, view: QueueView
) -> None:
    assert await view.runs() == ()
    for name, priority in (("a", 0), ("b", 5), ("c", 0), ("d", -1), ("e", 0)):
        await put(queue, name, priority=priority)
    assert await names(view) == ["b", "a", "c", "e", "d"]
    ended = await taken(queue)
    assert await names(view) == ["b", "a", "c", "e", "d"], "one at work keeps its place"
    await queue.end(ended, TraceStatus.FAILED, "it broke")
    assert await names(view) == ["a", "c", "e", "d"]


async def test_a_run_tells_who_asked_when_and_who_makes_it(queue: Jobs, view: QueueView) -> None:
    begun, deadline = datetime.now(UTC), datetime.now(UTC) + timedelta(hours=1)
    await put(queue, "a", BEN, priority=2, deadline=deadline)
    (waits,) = await view.runs()
    assert (waits.run_id, waits.owner, waits.priority) == ("a", BEN, 2)
    assert (waits.status, waits.attempts) == (TraceStatus.PENDING, 0)
    assert (waits.worker, waits.started_at, waits.lease_until) == (None, None, None)
    assert waits.deadline == deadline
    assert begun <= waits.queued_at <= datetime.now(UTC)
    await claim(queue, "w", lease_s=LEASE_S)
    (made,) = await view.runs()
    assert (made.status, made.attempts, made.worker) == (TraceStatus.IN_PROGRESS, 1, "w")
    assert made.queued_at == waits.queued_at
    assert made.started_at
    assert made.started_at >= begun
    assert made.lease_until
    assert made.lease_until > made.started_at


async def test_no_more_runs_are_told_than_can_be_looked_at(
    queue: Jobs, view: QueueView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet, "MAX_LISTED", 2)
    for name, priority in (("a", 0), ("b", 0), ("c", 1)):
        await put(queue, name, priority=priority)
    assert await names(view) == ["c", "a"]


async def test_workers_that_have_runs_are_told_with_their_last_sign_of_life(
    queue: Jobs, view: QueueView
) -> None:
    for name in ("a", "b", "c", "d"):
        await put(queue, name, ANN)
    assert await view.workers() == ()
    for worker, lease_s in (("w", 20.0), ("v", 30.0), ("w", 900.0)):
        assert await claim(queue, worker, lease_s=lease_s)
    first, second = await view.workers()
    assert [(each.name, each.runs) for each in (first, second)] == [("v", 1), ("w", 2)]
    left = second.lease_until - datetime.now(UTC)
    assert timedelta(seconds=800) < left <= timedelta(seconds=900)
    assert first.lease_until < second.lease_until
