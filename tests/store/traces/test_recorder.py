"""A run's events are in its trace before anybody else sees them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from tests.services.postgres import Server
from tests.store.runs import PASSAGES, RUN, TEXT, failed_run, streamed, whole_run

from quaere.domain.events import Event
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.errors import SearchError, StoreUnavailable, TraceConflict
from quaere.store.db.database import Database
from quaere.store.traces.privacy import WITHHELD, Privacy, TraceRedactor
from quaere.store.traces.recorder import TraceLog, recorded
from quaere.store.traces.traces import Traces
from quaere.view.summary import Summary

pytestmark = pytest.mark.anyio

ME = Owner()


async def begun(traces: Traces) -> Trace:
    return await traces.create_trace(ME, {"question": "Who?"}, trace_id=RUN)


def redactor(privacy: Privacy | None = None) -> TraceRedactor:
    return TraceRedactor(privacy or Privacy(), PASSAGES.__getitem__)


async def test_a_whole_run_is_kept_while_it_passes_by(traces: Traces) -> None:
    await begun(traces)
    seen: list[Event] = []
    async for event in recorded(
        streamed(whole_run()), TraceLog(traces, ME, RUN, Summary()), redactor()
    ):
        seen.append(event)
        assert (await traces.get_trace(ME, RUN)).last_seq == event.seq
    assert seen == whole_run()
    assert await traces.events(ME, RUN) == tuple(whole_run())
    done = await traces.get_trace(ME, RUN)
    assert done.status is TraceStatus.COMPLETED
    assert [source.text for source in await traces.sources(ME, RUN)] == [TEXT, ""]


async def test_a_failed_run_is_kept_with_its_failure(traces: Traces) -> None:
    async def failing() -> AsyncGenerator[Event]:
        for event in failed_run():
            yield event
        raise SearchError("nobody answers")

    await begun(traces)
    with pytest.raises(SearchError):
        async for _ in recorded(failing(), TraceLog(traces, ME, RUN, Summary()), redactor()):
            pass
    trace = await traces.get_trace(ME, RUN)
    assert (trace.status, trace.error_message) == (TraceStatus.FAILED, "nobody answers")


@pytest.mark.parametrize("stopped", [TraceStatus.CANCELLED, TraceStatus.INTERRUPTED])
async def test_a_run_that_is_closed_is_marked_so(traces: Traces, stopped: TraceStatus) -> None:
    await begun(traces)
    log = TraceLog(traces, ME, RUN, Summary())
    async with aclosing(
        recorded(streamed(whole_run()), log, redactor(), stopped=stopped)
    ) as events:
        async for event in events:
            if event.seq == 4:
                break
    trace = await traces.get_trace(ME, RUN)
    assert (trace.status, trace.last_seq) == (stopped, 4)


async def test_a_run_whose_task_is_cancelled_is_marked_so(traces: Traces) -> None:
    begun_to_write = asyncio.Event()

    async def endless() -> AsyncGenerator[Event]:
        yield whole_run()[0]
        begun_to_write.set()
        await asyncio.sleep(60)

    async def consume() -> None:
        async for _ in recorded(endless(), TraceLog(traces, ME, RUN, Summary()), redactor()):
            pass

    await begun(traces)
    task = asyncio.create_task(consume())
    await begun_to_write.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await traces.get_trace(ME, RUN)).status is TraceStatus.CANCELLED


async def test_a_run_that_was_interrupted_goes_on(traces: Traces) -> None:
    await begun(traces)
    log = TraceLog(traces, ME, RUN, Summary())
    await log.append([redactor().take(event) for event in whole_run()[:6]])
    await traces.interrupt(ME, RUN)
    taken = await traces.reopen(ME, RUN)
    again = TraceLog(
        traces, ME, RUN, Summary(), fence=taken.fence, events=await traces.events(ME, RUN)
    )
    async for _ in recorded(streamed(whole_run()[6:]), again, redactor()):
        pass
    done = await traces.get_trace(ME, RUN)
    assert done.status is TraceStatus.COMPLETED
    assert len(await traces.events(ME, RUN)) == len(whole_run())
    whole = await traces.create_trace(ME, {}, trace_id="whole")
    await TraceLog(traces, ME, whole.id, Summary()).append(
        [redactor().take(event) for event in whole_run()]
    )
    assert done.state == (await traces.get_trace(ME, "whole")).state


async def test_who_was_overtaken_is_stopped(traces: Traces) -> None:
    trace = await begun(traces)
    await traces.reopen(ME, RUN)
    log = TraceLog(traces, ME, RUN, Summary(), fence=trace.fence)
    with pytest.raises(TraceConflict, match="Another worker"):
        async for _ in recorded(streamed(whole_run()), log, redactor()):
            pass
    assert await traces.events(ME, RUN) == ()


async def test_what_may_not_be_kept_is_not(traces: Traces) -> None:
    await begun(traces)
    privacy = Privacy(pages=False, questions=False)
    async for _ in recorded(
        streamed(whole_run()), TraceLog(traces, ME, RUN, Summary()), redactor(privacy)
    ):
        pass
    assert {source.text for source in await traces.sources(ME, RUN)} == {""}
    trace = await traces.get_trace(ME, RUN)
    assert trace.state["refined_question"] == WITHHELD
    assert trace.result is not None
    assert trace.result["answer"] == "The mill at Orrin was built by Tamsin Wray. [1]"


async def test_a_database_that_is_gone_for_a_while_costs_no_event(postgres: Server) -> None:
    async with Database(postgres.create()) as database:
        await database.upgrade()
        traces = Traces(database)
        await begun(traces)
        async with asyncio.TaskGroup() as starting:
            async for event in recorded(
                streamed(whole_run()), TraceLog(traces, ME, RUN, Summary()), redactor()
            ):
                if event.seq == 4:
                    await asyncio.to_thread(postgres.stop)
                    starting.create_task(asyncio.to_thread(postgres.start))
        assert await traces.events(ME, RUN) == tuple(whole_run())


async def test_a_database_that_stays_away_ends_the_run(url: str) -> None:
    class Gone(Traces):
        async def append(self, *arguments: object, **named: object) -> None:
            raise StoreUnavailable("gone")

    class Hasty(TraceLog):
        append_patiently = TraceLog.append

    async with Database(url) as database:
        await database.upgrade()
        await begun(Traces(database))
        with pytest.raises(StoreUnavailable):
            async for _ in recorded(
                streamed(whole_run()), Hasty(Gone(database), ME, RUN, Summary()), redactor()
            ):
                pass
        assert (await Traces(database).get_trace(ME, RUN)).status is TraceStatus.CANCELLED
