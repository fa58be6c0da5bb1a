"""Ends the answers of chats that nobody reads any more."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress

from quaere.errors import QuaereError
from quaere.faces.server.feed import Feeds
from quaere.runtime.run import Run


class ChatReaders:
    """Who reads the answers of chats in this process."""

    def __init__(self, wait_s: float) -> None:
        """Give readers ``wait_s`` seconds to come back."""
        self._wait_s = wait_s
        self._reading = Counter[str]()
        self._leaving: set[asyncio.Task[None]] = set()

    @contextmanager
    def reading(self, run: Run, feeds: Feeds, *, abandons: bool) -> Generator[None]:
        """Count a reader of ``run``; when the last one leaves it may be ended, if it ``abandons``.

        Readers of its feed count as well.
        """
        self._reading[run.id] += 1
        try:
            yield
        finally:
            self._reading[run.id] -= 1
            if not self._reading[run.id]:
                del self._reading[run.id]
            if abandons:
                leaving = asyncio.create_task(self._ended_unless_read(run, feeds))
                self._leaving.add(leaving)
                leaving.add_done_callback(self._leaving.discard)

    async def _ended_unless_read(self, run: Run, feeds: Feeds) -> None:
        await asyncio.sleep(self._wait_s)
        if self._reading[run.id] or feeds.reads(run.id) or feeds.closing.is_set():
            return
        with suppress(QuaereError):  # it is over, or somebody has deleted it
            await run.cancel()
