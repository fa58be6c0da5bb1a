"""Progress as plain lines, for logs and pipes."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from quaere.domain.events import (
    Event,
    EvidenceCollected,
    IndexProgress,
    PhaseStarted,
    RunFailed,
    RunFinished,
    RunStarted,
    SentenceDrafted,
    SentenceWritten,
    WarningRaised,
)
from quaere.view.describe import describe
from quaere.view.reduce import Progress

SILENT = (RunStarted, EvidenceCollected, SentenceDrafted, SentenceWritten, RunFinished, RunFailed)
"""Events that say nothing which the title, another line or the report does not say."""
MARGINAL = (IndexProgress, PhaseStarted, WarningRaised)
"""Events whose lines are not indented."""
INDEXING_EVERY_S = 2.0
"""Seconds between two lines about a folder that is being indexed."""


class Lines:
    """Writes a line for each event worth one, with the seconds since the start."""

    def __init__(self, title: str, write: Callable[[str], None]) -> None:
        self._write = write
        self._started = self._indexing_told = monotonic()
        self._counts_told = (-1, -1)
        self._say(title)

    def show(self, event: Event, progress: Progress) -> None:
        """Print ``event``, and its topic."""
        del progress
        if isinstance(event, IndexProgress) and not self._due(event):
            return
        if isinstance(event, SILENT):
            return
        line = describe(event) if isinstance(event, MARGINAL) else f"  {describe(event)}"
        self._say(f"{line} · {event.topic}" if event.topic else line)

    def end(self) -> None:
        """Do nothing: lines stay."""

    def _due(self, event: IndexProgress) -> bool:
        now, counts = monotonic(), (event.done, event.passages)
        finished = event.done >= event.total and counts != self._counts_told
        if not finished and now - self._indexing_told < INDEXING_EVERY_S:
            return False
        self._indexing_told, self._counts_told = now, counts
        return True

    def _say(self, line: str) -> None:
        self._write(f"[{monotonic() - self._started:5.1f} s] {line}")
