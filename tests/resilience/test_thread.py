from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest

from quaere.resilience.thread import in_thread

pytestmark = pytest.mark.anyio


async def test_the_result_comes_from_another_thread() -> None:
    assert await in_thread(threading.get_ident) != threading.get_ident()


@pytest.mark.parametrize("error", [KeyError("k"), SystemExit(3), asyncio.CancelledError()])
async def test_what_was_raised_is_raised_here(error: BaseException) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)):
        await in_thread(fail)


async def test_cancelling_does_not_wait() -> None:
    go = threading.Event()
    task = asyncio.create_task(in_thread(go.wait))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()


def test_the_end_of_the_program_does_not_wait() -> None:
    program = """
import asyncio, threading
from quaere.resilience.thread import in_thread

async def main():
    try:
        await asyncio.wait_for(in_thread(threading.Event().wait), 0.05)
    except TimeoutError:
        print("late")

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=10, check=True
    )
    assert (done.stdout, done.stderr) == ("late\n", "")


def test_a_thread_that_ends_after_its_loop_says_nothing() -> None:
    go, over = threading.Event(), threading.Event()

    def late() -> None:
        go.wait()
        over.set()

    async def leave() -> None:
        task = asyncio.create_task(in_thread(late))
        await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(leave())
    go.set()
    assert over.wait(2)
