"""Keeps what a command researches, without making anybody wait for a database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from quaere.domain.events import Event
from quaere.errors import QuaereError, StoreUnavailable, UsageError
from quaere.faces.cli.terminal import complain
from quaere.runtime.engine import Engine
from quaere.runtime.redact import privacy_of
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import open_traces, spool_folder
from quaere.store.pages import MemoryPageStore
from quaere.store.recording.run_file import RunRequest
from quaere.store.traces.privacy import Privacy
from quaere.store.traces.redaction import Taker
from quaere.store.traces.spool import Head, Spool

Note = Callable[[Event], object]


class Tracing:
    """Takes down one run."""

    def __init__(self, spool: Spool, privacy: Privacy, note: Note) -> None:
        """Write to ``spool`` what ``privacy`` allows, and let ``note`` have the events, too."""
        self._pages = MemoryPageStore()
        self._taker = Taker(privacy, self._pages.passage)
        self._spool: Spool | None = spool
        self._also = note

    def watch(self, engine: Engine) -> Engine:
        """Return ``engine`` with the text of its next run in reach."""
        return replace(engine, pages=lambda: self._pages)

    def note(self, event: Event) -> None:
        """Take ``event`` down. A disk that is full ends the trace and not the run."""
        self._also(event)
        if self._spool is None:
            return
        try:
            self._spool.append(self._taker.take(event))
        except StoreUnavailable as error:
            complain(f"warning: the trace ends here. {error.message}")
            self._spool = None


class Untraced:
    """Takes nothing down."""

    def __init__(self, note: Note) -> None:
        """Let ``note`` have the events."""
        self.note = note

    def watch(self, engine: Engine) -> Engine:
        """Return ``engine``."""
        return engine


@contextmanager
def tracing(
    settings: Settings, request: RunRequest, note: Note, *, wanted: bool = True
) -> Generator[Tracing | Untraced]:
    """Yield what takes the run down that ``request`` asks for, unless it is not wanted."""
    if not (wanted and settings.trace):
        yield Untraced(note)
        return
    privacy = privacy_of(settings)
    params = privacy.params(request.asking)
    head = Head(trace_id=request.run_id, params=params, created_at=datetime.now(UTC))
    try:
        spool = Spool(spool_folder(settings), head)
    except StoreUnavailable as error:
        complain(f"warning: there will be no trace of this run. {error.message}")
        yield Untraced(note)
        return
    with spool:
        try:
            yield Tracing(spool, privacy, note)
        except UsageError:
            spool.withdraw()
            raise


def hand_in(settings: Settings, *, wanted: bool = True) -> None:
    """Bring the run into a database that others look at, too; one's own file can wait."""
    if not (wanted and settings.trace and settings.database_url):
        return

    async def taken() -> None:
        async with open_traces(settings) as (_, problems):
            for problem in problems:
                complain(f"warning: {problem}")

    try:
        asyncio.run(taken())
    except QuaereError as error:
        complain(f"warning: the trace waits on this machine. {error.message}")
