"""A process of our own looks for garbage seldom, and lets its event loop go on soon."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from fastapi import FastAPI

from quaere.faces.server.serving import Server, config, listen

SETTLED = "from quaere.runtime.process import keep_responsive; keep_responsive()"
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
