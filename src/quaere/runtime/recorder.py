"""Keeps the events of a run on this machine without making anybody wait for a database.

They go into a file, imported by the next process that opens the database
(`quaere.store.traces.spool`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from quaere.domain.events import Event
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner
from quaere.errors import StoreUnavailable
from quaere.runtime.redact import privacy_of
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import database_name, spool_folder
from quaere.store.pages import MemoryPageStore
from quaere.store.traces.privacy import TraceRedactor
from quaere.store.traces.spool import Head, Spool

Notice = Callable[[str], None]
"""Takes what the user should know besides the events of the run."""


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
            notice(f"this run leaves no trace. {error.message}")

    @property
    def keeps(self) -> bool:
        """Whether a trace is being written."""
        return self._spool is not None

    def keep(self, event: Event) -> Event:
        """Add ``event`` to the trace, and return it without any key, as it may be shown."""
        event = self._told.event(event)
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
