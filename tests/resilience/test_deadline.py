from __future__ import annotations

import asyncio
import time

import pytest

from quaere.resilience.timing import GRACE_S, settle, unless

pytestmark = pytest.mark.anyio


async def after(seconds: float, result: str = "done") -> str:
    await asyncio.sleep(seconds)
    return result


async def fail() -> str:
    raise KeyError("failed")


async def test_it_waits_until_all_are_done() -> None:
    tasks = [asyncio.create_task(after(0.01 * n, str(n))) for n in range(3)]
    tasks.append(asyncio.create_task(fail()))
    await settle(tasks, 5)
    assert [task.result() for task in tasks[:3]] == ["0", "1", "2"]
    assert isinstance(tasks[3].exception(), KeyError)


async def test_what_is_late_is_cancelled_and_the_rest_stays() -> None:
    tasks = [asyncio.create_task(after(0)), asyncio.create_task(after(30))]
    await settle(tasks, 0.02)
    assert tasks[0].result() == "done"
    assert tasks[1].cancelled()


@pytest.mark.parametrize("seconds", [0, -1])
async def test_without_time_nothing_is_waited_for(seconds: float) -> None:
    task = asyncio.create_task(after(30))
    await settle([task], seconds)
    assert task.cancelled()


async def test_one_that_cleans_up_may_finish() -> None:
    async def tidy() -> str:
        try:
            return await after(30)
        except asyncio.CancelledError:
            return await after(0.01, "tidied")

    task = asyncio.create_task(tidy())
    await settle([task], 0.01)
    assert task.result() == "tidied"


async def test_one_that_ignores_it_is_left_behind() -> None:
    released = asyncio.Event()

    async def deaf() -> str:
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue
        raise KeyError("nobody looks")

    task = asyncio.create_task(deaf())
    started = time.monotonic()
    await settle([task], 0.01)
    assert GRACE_S <= time.monotonic() - started < GRACE_S + 1
    assert not task.done()
    released.set()
    await asyncio.wait([task])


async def test_cancelling_the_caller_cancels_the_tasks() -> None:
    task = asyncio.create_task(after(30))
    caller = asyncio.create_task(settle([task], 30))
    await asyncio.sleep(0.01)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert task.cancelled()


async def test_nothing_to_wait_for_is_no_wait() -> None:
    await settle([], 30)


async def test_work_is_cancelled_once_it_is_not_wanted_any_more() -> None:
    ended, begun = asyncio.Event(), asyncio.create_task(after(0))
    assert await unless(ended, after(0.01)) == "done"
    with pytest.raises(KeyError):
        await unless(ended, fail())
    waiting = asyncio.create_task(unless(ended, after(30)))
    await begun
    ended.set()
    began = time.monotonic()
    assert await waiting is None
    assert time.monotonic() - began < 5


async def test_work_goes_with_its_caller() -> None:
    gone = asyncio.Event()

    async def noting() -> str:
        try:
            return await after(30)
        finally:
            gone.set()

    caller = asyncio.create_task(unless(asyncio.Event(), noting()))
    await asyncio.sleep(0.01)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    assert caller.cancelled()
    assert gone.is_set()
