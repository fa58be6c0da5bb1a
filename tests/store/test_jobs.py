"""The queue of runs, on both databases (R4.5)."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from sqlalchemy import Engine, select, text, update
from sqlalchemy.event import listen, remove
from tests.store.runs import PASSAGES, RUN, whole_run

from quaere.domain.model import Completion
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import StoreError, TraceConflict, TraceNotFound, UsageError
from quaere.store.carriers.database import MAX_ATTEMPTS, DatabaseCarrier, DatabaseDelivery
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs
from quaere.store.jobs import Job, Jobs, Wish, forget
from quaere.store.recording.entries import ModelAnswer, Recorded
from quaere.store.recording.job_journal import JobJournal
from quaere.store.submission import Entry
from quaere.store.traces.privacy import Privacy, TraceRedactor
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.traces import Traces
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")
LEASE_S = 30.0
OVER_S = -60.0
"""A lease that is over for sure: a claim leaves out of account what it waited for the database."""


@pytest.fixture
def queue(database: Database) -> Jobs:
    return Jobs(database)


async def put(
    queue: Jobs,
    name: str,
    owner: Owner = ANN,
    *,
    priority: int = 0,
    deadline: datetime | timedelta | None = None,
) -> RunSpec:
    request = RunSpec.of(f"What is {name}?", run_id=name)
    params = {"question": request.request.question}
    await queue.submit(
        Entry.of(owner, request, params=params, priority=priority, deadline=deadline)
    )
    return request


async def claim(
    queue: Jobs, worker: str, *, lease_s: float, per_user: int | None = None
) -> Job | None:
    carrier = DatabaseCarrier(queue.database)
    delivery = await carrier.take(worker, lease_s=lease_s, per_user=per_user)
    return delivery.job if delivery else None


async def renew(queue: Jobs, job: Job, *, lease_s: float = LEASE_S) -> Wish:
    await DatabaseCarrier(queue.database).beat([DatabaseDelivery(job)], lease_s=lease_s)
    (wish,) = await queue.wishes([job])
    return wish


async def taken(queue: Jobs, *, per_user: int | None = None) -> Job:
    job = await claim(queue, "w", lease_s=LEASE_S, per_user=per_user)
    assert job
    return job


def answered(number: int) -> Recorded:
    answer = ModelAnswer(model="m", request=f"k{number}", result=Completion(text="x"))
    return Recorded(at=number, answer=answer)


async def test_runs_are_given_by_priority_then_in_the_order_of_their_coming(queue: Jobs) -> None:
    for name, priority in (("a", 0), ("b", 5), ("c", 0)):
        await put(queue, name, priority=priority)
    assert [(await taken(queue)).run_id for _ in range(3)] == ["b", "a", "c"]
    assert await claim(queue, "w", lease_s=LEASE_S) is None
    assert await queue.waiting() == 3


async def test_asking_twice_is_asking_once(queue: Jobs) -> None:
    request = await put(queue, "a")
    await queue.submit(Entry.of(ANN, request, params={}))
    with pytest.raises(TraceConflict):
        await queue.submit(Entry.of(BEN, request, params={}))
    assert await queue.waiting() == 1


async def test_a_run_is_accepted_whole_or_not_at_all(
    queue: Jobs, database: Database, traces: Traces
) -> None:
    """Issue 7: whoever submits may be killed between any two steps; here the second one fails."""
    async with database.write() as connection:
        await connection.execute(text("ALTER TABLE jobs RENAME TO away"))
    with pytest.raises(StoreError):
        await put(queue, "a")
    assert (await traces.list_traces(ANN)).traces == (), "a trace that nobody would ever work on"
    async with database.write() as connection:
        await connection.execute(text("ALTER TABLE away RENAME TO jobs"))
    await put(queue, "a")
    assert (await taken(queue)).run_id == "a"


async def test_many_workers_at_once_never_get_the_same_run(queue: Jobs) -> None:
    names = [f"run-{n}" for n in range(12)]
    for name in names:
        await put(queue, name)
    given = await asyncio.gather(
        *(claim(queue, f"w{n}", lease_s=LEASE_S) for n in range(len(names)))
    )
    assert sorted(job.run_id for job in given if job) == sorted(names)


async def test_a_run_whose_worker_is_silent_goes_to_another_and_the_first_is_fenced(
    queue: Jobs, database: Database
) -> None:
    await put(queue, "a")
    first = await claim(queue, "frozen", lease_s=OVER_S)
    assert first
    journal = await JobJournal.open(database, first)
    await journal.append(answered(0))
    second = await taken(queue)
    assert (second.fence, second.attempt) == (first.fence + 1, 2)
    after = await JobJournal.open(database, second)
    assert after.past == (answered(0),)
    await journal.append(answered(1))
    with pytest.raises(TraceConflict):
        journal.check()
    assert await renew(queue, first) is Wish.LEAVE
    with pytest.raises(TraceConflict):
        await queue.release(first)
    await after.append(answered(1))
    after.check()
    assert (await JobJournal.open(database, second)).past == (answered(0), answered(1))


async def test_the_leases_of_a_dead_worker_end_and_those_of_others_do_not(queue: Jobs) -> None:
    for name, worker in (("a", "dead"), ("b", "alive")):
        await put(queue, name)
        await claim(queue, worker, lease_s=LEASE_S)
    await queue.expire("dead")
    assert await queue.holders() == ("alive",)
    assert (await taken(queue)).run_id == "a"
    assert await claim(queue, "w", lease_s=LEASE_S) is None


async def test_a_lease_that_is_renewed_keeps_the_run(queue: Jobs) -> None:
    await put(queue, "a")
    job = await claim(queue, "w", lease_s=OVER_S)
    assert job
    assert await renew(queue, job, lease_s=LEASE_S) is Wish.CONTINUE
    assert await claim(queue, "other", lease_s=LEASE_S) is None


async def test_a_run_that_is_given_back_waits_and_costs_no_attempt(queue: Jobs) -> None:
    await put(queue, "a")
    await queue.release(await taken(queue))
    assert (await taken(queue)).attempt == 1


async def test_a_run_that_kills_its_workers_is_given_up_r0_8(queue: Jobs, traces: Traces) -> None:
    await put(queue, "a")
    for attempt in range(1, MAX_ATTEMPTS + 1):
        job = await claim(queue, "w", lease_s=OVER_S)
        assert job
        assert job.attempt == attempt
    assert await claim(queue, "w", lease_s=LEASE_S) is None
    trace = await traces.get_trace(ANN, "a")
    assert trace.status is TraceStatus.FAILED
    assert "Gave up after 5 failed attempts" in (trace.error_message or "")
    assert await queue.waiting() == 0


async def test_a_run_that_waits_is_cancelled_at_once(queue: Jobs, traces: Traces) -> None:
    await put(queue, "a")
    with pytest.raises(TraceNotFound):
        await queue.cancel(BEN, "a")
    await queue.cancel(ANN, "a")
    assert (await traces.get_trace(ANN, "a")).status is TraceStatus.CANCELLED
    assert await claim(queue, "w", lease_s=LEASE_S) is None
    with pytest.raises(TraceConflict):
        await queue.cancel(ANN, "a")


async def test_a_run_at_work_is_cancelled_when_its_worker_renews_or_is_silent(
    queue: Jobs, traces: Traces
) -> None:
    await put(queue, "a")
    job = await taken(queue)
    await queue.cancel(ANN, "a")
    assert await renew(queue, job, lease_s=OVER_S) is Wish.CANCEL
    assert await claim(queue, "other", lease_s=LEASE_S) is None
    assert (await traces.get_trace(ANN, "a")).status is TraceStatus.CANCELLED


async def test_a_search_is_ended_when_the_worker_renews_or_gets_the_run(
    queue: Jobs, traces: Traces
) -> None:
    await put(queue, "a")
    job = await taken(queue)
    assert not job.finish
    with pytest.raises(TraceNotFound):
        await queue.finish(BEN, "a")
    await queue.finish(ANN, "a")
    assert await renew(queue, job, lease_s=LEASE_S) is Wish.FINISH
    await queue.release(job)
    assert (await taken(queue)).finish
    await traces.complete_trace(ANN, "a", {}, {})
    with pytest.raises(TraceConflict):
        await queue.finish(ANN, "a")


async def test_a_run_of_no_worker_is_neither_cancelled_nor_finished_from_elsewhere(
    queue: Jobs, traces: Traces
) -> None:
    await traces.create_trace(ANN, {}, trace_id="live")
    await traces.update_progress(ANN, "live", stage="searching", progress=0.2)
    for wish in (queue.cancel, queue.finish):
        with pytest.raises(UsageError, match="where it was started"):
            await wish(ANN, "live")
    assert (await traces.get_trace(ANN, "live")).status is TraceStatus.IN_PROGRESS
    await traces.interrupt(ANN, "live")
    with pytest.raises(UsageError, match="resume it first"):
        await queue.finish(ANN, "live")
    await queue.cancel(ANN, "live")


async def test_a_deadline_that_passed_ends_a_run(queue: Jobs, traces: Traces) -> None:
    now = datetime.now(UTC)
    await put(queue, "late", deadline=now - timedelta(seconds=1))
    await put(queue, "in-time", deadline=timedelta(hours=1))
    job = await taken(queue)
    assert job.run_id == "in-time"
    assert job.left_s
    assert 3_500 < job.left_s <= 3_600
    assert (await traces.get_trace(ANN, "late")).status is TraceStatus.FAILED


async def test_one_user_cannot_have_all_workers(queue: Jobs) -> None:
    for name in ("a", "b"):
        await put(queue, name)
    await put(queue, "c", BEN)
    assert (await taken(queue, per_user=1)).run_id == "a"
    assert (await taken(queue, per_user=1)).run_id == "c"
    assert await claim(queue, "w", lease_s=LEASE_S, per_user=1) is None
    assert (await taken(queue, per_user=2)).run_id == "b"


async def test_what_is_over_leaves_nothing_to_go_on_with(
    queue: Jobs, database: Database, traces: Traces
) -> None:
    await put(queue, "a")
    job = await taken(queue)
    await (await JobJournal.open(database, job)).append(answered(0))
    await queue.settle(job)
    assert (await JobJournal.open(database, job)).past, "it is not over yet"
    await traces.complete_trace(ANN, "a", {}, {})
    await queue.settle(job)
    assert (await JobJournal.open(database, job)).past == ()
    assert await queue.waiting() == 0
    assert (await traces.get_trace(ANN, "a")).status is TraceStatus.COMPLETED


async def test_a_cancelled_answer_leaves_its_number_unused(queue: Jobs, database: Database) -> None:
    await put(queue, "a")
    job = await taken(queue)
    journal = await JobJournal.open(database, job)
    await journal.append(answered(0))
    broken_off = asyncio.create_task(journal.append(answered(1)))
    await asyncio.sleep(0)
    broken_off.cancel()
    await asyncio.gather(broken_off, return_exceptions=True)
    await journal.append(answered(2))
    past = (await JobJournal.open(database, job)).past
    assert past in {(answered(0), answered(2)), (answered(0), answered(1), answered(2))}


async def test_what_a_dead_worker_left_of_a_finished_run_is_tidied_up(
    queue: Jobs, database: Database, traces: Traces
) -> None:
    await put(queue, "over")
    await put(queue, "at-work")
    over, at_work = await taken(queue), await taken(queue)
    for job in (over, at_work):
        await (await JobJournal.open(database, job)).append(answered(0))
    await traces.complete_trace(ANN, "over", {}, {})
    await queue.tidy()
    assert (await JobJournal.open(database, over)).past == ()
    assert (await JobJournal.open(database, at_work)).past == (answered(0),)


async def test_a_run_ends_and_leaves_the_queue_in_one_transaction(
    queue: Jobs, database: Database
) -> None:
    """A worker that is killed after a run leaves nothing behind that another must tidy up."""
    await put(queue, RUN)
    job = await taken(queue)
    await (await JobJournal.open(database, job)).append(answered(0))
    kept = [TraceRedactor(Privacy(), PASSAGES.__getitem__).take(event) for event in whole_run()]
    ending = Traces(database, ending=forget)
    stale = TraceLog(ending, ANN, RUN, Summary(), fence=job.fence - 1)
    with pytest.raises(TraceConflict):
        await stale.append(kept)
    assert await queue.waiting() == 1
    assert (await JobJournal.open(database, job)).past == (answered(0),)
    log = TraceLog(ending, ANN, RUN, Summary(), fence=job.fence)
    commits = 0

    def count(_: object) -> None:
        nonlocal commits
        commits += 1

    listen(Engine, "commit", count)
    try:
        await log.append(kept)
    finally:
        remove(Engine, "commit", count)
    assert (log.over, commits) == (True, 1)
    assert await queue.waiting() == 0
    assert (await JobJournal.open(database, job)).past == ()
    trace, events = await ending.with_events(ANN, RUN)
    assert (trace.status, events) == (TraceStatus.COMPLETED, tuple(whole_run()))


async def test_a_run_is_fresh_for_its_first_worker_alone(queue: Jobs) -> None:
    await put(queue, "a")
    first = await claim(queue, "w", lease_s=OVER_S)
    second = await taken(queue)
    assert first
    assert (first.fresh, second.fresh) == (True, False)
    await queue.release(second)
    assert not (await taken(queue)).fresh, "the attempt was not counted, and answers may be there"


async def test_a_run_that_is_over_cannot_be_cancelled_nor_asked_for_again(
    queue: Jobs, traces: Traces
) -> None:
    request = await put(queue, "a")
    job = await taken(queue)
    await traces.complete_trace(ANN, "a", {}, {})
    with pytest.raises(TraceConflict):
        await queue.cancel(ANN, "a")
    with pytest.raises(TraceConflict):
        await queue.end(job, TraceStatus.FAILED, "too late")
    await queue.settle(job)
    assert (await queue.submit(Entry.of(ANN, request, params={}))).status is TraceStatus.COMPLETED
    assert await claim(queue, "w", lease_s=LEASE_S) is None


async def test_a_run_whose_worker_died_is_cancelled_at_once(queue: Jobs, traces: Traces) -> None:
    await put(queue, "a")
    assert await claim(queue, "dead", lease_s=OVER_S)
    await queue.cancel(ANN, "a")
    assert (await traces.get_trace(ANN, "a")).status is TraceStatus.CANCELLED


async def test_only_who_holds_a_run_may_end_it(queue: Jobs, traces: Traces) -> None:
    await put(queue, "a")
    first = await claim(queue, "frozen", lease_s=OVER_S)
    assert first
    second = await taken(queue)
    with pytest.raises(TraceConflict):
        await queue.end(first, TraceStatus.FAILED, "it cannot begin here")
    await queue.end(second, TraceStatus.FAILED, "it cannot begin")
    trace = await traces.get_trace(ANN, "a")
    assert (trace.status, trace.error_message) == (TraceStatus.FAILED, "it cannot begin")
    assert trace.completed_at


async def test_a_request_of_another_version_fails_and_stops_no_worker(
    queue: Jobs, database: Database, traces: Traces
) -> None:
    await put(queue, "strange", priority=1)
    await put(queue, "known")
    async with database.write() as connection:
        await connection.execute(
            update(jobs).where(jobs.c.run_id == "strange").values(request='{"ask": "?"}')
        )
    assert (await taken(queue)).run_id == "known"
    trace = await traces.get_trace(ANN, "strange")
    assert trace.status is TraceStatus.FAILED
    assert "another version" in (trace.error_message or "")


async def test_a_worker_of_an_earlier_version_can_read_what_says_nothing_new(
    queue: Jobs, database: Database
) -> None:
    await put(queue, "plain")
    async with database.read() as connection:
        (request,) = (await connection.execute(select(jobs.c.request))).scalars()
    assert {"run_id", "marks", "request"} == set(json.loads(request))
    assert set(json.loads(request)["request"]) == {"question"}


async def test_workers_that_claim_at_once_keep_to_the_limit_of_a_user(queue: Jobs) -> None:
    for number in range(6):
        await put(queue, f"run-{number}")
    claims = (claim(queue, f"w{n}", lease_s=LEASE_S, per_user=2) for n in range(6))
    assert sum(job is not None for job in await asyncio.gather(*claims)) == 2


async def test_leases_go_by_the_clock_of_the_database(
    queue: Jobs, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    if database.sqlite:
        pytest.skip("its clock is that of the machine")

    class Behind(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Behind:
            return cls.fromtimestamp(datetime.now(UTC).timestamp() - 3_600, tz)

    await put(queue, "a")
    monkeypatch.setattr("quaere.store.jobs.datetime", Behind)
    slow = await taken(queue)
    monkeypatch.undo()
    assert await claim(queue, "w", lease_s=LEASE_S) is None, "an hour behind, it holds its lease"
    assert await renew(queue, slow, lease_s=LEASE_S) is Wish.CONTINUE


async def test_a_worker_that_could_not_renew_for_the_database_is_not_robbed(
    url: str, tmp_path: Path
) -> None:
    if not url.startswith("sqlite"):
        pytest.skip("the same code; only SQLite is locked so easily")
    async with Database(url) as mine, Database(url) as others:
        await mine.upgrade()
        await put(Jobs(mine), "a")
        job = await claim(Jobs(mine), "w", lease_s=0.4)
        assert job
        outsider = sqlite3.connect(tmp_path / "quaere.db", isolation_level=None)
        outsider.execute("BEGIN EXCLUSIVE")
        claiming = asyncio.create_task(claim(Jobs(others), "thief", lease_s=LEASE_S))
        await asyncio.sleep(0.6)
        outsider.execute("ROLLBACK")
        outsider.close()
        assert await claiming is None
        assert await renew(Jobs(mine), job, lease_s=LEASE_S) is Wish.CONTINUE


async def test_pruning_spares_runs_that_wait(queue: Jobs) -> None:
    """Issue 7: nothing that was accepted is lost."""
    await put(queue, "waits")
    await put(queue, "released")
    await put(queue, "cancelled")
    await put(queue, "over", priority=1)
    over = await taken(queue)
    await Traces(queue.database).fail_trace(ANN, over.run_id, "no")
    await queue.cancel(ANN, "cancelled")
    job = await taken(queue)
    await queue.release(job)
    assert await Traces(queue.database).prune(ANN, timedelta(0)) == ("cancelled", "over")
    kept = (await Traces(queue.database).list_traces(ANN)).traces
    assert {trace.id for trace in kept} == {"waits", "released"}
    assert await queue.waiting() == 2
