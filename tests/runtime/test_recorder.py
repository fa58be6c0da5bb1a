"""Events are kept in their order and told afterwards; few transactions are made for many."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.store.runs import PASSAGES, RUN, failed_run, whole_run

from quaere.domain.events import Event
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import StoreError, StoreUnavailable
from quaere.runtime import recorder
from quaere.runtime.recorder import EventWriter, TraceRecorder
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import spool_folder
from quaere.store.db.database import Database
from quaere.store.traces.privacy import Kept, Privacy, TraceRedactor
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.spool import SUFFIX, Spool, read
from quaere.store.traces.traces import Traces
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ME = Owner()
ALL_DAY_S = 100.0


class Log(TraceLog):
    """Notes what it is given in one transaction; each takes a while, or fails."""

    def __init__(self, traces: Traces) -> None:
        super().__init__(traces, ME, RUN, Summary())
        self.batches: list[int] = []
        self.takes_s = 0.0
        self.error: StoreError | None = None

    async def append_patiently(self, kept: Sequence[Kept]) -> None:
        await asyncio.sleep(self.takes_s)
        if self.error:
            raise self.error
        await super().append_patiently(kept)
        self.batches.append(len(kept))


@dataclass
class Place:
    """A trace, what writes to it, and what was told of it."""

    traces: Traces
    log: Log
    told: list[Event] = field(default_factory=list[Event])

    def writer(self) -> EventWriter:
        return EventWriter(self.log, self.told.extend)

    async def kept(self) -> Sequence[Event]:
        return await self.traces.events(ME, RUN)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncGenerator[Place]:
    async with Database.file(tmp_path / "q.db") as database:
        traces = Traces(database)
        await traces.create_trace(ME, {"question": "Who?"}, trace_id=RUN)
        yield Place(traces, Log(traces))


def kept_of(events: Sequence[Event]) -> list[Kept]:
    redactor = TraceRedactor(Privacy(), PASSAGES.__getitem__)
    return [redactor.take(event) for event in events]


async def until_written(place: Place, batches: int) -> None:
    async with asyncio.timeout(20):
        while len(place.log.batches) < batches:  # noqa: ASYNC110 - the writer does it
            await asyncio.sleep(0.01)


async def test_events_of_one_moment_are_kept_at_once_and_in_order(place: Place) -> None:
    async with place.writer() as writer:
        for kept in kept_of(whole_run()):
            writer.add(kept)
        assert place.told == [], "nothing is told before it is kept"
    assert place.told == list(await place.kept()) == whole_run()
    assert place.log.batches == [len(whole_run())]
    assert (await place.traces.get_trace(ME, RUN)).status is TraceStatus.COMPLETED


async def test_events_of_another_moment_are_kept_without_waiting_for_more(place: Place) -> None:
    async with place.writer() as writer:
        for number, kept in enumerate(kept_of(whole_run()[:3]), 1):
            writer.add(kept)
            await until_written(place, number)
            assert place.told == list(await place.kept()) == whole_run()[:number]
    assert place.log.batches == [1, 1, 1], "leaving writes nothing that is not there"


async def test_what_comes_during_a_transaction_is_kept_in_the_next(place: Place) -> None:
    place.log.takes_s = 0.2
    first, *others = kept_of(whole_run())
    async with place.writer() as writer:
        writer.add(first)
        await asyncio.sleep(0.1)
        for kept in others:
            writer.add(kept)
    assert place.log.batches == [1, len(others)]
    assert place.told == whole_run()


@pytest.mark.parametrize("run", [whole_run(), failed_run()], ids=["finished", "failed"])
async def test_nothing_is_gathered_after_the_last_event(
    place: Place, monkeypatch: pytest.MonkeyPatch, run: list[Event]
) -> None:
    monkeypatch.setattr(recorder, "GATHERS_S", ALL_DAY_S)
    async with place.writer() as writer:
        for kept in kept_of(run)[:-1]:
            writer.add(kept)
        await asyncio.sleep(0.1)
        assert place.told == [], "more may come"
        writer.add(kept_of(run)[-1])
        await until_written(place, 1)
    assert place.told == run


async def test_who_leaves_does_not_wait_for_more_to_gather(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "GATHERS_S", ALL_DAY_S)
    async with asyncio.timeout(20), place.writer() as writer:
        writer.add(kept_of(whole_run())[0])
    assert place.told == whole_run()[:1]
    async with asyncio.timeout(20), place.writer():
        pass


async def test_what_was_added_before_an_error_is_kept(place: Place) -> None:
    async def made(writer: EventWriter) -> None:
        writer.add(kept_of(whole_run())[0])
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        async with place.writer() as writer:
            await made(writer)
    assert place.told == whole_run()[:1]


async def test_an_event_that_cannot_be_kept_is_told_to_who_adds_or_leaves(place: Place) -> None:
    place.log.error = StoreError("the disk is full")
    first, second, *_ = kept_of(whole_run())

    async def made() -> None:
        async with place.writer() as writer:
            writer.add(first)
            await asyncio.sleep(0.2)
            with pytest.raises(StoreError, match="the disk is full"):
                writer.add(second)

    with pytest.raises(StoreError, match="the disk is full"):
        await made()
    assert place.told == []


async def test_who_is_cancelled_leaves_at_once(place: Place) -> None:
    place.log.takes_s = ALL_DAY_S

    async def made() -> None:
        async with place.writer() as writer:
            writer.add(kept_of(whole_run())[0])
            await asyncio.sleep(ALL_DAY_S)

    making = asyncio.create_task(made())
    await asyncio.sleep(0.1)
    making.cancel()
    async with asyncio.timeout(20):
        await asyncio.wait([making])
    assert making.cancelled()
    assert place.told == []


def test_a_trace_that_can_no_longer_be_written_ends_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path)
    spec = RunSpec(run_id=RUN, request=RunRequest(question="Who?"))
    first, second, third, *_ = whole_run()
    notices: list[str] = []
    trace = TraceRecorder(settings, spec, ME, notices.append)
    assert trace.keep(first) == first

    def full(*_: object) -> None:
        raise StoreUnavailable("The disk is full.")

    monkeypatch.setattr(Spool, "append", full)
    assert (trace.keeps, trace.keep(second), trace.keeps) == (True, second, False)
    assert notices == ["the trace ends here. The disk is full."]
    assert trace.keep(third) == third
    trace.close()
    assert len(notices) == 1
    kept = read(spool_folder(settings) / f"{RUN}{SUFFIX}").kept
    assert [each.event for each in kept] == [first]
