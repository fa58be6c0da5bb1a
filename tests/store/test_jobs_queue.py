"""What is told of the queue: who waits, who goes before whom, and what a run has asked back."""

from __future__ import annotations

import pytest
from tests.store.runs import numbered
from tests.store.test_jobs import ANN, BEN, LEASE_S, OVER_S, claim, put, taken

from quaere.domain.events import Event, InquiryAnswered, InquiryRaised, Phase
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.domain.trace import TraceStatus
from quaere.errors import TraceConflict, TraceNotFound, UsageError
from quaere.store import jobs as module
from quaere.store.db.database import Database
from quaere.store.jobs import GivenReply, Jobs
from quaere.store.traces.traces import Entries, Traces

pytestmark = pytest.mark.anyio

ASKED = Inquiry(kind=InquiryKind.CLARIFICATION, text="Which mill?")
TOPICS = Inquiry(kind=InquiryKind.TOPICS, text="Both.", topics=("a", "b"))
REPLY = Reply(text="The old one")


@pytest.fixture
def queue(database: Database) -> Jobs:
    return Jobs(database)


async def logged(traces: Traces, *events: Event) -> None:
    entries = Entries(events=numbered(events, "a"))
    await traces.update_progress(ANN, "a", stage="on", progress=0.5, entries=entries)


def raised(inquiry: Inquiry = ASKED) -> InquiryRaised:
    return InquiryRaised(phase=Phase.PLANNING, inquiry=inquiry)


async def test_a_run_waits_behind_those_of_higher_priority_and_those_before_it(
    queue: Jobs,
) -> None:
    for name, priority in (("a", 0), ("b", 0), ("c", 5), ("d", -1)):
        await put(queue, name, priority=priority)
    assert [await queue.position(name) for name in "cabd"] == [0, 1, 2, 3]
    job = await taken(queue)
    assert job.run_id == "c"
    assert [await queue.position(name) for name in "cabd"] == [None, 0, 1, 2]
    await queue.release(job)
    assert await queue.position("c") == 0
    assert await queue.position("nobody") is None


async def test_runs_that_wait_or_are_in_progress_are_counted(
    queue: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await queue.waiting(), await queue.idle()) == (0, True)
    for name in ("a", "b", "c"):
        await put(queue, name)
    job = await taken(queue)
    assert (await queue.waiting(), await queue.idle()) == (3, False)
    await queue.end(job, TraceStatus.FAILED, "it broke")
    assert await queue.waiting() == 2
    monkeypatch.setattr(module, "COUNTED", 1)
    assert await queue.waiting() >= 2, "of many, about how many there are"
    for _ in range(2):
        await queue.end(await taken(queue), TraceStatus.CANCELLED)
    assert await queue.idle()


async def test_runs_are_listed_by_their_ids_a_few_at_a_time(queue: Jobs) -> None:
    for name, priority in (("b", 1), ("a", 0), ("c", -1)):
        await put(queue, name, priority=priority)
    assert await queue.listed("", 9) == {"a": 0, "b": 1, "c": -1}
    assert list(await queue.listed("", 2)) == ["a", "b"]
    assert list(await queue.listed("b", 2)) == ["c"]


async def test_who_holds_a_run_is_told_once(queue: Jobs) -> None:
    for name in ("a", "b", "c"):
        await put(queue, name)
    assert await queue.holders() == ()
    for worker in ("w", "w", "v"):
        assert await claim(queue, worker, lease_s=LEASE_S)
    assert sorted(await queue.holders()) == ["v", "w"]


async def test_what_was_asked_back_is_answered_by_its_owner(queue: Jobs, traces: Traces) -> None:
    await put(queue, "a")
    job = await taken(queue)
    await logged(traces, raised())
    assert await queue.given_reply(job) is None
    for wrong in ("other", "2"):
        with pytest.raises(UsageError, match="; it waits for '1'"):
            await queue.reply(ANN, "a", wrong, REPLY)
    with pytest.raises(TraceNotFound):
        await queue.reply(BEN, "a", ASKED.id, REPLY)
    await queue.reply(ANN, "a", ASKED.id, REPLY)
    assert await queue.given_reply(job) == GivenReply(seq=1, reply=REPLY)
    await queue.reply(ANN, "a", ASKED.id, REPLY)  # the same again is no other reply
    with pytest.raises(TraceConflict, match="already given another reply"):
        await queue.reply(ANN, "a", "1", Reply(text="The new one"))
    assert await queue.given_reply(job) == GivenReply(seq=1, reply=REPLY)


async def test_topics_of_which_none_is_wanted_are_asked_for_again(
    queue: Jobs, traces: Traces
) -> None:
    await put(queue, "a")
    job = await taken(queue)
    await logged(traces, raised(TOPICS))
    with pytest.raises(UsageError, match="cancel the run"):
        await queue.reply(ANN, "a", "1", Reply(topics=()))
    await queue.reply(ANN, "a", "1", Reply(text="2"))
    assert await queue.given_reply(job) == GivenReply(seq=1, reply=Reply(topics=("b",)))


async def test_what_was_answered_already_is_asked_no_more(queue: Jobs, traces: Traces) -> None:
    await put(queue, "a")
    job = await taken(queue)
    with pytest.raises(UsageError, match="; it waits for nothing"):
        await queue.reply(ANN, "a", ASKED.id, REPLY)
    answer = InquiryAnswered(phase=Phase.PLANNING, kind=ASKED.kind, reply=REPLY)
    await logged(traces, raised(), answer)
    with pytest.raises(UsageError, match="; it waits for nothing"):
        await queue.reply(ANN, "a", ASKED.id, REPLY)
    await queue.end(job, TraceStatus.CANCELLED)
    with pytest.raises(TraceConflict, match="already ended"):
        await queue.reply(ANN, "a", ASKED.id, REPLY)


async def test_only_the_worker_that_has_a_run_is_told_that_it_has_ended(queue: Jobs) -> None:
    await put(queue, "a")
    first = await claim(queue, "w", lease_s=OVER_S)
    assert first
    assert not await queue.ended(first)
    assert not await queue.settle(first)
    second = await taken(queue)
    assert second.run_id == "a"
    await queue.end(second, TraceStatus.COMPLETED)
    assert not await queue.ended(first)
    assert await queue.settle(first), "whoever looks, there is nothing left to do"
