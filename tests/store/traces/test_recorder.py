"""A run's events are in its trace before anybody else sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.services.postgres import Server
from tests.store.runs import PASSAGES, RUN, TEXT, failed_run, whole_run

from quaere.domain.events import Event
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.errors import TraceConflict
from quaere.store.db.database import Database
from quaere.store.traces.privacy import WITHHELD, Privacy, TraceRedactor
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.traces import Traces
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ME = Owner()


async def begun(traces: Traces) -> Trace:
    return await traces.create_trace(ME, {"question": "Who?"}, trace_id=RUN)


def redactor(privacy: Privacy | None = None) -> TraceRedactor:
    return TraceRedactor(privacy or Privacy(), PASSAGES.__getitem__)


async def write(
    log: TraceLog, events: Sequence[Event], redactor_: TraceRedactor | None = None
) -> None:
    """Add ``events`` one by one, as a run comes to them."""
    taking = redactor_ or redactor()
    for event in events:
        await log.append_patiently([taking.take(event)])


async def test_a_whole_run_is_kept_step_by_step_and_completed_r4_3(traces: Traces) -> None:
    await begun(traces)
    log = TraceLog(traces, ME, RUN, Summary())
    shares: list[float] = []
    for event in whole_run():
        assert log.over is False
        await write(log, [event])
        trace = await traces.get_trace(ME, RUN)
        assert trace.last_seq == event.seq
        shares.append(trace.progress)
    assert log.over is True
    assert shares == sorted(shares)
    assert await traces.events(ME, RUN) == tuple(whole_run())
    done = await traces.get_trace(ME, RUN)
    assert (done.status, done.progress) == (TraceStatus.COMPLETED, 1.0)
    assert [source.text for source in await traces.sources(ME, RUN)] == [TEXT, ""]


async def test_a_failed_run_is_kept_with_its_failure_r4_3(traces: Traces) -> None:
    await begun(traces)
    await write(TraceLog(traces, ME, RUN, Summary()), failed_run())
    trace = await traces.get_trace(ME, RUN)
    assert (trace.status, trace.error_message) == (TraceStatus.FAILED, "nobody answers")


async def test_what_was_written_already_can_be_written_again(traces: Traces) -> None:
    await begun(traces)
    kept = [redactor().take(event) for event in whole_run()]
    for _ in range(2):
        await TraceLog(traces, ME, RUN, Summary()).append(kept)
    assert await traces.events(ME, RUN) == tuple(whole_run())


async def test_a_run_that_was_interrupted_goes_on(traces: Traces) -> None:
    await begun(traces)
    log = TraceLog(traces, ME, RUN, Summary())
    await log.append([redactor().take(event) for event in whole_run()[:6]])
    await traces.interrupt(ME, RUN)
    taken = await traces.reopen(ME, RUN)
    again = TraceLog(
        traces, ME, RUN, Summary(), fence=taken.fence, events=await traces.events(ME, RUN)
    )
    await write(again, whole_run()[6:])
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
        await write(log, whole_run())
    assert await traces.events(ME, RUN) == ()


async def test_what_may_not_be_kept_is_not(traces: Traces) -> None:
    await begun(traces)
    privacy = Privacy(pages=False, questions=False)
    await write(TraceLog(traces, ME, RUN, Summary()), whole_run(), redactor(privacy))
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
            log = TraceLog(traces, ME, RUN, Summary())
            for event in whole_run():
                await write(log, [event])
                if event.seq == 4:
                    await asyncio.to_thread(postgres.stop)
                    starting.create_task(asyncio.to_thread(postgres.start))
        assert await traces.events(ME, RUN) == tuple(whole_run())
