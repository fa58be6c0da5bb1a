"""Time that others get: one's own work does not use it up."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime

import pytest

from quaere.resilience.timing import (
    GRACE_S,
    SYSTEM_CLOCK,
    Timing,
    begin,
    others_time,
    own_work,
    settle,
    unless,
)

pytestmark = pytest.mark.anyio


async def within(seconds: float, *, inner: float = 30.0, work_s: float = 0.0) -> bool:
    """Return whether own work of ``work_s`` ends within ``seconds`` of the time of others."""
    try:
        async with others_time(seconds), others_time(inner):
            with own_work():
                time.sleep(work_s)  # noqa: ASYNC251 - own work keeps the loop busy
            await asyncio.sleep(0.001)
    except TimeoutError:
        return False
    return True


def test_policies_see_a_clock_that_goes_on_and_chance_between_0_and_1() -> None:
    timing = Timing()
    before = timing.monotonic()
    assert timing.monotonic() >= before
    assert 0 <= timing.jitter() < 1
    assert SYSTEM_CLOCK.monotonic() >= before
    assert abs((SYSTEM_CLOCK.now() - datetime.now(UTC)).total_seconds()) < 60


async def test_others_get_so_long_and_no_longer() -> None:
    with pytest.raises(TimeoutError):
        async with others_time(0.01):
            await asyncio.sleep(30)
    async with others_time(30):
        await asyncio.sleep(0)


async def test_own_work_uses_up_nobodys_time_however_deep_it_is_done() -> None:
    assert await within(0.05, work_s=0.1)
    assert await within(0.05, inner=0.05, work_s=0.1)


async def test_after_own_work_the_rest_of_the_time_is_left_and_no_more() -> None:
    with pytest.raises(TimeoutError):
        await working_then_waiting()


async def working_then_waiting() -> None:
    async with others_time(0.02):
        with own_work(), own_work():
            time.sleep(0.03)  # noqa: ASYNC251 - own work keeps the loop busy
        await asyncio.sleep(0.5)


async def test_work_in_work_counts_as_long_as_the_outer_goes_on() -> None:
    async with others_time(0.05):
        with own_work():
            with own_work():
                pass
            time.sleep(0.1)  # noqa: ASYNC251 - own work keeps the loop busy
        await asyncio.sleep(0.001)


async def test_work_that_outlasts_the_wait_changes_nothing() -> None:
    work = own_work()
    async with others_time(30):
        work.__enter__()
    work.__exit__(None, None, None)
    with own_work():
        pass


async def test_work_that_begins_after_the_wait_it_belongs_to_is_just_done() -> None:
    begun = asyncio.Event()

    async def late() -> str:
        await begun.wait()
        with own_work():
            return "done"

    async with others_time(30):
        task = asyncio.create_task(late())
    begun.set()
    assert await task == "done"


async def test_own_work_outside_of_any_wait_is_just_done() -> None:
    with own_work():
        await asyncio.sleep(0)


async def test_a_wait_that_is_over_is_not_the_next_ones() -> None:
    with pytest.raises(TimeoutError):
        async with others_time(0.01):
            await asyncio.sleep(30)
    assert await within(0.05, work_s=0.1)


async def test_nothing_to_settle_takes_no_time() -> None:
    began = time.monotonic()
    await settle([], 30)
    done = asyncio.create_task(asyncio.sleep(0, "done"))
    await settle([done], 30)
    assert done.result() == "done"
    assert time.monotonic() - began < 10


async def test_what_is_late_is_waited_for_while_it_cleans_up() -> None:
    async def tidy() -> str:
        try:
            return await asyncio.sleep(30, "late")
        except asyncio.CancelledError:
            return await asyncio.sleep(GRACE_S / 100, "tidied")

    task = asyncio.create_task(tidy())
    await settle([task], 0.01)
    assert task.result() == "tidied"


async def test_nothing_is_reported_of_a_task_that_nobody_waits_for() -> None:
    reported: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, told: reported.append(told))
    task = asyncio.create_task(asyncio.sleep(30))
    await settle([task], 0)
    await asyncio.sleep(0)
    assert (task.cancelled(), reported) == (True, [])


async def test_work_comes_to_its_result_unless_the_end_is_called_first() -> None:
    ended = asyncio.Event()
    assert await unless(ended, asyncio.sleep(0, "done")) == "done"
    work = asyncio.create_task(unless(ended, asyncio.sleep(0.5, "late")))
    await asyncio.sleep(0)
    ended.set()
    assert await work is None

    async def fails() -> None:
        raise KeyError("failed")

    with pytest.raises(KeyError):
        await unless(asyncio.Event(), fails())


async def test_a_chore_that_ends_by_a_bug_is_in_the_log_at_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails() -> None:
        raise LookupError("no such moth")

    async def goes_on() -> None:
        await asyncio.Event().wait()

    failing, other = begin(fails()), begin(goes_on())
    await asyncio.wait([failing])
    other.cancel()
    await asyncio.wait([other])
    (record,) = caplog.records
    assert "fails" in record.getMessage()
    assert "no such moth" in caplog.text
