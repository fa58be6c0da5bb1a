from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from fastapi import FastAPI

from quaere.faces.server.serving import Server, config, listen
from quaere.resilience.thread import computed, in_slices, in_thread

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
from quaere.resilience.thread import computed, in_slices, in_thread

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


async def test_all_that_compute_do_so_in_one_thread() -> None:
    threads = await asyncio.gather(*(computed(threading.get_ident) for _ in range(20)))
    assert len(set(threads)) == 1
    assert threading.get_ident() not in threads


async def test_what_computes_sees_the_variables_of_who_asked() -> None:
    variable = contextvars.ContextVar("variable", default="")
    variable.set("here")
    assert await computed(variable.get) == "here"


async def test_what_a_computation_raised_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        await computed(lambda: 1 // 0)
    assert await computed(lambda: 2) == 2


async def test_a_cancelled_computation_that_has_not_begun_is_not_made() -> None:
    go, made = threading.Event(), list[int]()
    first = asyncio.create_task(computed(go.wait))
    second = asyncio.create_task(computed(lambda: made.append(2)))
    await asyncio.sleep(0.01)
    second.cancel()
    go.set()
    await first
    assert await computed(lambda: 3) == 3
    assert made == []


def busy(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def test_long_computations_take_turns_and_end_when_they_are_cancelled() -> None:
    ended = list[str]()

    def steps(name: str, count: int) -> Iterator[None]:
        for _ in range(count):
            busy(0.002)
            yield
        ended.append(name)

    long = asyncio.create_task(in_slices(steps("long", 1_000_000)))
    await asyncio.sleep(0.01)
    assert len(await in_slices(steps("short", 20))) == 20
    assert ended == ["short"]
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    began = time.thread_time()
    assert await computed(lambda: "free") == "free"
    assert time.thread_time() - began < 1
    assert ended == ["short"]


async def test_what_a_step_raised_is_raised_here() -> None:
    def steps() -> Iterator[int]:
        yield 1
        raise KeyError("k")

    with pytest.raises(KeyError):
        await in_slices(steps())
    assert await in_slices([1, 2, 3]) == [1, 2, 3]


SETTLED = "from quaere.resilience.thread import keep_responsive; keep_responsive()"
SERVED = """
import asyncio
from fastapi import FastAPI
from quaere.faces.server.serving import Server, config, listen

server = Server(config(FastAPI()), lambda: None)

async def serve():
    serving = asyncio.create_task(server.serve([listen("127.0.0.1", 0)]))
    while not server.started:
        await asyncio.sleep(0.01)
    server.should_exit = True
    await serving

asyncio.run(serve())
"""
SHOWN = """
import gc, sys
print(gc.isenabled(), gc.get_freeze_count() > 10_000, gc.get_threshold()[2])
print(sys.getswitchinterval())
"""


@pytest.mark.parametrize("begun", [SETTLED, SERVED])
def test_a_server_looks_for_garbage_seldom_and_switches_threads_often(begun: str) -> None:
    code = f"import asyncio, pydantic\n{begun}\n{SHOWN}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "True", "500", "0.001"]


@pytest.mark.anyio
async def test_a_server_says_where_it_is_once_somebody_can_connect() -> None:
    opened = listen("127.0.0.1", 0)
    answering = asyncio.Event()
    server = Server(config(FastAPI()), lambda: None, answering.set)
    serving = asyncio.create_task(server.serve([opened]))
    async with asyncio.timeout(30):
        await answering.wait()
        _, writer = await asyncio.open_connection(*opened.getsockname())
        writer.close()
        server.should_exit = True
        await serving
