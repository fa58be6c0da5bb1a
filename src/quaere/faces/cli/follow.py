"""Follows a run to its report, showing and writing its events."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from typing import Protocol

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
from quaere.errors import QuaereError, cause_of
from quaere.faces.cli.terminal import DEBUG, say
from quaere.synthesize.inert import visible
from quaere.view.describe import describe

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
        self._held: list[str] | None = None
        """What is told once nobody is asked any more; None while nobody is."""
        if title:
            self._say(title)

    def show(self, event: Event) -> None:
        """Print ``event``, and its topic."""
        if isinstance(event, IndexProgress) and not self._due(event):
            return
        if isinstance(event, SILENT):
            return
        line = describe(event) if isinstance(event, MARGINAL) else f"  {describe(event)}"
        self._say(f"{line} · {event.topic}" if event.topic else line)

    @contextmanager
    def aside(self) -> Generator[None]:
        """Hold lines back within: they would go into what is typed there."""
        held: list[str] = []
        self._held = held
        try:
            yield
        finally:
            self._held = None
            for line in held:
                self._write(line)

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
        told = f"[{monotonic() - self._started:5.1f} s] {line}"
        if self._held is None:
            self._write(told)
        else:
            self._held.append(told)


MAX_TITLE_CHARS = 200


class Watcher(Protocol):
    """Shows a run while it goes on."""

    def show(self, event: Event) -> None:
        """Take in ``event``, the next one."""
        ...

    def aside(self) -> AbstractContextManager[None]:
        """Leave the terminal to others within, who ask something."""
        ...

    def end(self) -> None:
        """Leave the terminal in its final, readable state."""
        ...


class Nobody:
    """Shows nothing."""

    def show(self, event: Event) -> None:
        """Do nothing."""

    def aside(self) -> AbstractContextManager[None]:
        """Do nothing."""
        return nullcontext()

    def end(self) -> None:
        """Do nothing."""


@contextmanager
def journal(path: Path | None) -> Generator[Callable[[Event], object]]:
    """Yield what writes events to ``path``, one JSON object a line; nowhere when it is None.

    Raises:
        QuaereError: when the file cannot be opened, or what it yields cannot write to it.
    """
    if path is None:
        yield _forget
        return
    try:
        file = path.open("wb", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from error

    def write(event: Event) -> None:
        line = f"{event.model_dump_json()}\n".encode()
        try:
            if file.write(line) != len(line):
                raise OSError("the disk is full")
        except OSError as error:
            raise _unwritable(path, error) from error

    with file:
        yield write


def _unwritable(path: Path, error: OSError) -> QuaereError:
    return QuaereError(f"Cannot write to {str(path)!r}: {cause_of(error)}.")


def _forget(event: Event) -> None:
    """Keep nothing of ``event``."""


@contextmanager
def watching(title: str, *, quiet: bool) -> Generator[Watcher]:
    """Yield what shows a run on standard error, with ``title`` there at once.

    With ``--debug`` it writes lines at a terminal, too: the log would tear a live view.

    Args:
        title: What is about to be done; shown in one line, cut when it is long.
        quiet: Whether to show nothing.
    """
    line = " ".join(visible(title[:MAX_TITLE_CHARS]).split())
    watcher = Nobody() if quiet else _watcher(line, plain=DEBUG.get())
    try:
        yield watcher
    finally:
        watcher.end()


def _watcher(title: str, *, plain: bool) -> Watcher:
    live = None
    if sys.stderr.isatty() and not plain:
        from quaere.faces.cli.live import live_view  # rich is for terminals alone

        live = live_view(title)
    return live or Lines(title, say)
