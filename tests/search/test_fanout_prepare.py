from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

import pytest
from tests.graphs.misbehaving import deafness

from quaere.domain.events import Event, IndexProgress, Phase, WarningRaised
from quaere.domain.report import RunWarning
from quaere.errors import FolderIndexError
from quaere.search.fanout import prepare

pytestmark = pytest.mark.anyio

Progress = Callable[[int, int, int], None]


class Prepared:
    """Gets ready as it is told to."""

    def __init__(self, work: Callable[[Progress], object]) -> None:
        self._work = work
        self.cancelled = False

    async def prepare(self, progress: Progress) -> Sequence[RunWarning]:
        result = self._work(progress)
        if asyncio.iscoroutine(result):
            try:
                await result
            except asyncio.CancelledError:
                self.cancelled = True
                raise
        return [RunWarning(kind="index", message="torn")]


async def told(provider: Prepared, seconds: float = 5) -> list[Event]:
    """Return the events of getting ``provider`` ready."""
    return [event async for event in prepare(provider, "shelf", seconds)]


async def test_progress_is_told_in_order_and_then_the_warnings() -> None:
    async def work(progress: Progress) -> None:
        for done in range(3):
            progress(done, 2, done * 10)
            await asyncio.sleep(0)

    events = await told(Prepared(work))
    steps = [e for e in events if isinstance(e, IndexProgress)]
    assert [(e.folder, e.done, e.total, e.passages) for e in steps] == [
        ("shelf", 0, 2, 0),
        ("shelf", 1, 2, 10),
        ("shelf", 2, 2, 20),
    ]
    assert isinstance(events[-1], WarningRaised)
    assert events[-1].warning.message == "torn"
    assert {event.phase for event in events} == {Phase.INDEXING}


async def test_progress_is_told_while_it_goes_on() -> None:
    seen = asyncio.Event()

    async def work(progress: Progress) -> None:
        progress(0, 1, 0)
        await seen.wait()

    async for event in prepare(Prepared(work), "shelf", 5):
        if isinstance(event, IndexProgress):
            seen.set()
    assert seen.is_set()


@pytest.mark.parametrize(
    ("seconds", "when"),
    [
        (1.01, "after 1 s"),
        (0.05, "after less than a second"),
        (0, "in time, as none was left to wait for it"),
        (-3, "in time, as none was left to wait for it"),
        (-1e-9, "in time, as none was left to wait for it"),
    ],
)
async def test_when_the_time_is_over_it_is_stopped_and_a_warning_says_so(
    seconds: float, when: str
) -> None:
    provider = Prepared(lambda _: asyncio.sleep(30))
    started = time.monotonic()
    events = await told(provider, seconds)
    assert time.monotonic() - started < 10
    assert seconds <= 0 or provider.cancelled
    (event,) = events
    assert isinstance(event, WarningRaised)
    late = f"indexing was not finished {when}, and the answer uses what was indexed before."
    assert event.warning.message == late
    told_of = (event.warning.kind, event.warning.subject, event.warning.retryable)
    assert told_of == ("index", "shelf", True)


async def test_what_is_late_says_how_far_it_came_and_what_brings_more() -> None:
    async def work(progress: Progress) -> None:
        progress(900, 20_000, 5)
        progress(1_200, 20_000, 7)
        await asyncio.sleep(30)

    *_, event = await told(Prepared(work), 0.2)
    assert isinstance(event, WarningRaised)
    assert "1,200 of 20,000 files" in event.warning.message
    assert "ask again, or index the rest first" in event.warning.message


async def test_one_that_ignores_being_stopped_is_left_behind() -> None:
    async with deafness() as deaf:
        started = time.monotonic()
        (event,) = await told(Prepared(lambda _: deaf()), 0.05)
        assert time.monotonic() - started < 10
        assert isinstance(event, WarningRaised)


async def test_what_it_raises_on_purpose_is_raised() -> None:
    def work(progress: Progress) -> object:
        progress(1, 2, 3)
        raise FolderIndexError("The disk is full.")

    events = prepare(Prepared(work), "shelf", 5)
    assert isinstance(await anext(events), IndexProgress)
    with pytest.raises(FolderIndexError, match="disk is full"):
        await anext(events)


async def test_a_bug_is_a_warning_without_its_message() -> None:
    def work(progress: Progress) -> object:
        raise KeyError("secret")

    (event,) = await told(Prepared(work))
    assert isinstance(event, WarningRaised)
    assert event.warning.message == "shelf: KeyError, a bug in this provider"


async def test_leaving_early_stops_it() -> None:
    async def work(progress: Progress) -> None:
        progress(0, 1, 0)
        await asyncio.sleep(30)

    provider = Prepared(work)
    events = prepare(provider, "shelf", 30)
    await anext(events)
    await events.aclose()
    assert provider.cancelled
