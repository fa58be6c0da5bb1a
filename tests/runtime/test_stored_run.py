"""A run that is made elsewhere, read from what is kept of it and from what news bring."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

import pytest
from tests.store.runs import BEGUN, RUN, failed_run, whole_run

from quaere.domain.events import Event
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.errors import QuaereError, RunCancelled, SearchError
from quaere.runtime.news import News
from quaere.runtime.stored_run import StoredRun
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")


class Kept:
    """What a database has of one run; counts how often it is looked into."""

    def __init__(self, events: Sequence[Event], status: TraceStatus, error: str = "") -> None:
        self.events_, self.status, self.error = list(events), status, error
        self.looks = 0
        self.looked = asyncio.Event()

    async def get_trace(self, owner: Owner, run_id: str) -> Trace:
        return Trace(
            id=run_id,
            user_id=owner.user,
            tool_name="deep_research",
            created_at=BEGUN,
            status=self.status,
            error_message=self.error or None,
        )

    async def with_events(
        self, owner: Owner, run_id: str, *, after: int
    ) -> tuple[Trace, Sequence[Event]]:
        self.looks += 1
        self.looked.set()
        return await self.get_trace(owner, run_id), [e for e in self.events_ if e.seq > after]


def run_of(kept: Kept) -> StoredRun:
    return StoredRun(RUN, ANN, cast("Traces", kept), news=News())


async def followed(run: StoredRun, kept: Kept, *news: Sequence[Event]) -> list[Event]:
    """Return the events of ``run``, which ``news`` bring one after another."""
    seen: list[Event] = []

    async def follow() -> None:
        seen.extend([event async for event in run.events()])

    task = asyncio.create_task(follow())
    await kept.looked.wait()
    for events in news:
        run.news.tell(RUN, events)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await task
    return seen


async def test_a_run_that_is_over_is_read_at_once() -> None:
    kept = Kept(whole_run(), TraceStatus.COMPLETED)
    assert await followed(run_of(kept), kept) == whole_run()
    assert kept.looks == 1


@pytest.mark.parametrize("whole", [whole_run(), failed_run()], ids=["finished", "failed"])
async def test_what_news_bring_is_told_without_another_look(whole: list[Event]) -> None:
    kept = Kept(whole[:2], TraceStatus.IN_PROGRESS)
    told = await followed(run_of(kept), kept, whole[2:3], whole[3:])
    assert told == whole
    assert kept.looks == 1


async def test_news_that_were_told_already_are_told_once() -> None:
    whole = whole_run()
    kept = Kept(whole[:3], TraceStatus.IN_PROGRESS)
    assert await followed(run_of(kept), kept, whole[1:4], whole[2:]) == whole


async def test_a_gap_in_the_news_is_filled_from_what_is_kept() -> None:
    whole = whole_run()
    kept = Kept(whole[:2], TraceStatus.IN_PROGRESS)
    run = run_of(kept)
    task = asyncio.create_task(followed(run, kept, whole[4:6], []))
    await kept.looked.wait()
    kept.events_, kept.status = whole, TraceStatus.COMPLETED
    assert await task == whole
    assert kept.looks == 2


async def test_a_report_is_that_of_its_last_event() -> None:
    kept = Kept(whole_run(), TraceStatus.COMPLETED)
    assert (await run_of(kept).report()).run_id == whole_run()[-1].report.run_id  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("events", "status", "error", "kind", "words"),
    [
        (failed_run(), TraceStatus.FAILED, "", SearchError, "nobody answers"),
        (failed_run(), TraceStatus.CANCELLED, "", RunCancelled, "was cancelled"),
        ([], TraceStatus.FAILED, "it was given up", QuaereError, "it was given up"),
        ([], TraceStatus.FAILED, "", QuaereError, "It has no report"),
    ],
)
async def test_a_run_without_a_report_raises_why(
    events: list[Event], status: TraceStatus, error: str, kind: type[QuaereError], words: str
) -> None:
    with pytest.raises(kind, match=words) as raised:
        await run_of(Kept(events, status, error)).report()
    assert type(raised.value) is kind
