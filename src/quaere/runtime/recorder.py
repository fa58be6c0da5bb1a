"""Keeps the events of a run while it goes on, without making anybody wait for a database.

Those of a run of this process go into a file, imported by the next process that opens the database
(`quaere.store.traces.spool`). A worker writes those of a submitted run there itself, those that
come close together at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Self

from quaere.domain.events import Event, RunFailed, RunFinished
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner
from quaere.errors import StoreUnavailable
from quaere.ports.read import MemoryPageStore
from quaere.runtime.redact import privacy_of
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import database_name, spool_folder
from quaere.store.traces.privacy import TraceRedactor
from quaere.store.traces.spool import Head, Spool

if TYPE_CHECKING:
    from quaere.store.traces.privacy import Kept
    from quaere.store.traces.recorder import TraceLog

Notice = Callable[[str], None]
"""Takes what the user should know besides the events of the run."""

GATHERS_S = 0.025
"""How long events are gathered that are kept in one transaction.

A step raises several within milliseconds, and a transaction costs far more than an event in it.
"""
Told = Callable[[Sequence[Event]], None]
"""Takes events once they are kept."""


class TraceRecorder:
    """Writes the trace of one run; a disk that is full ends the trace and not the run."""

    def __init__(self, settings: Settings, spec: RunSpec, owner: Owner, notice: Notice) -> None:
        """Begin the trace, or continue it, unless the request or the settings want none."""
        self.pages = MemoryPageStore()
        """Holds the text of the run, where it is found for the trace."""
        self._notice = notice
        self._spool: Spool | None = None
        privacy = privacy_of(settings)
        self._told = replace(privacy, pages=True, questions=True)
        if not (settings.trace and spec.request.traced):
            return
        self._redactor = TraceRedactor(privacy, self.pages.passage)
        head = Head(
            trace_id=spec.run_id,
            owner=owner,
            params=privacy.params(spec),
            created_at=datetime.now(UTC),
            database=database_name(settings),
        )
        try:
            self._spool = Spool(spool_folder(settings), head)
        except StoreUnavailable as error:
            notice(f"no trace of this run is recorded. {error.message}")

    @property
    def keeps(self) -> bool:
        """Whether a trace is being written."""
        return self._spool is not None

    def keep(self, event: Event) -> Event:
        """Add ``event`` to the trace, and return it without any key, as it may be shown."""
        event = self._told.kept(event)
        if self._spool is None:
            return event
        try:
            self._spool.append(self._redactor.take(event))
        except StoreUnavailable as error:
            self._notice(f"the trace ends here. {error.message}")
            self._spool.close()
            self._spool = None
        return event

    def close(self, *, begun: bool = True) -> None:
        """Let go of the file; delete it where the run has never ``begun``."""
        if self._spool is None:
            return
        if begun:
            self._spool.close()
        else:
            self._spool.withdraw()
        self._spool = None


class EventWriter:
    """Writes what is added, in order; leaving the context waits until all of it is kept."""

    def __init__(self, log: TraceLog, told: Told) -> None:
        """Write to ``log``, and tell what was kept."""
        self._log = log
        self._told = told
        self._waiting: list[Kept] = []
        self._news = asyncio.Event()
        self._last = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None
        self._closing = False

    async def __aenter__(self) -> Self:
        self._writing = asyncio.create_task(self._write())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._writing is None:
            return
        if kind is asyncio.CancelledError:
            self._writing.cancel()
            await asyncio.wait([self._writing])
            return
        self._closing = True
        self._last.set()
        self._news.set()
        await self._writing

    def add(self, kept: Kept) -> None:
        """Have an event kept after those before it.

        Raises:
            StoreError: when one before it could not be kept.
        """
        if self._writing is not None and self._writing.done():
            self._writing.result()
        self._waiting.append(kept)
        self._news.set()
        if isinstance(kept.event, RunFinished | RunFailed):
            self._last.set()

    async def _write(self) -> None:
        while True:
            await self._news.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(GATHERS_S):
                    await self._last.wait()
            self._news.clear()
            if batch := self._waiting:
                self._waiting = []
                await self._log.append_patiently(batch)
                self._told([kept.event for kept in batch])
                self._news.set()
            elif self._closing:
                return
