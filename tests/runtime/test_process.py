"""A process of our own looks for garbage seldom, and lets its event loop go on soon."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
