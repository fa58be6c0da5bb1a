"""Servers on loopback that run in a thread, beside a test that waits for a command."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def in_background(server: AbstractAsyncContextManager[T]) -> Generator[T]:
    """Yield what ``server`` yields, while its event loop runs in another thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        entered = asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
        yield entered
        leaving = asyncio.run_coroutine_threadsafe(_leave(server), loop)
        leaving.result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _leave(server: AbstractAsyncContextManager[T]) -> None:
    await server.__aexit__(None, None, None)
