"""When the answer of a chat that nobody reads any more is ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from quaere.domain.events import Event
from quaere.domain.report import Report
from quaere.domain.team import Reply
from quaere.domain.trace import Owner
from quaere.errors import QuaereError
from quaere.faces.server.abandoned import ChatReaders
from quaere.faces.server.feed import Feeds

pytestmark = pytest.mark.anyio

WAIT_S = 0.05


class Asked:
    """A run that tells of no event, and counts how often it is to end."""

    owner = Owner()

    def __init__(self, run_id: str = "asked", *, is_over: bool = False) -> None:
        self.id = run_id
        self.ended = 0
        self._is_over = is_over

    async def events(self, *, after: int = 0) -> AsyncGenerator[Event]:
        del after
        await asyncio.Event().wait()
        for nothing in ():
            yield nothing

    async def so_far(self) -> tuple[Event, ...]:
        return ()

    async def report(self) -> Report:
        raise NotImplementedError

    async def cancel(self) -> None:
        self.ended += 1
        if self._is_over:
            raise QuaereError("It is over.")

    async def finish(self) -> None:
        raise NotImplementedError

    async def reply(self, inquiry_id: str, reply: Reply) -> None:
        raise NotImplementedError


@pytest.fixture
def feeds() -> Feeds:
    return Feeds(lambda _: b"")


async def test_a_run_is_ended_a_while_after_its_last_reader_has_left(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    with readers.reading(run, feeds, abandons=True):
        with readers.reading(run, feeds, abandons=True):
            pass
        await asyncio.sleep(3 * WAIT_S)
        assert run.ended == 0, "one still reads"
    await asyncio.sleep(WAIT_S / 5)
    assert run.ended == 0, "it may come back"
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 1


async def test_a_reader_who_comes_back_in_time_keeps_it(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    with readers.reading(run, feeds, abandons=True):
        pass
    with readers.reading(run, feeds, abandons=False):
        await asyncio.sleep(3 * WAIT_S)
        assert run.ended == 0
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 0, "who left last does not abandon it"


async def test_readers_of_another_run_keep_none(feeds: Feeds) -> None:
    run, other, readers = Asked("a"), Asked("b"), ChatReaders(WAIT_S)
    with readers.reading(other, feeds, abandons=True):
        with readers.reading(run, feeds, abandons=True):
            pass
        await asyncio.sleep(3 * WAIT_S)
        assert (run.ended, other.ended) == (1, 0)


async def test_a_reader_of_its_feed_keeps_it(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    async with feeds.reading(run):
        with readers.reading(run, feeds, abandons=True):
            pass
        await asyncio.sleep(3 * WAIT_S)
        assert run.ended == 0
    feeds.forget(run.id)


async def test_a_process_that_closes_ends_no_run(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    with readers.reading(run, feeds, abandons=True):
        pass
    feeds.close()
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 0


async def test_a_reader_that_fails_has_left_as_well(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    with (
        pytest.raises(ConnectionError),
        readers.reading(run, feeds, abandons=True),
    ):
        raise ConnectionError
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 1


async def test_a_run_that_is_over_by_then_troubles_nobody(feeds: Feeds) -> None:
    run, readers = Asked(is_over=True), ChatReaders(WAIT_S)
    troubles: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: troubles.append(told))
    with readers.reading(run, feeds, abandons=True):
        pass
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 1
    assert troubles == []
