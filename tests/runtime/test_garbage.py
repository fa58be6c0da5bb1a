"""A process of our own looks for garbage seldom, and not in what it has loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

SETTLED = "from quaere.runtime.garbage import look_seldom; look_seldom()"
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
import gc
print(gc.isenabled(), gc.get_freeze_count() > 10_000, gc.get_threshold()[2])
"""


@pytest.mark.parametrize("begun", [SETTLED, SERVED])
def test_what_a_server_has_loaded_is_set_apart_and_all_is_looked_at_seldom(begun: str) -> None:
    code = f"import asyncio, pydantic\n{begun}\n{SHOWN}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "True", "500"]
